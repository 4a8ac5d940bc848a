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
        ("man", 0): 19341, ("man", 1): 19314, ("woman", 0): 18902, ("woman", 1): 18940,
    }  # fmt: skip
    assert templates.features["label"].names == ["non-toxic", "toxic"]


def test_the_authors_column_names_quotes_and_compression(tmp_path: Path) -> None:
    """Commas, quotes and the word nan are text."""
    path = tmp_path / "madlib.csv.gz"
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        file.write('text,gender,Class\r\n"hug ""him"", nan",male,0\r\nnan,female,1\r\n')
    assert load_iptts(path)[:] == {
        "text": ['hug "him", nan', "nan"], "label": [0, 1], "group": ["man", "woman"],
    }  # fmt: skip


def test_an_unreadable_file_is_told(tmp_path: Path) -> None:
    """One that is missing, and one that is not compressed as its name says."""
    with pytest.raises(InputError, match="cannot be read"):
        load_iptts(tmp_path / "missing.csv")
    path = tmp_path / "plain.csv.gz"
    path.write_text("text,gender,label\n", "utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        load_iptts(path)
