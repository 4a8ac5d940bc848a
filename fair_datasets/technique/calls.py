"""What is wrong with the arguments of a class, told in one sentence."""

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any

from fair_datasets.system.checks import InputError, listed, suggestion

# What other libraries call a parameter, where its own name is not near.
_ELSEWHERE = {
    "language": ("axis", "Leave it out: the lexicon that axis names says the language."),
    "random_state": ("seed", "Did you mean 'seed'?"),
    "text": ("columns", "Did you mean 'columns'?"),
    "text_column": ("columns", "Did you mean 'columns'?"),
}


def refuse_other_arguments(kind: type, given: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Raise unless a class takes some arguments.

    Args:
        kind: The class; its docstring, or that of a base, says under "Attributes" what to give.
        given: The arguments by position.
        named: The arguments by name.

    Raises:
        InputError: An argument is unknown, missing, given twice or not by its name; or they are
            rows, as where `map` is given a class in place of a technique.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> refuse_other_arguments(CounterfactualSwap, ["text"], {"axis": "gender"})
        >>> refuse_other_arguments(CounterfactualSwap, [], {"column": "text"})
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: CounterfactualSwap: there is no parameter 'column'. Did you
        mean 'columns'?
    """
    parameters = inspect.signature(kind).parameters.values()
    names = [parameter.name for parameter in parameters]
    placed = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    needed = [each.name for each in parameters if each.default is each.empty]
    if given and (isinstance(given[0], Mapping) or hasattr(given[0], "column_names")):
        fault = (
            "it was given rows, but first needs its parameters: write "
            f"`{kind.__name__}({names[0]}=...)` and apply that to the rows."
        )
    elif unknown := [name for name in named if name not in names]:
        fault = f"there is no parameter {unknown[0]!r}.{_meant(unknown[0], names)}"
    elif len(given) > len(placed):
        others = [name for name in names if name not in placed]
        fault = (
            f"{listed(placed) or 'nothing'} alone may be given without its name, but "
            f"{len(given)} values are; name the others: {listed(others)}."
        )
    elif missing := [name for name in needed if name not in {*placed[: len(given)], *named}]:
        wanted = " and ".join(f"{name} ({_meaning(kind, name)})" for name in missing)
        verb = "are" if missing[1:] else "is"
        fault = f"{' and '.join(missing)} {verb} missing; give {wanted}."
    elif twice := [name for name in placed[: len(given)] if name in named]:
        fault = f"{twice[0]} is given twice; give it once."
    else:
        return
    raise InputError(f"{kind.__name__}: {fault}")


def _meant(name: str, names: Sequence[str]) -> str:
    """Write which parameter was meant, or which there are."""
    meant, advice = _ELSEWHERE.get(name, ("", ""))
    if meant in names:
        return f" {advice}"
    return suggestion(name, names) or f" The parameters are {listed(names)}."


def _meaning(kind: type, name: str) -> str:
    """Return the first words of what a docstring says of a parameter."""
    entry = re.compile(rf"^ +{name}: (.+?)(?=[.;:]\s)", re.MULTILINE | re.DOTALL)
    found = (entry.search(each.__doc__ or "") for each in kind.__mro__)
    words = next((" ".join(match[1].split()) for match in found if match), "its value")
    return words[0].lower() + words[1:]
