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
    "fair_datasets.rewriters": "Training rewriters. See [MBCDA](mbcda.md).",
    "fair_datasets.scores": "Training the models that score rows. See [diet](diet.md).",
    "fair_datasets.models": "Word vectors and directions. See [correct](correct.md).",
    "fair_datasets.evaluation": "Comparing rewriters, corpora and encoders.",
    "fair_datasets.measures": "Every measure as a function of arrays. See [measures](measures.md).",
    "fair_datasets.auditing": "What an audit says. See [audit](audit.md).",
    "fair_datasets.hub": "Publishing and pulling. See [the Hub](hub.md).",
    "fair_datasets.lexicons": "The word lists. See [your own words](lexicons.md).",
    "fair_datasets.reader": "Tags for words. See [the reader](reader.md).",
    "fair_datasets.cards": "What the card of a dataset or a model says.",
    "fair_datasets.cards.report": "Tables as text, and pictures.",
    "fair_datasets.rows": "The texts in rows.",
    "fair_datasets.technique": "What every technique extends. See [techniques](techniques.md).",
    "fair_datasets.testing": "Writing a technique. See [techniques](techniques.md).",
    "fair_datasets.swap.rewriting": "Writing a rewriter. See [techniques](techniques.md).",
    "fair_datasets.swap.verification": "Whether a rewrite says the same of somebody else.",
    "fair_datasets.selection.diet": "The healthy data diet. See [diet](diet.md).",
    "fair_datasets.selection.correction": "Corrected corpora. See [correct](correct.md).",
    "fair_datasets.rewriters.mbcda": "The training of a rewriter. See [MBCDA](mbcda.md).",
    "fair_datasets.rewriters.fairflow": "A lexicon from two words. See [FairFlow](fairflow.md).",
    "fair_datasets.evaluation.counterfactuals": "Comparing rewriters and corpora.",
    "fair_datasets.evaluation.encoders": "Comparing encoders. See [correct](correct.md).",
}
_CONSTANTS = {
    "__version__": "The version of the package.",
    "ABLATIONS": "The six systems of the paper: what their generators are trained on.",
    "CAREERS": "An association test: women and men, and careers that people expect of them.",
    "GENDER_TESTS": "The tests of SEAT on gender: C6 to C8, with names and with terms.",
    "MEASURES": "Each measure of an audit, with its meaning.",
    "PLEASANTNESS": "An association test: women and men, and pleasant and unpleasant words.",
    "RETENTION_TESTS": "The tests of SEAT that have nothing to do with gender: C1 and C2.",
    "SENTENCE_TESTS": "All tests of SEAT that `evaluate_encoders` makes by default.",
    "VARIANTS": "The variants of FairFlow: which words are swapped, and if swaps are corrected.",
}
_START = """\
# Public names

Every name that you may rely on, with one line: Python, techniques, measures and commands.

`help(NAME)` in Python and `fair-datasets COMMAND --help` in a shell tell you more.
A name that is not here may change without notice. This page is made by
`python -m fair_datasets.docs.build`.
"""
_TECHNIQUES = f"""\
`load_technique` rebuilds each technique by its name in a configuration. Register your own under the
entry-point group `{ENTRY_POINT_GROUP}`."""
_METRICS = """\
`load_metric` loads each measure as a module of `evaluate`. `metrics/NAME/README.md` says how it is
computed and what it cannot show."""
_DEFAULTS = """\
The default values of settings that are numbers; the changelog says when one changes. `help(NAME)`
explains each setting, also those that are not numbers."""
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
    cells = ((f"`{name}`", line.replace("|", "\\|")) for name, line in lines)
    return "\n".join(table([kind, told], cells))


def _names(module: str) -> Iterator[tuple[str, str]]:
    """Give the public names of a module, each with the first line of its docstring."""
    home = import_module(module)
    for name in sorted(home.__all__, key=str.lower):
        value = getattr(home, name)
        yield name, _CONSTANTS.get(name) or first_line(value)


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
