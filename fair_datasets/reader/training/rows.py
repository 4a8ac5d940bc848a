"""Rows to train on: texts whose words have the tags that they may have.

They are of texts that people tagged, whose spans say what is a name, a place, an organisation or a
work; of a treebank; of pronouns that show their case; and of templates.
"""

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fair_datasets.reader.english.classifier.grammar import (
    Sentence,
    entries,
    made_contexts,
)
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.matching.tokenizer import Tokens, tokenize
from fair_datasets.reader.tags import (
    ALONE,
    CASES,
    DETERMINER,
    FAMILY,
    GIVEN,
    NONE,
    OBJECT,
    ORGANISATION,
    PLACE,
    WORK,
)

HELD_BACK = 0.05
"""The share of the tagged texts that no training reads."""


class Row(NamedTuple):
    """A text and what is known of its words.

    Attributes:
        source: Where the text is from.
        text: The text.
        allowed: The tags that each word may have, a bit for each; 0 if nothing is known.
        considered: The tags that its source tells apart from these, a bit for each.
    """

    source: str
    text: str
    allowed: Sequence[int]
    considered: Sequence[int]

    @classmethod
    def of(cls, source: str, text: str, allowed: Sequence[int], group: int) -> "Row":
        """Return a row in which each known word is told apart from a group of tags."""
        return cls(source, text, allowed, [group if each else 0 for each in allowed])


def share(key: str) -> float:
    """Return a number from 0 to 1 that depends on a key alone.

    Example:
        >>> share("a") == share("a"), 0 <= share("b") < 1
        (True, True)
    """
    return zlib.crc32(key.encode("utf-8")) * 0x9E3779B1 % 2**32 / 2**32


def is_held_back(text: str) -> bool:
    """Whether a text is kept out of every training, for the calibration.

    Returns:
        True for one of twenty.
    """
    return share(f"held back {text}") < HELD_BACK


def recased(text: str, epoch: int, rate: float) -> str:
    """Return a text, or for some one in lower case or as a headline: case is no more than a hint.

    Args:
        epoch: How often the text was seen before; it draws anew each time.
        rate: The share of texts in other letters: six of ten in lower case, and in capitals one.

    Example:
        >>> {recased("Mary left home.", epoch, 1.0) for epoch in range(9)} == {
        ...     "mary left home.", "Mary Left Home.", "MARY LEFT HOME."
        ... }
        True
    """
    drawn = share(f"{epoch} {text}")
    if drawn >= rate:
        return text
    if drawn < _LOWER * rate:
        new = text.lower()
    elif drawn < _TITLED * rate:
        new = _INITIAL.sub(lambda match: match[0].upper(), text)
    else:
        new = text.upper()
    return new if len(new) == len(text) else text


_LOWER, _TITLED = 0.6, 0.9
_INITIAL = re.compile(r"(?<![^\s\"'“‘(-])[a-z]")


SOURCES = {
    "novels": ("text/novels.jsonl.gz", ("text",)),
    "wikipedia": ("text/wikipedia_sentences.jsonl.gz", ("text",)),
    "bold": ("classification/bold_wikipedia_gender_race.csv.gz", ("text",)),
    "sexism": ("classification/twitter_sexism_train.csv.gz", ("text",)),
    "reviews": ("classification/imdb_counterfactual_train.tsv.gz", ("Text",)),
    "comments": ("classification/wikipedia_toxicity_nonfuzzed.csv.gz", ("comment",)),
    "gap": ("coreference/gap_development.tsv", ("Text",)),
    "snli": ("sentence_pairs/snli_subset_train.tsv", ("sentence1", "sentence2")),
}
"""Source of texts to its file and the columns with the texts."""
LEAST, MOST = 3, 60
"""How many words a piece has at least and at most, as spaces divide them."""

_SENTENCE = re.compile(r"(?<=[.!?])[\"'”’]*\s+(?=[\"'“‘A-Z])|<br />|\n+")


def unlabelled_texts(folder: Path, source: str, most: int) -> Iterator[str]:
    """Read texts of a source, each once.

    Args:
        folder: The folder of the shared data; a source that is not there has no texts.
        source: One of `SOURCES`.
        most: How many at most; which they are is drawn by the texts themselves.

    Yields:
        The texts, in the order of the file.
    """
    texts = dict.fromkeys(
        piece
        for text in whole_texts(folder, source)
        for piece in pieces(text)
        if LEAST <= len(piece.split()) <= MOST
    )
    if len(texts) > most:
        least = sorted(map(share, texts))[most]
        yield from (text for text in texts if share(text) < least)
    else:
        yield from texts


def pieces(text: str) -> Iterator[str]:
    """Divide a text at the ends of sentences, but keep short sentences together.

    Yields:
        Its pieces.

    Example:
        >>> for piece in pieces("He came. She saw. " + "They had to go on and on. " * 3):
        ...     print(piece)
        He came. She saw. They had to go on and on.
        They had to go on and on. They had to go on and on.
    """
    held: list[str] = []
    for sentence in _SENTENCE.split(text):
        if held and len(" ".join([*held, sentence]).split()) > MOST // 4:
            yield " ".join(held)
            held = []
        held += [sentence.strip()] if sentence.strip() else []
    if held:
        yield " ".join(held)


def whole_texts(folder: Path, source: str) -> Iterator[str]:
    """Read the texts of a file."""
    name, columns = SOURCES[source]
    for entry in entries(folder / name):
        yield from (entry[column] for column in columns if entry[column])


# The spellings that show a case, and what is written for them.
_SHOWN: dict[str, tuple[int, tuple[str, ...]]] = {
    **dict.fromkeys(("me", "him", "them", "us"), (OBJECT, ("her",))),
    **dict.fromkeys(("my", "our", "their"), (DETERMINER, ("her", "his"))),
    **dict.fromkeys(("mine", "ours", "theirs", "yours"), (ALONE, ("his",))),
}
# "a mine", "gold mine"
_BEFORE_NOUN = frozenset({"a", "the", "this", "that", "gold", "coal", "land", "silver", "salt"})
_LONGEST = 60


def made_rows(texts: Iterable[str]) -> Iterator[Row]:
    """Write "her" and "his" for the pronouns of texts that show their case.

    Args:
        texts: Any texts; one is left out if it is long or already has "her" or "his".

    Yields:
        A row for each text that has such a pronoun.

    Example:
        >>> for row in made_rows(["They saw us."]):
        ...     print(row.text)
        They saw her.
    """
    for text in texts:
        tokens = tokenize(text)
        is_fit = len(tokens.lower) <= _LONGEST and not {"her", "his"} & set(tokens.lower)
        asked = [k for k in range(len(tokens.lower)) if _is_shown(tokens, k)] if is_fit else []
        if asked:
            yield _made(tokens, asked)


def templated_rows(treebank: Sequence[Sentence], count: int) -> Iterator[tuple[Row, bool]]:
    """Make sentences with "his" alone and "his" before a noun from templates.

    Args:
        count: How many sentences each template makes.

    Yields:
        Rows, and whether their template is held back for the evaluation, as a fifth are.
    """
    for number, (tokens, index, is_alone) in enumerate(made_contexts("his", treebank, count)):
        allowed = [0] * len(tokens.lower)
        allowed[index] = 1 << (ALONE if is_alone else DETERMINER)
        words = [*tokens.words[:index], "his", *tokens.words[index + 1 :]]
        row = Row.of("templates", joined(tokens, words), allowed, CASES)
        yield row, share(f"t{number // count}") < 0.2


def _is_shown(tokens: Tokens, index: int) -> bool:
    """Whether a word is a pronoun that shows its case."""
    word = tokens.lower[index]
    if word not in _SHOWN or tokens.word(index) == "US" or not tokens.is_alone(index):
        return False
    is_alone = _SHOWN[word][0] == ALONE
    if not is_alone:
        return True
    is_greeting = word == "yours" and tokens.opens_sentence(index)
    return not is_greeting and not (index and tokens.lower[index - 1] in _BEFORE_NOUN)


def _made(tokens: Tokens, asked: Sequence[int]) -> Row:
    """Write pronouns anew; which of two is written is drawn by the text."""
    words = list(tokens.words)
    allowed = [0] * len(words)
    for index in asked:
        case, written = _SHOWN[tokens.lower[index]]
        word = written[int(share(f"{index} {tokens.text}") * len(written))]
        words[index] = word.title() if words[index][0].isupper() else word
        allowed[index] = 1 << case
    return Row.of("made", joined(tokens, words), allowed, CASES)


def is_possessive(tokens: Tokens, index: int) -> bool:
    """Whether a word is the end of a possessive."""
    return tokens.lower[index] == "s" and tokens.gap(index)[-1:] in "'’"


def joined(tokens: Tokens, words: Sequence[str]) -> str:
    """Put words together with what stood between them."""
    pairs = zip(tokens.gaps, [*words, ""], strict=True)
    return "".join(part for pair in pairs for part in pair)


Span = tuple[int, int, str]

# Each word of a form is a drawn name, or itself; a given name is "G", a family name "F".
_ONE = (("G",), ("G",), ("G",), ("F",))
_SEVERAL = (
    *[("G", "F")] * 8, ("G", "G", "F"), ("G", "I.", "F"), ("I.", "F"), ("Mr.", "F"), ("Mrs.", "F"),
    ("Dr.", "F"), ("Prince", "G"), ("Princess", "G"), ("King", "G"), ("Queen", "G"),
    ("Sir", "G", "F"), ("Lady", "G"), ("Aunt", "G"), ("Uncle", "G"),
)  # fmt: skip
_OTHERS = {
    "ORG": (ORGANISATION, (
        ("F", "F"), ("F", "&", "F"), ("F", "and", "F"), ("G", "F", "Foundation"), ("F", "Brothers"),
        ("F", "Group"), ("F", "University"), ("F", "Bank"), ("F", "Inc"), ("G", "F", "School"),
        ("G",), ("F",), ("F", "United"), ("St.", "G", "Hospital"),
    )),
    "LOC": (PLACE, (
        ("F", "Center"), ("F", "Street"), ("F", "County"), ("F", "Park"), ("F", "Hall"), ("G",),
        ("Lake", "G"), ("St.", "G"), ("G", "F", "Bridge"), ("Fort", "F"), ("Mount", "F"),
        ("Port", "G"),
    )),
    "WORK": (WORK, (
        ("G", "F"), ("G",), ("The", "F", "Show"), ("G", "and", "G"), ("Being", "G", "F"),
    )),
}  # fmt: skip
_NAMED_AFTER_PEOPLE = 0.4
_HANDLES = ("@", "#", "/", "_")
BEFORE_FIRST_NAMES = (
    "before_first_name",
    "before_name_of_man",
    "before_name_of_woman",
    "royal_titles",
)
_BITS = {"G": 1 << GIVEN, "F": 1 << FAMILY, "I.": 1 << GIVEN}


class Names(NamedTuple):
    """Names to draw from, as they are written."""

    given: Sequence[str]
    family: Sequence[str]


def renamed(
    tokens: Tokens, spans: Sequence[Span], row: Row, names: Names, number: int = 0
) -> Iterator[Row]:
    """Write other names in a tagged text.

    Args:
        spans: Where each name begins and ends, in characters, and what it is one of.
        row: What the words of the text may be.
        names: The names to draw from; which are drawn depends on the text and the number alone.
        number: How often other names were written in this text before.

    Yields:
        The text with other names; nothing if none is changed.
    """
    draw = np.random.default_rng([zlib.crc32(tokens.text.encode()), number])
    drawn: dict[int, tuple[int, list[tuple[str, int]]]] = {}
    for begin, end, kind in spans:
        inside = [k for k, start in enumerate(tokens.starts) if begin <= start < end]
        inside = [k for k in inside if not is_possessive(tokens, k)]
        if inside and inside == [*range(inside[0], inside[-1] + 1)] and _is_plain(tokens, inside):
            written = _drawn(tokens, inside, kind, names, draw)
            if written:
                drawn[inside[0]] = inside[-1], _as_written(tokens, inside, written)
    if drawn:
        yield _row(tokens, row, drawn)


def _is_plain(tokens: Tokens, inside: Sequence[int]) -> bool:
    """Whether a name is of letters alone, and no part of an address or a tag."""
    return (
        all(tokens.lower[k].isalpha() for k in inside)
        and tokens.gap(inside[0])[-1:] not in _HANDLES
    )


def _drawn(
    tokens: Tokens, inside: Sequence[int], kind: str, names: Names, draw: np.random.Generator
) -> list[tuple[str, int]]:
    """Draw a name for a span: its words, and the tags that each may have."""
    if kind == "PER":
        before = tokens.lower[inside[0] - 1] if inside[0] else ""
        forms: Sequence[tuple[str, ...]] = _ONE if len(inside) == 1 else _SEVERAL
        if before in words("before_surname"):
            forms = (("F",), ("G", "F"))
        elif any(before in words(name) for name in BEFORE_FIRST_NAMES):
            forms = (("G",), ("G", "F"))
        tag = None
    elif kind in _OTHERS and draw.random() < _NAMED_AFTER_PEOPLE:
        tag, forms = _OTHERS[kind]
    else:
        return []
    form = forms[int(draw.integers(len(forms)))]
    return [
        (_word(part, names, draw), 1 << tag if tag else _BITS.get(part, 1 << NONE)) for part in form
    ]


def _word(part: str, names: Names, draw: np.random.Generator) -> str:
    """Write a word of a form."""
    if part == "I.":
        return f"{chr(ord('A') + int(draw.integers(26)))}."
    listed = {"G": names.given, "F": names.family}.get(part)
    return part if listed is None else listed[int(draw.integers(len(listed)))]


def _as_written(
    tokens: Tokens, inside: Sequence[int], written: list[tuple[str, int]]
) -> list[tuple[str, int]]:
    """Write a name in small letters or capitals where the old one was."""
    old = [tokens.word(k) for k in inside]
    if all(word.islower() for word in old):
        return [(word.lower(), bits) for word, bits in written]
    if all(word.isupper() and len(word) > 1 for word in old):
        return [(word.upper(), bits) for word, bits in written]
    return written


def _row(tokens: Tokens, row: Row, drawn: dict[int, tuple[int, list[tuple[str, int]]]]) -> Row:
    """Put a text together, and what is known of its words."""
    parts: list[str] = []
    known: dict[int, tuple[int, int]] = {}
    size, index = 0, 0

    def add(text: str, tags: tuple[int, int] | None = None) -> None:
        nonlocal size
        if tags is not None:
            known[size] = tags
        parts.append(text)
        size += len(text)

    while index < len(tokens.starts):
        add(tokens.gap(index))
        if index in drawn:
            last, written = drawn[index]
            for number, (word, bits) in enumerate(written):
                add(" " if number else "")
                add(word, (bits, row.considered[index] | bits))
            index = last + 1
        else:
            add(tokens.word(index), (row.allowed[index], row.considered[index]))
            index += 1
    add(tokens.text[tokens.end(len(tokens.starts) - 1) :])
    new = tokenize("".join(parts))
    tags: list[tuple[int, int]] = []
    for start in new.starts:
        tags.append(known[start] if start in known else tags[-1] if tags else (0, 0))
    return Row(row.source, new.text, [one for one, _ in tags], [two for _, two in tags])
