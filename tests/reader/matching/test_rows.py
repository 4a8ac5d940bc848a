"""Finding the mentions of a row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.matching import rows
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.rows import (
    annotate_rows,
    annotate_text,
    candidates_in_rows,
    mentions_in_rows,
    parts_of,
)
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.swap import undo


@pytest.fixture(scope="module")
def table() -> TermTable:
    """Return the table of the gender axis with names."""
    return CounterfactualSwap(columns="text", protect=()).table("gender")


@pytest.mark.parametrize("text", [None, "", "   ", "Nothing here.", "123", "drew mark hope"])
def test_a_text_without_mentions_is_not_read(table: TermTable, text: str | None) -> None:
    """A null, an empty text and a text without any word of the table give nothing at all."""
    assert list(annotate_rows([[text]], [table])) == [[]]


def test_rows_without_any_word_are_passed_over(table: TermTable) -> None:
    """Of many rows those come with their number that have a word of the tables."""
    race = CounterfactualSwap(columns="text", axis="race").table("race")
    rows: list[list[str | None]] = [
        ["It rains.", None], ["No one.", "He left."], ["", ""], ["A Black man.", None],
    ]  # fmt: skip
    for tables in ([table], [race], [table, race]):
        found = dict(mentions_in_rows(rows, tables))
        every = [[r and r.mentions for r in readings] for readings in annotate_rows(rows, tables)]
        held = {number: [r and r.mentions for r in found[number]] for number in found}
        assert every == [held.get(number, []) for number in range(len(rows))]
    assert [*found] == [1, 3]
    black, nothing = found[3]
    assert nothing is None
    assert black is not None
    assert [mention.term.axis for mention in black.mentions] == ["race", "gender"]


@pytest.mark.parametrize(("text", "found"), [
    ("I don't know if they will.", []), ("Don Quixote and Good Will Hunting", []),
    ("a mary-go-round", []),
    ("Will Smith will come, and Don Smith won't. I don't.", ["Will", "Don"]),
])  # fmt: skip
def test_a_text_is_read_as_in_a_batch(table: TermTable, text: str, found: list[str]) -> None:
    """By itself it gives the same mentions and the same reasons."""
    ((batched, *_),) = ([*row, None] for row in annotate_rows([[text]], [table]))
    alone = annotate_text(text, table)
    mentions = alone.mentions if alone else []
    assert [alone.tokens.words[mention.first] for mention in mentions if alone] == found
    assert (batched.mentions if batched else []) == mentions
    assert (batched.skipped if batched else []) == (alone.skipped if alone else [])


SENTENCES = (
    "She told him. Mary saw the king's son, an actor.\n\nHe or she left;  \nher brother ran! "
)


@given(st.text(alphabet="ab. \n"), st.integers(1, 9))
def test_parts_are_the_text(text: str, longest: int) -> None:
    """No character is lost, and no part is too long."""
    parts = parts_of(text, longest)
    assert "".join(text[begin:end] for begin, end in parts) == text
    assert all(end - begin <= longest for begin, end in parts)


@pytest.mark.parametrize(
    ("text", "first"),
    [("One two.\n\nThree. Four", "One two.\n\n"), ("One two.\nThree. Four", "One two.\n"),
     ("One two. Three Four", "One two. "), ("One two three four", "One two "),
     ("Onetwothreefourfive", "Onetwothree")],
)  # fmt: skip
def test_a_text_is_divided_where_it_has_a_seam(text: str, first: str) -> None:
    """Behind a paragraph, or else a line, a sentence, a word."""
    begin, end = parts_of(text, 11)[0]
    assert text[begin:end] == first


def test_texts_of_half_a_million_characters_are_read_at_once() -> None:
    """Longer ones in parts."""
    assert [len(parts_of("a" * size)) for size in (2**19, 2**19 + 1)] == [1, 2]


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read texts of more than 90 characters in parts."""
    monkeypatch.setattr(rows, "MAX_CHUNK_CHARS", 90)
    monkeypatch.setattr(rows, "parts_of", lambda text: parts_of(text, 90))
    assert len(parts_of(SENTENCES * 5, 90)) > 5


@pytest.mark.usefixtures("_short")
def test_a_text_in_parts_is_read_as_one() -> None:
    """Mentions have their places in the whole text, in each text of the row."""
    table = find_table("gender")
    several = [["He ran.", SENTENCES * 5, None, "her " + SENTENCES * 3], ["Rain."], ["She ran."]]
    found = dict(mentions_in_rows(several, [table]))
    assert sorted(found) == [0, 2]
    for text, reading in zip(several[0], found[0], strict=True):
        if text is None:
            assert reading is None
            continue
        assert reading is not None
        assert reading.tokens.text == text
        words = [reading.tokens.lower[mention.first] for mention in reading.mentions]
        wanted = ["she", "him", "mary", "king", "son", "actor", "he", "she", "her", "brother"]
        assert words == {7: ["he"]}.get(len(text), ["her"] * text.startswith("her") + wanted * (
            len(text) // len(SENTENCES)
        ))  # fmt: skip


@pytest.mark.usefixtures("_short")
def test_a_text_in_parts_is_written_as_one() -> None:
    """The counterfactual is that of the parts, and the way back leads to the text."""
    once = CounterfactualSwap(columns="text", mode="replace")({"text": [SENTENCES]})["text"][0]
    swap = CounterfactualSwap(columns="text", mode="replace", provenance=True)
    result = swap({"text": ["Rain.", SENTENCES * 4, "He ran."]})
    assert result["text"] == ["Rain.", once * 4, "She ran."]
    assert undo(result["text"][1], result["edits"][1]) == SENTENCES * 4


ROWS = [
    ("A white shirt, and her white sister.", None), ("It rains.", "Rain."),
    ("", "An old\nman. Mark it, Mark."), ("Ana saw José.", "Jose\u0301 and Café left."),
    ("@white_one sees no-one at whitehall", "the old-fashioned man"),
]  # fmt: skip
LATER = {3: [["Ana", "José"], ["Jose\u0301"]], 4: [["man"]]}


def words(axis: str, candidates: str) -> dict[int, list[list[str]]]:
    """Return the candidates of the rows that have any."""
    technique = CounterfactualSwap(columns="text", axis=axis)
    digests = technique.digests_of(axis)
    found = candidates_in_rows(ROWS, technique.table(axis), digests, candidates)
    return {
        number: [
            [
                reading.tokens.text[reading.tokens.starts[first] : reading.tokens.end(last)]
                for first, last, *_ in (reading.mentions if reading else ())
            ]
            for reading in readings
            if reading is not None
        ]
        for number, readings in found
    }


@pytest.mark.parametrize(("axis", "candidates", "expected"), [
    ("race", "mentions", {0: [["white"]]}), ("race", "lexicon", {0: [["white", "white"]]}),
    ("age", "lexicon", {2: [["old\nman"]], 4: [["old"]]}),
    (
        "gender", "mentions", {0: [["her", "sister"]], 2: [["man", "Mark"]]} | LATER,
    ),
    (
        "gender", "lexicon", {0: [["her", "sister"]], 2: [["man", "Mark", "Mark"]]} | LATER,
    ),
])  # fmt: skip
def test_candidates(axis: str, candidates: str, expected: dict[int, list[list[str]]]) -> None:
    """A list takes each whole word for what it may mean; a reader looks at its neighbours."""
    assert words(axis, candidates) == expected


def test_a_listed_word_has_the_form_that_it_is_read_in() -> None:
    """Her is an object here, and a determiner there; the list alone cannot tell."""
    technique = CounterfactualSwap(columns="text")
    table, digests = technique.table("gender"), technique.digests_of("gender")
    ((_, (reading,)),) = candidates_in_rows(
        [("I saw her and her dog.",)], table, digests, "lexicon"
    )
    assert reading is not None
    assert [m.term.entry.inflection for m in reading.mentions] == ["object", "determiner"]
