"""The texts of the rows of a batch, read from their fields, and the way back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fair_datasets import columns
from fair_datasets.checks import InputError, listed, suggestion
from fair_datasets.text_fields import EACH, TextField, text_field

Row = tuple[str | None, ...]
Place = tuple[int | str, ...]


def field_texts(
    batch: Mapping[str, Sequence[Any]], name: str, *, roles: Sequence[str] = (), owner: str
) -> list[str | None]:
    r"""Return one text for each row of a batch: that of a column, or those inside it on lines.

    Args:
        batch: Column name to values.
        name: The field.
        roles: Whose texts of a conversation are read; none for everybody's.
        owner: The class or function that reads them.

    Returns:
        The text of each row; None where there is none.

    Raises:
        InputError: The field leads nowhere, or to something else than text.

    Example:
        >>> field_texts({"turns": [["Hi.", "Yes?"], []]}, "turns[]", owner="EL2N")
        ['Hi.\nYes?', None]
    """
    return RowTexts.read(batch, [name], roles=roles, owner=owner).joined()


@dataclass(frozen=True)
class RowTexts:
    """The texts of the rows of a batch, and the way back into its columns.

    Attributes:
        batch: Column name to values.
        fields: Where the texts are.
        roles: Whose texts are read, where fields lead into the objects of a conversation; none for
            everybody's.
        owner: The class or function that reads them.

    Raises:
        InputError: A field leads nowhere, or to something else than text.

    Example:
        >>> batch = {"messages": [[{"role": "user", "content": "Is she in?"},
        ...                        {"role": "assistant", "content": "Yes."}]]}
        >>> texts = RowTexts.read(batch, ["messages[].content"], owner="CounterfactualSwap")
        >>> texts.rows, texts.labels(0)
        ([('Is she in?', 'Yes.')], ['messages[0].content', 'messages[1].content'])
        >>> texts.written(0, ("Is he in?", "Yes."))["messages"][0]
        {'role': 'user', 'content': 'Is he in?'}
    """

    batch: Mapping[str, Sequence[Any]]
    fields: tuple[TextField, ...]
    roles: tuple[str, ...]
    owner: str

    @classmethod
    def read(
        cls,
        batch: Mapping[str, Sequence[Any]],
        names: Sequence[str],
        *,
        roles: Sequence[str] = (),
        owner: str,
    ) -> "RowTexts":
        """Read the fields of a batch.

        Args:
            batch: Column name to values.
            names: The fields, as they are written.
            roles: As for the class.
            owner: The class or function that reads them.

        Returns:
            The texts.

        Raises:
            InputError: As for the class; or the columns differ in length.
        """
        existing = list(batch) if hasattr(batch, "items") else []
        fields = tuple(text_field(name, existing, owner=owner) for name in names)
        if roles and not any(field.steps for field in fields):
            raise InputError(
                f"{owner}: roles choose whose texts of a conversation are read, but columns names "
                f"{listed(names)}; name a path such as 'messages[].content', or leave out roles."
            )
        columns.refuse_ragged(batch, owner=owner)
        return cls(batch, fields, tuple(roles), owner)

    @cached_property
    def is_flat(self) -> bool:
        """Whether every field is a column of texts, so that each row has as many as fields."""
        return not any(field.steps for field in self.fields)

    @cached_property
    def columns(self) -> dict[str, Sequence[Any]]:
        """Each column that holds texts to its values, with None for nulls among the texts."""
        return {
            field.column: columns.values(self.batch, field.column, owner=self.owner)
            if field.steps
            else columns.texts(self.batch, field.column, owner=self.owner)
            for field in self.fields
        }

    @cached_property
    def rows(self) -> list[Row]:
        """The texts of each row: those of one field behind those of the last."""
        found = [self.columns[field.column] for field in self.fields]
        if self.is_flat:
            return list(zip(*found, strict=True))
        return [
            tuple(text for _, text in self._walked(number, values))
            for number, values in enumerate(zip(*found, strict=True))
        ]

    def joined(self) -> list[str | None]:
        """Return one text for each row; of several in one row each is a line."""
        if self.is_flat and len(self.fields) == 1:
            return [row[0] for row in self.rows]
        found = ([text for text in row if text is not None] for row in self.rows)
        return ["\n".join(row) if row else None for row in found]

    def labels(self, number: int) -> list[str]:
        """Say where each text of a row is, such as `messages[0].content`."""
        if self.is_flat:
            return [field.column for field in self.fields]
        values = [self.columns[field.column][number] for field in self.fields]
        return [label for label, _ in self._walked(number, values)]

    def written(self, number: int, texts: Row) -> dict[str, Any]:
        """Put other texts in the place of a row's own.

        Args:
            number: The number of the row.
            texts: One for each of `rows[number]`.

        Returns:
            Each column that holds texts to the value of the row; the batch stays as it is.
        """
        if self.is_flat:
            return {field.column: text for field, text in zip(self.fields, texts, strict=True)}
        values = {name: found[number] for name, found in self.columns.items()}
        following = iter(texts)
        for field in self.fields:
            values[field.column] = self._replaced(values[field.column], field.steps, following)
        return values

    def _walked(self, number: int, values: Sequence[Any]) -> Iterator[tuple[str, str | None]]:
        """Yield where each text of a row is, and the text."""
        for field, value in zip(self.fields, values, strict=True):
            for place, text in self._texts(value, field, field.steps, (number, ())):
                label = _label(field.column, place)
                if text is not None and not isinstance(text, str):
                    raise columns.no_text(text, field.name, number, owner=self.owner, place=label)
                yield label, text

    def _texts(
        self, value: Any, field: TextField, steps: tuple[str, ...], at: tuple[int, Place]
    ) -> Iterator[tuple[Place, Any]]:
        """Yield the place and the text of each text in a value."""
        number, place = at
        if not steps:
            yield place, None if columns.is_null(value) else value
        elif not columns.is_null(value):
            if not _leads_on(value, steps[0]):
                raise self._leads_nowhere(value, field, steps[0], at)
            for step, inner in self._inside(value, steps[0]):
                yield from self._texts(inner, field, steps[1:], (number, (*place, step)))

    def _inside(self, value: Any, step: str) -> Iterable[tuple[int | str, Any]]:
        """Take one step; an object of another role, or without the key, has nothing inside."""
        if step == EACH:
            return enumerate(value)
        return [(step, value[step])] if self._is_chosen(value) and step in value else []

    def _is_chosen(self, value: Mapping[str, Any]) -> bool:
        """Tell whether the texts of an object are read, going by who speaks."""
        key = next((key for key in columns.ROLE_KEYS if key in value), None)
        return not self.roles or key is None or value[key] in self.roles

    def _replaced(self, value: Any, steps: tuple[str, ...], texts: Iterator[str | None]) -> Any:
        """Return a value with other texts, which are taken in the order in which they are read."""
        if not steps:
            return next(texts)
        if columns.is_null(value):
            return value
        inside = {
            step: self._replaced(inner, steps[1:], texts)
            for step, inner in self._inside(value, steps[0])
        }
        return list(inside.values()) if steps[0] == EACH else {**value, **inside}

    def _leads_nowhere(
        self, value: Any, field: TextField, step: str, at: tuple[int, Place]
    ) -> InputError:
        """Return the error for a path that does not fit the data."""
        number, place = at
        found = f"{_label(field.column, place)} is {columns.shortened(value)} and no list"
        advice = " Leave out '[]'."
        if step != EACH:
            found = f"{_label(field.column, place)} is {columns.shortened(value)} and no object"
            advice = " Write '[]' for the elements of a list." if _is_list(value) else ""
            if isinstance(value, Mapping):
                found = f"{_label(field.column, place)} has the keys {listed(map(str, value))}"
                advice = suggestion(step, map(str, value))
        return InputError(
            f"{self.owner}: {field.name!r} leads nowhere in row {number} of the batch (counted "
            f"from 0): {found}.{advice}"
        )


def _leads_on(value: Any, step: str) -> bool:
    """Tell whether a step fits a value: whether a key is there, or may well be left out.

    Objects of one list may have different keys; but where a key is missing and there is a text
    under another, or a key that is written alike, it is taken for a mistake.
    """
    if step == EACH:
        return _is_list(value)
    if not isinstance(value, Mapping):
        return False
    has_text = any(isinstance(value.get(key), str) for key in columns.TEXT_KEYS)
    return step in value or not (has_text or suggestion(step, map(str, value)))


def _is_list(value: Any) -> bool:
    """Tell whether a value is a list, in whichever way an engine gives it."""
    return isinstance(value, list | tuple | np.ndarray)


def _label(column: str, place: Place) -> str:
    """Write where a text is, such as `messages[0].content`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return column + "".join(steps)
