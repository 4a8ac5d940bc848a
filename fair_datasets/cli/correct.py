"""The command `correct`: a dataset in, the same without its most biased rows or with swaps out."""

import argparse
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import fields
from itertools import count
from typing import Any

from datasets import Dataset, Features

from fair_datasets.cards.croissant import steps_of
from fair_datasets.cards.report import text_table
from fair_datasets.cards.statements import family_lines
from fair_datasets.cli.audited import add_audit, audit_request, refuse_dry_audit
from fair_datasets.cli.columns import check_text_columns
from fair_datasets.cli.inputs import add_input, load_given
from fair_datasets.cli.outputs import (
    HubOutput,
    Output,
    add_out,
    name_of,
    output,
    refuse_unpublishable,
    written,
)
from fair_datasets.cli.parsers import add_scoring, add_shared, command_again, option
from fair_datasets.cli.sources import Opened, open_source, source_of
from fair_datasets.cli.tasks import Task, add_job, opened_task, task_of
from fair_datasets.jobs.file_outputs import FileOutput
from fair_datasets.jobs.job import Job, discard
from fair_datasets.jobs.rewriting import ApplyToShard
from fair_datasets.selection.correction import Corrected, KeepLabelled, correct
from fair_datasets.selection.correction.card import (
    LEGEND,
    corrected_card,
    count_rows,
    doubts,
    sentences,
)
from fair_datasets.selection.correction.corpus import corrected
from fair_datasets.selection.correction.settings import (
    KINDS,
    PUBLISHED,
    TRAIN,
    Correction,
    Settings,
)
from fair_datasets.system.checks import InputError, invalid, positive_whole_number
from fair_datasets.system.files import indented
from fair_datasets.system.portable import portable
from fair_datasets.technique.contract import Technique

# The columns in which a missing label is told of, where no column is named.
_LABELS = ("label", "gold_label")


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "correct",
        help="leave out, copy or replace the rows with the highest bias scores",
        description="Score the rows by the bias of their words, correct those above a percentile, "
        "and write the corpus with a card that states the counts.",
    )
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command."""
    settings = settings_of(options)
    refuse_dry_audit(options)
    if options.dry_run:
        source = source_of(*options.inputs, licence=options.licence)
        splits = load_given(options, options.text, options.split, places=source.places)
        _check(splits, options)
        found = correct(splits, **settings)
        _tell(found, options)
        print("Nothing was written: this was a dry run.", file=_beside(options))
        return
    if options.out is None:
        raise invalid("name the output with --out, or use --dry-run.")
    out = output(options)
    if isinstance(out, FileOutput) and options.size:
        raise invalid(
            f"--size makes several splits, but --out {options.out} is one file; name a folder."
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
    splits: Mapping[str, Dataset],
    settings: Settings,
    options: argparse.Namespace,
    task: Task,
    job: Job,
) -> Corrected:
    """Correct the rows, in steps that are not done again by a run that goes on."""
    number = count(1)

    def apply(technique: Technique, rows: Mapping[str, Dataset]) -> dict[str, Dataset]:
        return task.applied(job, next(number), technique, rows)

    try:
        how = {} if options.num_proc is None else {"num_proc": options.num_proc}
        return corrected(splits, settings, apply, how)
    except InputError:
        # Once the rows or the settings are mended, the steps are those of another job.
        discard(job.folder)
        raise


def _check(splits: Mapping[str, Dataset], options: argparse.Namespace) -> None:
    """Refuse columns that cannot be read, and tell of rows without a label that are kept."""
    for split, rows in splits.items():
        where = f"{options.input} (split {split})"
        check_text_columns(rows, options.text, where, options.roles)
    for column in _LABELS if options.label is None else ():
        held = [rows for rows in splits.values() if column in rows.column_names]
        kept = sum(len(KeepLabelled(column=column).apply(rows)) for rows in held)
        if lacking := sum(map(len, held)) - kept:
            print(
                f"fair-datasets: {lacking:,} row{' has' if lacking == 1 else 's have'} -, -1 or "
                f"nothing in the column {column!r}; if that means that there is no label, leave "
                f"these rows out by --label {column}.",
                file=sys.stderr,
            )


def _features(
    options: argparse.Namespace, settings: Settings, splits: Mapping[str, Dataset]
) -> dict[str, Features]:
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
    return corrected_card(
        found,
        title=name_of(out),
        source=opened.source.shown,
        command=command_again(options, opened.source.shown, opened.config),
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
        print(indented(found.summary()))
        return
    rows = ", ".join(f"{count:,} {split}" for split, count in found.rows.items())
    print(f"{found.correction.name}. {' '.join(sentences(found))}\n")
    print(f"{text_table(count_rows(found))}\n\n{LEGEND}\n\nRows now: {rows}.\n")


def _beside(options: argparse.Namespace) -> Any:
    """Return where sentences go: beside JSON, to the standard error."""
    return sys.stderr if options.json else sys.stdout


_SCORING = ("vectors", "encoder", "direction", "axis", "pipeline", "reader", "centred")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_input(parser)
    add_shared(parser, "text", "roles")
    option(parser, "--split", "the one split to work on (default: all)")
    kinds = "; ".join(f"{kind}: {what}" for kind, what in KINDS.items())
    option(parser, "--correction NAME", "what to do with the rows above a percentile of the scores "
           f"of all splits together, such as Sub95 or Aug92.5. {kinds}. The paper's are "
           f"{', '.join(PUBLISHED)}", required=True)  # fmt: skip
    _add_scoring(parser)
    option(parser, "--label COL", "the column with the gold label: rows without one (-, -1 or "
           "nothing) are left out before the percentile is taken (default: every row is "
           "kept)")  # fmt: skip
    _add_swapping(parser)
    _add_division(parser)
    add_shared(parser, "seed", "num_proc")
    add_job(parser)
    option(parser, "--dry-run", "count what would be done, and write nothing", bool)
    option(parser, "--json", "print the counts as JSON", bool)
    add_out(parser, required=False, overwrite=True)
    add_shared(parser, "licence")
    add_audit(parser)


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return what `correct` is told."""
    if options.num_proc is not None:
        positive_whole_number(options.num_proc, parameter="--num-proc")
    sized = [name for name, _ in options.size or ()]
    for name in sized:
        if sized.count(name) > 1:
            raise invalid(f"--size {name} is given twice; give it once.")
    if not options.group_split and not options.size:
        raise invalid(
            "--no-group-split says how rows are divided anew, but nothing asks for that; "
            "add --size, such as --size test=10000, or leave it out."
        )
    told = ("swap_axis", "names", "protect", "provenance", "family")
    useless = options.parser.given(options, told)
    if Correction.named(options.correction).kind == "Sub" and useless:
        raise invalid(
            f"{useless[0]} says how rows are rewritten, but {options.correction} rewrites "
            "none; leave it out."
        )
    scoring = {name: value for name in _SCORING if (value := getattr(options, name))}
    swap = {"axis": options.swap_axis, "names": options.names, "protect": options.protect,
            "provenance": options.provenance or None, "family": options.family}  # fmt: skip
    same = ("correction", "label", "score_column", "group_split", "seed", "num_proc")
    return {
        "columns": tuple(options.text), "roles": tuple(options.roles),
        "swap": {name: value for name, value in swap.items() if value is not None},
        "sizes": dict(options.size or ()) or None,
        **{name: getattr(options, name) for name in same}, **scoring,
    }  # fmt: skip


def checked_settings(settings: Mapping[str, Any]) -> Settings:
    """Check what `correct` is to be told, before any work is done for it."""
    own = {item.name for item in fields(Settings)} - {"score"}
    named = {name: value for name, value in settings.items() if name in own}
    others = {name: value for name, value in settings.items() if name not in {*own, "num_proc"}}
    return Settings.checked(**named, scoring=others)


def _add_scoring(parser: argparse.ArgumentParser) -> None:
    add_scoring(parser, "score the rows", " (default: the rows have scores, in --score-column)")
    option(parser, "--axis", "the axis", usual="gender")
    add_shared(parser, "pipeline", "reader")
    option(parser, "--score-column COL", "the column with the scores (default: bias_score, with "
           "--centred bias_score_centred)")  # fmt: skip


def _add_swapping(parser: argparse.ArgumentParser) -> None:
    option(parser, "--swap-axis FILE", "a .tsv file of your own whose words are swapped (default: "
           "those of --axis)")  # fmt: skip
    add_shared(parser, "names", "protect", "provenance", "family")


def _add_division(parser: argparse.ArgumentParser) -> None:
    """Add how rows are divided."""
    option(parser, "--size SPLIT=N", "pool all rows and divide them again: N rows (a share, if N "
           "is below 1) go to SPLIT, and the rest to train; repeat it, as the paper does with "
           "validation=10000 and test=10000 (default: the splits stay)", list,
           type=_size)  # fmt: skip
    option(parser, "--group-split", "with --size: keep rows with the same first text, such as a "
           "row and its copy, in one split (the default); --no-group-split shuffles row by row, as "
           "the paper does", argparse.BooleanOptionalAction, default=True)  # fmt: skip


def _size(given: str) -> tuple[str, float]:
    name, _, number = given.partition("=")
    try:
        size = float(number)
    except ValueError:
        size = 0.0
    if name == TRAIN:
        raise argparse.ArgumentTypeError(
            f"{given!r}: {TRAIN} gets the rest of the rows; give the sizes of the other splits"
        )
    is_count = size >= 1 and size.is_integer()
    if not name or not (is_count or 0 < size < 1):
        raise argparse.ArgumentTypeError(
            f"{given!r} must name a split and its number or share of rows, such as test=10000"
        )
    return name, int(size) if is_count else size
