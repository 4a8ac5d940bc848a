"""The technique that a command line names, and its parameters: `NAME=VALUE`, or a JSON file.

Running code that the user names on their own command line is what they ask for; what a card or a
configuration names is never run.
"""

import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from importlib import import_module
from inspect import formatannotation
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, TypeGuard, Union, get_args, get_origin, get_type_hints

from fair_datasets.cli.option_types import as_json
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.system.checks import InputError, format_choices, one_of, suggestion
from fair_datasets.system.portable import base_name, strip_all_folders
from fair_datasets.technique.configured import as_tuples
from fair_datasets.technique.contract import Technique, installed_techniques

Kinds = Mapping[str, Any]
"""The parameters of a technique, each with its type."""


def kinds_of(technique: type[Technique]) -> Kinds:
    """Return the type of each parameter of a technique.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> kinds_of(CounterfactualSwap)["joint"]
        <class 'bool'>
    """
    hints = get_type_hints(technique)
    return {item.name: hints[item.name] for item in fields(technique) if item.init}


def required(technique: type[Technique]) -> list[str]:
    """List the parameters that have no default."""
    return [
        item.name
        for item in fields(technique)
        if item.init and item.default is MISSING and item.default_factory is MISSING
    ]


def given_settings(pairs: Sequence[str], file: str | None, kinds: Kinds) -> dict[str, Any]:
    """Read parameters that a command line states; what stands there goes before the file.

    Args:
        pairs: `NAME=VALUE`, several of a name for a tuple.

    Example:
        >>> kinds = {"words": tuple[str, ...], "level": int}
        >>> given_settings(["words=a", "words=b", "level=2"], None, kinds)
        {'words': ('a', 'b'), 'level': 2}
    """
    texts: dict[str, list[str]] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise InputError(f"--set takes NAME=VALUE, but it is {pair!r}.")
        texts.setdefault(name, []).append(text)
    read = _load_settings(file) if file else {}
    for option, names in (("--set", texts), ("--settings", read)):
        for name in names:
            one_of(name, kinds, parameter=f"a parameter of {option}")
    given = {**read, **{name: _stated(several, kinds[name]) for name, several in texts.items()}}
    for name, value in given.items():
        if not _types(kinds[name]) & {Any, type(value)}:
            option, kind = "--set" if name in texts else "--settings", formatannotation(kinds[name])
            raise InputError(f"{option}: {name} must be {kind}, but it is {value!r}.")
    return {name: as_tuples(value) for name, value in given.items()}


def _stated(texts: Sequence[str], kind: Any) -> Any:
    """Read what `--set` states of a parameter: as JSON, or as text where that is none of it."""
    known = _types(kind)
    read = [(text, as_json(text)) for text in texts]
    values = [value if known & {Any, type(value)} else text for text, value in read]
    is_list = len(values) > 1 or (list in known and str not in (kind, *_joined(kind)))
    return values if is_list and not isinstance(values[0], list) else values[0]


def takes_several(kind: Any) -> bool:
    """Whether a parameter takes a tuple.

    Example:
        >>> takes_several(tuple[str, ...] | str), takes_several(str)
        (True, False)
    """
    return list in _types(kind)


def _joined(kind: Any) -> tuple[Any, ...]:
    """Return what a union joins; nothing where it is none."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else ()


def _types(kind: Any) -> set[Any]:
    """Return the types of JSON that a parameter may hold, lists for tuples."""
    inside = {each for inner in get_args(kind) for each in _types(inner)}
    own = set() if _joined(kind) else {get_origin(kind) or kind}
    json: dict[Any, set[Any]] = {tuple: {list}, float: {float, int}, Ellipsis: set()}
    # Of a Literal, the values are met here.
    is_type = [each if isinstance(each, type) else type(each) for each in own - json.keys()]
    return inside.union(is_type, *(json[each] for each in own & json.keys()))


def refuse_options(pairs: Sequence[str], options: Mapping[str, str]) -> None:
    """Raise if `--set` states a parameter that has an option of its own.

    Example:
        >>> refuse_options(["mode=pair"], {"mode": "--mode"})
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: --set: 'mode' has an option of its own; give --mode.
    """
    for pair in pairs:
        name, _, _ = pair.partition("=")
        if name in options:
            raise InputError(f"--set: {name!r} has an option of its own; give {options[name]}.")


def settings_again(technique: Technique, names: Sequence[str]) -> list[str]:
    """State parameters as values of `--set`, without the folders of this machine.

    Args:
        names: Its parameters; those that have their default are left out.
    """
    words: list[str] = []
    # What is not compared changes no result.
    defaults = {item.name: item.default for item in fields(technique) if item.compare}
    for name in filter(defaults.__contains__, names):
        value = getattr(technique, name)
        if value == defaults[name] and type(value) is type(defaults[name]):
            continue
        value = strip_all_folders(value) if name in technique.external else value
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        words.append(f"{name}={text}")
    return words


def _load_settings(file: str) -> dict[str, Any]:
    """Read an object of parameters from a JSON file."""
    try:
        settings = json.loads(Path(file).read_text("utf-8"))
    except OSError as error:
        why = error.strerror or error
        raise InputError(f"--settings: {file} cannot be read: {why}; check the path.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"--settings: {file} is not valid JSON ({error}); correct it.") from error
    if not isinstance(settings, dict):
        raise InputError(
            f"--settings: {file} must hold an object of parameters, but it holds a "
            f"{type(settings).__name__}."
        )
    return settings


DEFAULT = "CounterfactualSwap"
_ENDING = ".py"


def rewriter_class(name: str) -> type[Rewriter]:
    """Find the class of a rewriter.

    Args:
        name: The name of an installed technique; or `MODULE:CLASS`, or `FILE.py:CLASS`.

    Example:
        >>> rewriter_class("CounterfactualSwap").__name__
        'CounterfactualSwap'
        >>> rewriter_class("EL2N")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: --technique: EL2N is not a rewriter of texts; give one of
        'CounterfactualSwap'..., or FILE.py:CLASS for one of your own.
    """
    place, _, attribute = name.rpartition(":")
    if not place:
        return _installed(name)
    module = _module(place)
    entry = getattr(module, attribute, None)
    if _is_rewriter(entry):
        return entry
    own = [key for key, value in vars(module).items() if _is_rewriter(value)]
    what = f"{attribute!r} is not a rewriter" if entry is not None else f"there is no {attribute!r}"
    exist = f"; it has {format_choices(own)}" if own else ""
    raise InputError(
        f"--technique: {what} in {place}{exist}. A rewriter is a class that extends "
        f"fair_datasets.swap.rewriting.Rewriter and has a `rewrite`.{suggestion(attribute, own)}"
    )


def named_again(name: str) -> str:
    """Name a rewriter as a card does: a file without its folders.

    Example:
        >>> named_again("/home/ada/formal.py:Formal")
        'formal.py:Formal'
    """
    place, _, attribute = name.rpartition(":")
    return f"{base_name(place)}:{attribute}" if place.endswith(_ENDING) else name


def _installed(name: str) -> type[Rewriter]:
    """Load the class of an installed rewriter."""
    installed = installed_techniques()
    entry = installed[name].load() if name in installed else None
    if _is_rewriter(entry):
        return entry
    rewriters = sorted(key for key, point in installed.items() if _is_rewriter(point.load()))
    what = f"{name} is not a rewriter of texts" if entry else f"no package provides {name!r}"
    if name.endswith(_ENDING):
        raise InputError(f"--technique: name the class of {name} behind a colon: {name}:CLASS.")
    raise InputError(
        f"--technique: {what}; give one of {format_choices(rewriters)}, or FILE.py:CLASS for one "
        f"of your own.{suggestion(name, rewriters)}"
    )


def _is_rewriter(value: object) -> TypeGuard[type[Rewriter]]:
    """Whether a value is a class of rewriters that can be made."""
    is_class = inspect.isclass(value) and issubclass(value, Rewriter)
    return is_class and not inspect.isabstract(value)


def _module(place: str) -> ModuleType:
    """Import a module by its name, or by its file."""
    path = Path(place) if place.endswith(_ENDING) else None
    if path is not None and not path.is_file():
        raise InputError(f"--technique: there is no file {place}; check the path.")
    name = path.stem if path else place
    if path:
        # The processes of --num-proc have to find the module by its name, as pickle writes it.
        sys.path.append(str(path.resolve().parent))
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise _failed(place, error) from error
        raise InputError(
            f"--technique: there is no module {place!r}; give a file as FILE.py:CLASS."
        ) from error
    except Exception as error:
        raise _failed(place, error) from error
    file = getattr(module, "__file__", None)
    if path and (file is None or not path.samefile(file)):
        raise InputError(
            f"--technique: {place} cannot be imported, as Python has another module {name!r}; "
            "rename the file."
        )
    return module


def _failed(place: str, error: Exception) -> InputError:
    """Return the error for code that does not run."""
    return InputError(f"--technique: {place} fails on import ({type(error).__name__}: {error}).")
