"""What a command is given: which options were typed, and the command anew for a card."""

import shlex
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from fair_datasets.system.portable import strip_folders

# The options whose values may be paths.
_PATHS = ("axis", "base", "coreference", "direction", "encoder", "encoders", "inputs", "model",
          "out", "pipeline", "pool", "protect", "reader", "swap_axis", "vectors")  # fmt: skip
# Those that change nothing of what is written, and those by which the rest is stated.
_UNSTATED = ("audit", "audit_label", "dry_run", "engine", "format", "json", "left", "log_file",
             "max_tokens_total", "max_wait", "num_proc", "overwrite", "plan", "price", "settings",
             "shard_rows", "tokenizer", "trial", "work")  # fmt: skip


class Options:
    """A command: each field is an option, and the docstring tells what it does.

    `fair_datasets.cli.commands` makes a command of click of the class.
    """

    def __init__(self, context: click.Context) -> None:
        """Take what was typed, and the defaults of the rest."""
        vars(self).update(context.params)
        self.context = context
        self.cache: str | None = None  # Where the standard input is read through.

    def run(self) -> None:
        """Run the command."""
        raise NotImplementedError

    @property
    def command(self) -> str:
        """The words that name the command."""
        return self.context.command_path.partition(" ")[2]

    def flags(self) -> dict[str, str]:
        """Return each field and the option that sets it."""
        params = self.context.command.params
        flags = {
            str(each.name): spelling(each) for each in params if isinstance(each, click.Option)
        }
        return {**flags, "columns": "--text"} if "--text" in flags.values() else flags

    def is_given(self, name: str) -> bool:
        """Whether an option was typed."""
        return self.context.get_parameter_source(name) is ParameterSource.COMMANDLINE

    def given(self, *names: str) -> list[str]:
        """Return those of some options, or of all, that were typed, as people write them."""
        shown = {
            name: spelling(each, getattr(self, name, None))
            for each in self.context.command.params
            if self.is_given(name := str(each.name))
        }
        return [shown[name] for name in names or shown if name in shown]

    def settings_for(self, kind: type, **others: Any) -> dict[str, Any]:
        """Return what a configuration is told: the options of the names of its fields, and more.

        Args:
            kind: Its class, a dataclass.

        Returns:
            Those that have a value; what is None or empty is for the class to say.
        """
        names = [each.name for each in fields(kind) if each.name in self.context.params]
        given = {name: getattr(self, name) for name in names} | others
        return {name: value for name, value in given.items() if value not in (None, ())}

    def again(self, source: str = "", config: str | None = None, /, **stated: Any) -> str:
        """Write the command anew, for a card, with its defaults stated and paths without folders.

        Args:
            source: What was read, if it was one place.
            **stated: What takes the place of options, such as a default that is settled later.
        """
        given = {**vars(self), "config": config, **stated}
        if len(given.get("inputs", "")) == 1:
            given["inputs"] = [source]
        words = ["fair-datasets", *self.command.split()]
        for each in sorted(self.context.command.params, key=_is_option):
            if each.name not in _UNSTATED:
                name = str(each.name)
                words += _words(each, given.get(name), is_stated=name in stated)
        return shlex.join(words)


def _is_option(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Option)


def spelling(parameter: click.Parameter, value: Any = None) -> str:
    """Return how people write a parameter: its option, or what stands for an argument."""
    if isinstance(parameter, click.Argument):
        return parameter.type.name if parameter.nargs == -1 else parameter.human_readable_name
    return (parameter.secondary_opts if value is False else parameter.opts)[0]


def _words(parameter: click.Parameter, value: Any, *, is_stated: bool) -> list[str]:
    """State what a parameter was given, or nothing where that is nothing."""
    if value is None or (value is False and not parameter.secondary_opts):
        return []
    flag = parameter.opts[0]
    if isinstance(value, bool):
        flag = flag if value else parameter.secondary_opts[0]
        return [flag] if is_stated or value != parameter.default else []
    several = value if parameter.multiple or parameter.nargs == -1 else [value]
    several = several if isinstance(several, list | tuple) else [several]
    words = [_word(str(parameter.name), each) for each in several]
    if isinstance(parameter, click.Argument):
        return words
    return [word for each in words for word in (flag, each)]


def _word(name: str, value: Any) -> str:
    """Write a value; NAME=VALUE where it is a pair."""
    match value:
        case (str() as key, inner):
            return f"{key}={strip_folders(inner) if isinstance(inner, str) else f'{inner:.12g}'}"
        case tuple() | list():
            return ",".join(f"{each:g}" if isinstance(each, float) else str(each) for each in value)
    is_place = name in _PATHS or isinstance(value, Path)
    return strip_folders(str(value)) if is_place else str(value)
