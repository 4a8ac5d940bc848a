"""The arguments of the command `diet`, and the settings that they come to."""

import argparse
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

from fair_datasets.cli.arguments import (
    add_axis,
    add_label,
    add_model,
    add_ranking,
    add_readers,
    add_roles,
    add_seed,
    add_text,
)
from fair_datasets.cli.audited import add_audit
from fair_datasets.cli.inputs import add_input
from fair_datasets.cli.jobs import add_job
from fair_datasets.cli.outputs import add_out
from fair_datasets.diet import DietConfig
from fair_datasets.diet.scoring import unscored
from fair_datasets.selection.objectives import DEFAULT_OBJECTIVE, OBJECTIVES
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments.

    Args:
        parser: The command's parser.
    """
    add_input(parser)
    add_text(parser)
    add_roles(parser)
    add_label(parser)
    parser.add_argument(
        "--positive", action="append", default=[], metavar="CLASS",
        help="the class that is 1 where there are more than two, the others being 0; repeat it for "
        "several (default: of a rating, the classes above its middle); what each label was stays "
        "in the column LABEL_given",
    )  # fmt: skip
    add_axis(parser)
    add_readers(parser)
    add_ranking(parser, "healthy_random; repeat it for several", action="append")
    add_model(parser)
    parser.add_argument(
        "--epochs", type=int, default=10, metavar="N",
        help="how long the compared classifiers are trained (default: 10)",
    )  # fmt: skip
    parser.add_argument(
        "--seeds", type=int, default=3, metavar="N", help="trainings per share (default: 3)"
    )
    for half, what, usual in (("a", "factual rows", DietConfig.a_values),
                              ("b", "counterfactuals", DietConfig.b_values)):  # fmt: skip
        parser.add_argument(
            f"-{half}", f"--{half}", type=_shares, action="extend", metavar="SHARE[,SHARE...]",
            help=f"the shares of {what} that are tried, 0 to 1; one alone is fixed (default: "
            f"{','.join(f'{share:g}' for share in usual)})",  # type: ignore[union-attr]
        )  # fmt: skip
    parser.add_argument(
        "--probes", type=int, metavar="N", help="how many probes score (default: 5)"
    )
    parser.add_argument(
        "--probe-epochs", type=int, metavar="N",
        help="how long they are trained for the forget score; the other scores are taken after the "
        "first epoch (default: 5)",
    )  # fmt: skip
    parser.add_argument(
        "--max-auc-drop",
        type=float,
        default=3.0,
        metavar="PERCENT",
        help="how much the AUC may fall (default: 3)",
    )
    parser.add_argument(
        "--optimise",
        choices=tuple(OBJECTIVES),
        default=DEFAULT_OBJECTIVE,
        help="the measure of fairness that shares are chosen by (default: flip_rate, in which "
        "nothing cancels; the paper's is demographic_parity); all of them are reported",
    )
    parser.add_argument(
        "--placebo-draws", type=int, metavar="N",
        help="with how many draws of other words in the same places flips are controlled; 0 for "
        "none (default: 9)",
    )  # fmt: skip
    parser.add_argument(
        "--pool",
        metavar="INPUT",
        help="other labelled rows, from which the baseline `balancing` takes negatives",
    )
    parser.add_argument("--pool-split", metavar="SPLIT", help="their split (default: train)")
    parser.add_argument(
        "--work",
        type=Path,
        metavar="DIR",
        help="where probes and finished trainings are kept (default: OUT.work, which is removed "
        "when all is done)",
    )
    add_seed(parser)
    add_job(parser)
    add_out(parser, files=False)
    add_audit(parser)


def diet_config(options: argparse.Namespace) -> DietConfig:
    """Return the settings that the arguments come to.

    Args:
        options: The parsed arguments.

    Returns:
        The settings.

    Raises:
        InputError: An argument is wrong, or without effect.
    """
    if options.pool is None and options.pool_split is not None:
        raise InputError(
            "diet: --pool-split is of --pool, which is missing; add it, or leave it out."
        )
    chosen = {
        name: value
        for name, value in (
            ("a_values", options.a), ("b_values", options.b), ("probe_seeds", options.probes),
            ("probe_epochs", options.probe_epochs), ("placebo_draws", options.placebo_draws),
        )
        if value is not None
    }  # fmt: skip
    return DietConfig(
        columns=tuple(options.text),
        roles=tuple(options.roles),
        label=options.label,
        axis=options.axis,
        names=options.names,
        pipeline=options.pipeline,
        reader=options.reader,
        rankings=tuple(options.ranking or ["healthy_random"]),
        max_auc_drop=options.max_auc_drop,
        optimise=options.optimise,
        seeds=options.seeds,
        seed=options.seed,
        **chosen,
    )


def settle_probes(options: argparse.Namespace, config: DietConfig, train: "Dataset") -> None:
    """State how the probes are trained, or raise where that is asked for and none is.

    Args:
        options: The parsed arguments; `probes` and `probe_epochs` get their defaults where used.
        config: The settings.
        train: The training rows, which may have scores.

    Raises:
        InputError: An argument would be without effect.
    """
    scores = unscored(config, train.column_names)
    for name, is_used, usual, why in (
        ("probes", bool(scores), config.probe_seeds, "no score is left to compute"),
        ("probe_epochs", "forgetting" in scores, config.probe_epochs,
         "the forget score alone, which is not to be computed, reads more than one epoch"),
    ):  # fmt: skip
        if is_used:
            setattr(options, name, usual)
        elif getattr(options, name) is not None:
            flag = name.replace("_", "-")
            raise InputError(
                f"diet: --{flag} is of the probes that score, and {why}; leave it out."
            )


def _shares(given: str) -> list[float]:
    """Read shares that are separated by commas."""
    found = []
    for word in given.split(","):
        try:
            share = float(word)
        except ValueError:
            share = nan
        if not 0 <= share <= 1:
            in_per_cent = f"; {share:g} per cent is {share / 100:g}" if 1 < share <= 100 else ""
            raise argparse.ArgumentTypeError(f"{word!r} is no share from 0 to 1{in_per_cent}")
        found.append(share)
    return found
