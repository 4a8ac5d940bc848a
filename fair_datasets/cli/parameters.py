"""The parameters of a technique as a command line states them: `NAME=VALUE`, or a JSON file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from fair_datasets.system.checks import InputError, one_of
from fair_datasets.technique.contract import Technique
from fair_datasets.technique.portable import all_without_folders

_WORDS = {"true": True, "false": False, "null": None}
_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "text",
          NoneType: "null"}  # fmt: skip


class Kinds(NamedTuple):
    """What a parameter takes.

    Attributes:
        single: The types of one value.
        several: What each value of a tuple may be; None where it takes no tuple.
    """

    single: frozenset[type]
    several: "Kinds | None"


def kinds_of(technique: type[Technique]) -> dict[str, Kinds]:
    """Say what each parameter of a technique takes, by the types of its fields.

    Returns:
        Parameter to kinds, in the order of the fields.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> kinds_of(CounterfactualSwap)["joint"]
        Kinds(single=frozenset({<class 'bool'>}), several=None)
    """
    hints = get_type_hints(technique)
    return {item.name: _kinds(hints[item.name]) for item in fields(technique) if item.init}


def required(technique: type[Technique]) -> list[str]:
    """List the parameters that have no default."""
    return [
        item.name
        for item in fields(technique)
        if item.init and item.default is MISSING and item.default_factory is MISSING
    ]


def given_settings(
    pairs: Sequence[str], file: str | None, kinds: Mapping[str, Kinds]
) -> dict[str, Any]:
    """Read parameters that a command line states; what stands there goes before the file.

    Args:
        pairs: `NAME=VALUE`, several of a name for a tuple.
        file: A JSON file with an object of parameters; None for none.

    Raises:
        InputError: There is no such parameter, or it takes another kind of value.

    Example:
        >>> word, level = (Kinds(frozenset({kind}), None) for kind in (str, int))
        >>> kinds = {"words": Kinds(frozenset(), word), "level": level}
        >>> given_settings(["words=a", "words=b", "level=2"], None, kinds)
        {'words': ('a', 'b'), 'level': 2}
    """
    texts: dict[str, list[str]] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise InputError(f"--set takes NAME=VALUE, but it is {pair!r}.")
        texts.setdefault(name, []).append(text)
    read = _read(file) if file else {}
    for option, names in (("--set", texts), ("--settings", read)):
        for name in names:
            if not kinds:
                raise InputError(
                    f"augment: each parameter of this technique has an option of its own; give "
                    f"that and leave out {option} (there is none for {name!r})."
                )
            one_of(name, kinds, owner="augment", parameter=f"a parameter of {option}")
    found = {name: _checked(name, value, kinds[name]) for name, value in read.items()}
    return found | {name: _parsed(name, several, kinds[name]) for name, several in texts.items()}


def refuse_options(pairs: Sequence[str], options: Mapping[str, str]) -> None:
    """Raise if `--set` states a parameter that has an option of its own.

    Args:
        pairs: `NAME=VALUE`.

    Raises:
        InputError: It does.

    Example:
        >>> refuse_options(["mode=pair"], {"mode": "--mode"})
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: --set: mode has an option of its own; give --mode.
    """
    for pair in pairs:
        name, _, _ = pair.partition("=")
        if name in options:
            raise InputError(f"--set: {name} has an option of its own; give {options[name]}.")


def settings_again(technique: Technique, names: Sequence[str]) -> list[str]:
    """State parameters as `--set` takes them, without the folders of this machine.

    Args:
        names: Its parameters; those that have their default are left out.

    Returns:
        The words of a command.
    """
    words: list[str] = []
    defaults = {item.name: item.default for item in fields(technique) if item.compare}
    for name in names:
        value = getattr(technique, name)
        # What is not compared changes no result.
        if name not in defaults or (
            value == defaults[name] and type(value) is type(defaults[name])
        ):
            continue
        if name in technique.external:
            value = all_without_folders(value)
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        words += ["--set", f"{name}={text}"]
    return words


def _kinds(hint: Any) -> Kinds:
    """Say what a type hint takes."""
    options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    single = frozenset(option for option in options if option in _NAMES)
    inner = [
        _kinds(kind)
        for option in options
        if get_origin(option) is tuple
        for kind in get_args(option)
        if kind is not Ellipsis
    ]
    if not inner:
        return Kinds(single, Kinds(frozenset(_NAMES), None) if tuple in options else None)
    nested = next((kinds.several for kinds in inner if kinds.several), None)
    return Kinds(single, Kinds(frozenset().union(*(kinds.single for kinds in inner)), nested))


def _read(file: str) -> dict[str, Any]:
    """Read an object of parameters from a JSON file."""
    try:
        found = json.loads(Path(file).read_text("utf-8"))
    except OSError as error:
        why = error.strerror or error
        raise InputError(f"--settings: {file} cannot be read: {why}; check the path.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"--settings: {file} is not valid JSON ({error}); correct it.") from error
    if not isinstance(found, dict):
        raise InputError(
            f"--settings: {file} must hold an object of parameters, but it holds a "
            f"{type(found).__name__}."
        )
    return found


def _parsed(name: str, texts: Sequence[str], kinds: Kinds) -> Any:
    """Read the texts of a parameter."""
    if kinds.several is not None:
        if len(texts) == 1 and texts[0].startswith("["):
            try:
                value = json.loads(texts[0])
            except ValueError as error:
                raise InputError(f"--set: {name} is no list of JSON ({error}).") from error
            return _checked(name, value, kinds)
        if len(texts) > 1 or not kinds.single - {NoneType}:
            return tuple(_value(name, text, kinds.several) for text in texts)
    if len(texts) > 1:
        raise InputError(f"--set: {name} takes one value, but it is given {len(texts)} times.")
    return _value(name, texts[0], kinds)


def _value(name: str, text: str, kinds: Kinds) -> Any:
    """Read one value: as a number or a word of JSON where the parameter takes one, else as text."""
    if text in _WORDS and type(_WORDS[text]) in kinds.single:
        return _WORDS[text]
    for kind in (int, float):
        if kind in kinds.single:
            try:
                return kind(text)
            except ValueError:
                continue
    if str in kinds.single:
        return text
    raise InputError(f"--set: {name} must be {_either(kinds)}, but it is {text!r}.")


def _checked(name: str, value: Any, kinds: Kinds) -> Any:
    """Return a value of JSON with tuples for lists, or raise if the parameter does not take it."""
    if isinstance(value, list) and kinds.several is not None:
        return tuple(_checked(name, item, kinds.several) for item in value)
    kind = type(value)
    if kind in kinds.single:
        return value
    if kind is int and float in kinds.single:
        return float(value)
    raise InputError(f"{name} must be {_either(kinds)}, but it is {value!r}.")


def _either(kinds: Kinds) -> str:
    """Say which values there are."""
    words = [words for kind, words in _NAMES.items() if kind in kinds.single]
    return " or ".join([*words, *(["a list"] if kinds.several else [])])
