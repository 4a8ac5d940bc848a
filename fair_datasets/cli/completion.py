"""The command `completion`: the script by which a shell completes commands, options and files."""

import argparse
from collections.abc import Iterator
from functools import partial
from typing import Any

from fair_datasets.cli.measure import MeasureParser

# Where the script goes, so that the shell reads it when the command is first completed.
_PLACES = {
    "bash": "~/.local/share/bash-completion/completions/fair-datasets",
    "zsh": '"${fpath[1]}/_fair-datasets"',
    "fish": "~/.config/fish/completions/fair-datasets.fish",
}
_PATH_METAVARS = {"DIR", "FILE", "FOLDER", "INPUT", "PLACE"}
# Their metavar names what else they take: a lexicon, or a model of the Hub.
_PATH_OPTIONS = {"axis", "encoder", "model"}


def add_parser(commands: Any, whole: argparse.ArgumentParser) -> None:
    """Add the command to the command line.

    Args:
        whole: The parser of the whole command line, which is to be completed.
    """
    lines = [f"  fair-datasets completion {shell} > {place}" for shell, place in _PLACES.items()]
    parser = commands.add_parser(
        "completion",
        help="print a script that completes commands and options in your shell",
        description="Print a script that completes commands, options and files in your shell. "
        "Write it to where the shell looks for such scripts (make the folder if it is not there), "
        "and open a new shell.",
        epilog="\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=tuple(_PLACES), help="the shell that you use")
    parser.set_defaults(run=partial(run, whole=whole))


def run(options: argparse.Namespace, *, whole: argparse.ArgumentParser) -> None:
    """Run the command."""
    import shtab

    for action in _actions(whole):
        if action.metavar in _PATH_METAVARS or action.dest in _PATH_OPTIONS:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        if isinstance(action, argparse._SubParsersAction):
            for command in action._choices_actions:
                # shtab shows the description, of which some fill several lines.
                action.choices[command.dest].description = command.help
    print(shtab.complete(whole, options.shell))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Walk the arguments of a parser and of the commands below it."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                if isinstance(command, MeasureParser):
                    command.fill()
                yield from _actions(command)
