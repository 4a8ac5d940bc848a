"""The command `score`: a labelled dataset in, its pairs with importance scores out."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset, Features

from fair_datasets.cli.arguments import add_model, add_shared, command_again, trainer_of
from fair_datasets.cli.columns import check_text_columns, with_classes
from fair_datasets.cli.inputs import add_input
from fair_datasets.cli.outputs import add_out, name_of, output, work_folder, written
from fair_datasets.cli.parsers import option
from fair_datasets.cli.sources import open_source, plain_card
from fair_datasets.cli.tasks import add_job, opened_task, task_of
from fair_datasets.jobs.rewriting import ApplyToShard
from fair_datasets.scores.probes import train_probes
from fair_datasets.selection.diet import ProbeTrainer
from fair_datasets.selection.diet.scoring import (
    classes_of,
    needed_epochs,
    refuse_unswapped,
    score_techniques,
)
from fair_datasets.selection.rankings import SCORES
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import InputError, one_of
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
    one_of(options.train_split, splits, owner=options.input, parameter="--train-split")
    for split, dataset in splits.items():
        check_text_columns(dataset, options.text, f"{options.input} (split {split})", options.roles)
    splits = with_classes(splits, options.label, owner=options.input)
    train = splits[options.train_split]
    swap = CounterfactualSwap(
        columns=tuple(options.text), roles=tuple(options.roles), axis=options.axis,
        names=options.names, pipeline=options.pipeline, reader=options.reader, mode="pair",
    )  # fmt: skip
    settings = {
        "swap": swap.config(), "trainer": trainer.settings(), "scores": scores,
        "probes": [options.probes, options.epochs, options.seed, options.train_split],
    }  # fmt: skip
    task = task_of(options, out, source, settings, unchanged, keeps_more=True)
    if task is None:
        return
    if "equity" in scores:
        refuse_unswapped(train, swap, owner="score")
    command = command_again(options, source.name, config, score=scores)
    # Opened first, so that a place that cannot be written is told before anything is trained.
    with work_folder(options, out) as work, task.begun() as to:
        steps = [swap, *_techniques(options, trainer, scores, train, work)]
        features = {split: _features(rows, steps) for split, rows in splits.items()}
        apply = ApplyToShard(tuple(steps))
        task.write(to, splits, dict.fromkeys(splits, apply), features, title="Scoring")
        to[0].write_card(plain_card(name_of(out), source, command))
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
        raise InputError(
            "score: --epochs is for the forget score alone, because the other scores are taken "
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
    epochs = needed_epochs(scores, options.epochs or 1, owner="score")
    seeds = tuple(range(options.seed, options.seed + options.probes))
    paths = train_probes(trainer.probes(work / "probes", seeds, epochs), train)
    return score_techniques(scores, trainer, paths, axis=options.axis)
