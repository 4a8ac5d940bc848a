"""Evaluations of whole models and corpora: counterfactuals, encoders, identity templates."""
