"""What `augment` adds where a server rewrites: its cost beforehand, its limits, its answers."""

import argparse
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from fair_datasets.cli.errors import UnfinishedError
from fair_datasets.cli.inputs import batches
from fair_datasets.cli.outputs import Output
from fair_datasets.cli.work import work_of
from fair_datasets.rewriters.generation.chat.settings import ChatSettings
from fair_datasets.rewriters.generation.chat.writer import Cost, counted_only
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.system.checks import InputError
from fair_datasets.system.pretrained import read_tokenizer
from fair_datasets.system.unreadable import told_if_unreadable
from fair_datasets.system.waiting import UnansweredError

LIMITS = ("max_tokens_total", "max_wait")
"""The settings that have options here."""
_COST = ("tokenizer", "price")

Kind = TypeVar("Kind", bound=Rewriter)


def add_served(parser: argparse.ArgumentParser) -> None:
    """Add what is asked of a server, and what it may cost."""
    group = parser.add_argument_group("with --set endpoint=ADDRESS")
    group.add_argument(
        "--max-tokens-total", type=int, metavar="N",
        help="stop when the server has counted this many tokens; to continue, run the same command "
        "with more",
    )  # fmt: skip
    group.add_argument(
        "--max-wait", type=float, metavar="S",
        help="for how many seconds a request is tried again (default: 300)",
    )  # fmt: skip
    group.add_argument(
        "--tokenizer", metavar="NAME",
        help="with --dry-run: the tokenizer, a folder or Hub id (default: four characters count as "
        "a token)",
    )  # fmt: skip
    group.add_argument(
        "--price", metavar="IN,OUT",
        help="with --dry-run: the price of a million tokens that the server reads, and writes",
    )  # fmt: skip


def is_served(technique: Rewriter) -> bool:
    """Tell whether a technique asks a server; its judge alone may."""
    return isinstance(technique, ChatSettings) and technique.is_served


def check_served(options: argparse.Namespace, technique: Rewriter) -> None:
    """Raise if something is asked about a server, but there is none.

    Raises:
        InputError: An option has no effect, or is not what it must be.
    """
    for name in (*LIMITS, *_COST):
        if getattr(options, name) is None:
            continue
        option = f"--{name.replace('_', '-')}"
        if not is_served(technique):
            raise InputError(
                f"augment: {option} is for a model on a server; leave it out, or give --set "
                "endpoint=ADDRESS."
            )
        if name in _COST and not options.dry_run:
            raise InputError(f"augment: {option} is for --dry-run; leave it out.")
    _price(options.price)


@contextmanager
def keeping_answers(technique: Kind, options: argparse.Namespace, out: Output) -> Iterator[Kind]:
    """Keep what a server answers beside the output until all is done, so that it is paid once.

    Yields:
        The technique, with its limits and a cache.

    Raises:
        InputError: The server gave no answer; the sentence says that the others are kept.
        UnfinishedError: It ended early otherwise.
    """
    if not (isinstance(technique, ChatSettings) and technique.is_served):
        yield technique
        return
    own = technique.cache is not None
    folder = technique.cache or work_of(out) / "answers"
    limits = {name: getattr(options, name) for name in LIMITS}
    given = {name: value for name, value in limits.items() if value is not None}
    kept = f"what the server answered is kept in {folder}, and the same command goes on from there"
    try:
        # Actors of Ray work in folders of their own.
        yield replace(technique, cache=str(Path(folder).resolve()), **given)
    except UnansweredError as error:
        if not Path(folder).exists():
            raise
        raise type(error)(f"{error} ({kept}.)") from error
    except (Exception, KeyboardInterrupt) as error:
        if isinstance(error, InputError) or not work_of(out).exists():
            raise
        raise UnfinishedError(kept) from error
    if not own:
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):  # The command may keep more there.
            work_of(out).rmdir()


def tell_cost(
    options: argparse.Namespace, technique: Rewriter, splits: Mapping[str, Any], source: str
) -> None:
    """Print how many tokens a server would read and write, and their price; nobody is asked."""
    tokenizer = None
    if options.tokenizer is not None:
        with told_if_unreadable(options.tokenizer, what="tokenizer", owner="augment --tokenizer"):
            tokenizer = read_tokenizer(options.tokenizer)
    cost = Cost(tokenizer)
    mode = technique.mode if technique.mode == "substitute" else "replace"
    asked = replace(technique, mode=mode, keep_unchanged=False)
    read = [*technique.columns, *technique.other_columns()]
    with counted_only(cost):
        for rows in splits.values():
            for batch in batches(rows, read, source):
                asked(batch)
    how = "about " if tokenizer is None else ""
    print(f"requests: {cost.requests:,}")
    print(f"tokens in: {how}{cost.read:,}")
    print(f"tokens out: about {cost.written:,}, if the model edits what the swap edits")
    if tokenizer is None:
        print("Four characters were taken for a token; --tokenizer NAME counts them.")
    if options.price is not None:
        price = cost.price(*_price(options.price))
        print(f"price: {f'about {price:,.2f}' if price >= 0.01 or not price else 'less than 0.01'}")


def _price(text: str | None) -> tuple[float, float]:
    """Read two prices, or raise."""
    try:
        prices = [float(part) for part in (text or "0,0").split(",")]
    except ValueError:
        prices = []
    if len(prices) != 2 or not all(0 <= price < float("inf") for price in prices):
        raise InputError(
            f"augment: --price must be two numbers, such as 0.15,0.60, but it is {text!r}."
        )
    return prices[0], prices[1]
