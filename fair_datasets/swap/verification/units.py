"""Texts as units that are compared: words and signs, white space apart."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from fair_datasets.lexicons import available_lexicons, load_lexicon, name_lexicons
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.verbs import auxiliaries, verbs
from fair_datasets.reader.matching.letters import capitalised, match_case
from fair_datasets.swap.pronoun_sets import available_pronoun_sets, pronoun_set

# What lies between units: white space, and the spaces and joiners that are not seen.
_UNSEEN = "\u00ad\u200b-\u200f\u2060\ufeff"
_UNIT = re.compile(
    # A word, with the marks that belong to its letters.
    rf"[^\W_](?:[^\W_]|[\u0300-\u036f{_UNSEEN}](?=[^\W_\u0300-\u036f{_UNSEEN}]|[\u0300-\u036f]))*"
    rf"[\u0300-\u036f]*|\.\.+|--+|``|''|[^\s{_UNSEEN}]"
)
# Signs that are typed in several ways.
_SIGNS = str.maketrans(
    dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛`´′", "'") | dict.fromkeys("‐‑‒–—―−", "-")
)
_RUNS = {"``": '"', "''": '"', "…": "..."}


class Units(NamedTuple):
    """A text as words and signs.

    Attributes:
        folded: Each unit without its letter case, accents and kind of quote or dash.
    """

    text: str
    folded: list[str]
    starts: list[int]
    ends: list[int]

    def at(self, offset: int) -> int:
        """Return which unit an offset in the text lies in, or else the one behind it."""
        return bisect_right(self.ends, offset)

    def until(self, offset: int) -> int:
        """Return the number of units that begin before an offset in the text."""
        return bisect_left(self.starts, offset)

    def written(self, first: int, end: int) -> str:
        """Return what is written from a unit to before another."""
        return self.text[self.starts[first] : self.ends[end - 1]] if first < end else ""

    def span(self, first: int, end: int) -> tuple[int, int]:
        """Return where a stretch of units lies in the text; an empty one behind the last unit."""
        if first < end:
            return self.starts[first], self.ends[end - 1]
        place = self.ends[first - 1] if first else 0
        return place, place

    def is_capital(self, index: int) -> bool:
        """Tell whether a unit begins with a capital letter."""
        return self.text[self.starts[index]].isupper()

    def gap(self, index: int) -> str:
        """Return what lies before a unit, or behind the last one."""
        begin = self.ends[index - 1] if index else 0
        return self.text[begin : self.starts[index] if index < len(self.starts) else None]


def split_units(text: str) -> Units:
    """Split a text into words and signs."""
    matches = list(_UNIT.finditer(text))
    folded = [fold(match[0]) for match in matches]
    return Units(text, folded, [each.start() for each in matches], [each.end() for each in matches])


@lru_cache(maxsize=1 << 16)
def fold(unit: str) -> str:
    """Write a word or sign without its letter case, accents and kind of quote or dash."""
    if not unit[0].isalnum():
        unit = "..." if unit.startswith("..") else "-" if unit.startswith("--") else unit
        unit = _RUNS.get(unit, unit.translate(_SIGNS))
    plain = "".join(
        character
        for character in unicodedata.normalize("NFKD", unit)
        if unicodedata.category(character) not in ("Mn", "Cf")
    )
    return (plain or unit).casefold()


def is_word(folded: str) -> bool:
    """Tell whether a unit is a word or a number, and no sign."""
    return folded[0].isalnum()


_WORD = re.compile(r"[^\W_]+")
SENTENCE_ENDS = frozenset({".", "!", "?", "..."})
# A longer run of letters is no word.
_LONGEST = 60
# From this length on a word may have two mistakes.
_LONG = 8


def is_misspelt(old: Units, index: int, after: str) -> bool:
    """Tell whether a word is a mistake in spelling, of which another is the right spelling.

    Example:
        >>> is_misspelt(split_units("I recieve it"), 1, "receive")
        True
        >>> is_misspelt(split_units("It was now"), 2, "not")
        False
    """
    before = old.folded[index]
    if max(len(before), len(after)) > _LONGEST:
        return False
    if min(len(before), len(after)) < 3 or not (before.isalpha() and after.isalpha()):
        return False
    allowed = 2 if len(before) >= _LONG else 1
    if OSA.distance(before, after, score_cutoff=allowed) > allowed:
        return False
    # A capital letter within a sentence is that of a name, of which the lists know few.
    is_name = old.is_capital(index) and index and is_word(old.folded[index - 1])
    return not is_name and not is_known(before) and is_known(after)


def in_case_of(old: Units, index: int, written: str, *, is_uncased: bool = False) -> str:
    """Write what stands in the place of a word in that word's letter case.

    Returns:
        The same in the letter case of the word. A capital letter that either has in any place
        ("Asian", "Mary") says nothing. What no list knows, or what may be two words ("peter"),
        stays as it is where letter case is kept.

    Example:
        >>> old = split_units("HE saw him. Asian men saw Mary.")
        >>> [in_case_of(old, place, "She") for place in (0, 2)]
        ['SHE', 'she']
        >>> in_case_of(old, 4, "white"), in_case_of(old, 7, "JOHN")
        ('White', 'John')
    """
    before, own = old.written(index, index + 1), _spellings().get(old.folded[index])
    units = split_units(written).folded
    others = [_spellings().get(unit) for unit in units]
    if own is None or any(other is None or len(other) > 1 for other in others):
        return match_case(before, written) if is_uncased and len(units) == 1 else written
    forms = iter([form for other in others if other for form in other])
    natural = _WORD.sub(lambda match: next(forms, match[0]), written)
    if before.isupper() and index and old.folded[index - 1] == "'":
        return natural.upper()  # "HE'S"
    if before not in own or before.islower():
        return match_case(before, natural)
    if not natural.islower():
        return natural
    return capitalised(natural) if _opens(old, index) else written


def _opens(units: Units, index: int) -> bool:
    """Tell whether a word is the first of its sentence."""
    while index and not is_word(units.folded[index - 1]):
        index -= 1
        if units.folded[index] in SENTENCE_ENDS:
            return True
    return not index


@cache
def _spellings() -> Mapping[str, frozenset[str]]:
    """Return how the words of the shipped axes are written, and verbs, by what is compared."""
    found: dict[str, set[str]] = defaultdict(set)
    for text in _texts([*available_lexicons(), *name_lexicons()]):
        for word in _WORD.findall(text):
            found[fold(word)].add(word)
    for chosen in map(pronoun_set, available_pronoun_sets()):
        for word in chosen.forms.values():
            found[word].add(word)
    for word in {*_verbs(), *auxiliaries(), *auxiliaries().values(), "s", "re", "ve"}:
        found[word].add(word)
    return {word: frozenset(forms) for word, forms in found.items()}


def is_known(word: str) -> bool:
    """Tell whether a word is listed anywhere as an everyday word.

    Example:
        >>> is_known("house"), is_known("talis")
        (True, False)
    """
    return (
        word in words("common_words") or word in words("surname_words") or word in _listed_words()
    )


@cache
def _listed_words() -> frozenset[str]:
    """Return the verbs and the words of the shipped axes."""
    units = (unit for text in _texts(available_lexicons()) for unit in split_units(text).folded)
    return frozenset(units) | _verbs()


def _texts(lexicons: Iterable[str]) -> Iterator[str]:
    for lexicon in map(load_lexicon, lexicons):
        yield from (form.text for entry in lexicon.entries for _, form in entry.all_forms)


def _verbs() -> frozenset[str]:
    """Return the verbs in the third person, and their bases."""
    return frozenset({*verbs(), *(verb.base for verb in verbs().values())})
