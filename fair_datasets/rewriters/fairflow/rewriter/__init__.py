"""FairFlow's rewriter: a generator that is trained on corrected swaps, by a dictionary of its own.

`config` has the settings; `train` is the whole, from a plan and texts to the folder of a model and
its card, and finds the words where they are not listed.
What it has in common with other generators is in `fair_datasets.rewriters.training`.
"""
