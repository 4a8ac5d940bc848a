"""The published templates are read as they are written, or refused."""

import gzip
from collections import Counter
from pathlib import Path

import pytest

from fair_datasets import InputError
from hub_scripts.papers.templates import load_iptts


def test_the_published_counts(data_directory: Path) -> None:
    """Nearly balanced, and no row lost."""
    templates = load_iptts(data_directory / "classification" / "iptts_madlib_gender.csv.gz")
    assert Counter(zip(templates["group"][:], templates["label"][:], strict=True)) == {
        ("man", 0): 19341,
        ("man", 1): 19314,
        ("woman", 0): 18902,
        ("woman", 1): 18940,
    }
    assert templates.features["label"].names == ["non-toxic", "toxic"]


def test_the_authors_column_names_quotes_and_compression(tmp_path: Path) -> None:
    """Commas, quotes and the word nan are text."""
    path = tmp_path / "madlib.csv.gz"
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        file.write('text,gender,Class\r\n"hug ""him"", nan",male,0\r\nnan,female,1\r\n')
    assert load_iptts(path)[:] == {
        "text": ['hug "him", nan', "nan"],
        "label": [0, 1],
        "group": ["man", "woman"],
    }


@pytest.mark.parametrize(("content", "told"), [
    ("text,gender\na,male\n", "must have the columns"), ("", "must have the columns"),
    ("text,gender,label\na,male,0\nb,other,1\n", "line 3 .* gender is 'other'"),
    ("text,gender,label\na,male,2\n", "line 2 .* class is '2'"),
    ("text,gender,label\na,male\n", "line 2 .* class is None"),
    ("text,gender,label\na,b,male,0\n", "line 2"), ("text,gender,label\na,male,0,b\n", "line 2"),
    ("text,gender,label,more\na,male,0\n", "line 2"),
    ("text,gender,label\n,male,0\n", "line 2 must hold a text"),
    ('text,gender,label\n"a,male,0\n', "cannot be read"),
])  # fmt: skip
def test_a_malformed_file_is_told(content: str, told: str, tmp_path: Path) -> None:
    """No line is skipped."""
    path = tmp_path / "templates.csv"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=told):
        load_iptts(path)


def test_an_unreadable_file_is_told(tmp_path: Path) -> None:
    """One that is missing, and one that is not compressed as its name says."""
    with pytest.raises(InputError, match="cannot be read"):
        load_iptts(tmp_path / "missing.csv")
    path = tmp_path / "plain.csv.gz"
    path.write_text("text,gender,label\n", "utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        load_iptts(path)
