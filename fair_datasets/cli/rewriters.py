"""The rewriter that a command line names: an installed one, or a class of a module or a file.

Running code that the user names on their own command line is what they ask for; what a card or a
configuration names is never run.
"""

import inspect
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeGuard

from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.system.checks import InputError, listed, suggestion
from fair_datasets.technique.contract import installed_techniques
from fair_datasets.technique.portable import base_name

DEFAULT = "CounterfactualSwap"
_ENDING = ".py"


def rewriter_class(name: str) -> type[Rewriter]:
    """Find the class of a rewriter.

    Args:
        name: The name of an installed technique; or `MODULE:CLASS`, or `FILE.py:CLASS`.

    Raises:
        InputError: There is none, or it is no rewriter.

    Example:
        >>> rewriter_class("CounterfactualSwap").__name__
        'CounterfactualSwap'
        >>> rewriter_class("EL2N")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: --technique: EL2N is no rewriter of texts; give one of
        'CounterfactualSwap'..., or FILE.py:CLASS for one of your own.
    """
    place, _, attribute = name.rpartition(":")
    if not place:
        return _installed(name)
    module = _module(place)
    found = getattr(module, attribute, None)
    if _is_rewriter(found):
        return found
    own = [key for key, value in vars(module).items() if _is_rewriter(value)]
    what = f"{attribute!r} is no rewriter" if found is not None else f"there is no {attribute!r}"
    exist = f"; it has {listed(own)}" if own else ""
    raise InputError(
        f"--technique: {what} in {place}{exist}. A rewriter is a class that extends "
        f"fair_datasets.swap.rewriting.Rewriter and has a `rewrite`.{suggestion(attribute, own)}"
    )


def named_again(name: str) -> str:
    """Name a rewriter as a card does: a file without its folders.

    Args:
        name: As for `rewriter_class`.

    Example:
        >>> named_again("/home/ada/formal.py:Formal")
        'formal.py:Formal'
    """
    place, _, attribute = name.rpartition(":")
    return f"{base_name(place)}:{attribute}" if place.endswith(_ENDING) else name


def _installed(name: str) -> type[Rewriter]:
    """Load the class of an installed rewriter."""
    installed = installed_techniques()
    found = installed[name].load() if name in installed else None
    if _is_rewriter(found):
        return found
    rewriters = sorted(key for key, point in installed.items() if _is_rewriter(point.load()))
    what = f"{name} is no rewriter of texts" if found else f"no package provides {name!r}"
    if name.endswith(_ENDING):
        raise InputError(f"--technique: name the class of {name} behind a colon: {name}:CLASS.")
    raise InputError(
        f"--technique: {what}; give one of {listed(rewriters)}, or FILE.py:CLASS for one of your "
        f"own.{suggestion(name, rewriters)}"
    )


def _is_rewriter(value: object) -> TypeGuard[type[Rewriter]]:
    """Tell whether a value is a class of rewriters that can be made."""
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
    found = getattr(module, "__file__", None)
    if path and (found is None or not path.samefile(found)):
        raise InputError(
            f"--technique: {place} cannot be imported, as Python has another module {name!r}; "
            "rename the file."
        )
    return module


def _failed(place: str, error: Exception) -> InputError:
    """Return the error for code that does not run."""
    return InputError(f"--technique: {place} fails on import ({type(error).__name__}: {error}).")
