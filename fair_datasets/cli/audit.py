"""The command `audit`: a dataset in, what there is to know about its fairness out."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.auditing import Audit
from fair_datasets.auditing import audit as audited
from fair_datasets.auditing.rules import read_rules
from fair_datasets.checks import InputError
from fair_datasets.cli.audit_arguments import (
    EXIT_CODES,
    add_arguments,
    other_side,
    settings_of,
    source_words,
    title_of,
    with_project_file,
)
from fair_datasets.cli.errors import BrokenRulesError
from fair_datasets.cli.folders import new_folder, refuse_taken_folder
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.text_columns import check_text_columns

if TYPE_CHECKING:
    from datasets import Dataset

_WRITTEN = frozenset({"audit.html", "audit.json", "audit.parquet"})


def add_parser(commands: Any) -> None:
    """Add the command to the command line.

    Args:
        commands: The parser's sub-parsers.
    """
    parser = commands.add_parser(
        "audit",
        help="tell whom a dataset speaks of, what its labels go with, and what a classifier learns",
        description="Measure a dataset, and a classifier on it, and write what was found as one "
        "page, with its figures as JSON and Parquet; or two of them, and what differs. The options "
        "may stand in [tool.fair_datasets.audit] of a pyproject.toml in the working folder as "
        "well.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Args:
        options: The parsed arguments.

    Raises:
        InputError: An argument, a rule or the input is wrong.
        BrokenRulesError: A rule is broken.
    """
    options = with_project_file(options)
    settings = settings_of(options)
    rules = options.fail_if or []
    read_rules(rules)
    if options.out is None:
        _tell(_audit(options, settings), rules)
        return
    _refuse_taken(options.out, replace=options.overwrite)
    with new_folder(options.out, replace=options.overwrite) as folder:
        found = _audit(options, settings)
        found.save(folder)
    _tell(found, rules, f"\nWritten to {options.out}: open {options.out / 'audit.html'}")


def _audit(options: argparse.Namespace, settings: dict[str, Any]) -> Audit:
    """Audit what is given, and compare it with what it is to be compared with."""
    splits = _read(options, options.inputs, settings)
    found = audited(splits, title=title_of(options), source=source_words(options), **settings)
    other = other_side(options, settings)
    if other is None:
        return found
    options, settings = other
    title = title_of(options)
    if options.against is None:
        title += f", {settings['model'] or settings['predictions']}"
    else:
        splits = _read(options, options.inputs, settings)
    return found.compare(audited(splits, title=title, source=source_words(options), **settings))


def _read(
    options: argparse.Namespace, inputs: list[str], settings: dict[str, Any]
) -> "Mapping[str, Dataset]":
    """Read rows."""
    splits: Mapping[str, Dataset] = load_input(
        inputs, settings["columns"], options.split, config=options.config, limit=options.limit,
        cache=options.cache,
    )  # fmt: skip
    for split, rows in splits.items():
        where = f"{', '.join(inputs)} (split {split})"
        check_text_columns(rows, settings["columns"], where, settings.get("roles", ()))
    return splits


def _tell(found: Audit, rules: list[str], written: str = "") -> None:
    """Print the findings, and raise if a rule is broken."""
    print(f"{found}{written and chr(10)}{written}")
    if broken := found.check(rules):
        raise BrokenRulesError("\n".join([f"{len(broken)} of {len(rules)} rules broken:", *broken]))


def _refuse_taken(folder: Path, *, replace: bool) -> None:
    """Raise if something would be lost: with leave to replace, anything but an audit."""
    if not (replace and folder.is_dir()):
        refuse_taken_folder(folder)
        return
    foreign = sorted(path.name for path in folder.iterdir() if path.name not in _WRITTEN)
    if foreign:
        raise InputError(
            f"{folder / foreign[0]} was not written by an audit and would be lost; name another "
            "folder."
        )
