"""What is measured on the texts of versions alone: perplexity and transfer accuracy."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.counterfactual_evaluation.corpus import OWNER, Corpus, is_blank
from fair_datasets.measures.perplexity import perplexity
from fair_datasets.measures.transfer_accuracy import transfer_accuracy
from fair_datasets.scores.causal import causal_losses
from fair_datasets.scores.importance import softmax
from fair_datasets.scores.models import ModelLike
from fair_datasets.scores.probes import load_probe
from fair_datasets.scores.probes.probe import Reading
from fair_datasets.selection.trainers import Predict, probabilities_of
from fair_datasets.system.checks import InputError, listed

Row = dict[str, Any]


@dataclass(frozen=True)
class GroupClassifier:
    """What reads the group of a text.

    Attributes:
        predict: Rows of texts to probabilities.
        places: The class of each original's group. Shape (N,).
    """

    predict: Predict
    places: NDArray[np.intp]


def open_classifier(
    given: Any,
    classes: Sequence[Hashable] | None,
    groups: Sequence[Hashable],
    *,
    column: str,
    batch_size: int,
) -> GroupClassifier:
    """Load the classifier of groups, and find the class of each.

    Args:
        given: What the user gave.
        classes: The groups in the order of its classes, where the user named them.
        groups: The groups of the originals.
        column: Their column, for errors.
        batch_size: How many texts it reads at once at most.

    Returns:
        The classifier.

    Raises:
        InputError: It cannot be loaded, does not have two classes, or lacks a group.
    """
    if isinstance(given, str | PathLike):
        probe = load_probe(given, owner=OWNER)
        if probe.classes != 2:
            raise InputError(
                f"{OWNER}: the classifier must have two classes, but it has {probe.classes}."
            )
        own = probe.loaded.model.config.id2label if hasattr(probe, "loaded") else {}
        names = tuple(str(own.get(number, number)) for number in range(2))
        reading = Reading(batch_size)

        def predict(rows: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
            return softmax(probe.logits(rows, reading))

        return GroupClassifier(predict, _places(groups, classes, names, column))
    if not callable(given):
        raise InputError(
            f"{OWNER}: classifier must be a folder, a Hub id or a function of rows of texts, but "
            f"it is a {type(given).__name__}."
        )
    return GroupClassifier(given, _places(groups, classes, ("0", "1"), column))


def _places(
    groups: Sequence[Hashable],
    classes: Sequence[Hashable] | None,
    names: tuple[str, ...],
    column: str,
) -> NDArray[np.intp]:
    """Return the class of each group: as the user named them, or by number or the classes' names.

    The order of a `ClassLabel` is that of its dataset, which need not be the classifier's.
    """
    if classes is not None:
        is_pair = isinstance(classes, Sequence) and not isinstance(classes, str)
        if not is_pair or len(classes) != 2 or classes[0] == classes[1]:
            raise InputError(
                f"{OWNER}: classes must name the two groups in the order of the classifier's "
                f"classes, but it is {classes!r}."
            )
        named = tuple(classes)
    found = []
    for row, value in enumerate(groups):
        is_number = isinstance(value, int) and not isinstance(value, bool)
        order = named if classes is not None else (0, 1) if is_number else names
        if order.count(value) != 1:  # Two classes may have one name.
            raise InputError(
                f"{OWNER}: row {row} of column {column!r} holds {value!r}, but the classes of the "
                f"classifier are {listed(map(str, order))}; name its groups in their order by "
                "classes, and drop rows of others."
            )
        found.append(order.index(value))
    return np.array(found, dtype=np.intp)


def perplexity_rows(corpus: Corpus, model: ModelLike, *, batch_size: int) -> list[Row]:
    """Return the perplexity of each version.

    Args:
        corpus: The texts.
        model: The causal language model.
        batch_size: How many texts it reads at once at most.

    Returns:
        A row for each list of texts.
    """
    losses = _of_each_text(
        corpus,
        lambda texts: causal_losses({"texts": texts}, model, batch_size=batch_size)[0],
    )
    rows = []
    for version, seed, texts in corpus.lists():
        found = perplexity([losses[text] for text in texts], undefined="nan")
        rows.append({
            "version": version, "seed": seed, "measure": "perplexity", "value": found.perplexity,
            "size": found.texts, "skipped": found.skipped,
        })  # fmt: skip
    return rows


def transfer_rows(corpus: Corpus, classifier: GroupClassifier) -> list[Row]:
    """Return how often each version is read as another group than its originals are of.

    Args:
        corpus: The texts.
        classifier: What reads the group of a text.

    Returns:
        Two rows for each list of texts.
    """
    found = _of_each_text(
        corpus,
        lambda texts: probabilities_of(
            classifier.predict, [(text,) for text in texts], owner=OWNER, what="the classifier"
        ),
    )
    rows = []
    for version, seed, texts in corpus.lists():
        kept = [row for row, text in enumerate(texts) if not is_blank(text)]
        result = transfer_accuracy([found[texts[row]][classifier.places[row]] for row in kept])
        beside = {"version": version, "seed": seed, "size": result.texts,
                  "skipped": len(texts) - result.texts}  # fmt: skip
        for measure, value in (
            ("transfer accuracy", result.transfer_accuracy),
            ("mean other probability", result.mean_other_probability),
        ):
            rows.append({**beside, "measure": measure, "value": value})
    return rows


def _of_each_text(corpus: Corpus, read: Callable[[list[str]], Any]) -> dict[str, Any]:
    """Read each text once, though it stands in several versions."""
    texts = list(dict.fromkeys(text for _, _, some in corpus.lists() for text in some))
    texts = [text for text in texts if not is_blank(text)]
    found = dict(zip(texts, read(texts), strict=True)) if texts else {}
    return {text: found.get(text) for _, _, some in corpus.lists() for text in some}
