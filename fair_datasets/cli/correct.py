"""The command `correct`: a dataset in, the same without its most biased rows or with swaps out."""

import argparse
import json
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from itertools import count
from typing import TYPE_CHECKING, Any

from fair_datasets.cards.croissant import steps_of
from fair_datasets.cards.statements import family_lines
from fair_datasets.cli.audited import audit_request, refuse_dry_audit
from fair_datasets.cli.correct_arguments import (
    add_arguments,
    checked_settings,
    command_of,
    settings_of,
)
from fair_datasets.cli.file_outputs import FileOutput
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.outputs import Output, name_of, output, written
from fair_datasets.cli.publishing import HubOutput, refuse_unpublishable
from fair_datasets.cli.sources import Opened, open_source, source_of
from fair_datasets.cli.tasks import Task, opened_task, task_of
from fair_datasets.cli.text_columns import check_text_columns
from fair_datasets.correction import Corrected, KeepLabelled, correct
from fair_datasets.correction.card import LEGEND, corrected_card, count_rows, doubts, sentences
from fair_datasets.correction.corpus import corrected
from fair_datasets.correction.settings import Settings
from fair_datasets.correction.splits import TRAIN
from fair_datasets.jobs.applying import ApplyToShard
from fair_datasets.jobs.job import Job, discard
from fair_datasets.report import text_table
from fair_datasets.system.checks import InputError
from fair_datasets.technique.contract import Technique
from fair_datasets.technique.portable import portable

if TYPE_CHECKING:
    from datasets import Dataset, Features

# The columns in which a missing label is told of, where no column is named.
_LABELS = ("label", "gold_label")


def add_parser(commands: Any) -> None:
    """Add the command to the command line.

    Args:
        commands: The parser's sub-parsers.
    """
    parser = commands.add_parser(
        "correct",
        help="leave out, copy or replace the rows with the highest bias scores",
        description="Score the rows by the bias of their words, correct those above a percentile, "
        "and write the corpus with a card that states the counts.",
    )
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Args:
        options: The parsed arguments.

    Raises:
        InputError: An argument or the input is wrong.
    """
    settings = settings_of(options)
    refuse_dry_audit(options)
    if options.dry_run:
        source = source_of(*options.inputs, licence=options.licence)
        splits = load_input(
            source.places, options.text, options.split, config=options.config,
            limit=options.limit, cache=options.cache,
        )  # fmt: skip
        _check(splits, options)
        found = correct(splits, **settings)
        _tell(found, options)
        print("Nothing was written: this was a dry run.", file=_beside(options))
        return
    if options.out is None:
        raise InputError("correct: give what to write with --out, or use --dry-run.")
    out = output(options)
    if isinstance(out, FileOutput) and options.size:
        raise InputError(
            f"correct: --size makes several splits, but --out {options.out} is one file; name a "
            "folder."
        )
    unchanged = opened_task(options, out)
    ending = audit_request(
        options, out, options.text, roles=options.roles, label=options.label, axis=options.axis
    )
    opened = open_source(options, out, options.text, split=options.split, licence=options.licence)
    checked = checked_settings(settings)
    with redirect_stdout(_beside(options)):
        task = task_of(options, out, opened.source, checked.config(), unchanged)
    if task is None:
        return
    ending.check(opened.splits)
    if isinstance(out, HubOutput):
        refuse_unpublishable(
            out, _features(options, checked, opened.splits), opened.source.metadata
        )
    _check(opened.splits, options)
    with task.begun() as (draft, job):
        found = _corrected(opened.splits, checked, options, task, job)
        made: Mapping[str, Dataset] = found.dataset
        features = {split: rows.features for split, rows in made.items()}
        task.write((draft, job), made, dict.fromkeys(made, ApplyToShard()), features)
        for technique in found.techniques:
            draft.write_files(technique.own_files())
        steps = steps_of(portable(technique.config()) for technique in found.techniques)
        section = ending.section(opened.splits, draft, out, opened.source, steps)
        draft.write_card(_card(found, options, settings, opened, out) + section)
    _tell(found, options)
    copies = filter(None, family_lines([technique.config() for technique in found.techniques]))
    print("\n".join([*(f"{line}\n" for line in copies), written(out)]), file=_beside(options))
    with redirect_stdout(_beside(options)):
        ending.tell()


def _corrected(
    splits: "Mapping[str, Dataset]",
    settings: Settings,
    options: argparse.Namespace,
    task: Task,
    job: Job,
) -> Corrected:
    """Correct the rows, in steps that are not done again by a run that goes on."""
    number = count(1)

    def apply(technique: Technique, rows: "Mapping[str, Dataset]") -> "dict[str, Dataset]":
        return task.applied(job, next(number), technique, rows)

    try:
        how = {} if options.num_proc is None else {"num_proc": options.num_proc}
        return corrected(splits, settings, apply, how)
    except InputError:
        # Once the rows or the settings are mended, the steps are those of another job.
        discard(job.folder)
        raise


def _check(splits: "Mapping[str, Dataset]", options: argparse.Namespace) -> None:
    """Refuse columns that cannot be read, and tell of rows without a label that are kept."""
    for split, rows in splits.items():
        where = f"{options.input} (split {split})"
        check_text_columns(rows, options.text, where, options.roles)
    for column in _LABELS if options.label is None else ():
        held = [rows for rows in splits.values() if column in rows.column_names]
        kept = sum(len(KeepLabelled(column=column).apply(rows)) for rows in held)
        lacking = sum(map(len, held)) - kept
        if lacking:
            print(
                f"fair-datasets: {lacking:,} row{' has' if lacking == 1 else 's have'} -, -1 or "
                f"nothing in the column {column!r}; if that is no label, leave them out by "
                f"--label {column}.",
                file=sys.stderr,
            )


def _features(
    options: argparse.Namespace, settings: Settings, splits: "Mapping[str, Dataset]"
) -> "dict[str, Features]":
    """Return the features of the splits that are to be made."""
    features = {name: rows.features for name, rows in splits.items()}
    if settings.correction.kind != "Sub":
        swap = settings.swap_above(0.0)
        features = {name: swap.features(each) for name, each in features.items()}
    if not options.size:
        return features
    return dict.fromkeys([TRAIN, *dict(options.size)], next(iter(features.values())))


def _card(
    found: Corrected,
    options: argparse.Namespace,
    settings: Mapping[str, Any],
    opened: Opened,
    out: Output,
) -> str:
    """Write the card."""
    return corrected_card(
        found,
        title=name_of(out),
        source=opened.source.shown,
        command=command_of(options, opened.source.shown, opened.config),
        reading=opened.source.reading(options.text, options.split, opened.config, options.limit),
        # Any number of processes gives the same files.
        settings={name: each for name, each in settings.items() if name != "num_proc"},
        metadata=opened.source.metadata,
    )


def _tell(found: Corrected, options: argparse.Namespace) -> None:
    """Print the counts, and what is doubtful about them."""
    for doubt in doubts(found):
        print(f"fair-datasets: {doubt}", file=sys.stderr)
    if options.json:
        print(json.dumps(found.summary(), indent=2))
        return
    rows = ", ".join(f"{count:,} {split}" for split, count in found.rows.items())
    print(f"{found.correction.name}. {' '.join(sentences(found))}\n")
    print(f"{text_table(count_rows(found))}\n\n{LEGEND}\n\nRows now: {rows}.\n")


def _beside(options: argparse.Namespace) -> Any:
    """Return where sentences go: beside JSON, to the standard error."""
    return sys.stderr if options.json else sys.stdout
