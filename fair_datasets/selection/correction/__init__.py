"""Correcting a corpus by its bias scores: the corpora of a paper by name, and two kinds of our own.

Dolci, Azzalini and Tanelli, "Improving Gender-Related Fairness in Sentence Encoders".
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
