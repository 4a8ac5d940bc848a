"""Techniques that ask a reader of one's own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from datasets import Dataset
from datasets.fingerprint import Hasher

from fair_datasets import CounterfactualSwap, InputError, audit, load_technique
from fair_datasets.reader.student import Student


def test_a_reader_is_part_of_the_configuration(student: Student, tmp_path: Path) -> None:
    """A technique is made anew by it where it is allowed, and refused where its file is another."""
    path = tmp_path / "mine.safetensors"
    student.save(path)
    swap = CounterfactualSwap("text", reader=str(path))
    assert swap.config()["parameters"]["reader"] == str(path)
    again = load_technique(swap.config(), allow=[str(path)])
    assert again == swap
    assert Hasher.hash(again) == Hasher.hash(swap)
    assert Hasher.hash(swap) != Hasher.hash(CounterfactualSwap("text"))
    with pytest.raises(InputError, match=r"mine\.safetensors"):
        load_technique(swap.config())
    student.cooled(2.0).save(path)
    with pytest.raises(InputError, match="has changed since"):
        swap({"text": ["Mary left."]})


def test_a_technique_asks_a_token_classifier(classifier: Callable[..., Path]) -> None:
    """Rows and batches do not depend on each other, and an audit asks the same reader."""
    folder = str(classifier())
    texts = ["Mary told her brother.", "", "Will met Paris.", "No one."] * 2
    swap = CounterfactualSwap("text", mode="replace", reader=folder)
    one_by_one = [swap({"text": [text]})["text"][0] for text in texts]
    assert swap({"text": texts})["text"] == one_by_one
    rows = Dataset.from_dict({"text": texts})
    assert audit(rows, "text", reader=folder).settings["reader"] == folder
