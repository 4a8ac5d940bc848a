"""The command `measure`: a fairness measure of the columns of a dataset."""

import ast
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, ClassVar

from datasets import Dataset

from fair_datasets.cards.report import result_tables
from fair_datasets.cli.columns import as_numbers, check_text_columns, refuse_other_separators
from fair_datasets.cli.declared import Field
from fair_datasets.cli.groups import Input
from fair_datasets.cli.inputs import STANDARD_INPUT, load_given
from fair_datasets.cli.measures import FLAGS, is_column, parameters
from fair_datasets.measures.group_labels import intersections
from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.load import load_metric
from fair_datasets.rows.given import texts_of
from fair_datasets.rows.text_fields import text_field
from fair_datasets.system.checks import InputError, error_context, format_choices, invalid, typed
from fair_datasets.system.files import finite, indented

# The parameters that most measures read as numbers.
_NUMBERS = (
    "predictions",
    "references",
    "scores",
    "counterfactual_predictions",
    "counterfactual_scores",
)


class Measure(Input):
    """What every measure takes beside its own parameters.

    Attributes:
        split: The split to measure, where there are several.
        json: Print the result as JSON.
    """

    roles: ClassVar[tuple[str, ...]] = ()
    split: Annotated[str, "SPLIT"] | None = None
    json: bool = False

    def run(self) -> None:
        """Run the command."""
        measure = str(self.context.command.name)
        fields = [each for each in parameters(measure).values() if self.is_given(each.name)]
        names: dict[str, Sequence[str]] = {
            each.name: getattr(self, each.name) for each in fields if is_column(each)
        }
        texts = [column for name in FLAGS for column in names.get(name, [])]
        rows = _rows(self, texts)
        check_text_columns(rows, texts, self.input, self.roles)
        columns = {
            name: _texts(rows, texts, self) if name in FLAGS else _values(rows, name, given, self)
            for name, given in names.items()
        }
        with _annotate_error(names, self.input), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UndefinedMeasureWarning)
            given = _given_options(self, fields, columns)
            result = load_metric(measure).compute(**columns, **given)
        sentences = list(dict.fromkeys(str(each.message) for each in caught))
        for sentence in sentences:
            print(f"fair-datasets: {sentence}", file=sys.stderr)
        if self.json:
            measured = {"measure": measure, "rows": len(rows), "columns": names}
            measured |= {"options": given, "result": result, "warnings": sentences}
            print(indented(finite(measured)))
            return
        # Only the standard input is read through a cache of its own.
        read = STANDARD_INPUT if self.cache else self.input
        print(f"{measure} of {len(rows):,} rows of {read}\n")
        print(result_tables(result or {}))


class TextMeasure(Measure):
    """What a measure of texts takes.

    Attributes:
        roles: Read a conversation's texts of this role only, such as user; repeat it for several.
    """

    roles: tuple[Annotated[str, "ROLE"], ...] = ()  # type: ignore[misc]


def _given_options(
    options: Measure, fields: Sequence[Field], columns: Mapping[str, Sequence[Any]]
) -> dict[str, Any]:
    """Return the options of a measure that were given, as Python takes them."""
    given: dict[str, Any] = {}
    for parameter in fields:
        if is_column(parameter):
            continue
        value, kind = (
            getattr(options, parameter.name),
            ast.unparse(parameter.kind or ast.Constant(None)),
        )
        if "dict[" in kind:
            value = dict(value)
        elif isinstance(value, tuple):
            labels = _labels(columns)
            value = [labels.get(label, label) for label in value]
        elif kind == "Hashable":
            classes = {name: column for name, column in columns.items() if name != "groups"}
            value = _labels(classes).get(value, value)
        given[parameter.name] = value
    return given


def _labels(columns: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the labels in some columns, by how a shell writes them."""
    return {str(label): label for column in columns.values() for label in column}


def _rows(options: Measure, texts: Sequence[str]) -> Dataset:
    """Read the one split that is measured."""
    splits: Mapping[str, Dataset] = load_given(options, texts, options.split)
    if len(splits) > 1:
        raise InputError(
            f"{options.input} has the splits {format_choices(splits)}; choose one with --split."
        )
    (rows,) = splits.values()
    if not len(rows):
        raise InputError(f"{options.input} has no rows; there is nothing to measure.")
    return rows


def _texts(rows: Dataset, names: Sequence[str], options: Measure) -> list[Any]:
    """Return one text for each row: that of a column, or several of the row on lines."""
    texts: list[Any] = texts_of(rows, names, roles=options.roles)
    if all(name in rows.column_names for name in names) and len(names) == 1:
        return texts
    # Where nobody says anything, nobody is mentioned.
    return [text or "" for text in texts]


def _values(rows: Dataset, parameter: str, names: Sequence[str], options: Measure) -> Sequence[Any]:
    """Return the value of a column, or of a text inside one, for each row."""
    name, *others = names
    if others and parameter == "groups":
        return intersections({n: _values(rows, parameter, [n], options) for n in names})
    if others:
        raise invalid(
            f"{typed(parameter)} names one column, but {len(names)} are given; measure each by "
            "itself."
        )
    refuse_other_separators([name], rows.column_names, options.input)
    with error_context(options.input):
        is_inside = bool(text_field(name, rows.column_names).steps)
    if is_inside:
        return texts_of(rows, name)
    values: Sequence[Any] = rows.with_format(None)[name][:]
    return as_numbers(values) if parameter in _NUMBERS else values


@contextmanager
def _annotate_error(names: Mapping[str, Sequence[str]], source: str) -> Iterator[None]:
    """Name in an error of a measure the columns that its parameters are."""
    try:
        yield
    except InputError as error:
        others = [
            f"{typed(name)} is the column {' and '.join(map(repr, given))}"
            for name, given in names.items()
            if (name,) != given and f" {typed(name)} " in str(error)
        ]
        if not others:
            raise
        raise InputError(f"{error} (In {source}, {', '.join(others)}.)") from error
