"""Editing the mentions of a text; every character outside the edits stays as it is."""

from collections.abc import Container, Iterator, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType

from fair_datasets.lexicons import Entry, load_lexicon, name_lexicons
from fair_datasets.reader.matching.letters import capitalised, match_case, without_accents
from fair_datasets.reader.matching.mentions import Annotation, Mention
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.terms import Term
from fair_datasets.reader.matching.tokenizer import APOSTROPHES, GENDERED_TITLES, TITLES, Tokens
from fair_datasets.swap.agreement import (
    ARTICLES,
    THEY,
    Change,
    agree,
    article_before,
    has_ending,
    is_possessive,
    pronoun_set,
    resolve_pairs,
)
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.rewriting.counterfactuals import Edit, as_edit

# A name in lower case, and the attribute that it is written for, to what is written; empty where
# the name has to stay.
Names = Mapping[tuple[str, str], str]


def other_names(readings: Sequence[Annotation | None], targets: Targets) -> Names:
    """Choose other names for those whose counterpart is a name that stays in the row.

    "John met Mary", of whom Mary alone is rewritten, would become "John met John". What is written
    then is the next name of the list that the row has not.

    Example:
        >>> from fair_datasets.reader.matching.find import find_table
        >>> from fair_datasets.reader.matching.rows import annotate_text
        >>> reading = annotate_text("John met Mary.", find_table("gender"))
        >>> other_names([reading], {("gender", "woman"): "man"})
        {('mary', 'man'): 'James'}
        >>> other_names([reading], {("gender", "woman"): "man", ("gender", "man"): "woman"})
        {}
    """
    annotations = [reading for reading in readings if reading is not None]
    # Each name and attribute to the counterpart, and the row of the list that both stand in.
    partners: dict[tuple[str, str], tuple[str, Entry]] = {}
    rewritten: list[set[int]] = []
    for _, mentions, _ in annotations:
        rewritten.append(set())
        for first, _, term, _ in mentions:
            target, form = _counterpart(term, targets) if term.is_name else ("", "")
            if form:
                rewritten[-1].add(first)
                key = term.spelling.lower(), target
                partners.setdefault(key, (without_accents(form), term.entry))
    written = {partner for partner, _ in partners.values()}
    words = [_plain(annotation.tokens) for annotation in annotations]
    if all(map(written.isdisjoint, words)):
        return {}
    staying, taken = set[str](), set(written)
    for annotation, plain, own in zip(annotations, words, rewritten, strict=True):
        capitalised = set(_capitalised(annotation.tokens))
        taken.update(plain[index] for index in capitalised)
        staying.update(plain[index] for index in capitalised - own)
    names: dict[tuple[str, str], str] = {}
    for (name, target), (partner, entry) in partners.items():
        if partner in staying:
            others = _next_names(entry, target)
            free = (each for each in others if without_accents(each) not in taken)
            names[name, target] = next(free, "")
            taken.add(without_accents(names[name, target]))
    return names


def _counterpart(term: Term, targets: Targets) -> tuple[str, str]:
    """Return the attribute that a term is written for, and the form; empty where it stays."""
    target = targets.get((term.axis, term.attribute), "")
    forms = term.entry.forms.get(target) if target else None
    return target, forms[0].text if forms else ""


def _plain(tokens: Tokens) -> list[str]:
    """Return the words of a text in lower case, without accents."""
    return tokens.lower if tokens.text.isascii() else [*map(without_accents, tokens.lower)]


def _capitalised(tokens: Tokens) -> Sequence[int]:
    """Return the words that may be names: all of them where none has a capital."""
    places = range(len(tokens.lower))
    return list(filter(tokens.is_capitalised, places)) or places


def _next_names(entry: Entry, target: str) -> Iterator[str]:
    """Give the names of an attribute behind a row of a list, and then those before it.

    A name that is a word or a place as well is passed over.
    """
    for lexicon in map(load_lexicon, name_lexicons()):
        if entry in lexicon.entries:
            place = lexicon.entries.index(entry)
            for row in (*lexicon.entries[place + 1 :], *lexicon.entries[:place]):
                forms = row.forms.get(target, ()) if row.kind == entry.kind else ()
                yield from (form.text for form in forms[:1] if not form.flags)


def changes_dot(term: Term, form: str) -> bool:
    """Whether a title is abbreviated and its counterpart is not, or the other way round.

    Returns:
        Whether the dot is another; False for what is no title.
    """
    is_title = term.entry.kind == "title"
    return is_title and (term.spelling.lower() in GENDERED_TITLES) != (
        form.lower() in GENDERED_TITLES
    )


def with_dot(tokens: Tokens, last: int, after: str) -> tuple[int, str]:
    """Write the dot behind a title that is abbreviated, or leave it out.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> swap = CounterfactualSwap(columns="text", mode="replace")
        >>> texts = ["Miss Ray left.", "Dr. Lee met Miss Ray.", "Miss Ray met Mr Lee."]
        >>> swap({"text": texts})["text"]
        ['Mr. Ray left.', 'Dr. Lee met Mr. Ray.', 'Mr Ray met Mrs Lee.']
    """
    end = tokens.end(last)
    is_before_name = tokens.gap(last + 1) in (" ", ". ")
    if after.lower() not in GENDERED_TITLES:
        has_dot = tokens.gap(last + 1) == ". " and tokens.lower[last] in GENDERED_TITLES
        return end + has_dot, after
    has_dot = tokens.text[end : end + 1] == "."
    lacks_dot = is_before_name and not has_dot and not tokens.words[last].islower()
    return end, after + ("." if lacks_dot and _has_dots(tokens) else "")


def _has_dots(tokens: Tokens) -> bool:
    """Whether the titles of a text have dots, as they have in most texts."""
    for index, word in enumerate(tokens.lower[:-1]):
        if word in TITLES and tokens.is_capitalised(index + 1):
            return tokens.gap(index + 1).startswith(".")
    return True


_CONTRACTED = frozenset({"s", "ll", "d", "re", "ve", "m"})


def swap_row(
    readings: Sequence[Annotation | None],
    targets: Targets,
    pronouns: str = "they",
    tables: Sequence[TermTable] = (),
) -> list[list[Edit]]:
    """Return the edits that write the mentions of a row with their counterparts.

    Nobody is given the name of somebody who keeps it, in whichever of the texts.
    """
    names = other_names(readings, targets)
    return [
        swap_mentions(reading, targets, pronouns, tables, names)
        if reading and reading.mentions
        else []
        for reading in readings
    ]


def swap_mentions(
    annotation: Annotation,
    targets: Targets,
    pronouns: str = "they",
    tables: Sequence[TermTable] = (),
    names: Names = MappingProxyType({}),
) -> list[Edit]:
    """Return the edits that write each mention with its counterpart, in the order of the text.

    Args:
        targets: Axis and attribute to the attribute that its terms are rewritten to. Mentions of
            other attributes, and terms without a form for the target, stay.
        tables: The axes that are rewritten jointly. What is written on one of them may be a term
            of another ("Latina", an "Asian woman") and is then rewritten on that as well.

    Example:
        >>> from fair_datasets.lexicons import Entry, Form
        >>> from fair_datasets.reader.matching.terms import Term
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> entry = Entry({"man": (Form("waiter"),), "woman": (Form("waitress"),)})
        >>> reading = Annotation(tokenize("Waiter!"), [Mention(0, 0, Term("man", entry))], [])
        >>> [edit.after for edit in swap_mentions(reading, {("", "man"): "woman"})]
        ['Waitress']
    """
    tokens, mentions, _ = annotation
    changes: list[Change | None] = []
    for mention in mentions:
        term = mention.term
        target, form = _counterpart(term, targets)
        if names and term.is_name:
            form = names.get((term.spelling.lower(), target), form)
        changes.append((mention, target, form, mention.last) if form else None)
    settled = resolve_pairs(tokens, mentions, changes)
    if tables:
        settled = [_on_axes(change, targets, tables) for change in settled]
    return _edits(tokens, settled, pronouns)


def remove_mentions(
    annotation: Annotation, attributes: Container[str], neutral: str = ""
) -> list[Edit]:
    """Return the edits that remove mentions, or write their neutral forms where there are any.

    A removed word takes a possessive or contracted ending and one neighbouring space with it.

    Args:
        neutral: The attribute whose forms are written; empty to remove every mention.
    """
    changes: list[Change | None] = []
    for mention in annotation.mentions:
        forms = mention.term.entry.forms.get(neutral)
        target, form = (neutral, forms[0].text) if forms else ("", "")
        is_removed = mention.term.attribute in attributes
        changes.append((mention, target, form, mention.last) if is_removed else None)
    settled = resolve_pairs(annotation.tokens, annotation.mentions, changes)
    return _edits(annotation.tokens, settled, "they")


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
    return _counterpart(readings.usual, targets)[1] or word


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
            form = _without_repeats(tokens, change, form, edits[-1])
        edit = _written(tokens, change, form)
        if edit.after != edit.before:
            if mention.first and tokens.lower[mention.first - 1] in ARTICLES:
                edits += article_edits(tokens, mention.first, edit, edits)
            edits.append(edit)
    return _in_order(edits, verbs) if verbs else edits


def _without_repeats(tokens: Tokens, change: Change, form: str, previous: Edit) -> str:
    """Leave out what the edit directly before says already: "Hindu" before "Hindu priest"."""
    word, rest = form.split(" ", 1)
    is_next = previous.end + 1 == tokens.starts[change[0].first]
    return rest if is_next and previous.after.lower() == word.lower() else form


def _agreeing(tokens: Tokens, change: Change) -> list[Edit]:
    """Return the edits of the verbs whose subject becomes they."""
    mention, target, _, last = change
    verbs = agree(tokens, last)
    if mention.first != last:  # "Is he or she": the verb stands before the pair
        verbs = agree(tokens, mention.first) + verbs
    return [Edit(*verb, mention.term.axis, target) for verb in verbs]


def _in_order(edits: list[Edit], verbs: list[Edit]) -> list[Edit]:
    """Put edits in the order of the text, without the verbs that lie in another edit."""
    merged: list[Edit] = []
    # A verb that starts where another edit does comes behind it, and is dropped there.
    for edit in sorted([*edits, *verbs], key=attrgetter("start")):
        if not merged or edit.start >= merged[-1].end:
            merged.append(edit)
    return merged


def article_edits(tokens: Tokens, first: int, edit: Edit, edits: Sequence[Edit]) -> list[Edit]:
    """Return the edit of the article before an edited word, if it changes and is free."""
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
    elif before != term.spelling and not _is_as_listed(before, term.spelling):
        after = match_case(before, form)
    elif before[0].islower() or form[0].isupper() or not _opens(tokens, first):
        after = form
    else:
        after = capitalised(form)
    title, _, office = after.partition(" ")
    is_title = office and term.entry.kind == "title" and title.lower() in GENDERED_TITLES
    if is_title and title[0].isupper() and _has_dots(tokens):
        after = f"{title}. {office}"  # "Mr. President"
    if changes_dot(term, form):
        end, after = with_dot(tokens, own_last, after)
        before = text[start:end]
    if last != own_last:
        end = tokens.end(last)
        before = text[start:end]
    if end < len(text) and text[end] in APOSTROPHES:
        end, after = _with_ending(tokens, change, before, after)
        before = text[start:end]
    return as_edit((start, end, before, after, term.axis, target))


def _is_as_listed(before: str, spelling: str) -> bool:
    """Whether a term has only capitals of its own, and maybe not all: "east Asians"."""
    if before.islower() or spelling.islower():
        return False
    pairs = zip(before.split(" "), spelling.split(" "), strict=False)
    return all(own in (listed, listed.lower()) for own, listed in pairs)


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
    """Whether a word stands where any word is capitalised, so that its capital is not its own.

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
