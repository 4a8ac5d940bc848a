"""What agrees with a word that is rewritten: articles, verbs, endings, pairs, sets of pronouns."""

import csv
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fair_datasets.reader.english.contractions import stands_for_has
from fair_datasets.reader.english.joined_verbs import verbs_of
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.verbs import (
    guessed_plural_form,
    is_contracted,
    is_negated,
)
from fair_datasets.reader.matching.letters import match_case
from fair_datasets.reader.matching.mentions import Mention
from fair_datasets.reader.matching.tokenizer import APOSTROPHES, Tokens
from fair_datasets.system.checks import one_of

# The pronouns that a lexicon writes for people who are neither men nor women.
THEY = frozenset({"they", "them", "their", "theirs", "themself"})
# Singular "they" and the neopronouns that people use most. For their use see Lauscher, Crowley and
# Hovy: "Welcome to the Modern World of Pronouns" (COLING 2022).
_TABLE = Path(__file__).with_name("pronoun_sets.tsv")
_INFLECTIONS = ("subject", "object", "determiner", "possessive", "reflexive")


class PronounSet(NamedTuple):
    """The forms of a third-person pronoun.

    Attributes:
        forms: Inflection (subject, object, determiner, possessive, reflexive) to form.
        verbs_are_plural: Whether its verbs are in the plural: "they are", but "xe is".
    """

    forms: Mapping[str, str]
    verbs_are_plural: bool


def available_pronoun_sets() -> list[str]:
    """List the sets of pronouns, in the order of the table."""
    return list(_sets())


def pronoun_set(name: str) -> PronounSet:
    """Return a set of pronouns by its name."""
    check_pronoun_set(name, parameter="name")
    return _sets()[name]


@lru_cache
def pronoun_sets_with(form: str) -> frozenset[str]:
    """Return the sets that have a form in any inflection; none for a pronoun of men or women.

    Example:
        >>> sorted(pronoun_sets_with("ze")), pronoun_sets_with("she")
        (['ze', 'ze/zir'], frozenset())
    """
    return frozenset(name for name, pronouns in _sets().items() if form in pronouns.forms.values())


def check_pronoun_set(name: object, *, parameter: str = "pronouns") -> None:
    """Raise unless a parameter names a set of pronouns."""
    one_of(name, available_pronoun_sets(), parameter=parameter)


@cache
def _sets() -> Mapping[str, PronounSet]:
    """Read the table, once per process."""
    with _TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {
        row["set"]: PronounSet(
            MappingProxyType({inflection: row[inflection] for inflection in _INFLECTIONS}),
            row["verbs"] == "plural",
        )
        for row in rows
    }


ARTICLES = frozenset({"a", "an"})

# Written with a vowel but spoken with a consonant, and the other way round.
_LIKE_CONSONANT = re.compile(
    r"(?:eu|ew|one\b|once\b|u(?:ni[^dmn]|nanim|s[aeiu]|t[ai]|bi|k[ru]|ga|yg|r[aeiou]))"
)
_FIGURES = re.compile(r"[0-9]+")
_LIKE_VOWEL = re.compile(r"(?:heir|hon(?:est|or|our)|hour)")


def takes_an(word: str) -> bool:
    """Whether a word is spoken with a vowel first, so that "an" stands before it.

    Example:
        >>> words = ("actor", "heiress", "unit", "waiter", "80-year-old", "17-year-old")
        >>> [word for word in words if takes_an(word)]
        ['actor', 'heiress', '80-year-old']
    """
    word = word.lower()
    figures = _FIGURES.match(word)
    if figures:
        return figures[0][0] == "8" or figures[0] in ("11", "18")
    if _LIKE_VOWEL.match(word):
        return True
    return word[:1] in set("aeiouáéíóú") and not _LIKE_CONSONANT.match(word)


def follows_article(gap: str) -> bool:
    """Whether nothing but space, and maybe an opening quote, lies behind an article.

    Example:
        >>> [follows_article(gap) for gap in (" ", ' "', " ``", ", ")]
        [True, True, True, False]
    """
    return gap[:1].isspace() and gap.strip() in _OPENS_QUOTE


def article_before(tokens: Tokens, index: int, before: str, after: str) -> str:
    """Return the article that has to stand before an edited word, if it changes.

    Returns:
        "a" or "an" in the letter case of the article in the text; empty where there is none, where
        it was not the right one before, or where it stays.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> article_before(tokenize("An actress"), 1, "actress", "performer")
        'A'
    """
    article = tokens.lower[index - 1] if index else ""
    if article not in ARTICLES or not follows_article(tokens.gap(index)):
        return ""
    needs_an = takes_an(after)
    if needs_an == takes_an(before) or needs_an == (article == "an"):
        return ""
    written = tokens.word(index - 1)
    if len(written) == 1:
        # One capital letter may open a sentence or be part of one in capitals.
        return ("AN" if before.isupper() else "An") if written.isupper() else "an"
    return match_case(written, "a") if written != "AN" else "A"


# What may open a quotation behind an article.
_OPENS_QUOTE = ("", '"', "'", "“", "‘", "``", "`", "''", "«", "(", "[")
# Words that are written with an apostrophe in front, which opens no quote.
_CUT = frozenset({"bout", "cause", "em", "n", "round", "til", "tis", "twas"})
# Two apostrophes or backticks are one double quote sign; a third behind them stands for itself.
_DOUBLED = re.compile(r"''|’’|‘‘|``|‚‚")
_TWO = re.compile(r"('|’)\1(?!\1)")
_CLOSING = re.compile(r"\S*['’]")
# What an apostrophe stands before in place of a century.
_DECADE = re.compile(r"[0-9]{2}s?$")
# Single quote signs that may open a quotation.
_OPENING = frozenset({"'", "‘", "‚", "‛", "`"})
# How many words back a quote may have been opened.
_QUOTE_REACH = 60


def has_ending(tokens: Tokens, index: int, endings: Container[str]) -> bool:
    """Whether an apostrophe and one of some endings follow a word directly."""
    gap = tokens.gap(index + 1)
    if not gap or gap not in APOSTROPHES or index + 1 >= len(tokens.lower):
        return False
    return tokens.lower[index + 1] in endings and not tokens.is_protected(index + 1)


def is_possessive(tokens: Tokens, index: int) -> bool:
    """Whether an apostrophe behind a word that ends in s is a possessive and no quote."""
    if _TWO.match(tokens.gap(index + 1)):
        return False  # "``ladies''"
    if not _is_in_quotes(tokens, index):
        return True
    # "‘the ladies’ room’", but "‘ladies’ and" and "‘the ladies’ ‘room’"
    is_joined = tokens.gap(index + 1)[1:] == " " and index + 1 < len(tokens.lower)
    is_joined = is_joined and tokens.lower[index + 1] not in words("after_phrase")
    return is_joined and _closes_behind(tokens, index + 1)


def _is_in_quotes(tokens: Tokens, index: int) -> bool:
    """Whether the last single quote sign among the words before opens a quotation."""
    return _first_quote(tokens, range(index, max(-1, index - _QUOTE_REACH), -1)) == "opening"


def _closes_behind(tokens: Tokens, index: int) -> bool:
    """Whether the next single quote sign behind a word closes a quotation."""
    behind = range(index + 1, min(len(tokens.lower) + 1, index + _QUOTE_REACH))
    return _first_quote(tokens, behind) == "closing"


def _first_quote(tokens: Tokens, places: Iterable[int]) -> str:
    """Return what the first single quote sign before some words is; empty for none."""
    return next(filter(None, (_single_quote(tokens, place) for place in places)), "")


def _single_quote(tokens: Tokens, place: int) -> str:
    """Return whether a single quote before a word is "opening" or "closing"; empty for none."""
    gap = _DOUBLED.sub('"', tokens.gap(place))
    is_edge = place in (0, len(tokens.lower))
    if len(gap) < 2 and not is_edge:
        return ""  # "don't"
    if gap[-1:] in _OPENING and place < len(tokens.lower):
        # "'em", "'60s"
        word = tokens.lower[place]
        return "" if word in _CUT or _DECADE.match(word) else "opening"
    return "closing" if _CLOSING.match(gap) else ""


# What is written in place of a mention (of a pair that becomes one word, its first): the attribute
# whose form is written and that form, both empty to remove the mention; and the last word that is
# replaced, which is the mention's or that of the pair. A plain tuple, as there is one for each.
Change = tuple[Mention, str, str, int]


def resolve_pairs(
    tokens: Tokens, mentions: Sequence[Mention], changes: Sequence[Change | None]
) -> list[Change]:
    """Keep paired forms sensible: no "her or her", no "they or they".

    Both forms of a pair are rewritten to each other; or left alone, if one would become the other;
    or become one word, if both would become the same.

    Args:
        changes: For each mention what it would become; None where it stays.
    """
    if len(mentions) < 2 or not any(map(_are_near, mentions, mentions[1:])):
        return list(filter(None, changes))
    settled: list[Change] = []
    skip = False
    for place, change in enumerate(changes):
        if skip:
            skip = False
            continue
        if place + 1 < len(mentions) and _are_pair(tokens, mentions[place], mentions[place + 1]):
            both = change, changes[place + 1]
            merged = _merged(tokens, mentions[place], mentions[place + 1], *both)
            if merged is not None:
                settled += merged
                skip = True
                continue
        if change is not None:
            settled.append(change)
    return settled


def _are_near(one: Mention, other: Mention) -> bool:
    """Whether two mentions are near enough to be a pair, and forms of one row."""
    return other.first - one.last <= 2 and one.term.entry is other.term.entry


def _are_pair(tokens: Tokens, one: Mention, other: Mention) -> bool:
    """Whether two mentions are forms of one row of a lexicon, joined by or, and or a slash."""
    if not _are_near(one, other) or one.term.attribute == other.term.attribute:
        return False
    return _connector(tokens, one, other) != ""


def _connector(tokens: Tokens, one: Mention, other: Mention) -> str:
    """Return what joins two mentions: a slash, or, and; empty if something else does."""
    gap = tokens.gap(one.last + 1)
    if other.first == one.last + 1:
        return {"/": "/", "&": "and"}.get(gap.strip(), "")
    between = tokens.lower[one.last + 1]
    if other.first != one.last + 2 or between not in ("or", "and", "nor"):
        return ""
    return between if gap.isspace() and tokens.gap(other.first).isspace() else ""


def _merged(
    tokens: Tokens, one: Mention, other: Mention, change: Change | None, next_change: Change | None
) -> list[Change] | None:
    """Return what becomes of a pair; None if each form is rewritten by itself."""
    if change is None and next_change is None:
        return None
    if change is None or next_change is None:
        made = change or next_change
        stays = other if change else one
        return [] if made and made[1] == stays.term.attribute else None
    (_, target, form, _), (_, next_target, _, _) = change, next_change
    if target != next_target or not target:
        return None
    if one.first and tokens.lower[one.first - 1] in ("both", "either", "neither"):
        return []  # "neither he nor she": no single word can follow
    entry = one.term.entry
    # "mother and father" are no "parent".
    is_one = entry.kind == "pronoun" or entry.is_plural
    if _connector(tokens, one, other) == "and" and not is_one:
        return None
    return [(one, target, form, other.last)]


class VerbEdit(NamedTuple):
    """A verb that is rewritten."""

    start: int
    end: int
    before: str
    after: str


def agree(tokens: Tokens, index: int) -> list[VerbEdit]:
    """Find the verbs that have to change when their subject becomes "they"."""
    edits = (_edit(tokens, position, index) for position in verbs_of(tokens, index))
    return [edit for edit in edits if edit is not None]


def _edit(tokens: Tokens, position: int, subject: int) -> VerbEdit | None:
    """Rewrite one verb, if it is in the third person singular."""
    word, end = tokens.lower[position], tokens.end(position)
    if is_contracted(tokens, position):
        if word != "s":
            return None
        after = "ve" if stands_for_has(tokens, position, subject) else "re"
        # A single capital letter would read as a capitalised word.
        after = after.upper() if tokens.words[position].isupper() else after
    else:
        after = guessed_plural_form(word)
        if after and is_negated(tokens, position):
            end = tokens.end(position + 1)
            after += tokens.text[tokens.end(position) : end].lower()
        after = match_case(tokens.text[tokens.starts[position] : end], after)
    start = tokens.starts[position]
    before = tokens.text[start:end]
    if not after or after == before or tokens.is_protected(position):
        return None
    return VerbEdit(start, end, before, after)
