"""One text written for each of several attributes, whichever it speaks of."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.found import Reading
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.rewriting import Rows


class EachAttribute(NamedTuple):
    """Texts written for each attribute.

    Attributes:
        rows: The numbers of the texts that could be written for all of them.
        versions: Attribute to these texts, written for it; those that speak of it alone are as
            they were.
        words: The number of each text with a mention of the axis to its mentions, in lower case.
    """

    rows: list[int]
    versions: dict[str, list[str]]
    words: dict[int, list[str]]


def written_for_each(texts: Sequence[str], axis: str, attributes: Sequence[str]) -> EachAttribute:
    """Write texts for each of several attributes.

    Args:
        axis: A lexicon's name, or the path of a user's own.

    Returns:
        The texts that mention an attribute of the axis and can be written for each of these.
    """
    words: dict[int, list[str]] = {}
    made = {name: dict(_written_for(name, texts, axis, words)) for name in attributes}
    rows = [row for row in sorted(words) if all(row in new for new in made.values())]
    versions = {name: [new[row] for row in rows] for name, new in made.items()}
    return EachAttribute(rows, versions, words)


def _written_for(
    target: str, texts: Sequence[str], axis: str, words: dict[int, list[str]]
) -> Iterator[tuple[int, str]]:
    """Give each text that is of an attribute or can be, and note the mentions of all."""
    others = tuple(name for name in load_lexicon(axis).attributes if name != target)
    swap = CounterfactualSwap(columns="text", axis=axis, source=others, target=target)
    for row in swap.read(Rows([(text,) for text in texts], [None] * len(texts))):
        (reading,) = row.readings
        said = _mentions(reading) if reading is not None else []
        if said:
            words[row.number] = list(dict.fromkeys(word for word, _ in said))
            new = row.counterfactual.texts[0] if row.counterfactual else None
            if new is not None:
                yield row.number, new
            elif all(attribute == target for _, attribute in said):
                yield row.number, texts[row.number]


def _mentions(reading: Reading) -> list[tuple[str, str]]:
    """Return the mentions of a text, in lower case, with their attributes; also if it is left."""
    found = [(each.first, each.last, each.term.attribute) for each in reading.mentions]
    found += [(each.first, each.last, each.attribute) for each in reading.left if each.attribute]
    tokens = reading.tokens
    return [
        (tokens.text[tokens.starts[first] : tokens.end(last)].lower(), attribute)
        for first, last, attribute in sorted(found)
    ]
