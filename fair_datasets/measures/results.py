"""Results as plain data: what a table shows and JSON writes, and what each value of it is."""

import inspect
from collections.abc import Callable, Hashable, Iterator
from dataclasses import Field, fields, is_dataclass
from typing import Any, get_args, get_origin

from fair_datasets.system.checks import parse_docstring_params

SPREAD = {"spread": True}
"""The metadata of a field whose values stand among those of the result itself."""


def plain(result: Any) -> Any:
    """Write the result of a measure as a dictionary.

    What belongs to labels, which may be anything that can be hashed, becomes a list of rows: under
    `groups` each has its label as "group". Tuples become lists; what is hidden is left out.

    Example:
        >>> from fair_datasets.measures.error_rates import subgroup_auc
        >>> found = plain(subgroup_auc([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2], [["a"], ["a"], [], []]))
        >>> found["overall_auc"], found["groups"][0]["group"], found["groups"][0]["bpsn_auc"]
        (0.75, 'a', 0.0)
    """
    if not is_dataclass(result):
        return result
    record: dict[str, Any] = {}
    for each, label in _shown(type(result)):
        value, kind = getattr(result, each.name), get_origin(each.type)
        if each.metadata == SPREAD:
            record |= plain(value)
        elif label:
            record[each.name] = [{label: name, **plain(part)} for name, part in value.items()]
        elif kind is dict:
            record[each.name] = {name: plain(part) for name, part in value.items()}
        else:
            record[each.name] = [plain(part) for part in value] if kind is tuple else plain(value)
    return record


def returned(function: Callable[..., Any]) -> dict[str, str]:
    """Read what each value of a plain result is: what the function or its result's class says.

    Example:
        >>> from fair_datasets.measures.error_rates import subgroup_auc
        >>> list(returned(subgroup_auc))
        ['overall_auc', 'groups']
    """
    kind = inspect.signature(function).return_annotation
    return parse_docstring_params(function, "Returns") or (
        _attributes(kind) if is_dataclass(kind) else {}
    )


def _attributes(kind: Any) -> dict[str, str]:
    """Read what the values of a class of results are."""
    descriptions, attributes = parse_docstring_params(kind), dict[str, str]()
    for each, label in _shown(kind):
        if each.metadata == SPREAD:
            attributes |= _attributes(each.type)
            continue
        attributes[each.name] = descriptions[each.name]
        if label:
            names = ", ".join(f'"{part.name}"' for part in fields(get_args(each.type)[1]))
            attributes[each.name] += f' One dictionary for each: its label as "{label}", {names}.'
    return attributes


def _shown(kind: type) -> Iterator[tuple[Field[Any], str]]:
    """Give the fields that are shown, and the name of a label where one belongs to labels."""
    for each in fields(kind):
        if each.repr:
            types = get_args(each.type)
            is_labelled = types[:1] == (Hashable,) and is_dataclass(types[1])
            yield each, each.name.removesuffix("s") if is_labelled else ""
