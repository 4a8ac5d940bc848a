"""The commands `measure NAME`: their columns and options are the parameters of the measure."""

import ast
import re
import tomllib
from collections.abc import Mapping
from types import MappingProxyType

import click

from fair_datasets.cli import option_types
from fair_datasets.cli.commands import Commands, Group, Leaf
from fair_datasets.cli.declared import (
    MEASURES,
    PACKAGE,
    REQUIRED,
    Field,
    class_in,
    definition,
    docstring,
    fields_of,
    value,
)

FLAGS = MappingProxyType({"data": "--text", "texts": "--text"})
"""The columns of texts, which a shell calls as in other commands."""
_KIND = ast.parse("tuple[COL, ...]", mode="eval").body
# What functions call the columns of a module, and what their docstrings say of arrays alone.
_COLUMNS = {"y_true": "references", "y_pred": "predictions", "y_score": "predictions"}
_OF_ARRAYS = re.compile(r" (?:Shape \([^)]*\)|Length \w)\.|`(?=\")|(?<=\")`")
_SHARED = PACKAGE / "measures" / "data" / "parameters.toml"
_DESCRIPTION = """\
Measure the fairness of predictions, texts or labels in the columns of a file.

`fair-datasets measure MEASURE --help` lists the columns and options of a measure."""


class Measures(Commands):
    """A command for each measure."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Make the command of a measure."""
        if name not in self.places:
            return None
        more = parameters(name)
        kind = "TextMeasure" if FLAGS.keys() & more.keys() else "Measure"
        return Leaf(
            name, f"fair_datasets.cli.measure:{kind}", more=more, flags=FLAGS,
            description=f"{self.summary(name)}.",
        )  # fmt: skip

    def summary(self, name: str) -> str:
        """Return in a line what a measure tells."""
        return docstring(class_in(f"metrics.{name}.{name}")).partition("\n")[0].rstrip(".")


def measures() -> Group:
    """Return the commands of all measures."""
    names = sorted(path.stem for path in MEASURES.glob("*/*.py") if path.stem == path.parent.name)
    return Group(_DESCRIPTION, dict.fromkeys(names, ""), Measures)


def parameters(name: str) -> dict[str, Field]:
    """Read the parameters of a measure; those that are columns take the names of columns.

    Example:
        >>> list(parameters("label_association"))[:3]
        ['data', 'labels', 'axis']
    """
    module, kind = definition(class_in(f"metrics.{name}.{name}"))
    (made,) = kind.decorator_list
    function, *needed = made.args
    columns = [each.value for each in needed]
    writers = [each.value for each in made.keywords if each.arg == "write"]
    fields = {_COLUMNS.get(key, key): each for key, each in _of_call(function, module).items()}
    for writer in writers:
        written = _of_call(writer, module).items()
        fields |= {key: each for key, each in written if not each.is_positional}
    shared = tomllib.loads(_SHARED.read_text("utf-8"))
    return {
        key: _parameter(fields.get(key), key, shared, is_column=key in columns)
        for key in dict.fromkeys([*columns, *fields])
    }


def _of_call(function: ast.expr, module: str) -> dict[str, Field]:
    """Return the parameters of a function that is named, or of which a part is given."""
    home, node = definition(f"{module}:{ast.unparse(function)}")
    inner = node if isinstance(node, ast.Call) else function if node is None else None
    if isinstance(inner, ast.Call):
        fields = _of_call(inner.args[0], home)
        for each in inner.keywords:
            name = str(each.arg)
            fields[name] = fields[name]._replace(default=value(each.value, home))
        return fields
    return fields_of(f"{module}:{ast.unparse(function)}")


def _parameter(
    field: Field | None, name: str, shared: Mapping[str, str], *, is_column: bool
) -> Field:
    """Return a parameter of a measure as the shell has it."""
    field = (field or Field(name, None, REQUIRED, "", ""))._replace(name=name)
    text = _OF_ARRAYS.sub("", field.text or " ".join(shared.get(name, "").split()))
    if is_column or "Rows" in ast.unparse(field.kind or ast.Constant(None)):
        text = f"A column: {text[:1].lower()}{text[1:]}"
        field = field._replace(kind=_KIND, module=option_types.__name__, is_positional=is_column)
        return field._replace(text=text, default=REQUIRED if is_column else None)
    return field._replace(text=text, is_positional=False)


def is_column(field: Field) -> bool:
    """Whether a parameter of a measure has a value for each row."""
    return field.kind is _KIND
