"""The commands `score`, which gives pairs importance scores, and `select`, which reads these."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset, Features, Value
from pyarrow import ArrowInvalid

from fair_datasets.auditing.findings import counted
from fair_datasets.cards.dataset import plain_card
from fair_datasets.cards.statements import TOLD
from fair_datasets.cli.columns import check_text_columns, refuse_misread_columns
from fair_datasets.cli.inputs import add_input
from fair_datasets.cli.outputs import add_out, name_of, output, work_folder, written
from fair_datasets.cli.parsers import (
    add_model,
    add_ranking,
    add_shared,
    command_again,
    option,
    trainer_of,
)
from fair_datasets.cli.sources import open_source
from fair_datasets.cli.tasks import add_job, opened_task, task_of
from fair_datasets.jobs.rewriting import ApplyToShard
from fair_datasets.rows.text_fields import counterfactual_field, field_columns, is_there
from fair_datasets.scores.probes import train_probes
from fair_datasets.selection.diet import ProbeTrainer
from fair_datasets.selection.diet.scoring import (
    classes_of,
    needed_epochs,
    refuse_unswapped,
    score_techniques,
    with_classes,
)
from fair_datasets.selection.rankings import (
    COUNTERFACTUAL,
    SCORES,
    select,
    unchanged_counterfactuals,
)
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import InputError, called_as, invalid, one_of
from fair_datasets.technique.contract import Technique


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "score",
        help="score which rows and counterfactuals matter to a classifier",
        description="Put the counterfactual of each row beside it, train probes on the rows of "
        "the training split, and write every split with the scores. The probes "
        "are kept, and an interrupted run goes on from them.",
    )
    add_input(parser)
    add_shared(parser, "text", "roles", "label", "axis", "names", "pipeline", "reader")
    option(parser, "--score", "equity (the default), el2n, grand or forgetting; repeat it for "
           "several", list, choices=SCORES)  # fmt: skip
    add_model(parser)
    option(parser, "--probes", "how many probes are trained", int, 5)
    option(parser, "--epochs", "how many epochs the probes are trained for forgetting; the other "
           "scores are taken after the first epoch (default: 5)", int)  # fmt: skip
    option(parser, "--train-split", "the split to train on", usual="train")
    option(parser, "--work DIR", "where the probes are kept (default: OUT.work)", Path)
    add_shared(parser, "seed")
    add_job(parser)
    add_out(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command."""
    scores = options.score or ["equity"]
    options.epochs = _epochs(options.epochs, scores)
    trainer = trainer_of(options)
    out = output(options)
    unchanged = opened_task(options, out)
    source, config, splits = open_source(options, out, options.text)
    with called_as(options.input):
        one_of(options.train_split, splits, parameter="--train-split")
    for split, dataset in splits.items():
        check_text_columns(dataset, options.text, f"{options.input} (split {split})", options.roles)
    with called_as(options.input):
        splits = with_classes(splits, options.label)
    train = splits[options.train_split]
    swap = CounterfactualSwap(
        columns=tuple(options.text), roles=tuple(options.roles), axis=options.axis,
        names=options.names, pipeline=options.pipeline, reader=options.reader, mode="pair",
        protect=(),
    )  # fmt: skip
    settings = {
        "swap": swap.config(), "trainer": trainer.settings(), "scores": scores,
        "probes": [options.probes, options.epochs, options.seed, options.train_split],
    }  # fmt: skip
    task = task_of(options, out, source, settings, unchanged, keeps_more=True)
    if task is None:
        return
    if "equity" in scores:
        refuse_unswapped(train, swap)
    command = command_again(options, source.name, config, score=scores)
    # Opened first, so that a place that cannot be written is told before anything is trained.
    with work_folder(options, out) as work, task.begun() as to:
        steps = [swap, *_techniques(options, trainer, scores, train, work)]
        features = {split: _features(rows, steps) for split, rows in splits.items()}
        apply = ApplyToShard(tuple(steps))
        task.write(to, splits, dict.fromkeys(splits, apply), features, title="Scoring")
        to[0].write_card(plain_card(name_of(out), source.shown, source.metadata, command))
    counts = "\n".join(f"{split}: {len(rows):,} pairs scored." for split, rows in splits.items())
    classes = classes_of(train.features, options.label)
    print("\n\n".join(filter(None, [counts, classes, written(out), f"The probes are in {work}."])))


def _features(rows: Dataset, steps: Sequence[Technique]) -> Features:
    """Return the columns of the result."""
    features = rows.features
    for step in steps:
        features = step.features(features)
    return features


def _epochs(given: int | None, scores: Sequence[str]) -> int | None:
    """Return how many epochs the forget score reads; None where it is not asked for."""
    if "forgetting" in scores:
        return 5 if given is None else given
    if given is not None:
        raise invalid(
            "--epochs is for the forget score alone, because the other scores are taken "
            "after the first epoch; add --score forgetting, or leave it out."
        )
    return None


def _techniques(
    options: argparse.Namespace,
    trainer: ProbeTrainer,
    scores: Sequence[str],
    train: Dataset,
    work: Path,
) -> list[Technique]:
    epochs = needed_epochs(scores, options.epochs or 1)
    seeds = tuple(range(options.seed, options.seed + options.probes))
    paths = train_probes(trainer.probes(work / "probes", seeds, epochs), train)
    return score_techniques(scores, trainer, paths, train.column_names, axis=options.axis)


def add_select(commands: Any) -> None:
    """Add the command `select`."""
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
    parser.set_defaults(run=run_select)


def run_select(options: argparse.Namespace) -> None:
    """Run the command `select`."""
    out = output(options)
    unchanged = opened_task(options, out)
    source, config, splits = open_source(options, out, options.text, split=options.split)
    scored = splits[options.split]
    refuse_misread_columns(options.text, scored.column_names, options.input)
    known = scored.column_names
    with called_as(options.input):
        field_columns(options.text, known)
    beside = {name: counterfactual_field(name, known) for name in options.text}
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
        scored, options.a, options.b, columns=options.text, ranking=options.ranking,
        seed=options.seed, score_columns={"equity": column},
    )  # fmt: skip
    if not len(chosen):
        raise InputError(
            f"{options.input}: a={options.a:g} and b={options.b:g} of {len(scored):,} pairs come "
            "to less than one row; raise a or b."
        )
    command = command_again(options, source.name, config)
    with task.begun() as to:
        split = options.split
        task.write(to, {split: chosen}, {split: ApplyToShard()}, {split: chosen.features})
        to[0].write_card(plain_card(name_of(out), source.shown, source.metadata, command, TOLD))
    swapped = sum(chosen[COUNTERFACTUAL][:])
    same = unchanged_counterfactuals(scored, chosen, columns=options.text)
    print(
        f"{counted(len(scored), 'pair')} in, {counted(len(chosen) - swapped, 'factual row')} and "
        f"{counted(swapped, 'counterfactual')} out ({same:,} of these equal their original).\n"
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
