"""A very long text is read in parts, and is told as one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, undo
from fair_datasets.matching import rows
from fair_datasets.matching.find import table_of
from fair_datasets.matching.long_texts import parts_of
from fair_datasets.matching.rows import found_in_rows

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


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read texts of more than 90 characters in parts."""
    monkeypatch.setattr(rows, "TOGETHER", 90)
    monkeypatch.setattr(rows, "parts_of", lambda text: parts_of(text, 90))
    assert len(parts_of(SENTENCES * 5, 90)) > 5


@pytest.mark.usefixtures("_short")
def test_a_text_in_parts_is_read_as_one() -> None:
    """Mentions have their places in the whole text, in each text of the row."""
    table = table_of("gender", owner="test")
    several = [["He ran.", SENTENCES * 5, None, "her " + SENTENCES * 3], ["Rain."], ["She ran."]]
    found = dict(found_in_rows(several, [table]))
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
