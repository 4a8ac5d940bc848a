"""Labels that are texts become classes."""

import pytest
from datasets import ClassLabel, Dataset, Features, Value

from fair_datasets import InputError
from fair_datasets.cli.labels import with_classes, with_classes_of


def rows(*labels: str | int | None) -> Dataset:
    """Return rows with some labels."""
    return Dataset.from_dict({"label": list(labels)})


def test_the_classes_are_the_same_in_all_splits() -> None:
    """A split that lacks a class does not number the others anew; nulls stay nulls."""
    splits = with_classes(
        {"train": rows("b", "a", "c", "b", None, "a"), "test": rows("c", "b"),
         "unlabelled": Dataset.from_dict({"text": ["He won."]})},
        "label", owner="in.csv",
    )  # fmt: skip
    assert splits["train"]["label"][:] == [1, 0, 2, 1, None, 0]
    assert splits["test"]["label"][:] == [2, 1]
    assert splits["test"].features["label"] == ClassLabel(names=["a", "b", "c"])
    assert splits["unlabelled"].column_names == ["text"]


@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_any_kind_of_text(kind: str) -> None:
    """Arrow has several."""
    texts = rows("b", "a", "b", "a").cast(Features(label=Value(kind)))
    assert with_classes({"train": texts}, "label", owner="x")["train"]["label"][:] == [1, 0, 1, 0]


def test_numbers_stay_as_they_are() -> None:
    """So do classes that have names already."""
    named = rows(0, 1).cast_column("label", ClassLabel(names=["no", "yes"]))
    for splits in ({"train": rows(1, 0)}, {"train": named}, {"train": Dataset.from_dict({})}):
        assert with_classes(splits, "label", owner="x") == splits


def test_texts_that_are_no_classes_are_refused() -> None:
    """Nearly as many as there are rows; and texts in one split beside numbers in another."""
    with pytest.raises(InputError, match="column 'label' holds 4 different texts in 6 rows"):
        with_classes({"train": rows(*"abcdaa")}, "label", owner="in.csv")
    with pytest.raises(InputError, match="holds texts in train, but not in test"):
        with_classes({"train": rows("a", "b"), "test": rows(0)}, "label", owner="in.csv")


def test_a_pool_has_the_classes_of_the_rows() -> None:
    """In their order, also where it lacks one; another one is refused."""
    named = with_classes({"train": rows("b", "a")}, "label", owner="x")["train"]
    assert with_classes_of(rows("b", None), named, "label", owner="x")["label"][:] == [1, None]
    assert with_classes_of(rows(1), named, "label", owner="x")["label"][:] == [1]
    with pytest.raises(InputError, match=r"pool.csv: column 'label' holds 'c', but .* 'a', 'b'"):
        with_classes_of(rows("c"), named, "label", owner="pool.csv")
    with pytest.raises(InputError, match="the classes of the training rows are numbers"):
        with_classes_of(rows("c"), rows(0, 1), "label", owner="pool.csv")
