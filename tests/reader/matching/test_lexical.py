"""Candidates of an axis: mentions, or plain list matches."""

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.matching.lexical import candidates_in_rows

ROWS = [
    ("A white shirt, and her white sister.", None),
    ("It rains.", "Rain."),
    ("", "An old\nman. Mark it, Mark."),
    ("Ana saw José.", "Jose\u0301 and Café left."),
    ("@white_one sees no-one at whitehall", "the old-fashioned man"),
]
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


@pytest.mark.parametrize(
    ("axis", "candidates", "expected"),
    [
        ("race", "mentions", {0: [["white"]]}),
        ("race", "lexicon", {0: [["white", "white"]]}),
        ("age", "lexicon", {2: [["old\nman"]], 4: [["old"]]}),
        (
            "gender",
            "mentions",
            {0: [["her", "sister"]], 2: [["man", "Mark"]]} | LATER,
        ),
        (
            "gender",
            "lexicon",
            {0: [["her", "sister"]], 2: [["man", "Mark", "Mark"]]} | LATER,
        ),
    ],
)
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
