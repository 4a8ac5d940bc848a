"""Rewriters of texts: what they share, whatever it is that rewrites.

A rewriter of your own extends `Rewriter` and says in `rewrite` how the texts of rows are rewritten.
"""

from fair_datasets.rewriting.counterfactuals import Counterfactual, Edit, Rows
from fair_datasets.rewriting.rewriter import Rewriter

__all__ = ["Counterfactual", "Edit", "Rewriter", "Rows"]
