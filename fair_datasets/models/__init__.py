"""Models of others that the measures and scores read: word vectors and directions in them."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
