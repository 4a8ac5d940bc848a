"""The command `find`: what is read in a text, what is left alone, and which rule decided."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Annotated, Any

from fair_datasets.cli.groups import Axis, Confidence
from fair_datasets.cli.option_types import NAME
from fair_datasets.lexicons.shipped import KNOWN_PEOPLE
from fair_datasets.reader.matching.find import FoundTerm, find_terms
from fair_datasets.swap.counterfactual import CounterfactualSwap, ReadRow
from fair_datasets.swap.drawn_names import RULE
from fair_datasets.swap.rewriting import Rows
from fair_datasets.system.checks import invalid
from fair_datasets.system.files import indented


class Find(Axis, Confidence):
    """Show the terms in a text, and which rule decided each.

    Words that are left alone are shown too, each with the rule that decided and what it found. If
    the whole text is left alone, it is said why.

    Attributes:
        text: The text, in quotes.
        target: What the terms would be rewritten to (default: their counterparts, or an attribute
            that is drawn).
        protect: A name that stays; known_people, or a .tsv file of your own, leaves the text alone
            if it names one of their people (`augment` always asks known_people); repeat it for
            several.
        json: Print it as JSON.
    """

    ARGUMENTS = "text"
    COMMON = "axis target protect reader confidence json"

    text: Annotated[str, "TEXT"]
    target: Annotated[str, "ATTRIBUTE"] | None = None
    protect: tuple[NAME, ...] = ()
    json: bool = False

    def run(self) -> None:
        """Run the command."""
        if os.path.isfile(self.text):
            raise invalid(
                f"TEXT is the file {self.text}; give a sentence in quotes, or see --left of "
                "augment, which lists the rows that are left."
            )
        row = _row(self)
        terms = find_terms(
            self.text, self.axis, names=self.names, protect=self.protect,
            pipeline=self.pipeline, reader=self.reader,
        )  # fmt: skip
        if self.json:
            print(indented({"terms": [term._asdict() for term in terms], "row": row}))
        elif not terms:
            print(f"No word of the text is listed on the axis {self.axis}.")
        else:
            print("\n".join([*map(_describe_term, terms), *_describe_row(row)]))


def _row(options: Find) -> dict[str, Any]:
    """Return what becomes of the text as a whole: for the target, or for the one that is drawn."""
    swap = CounterfactualSwap(
        columns="text", axis=options.axis, names=options.names, protect=options.protect,
        pipeline=options.pipeline, reader=options.reader, target=options.target,
        confidence=options.confidence, min_confidence=options.min_confidence,
    )  # fmt: skip
    several = _read_text(swap, options.text)
    readings = [reading for row in several for reading in row.readings if reading]
    record: dict[str, Any] = {"left": _skip_reason(several)}
    if not (record["left"] or options.protect):
        usual = replace(swap, protect=KNOWN_PEOPLE)
        if reason := _skip_reason(_read_text(usual, options.text)):
            record["left_by_augment"] = reason
    names = [
        annotation.tokens.text[
            annotation.tokens.starts[each.first] : annotation.tokens.end(each.last)
        ]
        for annotation in readings
        for each in annotation.mentions
        if each.rule == RULE
    ]
    if names:
        record["unlisted_names"] = list(dict.fromkeys(names))
    if options.confidence:
        record["confidence"] = several[0].confidence if several else None
    return record


def _read_text(swap: CounterfactualSwap, text: str) -> list[ReadRow]:
    return list(swap.read(Rows([(text,)], [None])))


def _skip_reason(rows: Sequence[ReadRow]) -> str:
    """Return why a text is left as a whole; empty if it is not."""
    readings = chain.from_iterable(row.readings for row in rows)
    skipped = chain.from_iterable(reading.skipped for reading in readings if reading)
    return "; ".join(dict.fromkeys(each.explanation for each in skipped if each.is_of_row))


def _describe_row(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield why the text is left as a whole, what unlisted names are read, and how surely."""
    if row["left"]:
        yield f"the row is left as a whole: {row['left']}"
    if row.get("left_by_augment"):
        yield (
            f"augment leaves the row as a whole: {row['left_by_augment']} (here, see --protect "
            "known_people)"
        )
    if "unlisted_names" in row:
        yield f"read as first names that no list has: {', '.join(row['unlisted_names'])}"
    if row.get("confidence") is not None:
        yield f"the confidence of the row: {row['confidence']:g}"


def _describe_term(term: FoundTerm) -> str:
    """Return how a term is read, or why it is not, and what decided."""
    verdict = term.attribute or f"left alone: {term.reason}"
    why = "" if term.rule_reason == term.reason else f": {term.rule_reason}"
    return f"{term.text} ({term.start} to {term.end}): {verdict}\n    {term.rule}{why}"
