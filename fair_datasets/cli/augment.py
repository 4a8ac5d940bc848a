"""The command `augment`: a dataset in, its augmented twin out; or its first changes, shown."""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from datasets import Dataset, Features, Value

from fair_datasets.cards import Sample, SplitCounts, dataset_card
from fair_datasets.cards.croissant import steps_of
from fair_datasets.cards.report import count_table, difference
from fair_datasets.cards.statements import agreement, all_fell_back, family_lines
from fair_datasets.cli.audited import audit_request, refuse_dry_audit
from fair_datasets.cli.augment_arguments import (
    add_arguments,
    check_served,
    command_of,
    is_served,
    keeping_answers,
    technique_of,
    tell_cost,
)
from fair_datasets.cli.columns import (
    check_splits,
    check_text_columns,
    check_texts,
    refuse_misread_columns,
    rewritten_splits,
)
from fair_datasets.cli.inputs import batches, head, is_in_place, load_given, rows_in_place
from fair_datasets.cli.outputs import (
    Draft,
    HubOutput,
    Output,
    name_of,
    output,
    refuse_unpublishable,
    written,
)
from fair_datasets.cli.sources import open_source, source_of
from fair_datasets.cli.tasks import Task, check_numbers, opened_task, task_of
from fair_datasets.jobs.file_outputs import (
    FileOutput,
    new_file,
    refuse_rows,
    refuse_taken_file,
    write_file,
)
from fair_datasets.jobs.processes import engine_named
from fair_datasets.jobs.rewriting import RewriteShard, total_counts
from fair_datasets.lexicons import load_lexicon
from fair_datasets.rows.column_checks import free, present
from fair_datasets.rows.exact import ROW_FORMATS, ending
from fair_datasets.rows.given import SPLIT_NAME
from fair_datasets.rows.text_fields import field_columns, text_field
from fair_datasets.selection.splits import held_out
from fair_datasets.swap.counterfactual import CounterfactualSwap, ReadRow
from fair_datasets.swap.preferences import TIES, PreferenceTwins
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.system.checks import InputError, listed, whole_number
from fair_datasets.system.portable import portable
from fair_datasets.technique.contract import own_code, uninstalled_classes
from fair_datasets.technique.lexical import LexicalTechnique


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "augment",
        help="rewrite the terms of a demographic axis to their counterparts",
        description="Rewrite the terms of a demographic axis to their counterparts, or texts as "
        "another --technique does, and write the "
        "result as a Parquet folder that load_dataset opens or as one file, or publish it on the "
        "Hub.",
    )
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command."""
    technique = technique_of(options)
    check_served(options, technique)
    check_numbers(options)
    whole_number(options.samples, owner="augment", parameter="--samples", least=0)
    engine = engine_named(options.engine, options.num_proc or 1, [technique], owner="augment")
    refuse_dry_audit(options)
    left_file = left_output(options, technique)
    if options.dry_run:
        _preview(options, technique)
        return
    out = _output(options)
    unchanged = opened_task(options, out)
    ending = audit_request(
        options, out, technique.columns, roles=technique.roles, label=options.audit_label,
        axis=getattr(technique, "axis", None), names=getattr(technique, "names", None),
        min_confidence=getattr(technique, "min_confidence", None),
    )  # fmt: skip
    read = options.split if isinstance(out, FileOutput) else None
    source, config, splits = open_source(
        options, out, technique.columns, split=read, licence=options.licence, in_place=True
    )
    names = rewritten_splits(splits, options.split, options.test_size, source=options.input)
    if options.audit is not None and is_in_place(options.inputs):
        raise InputError(
            "augment: --audit reads all rows at once, but these are read in place, shard by shard; "
            "leave it out, and audit the result."
        )
    settings = {**technique.config(), **own_code(technique)}
    task = task_of(
        options, out, source, settings, unchanged, splits=splits, engine=engine,
        keeps_more=is_served(technique),
    )  # fmt: skip
    if task is None:
        return
    reading = source.reading(technique.columns, read, config, options.limit)
    if options.test_size is not None:
        splits, lines = _held_out(splits, names[0], technique, options)
        reading += lines
    ending.check(splits)
    with keeping_answers(technique, options, out) as kept:
        augment(
            splits, kept, task, names, source=source.shown, metadata=source.metadata,
            command=command_of(options, technique, source.shown, config), samples=options.samples,
            reading=reading,
            section=lambda draft: ending.section(
                splits, draft, out, source, steps_of([portable(technique.config())])
            ),
        )  # fmt: skip
    if left_file is not None:
        rewritten = {name: splits[name] for name in names}
        listed = write_left(left_file, rewritten, technique, source.shown)
        print(
            f"\nWrote {left_file}: {listed:,} lines: one for each row that is left and each of its "
            "reasons."
        )
    ending.tell()


def _output(options: argparse.Namespace) -> Output:
    """Return where the result goes, or raise unless it can hold what is asked for."""
    if options.out is None:
        raise InputError("augment: name the output with --out, or use --dry-run.")
    out = output(options)
    if isinstance(out, FileOutput) and (options.samples or options.licence):
        raise InputError(
            "augment: --samples and --licence are for the card, and a single file has none; leave "
            "them out, or name a folder with --out."
        )
    check_splits(options, out)
    return out


def _held_out(
    splits: Mapping[str, Dataset], split: str, technique: Rewriter, options: argparse.Namespace
) -> tuple[Mapping[str, Dataset], list[str]]:
    """Hold test rows out of a split, and write the code that does so."""
    settings: dict[str, Any] = {
        "columns": list(technique.columns), "roles": list(technique.roles),
        "id_column": technique.id_column, "seed": technique.seed,
    }  # fmt: skip
    found = held_out(splits, split, options.test_size, source=options.input, **settings)
    given = "".join(f", {name}={value!r}" for name, value in settings.items() if value)
    call = f"held_out(dataset, {split!r}, {options.test_size!r}{given})"
    return found, ["from fair_datasets.selection.splits import held_out", f"dataset = {call}"]


def _preview(options: argparse.Namespace, technique: Rewriter) -> None:
    """Show the first changes."""
    # A card that cannot be read is told before datasets reads it.
    source_of(*options.inputs, licence=options.licence)
    check_splits(options, None)
    if is_in_place(options.inputs):
        stream: Any = rows_in_place(
            options.inputs, options.split, config=options.config, limit=options.limit
        )
    else:
        is_whole = options.test_size is not None
        stream = load_given(options, technique.columns, options.split, streaming=not is_whole)
    if options.test_size is not None:
        names = rewritten_splits(stream, options.split, options.test_size, source=options.input)
        divided, _ = _held_out(stream, names[0], technique, options)
        stream = {name: divided[name] for name in names}
    if is_served(technique):
        tell_cost(options, technique, stream, options.input)
    else:
        for split, rows in stream.items():
            show_changes(split, rows, technique, source=options.input)
        if technique.mode in TIES:
            chosen, rejected = tuple(technique.columns)[-2:]
            print(f"In each row, the twin of {chosen!r} would stand in the place of {rejected!r}.")
    print("\nNothing was written: this was a dry run.")


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
    samples: int = 0,
    section: Callable[[Draft], str] = lambda draft: "",
) -> None:
    """Map a technique over the splits, write the result with its card, and print the counts.

    Raises:
        InputError: The input is wrong, the folder is taken, or the Hub refused.
    """
    out = task.out
    left = [split for split in splits if split not in names]
    features = _features(splits, technique, out, source, metadata)
    with task.begun() as (draft, job):
        finished = task.write(
            (draft, job),
            splits,
            {
                split: RewriteShard(technique, columns, split in left)
                for split, columns in features.items()
            },
            features,
            title="Rewriting",
        )
        counts = {
            split: total_counts(each.tally for each in shards) for split, shards in finished.items()
        }
        card = dataset_card(
            title=name_of(out),
            source=source,
            config=technique.config(),
            counts=counts,
            command=command,
            reading=reading,
            metadata=_metadata(metadata or {}, out),
            samples=_samples({name: splits[name] for name in names}, technique, source, samples),
            classes=uninstalled_classes(technique),
            left=left,
        )
        draft.write_files(technique.own_files())
        draft.write_card(card + section(draft))
    for split, numbers in counts.items():
        print_counts(split, numbers, is_left=split in left)
    warn_of_unmatched(technique, {split: counts[split] for split in names})
    print("\n".join([*family_lines([technique.config()]), "", written(out)]))


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
    if isinstance(out, HubOutput):
        refuse_unpublishable(out, features, metadata)
    elif isinstance(out, FileOutput):
        refuse_rows(out, features, source)
    return features


def _metadata(metadata: Mapping[str, Any], out: Output) -> dict[str, Any]:
    """Return the metadata of the card; one of the Hub is that of all configurations."""
    if not isinstance(out, HubOutput):
        return dict(metadata)
    sources = [name for name in metadata.get("source_datasets", []) if name != out.target.name]
    others = {key: value for key, value in metadata.items() if key != "source_datasets"}
    name = out.target.name.split("/")[-1]
    return {"pretty_name": name, **others, **({"source_datasets": sources} if sources else {})}


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
    present(technique.other_columns(), dataset.column_names, owner=where)
    free(technique.added_columns(dataset.column_names), dataset.column_names, owner=where)


def warn_of_unmatched(technique: Rewriter, counts: Mapping[str, SplitCounts]) -> None:
    """Tell of each axis that no text mentions, or that nothing was rewritten, or by no model."""
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
            print(
                f"fair-datasets: no text mentions anybody of the axis {axis!r}; check --text and "
                "--axis.",
                file=sys.stderr,
            )
    if sentence := all_fell_back(split.logged for split in counts.values()):
        print(f"fair-datasets: {sentence}", file=sys.stderr)
    if sentence := agreement(split.logged for split in counts.values()):
        print(f"\n{sentence}")


def print_counts(split: str, numbers: SplitCounts, *, is_left: bool = False) -> None:
    """Print what happened to one split."""
    if is_left:
        print(f"\n{split}: {numbers.rows_out:,} rows, as they are")
        return
    print(
        f"\n{split}: {numbers.rows_in:,} rows in, {numbers.rows_out:,} rows out, "
        f"{numbers.rows_changed:,} rewritten\n"
    )
    if numbers.mentions_before:
        print(count_table(numbers.mentions_before, numbers.mentions_after))
    for column, values in numbers.logged.items():
        print(*(f"{column} {value}: {number:,}" for value, number in values.items()), sep="\n")
    for reason, number in numbers.left.items():
        print(f"left as a whole: {reason}: {number:,}")


_LIMIT = 5
# How many words are named that tie rows to groups.
_WORDS = 5


def show_changes(split: str, rows: Any, technique: Rewriter, *, source: str) -> None:
    """Print the first changes as a difference of texts."""
    where = f"{source} (split {split})"
    colour = sys.stdout.isatty()
    first_row = shown = 0
    left: Counter[tuple[str, str]] = Counter()
    is_spoken = False
    for batch in batches(rows, technique.columns, source):
        _check_batch(batch, technique, where, first_row)
        read = {row.number: row for row in read_rows(batch, technique)}
        others = _left_preferences(batch, technique)
        for number, texts in enumerate(edited_rows(batch, technique)):
            if texts and shown < _LIMIT and number not in others:
                shown += 1
                sure = getattr(read.get(number), "confidence", None)
                trust = "" if sure is None else f" (confidence {sure:.2f})"
                print(f"{split}, row {first_row + number}{trust}")
                for text, edits in texts:
                    if edits[0]["column"] not in technique.columns:
                        print(edits[0]["column"])
                    print(*difference(text, edits, colour=colour), sep="\n")
        left.update(chain.from_iterable(reasons(row) for row in read.values()))
        left.update((reason, reason) for reason in others.values())
        if shown == _LIMIT:
            _tell_left(split, left)
            return
        first_row += len(next(iter(batch.values())))
        is_spoken = is_spoken or any(map(any, technique.texts(batch).rows))
    if not first_row:
        raise InputError(f"{where} has no rows; there is nothing to do.")
    if technique.roles and not is_spoken:
        raise InputError(
            f"{where}: there is no text of the roles {listed(technique.roles)} at "
            f"{listed(technique.columns)}."
        )
    if not shown and not left:
        told = f"{type(technique).__name__} rewrites no text of {where}; check --text."
        if isinstance(technique, LexicalTechnique):
            told = (
                f"no text of {where} has a word to rewrite on the axis {listed(technique.axes)}; "
                "check --text and --axis."
            )
        print(f"fair-datasets: {told}", file=sys.stderr)
    print(f"{split}: {shown or 'no'} row{'' if shown == 1 else 's'} would change.")
    _tell_left(split, left)


def _tell_left(split: str, left: Mapping[tuple[str, str], int]) -> None:
    """Say how many of the rows that were looked at are left alone as a whole, and why."""
    by_reason: dict[str, Counter[str]] = defaultdict(Counter)
    for (reason, told), count in left.items():
        by_reason[reason][told] += count
    for reason, words in by_reason.items():
        count = words.total()
        rows = "row is" if count == 1 else "rows are"
        named = [f"{told} ({n:,})" for told, n in words.most_common(_WORDS) if told != reason]
        shown = f": {', '.join(named)}" if named else ""
        print(f"{split}: {count:,} {rows} left as a whole: {reason}{shown}.")


def _check_batch(batch: Any, technique: Rewriter, where: str, first_row: int) -> None:
    """Raise unless a batch holds what the technique needs, as the whole run would."""
    refuse_misread_columns(technique.columns, list(batch), where)
    field_columns(technique.columns, batch, owner=where)
    present(technique.other_columns(), batch, owner=where)
    free(technique.added_columns(batch), batch, owner=where)
    for column in technique.columns:
        if column in batch:
            check_texts(batch[column], column, where, first_row)
    _ = technique.texts(batch).rows  # Refuses what is no text, by the names that the user gave.


def edited_rows(batch: Any, technique: Rewriter) -> list[list[tuple[str, list[Any]]]]:
    """Return, for each row, its texts that change and their edits; empty where nothing changes."""
    fields = [text_field(name, batch, owner=type(technique).__name__) for name in technique.columns]
    # The columns get new names, which cannot be those of the provenance.
    names = {field.column: f"text {place}" for place, field in enumerate(fields)}
    others = [name for name in technique.other_columns() if name != technique.id_column]
    ids = {"".join(others) + " id": batch[technique.id_column]} if technique.id_column else {}
    preview = replace(
        technique,
        columns=tuple(field._replace(column=names[field.column]).name for field in fields),
        id_column=next(iter(ids), None),
        # A row's own counterfactual is what `augment` adds, and what `pair` puts beside it.
        mode="substitute" if technique.mode == "substitute" else "replace",
        keep_unchanged=False,
        provenance=True,
    )
    texts = preview.texts({name: batch[column] for column, name in names.items()})
    rows = preview({**texts.batch, **{name: batch[name] for name in others}, **ids})["edits"]
    labels = technique.texts(batch).labels
    return [
        [
            (text, [{**edit, "column": shown} for edit in own])
            for place, shown, text in zip(
                texts.labels(number), labels(number), texts.rows[number], strict=True
            )
            if text and (own := [edit for edit in edits if edit["column"] == place])
        ]
        for number, edits in enumerate(rows)
    ]


_COLUMNS = {"split": "string", "row": "int64", "id": "string", "reason": "string",
            "told": "string", "text": "string"}  # fmt: skip


def left_output(options: argparse.Namespace, technique: Rewriter) -> FileOutput | None:
    """Return the file that lists the rows which are left; None if none is asked for."""
    if options.left is None:
        return None
    if not isinstance(technique, CounterfactualSwap):
        raise InputError(
            f"augment: --left is for CounterfactualSwap, and {type(technique).__name__} gives no "
            "reasons for rows that it leaves; leave --left out."
        )
    if options.dry_run:
        raise InputError(
            "augment: --left writes a file, but --dry-run writes nothing and counts the rows by "
            "their reasons; leave one of them out."
        )
    path = Path(options.left)
    if ending(path) not in ROW_FORMATS or path.suffix.lower() != ending(path):
        raise InputError(
            f"--left {options.left}: a file with this ending cannot be written; use one of "
            f"{', '.join(ROW_FORMATS)}."
        )
    others = {"input": options.input, "output": options.out}
    for what, name in others.items():
        if name is not None and path.resolve() == Path(str(name)).resolve():
            raise InputError(
                f"--left {options.left}: that is the {what}, which the list would replace; name "
                "another file."
            )
    out = FileOutput(path, ending(path), options.overwrite)
    refuse_taken_file(out)
    return out


def write_left(
    out: FileOutput, splits: Mapping[str, Dataset], technique: Rewriter, source: str
) -> int:
    """List the rows that a swap leaves as a whole, which are read once more for it."""
    features = Features({name: Value(kind) for name, kind in _COLUMNS.items()})
    found = [
        {"split": split, **line}
        for split, rows in splits.items()
        for line in _lines(rows, technique, source)
    ]
    columns = {name: [line[name] for line in found] for name in _COLUMNS}
    with new_file(out) as folder:
        write_file(Dataset.from_dict(columns, features=features), out, folder)
    return len(found)


def _lines(rows: Dataset, technique: Rewriter, source: str) -> Iterator[Mapping[str, Any]]:
    """Give the rows of a split that are left, one time for each reason."""
    first = 0
    for batch in batches(rows, technique.columns, source):
        texts = technique.texts(batch).rows
        name = technique.id_column
        ids = batch[name] if name else [None] * len(texts)
        others = _left_preferences(batch, technique)
        for read in read_rows(batch, technique):
            text = "\n".join(filter(None, texts[read.number]))
            key = ids[read.number]
            where = {"row": first + read.number, "id": None if key is None else str(key)}
            found = reasons(read)
            if read.number in others:
                found.add((others[read.number],) * 2)
            for reason, told in sorted(found):
                yield {**where, "reason": reason, "told": told, "text": text}
        first += len(texts)


def read_rows(batch: Any, technique: Rewriter) -> Iterator[ReadRow]:
    """Give what a swap finds in the rows of a batch; nothing for other techniques."""
    if isinstance(technique, CounterfactualSwap):
        yield from technique.read(technique.rows(batch, technique.texts(batch).rows))


def _left_preferences(batch: Any, technique: Rewriter) -> dict[int, str]:
    """Say why rows are left as preferences; nothing of other techniques."""
    return technique.left(batch) if isinstance(technique, PreferenceTwins) else {}


def reasons(row: ReadRow) -> set[tuple[str, str]]:
    """Return why a row is left alone as a whole; nothing if it is not left."""
    left = (each for reading in row.readings if reading for each in reading.left)
    return {(each.reason.value, each.told) for each in left if each.is_of_row}
