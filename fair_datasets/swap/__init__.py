"""Counterfactual swap by lexicon, and the baselines that it is compared with."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
