"""Decoding: token ids in, token ids out, whatever the model.

`greedy` takes what a model agrees with of a draft, by what its generation settings demand of each
choice; `rows` forms batches, halves one that does not fit, and asks `generate` where beams or draws
are wanted.
"""

from fair_datasets.rewriters.generation.decoding.rows import Decoded, Decoding, decode

__all__ = ["Decoded", "Decoding", "decode"]
