"""Perturbing a snippet by a model: what it is asked, and the edits that it made."""

from collections.abc import Sequence

from fair_datasets.reader.matching.found import Mention
from fair_datasets.rewriters.generation.writing import Ask
from fair_datasets.rewriters.perturber.rows import Drawn
from fair_datasets.rewriters.perturber.snippets import Piece
from fair_datasets.rows import draws
from fair_datasets.swap.rewriting import Edit
from fair_datasets.swap.rewriting.counterfactuals import aligned_edits, apply_edits
from fair_datasets.swap.verification.people import mentions_of_person


def ask_for(drawn: Drawn, swapped: Sequence[Sequence[Edit]], seed: int) -> Ask:
    """Ask for the drawn person of a snippet.

    Args:
        swapped: For each text of the row the edits of the swap, a guess of those of the model.

    Returns:
        What is asked. The person stands where the drawn word is first; where a snippet ends amid
        the word, nobody is asked for.
    """
    pieces = _read(drawn)
    texts = [_stretch(drawn, piece) for piece in pieces]
    asked = _asked(drawn, pieces, texts)
    spans: list[list[tuple[int, int]]] = [[] for _ in pieces]
    word, where = drawn.pair.word, None
    if asked is not None:
        number, mention = asked
        start, end = _span(drawn, pieces[number], mention)
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
    return Ask(
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
    """Find the edits that a model made in a snippet.

    Args:
        written: What it wrote for the texts that it was asked for.

    Returns:
        For each text of the row its edits, in the order of the text.
    """
    edits: list[list[Edit]] = [[] for _ in drawn.row]
    for piece, new in zip(_read(drawn), written, strict=True):
        found = aligned_edits(_stretch(drawn, piece), new, axis=axis, attribute=drawn.pair.target)
        edits[piece.place] = [_moved(edit, piece.start) for edit in found]
    return edits


def _read(drawn: Drawn) -> list[Piece]:
    """Return the stretches that a model reads: those that hold more than white space."""
    return [piece for piece in drawn.snippet if _stretch(drawn, piece).strip()]


def _stretch(drawn: Drawn, piece: Piece) -> str:
    """Return the text of a stretch."""
    return (drawn.row[piece.place] or "")[piece.start : piece.end]


def _asked(
    drawn: Drawn, pieces: Sequence[Piece], texts: Sequence[str]
) -> tuple[int, Mention] | None:
    """Return the first mention by the drawn word, and in which of the stretches it stands."""
    for number, (piece, text) in enumerate(zip(pieces, texts, strict=True)):
        for mention in drawn.whole_mentions(piece):
            start, end = _span(drawn, piece, mention)
            is_drawn = mention.term.attribute == drawn.pair.source
            if is_drawn and text[start:end].lower() == drawn.pair.word:
                return number, mention
    return None


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
