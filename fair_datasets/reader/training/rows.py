"""Rows to train on: texts whose words have the tags that they may have.

They are of texts that people tagged, whose spans say what is a name, a place, an organisation or a
work; of a treebank; of pronouns that show their case; and of templates.
"""

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.english.classifier.grammar import (
    Sentence,
    entries,
    made_contexts,
    read_treebank,
)
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.matching.tokens import Tokens, tokenize
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
    OTHER,
    PLACE,
    PRONOUNS,
    WORK,
)
from fair_datasets.system.checks import InputError

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
    """Tell whether a text is kept out of every training, for the calibration.

    Returns:
        True for one of twenty.
    """
    return share(f"held back {text}") < HELD_BACK


def lower_cased(text: str, epoch: int, rate: float) -> str:
    """Return a text, or a text in lower case for some: case is a hint, and no more.

    Args:
        epoch: How often the text was seen before; it draws anew each time.
        rate: The share of texts in lower case.

    Example:
        >>> lower_cased("Mary left.", 0, 1.0), lower_cased("Mary left.", 0, 0.0)
        ('mary left.', 'Mary left.')
    """
    lower = text.lower()
    is_drawn = share(f"{epoch} {text}") < rate and len(lower) == len(text)
    return lower if is_drawn else text


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
    found = dict.fromkeys(
        piece
        for text in whole_texts(folder, source)
        for piece in pieces(text)
        if LEAST <= len(piece.split()) <= MOST
    )
    if len(found) > most:
        least = sorted(map(share, found))[most]
        yield from (text for text in found if share(text) < least)
    else:
        yield from found


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
    """Tell whether a word is a pronoun that shows its case."""
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
    """Tell whether a word is the end of a possessive."""
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
_OF_FIRST_NAMES = (
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


def renamed(tokens: Tokens, spans: Sequence[Span], row: Row, names: Names) -> Iterator[Row]:
    """Write other names in a tagged text.

    Args:
        spans: Where each name begins and ends, in characters, and what it is one of.
        row: What the words of the text may be.
        names: The names to draw from; which are drawn depends on the text alone.

    Yields:
        The text with other names; nothing if none is changed.
    """
    draw = np.random.default_rng(zlib.crc32(tokens.text.encode()))
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
    """Tell whether a name is of letters alone, and no part of an address or a tag."""
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
        elif any(before in words(name) for name in _OF_FIRST_NAMES):
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

    def add(text: str, told: tuple[int, int] | None = None) -> None:
        nonlocal size
        if told is not None:
            known[size] = told
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
    told: list[tuple[int, int]] = []
    for start in new.starts:
        told.append(known[start] if start in known else told[-1] if told else (0, 0))
    return Row(row.source, new.text, [one for one, _ in told], [two for _, two in told])


_PEOPLE, _LISTED = "PER", 1 << NONE | 1 << GIVEN | 1 << FAMILY | 1 << PLACE | 1 << ORGANISATION
# Which tags each source tells apart: that a word is in no span does not say that it is in no work.
FILES = {
    "tweets": ("person_names_tweets.jsonl.gz", _LISTED),
    "ewt": ("person_names_ewt_dev.jsonl.gz", _LISTED),
    "wnut17": ("entities_wnut17.jsonl.gz", _LISTED | 1 << WORK),
    "wikigold": ("entities_wikigold.jsonl.gz", NAMES),
}
"""Source of tagged texts to its file and to the tags that it tells apart, a bit for each."""
TREEBANK = "ud_ewt_train.conllu.gz"
BASE = "sentence-transformers/all-MiniLM-L6-v2"
"""The encoder that is fine-tuned, unless another is named."""


class ReaderConfig(NamedTuple):
    """How a reader is trained.

    Attributes:
        data: The folder of the shared data.
        base: The encoder that is fine-tuned, a folder or a Hub id.
        left_out: Sources of tagged texts that no training reads.
        teacher_epochs: How often the teacher sees each tagged text.
        student_epochs: How often the student sees each text.
        texts: The share of the untagged texts that the teacher tags; 1 means some 120,000.
        seed: The seed of all draws.
    """

    data: Path
    base: str = BASE
    left_out: tuple[str, ...] = ()
    teacher_epochs: int = 2
    student_epochs: int = 5
    texts: float = 1.0
    seed: int = 0


_KINDS = {
    "LOC": 1 << PLACE, "ORG": 1 << ORGANISATION, "GROUP": 1 << ORGANISATION,
    "WORK": 1 << WORK, "PRODUCT": 1 << WORK, "MISC": 1 << WORK | 1 << OTHER,
}  # fmt: skip
_EITHER = 1 << GIVEN | 1 << FAMILY
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
_MANY, _SOME, _FREQUENT, _RARE = 20_000, 1_000, 5_000, 10**9
_POSSESSIVES = ("nmod:poss", "det:poss")


def tagged_rows(folder: Path, source: str) -> Iterator[Row]:
    """Read the tagged texts of a source.

    Args:
        folder: The folder of the shared data.
        source: One of `FILES`.

    Yields:
        The rows, in the order of the file.

    Raises:
        InputError: There is no such file.
    """
    name, known = FILES[source]
    one_name = NameCounts(folder)
    for entry in _entries(folder / "tagged" / name):
        tokens = tokenize(entry["text"])
        if tokens.starts:
            yield _gold_row(source, tokens, _spans(entry), known, one_name)


def renamed_rows(folder: Path, source: str) -> Iterator[Row]:
    """Read the tagged texts of a source with other names in them.

    Args:
        folder: The folder of the shared data.
        source: One of `FILES`.

    Yields:
        The rows; texts without a name, and those that are held back, have none.

    Raises:
        InputError: There is no such file.
    """
    name, known = FILES[source]
    counts = NameCounts(folder)
    listed = sorted({form.text for form in load_lexicon("first_names").forms()})
    names = Names([*listed, *counts.unlisted_names()], counts.family_names())
    for entry in _entries(folder / "tagged" / name):
        tokens = tokenize(entry["text"])
        if tokens.starts and not is_held_back(tokens.text):
            row = _gold_row(source, tokens, _spans(entry), known, counts)
            yield from renamed(tokens, _spans(entry), row, names)


def pronoun_rows(path: Path, source: str) -> Iterator[Row]:
    """Read the sentences of a treebank that have "her", "hers", "him" or "his".

    Yields:
        The rows, whose other words are not known.
    """
    for sentence in read_treebank(path):
        allowed = [_case(sentence, index) for index in range(len(sentence.tokens.lower))]
        if any(allowed):
            yield Row.of(source, sentence.tokens.text, allowed, CASES)


class NameCounts:
    """How often names are first names, and which are surnames, as far as the data tell.

    Args:
        folder: The folder of the shared data; without its lists, only the shipped one tells.
    """

    def __init__(self, folder: Path) -> None:
        """Read the lists."""
        self._births: dict[str, int] = {}
        self._surnames: dict[str, int] = {}
        for entry in entries(folder / "names/ssa_totals.csv.gz"):
            births = int(entry["female"]) + int(entry["male"])
            self._births[entry["name"].lower()] = births
        for rank, entry in enumerate(entries(folder / "names/surnames_race_census2010.csv.gz")):
            self._surnames.setdefault(entry["surname"].lower(), rank)

    def unlisted_names(self) -> list[str]:
        """Return first names that the shipped list lacks, as it does not have all there are."""
        return [
            word.title()
            for word, births in self._births.items()
            if births >= _SOME and word not in _first_names() and word not in self._surnames
        ]

    def family_names(self) -> list[str]:
        """Return the frequent surnames that are no first names, as they are written."""
        found = [
            word.title()
            for word, rank in self._surnames.items()
            if rank < _MANY
            and word not in _first_names()
            and self._births.get(word, 0) < _MANY // 10
        ]
        return found or ["Smith"]

    def one_name(self, word: str, before: str) -> int:
        """Return the tags of a name that is one word.

        Returns:
            The tags that it may have, a bit for each.
        """
        if before in words("before_surname"):
            return 1 << FAMILY
        if any(before in words(name) for name in _OF_FIRST_NAMES):
            return 1 << GIVEN
        births, rank = self._births.get(word, 0), self._surnames.get(word, _RARE)
        if word in _given_names() or (births >= _MANY and rank >= _FREQUENT):
            return 1 << GIVEN
        is_first = word in _first_names() or births >= _MANY // 10
        return _EITHER if is_first or rank == _RARE else 1 << FAMILY


def both_known(names: Iterable[Row], pronouns: Iterable[Row]) -> Iterator[Row]:
    """Put what is known of names and of pronouns of the same texts together.

    Yields:
        The first rows, with what the others know of their words.
    """
    known = {row.text: row for row in pronouns}
    for row in names:
        other = known.get(row.text)
        if other is None:
            yield row
            continue
        pairs = [zip(row.allowed, other.allowed, strict=True)]
        pairs += [zip(row.considered, other.considered, strict=True)]
        allowed, considered = ([second or first for first, second in each] for each in pairs)
        yield Row(row.source, row.text, allowed, considered)


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    """Read a file of tagged texts."""
    if not path.exists():
        raise InputError(
            f"train-reader: the data lack {path.name!r}; give the folder that has it with --data."
        )
    return entries(path)


def _spans(entry: dict[str, Any]) -> list[Span]:
    """Return the spans of a tagged text."""
    return [(int(begin), int(end), str(kind)) for begin, end, kind in entry["spans"]]


def _gold_row(
    source: str, tokens: Tokens, spans: Sequence[Span], known: int, counts: "NameCounts"
) -> Row:
    """Say which tags the words of a text may have."""
    count = len(tokens.starts)
    allowed = [1 << NONE] * count
    people: dict[str, int] = {}
    alone: list[int] = []
    for span in spans:
        inside = [k for k in range(count) if span[0] <= tokens.starts[k] < span[1]]
        if span[2] != _PEOPLE:
            for index in inside:
                allowed[index] = _kind(tokens, index, span[2])
            continue
        for index, tag in _people(tokens, inside, counts):
            allowed[index] = tag
            if tag == _EITHER:
                alone.append(index)
            else:
                people[tokens.lower[index]] = tag
    for index in alone:
        allowed[index] = people.get(tokens.lower[index], _EITHER)
    considered = [known | each for each in allowed]
    for index, word in enumerate(tokens.lower):
        if word in PRONOUNS:
            allowed[index] = considered[index] = 0
    return Row(source, tokens.text, allowed, considered)


def _kind(tokens: Tokens, index: int, kind: str) -> int:
    """Return the tags of a word in the span of no person."""
    tags = _KINDS[kind]
    is_people = kind == "MISC" and tokens.lower[index] in words("peoples")
    return 1 << OTHER if is_people else tags


def _people(
    tokens: Tokens, inside: Sequence[int], counts: "NameCounts"
) -> Iterator[tuple[int, int]]:
    """Say of the words in the span of a person which are given names and which family names."""
    names = [k for k in inside if not is_possessive(tokens, k)]
    titles = _titles()
    first = names[0] if names else 0
    while names and tokens.lower[names[0]] in titles and len(names) > 1:
        yield names.pop(0), 1 << NONE
    if not names:
        return
    before = tokens.lower[names[0] - 1] if names[0] else ""
    while len(names) > 1 and tokens.lower[names[-1]] in _SUFFIXES:
        yield names.pop(), 1 << FAMILY
    if len(names) == 1:
        yield names[0], counts.one_name(tokens.lower[names[0]], before)
        return
    turned = next((k for k in names[1:] if tokens.gap(k).startswith(",")), None)
    if turned is not None:  # "Townsend, George"
        yield from ((k, 1 << FAMILY if k < turned else 1 << GIVEN) for k in names)
        return
    assert first <= names[0]
    yield names[0], 1 << GIVEN
    yield names[-1], 1 << FAMILY
    for index in names[1:-1]:
        is_initial = len(tokens.lower[index]) == 1
        is_particle = tokens.lower[index] in words("particles")
        is_given = is_initial or tokens.lower[index] in _given_names()
        yield index, (1 << GIVEN if is_given else 1 << FAMILY if is_particle else _EITHER)


def _case(sentence: Sentence, index: int) -> int:
    """Return the case of a pronoun as a treebank tells it; 0 of any other word."""
    word, tag = sentence.tokens.lower[index], sentence.tags.get(index)
    if tag not in ("PRP", "PRP$"):
        return 0
    if word == "her":
        return 1 << (DETERMINER if tag == "PRP$" else OBJECT)
    if word == "his":
        return 1 << (DETERMINER if sentence.relations[index] in _POSSESSIVES else ALONE)
    return {"him": 1 << OBJECT, "hers": 1 << ALONE}.get(word, 0)


@cache
def _titles() -> frozenset[str]:
    """Return the words that stand before names and are none."""
    return frozenset().union(words("before_surname"), *map(words, _OF_FIRST_NAMES))


@cache
def _given_names() -> frozenset[str]:
    """Return the shipped first names that are not surnames as often."""
    return frozenset(
        form.text.lower()
        for form in load_lexicon("first_names").forms()
        if "surname" not in form.flags
    )


@cache
def _first_names() -> frozenset[str]:
    """Return the shipped first names."""
    return frozenset(form.text.lower() for form in load_lexicon("first_names").forms())
