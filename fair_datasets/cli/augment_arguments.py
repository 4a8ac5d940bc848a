"""The arguments of `augment`: their names, the technique they state, and the command anew."""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fair_datasets.cli.columns import Splits
from fair_datasets.cli.errors import UnfinishedError
from fair_datasets.cli.groups import Confidence, Family, Processes, Protect, ReaderOptions, Texts
from fair_datasets.cli.inputs import batches
from fair_datasets.cli.option_types import AXIS, COL, MODEL, NAME, PRICES, SETTING
from fair_datasets.cli.options import Options
from fair_datasets.cli.outputs import Output
from fair_datasets.cli.parameters import (
    DEFAULT,
    given_settings,
    kinds_of,
    named_again,
    refuse_options,
    required,
    rewriter_class,
    settings_again,
    takes_several,
)
from fair_datasets.rewriters.generation.chat import Cost, counted_only
from fair_datasets.rewriters.generation.served import ChatSettings
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.preferences import TIES
from fair_datasets.swap.rewriting.rewriter import MODES, Rewriter
from fair_datasets.swap.unlisted_names import UNLISTED
from fair_datasets.system.checks import InputError, error_context, invalid
from fair_datasets.system.pretrained import read_tokenizer, translate_load_errors
from fair_datasets.system.retry import UnansweredError
from fair_datasets.system.validate import Count, OneOf, Share


class Served(Options):
    """What is asked of a server, and what it may cost.

    Attributes:
        max_tokens_total: With --set endpoint=ADDRESS: stop when the server has counted this many
            tokens; to continue, run the same command with more.
        max_wait: For how many seconds a request to a server is tried again (default: 300).
        tokenizer: With --dry-run: the tokenizer of the model on a server, a folder or Hub id
            (default: four characters count as a token).
        price: With --dry-run: the prices of a million tokens that the server reads, and of a
            million that it writes.
    """

    max_tokens_total: Count | None = None
    max_wait: Annotated[float, "S"] | None = None
    tokenizer: NAME | None = None
    price: PRICES | None = None


class Technique(Splits, Texts, ReaderOptions, Protect, Confidence, Family, Processes):
    """What rewrites the texts, and its parameters.

    Attributes:
        technique: What rewrites the texts: an installed rewriter by its name, or a class of your
            own, whose code is run, as FILE.py:CLASS or MODULE:CLASS.
        set: A parameter of the technique that has no option here; repeat it for several, and for
            the values of a list.
        settings: A JSON file with an object of such parameters.
        mode: Augment: each row, then its counterfactual (CDA; the default of most techniques);
            substitute: each row is replaced with probability --rate (CDS); replace: every row is
            replaced; pair: each row stays, and its counterfactual is in the columns
            COL_counterfactual; only for PreferenceTwins: equal: each chosen answer with its twin,
            in both orders; gap: the same in one order.
    """

    LIKE = "fair_datasets.swap.counterfactual:CounterfactualSwap"

    technique: NAME = DEFAULT
    set: tuple[SETTING, ...] = ()
    settings: Annotated[str, "FILE"] | None = None
    id_column: COL | None
    consistent_by: COL | None
    offsets: tuple[Annotated[str, "PATH[=COL]"], ...]
    axis: tuple[AXIS, ...]
    joint: bool
    rate: Share | None
    source: tuple[Annotated[str, "SOURCE"], ...]
    target: tuple[Annotated[str, "TARGET"], ...]
    pronouns: Annotated[str, "PRONOUNS"]
    mode: Annotated[str, OneOf((*MODES, *TIES))] | None = None
    leave_facts: bool
    unlisted_names: Annotated[str, OneOf(UNLISTED)]
    coreference: MODEL | None


def technique_of(options: Technique) -> Rewriter:
    """Make the technique that the arguments state."""
    kind = rewriter_class(options.technique)
    kinds = kinds_of(kind)
    given: dict[str, Any] = {"columns": options.text}
    flags = {name: options.flags()[name] for name in (*_parameters_with_options(options), *LIMITS)}
    for name in _given(options):
        if name not in kinds:
            raise invalid(
                f"{flags[name]} is not for {kind.__name__}, which has no parameter {name!r}; "
                "leave it out."
            )
        value = options.protected if name == "protect" else getattr(options, name)
        if isinstance(value, tuple) and name != "protect":
            # Of a parameter that takes one value, the class says that several are too many.
            value = value if takes_several(kinds[name]) or value[1:] else value[0]
        given[name] = value
    own = {name: kinds[name] for name in _own(options, kinds)}
    refuse_options(options.set, {"columns": "--text", **flags})
    given |= given_settings(options.set, options.settings, own)
    for name in required(kind):
        if name not in given:
            raise InputError(
                f"augment: {kind.__name__} needs {name!r}; give it with --set {name}=VALUE."
            )
    return kind(**given)


def _parameters_with_options(options: Options) -> list[str]:
    """Return the parameters that have options of their own, for each rewriter that has them."""
    return [name for name in kinds_of(CounterfactualSwap) if name in options.context.params]


def _given(options: Technique) -> list[str]:
    """Return the parameters that have options which were typed."""
    # What is not typed is the technique's own default.
    names = [name for name in _parameters_with_options(options) if options.is_given(name)]
    return [*names, "protect"] if options.no_protect and "protect" not in names else names


def _own(options: Options, names: Iterable[str]) -> list[str]:
    """Return the parameters that have no option of their own."""
    # What stands twice would be counted as rewritten.
    others = ("columns", "keep_unchanged", *_parameters_with_options(options), *LIMITS)
    return [name for name in names if name not in others]


def command_of(options: Technique, technique: Rewriter, source: str, config: str | None) -> str:
    """Write the command anew, for the card, with the defaults stated."""
    kinds = kinds_of(type(technique))
    stated = {name: getattr(technique, name, None) for name in _parameters_with_options(options)}
    for name, value in stated.items():
        # A switch that is off, as it is by itself, is not stated.
        if value is False and getattr(type(technique), name, None) is False:
            stated[name] = None
    named = None if options.technique == DEFAULT else named_again(options.technique)
    stated |= {"technique": named, "set": settings_again(technique, _own(options, kinds))}
    stated["no_protect"] = stated["protect"] == ()
    return options.again(source, config, samples=getattr(options, "samples", 0) or None, **stated)


LIMITS = ("max_tokens_total", "max_wait")
"""The settings that have options here."""
_COST = ("tokenizer", "price")

Kind = TypeVar("Kind", bound=Rewriter)


def is_served(technique: Rewriter) -> bool:
    """Whether a technique asks a server; its judge alone may."""
    return isinstance(technique, ChatSettings) and technique.is_served


def check_served(options: Any, technique: Rewriter) -> None:
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


@contextmanager
def keeping_answers(technique: Kind, options: Any, out: Output) -> Iterator[Kind]:
    """Keep what a server answers beside the output until all is done, so that it is paid once."""
    if not (isinstance(technique, ChatSettings) and technique.is_served):
        yield technique
        return
    own = technique.cache is not None
    folder = technique.cache or out.work / "answers"
    limits = {name: getattr(options, name) for name in LIMITS}
    given = {name: value for name, value in limits.items() if value is not None}
    notice = (
        f"what the server answered is kept in {folder}, and the same command goes on from there"
    )
    try:
        # Actors of Ray work in folders of their own.
        yield replace(technique, cache=str(Path(folder).resolve()), **given)
    except UnansweredError as error:
        if not Path(folder).exists():
            raise
        raise type(error)(f"{error} ({notice}.)") from error
    except (Exception, KeyboardInterrupt) as error:
        if isinstance(error, InputError) or not out.work.exists():
            raise
        raise UnfinishedError(notice) from error
    if not own:
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):  # The command may keep more there.
            out.work.rmdir()


def print_cost(options: Any, technique: Rewriter, splits: Mapping[str, Any], source: str) -> None:
    """Print how many tokens a server would read and write, and their price; nobody is asked."""
    tokenizer = None
    if options.tokenizer is not None:
        name = options.tokenizer
        with error_context("augment --tokenizer"), translate_load_errors(name, what="tokenizer"):
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
        price = cost.price(*options.price)
        print(f"price: {f'about {price:,.2f}' if price >= 0.01 or not price else 'less than 0.01'}")
