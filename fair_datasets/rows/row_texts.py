"""The texts of the rows of a batch, read from their fields, and the way back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fair_datasets.rows import columns
from fair_datasets.rows.text_fields import FieldValues, TextField, text_field
from fair_datasets.system.checks import InputError, listed

Row = tuple[str | None, ...]


@dataclass(frozen=True)
class RowTexts:
    """The texts of the rows of a batch, and the way back into its columns.

    Attributes:
        roles: Whose texts are read, where fields lead into the objects of a conversation; none for
            everybody's.

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
        """Read the fields of a batch."""
        existing = list(batch) if hasattr(batch, "items") else []
        fields = tuple(text_field(name, existing, owner=owner) for name in names)
        if roles and not any(field.steps for field in fields):
            raise InputError(
                f"{owner}: roles chooses whose texts of a conversation are read, but columns names "
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
        rows = [tuple(text for _, text in self._walked(k)) for k in range(len(found[0]))]
        if not all(map(len, rows)):
            self._refuse_misspelt()
        return rows

    def by_field(self) -> list[list[str | None]]:
        """Return for each field one text for each row; of several in one row each is a line."""
        return [
            RowTexts(self.batch, (field,), self.roles, self.owner).joined() for field in self.fields
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
        return [label for label, _ in self._walked(number)]

    def written(self, number: int, texts: Row) -> dict[str, Any]:
        """Put other texts in the place of a row's own.

        Args:
            texts: One for each of `rows[number]`.

        Returns:
            Each column that holds texts to the value of the row; the batch stays as it is.
        """
        if self.is_flat:
            return {field.column: text for field, text in zip(self.fields, texts, strict=True)}
        values = {name: found[number] for name, found in self.columns.items()}
        following = iter(texts)
        for field in self.fields:
            walk = self._values(field)
            values[field.column] = walk.replaced(values[field.column], following)
        return values

    def _walked(self, number: int) -> Iterator[tuple[str, str | None]]:
        """Yield where each text of a row is, and the text."""
        for field in self.fields:
            yield from self._values(field).texts(self.columns[field.column][number], number)

    def _values(self, field: TextField) -> FieldValues:
        """Return the way through the values of a field; roles are of conversations."""
        return FieldValues(field, self.roles if field.steps else (), self.owner)

    def _refuse_misspelt(self) -> None:
        """Raise for a key that no object of the batch has, where one is written alike."""
        for field in self.fields:
            walk, values = self._values(field), self.columns[field.column]
            if field.steps and not any(any(walk.texts(v, k)) for k, v in enumerate(values)):
                wrong = (walk.misspelt(value, number) for number, value in enumerate(values))
                error = next(filter(None, wrong), None)
                if error:
                    raise error
