"""Verifying that a rewrite says the same of somebody else, and nothing more."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, zip_longest
from operator import attrgetter
from os import PathLike
from typing import Any

from fair_datasets.lexicons import Lexicon, load_lexicon
from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.found import Reading
from fair_datasets.reader.matching.rows import chunks, read_rows, readings_of, together
from fair_datasets.reader.matching.table import TermTable, table_files
from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.reader.person import PersonReader, checked_person_model
from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.swap.unlisted_names import RULE, UnlistedNames
from fair_datasets.swap.verification.faults import Verdict
from fair_datasets.swap.verification.forms import Forms, forms_of, slots_of
from fair_datasets.swap.verification.judging import Axis, Judge, Request, places_of
from fair_datasets.swap.verification.restoring import refuse_no_text
from fair_datasets.swap.verification.units import Units, split_units
from fair_datasets.system import checks

# What is given for a row: before, after, target, word and start.
_Given = tuple[Any, Any, Any, Any, Any]


def verify(
    before: str,
    after: str,
    axis: str = "gender",
    target: str | None = None,
    *,
    word: str | None = None,
    start: int | None = None,
    everyone: bool = False,
    names: bool | None = None,
    protect: tuple[str, ...] | str = (),
    pipeline: str | None = None,
    reader: str | None = None,
    coreference: str | PathLike[str] | None = None,
) -> Verdict:
    """Verify that a rewrite says the same of somebody with another attribute, and nothing more.

    The rewrite has to be the original, in which mentions stand in other forms: the counterparts of
    the same row of the lexicon, any name or neopronoun of the attribute, other ages; with the
    articles, verbs and endings that agree. Letter case, spelling and spaces have to stay as well,
    but for spaces at the ends of lines: what a model mends unasked `restore` brings back before.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        target: The attribute that was asked for; None for any other than the one before. Where it
            is given and nobody is mentioned, nothing can be verified.
        word: The word for the person who was asked about. That mention has to change, and those
            that surely are of the same person; those that surely are of somebody else must not.
            Without it nobody is known, but no one may be rewritten by half.
        start: Where the word stands in the original, in characters; None for the first that is
            read.
        everyone: Whether every mention was asked about, as for `CounterfactualSwap`.
        coreference: The folder or Hub id of a model that `fair-datasets train person` wrote: where
            it is sure enough, a pronoun that it takes for the person of `word` has to change, and
            one that it takes for somebody else's must not. None for what the clause decides.

    The others are those of `find_terms`.

    Returns:
        Whether the rewrite is accepted, and else the first fault: its reason, its place in both
        texts and a sentence.

    Raises:
        InputError: A text is no string, the word is not in the text, or a parameter is not what it
            must be.

    Example:
        >>> from fair_datasets import verify
        >>> verify("He did not say that he knew.", "She did not say that she knew.").accepted
        True
        >>> verdict = verify("He did not say that he knew.", "She did say that she knew.")
        >>> print(verdict.reason, verdict.before)
        negation (7, 10)
        >>> verify("Ann saw Bob in his car.", "Ann saw Mary in her car.", word="Ann").sentence
        "'Ann' stays as it was, but should have changed."
    """
    if target is not None and not isinstance(target, str):
        raise checks.InputError(
            f"verify: target must be one attribute, but it is {target!r}; verify_all takes many."
        )
    rows = _rows("verify", [before], [after], target, [word], [start])
    (verdict,) = _verified(
        "verify", rows, axis, everyone, names, protect, pipeline, reader, coreference
    )
    return verdict


def verify_all(
    before: Sequence[str],
    after: Sequence[str],
    axis: str = "gender",
    target: Sequence[str | None] | str | None = None,
    *,
    words: Sequence[str | None] | None = None,
    starts: Sequence[int | None] | None = None,
    everyone: bool = False,
    names: bool | None = None,
    protect: tuple[str, ...] | str = (),
    pipeline: str | None = None,
    reader: str | None = None,
    coreference: str | PathLike[str] | None = None,
) -> list[Verdict]:
    """Verify many rewrites at once.

    Args:
        target: As for `verify`; one for all, or one for each. Length N.
        words: As `word` of `verify`, for each. Length N.
        starts: As `start` of `verify`, for each. Length N.

    The others are those of `verify`.

    Returns:
        A verdict for each. Length N.

    Raises:
        InputError: As for `verify`, or the lengths differ.

    Example:
        >>> from fair_datasets.swap import verify_all
        >>> verdicts = verify_all(["He left.", "Her car"], ["She left.", "Our car"])
        >>> [verdict.reason and verdict.reason.value for verdict in verdicts]
        [None, 'reworded']
    """
    owner = "verify_all"
    rows = _rows(owner, before, after, target, words, starts)
    return list(
        _verified(owner, rows, axis, everyone, names, protect, pipeline, reader, coreference)
    )


def _verified(
    owner: str,
    given: Sequence[_Given],
    axis: str,
    everyone: bool,
    names: bool | None,
    protect: tuple[str, ...] | str,
    pipeline: str | None,
    reader: str | None,
    coreference: str | PathLike[str] | None,
) -> Iterator[Verdict]:
    """Verify rows, some at a time."""
    persons = None
    if coreference is not None:
        name = checked_person_model(coreference, owner=owner, parameter="coreference")
        persons = PersonReader.load(name, owner=owner)
    everyone = checks.switch(everyone, owner=owner, parameter="everyone")
    if names is not None:
        names = checks.switch(names, owner=owner, parameter="names")
    table = table_of(
        axis, names=names is not False, protect=protect, pipeline=pipeline, reader=reader,
        owner=owner,
    )  # fmt: skip
    lexicon = load_lexicon(axis)
    names_change = table_files(axis, names=names) != table_files(axis, names=False)
    known = Axis(lexicon, forms_of(axis, names=names is not False), names_change)
    rows = list(_checked(owner, given, lexicon, everyone))
    for first in range(0, len(rows), ROWS_AT_ONCE):
        yield from _judged(rows[first : first + ROWS_AT_ONCE], table, known, persons)


def _judged(
    rows: Sequence[tuple[str, str, Request]],
    table: TermTable,
    axis: Axis,
    persons: PersonReader | None,
) -> Iterator[Verdict]:
    """Judge some rows, whose texts are read together."""
    judges: list[Judge] = []
    readings = _originals(rows, table, axis.forms)
    later = read_rows([(after,) for _, after, _ in rows] if table.reads_ages else [], [table])
    for (before, after, request), reading, own in zip_longest(rows, readings, later):
        slots = slots_of(split_units(after), own[0], axis.forms) if own and own[0] else []
        ages = [slot for slot in slots if slot.mention.term.entry.kind == "age"]
        known = reading or Reading(tokenize(before), [], [])
        judges.append(Judge(known, after, ages, axis, request))
    asks = [(judge, asked) for judge in judges if persons and (asked := judge.asks())]
    told = persons.same([asked for _, asked in asks]) if persons else []
    for (judge, _), shares in zip(asks, told, strict=True):
        judge.tell(shares)
    yield from (judge.verdict() for judge in judges)


def _originals(
    rows: Sequence[tuple[str, str, Request]], table: TermTable, forms: Forms
) -> Iterator[Reading | None]:
    """Read the originals, with first names that no list has where the rewrite has listed ones."""
    genders = {(table.axis, "man"): "woman", (table.axis, "woman"): "man"}
    names = UnlistedNames("read", table, genders, str)
    found = chunks([(before,) for before, *_ in rows], [table])
    if names.is_asked:
        found = chain.from_iterable(map(names.read, together(found)))
    texts = chain.from_iterable(chunk.by_text() for chunk in found)
    parts = {row: list(several) for row, several in groupby(texts, attrgetter("row"))}
    for number, (before, after, _) in enumerate(rows):
        (reading,) = readings_of((before,), parts.get(number, ()))
        yield reading and _without_kept(reading, split_units(after), forms)


def _without_kept(reading: Reading, after: Units, forms: Forms) -> Reading:
    """Forget the names that no list has, but those for which the rewrite has a listed one."""
    if all(mention.rule != RULE for mention in reading.mentions):
        return reading
    tokens, before = reading.tokens, set(split_units(reading.tokens.text).folded)
    is_new = any(
        written.is_name and written.entry.forms
        for index, word in enumerate(after.folded)
        if word not in before
        for written in forms.at(after, index)
    )
    kept = [
        mention
        for mention in reading.mentions
        if mention.rule != RULE
        or (is_new and not set(tokens.lower[mention.first : mention.last + 1]) & {*after.folded})
    ]
    return reading._replace(mentions=kept)


def _rows(
    owner: str,
    before: Sequence[str],
    after: Sequence[str],
    target: Sequence[str | None] | str | None,
    words: Sequence[str | None] | None,
    starts: Sequence[int | None] | None,
) -> list[_Given]:
    originals = _column(before, "before", owner)
    nothing = [None] * len(originals)
    is_one = target is None or isinstance(target, str)
    given = {
        "after": after,
        "target": [target] * len(originals) if is_one else target,
        "words": nothing if words is None else words,
        "starts": nothing if starts is None else starts,
    }
    columns = {name: _column(values, name, owner) for name, values in given.items()}
    for name, values in columns.items():
        if len(values) != len(originals):
            raise checks.InputError(
                f"{owner}: there are {len(originals)} texts before, but {len(values)} of {name}; "
                "give one for each."
            )
    return list(zip(originals, *columns.values(), strict=True))


def _checked(
    owner: str, rows: Sequence[_Given], lexicon: Lexicon, everyone: bool
) -> Iterator[tuple[str, str, Request]]:
    for row, (before, after, wanted, word, start) in enumerate(rows):
        place = f"row {row}: " if owner == "verify_all" else ""
        for name, text in (("before", before), ("after", after)):
            refuse_no_text(text, owner=owner, name=f"{place}{name}")
        if wanted is not None:
            checks.one_of(wanted, lexicon.attributes, owner=owner, parameter="target")
        request = Request(wanted, word, start, everyone)
        _check_word(before, request, f"{owner}: {place}")
        yield before, after, request


def _column(values: Any, name: str, owner: str) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise checks.InputError(
            f"{owner}: {name} must be a list with a value for each row, but it is {values!r}."
        )
    # A slice of a column of a dataset is a list; row by row it would be read a thousand times over.
    return list(values[:] if isinstance(values, Sequence) else values)


def _check_word(before: str, request: Request, place: str) -> None:
    """Raise unless the word that was asked about stands in the text, where it is said to."""
    word, start = request.word, request.start
    if word is None:
        if start is None:
            return
        raise checks.InputError(f"{place}start says where word stands, but word is None; give it.")
    if not isinstance(word, str) or not word.strip():
        raise checks.InputError(f"{place}word must be a word of the text, but it is {word!r}.")
    if request.everyone:
        raise checks.InputError(f"{place}everyone=True asks about all; leave out word={word!r}.")
    places = places_of(word, before)
    if start is not None and start not in places:
        raise checks.InputError(
            f"{place}start must be where {word!r} begins in the text, but it is {start!r}; it "
            f"begins at {checks.listed(map(str, places)) if places else 'no place'}."
        )
    if not places:
        raise checks.InputError(
            f"{place}word must be a word of the text, but {word!r} is not in {before!r}."
        )
