"""The page that lists every public name with one line: what its docstring, help or card says."""

import argparse
import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from fair_datasets.cards.markdown import split_card, table
from fair_datasets.cli.main import command_parser
from fair_datasets.measures.load import available_metrics, metrics_folder
from fair_datasets.technique.contract import ENTRY_POINT_GROUP

MODULES = {
    "fair_datasets": "Every technique, and what most people need beside them.",
    "fair_datasets.selection": "Which rows to keep. See [diet](diet.md) and [correct](correct.md).",
    "fair_datasets.swap": "What belongs to a swap: counts, controls, checks, the way back.",
    "fair_datasets.rewriters": "The trainings of rewriters. See [MBCDA](mbcda.md).",
    "fair_datasets.scores": "The trainings of what scores rows. See [diet](diet.md).",
    "fair_datasets.models": "Word vectors and directions. See [correct](correct.md).",
    "fair_datasets.evaluation": "Rewriters, corpora and encoders beside each other.",
    "fair_datasets.measures": "Every measure as a function of arrays. See [measures](measures.md).",
    "fair_datasets.auditing": "What an audit says. See [audit](audit.md).",
    "fair_datasets.hub": "Publishing and pulling. See [the Hub](hub.md).",
    "fair_datasets.lexicons": "The word lists. See [your own words](lexicons.md).",
    "fair_datasets.reader": "Tags for words. See [the reader](reader.md).",
    "fair_datasets.cards": "What is said of a dataset or a model on its card.",
    "fair_datasets.cards.report": "Tables as text, and pictures.",
    "fair_datasets.rows": "Texts of rows.",
    "fair_datasets.technique": "What every technique extends. See [techniques](techniques.md).",
    "fair_datasets.testing": "For those who write a technique. See [techniques](techniques.md).",
    "fair_datasets.swap.rewriting": "To write a rewriter. See [techniques](techniques.md).",
    "fair_datasets.swap.verification": "Whether a rewrite says the same of somebody else.",
    "fair_datasets.selection.diet": "The healthy data diet. See [diet](diet.md).",
    "fair_datasets.selection.correction": "Corrected corpora. See [correct](correct.md).",
    "fair_datasets.rewriters.mbcda": "The training of a rewriter. See [MBCDA](mbcda.md).",
    "fair_datasets.rewriters.fairflow": "A lexicon from one pair. See [words](lexicons.md).",
    "fair_datasets.evaluation.counterfactuals": "Rewriters beside each other.",
    "fair_datasets.evaluation.encoders": "Encoders beside each other. See [correct](correct.md).",
}
_VERSION = "The version of the package."
_START = """\
# Public names

Every name that you may rely on, with one line: Python, techniques, measures and commands.

`help(NAME)` in Python and `fair-datasets COMMAND --help-all` in a shell say more, with examples.
A name that is not here may change without notice. This page is made by
`python -m fair_datasets.docs.build`.
"""
_TECHNIQUES = f"""\
What `load_technique` rebuilds, by its name in a configuration. Your own is found under the
entry-point group `{ENTRY_POINT_GROUP}`."""
_METRICS = """\
What `load_metric` loads as a module of `evaluate`. `metrics/NAME/README.md` says how it is computed
and what it cannot show."""
_DEFAULTS = """\
The numbers of settings that you do not give; the changelog tells where one changes. `help(NAME)`
says what each is, and the settings that are no numbers."""
_SPACY = """\
| name | what it is |
|---|---|
| `fair_datasets_terms` | A component that marks the terms of an axis on a `Doc`. |"""


def names_page() -> str:
    """Write the page.

    Example:
        >>> names_page().splitlines()[0]
        '# Public names'
    """
    sections = [_START]
    for module, sentence in MODULES.items():
        sections += [f"## `{module}`", sentence, _table("name", _names(module))]
    techniques = ((point.name, first_line(point.load())) for point in _techniques())
    sections += ["## Techniques", _TECHNIQUES, _table("technique", techniques)]
    sections += ["## Measures as modules", _METRICS, _table("module", _metrics())]
    sections += ["## Commands", "In a shell, behind `fair-datasets`. See [shell](shell.md)."]
    commands = (
        (words, f"{line[0].upper()}{line[1:]}.") for words, line, _ in commands_of(command_parser())
    )
    sections += [_table("command", commands)]
    sections += ["## In spaCy", _SPACY]
    sections += ["## Numbers by default", _DEFAULTS, _table("name", _defaults(), "numbers")]
    return "\n\n".join(section.strip() for section in sections) + "\n"


def _table(kind: str, lines: Iterable[tuple[str, str]], told: str = "what it is") -> str:
    """Write a table of names."""
    cells = ((f"`{name}`", line.replace("|", "\\|")) for name, line in lines)
    return "\n".join(table([kind, told], cells))


def _names(module: str) -> Iterator[tuple[str, str]]:
    """Give the public names of a module, each with the first line of its docstring."""
    home = import_module(module)
    for name in sorted(home.__all__, key=str.lower):
        value = getattr(home, name)
        yield name, _VERSION if name == "__version__" else first_line(value)


def _defaults() -> Iterator[tuple[str, str]]:
    """Give the public names that have numbers as defaults, each with these."""
    homes = map(import_module, MODULES)
    values = {name: getattr(home, name) for home in homes for name in home.__all__}
    for name, value in sorted(values.items(), key=lambda each: each[0].lower()):
        if inspect.isroutine(value) or (isinstance(value, type) and is_dataclass(value)):
            given = inspect.signature(value).parameters.values()
            numbers = [
                f"`{each.name}={each.default}`" for each in given if _is_number(each.default)
            ]
            if numbers:
                yield name, ", ".join(numbers)


def _is_number(value: Any) -> bool:
    """Tell a number, or several, from what is none: NaN stands for a value that is not there."""
    if isinstance(value, tuple):
        return any(map(_is_number, value))
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def _techniques() -> list[Any]:
    """Return the entry points of the package's own techniques."""
    found = entry_points(group=ENTRY_POINT_GROUP)
    ours = (point for point in found if point.value.startswith("fair_datasets."))
    return sorted(ours, key=lambda point: point.name.lower())


def _metrics() -> Iterator[tuple[str, str]]:
    """Give the measures that are modules, each with the description on its card."""
    import yaml

    for name, metadata, _ in metric_cards():
        yield name, " ".join(yaml.safe_load(metadata)["description"].split())


def metric_cards() -> Iterator[tuple[str, str, str]]:
    """Give the measures that are modules, each with the metadata and the text of its card."""
    for name in available_metrics():
        yield name, *split_card((metrics_folder() / name / "README.md").read_text("utf-8"))


def commands_of(
    parser: argparse.ArgumentParser, before: str = ""
) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Give words, help and parser of each command; those of a command stand behind it."""
    # argparse has no public way to its commands.
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            parsers: Mapping[str, argparse.ArgumentParser] = action.choices
            for choice in action._choices_actions:
                inner = parsers[choice.dest]
                yield f"{before}{choice.dest}", choice.help or "", inner
                yield from commands_of(inner, f"{before}{choice.dest} ")


def first_line(value: Any) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(value) or "").partition("\n")[0]
