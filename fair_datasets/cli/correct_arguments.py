"""The arguments of the command `correct`, and what they come to."""

import argparse
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from fair_datasets.cli.arguments import (
    add_family,
    add_licence,
    add_names,
    add_num_proc,
    add_provenance,
    add_readers,
    add_roles,
    add_scoring,
    add_seed,
    add_text,
    command_again,
)
from fair_datasets.cli.audited import add_audit
from fair_datasets.cli.inputs import add_input
from fair_datasets.cli.jobs import add_job
from fair_datasets.cli.outputs import add_out
from fair_datasets.correction.names import KINDS, PUBLISHED, Correction
from fair_datasets.correction.settings import Settings
from fair_datasets.correction.splits import TRAIN
from fair_datasets.system.checks import InputError, positive_whole_number

_SCORING = ("vectors", "encoder", "direction", "axis", "pipeline", "reader", "centred")
_SINGLE = ("correction", "vectors", "encoder", "direction", "axis", "pipeline", "reader",
           "swap_axis", "score_column", "label", "seed", "split", "licence", "out",
           "config_name")  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments.

    Args:
        parser: The command's parser.
    """
    add_input(parser)
    add_text(parser)
    add_roles(parser)
    parser.add_argument("--split", help="the one split to work on (default: all)")
    kinds = "; ".join(f"{kind}: {what}" for kind, what in KINDS.items())
    parser.add_argument(
        "--correction", required=True, metavar="NAME",
        help="what is done with the rows above a percentile of the scores of all splits together, "
        f"such as Sub95 or Aug92.5. {kinds}. The paper's are {', '.join(PUBLISHED)}",
    )  # fmt: skip
    _add_scoring(parser)
    parser.add_argument(
        "--label", metavar="COL",
        help="the column with the gold label: rows without one (-, -1 or nothing) are left out "
        "before the percentile is taken (default: every row is kept)",
    )  # fmt: skip
    _add_swapping(parser)
    _add_division(parser)
    add_seed(parser)
    add_num_proc(parser)
    add_job(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="count what would be done, and write nothing"
    )
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    add_out(parser, required=False, overwrite=True)
    add_licence(parser)
    add_audit(parser)


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return what `correct` is told.

    Args:
        options: The parsed arguments.

    Returns:
        Its parameters.

    Raises:
        InputError: An argument is wrong, or without effect.
    """
    if options.num_proc is not None:
        positive_whole_number(options.num_proc, owner="correct", parameter="--num-proc")
    sized = [name for name, _ in options.size or ()]
    for name in sized:
        if sized.count(name) > 1:
            raise InputError(f"correct: --size {name} is given twice; give it once.")
    if not options.group_split and not options.size:
        raise InputError(
            "correct: --no-group-split says how rows are divided anew, and they are not; add "
            "--size, such as --size test=10000, or leave it out."
        )
    rewriting = {
        "--swap-axis": options.swap_axis is not None,
        "--names" if options.names else "--no-names": options.names is not None,
        "--provenance": options.provenance,
        "--family" if options.family else "--no-family": options.family is not None,
    }
    useless = [name for name, is_given in rewriting.items() if is_given]
    if Correction.named(options.correction, owner="correct").kind == "Sub" and useless:
        raise InputError(
            f"correct: {useless[0]} says how rows are rewritten, but {options.correction} rewrites "
            "none; leave it out."
        )
    scoring = {name: value for name in _SCORING if (value := getattr(options, name))}
    swap = {
        "axis": options.swap_axis,
        "names": options.names,
        "provenance": options.provenance or None,
        "family": options.family,
    }
    return {
        "columns": tuple(options.text),
        "roles": tuple(options.roles),
        "correction": options.correction,
        "label": options.label,
        "score_column": options.score_column,
        "swap": {name: value for name, value in swap.items() if value is not None},
        "sizes": dict(options.size) if options.size else None,
        "group_split": options.group_split,
        "seed": options.seed,
        "num_proc": options.num_proc,
        **scoring,
    }


def checked_settings(settings: Mapping[str, Any]) -> Settings:
    """Check what `correct` is to be told, before any work is done for it.

    Args:
        settings: What `settings_of` returned.

    Returns:
        The same, checked.

    Raises:
        InputError: A setting is wrong.
    """
    own = {item.name for item in fields(Settings)} - {"score"}
    named = {name: value for name, value in settings.items() if name in own}
    others = {name: value for name, value in settings.items() if name not in {*own, "num_proc"}}
    return Settings.checked(**named, scoring=others)


def command_of(options: argparse.Namespace, source: str, config: str | None) -> str:
    """Write the command anew, for the card.

    Args:
        options: The parsed arguments.
        source: What is read, as the card is to state it.
        config: Its configuration.

    Returns:
        The command, for a shell.
    """
    sizes = [f"{name}={size:.12g}" for name, size in options.size or ()]
    several = {"text": options.text, "role": options.roles, "size": sizes}
    command = command_again(options, source, config, several=several, single=_SINGLE)
    flags = [f"--{name}" for name in ("centred", "provenance", "private") if getattr(options, name)]
    flags += [] if options.group_split else ["--no-group-split"]
    if options.family is not None:
        flags.append("--family" if options.family else "--no-family")
    return " ".join([command, *flags])


def _add_scoring(parser: argparse.ArgumentParser) -> None:
    """Add what scores the rows."""
    add_scoring(parser, "score the rows", " (default: the rows have scores, in --score-column)")
    parser.add_argument("--axis", default="gender", help="the axis (default: gender)")
    add_readers(parser)
    parser.add_argument(
        "--score-column", metavar="COL",
        help="the column with the scores (default: bias_score, with --centred bias_score_centred)",
    )  # fmt: skip


def _add_swapping(parser: argparse.ArgumentParser) -> None:
    """Add how rows are swapped."""
    parser.add_argument(
        "--swap-axis", metavar="FILE",
        help="a .tsv file of your own whose words are swapped (default: those of --axis)",
    )  # fmt: skip
    add_names(parser)
    add_provenance(parser)
    add_family(parser)


def _add_division(parser: argparse.ArgumentParser) -> None:
    """Add how rows are divided."""
    parser.add_argument(
        "--size", action="append", type=_size, metavar="SPLIT=N",
        help="pool all rows and divide them anew: N rows, or a share of them below 1, go to SPLIT, "
        "and the rest to train; repeat it, as the paper does with validation=10000 and test=10000 "
        "(default: the splits stay)",
    )  # fmt: skip
    parser.add_argument(
        "--group-split", action=argparse.BooleanOptionalAction, default=True,
        help="with --size: keep rows with the same first text in one split, and so a row and its "
        "copy (the default); --no-group-split shuffles row by row, as the paper does",
    )  # fmt: skip


def _size(given: str) -> tuple[str, float]:
    """Read the size of a split."""
    name, _, number = given.partition("=")
    try:
        size = float(number)
    except ValueError:
        size = 0.0
    if name == TRAIN:
        raise argparse.ArgumentTypeError(
            f"{given!r}: {TRAIN} gets the rest of the rows; give the sizes of the other splits"
        )
    is_count = size >= 1 and size.is_integer()
    if not name or not (is_count or 0 < size < 1):
        raise argparse.ArgumentTypeError(
            f"{given!r} is no split with its number of rows, or their share, such as test=10000"
        )
    return name, int(size) if is_count else size
