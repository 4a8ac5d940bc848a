"""The rows that are perturbed: their snippets, candidates, what was drawn and what was made."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from fair_datasets.cards.statements import FAULT, MENDED, REASON, STATUS
from fair_datasets.reader.coreference import CoreferenceQuery
from fair_datasets.reader.matching.mentions import Annotation, Mention
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.rewriters.generation.writing import RewriteRequest
from fair_datasets.rows import draws
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.rewriting import Counterfactual, Edit
from fair_datasets.swap.rewriting.counterfactuals import aligned_edits, apply_edits, sentence_starts
from fair_datasets.swap.verification.people import mentions_of_person


class Candidate(NamedTuple):
    """A word of a snippet that names an attribute."""

    word: str
    axis: str
    attribute: str
    targets: Sequence[str]


class Pair(NamedTuple):
    """A word of a snippet, and what its person may become."""

    word: str
    axis: str
    source: str
    target: str


def candidate_pairs(candidates: Iterable[Candidate]) -> list[Pair]:
    """List the pairs of a snippet, each once however often its word occurs.

    Returns:
        Each word with each of its targets, in the order of the words. A word with several
        attributes has the targets of all of them.
    """
    pairs: dict[tuple[str, str, str], Pair] = {}
    for word, axis, source, targets in candidates:
        for target in targets:
            pair = Pair(word.lower(), axis, source, target)
            pairs.setdefault((pair.word, axis, target), pair)
    return list(pairs.values())


def draw_pair(
    pairs: Sequence[Pair], seed: int, key: str, purpose: str, weights: Mapping[str, float]
) -> Pair:
    """Draw one pair, each with a probability that is proportional to the weight of its axis.

    Args:
        weights: Axis to weight; all the same for a uniform draw.

    Example:
        >>> pairs = candidate_pairs([Candidate("he", "gender", "man", ["woman"])])
        >>> draw_pair(pairs, 0, "", "snippet 0", {"gender": 1.0}).target
        'woman'
    """
    sums = list(accumulate(weights[pair.axis] for pair in pairs))
    point = draws.uniform(seed, key, purpose) * sums[-1]
    return next((pair for pair, top in zip(pairs, sums, strict=True) if point < top), pairs[-1])


class Piece(NamedTuple):
    """A stretch of one text of a row."""

    place: int
    start: int
    end: int


Snippet = tuple[Piece, ...]


def snippets_of(texts: Sequence[str | None], words: int) -> list[Snippet]:
    """Divide the texts of a row into snippets of no more than so many words.

    A short row is one snippet, all its texts together. A longer one is divided where a sentence
    begins, and within a sentence where it is longer than a snippet.

    Returns:
        The snippets in order; together they hold each character of the texts once.
    """
    present = [place for place, text in enumerate(texts) if text]
    whole = tuple(Piece(place, 0, len(texts[place] or "")) for place in present)
    # Words are parted, so that there are no more of them than half of the characters.
    if sum(-(-piece.end // 2) for piece in whole) <= words:
        return [whole]
    starts = [tokenize(text).starts if text else [] for text in texts]
    if sum(map(len, starts)) <= words:
        return [whole]
    snippets: list[Snippet] = []
    begun: list[Piece] = []
    room = words
    for place in present:
        text, own = texts[place] or "", starts[place]
        # The numbers of the words that sentences begin with.
        borders = sorted({bisect_left(own, start) for start in sentence_starts(text)})
        begin = first = 0
        while len(own) - first > room:
            border = borders[bisect_right(borders, first + room) - 1]
            if border <= first:
                border = first if begun else first + room
            end = own[border] if border else 0
            begun += [Piece(place, begin, end)] if end > begin else []
            snippets.append(tuple(begun))
            begun, room, begin, first = [], words, end, border
        begun.append(Piece(place, begin, len(text)))
        room -= len(own) - first
    return [*snippets, tuple(begun)]


@dataclass(frozen=True)
class CandidateRow:
    """A row with candidates.

    Attributes:
        readings: The name of an axis to the candidates in each text, or None.
    """

    texts: Row
    snippets: Sequence[Snippet]
    readings: Mapping[str, Sequence[Annotation | None]]
    attributes: Mapping[str, Sequence[str]]

    def candidates(self, snippet: Snippet) -> Iterator[Candidate]:
        """Give the candidates of a snippet, in the order of the axes and of the text."""
        for axis, readings in self.readings.items():
            for place, start, end in snippet:
                reading = readings[place]
                if reading is None:
                    continue
                tokens = reading.tokens
                for first, last, term, _ in reading.mentions:
                    begin = tokens.starts[first]
                    if start <= begin < end:
                        # A name can become what its list has a name for, and an age in numbers
                        # what there is another number for.
                        is_limited = term.is_name or term.entry.kind == "age"
                        known = term.entry.forms if is_limited else self.attributes[axis]
                        targets = [name for name in known if name != term.attribute]
                        word = tokens.text[begin : tokens.end(last)]
                        yield Candidate(word, axis, term.attribute, targets)


class Drawn(NamedTuple):
    """A snippet that is to be perturbed."""

    row: Row
    snippet: Snippet
    pair: Pair
    readings: Sequence[Annotation | None]
    key: str
    number: int

    def mentions(self, piece: Piece) -> list[Mention]:
        """Return the candidates that begin in a stretch of the snippet, in order."""
        reading = self.readings[piece.place]
        if reading is None:
            return []
        starts = reading.tokens.starts
        return [m for m in reading.mentions if piece.start <= starts[m.first] < piece.end]

    def first_mention(self) -> tuple[Piece, Mention] | None:
        """Return the first mention by the drawn word, and its stretch; None if it is cut there."""
        for piece in self.snippet:
            for mention in self.whole_mentions(piece):
                start, end = _span(self, piece, mention)
                word = _stretch(self, piece)[start:end].lower()
                if mention.term.attribute == self.pair.source and word == self.pair.word:
                    return piece, mention
        return None

    def person(self) -> CoreferenceQuery | None:
        """Return the person of the first mention by the drawn word."""
        first = self.first_mention()
        return None if first is None else CoreferenceQuery(self.readings, first[0].place, first[1])

    def whole_mentions(self, piece: Piece) -> list[Mention]:
        """Return those of the candidates that end in the stretch too."""
        reading = self.readings[piece.place]
        mentions = self.mentions(piece)
        return [] if reading is None else [
            m for m in mentions if reading.tokens.end(m.last) <= piece.end
        ]  # fmt: skip


class Perturbed(NamedTuple):
    """What a snippet is rewritten to.

    Attributes:
        edits: For each text of its row the edits, in the order of the text; None where the row is
            to be null.
        outcome: What the columns say of it that tell what happened; empty where there are none.
    """

    edits: list[list[Edit]] | None
    outcome: Mapping[str, Any] = MappingProxyType({})
    skip_reason: str | None = None


def ask_for(drawn: Drawn, swapped: Sequence[Sequence[Edit]], seed: int) -> RewriteRequest:
    """Ask for the drawn person of a snippet.

    Returns:
        What is asked. The person stands where the drawn word is first; where a snippet ends amid
        the word, nobody is asked for.
    """
    pieces = _nonblank_pieces(drawn)
    texts = [_stretch(drawn, piece) for piece in pieces]
    first = drawn.first_mention()
    spans: list[list[tuple[int, int]]] = [[] for _ in pieces]
    word, where = drawn.pair.word, None
    if first is not None:
        number, mention = pieces.index(first[0]), first[1]
        start, end = _span(drawn, first[0], mention)
        word, where = texts[number][start:end], (number, start)
        theirs = mentions_of_person(drawn.readings, pieces[number].place, mention)
        spans = [
            [
                _span(drawn, piece, m)
                for m in drawn.whole_mentions(piece)
                if m in theirs[piece.place]
            ]
            for piece in pieces
        ]
    return RewriteRequest(
        texts=texts,
        spans=spans,
        word=word,
        attribute=drawn.pair.target,
        seed=draws.drawn_seed(seed, drawn.key, f"tokens of snippet {drawn.number}"),
        draft=[
            apply_edits(text, _inside(swapped[piece.place], piece))
            for text, piece in zip(texts, pieces, strict=True)
        ],
        where=where,
    )


def edits_of(drawn: Drawn, written: Sequence[str], axis: str) -> list[list[Edit]]:
    """Find the edits that a model made in a snippet."""
    edits: list[list[Edit]] = [[] for _ in drawn.row]
    for piece, new in zip(_nonblank_pieces(drawn), written, strict=True):
        diff = aligned_edits(_stretch(drawn, piece), new, axis=axis, attribute=drawn.pair.target)
        edits[piece.place] = [_moved(edit, piece.start) for edit in diff]
    return edits


def _nonblank_pieces(drawn: Drawn) -> list[Piece]:
    """Return the stretches that a model reads: those that hold more than white space."""
    return [piece for piece in drawn.snippet if _stretch(drawn, piece).strip()]


def _stretch(drawn: Drawn, piece: Piece) -> str:
    return (drawn.row[piece.place] or "")[piece.start : piece.end]


def _span(drawn: Drawn, piece: Piece, mention: Mention) -> tuple[int, int]:
    """Return where a mention stands, in characters of its stretch."""
    reading = drawn.readings[piece.place]
    assert reading is not None
    start, end = reading.tokens.starts[mention.first], reading.tokens.end(mention.last)
    return start - piece.start, end - piece.start


def _inside(edits: Sequence[Edit], piece: Piece) -> list[Edit]:
    """Return the edits of a text that lie in a stretch, by the characters of the stretch."""
    return [
        _moved(edit, -piece.start)
        for edit in edits
        if piece.start <= edit.start and edit.end <= piece.end
    ]


def _moved(edit: Edit, by: int) -> Edit:
    """Return an edit so many characters further on."""
    return edit._replace(start=edit.start + by, end=edit.end + by)


_DRAWN = {"word": "string", "axis": "string", "source_attribute": "string",
          "target_attribute": "string", "changed": "bool", "left": "string"}  # fmt: skip
_LOGGED = (STATUS, FAULT, REASON)


def describe_snippet(columns: Mapping[str, str]) -> dict[str, str]:
    """Name what the column `perturbations` says of a snippet."""
    return {**_DRAWN, **{name: columns[name] for name in _LOGGED if columns}}


def put_together(row: Row, snippets: Sequence[tuple[Pair, Perturbed]]) -> Counterfactual:
    """Put the snippets of a row together, and say what happened to them and to it.

    Returns:
        The texts, with what the columns say; where nothing changes, the row's own texts.
    """
    is_null = any(new.edits is None for _, new in snippets)
    edits: list[list[Edit]] = [[] for _ in row]
    records = []
    for pair, new in snippets:
        changes = [] if is_null or new.edits is None else new.edits
        for own, more in zip(edits, changes, strict=False):
            own += more
        outcome = {name: new.outcome[name] for name in _LOGGED if new.outcome}
        records.append(
            {**_stated(pair), "changed": any(changes), "left": new.skip_reason, **outcome}
        )
    made = list(map(_in_order, edits))
    texts = (text and apply_edits(text, own) for text, own in zip(row, made, strict=True))
    log = {"perturbed": any(made), "perturbations": records, **_outcome_of_row(snippets)}
    return Counterfactual((None,) * len(row) if is_null else tuple(texts), made, log=log)


def _outcome_of_row(snippets: Sequence[tuple[Pair, Perturbed]]) -> Mapping[str, Any]:
    """Return what happened to the first snippet of a row that fell back, if any did."""
    outcomes = [new.outcome for _, new in snippets if new.outcome]
    if not outcomes:
        return {}
    first = next((own for own in outcomes if own[FAULT] is not None), outcomes[0])
    return {**first, MENDED: sum(own[MENDED] for own in outcomes)}


def _stated(pair: Pair) -> dict[str, str]:
    names = ("word", "axis", "source_attribute", "target_attribute")
    return dict(zip(names, pair, strict=True))


def _in_order(edits: Sequence[Edit]) -> list[Edit]:
    """Put the edits of several snippets in the order of the text, each place edited once."""
    # What agrees with a word (an article, a verb) may stand in the snippet beside its own.
    selected: list[Edit] = []
    for edit in sorted(edits, key=attrgetter("start")):
        if not selected or edit.start >= selected[-1].end:
            selected.append(edit)
    return selected
