"""The command `measure`: a fairness measure of the columns of a dataset."""

import argparse
import json
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fair_datasets.checks import InputError, listed
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.measure_arguments import (
    TEXTS,
    MeasureParser,
    given_options,
    module,
    one_column,
    parameters,
    summaries,
)
from fair_datasets.cli.row_files import finite
from fair_datasets.cli.text_columns import check_text_columns, refuse_other_separators
from fair_datasets.measures.undefined import UndefinedMeasureWarning
from fair_datasets.report import result_tables
from fair_datasets.row_texts import RowTexts
from fair_datasets.text_fields import text_field

if TYPE_CHECKING:
    from datasets import Dataset


def add_parser(commands: Any) -> None:
    """Add the command to the command line.

    Args:
        commands: The parser's sub-parsers.
    """
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
        measures.add_parser(name, measure=name, help=line, description=line)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Args:
        options: The parsed arguments.

    Raises:
        InputError: An argument or the input is wrong, or the measure refuses the columns.
    """
    found = parameters(options.measure)
    names = {
        parameter.name: one_column(parameter, options)
        for parameter in found
        if parameter.is_column and hasattr(options, parameter.name)
    }
    rows = _rows(options, [names[name] for name in TEXTS if name in names])
    for name in TEXTS:
        if name in names:
            check_text_columns(rows, [names[name]], options.input, options.roles)
    columns = {
        name: _values(rows, column, options, is_text=name in TEXTS)
        for name, column in names.items()
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
    print(f"{options.measure} of {len(rows):,} rows of {options.input}\n")
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


def _values(
    rows: "Dataset", name: str, options: argparse.Namespace, *, is_text: bool
) -> Sequence[Any]:
    """Return one value for each row: that of a column, or the texts inside it."""
    refuse_other_separators([name], rows.column_names, options.input)
    field = text_field(name, rows.column_names, owner=options.input)
    values: Sequence[Any] = rows.with_format(None)[field.column][:]
    roles = options.roles if is_text else ()
    if not field.steps and not roles:
        return values
    batch = {field.column: values}
    texts = RowTexts.read(batch, [name], roles=roles, owner=options.input).joined()
    # Where nobody says anything, nobody is mentioned.
    return [text or "" for text in texts]


@contextmanager
def _naming(names: Mapping[str, str], source: str) -> Iterator[None]:
    """Say in an error of a measure which columns its parameters are."""
    try:
        yield
    except InputError as error:
        others = [f"{name} is the column {column!r}" for name, column in names.items()
                  if name != column and f" {name} " in str(error)]  # fmt: skip
        if not others:
            raise
        raise InputError(f"{error} (In {source}, {', '.join(others)}.)") from error
