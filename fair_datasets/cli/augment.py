"""The command `augment`: a dataset in, its counterfactually augmented twin out."""

import argparse
import re
import shlex
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.cards import SplitCounts, dataset_card
from fair_datasets.checks import InputError, free, present
from fair_datasets.cli.inputs import check_text_columns, load_input
from fair_datasets.cli.outputs import refuse_taken, whole_folder, write_parquet
from fair_datasets.cli.preview import show_changes
from fair_datasets.report import count_table
from fair_datasets.swap.counterfactual import MODES, CounterfactualSwap
from fair_datasets.swap.counts import count_mentions
from fair_datasets.swap.pronoun_sets import available_pronoun_sets
from fair_datasets.swap.provenance import PROVENANCE

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Dataset

# The names that datasets allows.
_SPLIT = re.compile(r"\w+(\.\w+)*")


def add_parser(commands: Any) -> None:
    """Add the command to the command line.

    Args:
        commands: The parser's sub-parsers.
    """
    parser = commands.add_parser(
        "augment",
        help="rewrite the terms of a demographic axis to their counterparts",
        description="Rewrite the terms of a demographic axis to their counterparts and write the "
        "result as a Parquet folder that load_dataset opens.",
    )
    parser.add_argument(
        "input",
        metavar="INPUT",
        help="a CSV, TSV, JSONL, Parquet or text file (also compressed), a folder of them, a "
        "save_to_disk folder, or a Hub id",
    )
    parser.add_argument(
        "--text",
        action="append",
        required=True,
        metavar="COL",
        help="a text column; repeat it for several, which are rewritten together",
    )
    parser.add_argument(
        "--axis",
        action="append",
        help="a lexicon's name, or your own .tsv file (default: gender); repeat it for several",
    )
    parser.add_argument(
        "--joint",
        action="store_true",
        help="rewrite several axes in one counterfactual instead of one each",
    )
    parser.add_argument(
        "--mode",
        choices=MODES,
        default="augment",
        help="augment: each row, then its counterfactual (CDA, the default); substitute: each row "
        "is replaced with probability --rate (CDS); replace: every row is",
    )
    parser.add_argument(
        "--rate", type=float, default=0.5, help="the probability of substitute (default: 0.5)"
    )
    parser.add_argument("--source", action="append", help="rewrite this attribute's terms only")
    parser.add_argument(
        "--target", action="append", help="rewrite to this attribute only, for instance woman"
    )
    parser.add_argument(
        "--pronouns",
        choices=available_pronoun_sets(),
        default="they",
        help="what is written for people who are neither men nor women (default: they)",
    )
    parser.add_argument(
        "--names",
        action=argparse.BooleanOptionalAction,
        help="swap names too (default: first names of men and women only)",
    )
    parser.add_argument(
        "--protect",
        action="append",
        metavar="NAME",
        help="leave a person's name alone, for instance 'Lily Allen'; repeat it for several",
    )
    parser.add_argument(
        "--pipeline",
        metavar="NAME",
        help="a trained spaCy pipeline, by its name or path, that tells terms from other words "
        "(default: the package's own rules)",
    )
    parser.add_argument("--split", help="the one split to work on (default: all)")
    parser.add_argument("--id-column", metavar="COL", help="a column that identifies each row")
    parser.add_argument(
        "--provenance",
        action="store_true",
        help="add the columns counterfactual, source_id and edits",
    )
    parser.add_argument("--seed", type=int, default=0, help="the seed of the draws (default: 0)")
    parser.add_argument("--num-proc", type=int, metavar="N", help="the number of processes")
    parser.add_argument(
        "--dry-run", action="store_true", help="show the first changes and write nothing"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="the folder to write")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Args:
        options: The parsed arguments.

    Raises:
        InputError: An argument or the input is wrong.
    """
    technique = CounterfactualSwap(
        columns=options.text,
        axis=options.axis or "gender",
        source=options.source,
        target=options.target,
        joint=options.joint,
        pronouns=options.pronouns,
        mode=options.mode,
        rate=options.rate,
        names=options.names,
        protect=options.protect or (),
        pipeline=options.pipeline,
        seed=options.seed,
        id_column=options.id_column,
        provenance=options.provenance,
    )
    if options.dry_run:
        stream = load_input(options.input, technique.columns, options.split, streaming=True)
        for split, rows in stream.items():
            show_changes(split, rows, technique, source=options.input)
        print("\nNothing was written: this was a dry run.")
        return
    if options.out is None:
        raise InputError("augment: give the folder to write with --out, or use --dry-run.")
    if options.num_proc is not None and options.num_proc < 1:
        raise InputError(f"augment: --num-proc must be at least 1, but it is {options.num_proc}.")
    refuse_taken(options.out)
    splits = load_input(options.input, technique.columns, options.split)
    command = shlex.join(["fair-datasets", "augment", *_repeated(options)])
    augment(
        splits, technique, options.out, source=options.input, command=command,
        num_proc=options.num_proc,
    )  # fmt: skip


def augment(
    splits: "Mapping[str, Dataset]",
    technique: CounterfactualSwap,
    out: Path,
    *,
    source: str,
    command: str,
    num_proc: int | None = None,
    replace_out: bool = False,
) -> None:
    """Map a technique over the splits, write the result with its card, and print the counts.

    Args:
        splits: Split name to dataset.
        technique: The technique.
        out: The folder to write.
        source: What the dataset was made from, for the card.
        command: The command that makes it again, for the card.
        num_proc: The number of processes; None for this one.
        replace_out: Whether a folder that lies at `out` is replaced.

    Raises:
        InputError: The input is wrong or the folder is taken.
    """
    for split, dataset in splits.items():
        _check(split, dataset, technique, f"{source} (split {split})")
    counts: dict[str, SplitCounts] = {}
    with whole_folder(out, replace=replace_out) as folder:
        for split, dataset in splits.items():
            result = _rewritten(dataset, technique, folder, num_proc, f"Rewriting {split}")
            counts[split] = _counts(dataset, result, technique)
            write_parquet(result, folder, split)
            del result
            for file in folder.glob("rows*.arrow"):
                file.unlink()
        card = dataset_card(
            title=out.absolute().name,
            source=source,
            config=technique.config(),
            counts=counts,
            command=command,
        )
        # A name that is not UTF-8 on the disk is written with its bytes escaped.
        (folder / "README.md").write_text(card, encoding="utf-8", errors="backslashreplace")
    for split, numbers in counts.items():
        _print_counts(split, numbers)
    print(f"\nWritten to {out}. To load it:\n")
    print(f"    from datasets import load_dataset\n    dataset = load_dataset({str(out)!r})")


def _check(split: str, dataset: "Dataset", technique: CounterfactualSwap, where: str) -> None:
    """Raise unless a split can be rewritten and written."""
    if not _SPLIT.fullmatch(split):
        raise InputError(
            f"{where}: a split's name may hold letters, digits, underscores and dots only, or "
            "load_dataset cannot open it; rename the split."
        )
    check_text_columns(dataset, technique.columns, where)
    if technique.id_column:
        present([technique.id_column], dataset.column_names, owner=where)
    if technique.provenance:
        free(PROVENANCE, dataset.column_names, owner=where)


def _rewritten(
    dataset: "Dataset", technique: CounterfactualSwap, folder: Path, num_proc: int | None, desc: str
) -> "Dataset":
    """Map the technique over a split."""
    features = technique.features(dataset.features)
    result = dataset.with_format("arrow").map(
        partial(on_table, technique=technique, schema=features.arrow_schema),
        batched=True,
        features=features,
        num_proc=num_proc,
        cache_file_name=str(folder / "rows.arrow"),
        desc=desc,
    )
    return result.with_format(None)


def on_table(table: "pa.Table", technique: CounterfactualSwap, schema: "pa.Schema") -> "pa.Table":
    """Rewrite a batch of rows; columns that the technique does not read stay bit for bit.

    As Python objects, timestamps would lose their nanoseconds and images would be compressed anew.

    Args:
        table: The rows.
        technique: The technique.
        schema: The schema of the result.

    Returns:
        The rows of the result.
    """
    import pyarrow as pa

    read = [c for c in table.column_names if c in (*technique.columns, technique.id_column)]
    # Longer than each name that it must not be.
    place = "".join(read) + " place"
    result = technique(
        {**{name: table[name].to_pylist() for name in read}, place: range(table.num_rows)}
    )
    kept = table.drop_columns(list(technique.columns)).take(pa.array(result[place], pa.int64()))
    columns = [
        kept[field.name]
        if field.name in kept.column_names
        else pa.array(result[field.name], field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _counts(dataset: "Dataset", result: "Dataset", technique: CounterfactualSwap) -> SplitCounts:
    """Count rows and mentions before and after."""
    if technique.mode == "augment":
        changed = result.num_rows - dataset.num_rows
    else:
        changed = _different_rows(dataset, result, technique.columns)
    before, after = (
        count_mentions(
            rows,
            technique.columns,
            axis=technique.axis,
            names=technique.names,
            protect=technique.protect,
            pipeline=technique.pipeline,
        )
        for rows in (dataset, result)
    )
    return SplitCounts(dataset.num_rows, result.num_rows, changed, before, after)


def _different_rows(dataset: "Dataset", result: "Dataset", columns: Any) -> int:
    """Count the rows whose texts differ between two datasets of the same length."""
    batches = (
        rows.select_columns(list(columns)).iter(batch_size=1000) for rows in (dataset, result)
    )
    return sum(
        old != new
        for before, after in zip(*batches, strict=True)
        for old, new in zip(
            zip(*before.values(), strict=True), zip(*after.values(), strict=True), strict=True
        )
    )


def _print_counts(split: str, numbers: SplitCounts) -> None:
    """Print what happened to one split."""
    print(
        f"\n{split}: {numbers.rows_in:,} rows in, {numbers.rows_out:,} rows out, "
        f"{numbers.rows_changed:,} rewritten\n"
    )
    print(count_table(numbers.mentions_before, numbers.mentions_after))


def _repeated(options: argparse.Namespace) -> list[str]:
    """Write the arguments of the command anew, for the card."""
    words = [options.input]
    for name in ("text", "axis", "source", "target", "protect"):
        # A default that is stated in the card stays what it was.
        for value in getattr(options, name) or (["gender"] if name == "axis" else []):
            words += [f"--{name}", value]
    words += ["--mode", options.mode, "--pronouns", options.pronouns]
    if options.mode == "substitute":
        words += ["--rate", str(options.rate)]
    for name in ("pipeline", "split", "id_column"):
        if getattr(options, name) is not None:
            words += [f"--{name.replace('_', '-')}", getattr(options, name)]
    if options.names is not None:
        words += ["--names" if options.names else "--no-names"]
    words += [f"--{name}" for name in ("joint", "provenance") if getattr(options, name)]
    return [*words, "--seed", str(options.seed), "--out", str(options.out)]
