"""Blindness: removing or neutralising terms."""

from pathlib import Path

import pytest

from fair_datasets import Blindness, InputError


@pytest.mark.parametrize(
    ("text", "blind"),
    [
        ("She said so.", "said so."),
        ("I told her.", "I told."),
        ("the woman's hat", "the hat"),
        ("He's here, he’ll stay.", "here, stay."),
        ("many things the other way", "many things the other way"),
        ("John and Mary left", "and left"),
        ("She", ""),
        ("“He”", "“”"),
        ("a king bed for the king", "a king bed for the"),
    ],
)
def test_whole_tokens_are_removed(text: str, blind: str) -> None:
    """Terms go with their ending and one space; parts of other words stay."""
    assert Blindness(columns="text")({"text": [text]})["text"] == [blind]


@pytest.mark.parametrize(
    ("text", "neutral"),
    [
        ("The actress met her husband.", "The performer met their spouse."),
        ("Mary's MOTHER waved.", "PARENT waved."),
        ("His idea, not hers.", "Their idea, not theirs."),
        ("They are people.", "They are people."),
    ],
)
def test_neutral_forms_are_written(text: str, neutral: str) -> None:
    """Neutralising writes the neutral form and removes what has none, such as names."""
    assert Blindness(columns="text", mode="neutralise")({"text": [text]})["text"] == [neutral]


def test_nulls_and_other_columns_stay() -> None:
    """Nulls, empty texts and the columns that are not named stay as they are."""
    batch = {"text": [None, "", "He"], "other": ["He", None, 3]}
    assert Blindness(columns="text")(batch) == {**batch, "text": [None, "", ""]}


def test_an_axis_without_a_neutral_attribute_cannot_be_neutralised(tmp_path: Path) -> None:
    """Neutralising needs a neutral attribute; the sentence says what to do instead."""
    path = tmp_path / "team.tsv"
    path.write_text("red\tblue\nred\tblue\nreds\tblues\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"has no neutral attribute.*use mode='remove'"):
        Blindness(columns="text", axis=str(path), mode="neutralise")
    assert Blindness(columns="text", axis=str(path))({"text": ["the reds"]}) == {"text": ["the"]}
