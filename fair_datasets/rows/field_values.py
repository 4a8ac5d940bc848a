"""Walking through one value of a column to the texts inside it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from fair_datasets.rows import columns
from fair_datasets.rows.text_fields import EACH, TextField
from fair_datasets.system.checks import InputError, listed, suggestion

Place = tuple[int | str, ...]
Steps = tuple[str, ...]

# The parts of a message that holds texts beside images: objects with a type, some with a text.
_PART, _PART_STEPS = "type", (EACH, "text")


class Spot(NamedTuple):
    """Where a walk is.

    Attributes:
        row: The number of the row in the batch.
        place: The steps taken so far.
        has_role: Whether an object on the way says who speaks.
    """

    row: int
    place: Place = ()
    has_role: bool = False

    def inside(self, step: int | str, value: Any) -> "Spot":
        """Return where one more step leads, out of a value."""
        return Spot(self.row, (*self.place, step), self.has_role or _role(value) is not None)


class FieldValues(NamedTuple):
    """The way to the texts in the values of a field.

    Attributes:
        field: The field.
        roles: Whose texts are read; none for everybody's.
        owner: The class or function that reads them, for errors.
    """

    field: TextField
    roles: tuple[str, ...]
    owner: str

    def texts(self, value: Any, row: int) -> Iterator[tuple[str, str | None]]:
        """Yield the texts in a value.

        Yields:
            Where the text is, such as `messages[0].content`, and the text.

        Raises:
            InputError: The way leads nowhere, or to something else than text, or nobody is said to
                speak where roles are asked for.
        """
        for spot, text in self._walk(value, self.field.steps, Spot(row)):
            label = _label(self.field.column, spot.place)
            if text is not None and not isinstance(text, str):
                name, owner = self.field.name, self.owner
                raise columns.no_text(text, name, row, owner=owner, place=label)
            if self.roles and not spot.has_role and text is not None:
                raise InputError(
                    f"{self.owner}: roles choose by what 'role' or 'from' says, and nothing says "
                    f"who speaks at {label!r} in row {row} of the batch (counted from 0); leave "
                    "out roles."
                )
            yield label, text

    def replaced(self, value: Any, texts: Iterator[str | None]) -> Any:
        """Return a value with other texts, which are taken in the order in which they are read."""
        return self._replaced(value, self.field.steps, texts)

    def misspelt(self, value: Any, row: int) -> InputError | None:
        """Return the error for a key that is missing where there is one that is written alike."""
        return next(self._misspelt(value, self.field.steps, Spot(row)), None)

    def _walk(self, value: Any, steps: Steps, at: Spot) -> Iterator[tuple[Spot, Any]]:
        """Yield the place and the text of each text in a value."""
        if columns.is_null(value):
            if not steps:
                yield at, None
        elif not steps and self.field.steps and _is_parts(value):
            yield from self._walk(value, _PART_STEPS, at)
        elif not steps:
            yield at, value
        else:
            if not _fits(value, steps[0]):
                raise self._leads_nowhere(value, steps[0], at)
            for step, inner in self._inside(value, steps[0]):
                yield from self._walk(inner, steps[1:], at.inside(step, value))

    def _inside(self, value: Any, step: str) -> Iterable[tuple[int | str, Any]]:
        """Take one step; an object of another role, or without the key, has nothing inside."""
        if step == EACH:
            return enumerate(value)
        return [(step, value[step])] if step in value and self._is_chosen(value) else []

    def _is_chosen(self, value: Mapping[str, Any]) -> bool:
        """Tell whether the texts of an object are read, going by who speaks."""
        role = _role(value)
        if not self.roles or role is None:
            return True
        if not isinstance(role, str):
            raise InputError(
                f"{self.owner}: roles choose by what 'role' or 'from' says, but in "
                f"{self.field.column!r} that is {columns.shortened(role)} ({type(role).__name__}) "
                "and no text; write the roles as texts, one in each object."
            )
        return role in self.roles

    def _replaced(self, value: Any, steps: Steps, texts: Iterator[str | None]) -> Any:
        """Put texts behind some steps."""
        if columns.is_null(value):
            return value if steps else next(texts)
        if not steps and self.field.steps and _is_parts(value):
            return self._replaced(value, _PART_STEPS, texts)
        if not steps:
            return next(texts)
        inside = {
            step: self._replaced(inner, steps[1:], texts)
            for step, inner in self._inside(value, steps[0])
        }
        return list(inside.values()) if steps[0] == EACH else {**value, **inside}

    def _misspelt(self, value: Any, steps: Steps, at: Spot) -> Iterator[InputError]:
        """Yield the error for each object without the key that comes next."""
        if not steps or columns.is_null(value):
            return
        if steps[0] != EACH and steps[0] not in value and suggestion(steps[0], map(str, value)):
            yield self._leads_nowhere(value, steps[0], at)
        for step, inner in self._inside(value, steps[0]):
            yield from self._misspelt(inner, steps[1:], at.inside(step, value))

    def _leads_nowhere(self, value: Any, step: str, at: Spot) -> InputError:
        """Return the error for a path that does not fit the data."""
        place = _label(self.field.column, at.place)
        found = f"{place} is {columns.shortened(value)} and no list"
        advice = " Leave out '[]'."
        if step != EACH:
            found = f"{place} is {columns.shortened(value)} and no object"
            advice = " Write '[]' for the elements of a list." if _is_list(value) else ""
            if isinstance(value, Mapping):
                found = f"{place} has the keys {listed(map(str, value))}"
                advice = suggestion(step, map(str, value))
        return InputError(
            f"{self.owner}: {self.field.name!r} leads nowhere in row {at.row} of the batch "
            f"(counted from 0): {found}.{advice}"
        )


def roles_in(value: Any) -> Iterator[str]:
    """Yield who speaks in a value.

    Yields:
        Each role, as often as it occurs.

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
    return next((value[key] for key in columns.ROLE_KEYS if value.get(key) is not None), None)


def _fits(value: Any, step: str) -> bool:
    """Tell whether a step may be taken; objects of one list may have different keys."""
    return _is_list(value) if step == EACH else isinstance(value, Mapping)


def _is_parts(value: Any) -> bool:
    """Tell whether a value is a list of the parts of one message."""
    return _is_list(value) and all(isinstance(part, Mapping) and _PART in part for part in value)


def _is_list(value: Any) -> bool:
    """Tell whether a value is a list, in whichever way an engine gives it."""
    return isinstance(value, list | tuple | np.ndarray)


def _label(column: str, place: Place) -> str:
    """Write where a text is, such as `messages[0].content`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return column + "".join(steps)
