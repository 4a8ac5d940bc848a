"""What separates the cells of CSV files is found by their first lines."""

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rows.exact_csv import DELIMITERS, delimiter_of

FILES = [
    ("id;text\n1;He ran, far, away\n2;She\n", ";"),
    ("id;price\n1;1,5\n2;2,75\n", ";"),  # decimal commas
    ('"id";"te;xt"\n1;"a;b"\n', ";"),
    ("id\ttext\n1\tOne, two; three\n", "\t"),
    ("id|text\n1|One, two; three\n", "|"),
    ("id;text, with a comma;n\n1;One, two;3\n2;One;3\n", ";"),
    ("id,text\n1,One; two\n2,One; two; three\n", ","),
    ('id,"text; with more"\n1,"One; two"\n', ","),
    ("text\nOne; two; three\nOne, two\n", ","),
    ("text\n", ","), ("", ","), ("\n\nid;text\n1;x\n", ";"), ("id;text\n", ";"),
    ("Yes; or no\nyes\nno\nperhaps; sometimes\n", ","),  # one column whose name has a semicolon
    ("id;text;n\n1;He;2\n2;She\n3;It;4\n", ";"),  # a short row
    ('id;text\n1;"He\n;;;\nran"\n', ";"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "delimiter"), FILES)
def test_what_separates_cells(content: str, delimiter: str) -> None:
    """It stands in the header, and most rows have as many cells; else it is the comma."""
    assert delimiter_of(StringIO(content, newline="")) == delimiter


ROWS = st.lists(st.lists(st.text(), min_size=3, max_size=3), max_size=5)


@given(ROWS, st.sampled_from(DELIMITERS))
def test_whatever_the_texts_hold(rows: list[list[str]], delimiter: str) -> None:
    """Cells in quotes mislead nobody."""
    quoted = [['"' + cell.replace('"', '""') + '"' for cell in row] for row in rows]
    lines = [delimiter.join(row) for row in (["id", "text", "note"], *quoted)]
    assert delimiter_of(StringIO("\n".join(lines) + "\n", newline="")) == delimiter


def test_a_row_that_is_cut() -> None:
    """Only the first lines are read, and the last of them may be half of one."""
    rows = "".join(f"{n};{'He, she, it. ' * 500}\n" for n in range(40))
    assert delimiter_of(StringIO(f"id;text\n{rows}")) == ";"
    assert delimiter_of(StringIO("text;" + "x" * 100_000 + "\n")) == ";"
