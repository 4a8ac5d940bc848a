"""Cards: what was done to a dataset or for a model, and what was measured.

Pure functions: data in, text out.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
