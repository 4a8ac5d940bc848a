"""A classifier's scores of a text and of its counterfactual.

The models are chosen by who owns the Space, never by who visits it. The variable
FAIR_DATASETS_DEMO_MODELS names them, separated by commas (in the Space's settings, "Variables"); it
may be empty, and the page then says that there is none.
"""

import os
import warnings
from functools import lru_cache
from typing import Any, NamedTuple

from fair_datasets import InputError
from fair_datasets.scores.classifiers import class_probabilities
from fair_datasets.scores.models import TruncatedTextWarning, load_model

VARIABLE = "FAIR_DATASETS_DEMO_MODELS"
DEFAULT = "distilbert/distilbert-base-uncased-finetuned-sst-2-english"
MAX_LABELS = 6

NO_MODEL = (
    "No classifier is set up here. Who owns this page names one or more of the Hub in the variable "
    f"{VARIABLE}."
)


class LabelScore(NamedTuple):
    """What a classifier gives a label.

    Attributes:
        label: The label.
        before: Its probability for the text, in [0, 1].
        after: Its probability for the counterfactual.
    """

    label: str
    before: float
    after: float


def offered_models() -> list[str]:
    """List the models that visitors may choose.

    Returns:
        Their ids; none where the owner wants none.
    """
    named = os.environ.get(VARIABLE, DEFAULT)
    return list(dict.fromkeys(filter(None, map(str.strip, named.split(",")))))


def score(model: str, before: str, after: str) -> list[LabelScore]:
    """Score a text and its counterfactual with one of the models that are offered.

    Args:
        model: The model's id.
        before: The text.
        after: The counterfactual.

    Returns:
        The labels, at most six, those that differ most first.

    Raises:
        InputError: The model is not offered here, cannot be loaded, or is no classifier.
    """
    offered = offered_models()
    if not offered:
        raise InputError(NO_MODEL)
    if model not in offered:
        raise InputError(f"This page offers no model {model!r}, but {', '.join(offered)}.")
    network, tokenizer = _loaded(model)
    with warnings.catch_warnings():
        # The page says itself that a long text is cut.
        warnings.simplefilter("ignore", TruncatedTextWarning)
        rows = class_probabilities([before, after], (network, tokenizer)).tolist()
    labels = [str(network.config.id2label[k]) for k in range(len(rows[0]))]
    scores = [LabelScore(*values) for values in zip(labels, *rows, strict=True)]
    return sorted(scores, key=lambda label: -abs(label.after - label.before))[:MAX_LABELS]


@lru_cache(maxsize=1)
def _loaded(model: str) -> tuple[Any, Any]:
    """Load a classifier once; no code of its repository is run."""
    loaded = load_model(model, "classifier", device="cpu")
    return loaded.model, loaded.tokenizer
