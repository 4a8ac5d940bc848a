"""The command `augment`: a dataset in, its counterfactually augmented twin out."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from datasets import Dataset, Features

from fair_datasets.cards import Sample, SplitCounts, dataset_card
from fair_datasets.cards.croissant import steps_of
from fair_datasets.cards.report import count_table
from fair_datasets.cards.statements import (
    agreement,
    all_fell_back,
    experiments,
    family_lines,
    known_people,
)
from fair_datasets.cli.audited import Audited, refuse_dry_audit
from fair_datasets.cli.augment_arguments import (
    Served,
    Technique,
    check_served,
    command_of,
    is_served,
    keeping_answers,
    print_cost,
    technique_of,
)
from fair_datasets.cli.columns import check_splits, check_text_columns, rewritten_splits
from fair_datasets.cli.groups import Licence, Replacing, Shards
from fair_datasets.cli.inputs import batches, head, is_in_place, load_given, rows_in_place
from fair_datasets.cli.option_types import COL
from fair_datasets.cli.outputs import Output, output
from fair_datasets.cli.pipeline import opened
from fair_datasets.cli.preview import edited_rows, show_changes, skipped_output, write_skipped
from fair_datasets.cli.sources import source_of
from fair_datasets.cli.tasks import Task
from fair_datasets.jobs.processes import ENGINES, engine_named
from fair_datasets.jobs.rewriting import RewriteShard, total_counts
from fair_datasets.lexicons import load_lexicon
from fair_datasets.rows.column_checks import free, present
from fair_datasets.rows.given import SPLIT_NAME
from fair_datasets.selection.splits import held_out
from fair_datasets.swap.preferences import TIES
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.system.checks import InputError, counted, error_context, format_choices, invalid
from fair_datasets.system.portable import portable
from fair_datasets.system.validate import Natural, OneOf
from fair_datasets.technique.contract import own_code, uninstalled_classes
from fair_datasets.technique.lexical import LexicalTechnique

_AUDITED = ("roles", "axis", "names", "pipeline", "reader", "min_confidence")


class Augment(Technique, Served, Shards, Replacing, Licence, Audited):
    """Rewrite the terms of a demographic axis to their counterparts.

    Texts may be rewritten as another --technique does, too. The result is written as a Parquet
    folder that load_dataset opens or as one file, or published on the Hub.

    Attributes:
        engine: Local: --num-proc processes here; ray: --num-proc actors of the Ray cluster that
            RAY_ADDRESS names, or of one here that ends with the command.
        dry_run: Show the first changes and write nothing.
        left: List in this file the rows that the swap leaves alone, with the reasons; this reads
            the rows once more.
        samples: Show the edits of the first N changed rows in the card; their texts are published
            with it.
        audit_label: With --audit: the column with the class of each row, on which a probe is
            trained.
    """

    COMMON = "text axis mode target dry_run out"

    engine: Annotated[str, OneOf(ENGINES)] = "local"
    dry_run: bool = False
    left: Annotated[str, "FILE"] | None = None
    samples: Natural = 0
    audit_label: COL | None = None

    def run(self) -> None:
        """Run the command."""
        technique = technique_of(self)
        check_served(self, technique)
        engine = engine_named(self.engine, self.num_proc or 1, [technique])
        refuse_dry_audit(self)
        left_file = skipped_output(self, technique)
        if self.dry_run:
            _preview(self, technique)
            return
        out = _output(self)
        audited = {name: getattr(technique, name, None) for name in _AUDITED}
        audited |= {"label": self.audit_label}
        read = self.split if out.file else None
        rows = opened(self, technique.columns, out=out, audited=audited, split=read, in_place=True)
        source, splits = rows.source, rows.splits
        names = rewritten_splits(splits, self.split, self.test_size, source=self.input)
        if self.audit is not None and is_in_place(self.inputs):
            raise invalid(
                "--audit reads all rows at once, but these are read in place, shard by shard; "
                "leave it out, and audit the result."
            )
        settings = {**technique.config(), **own_code(technique)}
        task = rows.task(settings, engine=engine, keeps_more=is_served(technique))
        if task is None and left_file is None:
            return
        reading = source.reading(technique.columns, read, rows.config, self.limit)
        if self.test_size is not None:
            splits, lines = _held_out(splits, names[0], technique, self)
            reading += lines
        if task is not None:
            rows.audit.check(splits)
            with keeping_answers(technique, self, out) as cache:
                augment(
                    splits, cache, task, names, source=source.shown, metadata=source.metadata,
                    command=command_of(self, technique, source.shown, rows.config),
                    samples=self.samples, reading=reading,
                    section=lambda made: rows.audit.section(
                        splits, made, out, source, steps_of([portable(technique.config())])
                    ),
                )  # fmt: skip
        if left_file is not None:
            rewritten = {name: splits[name] for name in names}
            listed = write_skipped(left_file, rewritten, technique, source.shown)
            print(
                f"\nWrote {left_file}: {counted(listed, 'line')}, one for each row left and "
                "each of its reasons."
            )
        rows.audit.report()


def _output(options: Augment) -> Output:
    """Return where the result goes, or raise unless it can hold what is asked for."""
    out = output(options)
    if out.file and (options.samples or options.licence):
        raise invalid(
            "--samples and --licence are for the card, and a single file has none; leave "
            "them out, or name a folder with --out."
        )
    check_splits(options, out)
    return out


def _held_out(
    splits: Mapping[str, Dataset], split: str, technique: Rewriter, options: Augment
) -> tuple[Mapping[str, Dataset], list[str]]:
    """Hold test rows out of a split, and write the code that does so."""
    settings: dict[str, Any] = {
        "columns": list(technique.columns), "roles": list(technique.roles),
        "id_column": technique.id_column, "seed": technique.seed,
    }  # fmt: skip
    new_splits = held_out(splits, split, options.test_size or 0, source=options.input, **settings)
    given = "".join(f", {name}={value!r}" for name, value in settings.items() if value)
    call = f"held_out(dataset, {split!r}, {options.test_size!r}{given})"
    return new_splits, ["from fair_datasets.selection.splits import held_out", f"dataset = {call}"]


def _preview(options: Augment, technique: Rewriter) -> None:
    """Show the first changes."""
    # A card that cannot be read is told before datasets reads it.
    source_of(*options.inputs, licence=options.licence)
    check_splits(options, None)
    if is_in_place(options.inputs):
        stream: Any = rows_in_place(options, options.split)
    else:
        is_whole = options.test_size is not None
        stream = load_given(options, technique.columns, options.split, streaming=not is_whole)
    if options.test_size is not None:
        names = rewritten_splits(stream, options.split, options.test_size, source=options.input)
        divided, _ = _held_out(stream, names[0], technique, options)
        stream = {name: divided[name] for name in names}
    if is_served(technique):
        print_cost(options, technique, stream, options.input)
    else:
        for split, rows in stream.items():
            show_changes(split, rows, technique, source=options.input)
        if technique.mode in TIES:
            chosen, rejected = tuple(technique.columns)[-2:]
            print(f"In each row, the twin of {chosen!r} would stand in the place of {rejected!r}.")
    print("\n".join([*_experiments(technique), "", "Nothing was written: this was a dry run."]))


def _experiments(technique: Rewriter) -> list[str]:
    """Return which axes are experimental, each after an empty line."""
    return [line for statement in experiments([technique.config()]) for line in ("", statement)]


def augment(
    splits: Mapping[str, Dataset],
    technique: Rewriter,
    task: Task,
    names: Sequence[str],
    *,
    source: str,
    command: str,
    reading: Sequence[str] = (),
    metadata: Mapping[str, Any] | None = None,
    samples: Natural = 0,
    section: Callable[[Path], str] = lambda made: "",
) -> None:
    """Map a technique over the splits, write the result with its card, and print the counts.

    Raises:
        InputError: The input is wrong, the folder is taken, or the Hub refused.
    """
    out = task.out
    unchanged = [split for split in splits if split not in names]
    features = _features(splits, technique, out, source, metadata)
    with task.begun() as job:
        finished = task.write(
            job,
            splits,
            {
                split: RewriteShard(technique, columns, split in unchanged)
                for split, columns in features.items()
            },
            features,
            title="Rewriting",
        )
        counts = {
            split: total_counts(each.tally for each in shards) for split, shards in finished.items()
        }
        card = dataset_card(
            title=out.title,
            source=source,
            config=technique.config(),
            counts=counts,
            command=command,
            reading=reading,
            metadata=out.metadata(metadata or {}),
            samples=_samples({name: splits[name] for name in names}, technique, source, samples),
            classes=uninstalled_classes(technique),
            unchanged=unchanged,
        )
        task.write_beside(job, card + section(job.folder), technique.own_files())
    for split, numbers in counts.items():
        print_counts(split, numbers, is_unchanged=split in unchanged, roles=technique.roles)
    warn_of_unmatched(technique, {split: counts[split] for split in names})
    notes = [*family_lines([technique.config()]), *_experiments(technique)]
    print("\n".join([*notes, "", out.written()]))


def _features(
    splits: Mapping[str, Dataset],
    technique: Rewriter,
    out: Output,
    source: str,
    metadata: Mapping[str, Any] | None,
) -> dict[str, Features]:
    """Return the columns of the result, or raise unless it can be made and written."""
    for split, dataset in splits.items():
        _check(split, dataset, technique, f"{source} (split {split})")
    features = {split: technique.features(rows.features) for split, rows in splits.items()}
    out.refuse_unwritable(features, source, metadata or {})
    return features


def _samples(
    splits: Mapping[str, Dataset], technique: Rewriter, source: str, number: int
) -> list[Sample]:
    """Return the texts and edits of the first rows that change."""
    rows: Iterator[Sequence[tuple[str, Any]]] = (
        texts
        for dataset in splits.values()
        for batch in batches(dataset, technique.columns, source)
        for texts in edited_rows(batch, technique)
        if texts
    )
    return [Sample(text, edits) for texts in islice(rows, number) for text, edits in texts]


def _check(split: str, dataset: Dataset, technique: Rewriter, where: str) -> None:
    """Raise unless a split can be rewritten and written."""
    if not SPLIT_NAME.fullmatch(split):
        raise InputError(
            f"{where}: a split's name may hold letters, digits, underscores and dots only, or "
            "load_dataset cannot open it; rename the split."
        )
    check_text_columns(head(dataset), technique.columns, where, technique.roles)
    with error_context(where):
        present(technique.other_columns(), dataset.column_names)
        free(technique.added_columns(dataset.column_names), dataset.column_names)


def warn_of_unmatched(technique: Rewriter, counts: Mapping[str, SplitCounts]) -> None:
    """Warn of each axis that no text mentions, or that nothing was rewritten, or by no model."""
    if not isinstance(technique, LexicalTechnique):
        if not any(split.rows_changed for split in counts.values()):
            print(
                f"fair-datasets: {type(technique).__name__} rewrote no text; check --text.",
                file=sys.stderr,
            )
        return
    for axis in technique.axes:
        names = load_lexicon(axis).attributes
        if not any(sum(map(split.mentions_before.__getitem__, names)) for split in counts.values()):
            whose, check = "", "--text and --axis"
            if technique.roles:
                whose, check = f" of {format_choices(technique.roles)}", "--text, --role and --axis"
            print(
                f"fair-datasets: no text{whose} mentions anybody of the axis {axis!r}; check "
                f"{check}.",
                file=sys.stderr,
            )
    if sentence := all_fell_back(split.logged for split in counts.values()):
        print(f"fair-datasets: {sentence}", file=sys.stderr)
    row_counts = [(split.rows_in, split.left) for split in counts.values() if technique.protect]
    if sentence := known_people(row_counts):
        print(f"\n{sentence}")
    if sentence := agreement(split.logged for split in counts.values()):
        print(f"\n{sentence}")


def print_counts(
    split: str, numbers: SplitCounts, *, is_unchanged: bool = False, roles: Sequence[str] = ()
) -> None:
    """Print what happened to one split.

    Args:
        roles: Whose texts of a conversation were read, and counted; none for everybody's.
    """
    if is_unchanged:
        print(f"\n{split}: {counted(numbers.rows_out, 'row')}, as they are")
        return
    print(
        f"\n{split}: {counted(numbers.rows_in, 'row')} in, "
        f"{counted(numbers.rows_out, 'row')} out, {numbers.rows_changed:,} rewritten\n"
    )
    if numbers.mentions_before:
        print(count_table(numbers.mentions_before, numbers.mentions_after))
        if roles:
            print(f"Counted in the texts of {format_choices(roles)} alone.")
    for column, values in numbers.logged.items():
        print(*(f"{column} {value}: {number:,}" for value, number in values.items()), sep="\n")
    for reason, number in numbers.left.items():
        print(f"left as a whole: {reason}: {number:,}")
