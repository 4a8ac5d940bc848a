"""The command `find`: what is read in a text, what is left alone, and which rule decided."""

import argparse
import json
from typing import Any

from fair_datasets.cli.arguments import add_axis
from fair_datasets.matching.find import FoundTerm, find_terms


def add_parser(commands: Any) -> None:
    """Add the command to the command line.

    Args:
        commands: The parser's sub-parsers.
    """
    parser = commands.add_parser(
        "find",
        help="show the terms of a text, and which rule decided of each",
        description="Show the terms of an axis in a text and what is left alone, each with the "
        "rule that decided and what it found.",
    )
    parser.add_argument("text", metavar="TEXT", help="the text, in quotes")
    add_axis(parser)
    parser.add_argument(
        "--protect", action="append", default=[], metavar="NAME",
        help="leave this name of a person alone; repeat it for several. known_people, or your own "
        ".tsv file, leaves texts alone that name people of public life",
    )  # fmt: skip
    parser.add_argument(
        "--pipeline", metavar="NAME", help="a trained spaCy pipeline that is asked before our rules"
    )
    parser.add_argument("--json", action="store_true", help="print the terms as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Args:
        options: The parsed arguments.

    Raises:
        InputError: There is no such axis or pipeline.
    """
    found = find_terms(
        options.text, options.axis, names=options.names, protect=tuple(options.protect),
        pipeline=options.pipeline,
    )  # fmt: skip
    if options.json:
        print(json.dumps([term._asdict() for term in found], indent=2))
    elif not found:
        print(f"No word of the text is listed on the axis {options.axis}.")
    else:
        print("\n".join(map(_told, found)))


def _told(term: FoundTerm) -> str:
    """Say of a term how it is read, or why it is not, and what decided."""
    verdict = term.attribute or f"left alone: {term.reason}"
    why = "" if term.rule_reason == term.reason else f": {term.rule_reason}"
    return f"{term.text} ({term.start} to {term.end}): {verdict}\n    {term.rule}{why}"
