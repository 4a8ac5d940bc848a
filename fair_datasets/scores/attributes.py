"""The probability that a classifier gives to a known attribute of each text."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.columns import column, listed
from fair_datasets.scores.classifiers import class_probabilities
from fair_datasets.scores.models import ModelLike, load_model
from fair_datasets.system.checks import InputError


def attribute_probabilities(
    texts: dict[str, Sequence[str]],
    attributes: Sequence[int] | Sequence[str] | None,
    model: ModelLike,
    *,
    batch_size: int = 32,
    revision: str | None = None,
    device: str | None = None,
) -> list[NDArray[np.float64]]:
    """Give the probability of one attribute per row in several lists of texts.

    Args:
        texts: The name of each list, for errors, to its texts. Each has N texts.
        attributes: The attribute of each row: the number of a class, or its name in the model's
            configuration. Length N.
        model: A classifier of two attributes: a Hub id, a folder, or a model with its tokenizer.
        revision: The branch, tag or commit on the Hub.
        device: Where the model runs; None: a GPU if there is one.

    Returns:
        For each list, the probability of the row's attribute. Each of shape (N,), in [0, 1].

    Raises:
        InputError: A text or an attribute is missing, lengths differ, an attribute is no class of
            the model, or the model is no classifier of two classes.

    Example:
        >>> attribute_probabilities({"predictions": ["He ran."]}, None, "some/classifier")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: attribute_probabilities: attributes is missing: a
        classifier needs the original attribute of each row.
    """
    owner = "attribute_probabilities"
    if attributes is None:
        raise InputError(
            f"{owner}: attributes is missing: a classifier needs the original attribute of each "
            "row."
        )
    lists = {name: inputs.texts(values, name, owner=owner) for name, values in texts.items()}
    named: list[int | str] = listed(column(attributes, "attributes", owner=owner))
    inputs.same_length({**lists, "attributes": named}, owner=owner)
    loaded = load_model(model, "classifier", owner=owner, revision=revision, device=device)
    if loaded.model.num_labels != 2:
        raise InputError(
            f"{owner}: the model must have two classes, but it has {loaded.model.num_labels}."
        )
    classes = _classes(named, loaded.model.config.id2label, owner=owner)
    probabilities = class_probabilities(
        [text for values in lists.values() for text in values],
        (loaded.model, loaded.tokenizer),
        batch_size=batch_size,
    )
    chosen = probabilities[np.arange(len(probabilities)), np.tile(classes, len(lists))]
    return np.split(chosen, len(lists))


def _classes(
    attributes: Sequence[int | str], names: dict[int, str], *, owner: str
) -> NDArray[np.int64]:
    """Return the number of each attribute's class."""
    numbers = {name: number for number, name in names.items()}
    for row, attribute in enumerate(attributes):
        if isinstance(attribute, bool) or (attribute not in numbers and attribute not in names):
            raise InputError(
                f"{owner}: attributes must be classes of the model, "
                f"{', '.join(map(repr, numbers))} or their numbers, but row {row} is "
                f"{attribute!r}."
            )
    return np.array(
        [numbers.get(str(attribute), attribute) for attribute in attributes], dtype=np.int64
    )
