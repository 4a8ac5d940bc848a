"""What people look at: tables and differences as text, and pictures. Pure functions."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
