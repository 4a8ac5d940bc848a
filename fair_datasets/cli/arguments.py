"""Arguments that several commands share."""

import argparse
import shlex
from pathlib import Path
from typing import Any

from fair_datasets.cli.parsers import add_parameters, option
from fair_datasets.scores.probes.config import HEADS
from fair_datasets.selection.diet import ProbeTrainer
from fair_datasets.selection.rankings import COMMON, rankings
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import InputError, require
from fair_datasets.system.portable import without_folders

# The options whose values may be paths.
_PATHS = ("axis", "base", "coreference", "direction", "encoder", "inputs", "model", "out",
          "pipeline", "pool", "protect", "reader", "swap_axis", "vectors")  # fmt: skip
# Those that change nothing of what is written, and those by which the rest is stated.
_UNSTATED = ("audit", "audit_label", "dry_run", "engine", "format", "json", "left", "log_file",
             "max_tokens_total", "max_wait", "num_proc", "overwrite", "plan", "price", "settings",
             "shard_rows", "tokenizer", "trial", "work")  # fmt: skip

_OF_MODELS = ("learning_rate", "batch_size", "max_length")


class _Given(str):
    """What was given, which may be spelt like the default."""

    __slots__ = ()


class _Once(argparse.Action):
    """Store an argument, and refuse a second one, of which the first would be lost in silence."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: Any = None) -> None:
        """Store the value."""
        if isinstance(getattr(namespace, self.dest), _Given):
            parser.error(f"{option_string} takes one column; run the command once for each label.")
        setattr(namespace, self.dest, _Given(values))


# The options that several commands have, by their destinations: names, what they do, what reads a
# value, and what argparse takes besides.
_SHARED: dict[str, tuple[str, str, Any, dict[str, Any]]] = {
    "text": (
        "--text", "a text column, or a path to the texts inside one, such as "
        "'messages[].content'; repeat it for several, which are read together", list,
        {"required": True, "metavar": "COL"},
    ),
    "roles": (
        "--role", "read a conversation's texts of this role only, such as user; repeat it for "
        "several", list, {"dest": "roles", "default": [], "metavar": "ROLE"},
    ),
    "label": (
        "--label", "the column with the class; texts become classes in alphabetical order, and "
        "numbers such as 1 to 5 in numerical order", None,
        {"usual": "label", "metavar": "COL", "action": _Once},
    ),
    "axis": ("--axis", "a lexicon's name, or your own .tsv file", None, {"usual": "gender"}),
    "provenance": ("--provenance", "add the columns counterfactual and edits", bool, {}),
    "family": (
        "--family", "add the column family_id, which a row shares with its copies, so that "
        "pair_split keeps them in one split (default: if rows are copied, or with --provenance)",
        argparse.BooleanOptionalAction, {},
    ),
    "licence": (
        "--licence --license", "the licence of INPUT for the card, such as cc-by-4.0; that of a "
        "dataset of the Hub is taken from its own card", None, {"metavar": "ID"},
    ),
    "num_proc": ("--num-proc", "the number of processes", int, {}),
    "seed": ("--seed", "the seed of the draws", int, {"usual": 0, "metavar": None}),
}  # fmt: skip
# What the swap says of its parameters holds for all that read as it does.
_OF_SWAP = {"names": None, "min_confidence": "SHARE", "pipeline": "NAME", "reader": "NAME"}


def add_shared(parser: argparse.ArgumentParser, *names: str, **changed: Any) -> None:
    """Add options that several commands have."""
    for name in names:
        if name in _OF_SWAP:
            add_parameters(parser, CounterfactualSwap, **{name: _OF_SWAP[name]})
            continue
        options, told, kind, settings = _SHARED[name]
        option(parser, options, told, kind, **{**settings, **changed})


def add_confidence(parser: argparse.ArgumentParser, what: str) -> None:
    """Add whether it is told how sure rows are, and where."""
    option(parser, "--confidence", f"{what}: how likely it is, from 0 to 1, that a row is "
           "rewritten correctly", bool)  # fmt: skip


def add_ranking(parser: argparse.ArgumentParser, usual: str, **options: Any) -> None:
    """Add the orders in which rows are taken, and say what those are that people use."""
    sentences = rankings()
    common = "; ".join(f"{name}: {sentences[name][:-1]}" for name in COMMON)
    others = ", ".join(name for name in sentences if name not in COMMON)
    option(parser, "--ranking NAME", f"the orders in which rows are taken (default: {usual}). "
           f"{common}. Also {others}", choices=tuple(sentences), **options)  # fmt: skip


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the classifier that is trained, and how."""
    option(parser, "--model MODEL", "linear: logistic regression on TF-IDF features, in seconds "
           "and without a download (the default); or the Hub id or folder of a model, to fine-tune "
           "or to put a --head on", default="linear")  # fmt: skip
    option(parser, "--head", "leave the model as it is, compute the sentence vectors of its texts "
           "once, and train logistic regression (linear) or a small network (mlp) on them: minutes "
           "on a CPU", choices=HEADS)  # fmt: skip
    option(parser, "--learning-rate", "the learning rate of a model's training (default: 2e-5 in "
           "fine-tuning, 1e-2 for a linear head, 1e-3 for mlp)", float)  # fmt: skip
    option(parser, "--batch-size", "the batch size of a model's training (default: 32)", int)
    option(parser, "--max-length", "how many tokens of a text a model reads (default: 128)", int)


def add_scoring(parser: argparse.ArgumentParser, what: str, otherwise: str = "") -> None:
    """Add what scores words, and say what word vectors do and what happens without them."""
    option(parser, "--vectors FILE", f"word vectors that {what}: GloVe or word2vec text or binary, "
           f".npz, or a Hub id{otherwise}")  # fmt: skip
    option(parser, "--encoder MODEL", "the folder or Hub id of an encoder that weighs the words, "
           "beside --vectors or alone")  # fmt: skip
    option(parser, "--direction FILE", "a saved direction (default: the one of the axis's own "
           "pairs of words)")  # fmt: skip
    option(parser, "--centred", "subtract the mean cosine of all words from each, which the paper "
           "does not do", bool, default=None)  # fmt: skip


def trainer_of(options: argparse.Namespace, **others: Any) -> ProbeTrainer:
    """Return how the classifiers are trained that `add_model` describes, and state the defaults."""
    given = {name: getattr(options, name) for name in ("head", *_OF_MODELS)}
    given = {name: value for name, value in given.items() if value is not None}
    if options.model != "linear":
        require("models", owner=options.command)
    elif given:
        raise InputError(
            f"{options.command}: --{next(iter(given)).replace('_', '-')} is for a model, and "
            "--model linear uses none; leave it out, or give --model the Hub id or folder of one."
        )
    trainer = ProbeTrainer(
        columns=tuple(options.text), roles=tuple(options.roles), label=options.label,
        model=options.model, **given, **others,
    )  # fmt: skip
    if options.model != "linear":
        settings = trainer.probes(Path("unused"), (0,), 1)
        vars(options).update({name: getattr(settings, name) for name in _OF_MODELS})
    return trainer


def command_again(
    options: argparse.Namespace, source: str = "", config: str | None = None, /, **stated: Any
) -> str:
    """Write a command anew, for the card, with its defaults stated and its paths without folders.

    Args:
        source: What was read, if it was one place.
        **stated: What takes the place of the options, such as a default that is settled later.

    Example:
        >>> from fair_datasets.cli.parsers import Parser
        >>> parser = Parser(prog="fair-datasets select")
        >>> option(parser, "-a --a SHARE", "the share of factual rows", float)
        >>> option(parser, "--out", "where to write")
        >>> command_again(parser.parse_args(["-a", "0.5", "--out", "/home/ada/x y"]))
        "fair-datasets select -a 0.5 --out 'x y'"
    """
    given = {**vars(options), "config": config, **stated}
    if len(given.get("inputs", "")) == 1:
        given["inputs"] = [source]
    words = ["fair-datasets", *options.command.split()]
    for action in options.parser._actions:
        if action.dest not in _UNSTATED:
            words += _words(action, given.get(action.dest))
    return shlex.join(words)


def _words(action: argparse.Action, value: Any) -> list[str]:
    """State what an argument was given, or nothing where that is nothing."""
    names = action.option_strings
    if value is None:
        return []
    if action.nargs == 0:
        return [names[0 if value else 1]] if value != action.default else []
    several = value if isinstance(value, list | tuple) else [value]
    words = [_word(action.dest, each) for each in several]
    if not names or action.nargs == "+":
        return [*names[:1], *words] if words else []
    return [word for each in words for word in (names[0], each)]


def _word(name: str, value: Any) -> str:
    """Write a value; NAME=VALUE where it is a pair."""
    if isinstance(value, tuple):
        key, inner = value
        return f"{key}={without_folders(inner) if isinstance(inner, str) else f'{inner:.12g}'}"
    is_place = name in _PATHS or isinstance(value, Path)
    return without_folders(str(value)) if is_place else str(value)
