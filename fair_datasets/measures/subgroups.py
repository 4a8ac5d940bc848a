"""Reading subgroups of rows, which may overlap: one row can mention several groups, or none."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.columns import Column, column, is_missing, listed
from fair_datasets.measures.group_labels import MissingGroup, group_labels
from fair_datasets.system.checks import InputError

_SEVERAL = (list, set, frozenset, np.ndarray)
"""What holds several labels; a tuple is one label, such as that of an intersection."""


def subgroup_masks(
    groups: Any, *, owner: str, missing_group: MissingGroup = "raise"
) -> dict[Hashable, NDArray[np.bool_]]:
    """Read which rows belong to which subgroup.

    Args:
        groups: One of: a label per row, which makes a partition and may be a tuple; a list or set
            of labels per row, which may be empty; or a mapping of each label to a mask, whether
            each row belongs to it.
        owner: The measure, for errors.
        missing_group: What to do where a row has no label: `"raise"`, or `"own"` for a group None.
            A row with an empty list belongs to no group, and lacks nothing.

    Returns:
        Each subgroup's mask by its label. Each of shape (N,).

    Raises:
        InputError: A label is missing, masks differ in length, or a mask is something else than 0
            or 1.

    Example:
        >>> masks = subgroup_masks([["women"], [], ["black", "women"]], owner="subgroup_auc")
        >>> masks["women"]
        array([ True, False,  True])
    """
    if isinstance(groups, Mapping):
        masks: dict[Hashable, NDArray[np.bool_]] = {
            name: inputs.binary(mask, f"groups[{name!r}]", owner=owner)
            for name, mask in groups.items()
        }
        if masks:
            named = {f"groups[{name!r}]": mask for name, mask in masks.items()}
            inputs.same_length(named, owner=owner)
        return masks
    values = column(groups, "groups", owner=owner)
    rows = _label_lists(values)
    if rows is None:
        names, codes = group_labels(values, owner=owner, missing_group=missing_group)
        return {name: codes == code for code, name in enumerate(names)}
    return _masks_of_lists(rows, missing_group, owner=owner)


def _label_lists(groups: Column) -> list[Any] | None:
    """Return the rows if they are lists of labels; the first that is not missing decides."""
    if isinstance(groups, np.ndarray) and groups.dtype.kind != "O":
        return None
    first = next((row for row in groups if not is_missing(row)), None)
    return listed(groups) if isinstance(first, _SEVERAL) else None


def _masks_of_lists(
    rows: list[Any], missing_group: MissingGroup, *, owner: str
) -> dict[Hashable, NDArray[np.bool_]]:
    """Read rows that are lists of labels."""
    members: list[int] = []
    labels: list[Any] = []
    for row, given in enumerate(rows):
        own = [None] if is_missing(given) else given
        if not isinstance(own, _SEVERAL):
            raise InputError(
                f"{owner}: groups must be a list of labels in every row or in none, but row {row} "
                f"is {given!r} ({type(given).__name__})."
            )
        members += [row] * len(own)
        labels.extend(own)
    if missing_group == "raise" and any(map(is_missing, labels)):
        row = next(row for row, label in zip(members, labels, strict=True) if is_missing(label))
        raise InputError(
            f"{owner}: groups has no label in row {row} ({rows[row]!r}). Drop that row first, give "
            "it an empty list if it belongs to no group, or pass missing_group='own'."
        )
    names, codes = group_labels(labels, owner=owner, missing_group=missing_group, rows=members)
    masks = {name: np.zeros(len(rows), np.bool_) for name in names}
    row_of = np.array(members, np.intp)
    for code, mask in enumerate(masks.values()):
        mask[row_of[codes == code]] = True
    return masks
