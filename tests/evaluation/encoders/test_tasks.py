"""Tests of what is said of a task that is wrong."""

from typing import Any

import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value

from fair_datasets import InputError
from fair_datasets.evaluation import EncoderTask

SPLITS = ("train", "validation", "test")
ROWS = {"first": ["a", "b"], "second": ["c", "d"], "label": ["x", "y"], "score": [0.0, 2.5]}


def task(**changed: Any) -> EncoderTask:
    """Make a task, of which something is changed."""
    splits = dict.fromkeys(SPLITS, Dataset.from_dict(ROWS))
    settings = {"name": "mine", "kind": "pair", "columns": ("first", "second"), "label": "label"}
    return EncoderTask(**{**settings, "splits": splits, **changed})


def other(split: str, **columns: Any) -> dict[str, Dataset]:
    """Return splits, of which one has other values."""
    splits = dict.fromkeys(SPLITS, Dataset.from_dict(ROWS))
    return {**splits, split: Dataset.from_dict({**ROWS, **columns})}


def test_it_reads_texts_and_labels_of_a_dataset_dict() -> None:
    """Also where the classes have names, and where scores are whole numbers."""
    features = Features({"text": Value("string"), "label": ClassLabel(names=["no", "yes"])})
    rows = Dataset.from_dict({"text": ["a", "b"], "label": [1, 0]}, features=features)
    splits = DatasetDict(dict.fromkeys(SPLITS, rows))
    found = task(kind="text", columns="text", splits=splits)
    assert found.texts("test") == [["a", "b"]]
    assert found.labels("test") == [1, 0]
    assert task(kind="similarity", label="score").labels("train") == [0.0, 2.5]
    assert task(kind="similarity", splits=DatasetDict(other("test", label=[1, 5])), label="score")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"name": ""}, "name must be a text"),
        ({"kind": "regression"}, "kind must be one of 'text', 'pair', 'similarity'"),
        ({"columns": "first"}, "kind 'pair' has 2 text columns, but columns names 1"),
        ({"kind": "text"}, "kind 'text' has 1 text column, but columns names 2"),
        ({"columns": ("first", "scond")}, "task 'mine', train: there is no column 'scond'.*second"),
        ({"label": "lable"}, "there is no column 'lable'.*Did you mean 'label'"),
        ({"label": 3}, "label must be a column name"),
        ({"splits": {}}, "there is no split 'train'"),
        ({"splits": {**other("test"), "validation": None}}, "validation: it needs one datasets"),
        ({"splits": Dataset.from_dict(ROWS)}, "splits must be a DatasetDict"),
        ({"splits": {"train": Dataset.from_dict(ROWS), "test": Dataset.from_dict(ROWS)}},
         "there is no split 'validation' among 'train', 'test'; .* divide one by train_test_split"),
        ({"splits": other("test", first=["a", None])}, "test: column 'first' has no text in row 1"),
        ({"splits": other("train", first=[1, 2])}, "row 0 .*1"),
        ({"splits": other("test", label=["x", None])}, "test: column 'label'.*row 1"),
        ({"splits": other("train", label=["x", "x"])}, "all training rows have the label 'x'"),
        ({"splits": other("test", label=["x", "z"])}, "test: row 1 has the class 'z'"),
        ({"splits": other("validation", label=["z", "x"])}, "validation: row 0 has the class 'z'"),
        ({"splits": other("train", label=[["x"], ["y"]])}, "row 0 holds a list"),
        ({"splits": {**other("test"), "validation": Dataset.from_dict(ROWS).select([])}},
         "validation: the dataset has no rows"),
        ({"kind": "similarity", "label": "label"}, "column 'label' must be numbers, but row 0"),
        ({"kind": "similarity", "label": "score", "splits": other("train", score=[1.0, 1.0])},
         "all training rows have the label 1.0"),
        ({"kind": "similarity", "label": "score", "splits": other("test", score=[1.0, 1.0])},
         "all test rows have the score 1.0, so nothing can correlate with it"),
        ({"kind": "similarity", "label": "score",
          "splits": other("test", score=[1.0, float("inf")])}, "must be finite, but row 1"),
    ],
)  # fmt: skip
def test_a_wrong_task_is_told(changed: dict[str, Any], sentence: str) -> None:
    """One sentence names the task, the split, the column and the row."""
    with pytest.raises(InputError, match=sentence):
        task(**changed)
