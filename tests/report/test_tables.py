"""Tables and differences as texts."""

import pytest

from fair_datasets.report import count_table, difference


def test_count_table_without_mentions() -> None:
    """Where nothing is mentioned there is no share to state."""
    lines = count_table({"man": 0}, {"man": 2}).splitlines()
    assert lines[1].split() == ["man", "0", "-", "2", "100.0", "%"]


def test_difference_of_several_edits() -> None:
    """What lies between two edits stays as it is."""
    edits = [{"start": 0, "end": 2, "after": "She"}, {"start": 7, "end": 10, "after": "her"}]
    assert difference("He saw him, so.", edits, colour=False) == (
        "- He saw him, so.",
        "+ She saw her, so.",
    )


def test_difference_in_colour() -> None:
    """Removed parts are red and added parts green."""
    edits = [{"start": 0, "end": 2, "after": "She"}]
    assert difference("He ran.", edits, colour=True) == (
        "- \x1b[31mHe\x1b[0m ran.",
        "+ \x1b[32mShe\x1b[0m ran.",
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\u202eabc", "\\u202eabc"),
        ("\x9b31m", "\\x9b31m"),
        ("café 🚆", "café 🚆"),
    ],
)
def test_difference_shows_control_characters(text: str, shown: str) -> None:
    """Control characters are written as escapes, other letters as they are."""
    assert difference(text, [], colour=True) == (f"- {shown}", f"+ {shown}")
