"""The arguments of a measure, read from the signature of its module."""

import argparse
import ast
import inspect
import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args, get_origin

from fair_datasets.cli.arguments import add_roles
from fair_datasets.cli.inputs import add_input
from fair_datasets.cli.parsers import Parser
from fair_datasets.measures.load import load_metric, metrics_folder

if TYPE_CHECKING:
    from fair_datasets.measures.base import Module

# The columns of texts, which the command line calls as its other commands do.
TEXTS = ("data", "texts")


class Parameter(NamedTuple):
    """A parameter of a measure.

    Attributes:
        name: Its name in Python.
        annotation: What it may be.
        is_column: Whether it has one value per row.
        is_needed: Whether it must be given.
        text: What it is, in words.
    """

    name: str
    annotation: Any
    is_column: bool
    is_needed: bool
    text: str

    @property
    def option(self) -> str:
        """The option of the command line."""
        return "--text" if self.name in TEXTS else f"--{self.name.replace('_', '-')}"


class MeasureParser(Parser):
    """The parser of one measure, which loads the measure only when it is asked for."""

    def __init__(self, *, measure: str = "", **settings: Any) -> None:
        """Make the parser.

        Args:
            **settings: What `Parser` takes.
        """
        super().__init__(**settings)
        self._measure = measure

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments, once there are some."""
        self.fill()
        return super().parse_known_args(args, namespace)

    def fill(self) -> None:
        """Add the arguments of the measure, unless they are there."""
        if self._measure:
            add_arguments(self, self._measure)
            self._measure = ""


def add_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of a measure."""
    add_input(parser)
    found = parameters(name)
    for parameter in found:
        if parameter.is_column:
            parser.add_argument(
                parameter.option, dest=parameter.name, action="append", metavar="COL",
                required=parameter.is_needed, default=argparse.SUPPRESS,
                help=f"the column of: {parameter.text}",
            )  # fmt: skip
    if any(parameter.name in TEXTS for parameter in found):
        add_roles(parser)
    else:
        parser.set_defaults(roles=[])
    for parameter in found:
        if not parameter.is_column:
            parser.add_argument(
                parameter.option, dest=parameter.name, default=argparse.SUPPRESS,
                help=parameter.text, **_kind(parameter.annotation),
            )  # fmt: skip
    parser.add_argument("--split", help="the split to measure, where there are several")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


@cache
def module(name: str) -> "Module":
    """Load the module of a measure.

    Returns:
        The module.
    """
    loaded: Module = load_metric(name)
    return loaded


def parameters(name: str) -> list[Parameter]:
    """Read the parameters of a measure from the signature of its module.

    Returns:
        The parameters, in their order.

    Example:
        >>> [parameter.option for parameter in parameters("label_association")][:3]
        ['--text', '--labels', '--axis']
    """
    texts = module(name).parameter_texts()
    found = []
    for key, parameter in inspect.signature(module(name)._compute).parameters.items():
        is_needed = parameter.kind is not parameter.KEYWORD_ONLY
        is_column = is_needed or get_origin(parameter.annotation) is Annotated
        text = " ".join(texts[key].removeprefix(f"{key}:").split()).replace("%", "%%")
        found.append(Parameter(key, parameter.annotation, is_column, is_needed, text))
    return found


def summaries() -> dict[str, str]:
    """Say of each measure in one line what it is, without loading it.

    Example:
        >>> summaries()["demographic_parity"]
        'Compares how often each group is predicted 1, for two or more groups.'
    """
    found = {}
    for path in sorted(metrics_folder().glob("*/*.py")):
        if path.stem == path.parent.name:
            (kind, *_) = (
                part
                for part in ast.parse(path.read_text("utf-8")).body
                if isinstance(part, ast.ClassDef)
            )
            found[path.stem] = (ast.get_docstring(kind) or "").split("\n")[0]
    return found


def given_options(
    options: argparse.Namespace, found: Sequence[Parameter], columns: Mapping[str, Sequence[Any]]
) -> dict[str, Any]:
    """Return the options of a measure that were given, as Python takes them.

    Args:
        columns: The columns that were read; labels are given as they stand there.
    """
    given: dict[str, Any] = {}
    for parameter in found:
        if parameter.is_column or not hasattr(options, parameter.name):
            continue
        value = getattr(options, parameter.name)
        if _is_one(parameter.annotation, dict):
            value = dict(value)
        elif isinstance(value, list):
            labels = _labels(columns)
            value = [labels.get(label, label) for label in value]
        elif parameter.annotation is Hashable:
            classes = {name: column for name, column in columns.items() if name != "groups"}
            value = _labels(classes).get(value, value)
        given[parameter.name] = value
    return given


def _labels(columns: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the labels in some columns, by how a shell writes them."""
    return {str(label): label for column in columns.values() for label in column}


def _kind(annotation: Any) -> dict[str, Any]:
    """Return how argparse reads a value."""
    for each in (annotation, *get_args(annotation)):
        if get_origin(each) is Literal:
            return {"choices": get_args(each)}
    if _is_one(annotation, bool):
        return {"action": argparse.BooleanOptionalAction}
    for each in (annotation, *get_args(annotation)):
        if get_origin(each) is dict:
            is_number = get_args(each)[1] is float
            read, kind = (_pair, "NUMBER") if is_number else (_setting, "VALUE")
            return {"action": "append", "type": read, "metavar": f"NAME={kind}"}
    if _is_one(annotation, Sequence):
        return {"action": "append", "metavar": "LABEL"}
    kinds: tuple[Callable[[str], Any], ...] = (int, float)
    number = next((kind for kind in kinds if _is_one(annotation, kind)), str)
    return {"type": number, "metavar": "TEXT" if number is str else "N"}


def _is_one(annotation: Any, kind: Any) -> bool:
    """Tell whether a type, or a part of a union, is of a kind."""
    members = (annotation, *get_args(annotation))
    if get_origin(annotation) in (dict, Sequence):
        members = (annotation,)
    return any(kind in (member, get_origin(member)) for member in members)


def _setting(text: str) -> tuple[str, Any]:
    """Read a name and a value, such as average=macro or beta=2."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no name and value; write them as average=macro"
        )
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _pair(text: str) -> tuple[str, float]:
    """Read a name and a number, such as woman=0.5."""
    name, _, number = text.partition("=")
    try:
        return name, float(number)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no name and number; write them as woman=0.5"
        ) from None
