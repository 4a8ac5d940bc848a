"""The command `find`: what is read in a text, what is left alone, and which rule decided."""

import argparse
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from fair_datasets.cli.arguments import add_axis, add_min_confidence
from fair_datasets.matching.find import FoundTerm, find_terms
from fair_datasets.rewriting import Rows
from fair_datasets.swap.counterfactual import CounterfactualSwap


class _Row(NamedTuple):
    """What becomes of the text as a whole.

    Attributes:
        confidence: How likely it is that it is rewritten rightly, or would be; None where nothing
            would be rewritten.
        left: Why it is left as a whole; empty where it is not.
    """

    confidence: float | None
    left: str


def add_parser(commands: Any) -> None:
    """Add the command to the command line.

    Args:
        commands: The parser's sub-parsers.
    """
    parser = commands.add_parser(
        "find",
        help="show the terms of a text, and which rule decided of each",
        description="Show the terms of an axis in a text and what is left alone, each with the "
        "rule that decided and what it found; whether the text is left as a whole, and with which "
        "confidence it is rewritten rightly.",
    )
    parser.add_argument("text", metavar="TEXT", help="the text, in quotes")
    add_axis(parser)
    parser.add_argument(
        "--target", metavar="ATTRIBUTE",
        help="what the terms would be rewritten to (default: their counterparts, or an "
        "attribute that is drawn)",
    )  # fmt: skip
    parser.add_argument(
        "--protect", action="append", default=[], metavar="NAME",
        help="leave this name of a person alone; repeat it for several",
    )  # fmt: skip
    parser.add_argument(
        "--pipeline", metavar="NAME", help="a trained spaCy pipeline that is asked before our rules"
    )
    add_min_confidence(parser)
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Args:
        options: The parsed arguments.

    Raises:
        InputError: There is no such axis or pipeline, or another argument is wrong.
    """
    row = _row(options)
    found = find_terms(
        options.text, options.axis, names=options.names, protect=tuple(options.protect),
        pipeline=options.pipeline,
    )  # fmt: skip
    if options.json:
        terms = [term._asdict() for term in found]
        print(json.dumps({"terms": terms, "row": row._asdict()}, indent=2))
    elif not found:
        print(f"No word of the text is listed on the axis {options.axis}.")
    else:
        print("\n".join([*map(_told, found), *_told_of_row(row)]))


def _row(options: argparse.Namespace) -> _Row:
    """Say what becomes of the text as a whole: for the target, or for the one that is drawn."""
    swap = CounterfactualSwap(
        columns="text", axis=options.axis, names=options.names, protect=tuple(options.protect),
        pipeline=options.pipeline, target=options.target, confidence=True,
        min_confidence=options.min_confidence,
    )  # fmt: skip
    for row in swap.read(Rows([(options.text,)], [None])):
        left = [each for reading in row.readings if reading for each in reading.left]
        reasons = dict.fromkeys(each.reason.value for each in left if each.is_of_row)
        return _Row(row.confidence, "; ".join(reasons))
    return _Row(None, "")


def _told_of_row(row: _Row) -> Iterator[str]:
    """Say why the text is left as a whole, or how sure its rewriting is."""
    if row.left:
        yield f"the row is left as a whole: {row.left}"
    if row.confidence is not None:
        yield f"the confidence of the row: {row.confidence:g}"


def _told(term: FoundTerm) -> str:
    """Say of a term how it is read, or why it is not, and what decided."""
    verdict = term.attribute or f"left alone: {term.reason}"
    why = "" if term.rule_reason == term.reason else f": {term.rule_reason}"
    return f"{term.text} ({term.start} to {term.end}): {verdict}\n    {term.rule}{why}"
