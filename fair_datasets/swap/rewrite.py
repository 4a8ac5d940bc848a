"""Editing the mentions of a text; every character outside the edits stays as it is."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fair_datasets.matching.lettercase import match_case
from fair_datasets.matching.mentions import Mention, Reading
from fair_datasets.matching.tokens import APOSTROPHES, Tokens
from fair_datasets.swap.agreement import ARTICLES, article_before

# Words that are written with an apostrophe in front, which opens no quote.
_CUT = frozenset({"bout", "cause", "em", "n", "round", "til", "tis", "twas"})
# How many words back a quote may have been opened.
_QUOTE_REACH = 60
_CONTRACTED = frozenset({"s", "ll", "d", "re", "ve", "m"})


class Edit(NamedTuple):
    """One change of a text.

    Attributes:
        start: Where it begins in the text before, in characters.
        end: Where it ends in the text before.
        before: What stood there.
        after: What stands there now.
        attribute: The demographic attribute that is mentioned now; empty after a removal.
    """

    start: int
    end: int
    before: str
    after: str
    attribute: str


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Make edits in a text.

    Args:
        text: The text before.
        edits: The edits, in the order of the text, without overlap.

    Returns:
        The text after.

    Example:
        >>> apply_edits("He ran.", [Edit(0, 2, "He", "She", "woman")])
        'She ran.'
    """
    pieces = []
    position = 0
    for edit in edits:
        pieces += [text[position : edit.start], edit.after]
        position = edit.end
    return "".join([*pieces, text[position:]])


def swap_mentions(reading: Reading, targets: Mapping[str, str]) -> list[Edit]:
    """Say how each mention is written with its counterpart.

    Args:
        reading: A text with its mentions.
        targets: Attribute to the attribute that its terms are rewritten to. Mentions of other
            attributes, and terms without a form for the target, stay.

    Returns:
        The edits, in the order of the text.

    Example:
        >>> from fair_datasets.lexicons import Entry, Form
        >>> from fair_datasets.matching.table import Term
        >>> from fair_datasets.matching.tokens import tokenize
        >>> entry = Entry({"man": (Form("waiter"),), "woman": (Form("waitress"),)})
        >>> term = Term("man", entry, frozenset(), False, False)
        >>> swap_mentions(Reading(tokenize("Waiter!"), [Mention(0, 0, term)]), {"man": "woman"})
        [Edit(start=0, end=6, before='Waiter', after='Waitress', attribute='woman')]
    """
    edits: list[Edit] = []
    for mention in reading.mentions:
        target = targets.get(mention.term.attribute, "")
        forms = mention.term.entry.forms.get(target)
        if forms:
            _append_written(edits, reading.tokens, mention, forms[0].text, target)
    return edits


def remove_mentions(reading: Reading, neutral: str = "") -> list[Edit]:
    """Say how each mention is removed, or written with its neutral form where there is one.

    A removed word takes a possessive or contracted ending and one neighbouring space with it.

    Args:
        reading: A text with its mentions.
        neutral: The attribute whose forms are written; empty to remove every mention.

    Returns:
        The edits, in the order of the text.
    """
    edits: list[Edit] = []
    for mention in reading.mentions:
        forms = mention.term.entry.forms.get(neutral)
        if forms:
            _append_written(edits, reading.tokens, mention, forms[0].text, neutral)
        else:
            edits.append(_removed(reading.tokens, mention, edits[-1].end if edits else 0))
    return edits


def _append_written(
    edits: list[Edit], tokens: Tokens, mention: Mention, form: str, attribute: str
) -> None:
    """Add the edit that writes a mention in another form, and its article's before it."""
    edit = _written(tokens, mention, form, attribute)
    if edit.after == edit.before:
        return
    index = mention.first - 1
    if index >= 0 and tokens.lower[index] in ARTICLES:
        article = article_before(tokens, mention.first, edit.before, edit.after)
        if article:
            start, end = tokens.starts[index], tokens.end(index)
            edits.append(Edit(start, end, tokens.words[index], article, attribute))
    edits.append(edit)


def _written(tokens: Tokens, mention: Mention, form: str, attribute: str) -> Edit:
    """Write a mention in another form, and the possessive ending as that form asks for it."""
    start, end = tokens.starts[mention.first], tokens.end(mention.last)
    before = tokens.text[start:end]
    after = match_case(before, form)
    gap = tokens.gaps[mention.last + 1]
    if not gap or gap[0] not in APOSTROPHES:
        return Edit(start, end, before, after, attribute)
    is_plural = mention.term.entry.inflection == "plural"
    if _has_ending(tokens, mention.last, {"s"}):
        if is_plural and after[-1] in "sS":  # gentlemen's -> ladies'
            end = tokens.end(mention.last + 1)
            after += gap
    elif before[-1] in "sS" and after[-1] not in "sS" and _is_possessive(tokens, mention.last):
        end += 1  # ladies' -> gentlemen's
        after += gap[0] + ("S" if before.isupper() else "s")
    return Edit(start, end, tokens.text[start:end], after, attribute)


def _removed(tokens: Tokens, mention: Mention, free_from: int) -> Edit:
    """Remove a mention with its ending and one of the spaces around it."""
    text = tokens.text
    last = mention.last + _has_ending(tokens, mention.last, _CONTRACTED)
    start, end = tokens.starts[mention.first], tokens.end(last)
    opens = start == 0 or text[start - 1].isspace() or start == free_from
    if opens and text[end : end + 1] == " ":
        end += 1
    elif start > free_from and text[start - 1] == " ":
        start -= 1
    return Edit(start, end, text[start:end], "", "")


def _has_ending(tokens: Tokens, index: int, endings: "frozenset[str] | set[str]") -> bool:
    """Tell whether an apostrophe and one of some endings follow a word directly."""
    gap = tokens.gaps[index + 1]
    if not gap or gap not in APOSTROPHES or index + 1 >= len(tokens.words):
        return False
    return tokens.lower[index + 1] in endings


def _is_possessive(tokens: Tokens, index: int) -> bool:
    """Tell whether an apostrophe behind a word that ends in s is a possessive and no quote.

    It closes a quote if the last quote sign before it, among the words just before, opens one.
    """
    for place in range(index, max(-1, index - _QUOTE_REACH), -1):
        gap = tokens.gaps[place]
        if gap[-1:] in ("'", "‘") and (place == 0 or gap[:-1]) and tokens.lower[place] not in _CUT:
            return False
        if gap[:1] in ("'", "’") and (len(gap) > 1 or place == 0):
            return True
    return True
