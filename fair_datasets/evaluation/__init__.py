"""Evaluations of whole models and corpora: counterfactuals, identity templates."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
