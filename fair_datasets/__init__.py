"""Counterfactual augmentation and fairness measures for text, native to Hugging Face Datasets.

The public names are resolved when they are first used, so that ``import fair_datasets`` loads
neither torch, transformers nor spaCy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fair_datasets.version import __version__

if TYPE_CHECKING:
    from fair_datasets.checks import InputError
    from fair_datasets.lexicons import Lexicon, available_lexicons, load_lexicon
    from fair_datasets.matching.find import FoundTerm, find_terms
    from fair_datasets.swap.balancing import (
        MentionedAttribute,
        balance_groups,
        negatives_lacking,
    )
    from fair_datasets.swap.blindness import Blindness
    from fair_datasets.swap.counterfactual import CounterfactualSwap
    from fair_datasets.swap.provenance import undo
    from fair_datasets.technique import Technique, load_technique

_HOMES = {
    "Blindness": "fair_datasets.swap.blindness",
    "CounterfactualSwap": "fair_datasets.swap.counterfactual",
    "FoundTerm": "fair_datasets.matching.find",
    "InputError": "fair_datasets.checks",
    "Lexicon": "fair_datasets.lexicons",
    "MentionedAttribute": "fair_datasets.swap.balancing",
    "Technique": "fair_datasets.technique",
    "available_lexicons": "fair_datasets.lexicons",
    "balance_groups": "fair_datasets.swap.balancing",
    "find_terms": "fair_datasets.matching.find",
    "load_lexicon": "fair_datasets.lexicons",
    "load_technique": "fair_datasets.technique",
    "negatives_lacking": "fair_datasets.swap.balancing",
    "undo": "fair_datasets.swap.provenance",
}

__all__ = [
    "Blindness",
    "CounterfactualSwap",
    "FoundTerm",
    "InputError",
    "Lexicon",
    "MentionedAttribute",
    "Technique",
    "__version__",
    "available_lexicons",
    "balance_groups",
    "find_terms",
    "load_lexicon",
    "load_technique",
    "negatives_lacking",
    "undo",
]


def __getattr__(name: str) -> Any:
    """Import the module of a public name the first time that the name is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'fair_datasets' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
