"""The parser of all commands, and the options that several have; a mistake is one sentence."""

import argparse
import copy
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from fair_datasets.scores.probes.config import HEADS
from fair_datasets.selection.diet import ProbeTrainer
from fair_datasets.selection.rankings import COMMON, rankings
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import (
    invalid,
    listed,
    meanings,
    not_allowed,
    require,
    suggestion,
)
from fair_datasets.system.portable import without_folders

# What people write who know the parameters of Python, or other tools.
_ELSEWHERE = {
    "--column": "--text", "--columns": "--text", "--text-column": "--text", "-t": "--text",
    "--data": "--text", "--output": "--out", "--pos-label": "--positive",
}  # fmt: skip
_NUMBER = re.compile(r"-[\d.]")
_TWICE = re.compile(r"(--[\w-]+) \(\1\)")
_QUOTED = r"'[^']*'|`[^`]*`"
# Of commands with more options than a screen shows: those that `--help` shows.
_COMMON = {
    "find": "axis target protect reader confidence json",
    "audit": "text label axis groups fail_if out",
    "twin-task": "columns axis target metric draws out",
    "augment": "text axis mode target dry_run out",
    "correct": "text correction vectors label dry_run out",
    "select": "text a b ranking split out",
    "diet": "text label axis ranking model out",
    "score": "text label axis score model out",
    "build-lexicon": "text pairs attributes model review out",
    "train reader": "begin gold texts_to_keep input base out",
    "train encoder": "text label vectors preset epochs out",
    "evaluate-encoders": "test tasks pooling seed json out",
    "reproduce-paper": "table scale model data plan out",
    "push dataset": "config_name private revision overwrite create_pr dry_run",
    "push model": "card private revision overwrite create_pr dry_run",
    "push metrics": "private revision overwrite create_pr commit_message dry_run",
    "push demo": "private revision overwrite create_pr commit_message dry_run",
}
# What a help says before its first semicolon, or the end of a sentence, outside parentheses.
_CLAUSE = re.compile(r"(?:[^;(.]|\.(?! )|\([^)]*\)?)+")


class _AllOptions(argparse.Action):
    """Print the whole help."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        """Take no value, and set none."""
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Print it and leave."""
        print(parser.format_help(), end="")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """A parser that names what was meant, and leaves the list of all options to `--help`."""

    def __init__(self, *, later: Callable[["Parser"], None] | None = None, **settings: Any) -> None:
        """Make the parser, which is handed on with what it parses.

        Args:
            later: What adds its arguments once they are asked for, where that takes time.
        """
        super().__init__(**settings)
        self._later = later
        self.command = self.prog.partition(" ")[2]
        self.set_defaults(parser=self, command=self.command)
        if self.command in _COMMON:
            self.add_argument("--help-all", action=_AllOptions, help="show all options and exit")

    def fill(self) -> None:
        """Add the arguments that are added later, unless they are there."""
        if self._later:
            self._later(self)
            self._later = None

    def format_usage(self) -> str:
        """Write what is needed, and how to see the rest."""
        formatter = argparse.HelpFormatter(self.prog, width=1000)
        formatter.add_usage(self.usage, [each for each in self._actions if each.required], [])
        return f"{formatter.format_help()}more:  {self.prog} --help\n"

    def print_help(self, file: Any = None) -> None:
        """Print the common options, and how to see all; all where these are few."""
        self.fill()
        common = _COMMON.get(self.command, "").split()
        told = self._common_help(common) if common else self.format_help()
        self._print_message(told, file or sys.stdout)

    def _common_help(self, common: Sequence[str]) -> str:
        """Write what is given to the command and its common options, each in a few words."""
        shown = [copy.copy(each) for each in self._actions if not each.option_strings]
        by_name = {each.dest: each for each in self._actions}
        shown += [copy.copy(by_name[name]) for name in common]
        for action in shown:
            action.help = "".join(_CLAUSE.findall(action.help or "")[:1])
        formatter = argparse.HelpFormatter(self.prog, max_help_position=22)
        formatter.add_usage(self.usage, [each for each in self._actions if each.required], [])
        formatter.add_text(re.split(r"(?<=[.]) ", self.description or "")[0])
        formatter.start_section("arguments and common options")
        formatter.add_arguments(shown)
        formatter.end_section()
        return f"{formatter.format_help()}\nall options:  {self.prog} --help-all\n"

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments; an option that is unknown is told before one that is missing."""
        self.fill()
        if args is not None:
            self._refuse_unknown(args)
        namespace, others = super().parse_known_args(args, namespace)
        if others and args is not None and not self._subparsers:
            before = args[args.index(others[0]) - 1] if others[0] in args[1:] else ""
            advice = "put words that belong together in quotes"
            advice = f"{before} takes no value" if before.startswith("--") else advice
            self.error(f"there is no place for {listed(others)}; {advice}.")
        return namespace, others

    def given(self, options: argparse.Namespace, names: Iterable[str]) -> list[str]:
        """Return those of some arguments that were given, as people write them."""
        given = {each: getattr(options, each.dest) for each in self._actions if each.dest in names}
        return [
            (*each.option_strings, str(each.metavar))[value is False and each.nargs == 0]
            for each, value in given.items()
            if value not in (each.default, []) and _is_of(each, value)
        ]

    def in_shell(self, sentence: str) -> str:
        """Write a sentence about parameters of Python as one about the options of the command.

        Returns:
            The sentence; what stands in quotes is left as it is.

        Example:
            >>> parser = Parser(prog="fair-datasets augment")
            >>> _ = parser.add_argument("--mode"), parser.add_argument("--rate")
            >>> parser.in_shell("augment: rate is for mode='substitute', not 'mode=a'.")
            "augment: --rate is for --mode substitute, not 'mode=a'."
        """
        options = {
            action.dest: action.option_strings[0]
            for action in self._actions
            if action.option_strings and action.dest != "help"
        }
        if "text" in options:
            options["columns"] = options["text"]
        if options:
            sentence = _of_names(options).sub(lambda found: _written(found, options), sentence)
        return _TWICE.sub(r"\1", sentence)

    def _refuse_unknown(self, arguments: Sequence[str]) -> None:
        """Tell the first option that is unknown."""
        known = [option for action in self._actions for option in action.option_strings]
        for argument in arguments:
            option, _, _ = argument.partition("=")
            if option == "--" or (self._subparsers and not option.startswith("-")):
                return  # What follows is no option, or one of a command.
            is_option = len(option) > 1 and option[0] == "-" and " " not in argument
            if not is_option or _NUMBER.match(option) or self._is_known(option, known):
                continue
            meant = _ELSEWHERE.get(option)
            near = f" Did you mean {meant!r}?" if meant in known else suggestion(option, known)
            self.error(f"there is no option {option}.{near}")

    def _is_known(self, option: str, known: Sequence[str]) -> bool:
        """Tell whether an option is there, cut short, or a letter with its value behind it."""
        # "-out" is no "-o" with the value "ut".
        if len(option) > 2 and any(each.startswith(f"-{option}") for each in known):
            return False
        return any(
            each.startswith(option) or (len(each) == 2 and option.startswith(each))
            for each in known
        )

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Tell a value that is none of the choices, and the one that was meant."""
        if action.choices is not None and value not in action.choices:
            names = [str(choice) for choice in action.choices]
            told = not_allowed(value, names, listing=f"{self.prog} --help")
            raise argparse.ArgumentError(action, f"it {told}")


def _is_of(action: argparse.Action, value: Any) -> bool:
    """Tell whether a value is from an option, where two of them set the same argument."""
    return isinstance(value, tuple) == isinstance(action.const, tuple)


def _of_names(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds the names of parameters where they are no plain words, and quotations."""
    name = "|".join(sorted(names, key=len, reverse=True))
    verbs = "must|is|are|takes?|and|names?|says?|tells|chooses?"
    plain = rf"(?:(?<=: )|(?<= but )|(?<= and ))(?:{name})(?= (?:{verbs}) )"
    joined = rf"(?<=leave out )(?:{name})(?: and (?:{name}))*\b|(?<=give )(?:{name})(?= \()"
    composed = rf"\b(?=[a-z]+_)(?:{name})\b"
    return re.compile(
        rf"`(?:{name})`|{_QUOTED}|\b(?P<given>{name})=(?P<value>'[^']*'|[\w.]*\w)|{plain}|{joined}|{composed}"
    )


def _written(found: re.Match[str], options: Mapping[str, str]) -> str:
    """Write a name, or a name and its value, as a shell takes it; a quotation as it stands."""
    if found[0].startswith("'"):
        return found[0]
    if found["given"] is None:
        return " and ".join(options.get(name.strip("`"), name) for name in found[0].split(" and "))
    option, value = options[found["given"]], found["value"].strip("'")
    if value == "False":
        return option.replace("--", "--no-", 1)
    return option if value == "True" else f"{option} {shlex.quote(value)}"


def option(
    parser: Any, names: str, told: str, kind: Any = None, usual: Any = None, **settings: Any
) -> None:
    """Add an option to a parser, or to a group of one.

    Args:
        names: Its names, and behind them what stands in the help for its value: "--text COL".
        kind: What reads a value; int also shows it as N, bool makes a switch, and list takes what
            is given again and again. None for texts.

    Example:
        >>> parser = Parser(prog="fair-datasets diet")
        >>> option(parser, "--seeds", "trainings per share", int, 3)
        >>> parser.parse_args([]).seeds, parser.format_help().split()[-6:]
        (3, ['N', 'trainings', 'per', 'share', '(default:', '3)'])
    """
    kinds: dict[Any, dict[str, Any]] = {
        None: {}, bool: {"action": "store_true"}, list: {"action": "append"},
        int: {"type": int, "metavar": "N"},
        argparse.BooleanOptionalAction: {"action": argparse.BooleanOptionalAction},
    }  # fmt: skip
    if usual is not None:
        shown = f"{usual:g}" if isinstance(usual, float) else usual
        told, settings = f"{told} (default: {shown})", {"default": usual, **settings}
    flags = names.split()
    value = {"metavar": flags.pop()} if flags[1:] and not flags[-1].startswith("-") else {}
    settings = {**kinds.get(kind, {"type": kind}), **value, **settings}
    parser.add_argument(*flags, help=told, **settings)


def add_parameters(
    parser: argparse.ArgumentParser,
    owner: type | Callable[..., Any],
    **names: str | tuple[str, ...] | type[bool] | None,
) -> None:
    """Add options for parameters of a class or function, as signature and docstring tell them.

    Args:
        **names: Parameter to what stands in the help for its value, to the values that there are,
            or to bool for a switch without an opposite; None for what its type says.
    """
    told, parameters = meanings(owner), signature(owner).parameters
    types = {name: each.annotation for name, each in parameters.items()}
    if isinstance(owner, type):
        types = get_type_hints(owner)  # Without the kinds of fields.
    options = {name: f"--{name.replace('_', '-')}" for name in told} | {"columns": "--text"}
    for name, shown in names.items():
        settings = read_as(types[name])
        if isinstance(shown, tuple):
            settings = {"choices": shown}
        elif shown is bool:
            settings = {"action": "store_true"}
        elif shown is not None:
            settings["metavar"] = shown
        usual, is_several = parameters[name].default, settings.get("action") == "append"
        usual = None if usual is Parameter.empty else usual
        text = re.sub(r"`(\w+)`", lambda found: options.get(found[1], found[0]), told[name])
        text = _in_help(text, usual) + "; repeat it for several" * is_several
        parser.add_argument(options[name], dest=name, help=text, **settings)
        # Only now: argparse would tell the default of a switch once more.
        parser.set_defaults(**{name: None if is_several else usual})


def _in_help(text: str, usual: Any) -> str:
    """Write what a docstring says of a parameter as a help does, with its default."""
    text = re.sub(r"[;.] [Nn]one for (.+?)(?=[.;] |[.]?$)", r" (default: \1)", text)
    text = re.sub(r" See `[^`]+`[.]", "", text).rstrip(".").replace("%", "%%")
    if usual is not False and usual not in (None, ()):
        shown = f"{usual:g}" if isinstance(usual, float) else "yes" if usual is True else usual
        shown = ", ".join(shown) if isinstance(shown, tuple) else shown
        text += f" (default: {shown})"
    return text[0].lower() + text[1:]


def read_as(annotation: Any) -> dict[str, Any]:
    """Return how argparse reads what a parameter takes, by its type.

    Example:
        >>> read_as(tuple[str, ...] | None)["action"], read_as(float | None)["metavar"]
        ('append', 'N')
    """
    for each in (annotation, *get_args(annotation)):
        if get_origin(each) is Literal:
            return {"choices": get_args(each)}
    if is_one(annotation, bool):
        return {"action": argparse.BooleanOptionalAction}
    for each in (annotation, *get_args(annotation)):
        if get_origin(each) is dict:
            is_number = get_args(each)[1] is float
            read, kind = (_pair, "NUMBER") if is_number else (_setting, "VALUE")
            return {"action": "append", "type": read, "metavar": f"NAME={kind}"}
    if is_one(annotation, Sequence) or is_one(annotation, tuple):
        return {"action": "append", "metavar": "LABEL"}
    kinds: tuple[Callable[[str], Any], ...] = (int, float)
    number = next((kind for kind in kinds if is_one(annotation, kind)), str)
    return {"type": number, "metavar": "TEXT" if number is str else "N"}


def is_one(annotation: Any, kind: Any) -> bool:
    """Tell whether a type, or a part of a union, is of a kind."""
    members = (annotation, *get_args(annotation))
    if get_origin(annotation) in (dict, Sequence):
        members = (annotation,)
    return any(kind in (member, get_origin(member)) for member in members)


def named(form: str, example: str) -> Callable[[str], tuple[str, str]]:
    """Return what reads a name and what belongs to it.

    Args:
        form: How both are written, such as NAME=PLACE.
    """

    def read(given: str) -> tuple[str, str]:
        name, equals, value = given.partition("=")
        if not (name.strip() and equals and value.strip()):
            raise argparse.ArgumentTypeError(f"{given!r} is not {form}, such as {example}")
        return name, value

    return read


def as_json(text: str) -> Any:
    """Read a value as JSON; what is none is a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _setting(text: str) -> tuple[str, Any]:
    """Read a name and a value, such as average=macro or beta=2."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a name and a value; write them as average=macro"
        )
    return name, as_json(value)


def _pair(text: str) -> tuple[str, float]:
    """Read a name and a number, such as woman=0.5."""
    name, _, number = text.partition("=")
    try:
        return name, float(number)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a name and a number; write them as woman=0.5"
        ) from None


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
        if name == "protect":
            _add_protected(parser)
            continue
        options, told, kind, settings = _SHARED[name]
        option(parser, options, told, kind, **{**settings, **changed})


def _add_protected(parser: argparse.ArgumentParser) -> None:
    """Add whose names are left alone where texts are rewritten, and the way to leave none alone."""
    group: Any = parser.add_mutually_exclusive_group()
    add_parameters(group, CounterfactualSwap, protect="NAME")
    option(group, "--no-protect", "leave nobody's name alone, those of known people neither",
           action="store_const", const=(), dest="protect")  # fmt: skip


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
        require("models")
    elif given:
        raise invalid(
            f"--{next(iter(given)).replace('_', '-')} is for a model, and "
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
    if isinstance(action.const, tuple):
        return [*names] if value == action.const else []
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
