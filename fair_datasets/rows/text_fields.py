"""Where the texts of a row are: in its columns, or inside their lists and objects.

A field names a column, or a path into one: `messages[].content` is the text under `content` of each
object of the list in the column `messages`, `turns[]` each text of a list, `meta.title` one of an
object. A column whose name is written like a path is itself. A list of tokens that is named as it
is (`tokens`, not `tokens[]`) is read as the text that they make.
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fair_datasets.rows.column_checks import no_column, one_for_each
from fair_datasets.system.checks import InputError, format_choices, invalid, suggestion

# A step into each element of a list.
EACH = "[]"
_NUMBERED = re.compile(r"\[-?\d+\]")
_HEAD = re.compile(r"[^.\[\]]+")
_STEP = re.compile(r"\[\]|\.[^.\[\]]+|^[^.\[\]]+")


class TextField(NamedTuple):
    """A field: a column, and the way from its values to their texts.

    Attributes:
        steps: What leads from a value to its texts: `[]` for each element of a list, else the key
            of an object. None if the values are the texts.
    """

    column: str
    steps: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The field as it is written."""
        return self.column + "".join(step if step == EACH else f".{step}" for step in self.steps)


def text_field(name: str, existing: Iterable[str]) -> TextField:
    """Read the name of a field."""
    known = list(existing)
    field = _parse_field(name, set(known))
    if field is None:
        raise _missing(name, known)
    return field


def check_path(name: str, features: Mapping[str, Any]) -> None:
    """Raise unless a field leads to something, as far as the types of the columns say."""
    field = text_field(name, features)
    kind, place = features[field.column], field.column
    for step in field.steps:
        inner = _element(kind)
        if type(kind).__name__ == "Json" or (inner is None and not isinstance(kind, Mapping)):
            return  # Its values alone can tell.
        problem = advice = ""
        if step == EACH and inner is None:
            problem, advice = "is no list", " Leave out '[]'."
        elif step != EACH and inner is not None:
            problem, advice = "is a list", " Write '[]' for its elements."
        elif step != EACH and step not in kind:
            problem, advice = f"has the keys {format_choices(kind)}", suggestion(step, kind)
        if problem:
            raise invalid(f"{name!r} leads nowhere: {place} {problem}.{advice}")
        place += step if step == EACH else f".{step}"
        kind = kind[step] if inner is None else inner


def _element(kind: Any) -> Any:
    """Return the feature of the elements of a list; None for what is no list."""
    if isinstance(kind, list):
        return kind[0]
    return None if isinstance(kind, Mapping) else getattr(kind, "feature", None)


def field_columns(names: Iterable[str], existing: Iterable[str]) -> list[str]:
    """Return the columns that fields lie in.

    Example:
        >>> field_columns(["turns[].text", "turns[].name"], ["turns"])
        ['turns']
    """
    known = list(existing)
    return list(dict.fromkeys(text_field(name, known).column for name in names))


def is_there(name: str, existing: Iterable[str]) -> bool:
    """Whether a field names a column that exists.

    Example:
        >>> is_there("turns[].text", ["turns"]), is_there("tuns[].text", ["turns"])
        (True, False)
    """
    return _parse_field(name, set(existing)) is not None


def counterfactual_column(column: str) -> str:
    """Name the column that holds the counterfactuals of a column.

    Example:
        >>> counterfactual_column("text")
        'text_counterfactual'
    """
    return f"{column}_counterfactual"


def counterfactual_field(name: str, existing: Iterable[str] | None = None) -> str:
    """Name the field that `mode="pair"` writes the counterfactuals of a field into.

    Args:
        existing: The columns that there are, which say what is a column and what a path; None
            where nobody knows them yet, and a name that is written like a path is one.

    Example:
        >>> counterfactual_field("messages[].content"), counterfactual_field("meta.title")
        ('messages_counterfactual[].content', 'meta_counterfactual.title')
        >>> counterfactual_field("meta.title", ["meta.title"])
        'meta.title_counterfactual'
    """
    head = _HEAD.match(name)
    field = _parse_field(name, [head[0] if head else name] if existing is None else set(existing))
    field = field or TextField(name)
    return field._replace(column=counterfactual_column(field.column)).name


def counterfactual_columns(value: Any, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the parameter that names the columns with the counterfactuals, or raise.

    Example:
        >>> counterfactual_columns(None, ["text"])
        ('text_counterfactual',)
    """
    if value is None:
        return tuple(map(counterfactual_field, columns))
    return one_for_each(value, columns, parameter="counterfactual_columns")


def refuse_missing_counterfactuals(
    columns: Sequence[str], swapped: Sequence[str], existing: Iterable[str]
) -> None:
    """Raise unless the columns with the counterfactuals exist."""
    known = set(existing)
    for column, new in zip(columns, swapped, strict=True):
        if not is_there(new, known):
            raise invalid(
                f"there is no column {new!r} with the counterfactuals of {column!r}; add "
                f"it by `map(CounterfactualSwap(columns={column!r}, mode='pair'), batched=True)`, "
                "or name it in counterfactual_columns."
            )


def _missing(name: str, known: Sequence[str]) -> InputError:
    """Return the error for a name that is no column and no path into one."""
    if _NUMBERED.search(name):
        return invalid(
            f"{name!r} names one element of a list, but a path names all of them; write "
            f"{_NUMBERED.sub(EACH, name)!r}."
        )
    head = _HEAD.match(name)
    column = head[0] if head else name
    if column in known:
        return invalid(
            f"{name!r} is not how a path is written; write '[]' for the elements of a "
            f"list and '.key' for what an object has under a key, such as '{column}[].content'."
        )
    return no_column(name if suggestion(name, known) else column, known)


def _parse_field(name: str, existing: Container[str]) -> TextField | None:
    """Read the name of a field; None if there is no such column."""
    if name in existing:
        return TextField(name)
    steps = _STEP.findall(name)
    if "".join(steps) == name:
        # The longest name of a column that there is, as names may hold dots.
        for count in range(len(steps) - 1, 0, -1):
            column = "".join(steps[:count])
            if column in existing:
                return TextField(column, tuple(step.removeprefix(".") for step in steps[count:]))
    return None
