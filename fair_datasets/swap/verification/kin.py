"""The ages of relatives: whose are told, and whether the older ones are still the older ones."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from fair_datasets.lexicons import load_lexicon, spans_of_life, stages_of_life
from fair_datasets.reader.english.ages import DECADE
from fair_datasets.reader.english.numbers import NUMBER, OLDEST, TEN
from fair_datasets.reader.matching.mentions import Annotation
from fair_datasets.swap.verification.clauses import ARTICLES, OWNERS, SUBORDINATING, Clauses

# Whoever were so many years apart at least are of two generations.
_GENERATION = 13
# So many words lie at most between an age and the noun for a relative, and before that its owner.
_FAR, _OWNED = 3, 6
_JOINED = frozenset({" ", "-"})
_HAS = frozenset({"has", "have", "had", "having", "with", "s"})
# What stands between a noun for a relative and the age behind it, beside names.
_BETWEEN = frozenset({"is", "was", "s", "who", "turned", "of", "and", "now", "then", "only", "at"})
# What opens another phrase, so that the noun in it is no longer of the age before.
_OPENING = ARTICLES | OWNERS | SUBORDINATING | {"and", "or", "but", "in", "of", "with"}
_DIGITS = re.compile("[0-9]+")
_Years = tuple[int, int]


def ages_of_kin(annotation: Annotation) -> Iterator[tuple[int, int]]:
    """Give the ages of two relatives of each other: the mentions' numbers.

    Two nouns for relatives in a sentence are of one family, and so are a relative of somebody and
    whoever's age is told before: "Mary, 40, and her son, 12".
    """
    ages = [n for n, mention in enumerate(annotation.mentions) if mention.term.entry.kind == "age"]
    if len(ages) < 2:
        return
    sentence = Clauses(annotation.tokens).sentence
    nouns: dict[int, int] = {}
    for place, number in enumerate(ages):
        noun = _noun_of(annotation, number, ages[place - 1] if place else -1, nouns)
        if noun is None:
            continue
        nouns[number] = noun
        here = sentence(annotation.mentions[number].first)
        others = [other for other in ages[:place] if nouns.get(other) != noun]
        for other in others:
            distance = here - sentence(annotation.mentions[other].first)
            is_last = other == others[-1] and distance < 2
            if (other in nouns and not distance) or (is_last and _is_owned(annotation, noun)):
                yield other, number


def _noun_of(annotation: Annotation, number: int, before: int, nouns: dict[int, int]) -> int | None:
    """Return the noun for the relative whose age is told; that of the age before in a list."""
    tokens, mention = annotation.tokens, annotation.mentions[number]
    for place in range(mention.last + 1, min(mention.last + 1 + _FAR, len(tokens.lower))):
        if tokens.gap(place) not in _JOINED or tokens.lower[place] in _OPENING:
            break
        if tokens.lower[place] in _relatives():
            return place
    end = annotation.mentions[before].last if before >= 0 else -1
    for place in range(mention.first - 1, max(mention.first - 2 - _FAR, -1), -1):
        if place == end:
            return nouns.get(before)
        word = tokens.lower[place]
        if word in _relatives():
            return place
        if not (tokens.is_capitalised(place) or word in _BETWEEN):
            break
    return None


def _is_owned(annotation: Annotation, noun: int) -> bool:
    """Whether a noun says whose relative somebody is: "her son", "has a son", "son of"."""
    tokens = annotation.tokens
    if tokens.lower[noun + 1 : noun + 2] == ["of"]:
        return True
    for place in range(noun - 1, max(noun - 1 - _OWNED, -1), -1):
        if tokens.gap(place + 1) not in _JOINED:
            return False
        if tokens.lower[place] in OWNERS | _HAS:
            return True
    return False


@cache
def _relatives() -> frozenset[str]:
    """Return the nouns for relatives."""
    rows = (entry for entry in load_lexicon("gender").entries if entry.kind == "kinship")
    return frozenset(form.text for entry in rows for _, form in entry.all_forms)


def years_of(folded: Sequence[str], stage: str) -> _Years:
    """Return the lowest and the highest age that some words tell, or else that of their stage.

    Example:
        >>> years_of(["forty", "-", "two"], "young"), years_of(["elderly"], "senior")
        ((42, 42), (65, 120))
    """
    years: list[int] = []
    is_ten = False
    for unit in filter(str.isalnum, folded):
        digits = _DIGITS.match(unit)
        if unit in DECADE:
            years += (DECADE[unit], DECADE[unit] + 9)
        elif digits:
            years.append(int(digits[0]))
        elif is_ten and 0 < NUMBER.get(unit, 0) < 10:
            years[-1] += NUMBER[unit]
        elif unit in NUMBER:
            years.append(NUMBER[unit])
        is_ten = unit in TEN
    if not years:
        stages = stages_of_life()
        several = [stages[name].years for name in spans_of_life().get(stage, (stage,))]
        last = [*stages.values()][-1].years
        years = [several[0][0], OLDEST if several[-1] == last else several[-1][1]]
    return min(years), max(years)


def are_in_order(before: Sequence[_Years], after: Sequence[_Years]) -> bool:
    """Whether the older of two relatives may still be the older.

    Returns:
        Whether she or he may; as old as the other only those may become who are of one generation.

    Example:
        >>> are_in_order([(40, 40), (12, 12)], [(70, 70), (35, 35)])
        True
        >>> are_in_order([(40, 40), (12, 12)], [(35, 35), (70, 70)])
        False
    """
    order = sorted((0, 1), key=lambda place: before[place])
    (_, young), (old, _) = (before[place] for place in order)
    (younger, _), (_, older) = (after[place] for place in order)
    if young >= old:
        return True
    return older > younger or (older == younger and old - young < _GENERATION)
