"""Decoding: token ids in, token ids out, whatever the model.

`drafts` proposes tokens from a draft and takes what the model agrees with; `rules` holds what a
model's generation settings demand of each choice; `greedy` runs both over a batch; `rows` forms
batches, halves one that does not fit, and asks `generate` where beams or draws are wanted.
"""

from fair_datasets.rewriters.generation.decoding.rows import Decoded, Decoding, decode

__all__ = ["Decoded", "Decoding", "decode"]
