"""Lexicons: reviewable data about the terms of a demographic axis, and their counterparts.

The data are `data/<name>.tsv` (the terms), `data/<name>.toml` (source, licence, citation, digest)
and, where an axis needs them, `data/<name>.exceptions.tsv` (phrases that are left alone).
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
