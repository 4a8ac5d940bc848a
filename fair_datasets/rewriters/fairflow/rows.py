"""Found pairs as the rows of a lexicon that `Lexicon.from_tsv` reads."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from fair_datasets.lexicons import Entry, load_lexicon
from fair_datasets.rewriters.fairflow.votes import FoundPair

DETAILS = ("kind", "inflection", "note")


def are_attributes(names: Sequence[str]) -> bool:
    """Tell whether names can be the header of a lexicon of two attributes.

    Returns:
        Whether they are two, can be printed, and differ from each other and from other columns.

    Example:
        >>> are_attributes(["woman", "man"]), are_attributes(["woman", "kind"])
        (True, False)
    """
    is_clean = all(name and name == name.strip() and name.isprintable() for name in names)
    return is_clean and len(names) == len({*names} - {*DETAILS}) == 2


class Row(NamedTuple):
    """A row of a lexicon of two attributes.

    Attributes:
        first: The forms of the first attribute.
        second: Those of the second.
        kind: What sort of term it is.
        inflection: The case of a pronoun.
        note: What is said of it to people.
    """

    first: str
    second: str
    kind: str = ""
    inflection: str = ""
    note: str = ""


def lexicon_text(
    pairs: Sequence[FoundPair],
    given: Iterable[tuple[str, str]],
    attributes: Sequence[str],
    spellings: Mapping[str, str],
) -> str:
    r"""Write pairs as a lexicon.

    A pair of both directions is one row; the counterpart of one of one direction is marked
    `[target]`, so that it is read in its own row alone. English pronouns become the rows of the
    gender lexicon, one for each case, which tell "her" for "his" from "her" for "him"; what is no
    such pronoun has none as its counterpart. Statistics stand in the column `note`.

    Args:
        given: The pairs that all began with, which are rows in any case.
        spellings: How words are written that are not in lower case, such as "Mary".

    Returns:
        The text of the file.

    Example:
        >>> pair = FoundPair("mom", "father", 0, votes=9, margin=4, places=10)
        >>> print(lexicon_text([pair], [("king", "queen")], ["women", "men"], {}))
        women	men	kind	inflection	note
        king	queen			given
        mom	father[target]			mom > father: 9 of 10 votes, margin 4
        <BLANKLINE>
    """
    found = {pair.original: pair for pair in pairs}
    pronouns, taken = _pronoun_rows(found, list(given))
    found = {word: pair for word, pair in found.items()
             if word in taken or pair.counterfactual not in taken}  # fmt: skip
    rows = [*pronouns, *_given_rows(found, given, taken, spellings)]
    rows += _found_rows(found, taken, spellings)
    lines = ["\t".join([*attributes, *DETAILS]), *("\t".join(row) for row in rows)]
    return "\n".join(lines) + "\n"


def _given_rows(
    found: Mapping[str, FoundPair],
    given: Iterable[tuple[str, str]],
    taken: set[str],
    spellings: Mapping[str, str],
) -> Iterator[Row]:
    """Yield the rows of the pairs that all began with."""
    for first, second in given:
        both = [first, second]
        if taken.isdisjoint(both):
            taken.update(both)
            agreeing = [
                found[word]
                for word, other in (both, both[::-1])
                if word in found and found[word].counterfactual == other
            ]
            yield Row(
                spellings.get(first, first),
                spellings.get(second, second),
                note="; ".join(["given", *map(told, agreeing)]),
            )


def _found_rows(
    found: Mapping[str, FoundPair], taken: set[str], spellings: Mapping[str, str]
) -> Iterator[Row]:
    """Yield the rows of the other pairs, each word read in one of them."""
    for pair in found.values():
        original, other = pair.original, pair.counterfactual
        if original in taken:
            continue
        taken.add(original)
        notes = [told(pair)]
        form, counterpart = spellings.get(original, original), spellings.get(other, other)
        if other not in taken and other in found and found[other].counterfactual == original:
            taken.add(other)
            notes.append(told(found[other]))
        else:
            counterpart += "[target]"
        first, second = (form, counterpart) if pair.side == 0 else (counterpart, form)
        yield Row(first, second, note="; ".join(notes))


def told(pair: FoundPair) -> str:
    """Write the statistics of a pair for people.

    Returns:
        The text, on one line and without tabs.
    """
    text = (
        f"{pair.original} > {pair.counterfactual}: {pair.votes} of {pair.places} votes, margin "
        f"{pair.margin}"
    )
    example = " ".join(pair.example.split())
    return f"{text}, e.g. {example}" if example else text


def _pronoun_rows(
    found: Mapping[str, FoundPair], given: Sequence[tuple[str, str]]
) -> tuple[list[Row], set[str]]:
    """Return a row for each case if a pair is one of English pronouns, and the forms in them.

    All cases follow from one: half of them would leave "her" without the row that tells its uses
    apart.
    """
    directed = [(pair.original, pair.counterfactual, pair.side) for pair in found.values()]
    directed += [(first, second, 0) for first, second in given]
    for entry in _pronouns():
        for one in entry.forms:
            for other in entry.forms:
                sides = {
                    side for first, second, side in directed
                    if one != other and first in _read(entry, one) and second in _read(entry, other)
                }  # fmt: skip
                if sides:
                    order = (one, other) if sides == {0} else (other, one)
                    return _case_rows(found, *order)
    return [], set()


def _case_rows(
    found: Mapping[str, FoundPair], first: str, second: str
) -> tuple[list[Row], set[str]]:
    """Return the rows of the cases of two attributes' pronouns, and the forms that are read."""
    rows, taken = [], set()
    for entry in _pronouns():
        forms = [_read(entry, attribute) for attribute in (first, second)]
        if not all(forms):
            continue
        taken |= {form for cell in forms for form in cell}
        notes = [
            told(found[form])
            for cell, others in (forms, forms[::-1])
            for form in cell
            if form in found and found[form].counterfactual in others
        ]
        note = "; ".join(notes) or "as the other cases of the pronoun"
        cells = "|".join(forms[0]), "|".join(forms[1])
        rows.append(Row(*cells, "pronoun", entry.inflection, note))
    return rows, taken


def _read(entry: Entry, attribute: str) -> list[str]:
    """Return the forms of an attribute that are read."""
    return [form.text for form in entry.forms[attribute] if form.is_read]


@cache
def _pronouns() -> tuple[Entry, ...]:
    """Return the pronouns of the gender lexicon, a row for each case."""
    return tuple(each for each in load_lexicon("gender").entries if each.kind == "pronoun")
