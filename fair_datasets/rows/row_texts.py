"""The texts of rows: the walk to them through lists, objects and messages, and the way back.

Of a conversation everything is read that a model reads: beside the content of a message the
arguments of tool calls, what tools answer, and JSON in both.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from fair_datasets.rows import column_checks
from fair_datasets.rows.json_texts import JsonText, json_text
from fair_datasets.rows.text_fields import EACH, TextField, text_field
from fair_datasets.system.checks import InputError, format_choices, invalid, suggestion, typed

FieldPath = tuple[int | str, ...]
Steps = tuple[str, ...]

# The parts of a message that holds texts beside images: objects with a type, some with a text.
_PART, _PART_STEPS = "type", (EACH, "text")
# Inside the calls of tools, and where the arguments of one are, as an object or as JSON.
_CALLS, _JSON = ("{calls}",), ("{json}",)
# What a model reads beside the content of a message or of a part of one.
_BESIDE: Mapping[str, Steps] = {
    "tool_calls": _CALLS, "function_call": _CALLS, "input": _JSON, "arguments": _JSON,
    "parameters": _JSON, "output": _JSON, "reasoning_content": (), "reasoning": (), "thinking": (),
    "content": (), "name": (),
}  # fmt: skip
READ_BESIDE = frozenset(_BESIDE)
"""The keys of a message that are read with its text."""
_TOOLS = ("tool", "function", "ipython", "observation")


class Spot(NamedTuple):
    """Where a walk is.

    Attributes:
        has_role: Whether an object on the way says who speaks.
    """

    row: int
    place: FieldPath = ()
    has_role: bool = False

    def inside(self, step: int | str, value: Any) -> "Spot":
        """Return where one more step leads, out of a value."""
        return Spot(self.row, (*self.place, step), self.has_role or _role(value) is not None)


class FieldValues(NamedTuple):
    """The way to the texts in the values of a field."""

    field: TextField
    roles: tuple[str, ...]

    def texts(self, value: Any, row: int) -> Iterator[tuple[str, str | None]]:
        """Yield the texts in a value.

        Yields:
            Where the text is, such as `messages[0].content`, and the text.
        """
        for spot, text in self.walk(value, row):
            label = _label(self.field.column, spot.place)
            if isinstance(text, JsonText):
                text = text.text
            elif are_tokens(text):
                text = _SPACE.join(text)
            if text is not None and not isinstance(text, str):
                raise column_checks.no_text(text, self.field.name, row, place=label)
            if self.roles and not spot.has_role and text is not None:
                raise invalid(
                    "roles go by what 'role' or 'from' says, but neither says who speaks at "
                    f"{label!r} in row {row} of the batch (counted from 0); leave out "
                    f"{typed('roles')}."
                )
            yield label, text

    def walk(self, value: Any, row: int) -> Iterator[tuple["Spot", Any]]:
        """Yield the place of each text, and what stands there: JSON, tokens, or something else."""
        return self._walk(value, self.field.steps, Spot(row))

    def replaced(self, value: Any, texts: Iterator[Any]) -> Any:
        """Return a value with other texts, which are taken in the order in which they are read."""
        return self._replaced(value, self.field.steps, texts)

    def misspelt(self, value: Any, row: int) -> InputError | None:
        """Return the error for a key that is missing where there is one that is written alike."""
        return next(self._misspelt(value, self.field.steps, Spot(row)), None)

    def _walk(self, value: Any, steps: Steps, at: Spot) -> Iterator[tuple[Spot, Any]]:
        """Yield the place and the text of each text in a value."""
        if column_checks.is_null(value):
            if not steps:
                yield at, None
        elif not steps and _is_list(value) and not len(value):
            return
        elif not steps and self.field.steps and _is_parts(value):
            yield from self._walk(value, _PART_STEPS, at)
        elif not steps:
            yield at, self._json(value, steps, at.has_role) or value
        elif steps == _JSON:
            if parsed := self._json(value, steps, at.has_role):
                yield at, parsed
            elif isinstance(value, str):
                yield at, value
        else:
            is_fitting = _is_list(value) if steps[0] == EACH else isinstance(value, Mapping)
            if not is_fitting and steps != _CALLS:  # Objects of one list may have different keys.
                raise self._leads_nowhere(value, steps[0], at)
            if steps == (EACH,) and _is_tokenized(value):
                raise self._names_tokens(value, at)
            for step, inner, rest in self._inside(value, steps):
                yield from self._walk(inner, rest, at.inside(step, value))

    def _inside(self, value: Any, steps: Steps) -> Iterator[tuple[int | str, Any, Steps]]:
        """Take one step; an object of another role, or without the key, has nothing inside.

        Yields:
            The step, the value that it leads to, and the steps from there.
        """
        if steps == _CALLS:
            yield from _in_calls(value)
        elif steps[0] == EACH:
            yield from ((place, inner, steps[1:]) for place, inner in enumerate(value))
        elif self._is_chosen(value):
            if steps[0] in value:
                yield steps[0], value[steps[0]], steps[1:]
            if steps[0] in column_checks.TEXT_KEYS and not steps[1:]:
                yield from _message_fields(value, steps[0])

    def _json(self, value: Any, steps: Steps, has_role: bool) -> JsonText | None:
        """Return how JSON of a conversation is read; None for anything else."""
        if steps == _JSON or (has_role and isinstance(value, str)):
            return json_text(value)
        return None

    def _is_chosen(self, value: Mapping[str, Any]) -> bool:
        """Whether the texts of an object are read, going by who speaks."""
        role = _role(value)
        if not self.roles or role is None:
            return True
        if not isinstance(role, str):
            raise invalid(
                f"roles go by what 'role' or 'from' says, but in {self.field.column!r} one of them "
                f"is {column_checks.shortened(role)} ({type(role).__name__}), not a text; write "
                "the roles as texts, one in each object."
            )
        return role in self.roles

    def _replaced(
        self, value: Any, steps: Steps, texts: Iterator[Any], has_role: bool = False
    ) -> Any:
        if column_checks.is_null(value):
            return value if steps else next(texts)
        if not steps and self.field.steps and _is_parts(value):
            return self._replaced(value, _PART_STEPS, texts, has_role)
        if not steps or steps == _JSON:
            return self._written(value, steps, texts, has_role)
        has_role = has_role or _role(value) is not None
        inside = {
            step: self._replaced(inner, rest, texts, has_role)
            for step, inner, rest in self._inside(value, steps)
        }
        if _is_list(value):
            return [inside.get(place, inner) for place, inner in enumerate(value)]
        return {**value, **inside}

    def _written(self, value: Any, steps: Steps, texts: Iterator[Any], has_role: bool) -> Any:
        """Return what stands for a value, with the next text."""
        if parsed := self._json(value, steps, has_role):
            return parsed.replaced(next(texts))
        if steps == _JSON and not isinstance(value, str):
            return value
        if _is_list(value):
            return self._split(next(texts), value) if len(value) else value
        return next(texts)

    def _split(self, text: Any, before: Sequence[Any]) -> Any:
        """Return a text as the tokens that it is written with, as many as there were."""
        if not isinstance(text, str):
            return text
        tokens = text.split(_SPACE)
        if len(tokens) != len(before):
            raise invalid(
                f"the {len(before)} tokens {column_checks.shortened(before)} of "
                f"column {self.field.name!r} would become {len(tokens)}, so that tags would be "
                "those of others; join the tokens to a text before, or leave out the row."
            )
        return tokens

    def _names_tokens(self, value: Any, at: Spot) -> InputError:
        """Return the error for a path to each token of a text."""
        name = self.field.name.removesuffix(EACH)
        return invalid(
            f"{self.field.name!r} reads each word by itself, but in row {at.row} of "
            f"the batch (counted from 0) {column_checks.shortened(value)} are the tokens of one "
            f"text; write {name!r}, and they are read together."
        )

    def _misspelt(self, value: Any, steps: Steps, at: Spot) -> Iterator[InputError]:
        """Yield the error for each object without the key that comes next."""
        if not steps or column_checks.is_null(value):
            return
        if steps[0] != EACH and steps[0] not in value and suggestion(steps[0], map(str, value)):
            yield self._leads_nowhere(value, steps[0], at)
        for step, inner, rest in self._inside(value, steps):
            if rest not in (_CALLS, _JSON):
                yield from self._misspelt(inner, rest, at.inside(step, value))

    def _leads_nowhere(self, value: Any, step: str, at: Spot) -> InputError:
        """Return the error for a path that does not fit the data."""
        place = _label(self.field.column, at.place)
        problem = f"{place} is {column_checks.shortened(value)} and no list"
        advice = " Leave out '[]'."
        if step != EACH:
            problem = f"{place} is {column_checks.shortened(value)} and no object"
            advice = " Write '[]' for the elements of a list." if _is_list(value) else ""
            if isinstance(value, Mapping):
                problem = f"{place} has the keys {format_choices(map(str, value))}"
                advice = suggestion(step, map(str, value))
        return invalid(
            f"{self.field.name!r} leads nowhere in row {at.row} of the batch "
            f"(counted from 0): {problem}.{advice}"
        )


def roles_in(value: Any) -> Iterator[str]:
    """Yield who speaks in a value.

    Example:
        >>> list(roles_in([{"role": "user", "content": "Hi"}, {"from": "gpt", "value": "Hello"}]))
        ['user', 'gpt']
    """
    if _is_list(value):
        for inner in value:
            yield from roles_in(inner)
    elif isinstance(value, Mapping):
        role = _role(value)
        if isinstance(role, str):
            yield role
        for inner in value.values():
            yield from roles_in(inner)


def _role(value: Any) -> Any:
    """Return what an object says of who speaks; None if it says nothing."""
    if not isinstance(value, Mapping):
        return None
    return next((value[key] for key in column_checks.ROLE_KEYS if value.get(key) is not None), None)


def _message_fields(value: Mapping[str, Any], key: str) -> Iterator[tuple[str, Any, Steps]]:
    """Give what a model reads of a message, or of a part of one, beside its text."""
    role = _role(value)
    if role is None and _PART not in value:
        return
    for name, steps in _BESIDE.items():
        # The name of a tool is no name of a person.
        is_tool = name == "name" and (role is None or role in _TOOLS)
        if name != key and value.get(name) is not None and not is_tool:
            yield name, value[name], steps


def _in_calls(value: Any) -> Iterator[tuple[int | str, Any, Steps]]:
    """Give what may hold arguments inside the calls of tools."""
    if _is_list(value):
        yield from ((place, inner, _CALLS) for place, inner in enumerate(value))
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if _BESIDE.get(key) == _JSON:
                yield key, inner, _JSON
            elif isinstance(inner, Mapping) or _is_list(inner):
                yield key, inner, _CALLS


def _is_parts(value: Any) -> bool:
    """Whether a value is a list of the parts of one message."""
    return _is_list(value) and all(isinstance(part, Mapping) and _PART in part for part in value)


def _is_list(value: Any) -> bool:
    """Whether a value is a list, in whichever way an engine gives it."""
    return isinstance(value, list | tuple | np.ndarray)


_SPACE = " "
# Words that are no name, no label and no answer by themselves.
_OF_TEXTS = re.compile(r"an?|and|are|at|for|from|in|is|of|on|or|that|the|to|was|were|with")


def are_tokens(value: Any) -> bool:
    """Whether a value is a list of words without a space, which makes a text."""
    return (
        _is_list(value)
        and len(value) > 0
        and all(isinstance(each, str) and _SPACE not in each for each in value)
    )


def _is_tokenized(value: Any) -> bool:
    """Whether a list of words is a text, and not several names or answers."""
    if not are_tokens(value) or len(value) < 3:
        return False
    return any(_OF_TEXTS.fullmatch(word) or not any(map(str.isalnum, word)) for word in value)


def _label(column: str, place: FieldPath) -> str:
    """Write where a text is, such as `messages[0].content`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return column + "".join(steps)


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
        >>> texts = RowTexts.read(batch, ["messages[].content"])
        >>> texts.rows, texts.labels(0)
        ([('Is she in?', 'Yes.')], ['messages[0].content', 'messages[1].content'])
        >>> texts.written(0, ("Is he in?", "Yes."))["messages"][0]
        {'role': 'user', 'content': 'Is he in?'}
    """

    batch: Mapping[str, Sequence[Any]]
    fields: tuple[TextField, ...]
    roles: tuple[str, ...]

    @classmethod
    def read(
        cls, batch: Mapping[str, Sequence[Any]], names: Sequence[str], *, roles: Sequence[str] = ()
    ) -> "RowTexts":
        """Read the fields of a batch."""
        existing = list(batch) if hasattr(batch, "items") else []
        fields = tuple(text_field(name, existing) for name in names)
        if roles and not any(field.steps for field in fields):
            raise invalid(
                f"{typed('roles')} chooses whose texts of a conversation are read, but "
                f"{typed('columns')} names {format_choices(names)}; name a path such as "
                f"'messages[].content', or leave out {typed('roles')}."
            )
        column_checks.refuse_ragged(batch)
        return cls(batch, fields, tuple(roles))

    @cached_property
    def is_flat(self) -> bool:
        """Whether every field is a column of texts, so that each row has as many as fields."""
        return not any(field.steps or self._holds_lists(field.column) for field in self.fields)

    def _holds_lists(self, column: str) -> bool:
        """Whether a column holds lists, which may be tokens, and no texts beside them."""
        kinds = set(map(type, column_checks.values(self.batch, column)))
        return str not in kinds and not kinds.isdisjoint({list, tuple, np.ndarray})

    @cached_property
    def columns(self) -> dict[str, Sequence[Any]]:
        """Each column that holds texts to its values, with None for nulls among the texts."""
        return {
            field.column: column_checks.values(self.batch, field.column)
            if field.steps or self._holds_lists(field.column)
            else column_checks.texts(self.batch, field.column)
            for field in self.fields
        }

    @cached_property
    def rows(self) -> list[Row]:
        """The texts of each row: those of one field behind those of the last."""
        columns = [self.columns[field.column] for field in self.fields]
        if self.is_flat:
            return list(zip(*columns, strict=True))
        rows = [tuple(text for _, text in self._walked(k)) for k in range(len(columns[0]))]
        if not all(map(len, rows)):
            self._refuse_misspelt()
        return rows

    def by_field(self) -> list[list[str | None]]:
        """Return for each field one text for each row; of several in one row each is a line."""
        return [RowTexts(self.batch, (field,), self.roles).joined() for field in self.fields]

    def joined(self) -> list[str | None]:
        """Return one text for each row; of several in one row each is a line."""
        if self.is_flat and len(self.fields) == 1:
            return [row[0] for row in self.rows]
        rows = ([text for text in row if text is not None] for row in self.rows)
        return ["\n".join(row) if row else None for row in rows]

    def labels(self, number: int) -> list[str]:
        """Return where each text of a row is, such as `messages[0].content`."""
        if self.is_flat:
            return [field.column for field in self.fields]
        return [label for label, _ in self._walked(number)]

    def places(self, number: int) -> list[tuple[int, tuple[int, ...]]]:
        """Return where each text of a row is: its field, and the numbers of elements of lists."""
        if self.is_flat:
            return [(place, ()) for place in range(len(self.fields))]
        return [
            (place, tuple(step for step in spot.place if isinstance(step, int)))
            for place, field in enumerate(self.fields)
            for spot, _ in self._values(field).walk(self.columns[field.column][number], number)
        ]

    def origins(self, number: int) -> list[Any]:
        """Return what each text of a row is read from: JSON, a list of tokens, or itself."""
        if self.is_flat:
            return [self.columns[field.column][number] for field in self.fields]
        walks = (
            self._values(field).walk(self.columns[field.column][number], number)
            for field in self.fields
        )
        return [value for walk in walks for _, value in walk]

    def written(self, number: int, texts: Row) -> dict[str, Any]:
        """Put other texts in the place of a row's own.

        Returns:
            Each column that holds texts to the value of the row; the batch stays as it is.
        """
        if self.is_flat:
            return {field.column: text for field, text in zip(self.fields, texts, strict=True)}
        values = {name: column[number] for name, column in self.columns.items()}
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
        return FieldValues(field, self.roles if field.steps else ())

    def _refuse_misspelt(self) -> None:
        """Raise for a key that no object of the batch has, where one is written alike."""
        for field in self.fields:
            walk, values = self._values(field), self.columns[field.column]
            if field.steps and not any(any(walk.texts(v, k)) for k, v in enumerate(values)):
                wrong = (walk.misspelt(value, number) for number, value in enumerate(values))
                if error := next(filter(None, wrong), None):
                    raise error
