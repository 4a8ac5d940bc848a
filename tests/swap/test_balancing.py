"""Group balancing, and blindness to the terms of an axis."""

from math import ceil
from pathlib import Path

import pytest
from datasets import Dataset
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import Blindness, InputError, MentionedAttribute
from fair_datasets.swap import balance_groups, negatives_lacking


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("She left.", "woman"),
        ("He saw him.", "man"),
        ("He saw her.", "several"),
        ("Rain.", None),
        (None, None),
        ("My enby friend.", "non-binary"),
    ],
)
def test_the_mentioned_attribute_is_named(text: str | None, group: str | None) -> None:
    """The column holds the one attribute, several, or a null."""
    assert MentionedAttribute(columns="text")({"text": [text]})["group"] == [group]


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", None]), st.integers(0, 1)), min_size=1).filter(
        lambda rows: any(label for _, label in rows)
    )
)
def test_adding_what_is_lacking_balances(rows: list[tuple[str | None, int]]) -> None:
    """With the lacking negatives no group has more positives than the overall rate allows."""
    groups, labels = [group for group, _ in rows], [label for _, label in rows]
    overall = sum(labels) / len(labels)
    for group, lacking in negatives_lacking(groups, labels).items():
        own = [label for other, label in rows if other == group]
        assert sum(own) / (len(own) + lacking) <= overall + 1e-12
        assert lacking == max(0, ceil(round(sum(own) / overall, 9)) - len(own))


def test_rows_are_drawn_from_the_pool_without_replacement() -> None:
    """As many negatives of the group are added as it lacks, each row of the pool once."""
    data = Dataset.from_dict({"g": ["a", "a", "b", "b", "b"], "y": [1, 1, 0, 0, 1], "n": [0] * 5})
    pool = Dataset.from_dict(
        {"g": ["a"] * 9 + ["b"] * 9, "y": [0] * 8 + [1] + [0] * 9, "n": list(range(1, 19))}
    )
    balanced = balance_groups(data, pool, group_column="g", label_column="y")
    added = balanced.dataset.select(range(5, balanced.dataset.num_rows))
    assert balanced.lacking == {"a": 2, "b": 0} == balanced.added
    assert added["g"][:] == ["a", "a"]
    assert added["y"][:] == [0, 0]
    assert len(set(added["n"])) == 2
    again = balance_groups(data, pool, group_column="g", label_column="y")
    assert again.dataset[:] == balanced.dataset[:]
    seeds = {
        tuple(balance_groups(data, pool, group_column="g", label_column="y", seed=s).dataset["n"])
        for s in range(9)
    }
    assert len(seeds) > 1


def test_a_short_pool_shows_its_gap() -> None:
    """Where the pool is short all it has is taken, and the counts say so."""
    data = Dataset.from_dict({"g": ["a", "a", "b", "b"], "y": [1, 1, 0, 0]})
    pool = Dataset.from_dict({"g": ["a", "b"], "y": [0, 0]})
    balanced = balance_groups(data, pool, group_column="g", label_column="y")
    assert (balanced.lacking, balanced.added) == ({"a": 2, "b": 0}, {"a": 1, "b": 0})


def test_bands_are_balanced_apart() -> None:
    """With bands the lacking negatives are counted and drawn within each band."""
    data = Dataset.from_dict({"g": ["a"] * 4, "y": [1, 1, 0, 0], "band": ["s", "s", "l", "l"]})
    pool = Dataset.from_dict({"g": ["a"] * 4, "y": [0] * 4, "band": ["l", "l", "s", "s"]})
    balanced = balance_groups(data, pool, group_column="g", label_column="y", band_column="band")
    assert balanced.lacking == {"a": 2}
    assert balanced.dataset["band"][4:] == ["s", "s"]


def test_wrong_input_is_named() -> None:
    """Lengths that differ, no positives and missing columns are refused."""
    data = Dataset.from_dict({"g": ["a"], "y": [0]})
    with pytest.raises(InputError, match="there are 2 groups and 1 labels"):
        negatives_lacking(["a", "b"], [1])
    with pytest.raises(InputError, match="no row has the positive class 1"):
        balance_groups(data, data, group_column="g", label_column="y")
    with pytest.raises(InputError, match="there is no column 'group'"):
        balance_groups(data, data, group_column="group", label_column="y")
    with pytest.raises(InputError, match="the pool: there is no column 'y'"):
        balance_groups(data, data.remove_columns("y"), group_column="g", label_column="y")


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
        ("the waitresses' tips", "the tips"),
        ("the actress' hat", "the hat"),
        ("the ladies' room", "the room"),
        ("She met the ``ladies'' there.", "met the ``'' there."),
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


def test_an_axis_without_a_neutral_attribute_cannot_be_neutralised(tmp_path: Path) -> None:
    """Neutralising needs a neutral attribute; the sentence says what to do instead."""
    path = tmp_path / "team.tsv"
    path.write_text("red\tblue\nred\tblue\nreds\tblues\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"has no neutral attribute.*use mode='remove'"):
        Blindness(columns="text", axis=str(path), mode="neutralise")
    assert Blindness(columns="text", axis=str(path))({"text": ["the reds"]}) == {"text": ["the"]}
