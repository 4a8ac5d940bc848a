"""The arguments of `augment`: their names, the technique they state, and the command anew."""

import argparse
import shlex

from fair_datasets.cli.arguments import (
    add_licence,
    add_names,
    add_num_proc,
    add_provenance,
    add_roles,
    add_seed,
    add_text,
    input_words,
)
from fair_datasets.cli.inputs import add_input
from fair_datasets.cli.outputs import add_out
from fair_datasets.portable import without_folders
from fair_datasets.swap.counterfactual import MODES, CounterfactualSwap
from fair_datasets.swap.pronoun_sets import available_pronoun_sets


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments.

    Args:
        parser: The parser that gets them.
    """
    add_input(parser)
    _add_columns(parser)
    _add_direction(parser)
    _add_reading(parser)
    add_seed(parser)
    add_num_proc(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="show the first changes and write nothing"
    )
    add_out(parser, required=False, overwrite=True)
    _add_card(parser)


def technique_of(options: argparse.Namespace) -> CounterfactualSwap:
    """Make the technique that the arguments state.

    Args:
        options: The parsed arguments.

    Returns:
        The technique.

    Raises:
        InputError: An argument is wrong.
    """
    return CounterfactualSwap(
        columns=options.text,
        roles=options.roles,
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


def command_of(options: argparse.Namespace, source: str, config: str | None) -> str:
    """Write the command anew, for the card.

    Args:
        options: The parsed arguments.
        source: What is read, as the card is to state it.
        config: Its configuration.

    Returns:
        The command, for a shell.
    """
    words = ["fair-datasets", "augment", *input_words(options, source)]
    for name in ("text", "axis", "source", "target", "protect"):
        # A default that is stated in the card stays what it was.
        for value in getattr(options, name) or (["gender"] if name == "axis" else []):
            words += [f"--{name}", without_folders(value) if name == "axis" else value]
    for role in options.roles:
        words += ["--role", role]
    words += ["--mode", options.mode, "--pronouns", options.pronouns]
    if options.mode == "substitute":
        words += ["--rate", str(technique_of(options).rate)]
    if options.names is not None:
        words += ["--names" if options.names else "--no-names"]
    words += ["--seed", str(options.seed)]
    words += ["--config", config] if config else []
    for name in ("pipeline", "split", "id_column", "licence", "out", "config_name"):
        if (value := getattr(options, name)) is not None:
            value = without_folders(value) if name in ("pipeline", "out") else value
            words += [f"--{name.replace('_', '-')}", value]
    words += ["--samples", str(options.samples)] if options.samples else []
    words += [f"--{name}" for name in ("joint", "provenance", "private") if getattr(options, name)]
    return shlex.join(words)


def _add_columns(parser: argparse.ArgumentParser) -> None:
    """Add which rows and columns are read, and what is added to them."""
    add_text(parser)
    add_roles(parser)
    parser.add_argument("--split", help="the one split to work on (default: all)")
    parser.add_argument("--id-column", metavar="COL", help="a column that identifies each row")
    add_provenance(parser)


def _add_direction(parser: argparse.ArgumentParser) -> None:
    """Add which terms are rewritten to which, and in which rows."""
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
        "is replaced with probability --rate (CDS); replace: every row is; pair: its "
        "counterfactual stands beside it, in the columns COL_counterfactual",
    )
    parser.add_argument(
        "--rate", type=float, help="the probability of --mode substitute (default: 0.5)"
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


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """Add how the terms are told from other words."""
    add_names(parser)
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


def _add_card(parser: argparse.ArgumentParser) -> None:
    """Add what the card states besides."""
    add_licence(parser)
    parser.add_argument(
        "--samples",
        type=int,
        default=0,
        metavar="N",
        help="show the edits of the first N changed rows in the card; their texts are published "
        "with it (default: 0)",
    )
