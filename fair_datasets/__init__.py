"""Counterfactual augmentation and fairness measures for text, native to Hugging Face Datasets.

The public names are resolved when they are first used, so that ``import fair_datasets`` loads
neither torch, transformers nor spaCy.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
