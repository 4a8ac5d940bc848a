from .given import texts_of as texts_of
