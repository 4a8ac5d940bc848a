"""The entry point: parse the arguments, run the command, tell errors in one sentence."""

import argparse
import logging
import os
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any

import datasets
import huggingface_hub
from huggingface_hub.utils.tqdm import disable_progress_bars

from fair_datasets.cli import (
    audit,
    augment,
    build_lexicon,
    correct,
    demo,
    diet,
    docs,
    evaluate_encoders,
    find,
    measure,
    push,
    reproduce_paper,
    score,
    train,
    twin_task,
)
from fair_datasets.cli.errors import BrokenRulesError, left_behind, sentence
from fair_datasets.cli.inputs import standard_input
from fair_datasets.cli.outputs import UploadInterrupted
from fair_datasets.cli.parsers import Parser
from fair_datasets.cli.tasks import add_status
from fair_datasets.jobs.file_outputs import NoReaderError, StandardOutput, printing
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, called_as, chain
from fair_datasets.version import __version__

# Where the script goes, so that the shell reads it when the command is first completed.
_PLACES = {
    "bash": "~/.local/share/bash-completion/completions/fair-datasets",
    "zsh": '"${fpath[1]}/_fair-datasets"',
    "fish": "~/.config/fish/completions/fair-datasets.fish",
}
_PATH_METAVARS = {"DIR", "FILE", "FOLDER", "INPUT", "PLACE"}
# Their metavar names what else they take: a lexicon, or a model of the Hub.
_PATH_OPTIONS = {"axis", "encoder", "model"}


def _add_completion(commands: Any, whole: argparse.ArgumentParser) -> None:
    """Add the command `completion`, which completes the whole command line."""
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
    parser.set_defaults(run=partial(_complete, whole=whole))


def _complete(options: argparse.Namespace, *, whole: argparse.ArgumentParser) -> None:
    """Print the script by which a shell completes commands, options and files."""
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
                with suppress(InputError):  # what a checkout alone has
                    command.fill()
                yield from _actions(command)


EXIT_CODES = """\
exit codes:
  0  done
  1  it failed while running; nothing was written, unless the message says that all is done
  2  the input or an argument is wrong, a package is missing, or the Hub refused; nothing was
     written here
  3  audit: a rule of --fail-if is broken; the audit was written
  129, 130, 143  interrupted (closed terminal, Ctrl-C, SIGTERM); no output was written here
If an upload fails, its files are kept here: the message says where, and how to go on. If augment,
score, select, correct, diet, build-lexicon or train is interrupted, run the same command again: it
goes on from what is finished, which is kept in the folder OUT.work. `status OUT` shows how far it
is.
"""
# The first command of each group, and what people want who look for one.
_GROUPS = {
    "find": "look", "augment": "change", "score": "learn", "push": "share", "demo": "other",
}  # fmt: skip


class _GroupedHelp(argparse.RawDescriptionHelpFormatter):
    """Tells the commands by groups."""

    def _format_action(self, action: argparse.Action) -> str:
        """Put the name of its group before the first command of one."""
        told, group = super()._format_action(action), _GROUPS.get(action.dest)
        return f"\n  {group}\n{told}" if group else told


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = command_parser()
    given = sys.argv[1:] if arguments is None else arguments
    for argument in given:
        if "\0" in argument:
            parser.error(
                f"the argument {argument!r} holds a NUL character, which no path or name may hold."
            )
    try:
        options = parser.parse_args(given)
    except InputError as error:
        return _tell(str(error), 2)
    with interrupts.noted():
        return _run(options)


@cache
def command_parser() -> Parser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="fair-datasets",
        description="Rewrite text datasets with counterfactuals, and measure fairness.",
        epilog=EXIT_CODES,
        formatter_class=_GroupedHelp,
    )
    parser.add_argument("--version", action="version", version=f"fair-datasets {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (
        find.add_parser, measure.add_parser, audit.add_parser, twin_task.add_parser,
        augment.add_parser, correct.add_parser, score.add_select, diet.add_parser,
        score.add_parser, build_lexicon.add_parser, train.add_parser,
        evaluate_encoders.add_parser, reproduce_paper.add_parser, push.add_parsers,
        demo.add_parser, add_status, docs.add_parser,
    ):  # fmt: skip
        add(commands)
    _add_completion(commands, parser)
    return parser


def _run(options: argparse.Namespace) -> int:
    """Run a command; turn what goes wrong into a sentence and an exit code."""
    try:
        with (
            printing(holds_rows=getattr(options, "out", None) == "-") as output,
            warnings.catch_warnings(),
        ):
            _prepare()
            warnings.showwarning = lambda message, *_, **__: _warn(str(message), options)
            with called_as(options.command), standard_input(options):
                options.run(options)
    except InputError as error:
        return _tell(_in_shell(str(error), options), 2)
    except BrokenRulesError as error:
        return _tell(str(error), 3)
    except (Exception, KeyboardInterrupt) as error:
        # A pool of processes may put an error of its own over the interrupt.
        for cause in chain(error):
            if isinstance(cause, KeyboardInterrupt):
                number = cause.args[0] if cause.args else signal.SIGINT
                return _tell(_interrupted(error, cause), 128 + number)
            if isinstance(cause, NoReaderError):
                return _ended(output)
        if os.environ.get("FAIR_DATASETS_TRACEBACK"):
            raise
        return _tell(_in_shell(sentence(error), options), 1)
    return _ended(output)


def _ended(output: StandardOutput) -> int:
    """Return the exit code of a command that did its work, and tell what was not printed of it."""
    # Where the reader of our output is gone (| head), there is nobody left to tell.
    if output.failure is None or isinstance(output.failure, BrokenPipeError):
        return 0
    lost = "the report is missing; all else is done"
    lost = "the rows is missing" if output.holds_rows else lost
    return _tell(
        f"the standard output cannot be written ({output.failure.strerror}), so that a part of "
        f"{lost}.",
        1,
    )


def _in_shell(message: str, options: argparse.Namespace) -> str:
    """Name in a sentence the options of the command, and not the parameters of Python."""
    parser: Parser = options.parser
    return parser.in_shell(message)


def _interrupted(error: BaseException, interrupt: KeyboardInterrupt) -> str:
    """Say what an interrupt left behind."""
    if isinstance(interrupt, UploadInterrupted):
        return "interrupted; run the same again to go on: what the Hub has is not sent again."
    return f"interrupted; {left_behind(error)}."


def _prepare() -> None:
    """Leave the standard error to our own sentence, and to progress bars where somebody watches."""
    _keep_signals_from_children()
    datasets.logging.set_verbosity(logging.CRITICAL)
    huggingface_hub.utils.logging.set_verbosity(logging.CRITICAL)
    if not sys.stderr.isatty():
        datasets.disable_progress_bars()
        disable_progress_bars()
        if "transformers" in sys.modules:
            # It asks the Hub's when it is imported, which `measure` has done by now.
            sys.modules["transformers"].utils.logging.disable_progress_bar()


@cache
def _keep_signals_from_children() -> None:
    """Let the processes of --num-proc die when they are told to, and leave Ctrl-C to this one."""

    def in_child() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=in_child)


def _warn(message: str, options: argparse.Namespace) -> None:
    """Print a warning as a sentence of the command, without the line of code that it comes from."""
    with suppress(OSError):
        print(f"fair-datasets: {_in_shell(message, options)}", file=sys.stderr)


def _tell(message: str, code: int) -> int:
    """Print a sentence about what went wrong and return the exit code."""
    with suppress(OSError):  # where the standard error fails too, the code has to say it
        print(f"\nfair-datasets: {message}", file=sys.stderr)
    return code
