"""The arguments of `augment`: their names, the technique they state, and the command anew."""

import argparse
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from fair_datasets.cli.audited import add_audit
from fair_datasets.cli.columns import add_splits
from fair_datasets.cli.errors import UnfinishedError
from fair_datasets.cli.inputs import add_input, batches
from fair_datasets.cli.outputs import Output, add_out, work_of
from fair_datasets.cli.parameters import (
    DEFAULT,
    Kinds,
    given_settings,
    kinds_of,
    named_again,
    refuse_options,
    required,
    rewriter_class,
    settings_again,
)
from fair_datasets.cli.parsers import (
    add_confidence,
    add_parameters,
    add_shared,
    command_again,
    option,
)
from fair_datasets.cli.tasks import add_engine, add_job
from fair_datasets.rewriters.generation.chat import Cost, counted_only
from fair_datasets.rewriters.generation.served import ChatSettings
from fair_datasets.swap.agreement import available_pronoun_sets
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.preferences import TIES
from fair_datasets.swap.rewriting.rewriter import MODES, Rewriter
from fair_datasets.swap.unlisted_names import UNLISTED
from fair_datasets.system.checks import InputError, called_as, invalid
from fair_datasets.system.pretrained import read_tokenizer, told_if_unreadable
from fair_datasets.system.waiting import UnansweredError

# The parameters that have options of their own, which are for each rewriter that has them.
_SHARED = ("axis", "source", "target", "protect", "roles", "mode", "pronouns", "rate", "names",
           "leave_facts", "unlisted_names", "coreference", "seed", "pipeline", "reader",
           "id_column", "joint", "consistent_by", "provenance",
           "family", "confidence", "min_confidence", "offsets")  # fmt: skip
_OPTIONS = {"roles": "role"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_input(parser)
    _add_technique(parser)
    _add_columns(parser)
    _add_direction(parser)
    _add_reading(parser)
    add_shared(parser, "seed", "num_proc")
    add_engine(parser)
    _add_served(parser)
    add_job(parser)
    option(parser, "--dry-run", "show the first changes and write nothing", bool)
    add_out(parser, required=False, overwrite=True)
    option(parser, "--left FILE", "list in this file the rows that the swap leaves alone, with the "
           "reasons; this reads the rows once more")  # fmt: skip
    _add_card(parser)
    add_audit(parser, label=True)
    # What is not given is the technique's own default.
    parser.set_defaults(**dict.fromkeys(_SHARED))


def technique_of(options: argparse.Namespace) -> Rewriter:
    """Make the technique that the arguments state."""
    kind = rewriter_class(options.technique)
    kinds = kinds_of(kind)
    _refuse_others(options, kind.__name__, kinds)
    given: dict[str, Any] = {"columns": tuple(options.text)}
    for name in _SHARED:
        value = getattr(options, name)
        if isinstance(value, list):
            # Of a parameter that takes one value, the class says that several are too many.
            value = tuple(value) if kinds[name].several is not None or value[1:] else value[0]
        if value is not None:
            given[name] = value
    own = {name: kinds[name] for name in _own(kinds)}
    with_options = {name: _option(name) for name in (*_SHARED, *LIMITS)}
    refuse_options(options.set, {"columns": "--text", **with_options})
    given |= given_settings(options.set, options.settings, own)
    for name in required(kind):
        if name not in given:
            raise InputError(
                f"augment: {kind.__name__} needs {name!r}; give it with --set {name}=VALUE."
            )
    return kind(**given)


def _refuse_others(options: argparse.Namespace, technique: str, kinds: Mapping[str, Kinds]) -> None:
    """Raise if an option is given whose parameter the technique has not."""
    for name in _SHARED:
        if getattr(options, name) is not None and name not in kinds:
            raise invalid(
                f"{_option(name)} is not for {technique}, which has no parameter {name!r}; "
                "leave it out."
            )


def _own(names: Iterable[str]) -> list[str]:
    """Return the parameters that have no option of their own."""
    # What stands twice would be counted as rewritten.
    others = ("columns", "keep_unchanged", *_SHARED, *LIMITS)
    return [name for name in names if name not in others]


def _option(name: str) -> str:
    """Return the option that states a parameter."""
    return f"--{_OPTIONS.get(name, name).replace('_', '-')}"


def command_of(
    options: argparse.Namespace, technique: Rewriter, source: str, config: str | None
) -> str:
    """Write the command anew, for the card, with the defaults stated."""
    kinds = kinds_of(type(technique))
    stated = {name: getattr(technique, name) for name in _SHARED if name in kinds}
    for name, value in stated.items():
        # A switch that is off, as it is by itself, is not stated.
        if value is False and getattr(type(technique), name, None) is False:
            stated[name] = None
    named = None if options.technique == DEFAULT else named_again(options.technique)
    stated |= {"technique": named, "set": settings_again(technique, _own(kinds))}
    return command_again(options, source, config, samples=options.samples or None, **stated)


def _add_technique(parser: argparse.ArgumentParser) -> None:
    """Add which rewriter it is, and the parameters that are its own."""
    option(parser, "--technique NAME", "what rewrites the texts: an installed rewriter by its "
           "name, or a class of your own, whose code is run, as FILE.py:CLASS or MODULE:CLASS",
           usual=DEFAULT)  # fmt: skip
    option(parser, "--set NAME=VALUE", "a parameter of the technique that has no option here; "
           "repeat it for several, and for the values of a list", list, default=[])  # fmt: skip
    option(parser, "--settings FILE", "a JSON file with an object of such parameters")


def _add_columns(parser: argparse.ArgumentParser) -> None:
    add_shared(parser, "text", "roles")
    add_splits(parser)
    add_parameters(
        parser, CounterfactualSwap, id_column="COL", consistent_by="COL", offsets="PATH[=COL]"
    )
    add_shared(parser, "provenance", "family")
    add_confidence(parser, "add the column confidence")
    add_shared(parser, "min_confidence")


def _add_direction(parser: argparse.ArgumentParser) -> None:
    """Add which terms are rewritten to which, and in which rows."""
    add_parameters(
        parser, CounterfactualSwap, axis="AXIS", joint=None, rate="RATE", source="SOURCE",
        target="TARGET", pronouns=tuple(available_pronoun_sets()),
    )  # fmt: skip
    option(parser, "--mode", "augment: each row, then its counterfactual (CDA; the default of most "
           "techniques); substitute: each row is replaced with probability --rate (CDS); replace: "
           "every row is replaced; pair: each row stays, and its counterfactual is in the columns "
           "COL_counterfactual; only for PreferenceTwins: equal: each chosen answer with its twin, "
           "in both orders; gap: the same in one order", choices=(*MODES, *TIES))  # fmt: skip


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """Add how the terms are told from other words."""
    add_shared(parser, "names", "protect")
    add_parameters(parser, CounterfactualSwap, leave_facts=None, unlisted_names=UNLISTED)
    add_shared(parser, "pipeline", "reader")
    add_parameters(parser, CounterfactualSwap, coreference="MODEL")


def _add_card(parser: argparse.ArgumentParser) -> None:
    """Add what the card states besides."""
    add_shared(parser, "licence")
    option(parser, "--samples", "show the edits of the first N changed rows in the card; their "
           "texts are published with it", int, 0)  # fmt: skip


LIMITS = ("max_tokens_total", "max_wait")
"""The settings that have options here."""
_COST = ("tokenizer", "price")

Kind = TypeVar("Kind", bound=Rewriter)


def _add_served(parser: argparse.ArgumentParser) -> None:
    """Add what is asked of a server, and what it may cost."""
    group = parser.add_argument_group("with --set endpoint=ADDRESS")
    option(group, "--max-tokens-total", "stop when the server has counted this many tokens; to "
           "continue, run the same command with more", int)  # fmt: skip
    option(group, "--max-wait S", "for how many seconds a request is tried again (default: 300)",
           float)  # fmt: skip
    option(group, "--tokenizer NAME", "with --dry-run: the tokenizer, a folder or Hub id (default: "
           "four characters count as a token)")  # fmt: skip
    option(group, "--price IN,OUT", "with --dry-run: the prices of a million tokens that the "
           "server reads, and of a million that it writes")  # fmt: skip


def is_served(technique: Rewriter) -> bool:
    """Tell whether a technique asks a server; its judge alone may."""
    return isinstance(technique, ChatSettings) and technique.is_served


def check_served(options: argparse.Namespace, technique: Rewriter) -> None:
    """Raise if something is asked about a server, but there is none."""
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
    """Keep what a server answers beside the output until all is done, so that it is paid once."""
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
        name = options.tokenizer
        with called_as("augment --tokenizer"), told_if_unreadable(name, what="tokenizer"):
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
