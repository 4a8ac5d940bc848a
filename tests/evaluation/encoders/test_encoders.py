"""Tests of encoders as people have them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value

from fair_datasets import InputError
from fair_datasets.evaluation import EncoderTask
from fair_datasets.evaluation.encoders.encoders import open_encoder
from fair_datasets.models import WordVectors
from fair_datasets.scores.embeddings import sentence_vectors

WORDS = {"he": [1.0, 0.0], "ran": [0.0, 3.0], "Mary": [2.0, 2.0]}


def test_word_vectors_give_the_mean_of_the_words_that_they_have(tmp_path: Path) -> None:
    """In memory and as a file; a text of none gets zeros, as a task cannot leave out rows."""
    vectors = WordVectors.of(WORDS, list(WORDS.values()))
    path = tmp_path / "vectors.txt"
    path.write_text("".join(f"{word} {a} {b}\n" for word, (a, b) in WORDS.items()))
    for given in (vectors, path, str(path)):
        encoder = open_encoder(given, owner="mine", batch_size=2)
        found = encoder.vectors(["He ran, he ran.", "Mary sleeps", "???"])
        assert found.tolist() == [[0.5, 1.5], [2.0, 2.0], [0.0, 0.0]]
        assert [encoder.lacks(word) for word in ("He", "mary", "she", "he ran", "he slept")] == [
            False, True, True, False, True
        ]  # fmt: skip


def test_a_folder_is_read_like_by_sentence_vectors(tiny_encoder: str) -> None:
    """Each text once, whatever its order; a word that the tokenizer does not know is lacking."""
    texts = ["the nurse slept .", "he left .", "the nurse slept ."]
    encoder = open_encoder(tiny_encoder, owner="mine", batch_size=2)
    assert encoder.vectors(texts) == pytest.approx(sentence_vectors(texts, tiny_encoder), abs=1e-6)
    assert [encoder.lacks(word) for word in ("nurse", "John", "nurse John")] == [False, True, True]


def test_each_text_is_given_to_a_function_once() -> None:
    """In the order of the first, and the vectors come back in the order of all."""
    calls: list[list[str]] = []

    def encode(texts: list[str]) -> Any:
        calls.append(texts)
        return np.array([[float(len(text))] for text in texts])

    encoder = open_encoder(encode, owner="mine", batch_size=2)
    assert encoder.vectors(["aa", "b", "aa"]).tolist() == [[2], [1], [2]]
    assert calls == [["aa", "b"]]
    assert not encoder.lacks("anything")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("./nowhere", "mine: there is no folder './nowhere'"),
        ("./nowhere.txt", "nowhere.txt"),
        (7, "mine: model must be a Hub id, a folder, or a tuple .* but it is a int"),
    ],
)
def test_an_encoder_that_is_not_there_is_told(given: Any, sentence: str) -> None:
    """The sentence says whose encoder it is."""
    with pytest.raises(InputError, match=sentence):
        open_encoder(given, owner="mine", batch_size=2)


def test_a_file_that_is_no_vectors_is_told_as_one(tmp_path: Path) -> None:
    """A pickle is refused as such, and not taken for a model of the Hub."""
    path = tmp_path / "vectors.kv"
    path.write_bytes(b"\x80\x04.")
    with pytest.raises(InputError, match="pickle"):
        open_encoder(path, owner="mine", batch_size=2)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_vector_that_is_not_finite_is_told(value: float) -> None:
    """With the first text that has one."""
    encoder = open_encoder(
        lambda texts: [[1.0, 1.0], *([1.0, value] for _ in texts[1:])],
        owner="mine",
        batch_size=2,
    )
    with pytest.raises(InputError, match=r"mine: the vector of 'She ran\.' holds a value that is"):
        encoder.vectors(["He sat.", "She ran.", "It fell."])


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
