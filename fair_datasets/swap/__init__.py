"""Counterfactual swap by lexicon, and the baselines that it is compared with."""
