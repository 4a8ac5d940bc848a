"""FairFlow's rewriter: a generator that is trained on corrected swaps, by a dictionary of its own.

`config` has the settings and `plan` reads them from a file; `dictionary` finds the words, where
they are not listed; `train` is the whole, from texts to the folder of a model, and `card` tells of
it. What it has in common with other generators is in `fair_datasets.rewriter_training`.
"""
