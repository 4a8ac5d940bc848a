"""The command `audit`: a dataset in, what there is to know about its fairness out."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.auditing import Audit
from fair_datasets.auditing import audit as audited
from fair_datasets.auditing.evidence import (
    AUDIT_FILES,
    SCENARIOS,
    read_scenarios,
    refuse_other_files,
    write_evidence,
)
from fair_datasets.auditing.rules import read_rules
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.auditing.terminal import figure_lines
from fair_datasets.cli.audit_arguments import (
    EXIT_CODES,
    add_arguments,
    column_list,
    other_side,
    settings_of,
    source_words,
    title_of,
    with_project_file,
)
from fair_datasets.cli.audited import (
    Side,
    empty_told,
    sides_croissant,
    stated_card,
    write_croissant,
)
from fair_datasets.cli.errors import BrokenRulesError
from fair_datasets.cli.file_outputs import new_folder, refuse_taken_folder
from fair_datasets.cli.inputs import load_given
from fair_datasets.cli.sources import source_of
from fair_datasets.cli.text_columns import check_text_columns
from fair_datasets.rows.column_checks import present
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

_OF_WENT = ("dropped", "reason", "id_column")


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "audit",
        help="tell whom a dataset mentions, which labels go with whom, what a classifier learns",
        description="Measure a dataset, and a classifier on it, and write the findings as one "
        "page, with its figures as JSON and Parquet. With --against, compare two datasets. You can "
        "also put the options into the pyproject.toml of the working folder, under "
        "[tool.fair_datasets.audit].",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Raises:
        InputError: An argument, a rule or the input is wrong.
        BrokenRulesError: A rule is broken.
    """
    options = with_project_file(options)
    settings = settings_of(options)
    if options.against is None and (options.dropped or options.reason or options.id_column):
        raise InputError(
            "audit: --dropped, --reason and --id are about rows that were dropped; name what INPUT "
            "became with --against."
        )
    rules = options.fail_if or []
    read_rules(rules)
    shown = figure_lines if options.list_figures else str
    if options.evidence is not None:
        _write_evidence(options, settings, rules, shown)
        return
    if options.out is None:
        _tell(_compared(_sides(options, settings)), rules, shown)
        return
    _refuse_taken(options.out, replace=options.overwrite)
    stated = stated_card()
    with new_folder(options.out, replace=options.overwrite) as folder:
        sides = _sides(options, settings)
        found = _compared(sides)
        found.save(folder)
        croissant = sides_croissant(found, sides, options.out, stated)
        write_croissant(croissant, folder)
    _tell(found, rules, shown, _written(options.out, croissant))


def _write_evidence(
    options: argparse.Namespace,
    settings: dict[str, Any],
    rules: list[str],
    shown: Callable[[Audit], str],
) -> None:
    """Audit, and write the evidence beside the scenarios that lie in its folder."""
    place, stated = options.evidence, stated_card()
    file = place / SCENARIOS
    scenarios, text = None, ""
    refuse_other_files(place)
    if file.is_file():
        scenarios, text = read_scenarios(file), file.read_text("utf-8")
    has_more = place.is_dir() and any(path.name != SCENARIOS for path in place.iterdir())
    if has_more and not options.overwrite:
        raise InputError(
            f"{place} already contains evidence, and nothing is overwritten; replace it with "
            f"--overwrite, which keeps {SCENARIOS}, or name another folder."
        )
    # What lies there is kept, or was seen to be written by an audit.
    with new_folder(place, replace=place.is_dir()) as folder:
        sides = _sides(options, settings)
        found = _compared(sides)
        croissant = sides_croissant(found, sides, place, stated)
        write_evidence(found, folder, croissant, scenarios, text)
    told = _written(place, croissant)
    if scenarios is None:
        told += f"\n\n{file} is a draft: fill it in, and run this again with --overwrite."
    _tell(found, rules, shown, told)


def _written(folder: Path, croissant: Mapping[str, Any]) -> str:
    """Say what was written, and what its metadata leave empty."""
    page = f"\nWritten to {folder}: open {folder / 'audit.html'}"
    return "\n\n".join(filter(None, [page, empty_told(croissant)]))


def _sides(options: argparse.Namespace, settings: dict[str, Any]) -> list[Side]:
    """Read what is given, and what it is to be compared with, before either is audited."""
    sides = [_read(options, settings)]
    if (other := other_side(options, sides[0].settings)) is not None:
        if options.against is None:
            sides.append(sides[0]._replace(settings=other[1]))
            _check(sides[0].splits, *other)
        else:
            sides.append(_read(*other))
    return sides


def _compared(sides: Sequence[Side]) -> Audit:
    """Audit what is given, and compare it with what it is to be compared with."""
    found: Audit | None = None
    for options, settings, splits, _ in sides:
        title = title_of(options)
        if found and options.against is None:
            title += f", {settings['model'] or settings['predictions']}"
        source = source_words(options)
        went = {name: getattr(options, name) for name in _OF_WENT} if found else {}
        found = audited(splits, title=title, source=source, before=found, **went, **settings)
    if found is None:
        raise AssertionError("there is no side to audit")
    return found


def _read(options: argparse.Namespace, settings: dict[str, Any]) -> Side:
    """Read rows, and refuse what could not be audited."""
    is_told = (options.out or options.evidence) is not None and options.cache is None
    source = source_of(*options.inputs) if is_told else None
    settings = dict(settings)
    splits = load_given(options, settings["columns"], options.split)
    if "groups" in settings:
        names = {name for rows in splits.values() for name in rows.column_names}
        settings["groups"] = column_list(settings["groups"], names)
    _check(splits, options, settings)
    return Side(options, settings, splits, source)


def _check(
    splits: "Mapping[str, Dataset]", options: argparse.Namespace, settings: dict[str, Any]
) -> None:
    """Refuse what could not be audited."""
    checked = AuditSettings(**settings)
    for split, rows in splits.items():
        where = f"{options.input} (split {split})"
        check_text_columns(rows, settings["columns"], where, settings.get("roles", ()))
        present(checked.named, rows.column_names, owner=where)


def _tell(found: Audit, rules: list[str], shown: Callable[[Audit], str], written: str = "") -> None:
    """Print the findings or the figures, and raise if a rule is broken."""
    print(f"{shown(found)}{written and chr(10)}{written}")
    if broken := found.check(rules):
        raise BrokenRulesError("\n".join([f"{len(broken)} of {len(rules)} rules broken:", *broken]))


def _refuse_taken(folder: Path, *, replace: bool) -> None:
    """Raise if something would be lost: with leave to replace, anything but an audit."""
    if not (replace and folder.is_dir()):
        refuse_taken_folder(folder)
        return
    foreign = sorted(path.name for path in folder.iterdir() if path.name not in AUDIT_FILES)
    if foreign:
        raise InputError(
            f"{folder / foreign[0]} was not written by an audit and would be lost; name another "
            "folder."
        )
