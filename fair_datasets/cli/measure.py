"""The command `measure`: a fairness measure of the columns of a dataset."""

import argparse
import ast
import inspect
import sys
import warnings
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_origin

from datasets import Dataset

from fair_datasets.cards.report import result_tables
from fair_datasets.cli.columns import as_numbers, check_text_columns, refuse_other_separators
from fair_datasets.cli.inputs import STANDARD_INPUT, add_input, load_given
from fair_datasets.cli.parsers import add_shared, is_one, option, read_as
from fair_datasets.measures.group_labels import intersections
from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.load import load_metric, metrics_folder
from fair_datasets.rows.given import texts_of
from fair_datasets.rows.text_fields import text_field
from fair_datasets.system.checks import InputError, called_as, invalid, listed
from fair_datasets.system.files import finite, indented

if TYPE_CHECKING:
    from fair_datasets.measures.base import Module

# The columns of texts, which the command line calls as its other commands do.
TEXTS = ("data", "texts")


class Parameter(NamedTuple):
    """A parameter of a measure."""

    name: str
    annotation: Any
    is_column: bool
    is_needed: bool
    text: str

    @property
    def option(self) -> str:
        """The option of the command line."""
        return "--text" if self.name in TEXTS else f"--{self.name.replace('_', '-')}"


def add_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of a measure."""
    add_input(parser)
    found = parameters(name)
    for parameter in found:
        if parameter.is_column:
            parser.add_argument(
                parameter.option, dest=parameter.name, action="append", metavar="COL",
                required=parameter.is_needed, default=argparse.SUPPRESS,
                help=f"a column: {parameter.text[:1].lower()}{parameter.text[1:]}",
            )  # fmt: skip
    if any(parameter.name in TEXTS for parameter in found):
        add_shared(parser, "roles")
    else:
        parser.set_defaults(roles=[])
    for parameter in found:
        if not parameter.is_column:
            parser.add_argument(
                parameter.option, dest=parameter.name, default=argparse.SUPPRESS,
                help=parameter.text, **read_as(parameter.annotation),
            )  # fmt: skip
    option(parser, "--split", "the split to measure, where there are several")
    option(parser, "--json", "print the result as JSON", bool)


@cache
def module(name: str) -> "Module":
    """Load the module of a measure."""
    loaded: Module = load_metric(name)
    return loaded


def parameters(name: str) -> list[Parameter]:
    """Read the parameters of a measure from the signature of its module.

    Example:
        >>> [parameter.option for parameter in parameters("label_association")][:3]
        ['--text', '--labels', '--axis']
    """
    texts = module(name).ARGUMENTS
    found = []
    for key, parameter in inspect.signature(module(name)._compute).parameters.items():
        is_needed = parameter.kind is not parameter.KEYWORD_ONLY
        is_column = is_needed or get_origin(parameter.annotation) is Annotated
        text = texts[key].replace("%", "%%")
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


def _given_options(
    options: argparse.Namespace, found: Sequence[Parameter], columns: Mapping[str, Sequence[Any]]
) -> dict[str, Any]:
    """Return the options of a measure that were given, as Python takes them."""
    given: dict[str, Any] = {}
    for parameter in found:
        if parameter.is_column or not hasattr(options, parameter.name):
            continue
        value = getattr(options, parameter.name)
        if is_one(parameter.annotation, dict):
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


# The parameters that most measures read as numbers.
_NUMBERS = (
    "predictions",
    "references",
    "scores",
    "counterfactual_predictions",
    "counterfactual_scores",
)


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "measure",
        help="measure the fairness of predictions, texts or labels in the columns of a file",
        description="Measure the columns of a dataset, and print the result as tables or as JSON. "
        "`fair-datasets measure MEASURE --help` lists the columns and options of a measure.",
    )
    measures = parser.add_subparsers(dest="measure", required=True, metavar="MEASURE")
    for name, line in summaries().items():
        measures.add_parser(
            name, later=partial(add_arguments, name=name), help=line.rstrip("."), description=line
        )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command."""
    found = parameters(options.measure)
    names: dict[str, list[str]] = {
        parameter.name: getattr(options, parameter.name)
        for parameter in found
        if parameter.is_column and hasattr(options, parameter.name)
    }
    texts = [column for name in TEXTS for column in names.get(name, [])]
    rows = _rows(options, texts)
    check_text_columns(rows, texts, options.input, options.roles)
    columns = {
        name: _texts(rows, texts, options) if name in TEXTS else _values(rows, name, given, options)
        for name, given in names.items()
    }
    with _naming(names, options.input), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UndefinedMeasureWarning)
        given = _given_options(options, found, columns)
        result = module(options.measure).compute(**columns, **given)
    told = list(dict.fromkeys(str(each.message) for each in caught))
    for sentence in told:
        print(f"fair-datasets: {sentence}", file=sys.stderr)
    if options.json:
        measured = {"measure": options.measure, "rows": len(rows), "columns": names}
        measured |= {"options": given, "result": result, "warnings": told}
        print(indented(finite(measured)))
        return
    # Only the standard input is read through a cache of its own.
    read = STANDARD_INPUT if options.cache else options.input
    print(f"{options.measure} of {len(rows):,} rows of {read}\n")
    print(result_tables(result or {}))


def _rows(options: argparse.Namespace, texts: Sequence[str]) -> "Dataset":
    """Read the one split that is measured."""
    splits: Mapping[str, Dataset] = load_given(options, texts, options.split)
    if len(splits) > 1:
        raise InputError(
            f"{options.input} has the splits {listed(splits)}; choose one with --split."
        )
    (rows,) = splits.values()
    if not len(rows):
        raise InputError(f"{options.input} has no rows; there is nothing to measure.")
    return rows


def _texts(rows: "Dataset", names: Sequence[str], options: argparse.Namespace) -> list[Any]:
    """Return one text for each row: that of a column, or several of the row on lines."""
    texts: list[Any] = texts_of(rows, names, roles=options.roles)
    if all(name in rows.column_names for name in names) and len(names) == 1:
        return texts
    # Where nobody says anything, nobody is mentioned.
    return [text or "" for text in texts]


def _values(
    rows: "Dataset", parameter: str, names: Sequence[str], options: argparse.Namespace
) -> Sequence[Any]:
    """Return the value of a column, or of a text inside one, for each row."""
    name, *others = names
    if others and parameter == "groups":
        return intersections({n: _values(rows, parameter, [n], options) for n in names})
    if others:
        raise invalid(
            f"--{parameter.replace('_', '-')} names one column, but {len(names)} are "
            "given; measure each by itself."
        )
    refuse_other_separators([name], rows.column_names, options.input)
    with called_as(options.input):
        is_inside = bool(text_field(name, rows.column_names).steps)
    if is_inside:
        return texts_of(rows, name)
    values: Sequence[Any] = rows.with_format(None)[name][:]
    return as_numbers(values) if parameter in _NUMBERS else values


@contextmanager
def _naming(names: Mapping[str, Sequence[str]], source: str) -> Iterator[None]:
    """Say in an error of a measure which columns its parameters are."""
    try:
        yield
    except InputError as error:
        others = [
            f"--{name.replace('_', '-')} is the column {' and '.join(map(repr, given))}"
            for name, given in names.items()
            if [name] != given and f" {name} " in str(error)
        ]
        if not others:
            raise
        raise InputError(f"{error} (In {source}, {', '.join(others)}.)") from error
