"""Sentences that ship: templates with names and pronouns, whose blanks are filled by draws.

A third of the templates is kept out of every training: readers are measured on their sentences.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from fair_datasets.english.classifier.corpora import Sentence
from fair_datasets.english.classifier.grammar import made_contexts
from fair_datasets.lexicons import load_lexicon
from fair_datasets.matching.tokens import tokenize
from fair_datasets.reader.tags import (
    ALONE,
    CASES,
    DETERMINER,
    FAMILY,
    GIVEN,
    NAMES,
    NONE,
    OBJECT,
    ORGANISATION,
    PLACE,
    PRONOUNS,
    WORK,
)
from fair_datasets.reader.training.rows import Row, share

SENTENCES = Path(__file__).with_name("sentences.toml")
BLANKS = {
    "given": GIVEN, "family": FAMILY, "place": PLACE, "organisation": ORGANISATION, "work": WORK,
}  # fmt: skip
"""The blanks of the templates, and the tags of the names that fill them."""
HELD_BACK = 1 / 3
"""The share of the templates that no training reads."""

_BLANK = re.compile(r"\{(\w+)\}")
_TREEBANK_TAGS = {"noun": "NN", "plural": "NNS", "adjective": "JJ"}
# What is told when the answer to the question of a template is no, and yes.
_CASES = {"her": (OBJECT, DETERMINER), "his": (DETERMINER, ALONE)}


def name_sentences(
    count: int, names: Mapping[str, Sequence[str]] | None = None, *, held_back: bool = False
) -> Iterator[Row]:
    """Fill the templates with names.

    Args:
        count: How many sentences each template makes at most; no two are equal.
        names: Names for some of the blanks; a template without such a blank is left out. None for
            the names that ship.
        held_back: Whether the templates are those that no training reads.

    Yields:
        The rows, whose words are all known but for pronouns.

    Example:
        >>> rows = name_sentences(1, {"given": ["Xyzzy"]})
        >>> next(rows).text
        'Xyzzy and Xyzzy are moving to Michigan next month.'
    """
    found = names or {}
    for template in _templates():
        is_asked = names is None or any(f"{{{name}}}" in template for name in names)
        if is_asked and (share(template) < HELD_BACK) == held_back:
            made = (_filled(template, number, {**_names(), **found}) for number in range(count))
            yield from {row.text: row for row in made}.values()


def pronoun_sentences(count: int, *, held_back: bool = False) -> Iterator[Row]:
    """Fill the templates about "her" and "his".

    Args:
        count: How many sentences each template makes at most; no two are equal.
        held_back: Whether the templates are those that no training reads.

    Yields:
        The rows, in which the pronoun is known.
    """
    made: dict[str, Row] = {}
    for word, (no, yes) in _CASES.items():
        for number, context in enumerate(made_contexts(word, _treebank(), count)):
            if (share(f"{word} {number // count}") < HELD_BACK) == held_back:
                tokens, index, answer = context
                allowed = [0] * len(tokens.starts)
                allowed[index] = 1 << (yes if answer else no)
                considered = [CASES if each else 0 for each in allowed]
                made[tokens.text] = Row("sentences", tokens.text, allowed, considered)
    yield from made.values()


def fillers(blank: str) -> Sequence[str]:
    """Return the names or words that fill a blank.

    Args:
        blank: One of `BLANKS`, or "noun", "plural" or "adjective".

    Returns:
        The names or words.

    Example:
        >>> "Goldman Sachs" in fillers("organisation")
        True
    """
    return _names()[blank]


def _filled(template: str, number: int, names: Mapping[str, Sequence[str]]) -> Row:
    """Fill the blanks of a template, in another way for each number."""
    text, begin, spans = "", 0, []
    for blank in _BLANK.finditer(template):
        listed = names[blank[1]]
        name = listed[int(share(f"{template}{number}{blank.start()}") * len(listed))]
        text += template[begin : blank.start()]
        begin = blank.end()
        spans.append((len(text), len(text) + len(name), BLANKS[blank[1]]))
        text += name
    tokens = tokenize(text + template[begin:])
    tags = [
        next((tag for begin, end, tag in spans if begin <= start < end), NONE)
        for start in tokens.starts
    ]
    pairs = zip(tokens.lower, tags, strict=True)
    allowed = [0 if word in PRONOUNS else 1 << tag for word, tag in pairs]
    return Row("sentences", tokens.text, allowed, [NAMES if each else 0 for each in allowed])


@cache
def _file() -> dict[str, Any]:
    """Read the file, once per process."""
    return tomllib.loads(SENTENCES.read_text("utf-8"))


def _templates() -> list[str]:
    """Return the templates with names."""
    lines: str = _file()["templates"]["lines"]
    return lines.strip().split("\n")


@cache
def _names() -> dict[str, Sequence[str]]:
    """Return what ships to fill blanks."""
    found: dict[str, Sequence[str]] = {
        blank: " ".join(names.split()).split(", ") for blank, names in _file()["blanks"].items()
    }
    for blank, lexicon in (("given", "first_names"), ("family", "race_surnames")):
        entries = load_lexicon(lexicon).entries
        forms = [form for entry in entries for several in entry.forms.values() for form in several]
        found[blank] = [form.text for form in forms if not form.flags]
    return found


def _treebank() -> list[Sentence]:
    """Return nouns and adjectives, each as a sentence of a treebank."""
    return [
        Sentence(tokenize(word), {0: tag}, {}, {})
        for blank, tag in _TREEBANK_TAGS.items()
        for word in _names()[blank]
    ]
