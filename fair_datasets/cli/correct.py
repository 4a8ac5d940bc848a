"""The command `correct`: a dataset in, the same without its most biased rows or with swaps out."""

import sys
from collections import ChainMap
from collections.abc import Mapping
from contextlib import redirect_stdout
from itertools import count
from typing import Annotated, Any

from datasets import Dataset, Features

from fair_datasets.cards.croissant import steps_of
from fair_datasets.cards.report import text_table
from fair_datasets.cards.statements import family_lines
from fair_datasets.cli.audited import Audited, refuse_dry_audit
from fair_datasets.cli.columns import check_splits_texts
from fair_datasets.cli.groups import (
    Axis,
    Family,
    Input,
    Licence,
    Processes,
    Protect,
    Replacing,
    Scoring,
    Shards,
    Texts,
)
from fair_datasets.cli.inputs import load_given
from fair_datasets.cli.option_types import COL, NAME, SIZE, VECTORS
from fair_datasets.cli.outputs import output
from fair_datasets.cli.pipeline import Pipeline, opened
from fair_datasets.cli.sources import source_of
from fair_datasets.cli.tasks import Task
from fair_datasets.jobs.job import Job, discard
from fair_datasets.selection.correction import Corrected, KeepLabelled, correct
from fair_datasets.selection.correction.card import (
    LEGEND,
    corrected_card,
    correction_warnings,
    count_rows,
    sentences,
)
from fair_datasets.selection.correction.corpus import corrected
from fair_datasets.selection.correction.settings import TRAIN, Correction, Settings
from fair_datasets.system.checks import InputError, invalid
from fair_datasets.system.files import indented
from fair_datasets.system.portable import portable
from fair_datasets.technique.contract import Technique

# The columns in which a missing label is told of, where no column is named.
_LABELS = ("label", "gold_label")


class Correct(
    Input, Texts, Scoring, Axis, Protect, Family, Processes, Shards, Replacing, Licence, Audited
):
    """Leave out, copy or replace the rows with the highest bias scores.

    The rows are scored by the bias of their words, those above a percentile are corrected, and the
    corpus is written with a card that states the counts.

    Attributes:
        split: The one split to work on (default: all).
        correction: What to do with the rows above a percentile of the scores of all splits
            together, such as Sub95 or Aug92.5: Sub: they are left out; Aug: they get a swapped
            copy; Rep: they are replaced by their swap; RepSub: so they are, and rows that are still
            above are left out if only one of their words is among the most biased. The paper's are
            Sub and Aug with 97, 95, 93 and 90.
        score_column: The column with the scores (default: bias_score, with --centred
            bias_score_centred).
        vectors: Word vectors that score the rows: GloVe or word2vec text or binary, .npz, or a Hub
            id (default: the rows have scores, in --score-column).
        label: The column with the gold label: rows without one (-, -1 or nothing) are left out
            before the percentile is taken (default: every row is kept).
        swap_axis: A .tsv file of your own whose words are swapped (default: those of --axis).
        size: Pool all rows and divide them again: N rows (a share, if N is below 1) go to SPLIT,
            and the rest to train; repeat it, as the paper does with validation=10000 and test=10000
            (default: the splits stay).
        group_split: With --size: keep rows with the same first text, such as a row and its copy, in
            one split (the default); --no-group-split shuffles row by row, as the paper does.
        dry_run: Count what would be done, and write nothing.
        json: Print the counts as JSON.
    """

    COMMON = "text correction vectors label dry_run out"

    split: Annotated[str, "SPLIT"] | None = None
    correction: NAME
    score_column: COL | None = None
    vectors: VECTORS | None = None
    label: COL | None = None
    swap_axis: VECTORS | None = None
    size: tuple[SIZE, ...] = ()
    group_split: bool = True
    dry_run: bool = False
    json: bool = False

    def run(self) -> None:
        """Run the command."""
        settings, scoring = settings_of(self)
        refuse_dry_audit(self)
        if self.dry_run:
            source = source_of(*self.inputs, licence=self.licence)
            splits = load_given(self, self.text, self.split, places=source.places)
            _check(splits, self)
            result = correct(splits, num_proc=self.num_proc, **settings, **scoring)
            _print_counts(result, self)
            print("Nothing was written: this was a dry run.", file=_message_stream(self))
            return
        out = output(self)
        if out.file and self.size:
            raise invalid(
                f"--size makes several splits, but --out {self.out} is one file; name a folder."
            )
        audited = {"roles": self.roles, "label": self.label, "axis": self.axis}
        rows = opened(self, self.text, out=out, split=self.split, audited=audited)
        checked = Settings.checked(**settings, scoring=scoring)
        with redirect_stdout(_message_stream(self)):
            task = rows.task(checked.config())
        if task is None:
            return
        rows.audit.check(rows.splits)
        features = _features(self, checked, rows.splits)
        out.refuse_unwritable(features, self.input, rows.source.metadata)
        _check(rows.splits, self)
        with task.begun() as job:
            result = _corrected(rows.splits, checked, self, task, job)
            task.copy(job, result.dataset)
            steps = steps_of(portable(technique.config()) for technique in result.techniques)
            section = rows.audit.section(rows.splits, job.folder, out, rows.source, steps)
            files = ChainMap(*(technique.own_files() for technique in result.techniques))
            task.write_beside(job, _card(result, rows, {**settings, **scoring}) + section, files)
        _print_counts(result, self)
        copies = filter(None, family_lines([technique.config() for technique in result.techniques]))
        print(
            "\n".join([*(f"{line}\n" for line in copies), out.written()]),
            file=_message_stream(self),
        )
        with redirect_stdout(_message_stream(self)):
            rows.audit.report()


def _corrected(
    splits: Mapping[str, Dataset], settings: Settings, options: Correct, task: Task, job: Job
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


def _check(splits: Mapping[str, Dataset], options: Correct) -> None:
    """Refuse columns that cannot be read, and tell of rows without a label that are kept."""
    check_splits_texts(options, splits)
    for column in _LABELS if options.label is None else ():
        held = [rows for rows in splits.values() if column in rows.column_names]
        labelled = sum(len(KeepLabelled(column=column).apply(rows)) for rows in held)
        if lacking := sum(map(len, held)) - labelled:
            print(
                f"fair-datasets: {lacking:,} row{' has' if lacking == 1 else 's have'} -, -1 or "
                f"nothing in the column {column!r}; if that means that there is no label, leave "
                f"these rows out by --label {column}.",
                file=sys.stderr,
            )


def _features(
    options: Correct, settings: Settings, splits: Mapping[str, Dataset]
) -> dict[str, Features]:
    features = {name: rows.features for name, rows in splits.items()}
    if settings.correction.kind != "Sub":
        swap = settings.swap_above(0.0)
        features = {name: swap.features(each) for name, each in features.items()}
    if not options.size:
        return features
    return dict.fromkeys([TRAIN, *dict(options.size)], next(iter(features.values())))


def _card(result: Corrected, rows: Pipeline, settings: Mapping[str, Any]) -> str:
    options = rows.options
    return corrected_card(
        result,
        title=rows.out.title,
        source=rows.source.shown,
        command=rows.again(),
        reading=rows.source.reading(options.text, options.split, rows.config, options.limit),
        settings=settings,
        metadata=rows.source.metadata,
    )


def _print_counts(result: Corrected, options: Correct) -> None:
    """Print the counts, and what is doubtful about them."""
    for doubt in correction_warnings(result):
        print(f"fair-datasets: {doubt}", file=sys.stderr)
    if options.json:
        print(indented(result.summary()))
        return
    rows = ", ".join(f"{count:,} {split}" for split, count in result.rows.items())
    print(f"{result.correction.name}. {' '.join(sentences(result))}\n")
    print(f"{text_table(count_rows(result))}\n\n{LEGEND}\n\nRows now: {rows}.\n")


def _message_stream(options: Correct) -> Any:
    """Return where sentences go: beside JSON, to the standard error."""
    return sys.stderr if options.json else sys.stdout


_SCORING = ("vectors", "encoder", "direction", "axis", "pipeline", "reader", "centred")


def settings_of(options: Correct) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what `correct` is told, and what scores the rows."""
    sized = [name for name, _ in options.size]
    for name in sized:
        if sized.count(name) > 1:
            raise invalid(f"--size {name} is given twice; give it once.")
    if not options.group_split and not options.size:
        raise invalid(
            "--no-group-split says how rows are divided anew, but nothing asks for that; "
            "add --size, such as --size test=10000, or leave it out."
        )
    flags = ("swap_axis", "names", "protect", "provenance", "family")
    useless = options.given("no_protect", *flags)
    if Correction.named(options.correction).kind == "Sub" and useless:
        raise invalid(
            f"{useless[0]} says how rows are rewritten, but {options.correction} rewrites "
            "none; leave it out."
        )
    scoring = {name: value for name in _SCORING if (value := getattr(options, name))}
    swap = {"axis": options.swap_axis, "names": options.names, "protect": options.protected,
            "provenance": options.provenance or None, "family": options.family}  # fmt: skip
    same = ("correction", "label", "score_column", "group_split", "seed")
    settings = {
        "columns": options.text, "roles": options.roles,
        "swap": {name: value for name, value in swap.items() if value is not None},
        "sizes": dict(options.size) or None,
        **{name: getattr(options, name) for name in same},
    }  # fmt: skip
    return settings, scoring
