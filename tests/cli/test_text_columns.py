"""What is told of columns that are not there, and of an axis that nobody mentions."""

from pathlib import Path
from typing import Any

import pytest

LAST = (["--dry-run"], ["--out", "out"])


@pytest.mark.parametrize("last", LAST)
@pytest.mark.parametrize(("content", "text", "sentence"), [
    ("id;text\n1;He left.\n", "text", "its one column is 'id;text', as if fields were"),
    ("id\ttext\n1\tHe left.\n", "text", "fields were separated by tabs; save it with commas"),
    ("a,b\nHe left.,x\n", "a,b", "no column 'a,b'; give each column by itself: --text a --te"),
    ("a,b\nHe left.,x\n", "a, b", "give each column by itself: --text a --text b."),
    ("a,b\nHe left.,x\n", "a,c", "there is no column 'a,c'; the columns are 'a', 'b'."),
    ("id;text\n1;He left.\n", "nix,y", "its one column is 'id;text'"),
])  # fmt: skip
def test_missing_columns(
    run: Any, here: Path, content: str, text: str, sentence: str, last: list[str]
) -> None:
    """Where the reason can be told, it is."""
    (here / "in.csv").write_text(content)
    outcome = run("augment", "in.csv", "--text", text, *last).refused()
    assert sentence in outcome
    assert len(outcome.strip().splitlines()) == 1
    assert [path.name for path in here.iterdir()] == ["in.csv"]


def test_a_column_may_be_called_like_a_list(run: Any, here: Path) -> None:
    """A name with a comma or a semicolon is one that is there."""
    (here / "in.csv").write_text('"a,b",a,b\nHe left.,x,y\n')
    assert run("augment", "in.csv", "--text", "a,b", "--out", "a").code == 0
    (here / "in.csv").write_text("a;b\nHe left.\n")
    assert run("augment", "in.csv", "--text", "a;b", "--out", "b").code == 0


def test_an_axis_that_nobody_mentions_is_told(run: Any, here: Path) -> None:
    """Each axis for itself, on the standard error; nothing failed."""
    (here / "in.csv").write_text("text\nHe left.\n")
    words = ("augment", "in.csv", "--text", "text", "--axis", "gender", "--axis", "religion")
    outcome = run(*words, "--out", "out").done()
    assert outcome.err == (
        "fair-datasets: no text mentions anybody of the axis 'religion'; check --text and --axis.\n"
    )
    (here / "in.csv").write_text("text\nIt rains.\n")
    outcome = run(*words, "--out", "other").done()
    assert [axis in outcome.err for axis in ("'gender'", "'religion'")] == [True, True]


@pytest.mark.parametrize(("options", "sentence"), [
    (["--axis", "team.csv"], "axis 'team.csv' is taken for a file, whose name must end in .tsv"),
    (["--axis", "sex"], "but it is 'sex'. Did you mean 'gender'?"),
    (["--axis", "Ethnicity"], "Did you mean 'race'?"),
    (["--target", "female"], "but it is 'female'. Did you mean 'woman'?"),
    (["--source", "MEN"], "but it is 'MEN'. Did you mean 'man'?"),
    (["--axis", "religion", "--target", "Muslims"], "Did you mean 'muslim'?"),
])  # fmt: skip
def test_what_was_meant(run: Any, reviews: Path, options: list[str], sentence: str) -> None:
    """The name of an axis or of an attribute is suggested for another word of the same."""
    assert sentence in run("augment", reviews, "--text", "text", *options, "--dry-run").refused()
