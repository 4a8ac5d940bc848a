"""Tables and differences as texts."""

import math

import pytest

from fair_datasets.cards.report import count_table, difference, result_tables, text_table
from fair_datasets.cards.report.tables import shown_width


def test_count_table_without_mentions() -> None:
    """Where nothing is mentioned there is no share to state."""
    lines = count_table({"man": 0}, {"man": 2}).splitlines()
    assert lines[1].split() == ["man", "0", "-", "2", "100.0", "%"]


def test_count_table_as_a_terminal_shows_it() -> None:
    """Numbers stand under what they are of; ten attributes are shown, mentioned or not."""
    table = count_table({"man": 1500, "woman": 500}, {"man": 1, "woman": 1}).splitlines()
    assert table == ["mentions of             before                   after",
        "man                      1,500  75.0 %               1  50.0 %",
        "woman                      500  25.0 %               1  50.0 %"]  # fmt: skip
    ten = dict.fromkeys(map(str, range(10)), 0)
    assert len(count_table(ten, ten).splitlines()) == 11
    line = count_table({**ten, "other": 0}, {**ten, "other": 0}).splitlines()[1]
    assert line == "11 others                    0                       0"


def test_count_table_of_many_attributes() -> None:
    """Those that nobody mentions, before or after, share a line."""
    counts = dict.fromkeys(map(str, range(80)), 0)
    lines = count_table({**counts, "german": 2}, {**counts, "7": 1, "german": 0}).splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [
        ["7", "0"], ["german", "2"], ["79", "others"],
    ]  # fmt: skip
    assert len({len(line) for line in lines if "%" not in line}) == 1


def test_count_table_of_long_and_wide_names() -> None:
    """The numbers stand under one another, however long or wide a name is."""
    lines = count_table({"pacific-islander": 3, "女性": 1}, {"pacific-islander": 3, "女性": 1})
    first, second, third = lines.splitlines()
    assert shown_width(first[: first.index("before")]) + len("before") == second.index("3") + 1
    assert shown_width(second) == shown_width(third)


def test_a_table_lines_up() -> None:
    """Numbers stand on the right, texts on the left; control characters are shown."""
    rows = [{"name": "女性", "n": 1000, "ok": True}, {"name": "a\n", "n": None, "ok": False}]
    assert text_table(rows).splitlines() == ["name      n  ok", "女性  1,000  True",
        "a\\n    none  False"]  # fmt: skip
    assert text_table([]) == ""


def test_a_wide_table_is_turned() -> None:
    """Where the columns do not fit, they become rows, unless the first ones are not told apart."""
    row = {f"a rather long name {number}": math.pi for number in range(9)}
    groups = [{"group": "a", **row}, {"group": "b", **row}]
    turned = result_tables({"groups": groups}).splitlines()
    assert turned[1].split() == ["group", "a", "b"]
    assert len(turned) == 11
    same = result_tables({"groups": [groups[0], groups[0]]}).splitlines()
    assert len(same) == 4


@pytest.mark.parametrize(("size", "is_turned"), [(94, False), (95, True)])
def test_a_hundred_columns_fit_a_terminal(size: int, is_turned: bool) -> None:
    """One more is too many."""
    lines = result_tables({"rows": [{"a": "b", "x" * size: 1, "c": 2}]}).splitlines()
    assert (lines[1].split() == ["a", "b"]) is is_turned


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
    assert difference("He ran.", edits, colour=True) == ("- \x1b[31mHe\x1b[0m ran.",
        "+ \x1b[32mShe\x1b[0m ran.")  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), [
    ("\x1b[2J", "\\x1b[2J"),
    ("a\nb\tc\r", "a\\nb\\tc\\r"),
    ("\u202eabc", "\\u202eabc"),
    ("\x9b31m", "\\x9b31m"),
    ("café 🚆", "café 🚆"),
])  # fmt: skip
def test_difference_shows_control_characters(text: str, shown: str) -> None:
    """Control characters are written as escapes, other letters as they are."""
    assert difference(text, [], colour=True) == (f"- {shown}", f"+ {shown}")


def test_a_long_list_is_cut() -> None:
    """Of a list with an object for each row a terminal shows the first ones."""
    shown = result_tables({"rows": [{"bleu": 1.0}] * 1203}).splitlines()
    assert len(shown) == 203
    assert shown[-1] == "... and 1,003 more"
    assert len(result_tables({"rows": [{"bleu": 1.0}] * 200}).splitlines()) == 202


def test_lists_inside_of_lists_are_tables_of_their_own() -> None:
    """What one object lists is told below, beside the object that it is of."""
    attributes = [{"attribute": "man", "most": [{"row": 1, "text": "A"}, {"row": 4, "text": "B"}]},
        {"attribute": "woman", "most": []}]  # fmt: skip
    assert result_tables({"attributes": attributes}) == ("attributes\nattribute\nman\nwoman\n\n"
        "attributes: most\nattribute  row  text\nman          1  A\nman          4  B")  # fmt: skip
