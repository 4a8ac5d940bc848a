"""Markdown as plain text."""

import pytest

from fair_datasets.cli.plain import plain_text


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("# Title\n\nText.", "Title\n=====\n\nText."),
        ("## Part\nText.", "Part\n----\n\nText."),
        ("one\ntwo\n\nthree", "one two\n\nthree"),
        ("A `word` and **another**.", "A word and another."),
        ("See [the Hub](hub.md#cards).", "See the Hub (fair-datasets docs hub)."),
        ("- [Hub](fair_datasets/docs/hub.md)", "- Hub (fair-datasets docs hub)"),
        ("[it](https://a.b/c.md)", "it (https://a.b/c.md)"),
        ("[a.b](https://a.b)", "a.b (https://a.b)"),
        ("[theirs](../../CONTRIBUTING.md)", "theirs"),
        ("```sh\nls  `x` [a](b)\n\n# no title\n```", "    ls  `x` [a](b)\n\n    # no title"),
        ("```sh\na\n```\n```sh\nb\n```", "    a\n\n    b"),
        ("- one\n  goes on\n- two\n\nText.", "- one goes on\n- two\n\nText."),
        ("1. one\n\n2. two", "1. one\n2. two"),
        ("", ""),
    ],
)
def test_blocks(markdown: str, plain: str) -> None:
    """Each kind of block."""
    assert plain_text(markdown) == plain


def test_long_lines_are_broken() -> None:
    """Those of an item stand below its text."""
    assert plain_text("- " + "word " * 6, width=16) == "- word word word\n  word word word"
    assert plain_text("long" * 9, width=16) == "long" * 9


def test_tables_align() -> None:
    """The last column goes on below itself; a bar that is escaped stays in its cell."""
    table = f"| name | what |\n|---|---|\n| `a\\|b` | {'word ' * 12}|\n| long name | one |"
    assert plain_text(table, width=41).split("\n") == [
        "name       what",
        "---------  ------------------------------",
        "a|b        word word word word word word",
        "           word word word word word word",
        "long name  one",
    ]


def test_a_table_without_a_second_heading_has_none() -> None:
    """What would be a line of dashes alone is left out."""
    assert plain_text("| `f(x)` | |\n|---|---|\n| a | b |") == "a  b"
