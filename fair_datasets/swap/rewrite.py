"""Editing the mentions of a text; every character outside the edits stays as it is."""

from collections.abc import Container, Sequence
from functools import partial
from operator import attrgetter
from types import MappingProxyType

from fair_datasets.matching.lettercase import capitalised, match_case
from fair_datasets.matching.mentions import Mention, Reading
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.tokens import APOSTROPHES, Tokens
from fair_datasets.rewriting.edits import Edit
from fair_datasets.swap.agreement import ARTICLES, article_before
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.names import Names, other_names
from fair_datasets.swap.pairs import Change, settle_pairs
from fair_datasets.swap.possessives import has_ending, is_possessive
from fair_datasets.swap.pronoun_sets import THEY, pronoun_set
from fair_datasets.swap.singular_they import agree
from fair_datasets.swap.title_dots import changes_dot, with_dot

_CONTRACTED = frozenset({"s", "ll", "d", "re", "ve", "m"})


# An edit from a tuple of its attributes, which takes half the time.
_as_edit = partial(tuple.__new__, Edit)


def swap_row(
    readings: Sequence[Reading | None],
    targets: Targets,
    pronouns: str = "they",
    tables: Sequence[TermTable] = (),
) -> list[list[Edit]]:
    """Say how the mentions of a row are written with their counterparts.

    Nobody is given the name of somebody who keeps it, in whichever of the texts.

    Args:
        readings: The texts of the row with their mentions, or None.
        targets: As for `swap_mentions`.
        pronouns: As for `swap_mentions`.
        tables: As for `swap_mentions`.

    Returns:
        For each text its edits, in the order of the text.
    """
    names = other_names(readings, targets)
    return [
        swap_mentions(reading, targets, pronouns, tables, names)
        if reading and reading.mentions
        else []
        for reading in readings
    ]


def swap_mentions(
    reading: Reading,
    targets: Targets,
    pronouns: str = "they",
    tables: Sequence[TermTable] = (),
    names: Names = MappingProxyType({}),
) -> list[Edit]:
    """Say how each mention of a text is written with its counterpart.

    Args:
        reading: A text with its mentions.
        targets: Axis and attribute to the attribute that its terms are rewritten to. Mentions of
            other attributes, and terms without a form for the target, stay.
        pronouns: The pronoun set that is written for people who are neither men nor women.
        tables: The axes that are rewritten jointly. What is written on one of them may be a term
            of another ("Latina", an "Asian woman") and is then rewritten on that as well.
        names: The names that are written otherwise than as the counterparts of others.

    Returns:
        The edits, in the order of the text.

    Example:
        >>> from fair_datasets.lexicons import Entry, Form
        >>> from fair_datasets.matching.terms import Term
        >>> from fair_datasets.matching.tokens import tokenize
        >>> entry = Entry({"man": (Form("waiter"),), "woman": (Form("waitress"),)})
        >>> reading = Reading(tokenize("Waiter!"), [Mention(0, 0, Term("man", entry))], [])
        >>> [edit.after for edit in swap_mentions(reading, {("", "man"): "woman"})]
        ['Waitress']
    """
    tokens, mentions, _ = reading
    changes: list[Change | None] = []
    for mention in mentions:
        term = mention.term
        target = targets.get((term.axis, term.attribute), "")
        forms = term.entry.forms.get(target) if target else None
        form = forms[0].text if forms else ""
        if names and term.is_name:
            form = names.get((term.spelling.lower(), target), form)
        changes.append((mention, target, form, mention.last) if form else None)
    settled = settle_pairs(tokens, mentions, changes)
    if tables:
        settled = [_on_axes(change, targets, tables) for change in settled]
    return _edits(tokens, settled, pronouns)


def remove_mentions(reading: Reading, attributes: Container[str], neutral: str = "") -> list[Edit]:
    """Say how mentions are removed, or written with their neutral forms where there are any.

    A removed word takes a possessive or contracted ending and one neighbouring space with it.

    Args:
        reading: A text with its mentions.
        attributes: The attributes whose mentions are removed.
        neutral: The attribute whose forms are written; empty to remove every mention.

    Returns:
        The edits, in the order of the text.
    """
    changes: list[Change | None] = []
    for mention in reading.mentions:
        forms = mention.term.entry.forms.get(neutral)
        target, form = (neutral, forms[0].text) if forms else ("", "")
        is_removed = mention.term.attribute in attributes
        changes.append((mention, target, form, mention.last) if is_removed else None)
    settled = settle_pairs(reading.tokens, reading.mentions, changes)
    return _edits(reading.tokens, settled, "they")


def _on_axes(change: Change, targets: Targets, tables: Sequence[TermTable]) -> Change:
    """Rewrite the form that a change writes on the other axes too."""
    mention, target, form, last = change
    term = mention.term
    for table in tables:
        if table.axis != term.axis and term.entry.kind != "pronoun":
            form = " ".join(_on_axis(word, table, targets) for word in form.split(" "))
    return mention, target, form, last


def _on_axis(word: str, table: TermTable, targets: Targets) -> str:
    """Rewrite a word on an axis if it is a noun of that axis."""
    readings = table.words.get(word.lower())
    if readings is None or readings.usual.is_name:
        return word
    term = readings.usual
    written = term.entry.forms.get(targets.get((term.axis, term.attribute), ""))
    return written[0].text if written else word


def _edits(tokens: Tokens, changes: Sequence[Change], pronouns: str) -> list[Edit]:
    """Return the edits that make changes, and what has to agree with them."""
    edits: list[Edit] = []
    verbs: list[Edit] = []
    for change in changes:
        mention, target, form, _ = change
        if not target:
            edits.append(_removed(tokens, mention, edits[-1].end if edits else 0))
            continue
        if form in THEY and mention.term.entry.kind == "pronoun":
            chosen, inflection = pronoun_set(pronouns), mention.term.entry.inflection
            form = chosen.forms.get(inflection, form)
            if inflection == "subject" and chosen.verbs_are_plural:
                verbs += _agreeing(tokens, change)
        if " " in form and edits:
            form = _unless_said(tokens, change, form, edits[-1])
        edit = _written(tokens, change, form)
        if edit.after != edit.before:
            if mention.first and tokens.lower[mention.first - 1] in ARTICLES:
                edits += article_edits(tokens, mention.first, edit, edits)
            edits.append(edit)
    return _in_order(edits, verbs) if verbs else edits


def _unless_said(tokens: Tokens, change: Change, form: str, previous: Edit) -> str:
    """Leave out what the edit directly before says already: "Hindu" before "Hindu priest"."""
    said, rest = form.split(" ", 1)
    is_next = previous.end + 1 == tokens.starts[change[0].first]
    return rest if is_next and previous.after.lower() == said.lower() else form


def _agreeing(tokens: Tokens, change: Change) -> list[Edit]:
    """Return the edits of the verbs whose subject becomes they."""
    mention, target, _, last = change
    found = agree(tokens, last)
    if mention.first != last:  # "Is he or she": the verb stands before the pair
        found = agree(tokens, mention.first) + found
    return [Edit(*verb, mention.term.axis, target) for verb in found]


def _in_order(edits: list[Edit], verbs: list[Edit]) -> list[Edit]:
    """Put edits in the order of the text, without the verbs that lie in another edit."""
    merged: list[Edit] = []
    # A verb that starts where another edit does comes behind it, and is dropped there.
    for edit in sorted([*edits, *verbs], key=attrgetter("start")):
        if not merged or edit.start >= merged[-1].end:
            merged.append(edit)
    return merged


def article_edits(tokens: Tokens, first: int, edit: Edit, edits: Sequence[Edit]) -> list[Edit]:
    """Return the edit of the article before an edited word, if it changes and is free.

    Args:
        tokens: The text.
        first: The word that is edited.
        edit: How it is edited.
        edits: The edits before it.

    Returns:
        One edit, or none.
    """
    start, end = tokens.starts[first - 1], tokens.end(first - 1)
    article = article_before(tokens, first, edit.before, edit.after)
    if not article or (edits and edits[-1].end > start) or tokens.is_protected(first - 1):
        return []
    before = tokens.text[start:end]
    return [Edit(start, end, before, article, edit.axis, edit.attribute)]


def _written(tokens: Tokens, change: Change, form: str) -> Edit:
    """Write a mention in another form, and the possessive ending as that form asks for it."""
    text, ((first, own_last, term, _), target, _, last) = tokens.text, change
    start, end = tokens.starts[first], tokens.end(own_last)
    before = text[start:end]
    if term.is_name and before.islower():
        after = form.lower()
    elif before != term.spelling:
        after = match_case(before, form)
    elif before.islower() or form[0].isupper() or not _opens(tokens, first):
        after = form
    else:
        after = capitalised(form)
    if changes_dot(term, form):
        end, after = with_dot(tokens, own_last, after)
        before = text[start:end]
    if last != own_last:
        end = tokens.end(last)
        before = text[start:end]
    if end < len(text) and text[end] in APOSTROPHES:
        end, after = _with_ending(tokens, change, before, after)
        before = text[start:end]
    return _as_edit((start, end, before, after, term.axis, target))


def _with_ending(tokens: Tokens, change: Change, before: str, after: str) -> tuple[int, str]:
    """Return the end and the text of an edit before an apostrophe, with the ending it asks for."""
    mention, _, _, last = change
    end, gap = tokens.end(last), tokens.gap(last + 1)
    is_plural = mention.term.entry.is_plural
    if is_plural and after[-1] in "sS" and has_ending(tokens, last, {"s"}):
        return tokens.end(last + 1), after + gap  # gentlemen's -> ladies'
    is_bare = before[-1] in "sS" and after[-1] not in "sS"
    if is_bare and not has_ending(tokens, last, {"s"}) and is_possessive(tokens, last):
        # ladies' -> gentlemen's
        return end + 1, after + gap[0] + ("S" if before.isupper() else "s")
    return end, after


def _opens(tokens: Tokens, index: int) -> bool:
    """Tell whether a word stands where any word is capitalised, so that its capital is not its own.

    Elsewhere the capital of "Black" or "Mary" says nothing about its place.
    """
    return tokens.starts[index] == 0 or tokens.opens_sentence(index) or tokens.is_headline(index)


def _removed(tokens: Tokens, mention: Mention, free_from: int) -> Edit:
    """Remove a mention with its ending and one of the spaces around it."""
    text = tokens.text
    last = mention.last + has_ending(tokens, mention.last, _CONTRACTED)
    start, end = tokens.starts[mention.first], tokens.end(last)
    is_plural = last == mention.last and text[end - 1] in "sS" and text[end : end + 1] in ("'", "’")
    end += is_plural and is_possessive(tokens, last)
    opens = start == 0 or text[start - 1].isspace() or start == free_from
    if opens and text[end : end + 1] == " ":
        end += 1
    elif start > free_from and text[start - 1] == " ":
        start -= 1
    return Edit(start, end, text[start:end], "", mention.term.axis, "")
