"""The command `measure`: a fairness measure of the columns of a dataset."""

import argparse
import json
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fair_datasets.cards.report import result_tables
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.measure_arguments import (
    TEXTS,
    MeasureParser,
    given_options,
    module,
    parameters,
    summaries,
)
from fair_datasets.cli.numbers import as_numbers
from fair_datasets.cli.row_files import finite
from fair_datasets.cli.standard_input import STANDARD_INPUT
from fair_datasets.cli.text_columns import check_text_columns, refuse_other_separators
from fair_datasets.measures.group_labels import intersections
from fair_datasets.measures.undefined import UndefinedMeasureWarning
from fair_datasets.rows.given import texts_of
from fair_datasets.rows.text_fields import text_field
from fair_datasets.system.checks import InputError, listed

if TYPE_CHECKING:
    from datasets import Dataset

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
    measures = parser.add_subparsers(
        dest="measure", required=True, metavar="MEASURE", parser_class=MeasureParser
    )
    for name, line in summaries().items():
        measures.add_parser(name, measure=name, help=line.rstrip("."), description=line)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Raises:
        InputError: An argument or the input is wrong, or the measure refuses the columns.
    """
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
        given = given_options(options, found, columns)
        result = module(options.measure).compute(**columns, **given)
    told = list(dict.fromkeys(str(each.message) for each in caught))
    for sentence in told:
        print(f"fair-datasets: {sentence}", file=sys.stderr)
    if options.json:
        measured = {"measure": options.measure, "rows": len(rows), "columns": names}
        measured |= {"options": given, "result": result, "warnings": told}
        print(json.dumps(finite(measured), indent=2))
        return
    # Only the standard input is read through a cache of its own.
    read = STANDARD_INPUT if options.cache else options.input
    print(f"{options.measure} of {len(rows):,} rows of {read}\n")
    print(result_tables(result or {}))


def _rows(options: argparse.Namespace, texts: Sequence[str]) -> "Dataset":
    """Read the one split that is measured."""
    splits: Mapping[str, Dataset] = load_input(
        options.inputs, texts, options.split, config=options.config, limit=options.limit,
        cache=options.cache,
    )  # fmt: skip
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
        raise InputError(
            f"measure: --{parameter.replace('_', '-')} names one column, but {len(names)} are "
            "given; measure each by itself."
        )
    refuse_other_separators([name], rows.column_names, options.input)
    if text_field(name, rows.column_names, owner=options.input).steps:
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
