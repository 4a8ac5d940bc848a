"""Choosing rows by scores: rankings, thresholds, splits and the search for a trade-off."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
