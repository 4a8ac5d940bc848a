"""Texts and the attribute that each is of, in one form."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.rows import column_checks, columns
from fair_datasets.rows.columns import shortened
from fair_datasets.rows.draws import plain
from fair_datasets.rows.given import one_dataset
from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.scores.probes.probe import load_probe, predict_logits
from fair_datasets.scores.probes.train import train_probes
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

TEXT, ATTRIBUTE = "text", "attribute"
_EPOCHS = 20


class AttributedRows(NamedTuple):
    """Texts and the attribute of each.

    Attributes:
        rows: The columns `text` and `attribute`, the number of a name, a null where it is not
            known; and that of a label, where one was named.
    """

    rows: "Dataset"
    names: tuple[str, str]
    dropped: dict[str, int]


def attributed_rows(
    dataset: "Dataset",
    *,
    text: str,
    attribute: str | None,
    names: Sequence[str],
    classifier: str | None,
    label: str | None = None,
    owner: str,
) -> AttributedRows:
    """Read texts and the attribute that each is of.

    Args:
        text: The column of the texts; rows without a text are left out.
        attribute: The column of the attribute, with a null or an empty text where it is not known;
            None to have the classifier read it.
        names: What it calls the two attributes, in the order of the classifier's classes; none for
            what the classifier calls them, or else the two values of the column.
    """
    from datasets import Dataset, Features, Value, concatenate_datasets

    given = one_dataset(dataset, owner=owner, rows=True).with_format(None)
    named_columns = [text, *(name for name in (attribute, label) if name is not None)]
    column_checks.present(named_columns, given.column_names, owner=owner)
    if label in (TEXT, ATTRIBUTE):
        raise InputError(f"{owner}: the column of a label cannot be called {label!r}; rename it.")
    read = columns.texts({text: given[text][:]}, text, owner=owner)
    numbers = [number for number, each in enumerate(read) if each is not None and each.strip()]
    texts = [str(read[number]) for number in numbers]
    if not texts:
        raise InputError(f"{owner}: column {text!r} holds no text; name the column of the texts.")
    labels = _labels(classifier, owner) if classifier is not None else ()
    if attribute is None:
        found = predict_logits(str(classifier), texts).argmax(1).tolist()
        known = tuple(names) or labels
    else:
        named = _named(given, attribute, numbers)
        known = _names(named, tuple(names), labels, column=attribute, owner=owner)
        found = [None if value is None else known.index(value) for value in named.values()]
    refuse_one_class(found, known, owner=owner)
    features: Features = Features({TEXT: Value("string"), ATTRIBUTE: Value("int64")})
    rows = Dataset.from_dict({TEXT: texts, ATTRIBUTE: found}, features=features)
    if label is not None:
        rows = concatenate_datasets([rows, given.select(numbers).select_columns([label])], axis=1)
    empty = len(given) - len(texts)
    return AttributedRows(rows, (known[0], known[1]), {"no text": empty} if empty else {})


def refuse_one_class(found: Sequence[int | None], names: Sequence[str], *, owner: str) -> None:
    """Raise unless both attributes occur."""
    for number, name in enumerate(names):
        if number not in found:
            raise InputError(
                f"{owner}: no row has the attribute {name!r}, and training needs rows of both; "
                "add some, or give larger shares."
            )


def class_numbers(
    classifier: str, names: Sequence[str], given: Sequence[str], *, parameter: str, owner: str
) -> tuple[int, int]:
    """Return the number of the attribute that each class of a classifier stands for."""
    labels = _labels(classifier, owner)
    order = tuple(given) or labels
    if set(order) != set(names):
        raise InputError(
            f"{owner}: the attributes are {checks.listed(names)}, but the classes of "
            f"{classifier!r} are {checks.listed(order)}; use {parameter} to say which attribute "
            "each class is, in their order."
        )
    return names.index(order[0]), names.index(order[1])


def linear_classifier(rows: "Dataset", folder: Path) -> str:
    """Train a linear probe of the attribute, in seconds."""
    settings = ProbeConfig(
        out=folder, columns=TEXT, label=ATTRIBUTE, model="linear", seeds=1, epochs=_EPOCHS
    )
    labelled = rows.filter(lambda row: row[ATTRIBUTE] is not None)
    return train_probes(settings, labelled)[0][-1]


def _named(given: "Dataset", column: str, numbers: Sequence[int]) -> dict[int, str | None]:
    """Return what the values of the attribute's column are called, by row, for some rows."""
    from datasets import ClassLabel

    kind = given.features[column]
    values: list[Any] = given[column][:]
    named: dict[int, str | None] = {}
    for number in numbers:
        value = values[number]
        # A file of rows has nothing else for a null.
        if columns.is_null(value) or value == "":
            named[number] = None
        elif isinstance(kind, ClassLabel):
            named[number] = kind.int2str(value)
        else:
            named[number] = str(plain(value))
    return named


def _labels(classifier: str, owner: str) -> tuple[str, ...]:
    """Return what a classifier calls its two classes; their numbers where it has no names."""
    probe = load_probe(classifier, owner=owner)
    if probe.classes != 2:
        raise InputError(
            f"{owner}: the classifier {classifier!r} has {probe.classes} classes, but there are "
            "two attributes; choose another classifier."
        )
    loaded = getattr(probe, "loaded", None)
    labels = {} if loaded is None else loaded.model.config.id2label
    return tuple(str(labels.get(number, number)) for number in range(2))


def _names(
    values: Mapping[int, str | None], given: tuple[str, ...], labels: tuple[str, ...], *,
    column: str, owner: str,
) -> tuple[str, ...]:  # fmt: skip
    """Return what the two attributes are called, in the order of the classifier's classes."""
    held = sorted({value for value in values.values() if value is not None})
    if len(held) < 2:
        told = f"{held[0]!r} alone" if held else "no attribute"
        raise InputError(
            f"{owner}: column {column!r} holds {told}, and training needs rows of two attributes; "
            "add some."
        )
    known = given or labels or tuple(held)
    if set(held) <= set(known) and len(known) == 2:
        return known
    if given:
        row, value = next(
            item for item in values.items() if item[1] is not None and item[1] not in known
        )
        raise InputError(
            f"{owner}: column {column!r} holds {shortened(value)} in row {row} (counted from 0), "
            f"but attributes names {checks.listed(known)}; drop such rows, or name the two."
        )
    if labels:
        raise InputError(
            f"{owner}: column {column!r} holds {checks.listed_few(held)}, but the classes of the "
            f"classifier are {checks.listed(labels)}; use attributes to say what the column calls "
            "each of them, in this order."
        )
    raise InputError(
        f"{owner}: column {column!r} holds {len(held)} values ({checks.listed_few(held)}), but a "
        "rewriter is trained on two; drop the rows of the other values."
    )
