"""Demographic representation of a corpus: how often each attribute of an axis is mentioned.

Source: Liang et al., "Holistic Evaluation of Language Models", 2023, for the distance from equal
shares.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.columns import column
from fair_datasets.measures.group_labels import GroupLabels, group_labels
from fair_datasets.measures.inputs import Undefined, undefined_value
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError


@dataclass(frozen=True, slots=True)
class AttributeShares:
    """How often each attribute is mentioned in some rows.

    Attributes:
        shares: Each attribute to its share of all mentions, in [0, 1]; they sum to 1.
        rows_with: Each attribute to the share of rows that mention it, in [0, 1]. As a row may
            mention several or none, these need not sum to 1.
        distance: The total variation distance of the shares from the reference, in [0, 1]. 0: the
            same shares; 1: only attributes are mentioned that the reference has not. It is the
            share of mentions that would have to be of another attribute.
    """

    mentions: dict[str, int]
    shares: dict[str, float]
    rows_with: dict[str, float]
    distance: float
    rows: int


@dataclass(frozen=True, slots=True)
class Representation:
    """How often each attribute of an axis is mentioned in a corpus.

    Attributes:
        all: Over all rows.
        labels: Over the rows of each label; empty without labels.
        reference: The shares that the distance is taken from.
    """

    all: AttributeShares
    labels: dict[Hashable, AttributeShares]
    reference: dict[str, float]


def representation(
    counts: ArrayLike,
    attributes: Sequence[str],
    labels: Any = None,
    *,
    reference: Mapping[str, float] | None = None,
    undefined: Undefined = "nan",
) -> Representation:
    """Measure how often each attribute of an axis is mentioned in a corpus.

    Args:
        counts: How often each row mentions each attribute, as `count_terms` gives it. Shape (N, A).
        attributes: The names of the attributes. Length A.
        labels: The label of each row, such as its class. Shape (N,). None: no shares by label.
        reference: Each attribute to the share that it should have, such as its share of the
            population; they sum to 1. None for equal shares.
        undefined: What to give for shares where there is no mention, or no row: `"nan"`, `"zero"`
            or `"raise"`.

    Raises:
        InputError: The counts are no counts of these attributes, a label is missing, the lengths
            differ, or the reference is not a share of each attribute.

    Example:
        >>> result = representation([[2, 0], [1, 1], [0, 0]], ["man", "woman"], ["a", "a", "b"],
        ...     undefined="zero")
        >>> result.all.shares, result.all.distance
        ({'man': 0.75, 'woman': 0.25}, 0.25)
        >>> result.labels["a"].rows_with
        {'man': 1.0, 'woman': 0.5}
    """
    owner = "representation"
    checks.one_of(undefined, get_args(Undefined), owner=owner, parameter="undefined")
    names = attribute_names(attributes, owner=owner)
    table = row_counts(counts, names, owner=owner)
    expected = _reference(reference, names, owner=owner)
    found = GroupLabels((), np.empty(0, np.intp))
    if labels is not None:
        found = row_labels(labels, owner=owner)
        inputs.same_length({"counts": table, "labels": found.codes}, owner=owner)
    return Representation(
        _shares(table, expected, "the corpus", undefined),
        {
            label: _shares(table[found.codes == code], expected, f"label {label!r}", undefined)
            for code, label in enumerate(found.names)
        },
        expected,
    )


def attribute_names(attributes: Any, *, owner: str) -> tuple[str, ...]:
    """Read the names of the attributes of an axis."""
    names = checks.strings(attributes, owner=owner, parameter="attributes")
    if not names or len(set(names)) < len(names):
        raise InputError(
            f"{owner}: attributes must name at least one attribute and none twice, but it is "
            f"{attributes!r}."
        )
    return names


def row_counts(counts: ArrayLike, attributes: tuple[str, ...], *, owner: str) -> NDArray[np.int64]:
    """Read how often each row mentions each attribute. Shape (N, A).

    Args:
        counts: Whole numbers from 0 up. Shape (N, A).
    """
    width = len(attributes)
    rows = column(counts, "counts", owner=owner, tables=True)
    for row, values in enumerate(rows):
        if np.shape(values) != (width,):
            raise InputError(
                f"{owner}: counts must have one number for each of the {width} attributes, but "
                f"row {row} is {values!r}."
            )
    array = np.asarray(rows).reshape(len(rows), width)
    columns = [
        inputs.classes(array[:, place], f"counts of {name!r}", owner=owner)
        for place, name in enumerate(attributes)
    ]
    table = np.stack(columns, axis=1)
    wrong = np.argwhere(table < 0)
    if wrong.size:
        row, place = wrong[0].tolist()
        raise InputError(
            f"{owner}: counts must not be below 0, but row {row} has {int(table[row, place])} for "
            f"{attributes[place]!r}."
        )
    return table


def row_labels(labels: Any, *, owner: str) -> GroupLabels:
    """Read the label of each row, of which none may be missing.

    Args:
        labels: Labels of any hashable kind, such as strings or whole numbers. Shape (N,).
    """
    found = group_labels(labels, owner=owner, missing_group="own", argument="labels")
    if found.names and found.names[-1] is None:
        row = int(np.argmax(found.codes == len(found.names) - 1))
        raise InputError(
            f"{owner}: labels has no label in row {row}. Drop that row first, or find out why it "
            "is missing."
        )
    return found


def _reference(
    reference: Mapping[str, float] | None, attributes: tuple[str, ...], *, owner: str
) -> dict[str, float]:
    """Read the shares that attributes should have; equal ones by default."""
    if reference is None:
        return dict.fromkeys(attributes, 1 / len(attributes))
    if not isinstance(reference, Mapping):
        raise InputError(
            f"{owner}: reference must map each attribute to its share, but it is {reference!r}."
        )
    for attribute in reference:
        checks.one_of(attribute, attributes, owner=owner, parameter="an attribute of reference")
    lacking = [attribute for attribute in attributes if attribute not in reference]
    if lacking:
        raise InputError(
            f"{owner}: reference has no share for {lacking[0]!r}; give 0 if it should not occur."
        )
    shares = {
        attribute: checks.fraction(
            reference[attribute], owner=owner, parameter=f"reference of {attribute!r}"
        )
        for attribute in attributes
    }
    total = math.fsum(shares.values())
    if abs(total - 1) > 1e-6:
        raise InputError(
            f"{owner}: the shares of reference must sum to 1, but they sum to {total:g}."
        )
    return shares


def _shares(
    counts: NDArray[np.int64], reference: dict[str, float], where: str, undefined: Undefined
) -> AttributeShares:
    """Count over some rows."""
    names = list(reference)
    mentions = counts.sum(axis=0)
    total, rows = int(mentions.sum()), len(counts)
    if total:
        shares = (mentions / total).tolist()
        distance = math.fsum(map(abs, np.subtract(shares, list(reference.values())))) / 2
    else:
        reason = f"{where} mentions no attribute." if rows else f"{where} has no rows."
        distance = undefined_value(reason, undefined, owner="representation")
        shares = [distance] * len(names)
    rows_with = (np.count_nonzero(counts, axis=0) / rows).tolist() if rows else shares
    return AttributeShares(
        dict(zip(names, mentions.tolist(), strict=True)),
        dict(zip(names, shares, strict=True)),
        dict(zip(names, rows_with, strict=True)),
        distance,
        rows,
    )
