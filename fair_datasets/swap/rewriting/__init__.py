"""Rewriters of texts: what they share, whatever it is that rewrites.

A rewriter of your own extends `Rewriter` and says in `rewrite` how the texts of rows are rewritten.
"""

from fair_datasets.swap.rewriting.counterfactuals import Counterfactual, Edit, Rows
from fair_datasets.swap.rewriting.rewriter import Rewriter

__all__ = ["Counterfactual", "Edit", "Rewriter", "Rows"]
