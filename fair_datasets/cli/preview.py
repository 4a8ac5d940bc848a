"""Showing the first changes that a technique would make, and the rows that it leaves."""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from datasets import Dataset, Features, Value

from fair_datasets.cards.report import difference
from fair_datasets.cli.columns import check_texts, refuse_other_separators
from fair_datasets.cli.inputs import batches
from fair_datasets.jobs.file_outputs import (
    FileOutput,
    file_output,
    new_file,
    refuse_taken_file,
    write_file,
)
from fair_datasets.rows.column_checks import free, present
from fair_datasets.rows.exact_lines import ROW_FORMATS
from fair_datasets.rows.text_fields import field_columns, text_field
from fair_datasets.swap.counterfactual import CounterfactualSwap, ReadRow
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.system.checks import InputError, error_context, format_choices
from fair_datasets.technique.lexical import LexicalTechnique

_LIMIT = 5
# How many words are named that tie rows to groups.
_WORDS = 5


def show_changes(split: str, rows: Any, technique: Rewriter, *, source: str) -> None:
    """Print the first changes as a difference of texts."""
    where = f"{source} (split {split})"
    colour = sys.stdout.isatty()
    first_row = shown = 0
    skipped: Counter[tuple[str, str]] = Counter()
    is_spoken = False
    for batch in batches(rows, technique.columns, source):
        _check(batch, technique, where, first_row)
        read = {row.number: row for row in read_rows(batch, technique)}
        others = _skipped_otherwise(batch, technique)
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
        skipped.update(chain.from_iterable(reasons(row) for row in read.values()))
        skipped.update((reason, reason) for reason in others.values())
        if shown == _LIMIT:
            _print_skipped(split, skipped)
            return
        first_row += len(next(iter(batch.values())))
        is_spoken = is_spoken or any(map(any, technique.texts(batch).rows))
    if not first_row:
        raise InputError(f"{where} has no rows; there is nothing to do.")
    if technique.roles and not is_spoken:
        raise InputError(
            f"{where}: there is no text of the roles {format_choices(technique.roles)} at "
            f"{format_choices(technique.columns)}."
        )
    if not shown and not skipped:
        message = f"{type(technique).__name__} rewrites no text of {where}; check --text."
        if isinstance(technique, LexicalTechnique):
            message = (
                f"no text of {where} has a word to rewrite on the axis "
                f"{format_choices(technique.axes)}; check --text and --axis."
            )
        print(f"fair-datasets: {message}", file=sys.stderr)
    print(f"{split}: {shown or 'no'} row{'' if shown == 1 else 's'} would change.")
    _print_skipped(split, skipped)


def _print_skipped(split: str, skipped: Mapping[tuple[str, str], int]) -> None:
    """Print how many of the rows that were looked at are left alone as a whole, and why."""
    by_reason: dict[str, Counter[str]] = defaultdict(Counter)
    for (reason, detail), count in skipped.items():
        by_reason[reason][detail] += count
    for reason, words in by_reason.items():
        count = words.total()
        rows = "row is" if count == 1 else "rows are"
        named = [f"{detail} ({n:,})" for detail, n in words.most_common(_WORDS) if detail != reason]
        shown = f": {', '.join(named)}" if named else ""
        print(f"{split}: {count:,} {rows} left as a whole: {reason}{shown}.")


def _check(batch: Any, technique: Rewriter, where: str, first_row: int) -> None:
    """Raise unless a batch holds what the technique needs, as the whole run would."""
    refuse_other_separators(technique.columns, list(batch), where)
    with error_context(where):
        field_columns(technique.columns, batch)
        present(technique.other_columns(), batch)
        free(technique.added_columns(batch), batch)
    for column in technique.columns:
        if column in batch:
            check_texts(batch[column], column, where, first_row)
    _ = technique.texts(batch).rows  # Refuses what is no text, by the names that the user gave.


def edited_rows(batch: Any, technique: Rewriter) -> list[list[tuple[str, list[Any]]]]:
    """Return, for each row, its texts that change and their edits; empty where nothing changes."""
    fields = [text_field(name, batch) for name in technique.columns]
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


def skipped_output(options: Any, technique: Rewriter) -> FileOutput | None:
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
    out = file_output(options.left, replace=options.overwrite)
    if out is None or out.path is None:
        raise InputError(
            f"--left {options.left} is no file of rows; use an ending of {', '.join(ROW_FORMATS)}."
        )
    others = {"input": options.input, "output": options.out}
    for what, name in others.items():
        if name is not None and out.path.resolve() == Path(str(name)).resolve():
            raise InputError(
                f"--left {options.left}: that is the {what}, which the list would replace; name "
                "another file."
            )
    refuse_taken_file(out)
    return out


def write_skipped(
    out: FileOutput, splits: Mapping[str, Dataset], technique: Rewriter, source: str
) -> int:
    """List the rows that a swap leaves as a whole, which are read once more for it."""
    features = Features({name: Value(kind) for name, kind in _COLUMNS.items()})
    lines = [
        {"split": split, **line}
        for split, rows in splits.items()
        for line in _lines(rows, technique, source)
    ]
    columns = {name: [line[name] for line in lines] for name in _COLUMNS}
    with new_file(out) as folder:
        write_file(Dataset.from_dict(columns, features=features), out, folder)
    return len(lines)


def _lines(rows: Dataset, technique: Rewriter, source: str) -> Iterator[Mapping[str, Any]]:
    """Give the rows of a split that are left, one time for each reason."""
    first = 0
    for batch in batches(rows, technique.columns, source):
        texts = technique.texts(batch).rows
        name = technique.id_column
        ids = batch[name] if name else [None] * len(texts)
        others = _skipped_otherwise(batch, technique)
        for read in read_rows(batch, technique):
            text = "\n".join(filter(None, texts[read.number]))
            key = ids[read.number]
            where = {"row": first + read.number, "id": None if key is None else str(key)}
            causes = reasons(read)
            if read.number in others:
                causes.add((others[read.number],) * 2)
            for reason, detail in sorted(causes):
                yield {**where, "reason": reason, "told": detail, "text": text}
        first += len(texts)


def read_rows(batch: Any, technique: Rewriter) -> Iterator[ReadRow]:
    """Give what a swap finds in the rows of a batch; nothing for other techniques."""
    if isinstance(technique, CounterfactualSwap):
        yield from technique.read(technique.rows(batch, technique.texts(batch).rows))


def _skipped_otherwise(batch: Any, technique: Rewriter) -> dict[int, str]:
    """Return why rows are left for another reason than their words; empty for other techniques."""
    return technique.skip_reasons(batch) if isinstance(technique, CounterfactualSwap) else {}


def reasons(row: ReadRow) -> set[tuple[str, str]]:
    """Return why a row is left alone as a whole; nothing if it is not left."""
    skipped = (each for reading in row.readings if reading for each in reading.skipped)
    return {(each.reason.value, each.explanation) for each in skipped if each.is_of_row}
