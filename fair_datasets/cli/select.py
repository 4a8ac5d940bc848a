"""The command `select`: scored pairs in, the rows and counterfactuals to train on out."""

import argparse
from typing import Any

from datasets import Dataset, Value
from pyarrow import ArrowInvalid

from fair_datasets.cards.statements import TOLD
from fair_datasets.cli.arguments import add_ranking, add_shared, command_again
from fair_datasets.cli.columns import refuse_misread_columns
from fair_datasets.cli.inputs import add_input
from fair_datasets.cli.outputs import add_out, name_of, output, written
from fair_datasets.cli.parsers import option
from fair_datasets.cli.sources import open_source, plain_card
from fair_datasets.cli.tasks import add_job, opened_task, task_of
from fair_datasets.jobs.rewriting import ApplyToShard
from fair_datasets.rows.text_fields import counterfactual_column, field_columns, is_there
from fair_datasets.selection.rankings import COUNTERFACTUAL, select, unchanged_counterfactuals
from fair_datasets.system.checks import InputError


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "select",
        help="choose factual rows and counterfactuals by their scores",
        description="Choose a share of the factual rows and a share of the counterfactuals of a "
        "dataset that `fair-datasets score` wrote, and write them.",
    )
    add_input(parser)
    add_shared(parser, "text")
    option(parser, "-a --a SHARE", "the share of factual rows, 0 to 1", float, required=True)
    option(parser, "-b --b SHARE", "the share of counterfactuals", float, required=True)
    add_ranking(parser, "healthy_random", default="healthy_random")
    option(parser, "--score-column COL", "the column of the equity score (default: the one that "
           "ends in _equity)")  # fmt: skip
    option(parser, "--split", "the split to choose from", usual="train")
    add_shared(parser, "seed", "num_proc")
    add_job(parser)
    add_out(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command."""
    out = output(options)
    unchanged = opened_task(options, out)
    source, config, splits = open_source(options, out, options.text, split=options.split)
    scored = splits[options.split]
    refuse_misread_columns(options.text, scored.column_names, options.input)
    field_columns(options.text, scored.column_names, owner=options.input)
    beside = {name: counterfactual_column(name) for name in options.text}
    missing = [name for name, new in beside.items() if not is_there(new, scored.column_names)]
    if missing:
        raise InputError(
            f"{options.input}: there is no column '{beside[missing[0]]}'; give what "
            f"`fair-datasets score --text {missing[0]}` wrote."
        )
    column = options.score_column or equity_column(scored, options.input)
    settings = {
        "columns": options.text, "a": options.a, "b": options.b, "ranking": options.ranking,
        "score": column, "seed": options.seed,
    }  # fmt: skip
    task = task_of(options, out, source, settings, unchanged)
    if task is None:
        return
    scored = _with_numbers(scored, column)
    chosen = select(
        scored,
        options.a,
        options.b,
        columns=options.text,
        ranking=options.ranking,
        seed=options.seed,
        score_columns={"equity": column},
    )
    if not len(chosen):
        raise InputError(
            f"{options.input}: a={options.a:g} and b={options.b:g} of {len(scored):,} pairs come "
            "to less than one row; raise a or b."
        )
    command = command_again(options, source.name, config)
    with task.begun() as to:
        split = options.split
        task.write(to, {split: chosen}, {split: ApplyToShard()}, {split: chosen.features})
        to[0].write_card(plain_card(name_of(out), source, command, TOLD))
    swapped = sum(chosen[COUNTERFACTUAL][:])
    same = unchanged_counterfactuals(scored, chosen, columns=options.text)
    print(
        f"{len(scored):,} pairs in, {len(chosen) - swapped:,} factual rows and {swapped:,} "
        f"counterfactuals out ({same:,} of these equal their original).\n"
        f"{TOLD}\n{written(out)}"
    )


def _with_numbers(scored: Dataset, column: str) -> Dataset:
    """Read a column of a CSV file as numbers where it holds nothing else, such as 1 and 0.5."""
    if scored.features.get(column) != Value("string"):
        return scored
    try:
        return scored.cast_column(column, Value("float64"))
    except ArrowInvalid:
        # The sentence of `select` names the row.
        return scored


def equity_column(scored: Dataset, where: str) -> str:
    """Return the column of the equity score.

    Returns:
        The one column whose name ends in `_equity`; `gender_equity` if there is none, for the
        sentence of `select`.
    """
    found = [column for column in scored.column_names if column.endswith("_equity")]
    if len(found) > 1:
        raise InputError(
            f"{where}: there are several equity scores ({', '.join(map(repr, found))}); name one "
            "with --score-column."
        )
    return found[0] if found else "gender_equity"
