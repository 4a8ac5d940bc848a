"""Paired forms: "he or she", "his/her", "boys and girls"."""

from collections.abc import Sequence

from fair_datasets.matching.mentions import Mention
from fair_datasets.matching.tokens import Tokens

# What is written in place of a mention (of a pair that becomes one word, its first): the attribute
# whose form is written and that form, both empty to remove the mention; and the last word that is
# replaced, which is the mention's or that of the pair. A plain tuple, as there is one for each.
Change = tuple[Mention, str, str, int]


def settle_pairs(
    tokens: Tokens, mentions: Sequence[Mention], changes: Sequence[Change | None]
) -> list[Change]:
    """Keep paired forms sensible: no "her or her", no "they or they".

    Both forms of a pair are rewritten to each other; or left alone, if one would become the other;
    or become one word, if both would become the same.

    Args:
        tokens: The text.
        mentions: Its mentions, in the order of the text.
        changes: For each mention what it would become; None where it stays.

    Returns:
        The changes to make.
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
    """Tell whether two mentions are near enough to be a pair, and forms of one row."""
    return other.first - one.last <= 2 and one.term.entry is other.term.entry


def _are_pair(tokens: Tokens, one: Mention, other: Mention) -> bool:
    """Tell whether two mentions are forms of one row of a lexicon, joined by or, and or a slash."""
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
