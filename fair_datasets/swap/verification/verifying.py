"""Verifying that a rewrite says the same of somebody else, and restoring what was mended."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, product, zip_longest
from os import PathLike
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from fair_datasets.lexicons import Lexicon, load_lexicon, name_lexicons, names_fit
from fair_datasets.reader.coreference import CoreferenceModel, checked_coreference_model
from fair_datasets.reader.english.senses import open_cases
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.mentions import Annotation
from fair_datasets.reader.matching.rows import (
    MAX_CHUNK_CHARS,
    annotate_rows,
    chunks,
    merge_annotations,
    merge_split_rows,
)
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.swap.unlisted_names import UnlistedNames
from fair_datasets.swap.verification.faults import Verdict
from fair_datasets.swap.verification.forms import (
    Units,
    forms_of,
    in_case_of,
    is_misspelt,
    split_units,
)
from fair_datasets.swap.verification.judging import ACCEPTED, Axis, Judge, Request, places_of
from fair_datasets.swap.verification.word_for_word import is_word_for_word
from fair_datasets.system import checks
from fair_datasets.system.checks import caller_name, invalid
from fair_datasets.system.collection import uncollected

# What may be written together, apart or with a hyphen: "dont", "a lot", "e-mail".
_JOINTS = frozenset({"'", "-"})
# How many units may be written as how many others, the fewest first.
_SIZES = sorted(product(range(1, 4), repeat=2), key=sum)


# A stretch with more pairs of units than these is another text.
_MOST_PAIRS = 1000
# The first unit and the one behind the last, before and after.
_Places = tuple[int, int, int, int]


class Restored(NamedTuple):
    """A rewrite in which unwanted corrections are undone.

    Attributes:
        mended: How many words, signs and spaces were restored.
    """

    text: str
    mended: int


# A stretch of a restored text, and what was given there.
_Piece = tuple[str, str]


class _Block(NamedTuple):
    """Units before and the units after that stand for them; `as_was` where those are restored."""

    first: int
    end: int
    after_first: int
    after_end: int
    as_was: bool

    @property
    def is_both(self) -> bool:
        """Whether there are units on both sides."""
        return self.first < self.end and self.after_first < self.after_end


def restore(before: str, after: str) -> Restored:
    """Write a rewrite with the letter case, spelling, spacing and quotes of its original.

    A model that was asked to change who is spoken of often mends what it was not asked to. Words
    that it changed otherwise stay as the model wrote them: only a word that no list knows, of which
    it made a known one by a letter or two, is taken for a mistake in spelling.

    Raises:
        InputError: One of them is no text.

    Example:
        >>> restore("Why,  he “definately” left", 'Why, She "definitely" left')
        Restored(text='Why,  she “definately” left', mended=5)
    """
    for name, value in (("before", before), ("after", after)):
        refuse_no_text(value, name=name)
    restored = _restored(before, after)
    # Signs that come to stand together ("- -") may read as another one, which would be restored
    # otherwise the next time; then all is left as it was given.
    if restored.mended and _restored(before, restored.text).text != restored.text:
        return Restored(after, 0)
    return restored


def refuse_no_text(value: Any, *, name: str) -> None:
    """Raise unless a value is a text."""
    if not isinstance(value, str):
        raise invalid(f"{name} must be a text, but it is {value!r} ({type(value).__name__}).")


def _restored(before: str, after: str) -> Restored:
    """Restore a rewrite once."""
    if before == after:
        return Restored(after, 0)
    old, new = split_units(before), split_units(after)
    is_uncased = after == after.lower() and before != before.lower()
    pieces: list[_Piece] = []
    previous: _Block | None = None
    for block in _blocks(old, new):
        pieces += _pieces_of(old, new, block, previous, is_uncased)
        previous = block
    ends_with_both = previous is None or previous.is_both
    last = new.ends[-1] if new.ends else 0
    tail = old.gap(len(old.folded)) if ends_with_both else after[last:]
    pieces.append((tail, after[last:]))
    mended = sum(text != given for text, given in pieces)
    return Restored("".join(text for text, _ in pieces), mended)


def _blocks(old: Units, new: Units) -> Iterator[_Block]:
    """Align two texts by their units."""
    place = after_place = 0
    for opcode in Levenshtein.opcodes(old.folded, new.folded):
        if opcode.tag == "equal":
            same = opcode.src_start, opcode.src_end, opcode.dest_start, opcode.dest_end
            yield from _changed_blocks(old, new, (place, same[0], after_place, same[2]))
            yield _Block(*same, True)
            place, after_place = same[1], same[3]
    rest = place, len(old.folded), after_place, len(new.folded)
    yield from _changed_blocks(old, new, rest)


def _changed_blocks(old: Units, new: Units, places: _Places) -> Iterator[_Block]:
    """Find what is only spelt otherwise: at both ends of what differs, then word by word."""
    first, end, after_first, after_end = places
    while sizes := _mended(old, new, (first, end, after_first, after_end)):
        yield _Block(first, first + sizes[0], after_first, after_first + sizes[1], True)
        first, after_first = first + sizes[0], after_first + sizes[1]
    behind = []
    while sizes := _mended(old, new, (first, end, after_first, after_end), from_end=True):
        behind.append(_Block(end - sizes[0], end, after_end - sizes[1], after_end, True))
        end, after_end = end - sizes[0], after_end - sizes[1]
    if end - first == after_end - after_first:
        for index, after_index in zip(
            range(first, end), range(after_first, after_end), strict=True
        ):
            as_was = is_misspelt(old, index, new.folded[after_index])
            yield _Block(index, index + 1, after_index, after_index + 1, as_was)
    elif pair := _misspelt_pair(old, new, (first, end, after_first, after_end)):
        yield from _changed_blocks(old, new, (first, pair[0], after_first, pair[1]))
        yield from _changed_blocks(old, new, (pair[0], end, pair[1], after_end))
    else:
        yield _Block(first, end, after_first, after_end, False)
    yield from reversed(behind)


def _misspelt_pair(old: Units, new: Units, places: _Places) -> tuple[int, int] | None:
    """Return the first misspelt word with its right spelling, where there are any."""
    first, end, after_first, after_end = places
    if (end - first) * (after_end - after_first) > _MOST_PAIRS:
        return None
    for index, after_index in product(range(first, end), range(after_first, after_end)):
        if is_misspelt(old, index, new.folded[after_index]):
            return index, after_index
    return None


def _mended(
    old: Units, new: Units, places: _Places, *, from_end: bool = False
) -> tuple[int, int] | None:
    """Return how many units at an end are only spelt otherwise, before and after; or None."""
    first, end, after_first, after_end = places
    for size, after_size in _SIZES:
        if size > end - first or after_size > after_end - after_first:
            continue
        at, after_at = (end - size, after_end - after_size) if from_end else (first, after_first)
        new_units = new.folded[after_at : after_at + after_size]
        if _letters(old.folded[at : at + size]) == _letters(new_units):
            return size, after_size
    if first == end or after_first == after_end:
        return None
    at, after_at = (end - 1, after_end - 1) if from_end else (first, after_first)
    return (1, 1) if is_misspelt(old, at, new.folded[after_at]) else None


def _letters(folded: list[str]) -> str:
    """Write units together, without apostrophes and hyphens; signs alone are never the same."""
    return "".join(unit for unit in folded if unit not in _JOINTS) or " ".join(folded)


def _pieces_of(
    old: Units, new: Units, block: _Block, previous: _Block | None, is_uncased: bool
) -> Iterator[_Piece]:
    """Restore one block, with the gap before each of its units."""
    follows = (previous is None or previous.is_both) and block.is_both
    first, end, after_first, after_end, as_was = block
    if after_first == after_end:
        return
    gap = old.gap(first) if follows else new.gap(after_first)
    if not gap and after_first and new.gap(after_first):
        # "Native American" for "African-American", or ". ." would be read as one.
        beside = "".join(new.folded[after_first - 1 : after_first + 1])
        gap = new.gap(after_first) if len(split_units(beside).folded) == 1 else gap
    yield (gap, new.gap(after_first))
    if as_was and end - first == after_end - after_first:
        for index, after_index in zip(
            range(first, end), range(after_first, after_end), strict=True
        ):
            if index > first:
                yield (old.gap(index), new.gap(after_index))
            # Behind what was put in or left out, a capital letter may have become right.
            keeps_case = index > first or follows
            units = old if keeps_case else new
            place = index if keeps_case else after_index
            given = new.written(after_index, after_index + 1)
            yield (units.written(place, place + 1), given)
        return
    given = text = new.written(after_first, after_end)
    if as_was:
        text = old.written(first, end)
    elif end - first == 1:
        text = in_case_of(old, first, text, is_uncased=is_uncased)
    yield (text, given)


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
    """Verify that a rewrite says the same about somebody with another attribute, and nothing more.

    The rewrite has to be the original, in which mentions stand in other forms: the counterparts of
    the same row of the lexicon, any name or neopronoun of the attribute, other ages; with the
    articles, verbs and endings that agree. A counterpart keeps the stage of life, the older of two
    relatives stays the older, and what the reader leaves alone may not change. Letter case,
    spelling and spaces have to stay as well, but for spaces at the ends of lines: what a model
    mends unasked `restore` brings back before.

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
        raise invalid(f"target must be one attribute, but it is {target!r}; verify_all takes many.")
    rows = _rows([before], [after], target, [word], [start])
    (verdict,) = _verified(rows, axis, everyone, names, protect, pipeline, reader, coreference)
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

    Raises:
        InputError: As for `verify`, or the lengths differ.

    Example:
        >>> from fair_datasets.swap import verify_all
        >>> verdicts = verify_all(["He left.", "Her car"], ["She left.", "Our car"])
        >>> [verdict.reason and verdict.reason.value for verdict in verdicts]
        [None, 'reworded']
    """
    rows = _rows(before, after, target, words, starts)
    return list(_verified(rows, axis, everyone, names, protect, pipeline, reader, coreference))


def _verified(
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
        name = checked_coreference_model(coreference, parameter="coreference")
        persons = CoreferenceModel.load(name)
    everyone = checks.switch(everyone, parameter="everyone")
    if names is not None:
        names = checks.switch(names, parameter="names")
    has_names = names is not False
    table = find_table(axis, names=has_names, protect=protect, pipeline=pipeline, reader=reader)
    lexicon = load_lexicon(axis)
    fitting = (names_fit(name, lexicon, paired=names is None) for name in name_lexicons())
    names_change = has_names and any(fitting)
    known = Axis(lexicon, forms_of(axis, names=has_names), names_change)
    rows = list(_checked(given, lexicon, everyone))
    ends = accumulate(len(before) for before, *_ in rows)
    parts = groupby(zip(rows, ends, strict=True), key=lambda part: part[1] // MAX_CHUNK_CHARS)
    for _, part in parts:
        yield from _judged([row for row, _ in part], table, known, persons)


@uncollected()
def _judged(
    rows: Sequence[tuple[str, str, Request]],
    table: TermTable,
    axis: Axis,
    persons: CoreferenceModel | None,
) -> list[Verdict]:
    """Judge some rows, whose texts are read together."""
    verdicts: list[Verdict | None] = []
    asked: list[tuple[Annotation, str, Request]] = []
    readings = _originals([before for before, *_ in rows], table)
    for (_, after, request), reading in zip(rows, readings, strict=True):
        becomes = axis.becomes(request.target) if request.word is None else {}
        is_plain = is_word_for_word(reading, after, axis.forms, becomes)
        verdicts.append(ACCEPTED if is_plain else None)
        if not is_plain:
            asked.append((reading, after, request))
    cases = open_cases([reading.tokens for reading, *_ in asked])
    later = annotate_rows([(after,) for _, after, _ in asked], [table]) if table.reads_ages else ()
    judges: Iterable[Judge] = (
        Judge(reading, after, own[0] if own else None, axis, request, is_open)
        for (reading, after, request), is_open, own in zip_longest(asked, cases, later)
    )
    if persons:
        judges = _add_coreference(judges, persons)
    judged = (judge.verdict() for judge in judges)
    return [verdict or next(judged) for verdict in verdicts]


def _add_coreference(judges: Iterable[Judge], persons: CoreferenceModel) -> Sequence[Judge]:
    """Give judges how likely mentions are of the person who was asked about."""
    every = list(judges)
    asks = [(judge, asked) for judge in every if (asked := judge.asks())]
    likelihoods = persons.same([asked for _, asked in asks])
    for (judge, _), shares in zip(asks, likelihoods, strict=True):
        judge.shares = shares
    return every


def _originals(texts: Sequence[str], table: TermTable) -> Iterator[Annotation]:
    """Read the originals, with first names that no list has."""
    genders = {(table.axis, "man"): "woman", (table.axis, "woman"): "man"}
    names = UnlistedNames("read", table, genders, str)
    rows = [(text,) for text in texts]
    stream = chunks(rows, [table], every=names.is_asked)
    if names.is_asked:
        stream = chain.from_iterable(map(names.read, merge_split_rows(stream)))
    parts: dict[int, list[tuple[int, Annotation]]] = defaultdict(list)
    for part in chain.from_iterable(chunk.by_text() for chunk in stream):
        parts[part.row].append((part.begin, part.reading))
    for row, text in enumerate(texts):
        own = parts.pop(row, None)
        yield merge_annotations(text, own) if own else Annotation(tokenize(text), [], [])


def _rows(
    before: Sequence[str],
    after: Sequence[str],
    target: Sequence[str | None] | str | None,
    words: Sequence[str | None] | None,
    starts: Sequence[int | None] | None,
) -> list[_Given]:
    originals = _column(before, "before")
    nothing = [None] * len(originals)
    is_one = target is None or isinstance(target, str)
    given = {
        "after": after,
        "target": [target] * len(originals) if is_one else target,
        "words": nothing if words is None else words,
        "starts": nothing if starts is None else starts,
    }
    columns = {name: _column(values, name) for name, values in given.items()}
    for name, values in columns.items():
        if len(values) != len(originals):
            raise invalid(
                f"{name} has {checks.counted(len(values), 'value')} for "
                f"{checks.counted(len(originals), 'text')} before; give one for each."
            )
    return list(zip(originals, *columns.values(), strict=True))


def _checked(
    rows: Sequence[_Given], lexicon: Lexicon, everyone: bool
) -> Iterator[tuple[str, str, Request]]:
    owner = caller_name()
    for row, (before, after, wanted, word, start) in enumerate(rows):
        place = f"row {row}: " if owner == "verify_all" else ""
        for name, text in (("before", before), ("after", after)):
            if not isinstance(text, str):
                refuse_no_text(text, name=f"{place}{name}")
        if wanted is not None:
            checks.one_of(wanted, lexicon.attributes, parameter="target")
        request = Request(wanted, word, start, everyone)
        _check_word(before, request, f"{owner}: {place}")
        yield before, after, request


def _column(values: Any, name: str) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise invalid(f"{name} must be a list with a value for each row, but it is {values!r}.")
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
            f"begins at {', '.join(map(str, places)) or 'no place'}."
        )
    if not places:
        raise checks.InputError(
            f"{place}word must be a word of the text, but {word!r} is not in {before!r}."
        )
