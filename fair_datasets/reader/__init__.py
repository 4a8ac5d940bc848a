"""What the words of a text are: names of people, places and works, and the cases of pronouns."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
