"""Group balancing, and blindness to the terms of an axis."""

from math import ceil
from pathlib import Path

import pytest
from datasets import Dataset
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import Blindness, MentionedAttribute
from fair_datasets.swap import balance_groups, negatives_lacking


def test_the_mentioned_attribute_is_named() -> None:
    """The column holds the one attribute, several, or a null."""
    groups = {"She left.": "woman", "He saw him.": "man", "He saw her.": "several", "Rain.": None,
              None: None, "My enby friend.": "non-binary"}  # fmt: skip
    found = MentionedAttribute(columns="text")({"text": [*groups]})["group"]
    assert found == [*groups.values()]


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
    drawn = [balance_groups(data, pool, group_column="g", label_column="y", seed=s).dataset[:]
             for s in range(9)]  # fmt: skip
    assert drawn[0] == balanced.dataset[:]
    assert len({tuple(each["n"]) for each in drawn}) > 1


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


BLIND = {
    "She said so.": "said so.", "I told her.": "I told.", "the woman's hat": "the hat",
    "He's here, he’ll stay.": "here, stay.", "John and Mary left": "and left", "She": "",
    "many things the other way": "many things the other way", "“He”": "“”",
    "a king bed for the king": "a king bed for the", "the waitresses' tips": "the tips",
    "the actress' hat": "the hat", "the ladies' room": "the room",
    "She met the ``ladies'' there.": "met the ``'' there.",
}  # fmt: skip
NEUTRAL = {
    "The actress met her husband.": "The performer met their spouse.",
    "Mary's MOTHER waved.": "PARENT waved.", "His idea, not hers.": "Their idea, not theirs.",
    "They are people.": "They are people.",
}  # fmt: skip


@pytest.mark.parametrize(("mode", "texts"), [("remove", BLIND), ("neutralise", NEUTRAL)])
def test_whole_tokens_are_removed_or_neutral(mode: str, texts: dict[str, str]) -> None:
    """Terms go with their ending and one space; what has no neutral form goes too."""
    found = Blindness(columns="text", mode=mode)({"text": [*texts]})["text"]
    assert dict(zip(texts, found, strict=True)) == texts


def test_the_words_of_an_own_axis_are_removed(tmp_path: Path) -> None:
    """Though it has no neutral attribute."""
    path = tmp_path / "team.tsv"
    path.write_text("red\tblue\nred\tblue\nreds\tblues\n", encoding="utf-8")
    assert Blindness(columns="text", axis=str(path))({"text": ["the reds"]}) == {"text": ["the"]}
