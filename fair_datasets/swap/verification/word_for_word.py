"""Rewrites in which each mention became its counterpart, one word for one: of these most are."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise

from fair_datasets.reader.matching.mentions import Annotation, Mention
from fair_datasets.reader.matching.terms import Term
from fair_datasets.swap.agreement import pronoun_sets_with
from fair_datasets.swap.drawn_names import RULE
from fair_datasets.swap.verification.faults import plural_subjects
from fair_datasets.swap.verification.forms import CONNECTORS, Forms, in_case_of, split_units

_RUN = re.compile("[A-Za-z0-9]+")
# An age is told in many ways, and a period may follow a title.
_OPEN_KINDS = frozenset({"age", "title"})


def is_word_for_word(
    reading: Annotation, after: str, forms: Forms, becomes: Mapping[str, str]
) -> bool:
    """Whether a rewrite has the counterpart of each mention, and is the same text besides.

    What is so has no fault; whatever needs a look at the words around a mention is none of these.

    Args:
        reading: The original.
        becomes: What each attribute becomes.
    """
    tokens, text = reading.tokens, reading.tokens.text
    words: list[tuple[Term, str, str]] = []
    stretches: list[str] = []
    place = after_place = 0
    for mention in reading.mentions:
        start, end = tokens.starts[mention.first], tokens.end(mention.last)
        beside = text[max(start - 1, 0) : start] + text[end : end + 1]
        run = _RUN.match(after, after_place + start - place)
        if run is None or mention.rule == RULE or _RUN.search(beside) or not beside.isascii():
            return False
        term, written, stretch = mention.term, run[0], text[place:start]
        is_same = after.startswith(stretch, after_place)
        options = _attributes(forms, term, text[start:end], written) if is_same else ()
        if becomes.get(term.attribute) not in options:
            return False
        words.append((term, text[start:end].lower(), written.lower()))
        stretches.append(stretch)
        place, after_place = end, run.end()
    if not words or text[place:] != after[after_place:]:
        return False
    return _stand_by_themselves(words, [*stretches, text[place:]], forms)


def _stand_by_themselves(
    words: list[tuple[Term, str, str]], stretches: list[str], forms: Forms
) -> bool:
    """Whether what stands between mentions is no part of any, and no two names become one."""
    units = [split_units(stretch).folded for stretch in stretches]
    for (before, behind), (_, *spellings) in zip(pairwise(units), words, strict=True):
        following = behind[0] if behind else ""
        is_joined = before[-1:] == ["'"] or following == "'"
        is_longer = not forms.before(following).isdisjoint(spellings)
        if is_joined or is_longer or (before and before[-1] in forms.before(spellings[1])):
            return False
    for ((one, *_), (other, *_)), between in zip(pairwise(words), units[1:-1], strict=True):
        if not between or (one.attribute != other.attribute and between[0] in CONNECTORS):
            return False
    names = {(spelling, written) for term, spelling, written in words if term.is_name}
    befores, afters = {spelling for spelling, _ in names}, {written for _, written in names}
    is_one_each = len(befores) == len(afters) == len(names)
    return is_one_each and befores.isdisjoint(afters) and all(map(afters.isdisjoint, units))


@lru_cache(maxsize=1 << 16)
def _attributes(forms: Forms, term: Term, before: str, after: str) -> AbstractSet[str]:
    """Return of which attributes a word surely is that stands for a mention, whatever is around."""
    old, new = split_units(before), split_units(after)
    spelling, written = old.folded[0], new.folded[0]
    kinds = {term.entry.kind, *(each.entry.kind for each in forms.at(old, 0))}
    is_open = not _RUN.fullmatch(before) or spelling == written or forms.is_shared_name(spelling)
    is_open = is_open or not _OPEN_KINDS.isdisjoint(kinds)
    is_open = is_open or not plural_subjects().isdisjoint((spelling, written))
    if is_open or pronoun_sets_with(written) or in_case_of(old, 0, after) != after:
        return frozenset()
    mention = Mention(0, 0, term)
    terms = (each for each in forms.at(new, 0) if forms.may_stand_for(mention, spelling, each))
    return {each.attribute for each in terms} - {term.attribute}
