"""What taught sentences are rehearsed with: others that are alike, and others that must not change.

A sentence that is read a hundred times would teach that its neighbours mean what it means. So a
marked name stands in templates as well, its words stand in other names, and other names stand in
the sentence; the words around a pronoun are replaced by others of their classes, and what follows
an object of a verb that gives is cut.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from fair_datasets.english.classifier.grammar import alike, verb_classes
from fair_datasets.matching.tokens import tokenize
from fair_datasets.reader.tags import CASES, FAMILY, GIVEN, NAMES, NONE
from fair_datasets.reader.training.rows import Row, share
from fair_datasets.reader.training.sentences import (
    BLANKS,
    fillers,
    name_sentences,
    pronoun_sentences,
)
from fair_datasets.reader.training.taught import SOURCE, Mark, Taught, marked_words
from fair_datasets.reader.training.unlabelled import pieces

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


def lessons(taught: Taught) -> list[Row]:
    """Return what teaches: rows in which the marked words, and they alone, are known.

    Args:
        taught: The sentences.

    Returns:
        The sentences, each with other words around what is marked, and templates with the marked
        names; at most about `MOST`.
    """
    often = max(1, min(_VARIED, MOST // 2 // len(taught.rows)))
    found: list[Row] = []
    for row, marks in zip(taught.rows, taught.marks, strict=True):
        found += [row] * max(1, often * _PLAIN // _VARIED)
        found += (_varied(row, marks, number) for number in range(often))
    in_templates = {row.text: row for row in _in_templates(taught)}
    return [*found, *(in_templates[text] for text in _some(in_templates, MOST // 2))]


def rehearsed(taught: Taught, texts: Iterable[str]) -> list[str]:
    """Return the texts that are read so that all else stays as it is.

    Args:
        taught: The sentences that are taught.
        texts: Texts of the user, which are divided into pieces of about a sentence.

    Returns:
        Pieces of the texts, at most `MOST`, without those that have a marked name or a taught
        sentence; the words of the marked names in other names, and the sentences with other names;
        and templates with names and pronouns.

    Example:
        >>> len(set(rehearsed(Taught([], []), ["Mary left.", "Mary left."]))) > 5000
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
    pairs = zip(tokens.gaps, [*words, ""], strict=True)
    text = "".join(part for pair in pairs for part in pair)
    return row._replace(text=text) if len(tokenize(text).starts) == len(words) else row


@cache
def _alike(word: str) -> Sequence[str]:
    """Return words that may stand where a word does."""
    lists = [_SUBJECTS, *map(fillers, ("noun", "plural", "adjective"))]
    found = {*alike(word), *(each for words in lists if word in words for each in words)}
    return sorted(found)


def _in_templates(taught: Taught) -> Iterator[Row]:
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
        yield Row(SOURCE, row.text, allowed, [NAMES if each else 0 for each in allowed])


def _words_in_templates(taught: Taught) -> Iterator[str]:
    """Yield templates whose names are a word of a marked name."""
    several = {word for mark in _marked_names(taught) for word in mark.text.split()}
    words = sorted(word for word in several if word[0].isupper())
    count = max(1, min(_OF_WORD, _MANY // max(1, len(words))))
    for word in words:
        for blank in BLANKS:
            yield from (row.text for row in name_sentences(count, {blank: [word]}))


def _with_other_names(taught: Taught) -> Iterator[str]:
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


def _cut(taught: Taught) -> Iterator[str]:
    """Yield sentences such as "He gave her books" where "to the library" is taught behind it.

    Behind a verb that gives, what follows tells whose the books are.
    """
    classes = verb_classes()
    for row, marks in zip(taught.rows, taught.marks, strict=True):
        tokens = tokenize(row.text)
        for index in (k for mark in marks for k in marked_words(tokens, mark)):
            before = classes.get(tokens.lower[index - 1] if index else "", "")
            if CASES & row.allowed[index] and _GIVING & set(before):
                varied = (tokenize(_varied(row, marks, k).text) for k in range(_VARIED))
                last = min(index + 1, len(tokens.starts) - 1)
                yield from (f"{each.text[: each.end(last)]}." for each in varied)


def _marked_names(taught: Taught) -> Iterator[Mark]:
    """Yield the marks of names."""
    for marks in taught.marks:
        yield from (mark for mark in marks if NAMES >> mark.tag & 1 and mark.tag != NONE)


def _some(texts: Iterable[str], most: int) -> list[str]:
    """Return texts, or so many of them as are drawn by themselves."""
    return sorted(texts, key=lambda text: (share(text), text))[:most]
