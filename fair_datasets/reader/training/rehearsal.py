"""What taught sentences are rehearsed with: others that are alike, and others that must not change.

A sentence that is read a hundred times would teach that its neighbours mean what it means. So a
marked name stands in templates as well, its words stand in other names, and other names stand in
the sentence; the words around a pronoun are replaced by others of their classes, and what follows
an object of a verb that gives is cut.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.english.classifier.grammar import (
    Sentence,
    alike,
    made_contexts,
    verb_classes,
)
from fair_datasets.reader.matching.tokenizer import Tokens, tokenize
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
    TAGS,
    WORK,
)
from fair_datasets.reader.training.rows import Row, is_possessive, joined, pieces, share
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import numbered_lines

EXAMPLE = "He gave [[her = determiner]] books to the library."
SOURCE = "taught"

_MARK = re.compile(r"\[\[(.*?)\]\]")
_LARGEST = 10_000_000
_TAGS_OF = {
    "her": (OBJECT, DETERMINER), "hers": (ALONE,), "him": (OBJECT,), "his": (DETERMINER, ALONE),
}  # fmt: skip
_OF_WORDS = tuple(tag for tag in range(len(TAGS)) if NAMES >> tag & 1)


class Mark(NamedTuple):
    """A word or a name that is marked in a line.

    Attributes:
        place: The file and the line, for errors.
        text: What is marked.
        start: Where it begins in the text without marks, in characters.
        tag: What it is, an index of `TAGS`.
    """

    place: str
    text: str
    start: int
    tag: int


class MarkedSentences(NamedTuple):
    """What a file teaches.

    Attributes:
        rows: A row for each text, in which the marked words are known.
        marks: What is marked in each.
    """

    rows: list[Row]
    marks: list[list[Mark]]

    def with_tags(self, tags: int) -> "MarkedSentences":
        """Return what is taught of some tags, a bit for each."""
        own = [[mark for mark in marks if tags >> mark.tag & 1] for marks in self.marks]
        texts = [row.text for row in self.rows]
        several = [(_row(t, marks), marks) for t, marks in zip(texts, own, strict=True) if marks]
        return MarkedSentences([row for row, _ in several], [marks for _, marks in several])


def read_marked_sentences(path: Path) -> MarkedSentences:
    """Read the sentences of a file.

    Each line is a text in which words are marked with their tags: `EXAMPLE`. A mark of several
    words says the same of each. What is not marked stays as the reader reads it. Blank lines are
    left out; lines with the same text are read together.

    Args:
        path: The file, in UTF-8.

    Raises:
        InputError: The file cannot be read or teaches nothing, or a line marks nothing, or gives a
            tag that there is not, or that the word cannot have.
    """
    texts: dict[str, list[Mark]] = {}
    for number, line in numbered_lines(path, largest=_LARGEST):
        if line.strip():
            text, marks = _unmarked(line.strip(), f"{path}, line {number}")
            texts.setdefault(text, []).extend(marks)
    if not texts:
        raise InputError(f"{path} has no sentence; write one a line, such as {EXAMPLE}")
    return MarkedSentences([_row(text, marks) for text, marks in texts.items()], [*texts.values()])


def _unmarked(line: str, place: str) -> tuple[str, list[Mark]]:
    """Take the marks out of a line."""
    text, marks, begin = "", [], 0
    for match in _MARK.finditer(line):
        text += line[begin : match.start()]
        begin = match.end()
        inner, sign, tag = match[1].rpartition("=")
        word = inner.strip()
        if not sign or not word:
            raise InputError(
                f"{place}: {match[0]} has no tag; write the word, = and its tag, such as {EXAMPLE} "
                f"{_allowed(word or tag)}"
            )
        marks.append(Mark(place, word, len(text), _tag(tag.strip(), word, place)))
        text += word
    text += line[begin:]
    if not marks or "[[" in text or "]]" in text:
        raise InputError(
            f"{place} {'has a mark that does not end' if marks else 'marks no word'}; write a word "
            f"and its tag between [[ and ]], such as {EXAMPLE}"
        )
    return text, marks


def _tag(tag: str, word: str, place: str) -> int:
    """Return the tag that is meant, or raise if the word cannot have it."""
    tags = _tags_of(word)
    for number in tags:
        if TAGS[number] == tag.lower():
            return number
    raise InputError(f"{place}: {word!r} has the tag {tag!r}. {_allowed(word)}")


def _allowed(word: str) -> str:
    """Return which tags a word may have."""
    tags = [TAGS[number] for number in _tags_of(word)]
    kind = f"{word!r}" if word.lower() in PRONOUNS else "a word that is not a pronoun"
    return f"The tags of {kind} are: {', '.join(tags)}."


def _tags_of(word: str) -> tuple[int, ...]:
    """Return the tags that a word may have."""
    return _TAGS_OF.get(word.lower(), _OF_WORDS)


def _row(text: str, marks: Iterable[Mark]) -> Row:
    """Return what is known of the words of a text."""
    tokens = tokenize(text)
    allowed = [0] * len(tokens.starts)
    known: dict[int, Mark] = {}
    for mark in marks:
        for index in marked_words(tokens, mark):
            other = known.setdefault(index, mark)
            if other.tag != mark.tag:
                raise InputError(
                    f"{mark.place}: {tokens.word(index)!r} has the tag {TAGS[mark.tag]!r}, but "
                    f"{TAGS[other.tag]!r} in {other.place}; a word of a sentence has one tag."
                )
            allowed[index] = 1 << mark.tag
    considered = [(CASES if CASES & each else NAMES) if each else 0 for each in allowed]
    return Row(SOURCE, text, allowed, considered)


def marked_words(tokens: Tokens, mark: Mark) -> list[int]:
    """Return which words of a text are marked.

    Returns:
        The words, by their number in the text; without pronouns in a name, and without a
        possessive s.

    Raises:
        InputError: The mark begins or ends within a word, or has none.
    """
    end = mark.start + len(mark.text)
    several = [
        k for k, start in enumerate(tokens.starts) if start < end and tokens.end(k) > mark.start
    ]
    for index in several:
        if tokens.starts[index] < mark.start or tokens.end(index) > end:
            raise InputError(
                f"{mark.place}: {mark.text!r} is a part of the word {tokens.word(index)!r}; mark "
                "the whole word."
            )
    is_case = bool(CASES >> mark.tag & 1)
    words = [
        k
        for k in several
        if (tokens.lower[k] in PRONOUNS) == is_case and not is_possessive(tokens, k)
    ]
    if not words:
        raise InputError(f"{mark.place}: {mark.text!r} has no word; mark a word.")
    return words


SENTENCES = Path(__file__).with_name("sentences.toml")
BLANKS = {
    "given": GIVEN, "family": FAMILY, "place": PLACE, "organisation": ORGANISATION, "work": WORK,
}  # fmt: skip
"""The blanks of the templates, and the tags of the names that fill them."""
HELD_BACK = 1 / 3
"""The share of the templates that no training reads."""

_BLANK = re.compile(r"\{(\w+)\}")
_TREEBANK_TAGS = {"noun": "NN", "plural": "NNS", "adjective": "JJ"}
ANSWERS = {"her": (OBJECT, DETERMINER), "his": (DETERMINER, ALONE)}
"""What a pronoun is when the answer to the question about its case is no, and yes."""


def name_sentences(
    count: int, names: Mapping[str, Sequence[str]] | None = None, *, held_back: bool = False
) -> Iterator[Row]:
    """Fill the templates with names.

    Args:
        count: How many sentences each template makes at most; no two are equal.
        names: Names for some of the blanks; a template without such a blank is left out. None for
            the names that ship.

    Yields:
        The rows, whose words are all known but for pronouns.

    Example:
        >>> rows = name_sentences(1, {"given": ["Xyzzy"]})
        >>> next(rows).text
        'Xyzzy and Xyzzy are moving to Michigan next month.'
    """
    overrides = names or {}
    for template in _templates():
        is_asked = names is None or any(f"{{{name}}}" in template for name in names)
        if is_asked and (share(template) < HELD_BACK) == held_back:
            made = (_filled(template, number, {**_names(), **overrides}) for number in range(count))
            yield from {row.text: row for row in made}.values()


def pronoun_sentences(count: int, *, held_back: bool = False) -> Iterator[Row]:
    """Fill the templates about "her" and "his".

    Args:
        count: How many sentences each template makes at most; no two are equal.

    Yields:
        The rows, in which the pronoun is known.
    """
    made: dict[str, Row] = {}
    for word, (no, yes) in ANSWERS.items():
        for number, context in enumerate(made_contexts(word, _treebank(), count)):
            if (share(f"{word} {number // count}") < HELD_BACK) == held_back:
                tokens, index, answer = context
                allowed = [0] * len(tokens.starts)
                allowed[index] = 1 << (yes if answer else no)
                made[tokens.text] = Row.of("sentences", tokens.text, allowed, CASES)
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
    return Row.of("sentences", tokens.text, allowed, NAMES)


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
    blanks: dict[str, Sequence[str]] = {
        blank: " ".join(names.split()).split(", ") for blank, names in _file()["blanks"].items()
    }
    for blank, lexicon in (("given", "first_names"), ("family", "race_surnames")):
        forms = load_lexicon(lexicon).forms()
        blanks[blank] = [form.text for form in forms if not form.flags]
    return blanks


def _treebank() -> list[Sentence]:
    """Return nouns and adjectives, each as a sentence of a treebank."""
    return [
        Sentence(tokenize(word), {0: tag}, {}, {})
        for blank, tag in _TREEBANK_TAGS.items()
        for word in _names()[blank]
    ]


MOST = 20_000
"""How many pieces of texts are rehearsed at most."""

_PLAIN, _VARIED, _OTHERS = 10, 60, 90
"""How often a sentence is read as it is, with other words, and with other names."""
_NAMES, _PRONOUNS, _IN_TEMPLATES, _OF_WORD = 60, 30, 20, 8
"""How many sentences a template makes: in all, for each taught name, and for each of its words."""
_MANY = 200
"""How many a template makes at most with taught names, and with their words."""
_SUBJECTS = ("he", "she")
_GIVING = {"g", "f"}


def lesson_rows(taught: MarkedSentences) -> list[Row]:
    """Return what teaches: rows in which the marked words, and they alone, are known.

    Returns:
        The sentences, each with other words around what is marked, and templates with the marked
        names; at most about `MOST`.
    """
    often = max(1, min(_VARIED, MOST // 2 // len(taught.rows)))
    rows: list[Row] = []
    for row, marks in zip(taught.rows, taught.marks, strict=True):
        rows += [row] * max(1, often * _PLAIN // _VARIED)
        rows += (_varied(row, marks, number) for number in range(often))
    in_templates = {row.text: row for row in _in_templates(taught)}
    return [*rows, *(in_templates[text] for text in _some(in_templates, MOST // 2))]


def rehearsal_texts(taught: MarkedSentences, texts: Iterable[str]) -> list[str]:
    """Return the texts that are read so that all else stays as it is.

    Args:
        texts: Texts of the user, which are divided into pieces of about a sentence.

    Returns:
        Pieces of the texts, at most `MOST`, without those that have a marked name or a taught
        sentence; the words of the marked names in other names, and the sentences with other names;
        and templates with names and pronouns.

    Example:
        >>> len(set(rehearsal_texts(MarkedSentences([], []), ["Mary left.", "Mary left."]))) > 5000
        True
    """
    new = [mark.text for mark in _marked_names(taught)] + [row.text for row in taught.rows]
    own = {
        piece
        for text in texts
        for piece in pieces(text)
        if tokenize(piece).starts and not any(each in piece for each in new)
    }
    others = [*_words_in_templates(taught), *_with_other_names(taught), *_cut(taught)]
    made = [row.text for row in (*name_sentences(_NAMES), *pronoun_sentences(_PRONOUNS))]
    return [*_some(own, MOST), *_some(others, MOST), *made]


def _varied(row: Row, marks: Sequence[Mark], number: int) -> Row:
    """Return a sentence with other words of the same classes around what is marked."""
    tokens = tokenize(row.text)
    known = {index for mark in marks for index in marked_words(tokens, mark)}
    words = list(tokens.words)
    for index, word in enumerate(words):
        several = _alike(tokens.lower[index])
        if several and index not in known:
            chosen = several[int(share(f"{number} {index} {row.text}") * len(several))]
            words[index] = chosen.capitalize() if word[0].isupper() else chosen
    text = joined(tokens, words)
    return row._replace(text=text) if len(tokenize(text).starts) == len(words) else row


@cache
def _alike(word: str) -> Sequence[str]:
    """Return words that may stand where a word does."""
    lists = [_SUBJECTS, *map(fillers, ("noun", "plural", "adjective"))]
    substitutes = {*alike(word), *(each for words in lists if word in words for each in words)}
    return sorted(substitutes)


def _in_templates(taught: MarkedSentences) -> Iterator[Row]:
    """Yield templates with the marked names, in which nothing else is known."""
    names: dict[str, list[str]] = {}
    blanks = {tag: blank for blank, tag in BLANKS.items()}
    for mark in _marked_names(taught):
        if mark.tag in blanks:
            names.setdefault(blanks[mark.tag], []).append(mark.text)
    count = min(_MANY, _IN_TEMPLATES * max(map(len, names.values()), default=0))
    bits = sum(1 << BLANKS[blank] for blank in names)
    for row in name_sentences(count, names) if names else ():
        allowed = [each & bits for each in row.allowed]
        yield Row.of(SOURCE, row.text, allowed, NAMES)


def _words_in_templates(taught: MarkedSentences) -> Iterator[str]:
    """Yield templates whose names are a word of a marked name."""
    several = {word for mark in _marked_names(taught) for word in mark.text.split()}
    words = sorted(word for word in several if word[0].isupper())
    count = max(1, min(_OF_WORD, _MANY // max(1, len(words))))
    for word in words:
        for blank in BLANKS:
            yield from (row.text for row in name_sentences(count, {blank: [word]}))


def _with_other_names(taught: MarkedSentences) -> Iterator[str]:
    """Yield the sentences with names of people where a name of something else is marked."""
    given, family = fillers("given"), fillers("family")
    for row, marks in zip(taught.rows, taught.marks, strict=True):
        for mark in marks:
            is_person = mark.tag in (GIVEN, FAMILY)
            for number in range(0 if is_person or not NAMES >> mark.tag & 1 else _OTHERS):
                drawn = share(f"{number} {row.text}")
                name = given[int(drawn * len(given))]
                if " " in mark.text:
                    name += f" {family[int(drawn * len(family))]}"
                end = mark.start + len(mark.text)
                yield row.text[: mark.start] + name + row.text[end:]


def _cut(taught: MarkedSentences) -> Iterator[str]:
    """Yield sentences such as "He gave her books" where "to the library" is taught behind it.

    Behind a verb that gives, what follows tells whose the books are.
    """
    classes = verb_classes()
    for row, marks in zip(taught.rows, taught.marks, strict=True):
        tokens = tokenize(row.text)
        for index in (k for mark in marks for k in marked_words(tokens, mark)):
            before = classes.get(tokens.lower[index - 1] if index else "", "")
            is_more = index + 2 < len(tokens.starts)
            if is_more and CASES & row.allowed[index] and _GIVING & set(before):
                varied = (tokenize(_varied(row, marks, k).text) for k in range(_VARIED))
                yield from (f"{each.text[: each.end(index + 1)]}." for each in varied)


def _marked_names(taught: MarkedSentences) -> Iterator[Mark]:
    """Yield the marks of names."""
    for marks in taught.marks:
        yield from (mark for mark in marks if NAMES >> mark.tag & 1 and mark.tag != NONE)


def _some(texts: Iterable[str], most: int) -> list[str]:
    """Return texts, or so many of them as are drawn by themselves."""
    return sorted(texts, key=lambda text: (share(text), text))[:most]
