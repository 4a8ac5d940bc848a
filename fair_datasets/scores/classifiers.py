"""What a text classifier says: logits and probabilities of classes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.inputs import as_list, column
from fair_datasets.scores.models import ModelLike, batches_by_length, load_model
from fair_datasets.system.checks import invalid


def class_logits(
    texts: Sequence[str],
    model: ModelLike,
    *,
    batch_size: int = 32,
    revision: str | None = None,
    device: str | None = None,
) -> NDArray[np.float64]:
    """Give the logits of each class for each text. Shape (N, C).

    Texts longer than the model reads are cut, with a warning.
    """
    values = inputs.texts(texts, "texts")
    loaded = load_model(model, "classifier", revision=revision, device=device)
    encoded = loaded.encode(values)
    refuse_empty(encoded.ids)
    # Without an id for padding, a classifier that reads left to right takes one text at a time.
    if loaded.model.config.get_text_config().pad_token_id is None:
        batch_size = 1
    logits = np.zeros((len(values), int(loaded.model.num_labels)))
    with loaded.scoring():
        for batch in batches_by_length(encoded.lengths, batch_size, "Classifying texts"):
            output, _, _ = loaded.run([encoded.ids[row] for row in batch])
            logits[batch] = output.logits.cpu().double().numpy()
    return logits


def class_probabilities(
    texts: Sequence[str],
    model: ModelLike,
    *,
    batch_size: int = 32,
    revision: str | None = None,
    device: str | None = None,
) -> NDArray[np.float64]:
    """Give the probability of each class for each text: the softmax of the logits.

    Args:
        model: A Hub id, a folder, or a model with its tokenizer, of two or more classes that
            exclude each other.

    Returns:
        The probabilities; each row sums to 1. Shape (N, C).
    """
    values = inputs.texts(texts, "texts")
    loaded = load_model(model, "classifier", revision=revision, device=device)
    kind = getattr(loaded.model.config, "problem_type", None)
    if loaded.model.num_labels < 2 or kind == "multi_label_classification":
        raise invalid(
            f"the model must have two or more classes that exclude each other, but it has "
            f"{loaded.model.num_labels} (problem type {kind!r}). Use class_logits."
        )
    logits = class_logits(values, (loaded.model, loaded.tokenizer), batch_size=batch_size)
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    probabilities: NDArray[np.float64] = shifted / shifted.sum(axis=1, keepdims=True)
    return probabilities


def refuse_empty(ids: list[list[int]]) -> None:
    """Raise if a text has no tokens."""
    for row, tokens in enumerate(ids):
        if not tokens:
            raise invalid(f"texts has no tokens in row {row}. Drop that row first.")


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

    Returns:
        For each list, the probability of the row's attribute. Each of shape (N,), in [0, 1].
    """
    if attributes is None:
        raise invalid(
            "attributes is missing: a classifier needs the original attribute of each row."
        )
    lists = {name: inputs.texts(values, name) for name, values in texts.items()}
    named: list[int | str] = as_list(column(attributes, "attributes"))
    inputs.same_length({**lists, "attributes": named})
    loaded = load_model(model, "classifier", revision=revision, device=device)
    if loaded.model.num_labels != 2:
        raise invalid(f"the model must have two classes, but it has {loaded.model.num_labels}.")
    classes = _classes(named, loaded.model.config.id2label)
    probabilities = class_probabilities(
        [text for values in lists.values() for text in values],
        (loaded.model, loaded.tokenizer),
        batch_size=batch_size,
    )
    chosen = probabilities[np.arange(len(probabilities)), np.tile(classes, len(lists))]
    return np.split(chosen, len(lists))


def _classes(attributes: Sequence[int | str], names: dict[int, str]) -> NDArray[np.int64]:
    """Return the number of each attribute's class."""
    numbers = {name: number for number, name in names.items()}
    for row, attribute in enumerate(attributes):
        if isinstance(attribute, bool) or (attribute not in numbers and attribute not in names):
            raise invalid(
                f"attributes must be classes of the model, {', '.join(map(repr, numbers))} or "
                f"their numbers, but row {row} is {attribute!r}."
            )
    return np.array(
        [numbers.get(str(attribute), attribute) for attribute in attributes], dtype=np.int64
    )
