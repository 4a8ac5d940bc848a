"""Tasks that sentence vectors are judged by: labelled texts or pairs with fixed splits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fair_datasets.measures import inputs
from fair_datasets.rows import column_checks
from fair_datasets.rows.columns import refuse_nulls
from fair_datasets.rows.given import one_dataset, texts_of
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

KINDS = {"text": 1, "pair": 2, "similarity": 2}
"""Each kind of task with the number of its text columns."""

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, kw_only=True)
class EncoderTask:
    """A task that a linear probe learns on the vectors of an encoder.

    Attributes:
        name: What it is called in tables.
        kind: `text` to tell the class of a text, `pair` that of a pair of texts, or `similarity`
            to tell how similar the texts of a pair are.
        columns: The text column, or the two of a pair.
        label: The column of the class, or of the score.
        splits: `train`, `validation` and `test`, such as a `DatasetDict`. Regularisation is chosen
            on the validation rows; the figures are of the test rows.

    Raises:
        InputError: A split, a column, a text or a label is missing; there is one class or score
            only to learn from; the test scores are all alike; or a class occurs that the training
            rows do not have.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["Good.", "Bad."], "label": [1, 0]})
        >>> splits = dict.fromkeys(["train", "validation", "test"], rows)
        >>> EncoderTask(name="mood", kind="text", columns="text", label="label", splits=splits).kind
        'text'
    """

    name: str
    kind: str
    columns: tuple[str, ...] | str
    label: str
    splits: "Mapping[str, Dataset]"

    def __post_init__(self) -> None:
        """Check the columns and labels of all splits."""
        owner = "EncoderTask"
        if not isinstance(self.name, str) or not self.name.strip():
            raise InputError(f"{owner}: name must be a text that is not empty, not {self.name!r}.")
        checks.one_of(self.kind, KINDS, owner=self.owner, parameter="kind")
        columns = column_checks.column_names(self.columns, owner=self.owner)
        object.__setattr__(self, "columns", columns)
        if len(columns) != KINDS[self.kind]:
            raise InputError(
                f"{self.owner}: a task of kind {self.kind!r} has {KINDS[self.kind]} text "
                f"column{'s' * (KINDS[self.kind] > 1)}, but columns names {len(columns)}."
            )
        column_checks.column_name(self.label, owner=self.owner, parameter="label")
        self._check_splits()
        for split in SPLITS:
            self._check_rows(split)
        self._check_labels()

    @property
    def owner(self) -> str:
        """What the task is called in errors."""
        return f"task {self.name!r}"

    def texts(self, split: str) -> list[list[str]]:
        """Return the texts of each text column.

        Returns:
            The texts of the columns, in their order.
        """
        rows = self.splits[split]
        return [
            inputs.texts(texts_of(rows, name), f"column {name!r}", owner=f"{self.owner}, {split}")
            for name in self.columns
        ]

    def labels(self, split: str) -> list[Any]:
        """Return the classes, or the scores as numbers.

        Returns:
            One for each row.
        """
        values = self.splits[split].with_format(None)[self.label][:]
        if self.kind != "similarity":
            return list(values)
        owner = f"{self.owner}, {split}"
        return list(inputs.scores(values, f"column {self.label!r}", owner=owner).tolist())

    def _check_splits(self) -> None:
        """Raise unless there are the three splits."""
        if not isinstance(self.splits, Mapping):
            raise InputError(
                f"{self.owner}: splits must be a DatasetDict or another mapping with "
                f"{checks.listed(SPLITS)}, but it is a {type(self.splits).__name__}."
            )
        for split in SPLITS:
            if split not in self.splits:
                raise InputError(
                    f"{self.owner}: there is no split {split!r} among "
                    f"{checks.listed(map(str, self.splits))}; name the splits "
                    f"{checks.listed(SPLITS)}, and divide one by train_test_split where one is "
                    "missing."
                )

    def _check_rows(self, split: str) -> None:
        """Raise unless a split has rows, and each its texts and its label."""
        owner = f"{self.owner}, {split}"
        rows = one_dataset(self.splits[split], owner=owner, rows=True)
        column_checks.present([*self.columns, self.label], rows.column_names, owner=owner)
        self.texts(split)
        values = rows.with_format(None)[self.label][:]
        refuse_nulls(values, f"column {self.label!r}", owner=owner)
        for row, value in enumerate(values):
            if isinstance(value, list | dict):
                raise InputError(
                    f"{owner}: column {self.label!r} must hold one label for each row, but row "
                    f"{row} holds a {type(value).__name__}; choose one."
                )

    def _check_labels(self) -> None:
        """Raise unless there is something to learn, and it can be judged."""
        train, test = set(self.labels("train")), set(self.labels("test"))
        if len(train) < 2:
            raise InputError(
                f"{self.owner}: all training rows have the label {next(iter(train))!r} in column "
                f"{self.label!r}; give rows of at least two labels."
            )
        if self.kind == "similarity":
            if len(test) < 2:
                raise InputError(
                    f"{self.owner}: all test rows have the score {next(iter(test))!r}, so nothing "
                    "can correlate with it; give rows of several scores."
                )
            return
        for split in SPLITS[1:]:
            _refuse_new(self.labels(split), train, f"{self.owner}, {split}")


def _refuse_new(labels: Sequence[Any], known: set[Any], owner: str) -> None:
    """Raise if there is a class that the training rows do not have."""
    for row, label in enumerate(labels):
        if label not in known:
            raise InputError(
                f"{owner}: row {row} has the class {label!r}, which no training row has; drop such "
                "rows, or divide the splits again."
            )


def pair_features(first: Any, second: Any, *, kind: str) -> Any:
    """Return what a probe reads of the vectors of pairs.

    Args:
        first: The vectors u of the first texts. Shape (N, d).
        second: The vectors v of the second texts. Shape (N, d).
        kind: `similarity`, for which the order of the texts says nothing, or `pair`.

    Returns:
        |u - v| and u * v, shape (N, 2d); for `pair` behind u and v, shape (N, 4d).

    Source:
        Conneau and Kiela (2018), SentEval: |u - v| and u * v for similarity, u and v as well for
        inference.
    """
    between = [np.abs(first - second), first * second]
    return np.concatenate(between if kind == "similarity" else [first, second, *between], axis=1)
