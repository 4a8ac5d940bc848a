"""The entry point: read what was typed, and run the command, or say what is wrong with it.

What commands need is imported once one is to run.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache

import click

from fair_datasets.cli.commands import Commands, Group, Places
from fair_datasets.cli.measures import measures
from fair_datasets.cli.options import Options
from fair_datasets.system.checks import InputError
from fair_datasets.version import __version__

_EXIT_CODES = """\
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
PURPOSE = "Rewrite text datasets with counterfactuals, and measure fairness."
_TRAIN = """\
Train a model that reads, weighs or rewrites texts.

It is measured on texts that it never read, and written as a folder. An interrupted run goes on
where it was."""
_PUSH = """\
Publish a dataset, a model, the measures or the demo on the Hub.

Log in first with `hf auth login`, or set HF_TOKEN to a token that may write. If the upload is
interrupted, run the same again: what the Hub has already is not sent twice."""


@cache
def commands() -> Commands:
    """Return all commands, by what people want."""
    own = "fair_datasets.cli."
    parts: dict[str, Places] = {
        "look": {
            "find": f"{own}find:Find", "measure": measures(), "audit": f"{own}audit:Audit",
            "twin-task": f"{own}twin_task:TwinTask",
        },
        "change": {
            "augment": f"{own}augment:Augment", "correct": f"{own}correct:Correct",
            "select": f"{own}score:Select", "diet": f"{own}diet:Diet",
        },
        "learn": {
            "score": f"{own}score:Score", "build-lexicon": f"{own}build_lexicon:BuildLexicon",
            "train": Group(_TRAIN, {
                "reader": f"{own}train:Reader", "encoder": f"{own}train:Encoder",
                "person": f"{own}train:Person", "perturber": f"{own}train_rewriter:Perturber",
                "mbcda": f"{own}train_rewriter:Mbcda", "fairflow": f"{own}train_rewriter:FairFlow",
            }),
            "evaluate-encoders": f"{own}checkout:EvaluateEncoders",
            "reproduce-paper": f"{own}checkout:ReproducePaper",
        },
        "share": {
            "push": Group(_PUSH, {
                "dataset": f"{own}push:Dataset", "model": f"{own}push:Model",
                "metrics": f"{own}push:Metrics", "demo": f"{own}push:Demo",
            }),
            "push-twin": f"{own}push_twin:PushTwin", "pull": f"{own}push:Pull",
        },
        "other": {
            "demo": f"{own}demo:Demo", "status": f"{own}tasks:Status", "docs": f"{own}docs:Docs",
            "completion": f"{own}completion:Completion", "hf": f"{own}hf:Hf",
        },
    }  # fmt: skip
    program = Commands("fair-datasets", PURPOSE, parts, epilog=_EXIT_CODES)
    return click.version_option(__version__, message="fair-datasets %(version)s")(program)


def read(words: Sequence[str]) -> Options | int:
    """Read a command, without running it; where help is asked for, print it.

    Returns:
        The command; an exit code where there is nothing to run.

    Raises:
        ClickException: What was typed is no command.
    """
    command: Options | int | None = commands().main(
        list(words), "fair-datasets", standalone_mode=False
    )
    return command or 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    try:
        options = read(sys.argv[1:] if arguments is None else arguments)
    except InputError as error:
        return _print_usage_error(f"\nfair-datasets: {error}")
    except click.ClickException as error:
        context = getattr(error, "ctx", None) or click.Context(
            commands(), info_name="fair-datasets"
        )
        path = context.command_path
        needed = " ".join(context.command.collect_usage_pieces(context))
        return _print_usage_error(
            f"usage: {path} {needed}\nmore:  {path} --help\n{path}: error: {error.format_message()}"
        )
    except click.Abort:
        return 130
    if isinstance(options, int):
        return options
    from fair_datasets.cli.running import run

    return run(options)


def _print_usage_error(message: str) -> int:
    """Print what is wrong with what was typed, and return the exit code."""
    with suppress(OSError):  # Where the standard error fails too, the code has to say it.
        print(message, file=sys.stderr)
    return 2
