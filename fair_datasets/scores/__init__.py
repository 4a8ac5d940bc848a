"""What models say of texts: likelihoods, vectors and class probabilities, ready for a measure.

Every function takes a model as a Hub id, a local folder, or a model with its tokenizer. torch and
transformers are loaded when a function is called.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
