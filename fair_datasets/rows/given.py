"""What users give as rows: one dataset, or a sentence that says how to make one of it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fair_datasets.rows import column_checks
from fair_datasets.rows.row_texts import RowTexts, roles_in
from fair_datasets.rows.text_fields import check_path, field_columns
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, format_choices, invalid, with_article

if TYPE_CHECKING:
    from datasets import Dataset, IterableDataset

ROWS_AT_ONCE = 1000
"""How many rows are read at once where nothing else is said."""
SPLIT_NAME = re.compile(r"\w+(\.\w+)*")
"""The names of splits that datasets allows."""


def one_dataset(given: Any, *, rows: bool = False) -> "Dataset":
    """Return a dataset, or raise if it is a stream, several, or something else."""
    from datasets import Dataset

    if not isinstance(given, Dataset):
        raise _other(given, "one datasets.Dataset")
    _refuse_named_twice(given)
    if rows and not len(given):
        raise invalid("the dataset has no rows; give one that has some.")
    return given


def splits_of(given: Any) -> "list[Dataset | IterableDataset]":
    """Return the splits of a DatasetDict or of a stream of several; of one dataset, itself."""
    from datasets import Dataset, IterableDataset

    splits = list(given.values()) if _is_several(given) else [given]
    for split in splits:
        if not isinstance(split, Dataset | IterableDataset):
            raise _other(split, "a dataset of Hugging Face Datasets")
        _refuse_named_twice(split)
    return splits


def _refuse_named_twice(rows: "Dataset | IterableDataset") -> None:
    """Raise if two columns have one name, as `flatten` may leave them."""
    counts = Counter(rows.column_names or ())
    if twice := [name for name, count in counts.items() if count > 1]:
        raise invalid(
            f"two columns are named {twice[0]!r}, and one of them would be lost; rename one before."
        )


def batches(
    given: Any, names: Sequence[str], *, size: int = ROWS_AT_ONCE
) -> Iterator[Mapping[str, Sequence[Any]]]:
    """Read some columns of a dataset, batch by batch."""
    for split in splits_of(given):
        known = split.column_names
        if known is not None:  # A stream may not know its columns.
            split = split.select_columns(field_columns(names, known))
        if split.features is not None:
            for name in names:
                check_path(name, split.features)
        yield from split.with_format(None).iter(batch_size=size)


def refuse_absent_roles(given: Any, names: Sequence[str], roles: Sequence[str]) -> None:
    """Raise if nobody speaks in a dataset whose texts are asked for.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"m": [[{"role": "user", "content": "Is he in?"}]]})
        >>> refuse_absent_roles(rows, ["m[].content"], ["users"])
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: refuse_absent_roles: there is no text of the roles 'users' at
        'm[].content'; the roles are 'user'.
    """
    splits = splits_of(given)
    if not roles or not any(getattr(split, "num_rows", 0) for split in splits):
        return
    met: dict[str, None] = {}
    inside = []
    for batch in batches(given, names):
        texts = RowTexts.read(batch, names, roles=roles)
        inside = [field for field in texts.fields if field.steps]
        if any(any(row) for row in replace(texts, fields=tuple(inside)).rows):
            return
        for field in inside:
            for value in texts.columns[field.column]:
                met.update(dict.fromkeys(roles_in(value)))
    there = f"the roles are {format_choices(met)}" if met else "nobody speaks there"
    raise invalid(
        f"there is no text of the roles {format_choices(roles)} at "
        f"{format_choices(field.name for field in inside)}; {there}."
    )


def texts_of(
    dataset: Any, columns: Sequence[str] | str, *, roles: Sequence[str] | str = ()
) -> list[str | None]:
    r"""Read one text for each row, as the measures of texts take them.

    Args:
        dataset: A Dataset, a DatasetDict, or a stream of either kind; all splits are read.
        columns: The text column or columns, or paths to texts inside lists and objects, such as
            `messages[].content`.
        roles: Whose texts of a conversation are read, by what `role` (or `from`) says; none for
            everybody's.

    Returns:
        The text of each row; of several in one row each is a line. None where a row has none.

    Raises:
        InputError: It is no dataset, a column is missing, or there is something else than text.

    Example:
        >>> from datasets import Dataset
        >>> talks = [[{"role": "user", "content": "Is he in?"}, {"role": "bot", "content": "Yes."}]]
        >>> rows = Dataset.from_dict({"messages": talks})
        >>> texts_of(rows, "messages[].content")
        ['Is he in?\nYes.']
        >>> texts_of(rows, "messages[].content", roles="user")
        ['Is he in?']
    """
    names = column_checks.column_names(columns)
    whose = checks.strings(roles, parameter="roles")
    refuse_absent_roles(dataset, names, whose)
    texts: list[str | None] = []
    for batch in batches(dataset, names):
        texts += RowTexts.read(batch, names, roles=whose).joined()
    return texts


def _is_several(given: Any) -> bool:
    """Whether several splits were given, or a mapping that looks like them."""
    return isinstance(given, Mapping) and all(hasattr(rows, "features") for rows in given.values())


def _other(given: Any, needed: str) -> InputError:
    """Return the error for what was given, with how to make a dataset of it."""
    from datasets import IterableDataset

    what = "nothing (None)" if given is None else with_article(type(given).__name__)
    advice = "make one by Dataset.from_list, Dataset.from_dict or load_dataset"
    if _is_several(given):
        advice = f"take one of its splits: {', '.join(map(repr, given))}"
    elif isinstance(given, IterableDataset):
        advice = "load it without streaming, as all rows are needed at once"
    elif hasattr(given, "columns") and hasattr(given, "iloc"):
        advice = "make one by Dataset.from_pandas(frame, preserve_index=False)"
    return invalid(f"it needs {needed}, but it was given {what}; {advice}.")
