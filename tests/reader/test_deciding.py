"""Techniques that ask a reader of one's own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from datasets import Dataset
from datasets.fingerprint import Hasher

from fair_datasets import (
    CounterfactualSwap,
    InputError,
    audit,
    find_terms,
    load_metric,
    load_technique,
    verify,
)
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


def test_whoever_asks_a_reader_says_that_it_cannot_be_read(tmp_path: Path) -> None:
    """By its own name, and in one sentence."""
    path = tmp_path / "broken.safetensors"
    path.write_text("weights")
    asked: dict[str, Callable[[], object]] = {
        "CounterfactualSwap": lambda: CounterfactualSwap("a", reader=str(path))({"a": ["Mary"]}),
        "find_terms": lambda: find_terms("Mary", reader=str(path)),
        "verify": lambda: verify("Mary", "Paul", reader=str(path)),
        "representation": lambda: load_metric("representation").compute(
            data=["Mary"], reader=str(path)
        ),
        "audit": lambda: audit(Dataset.from_dict({"a": ["Rain."]}), "a", reader=str(path)),
    }
    for name, ask in asked.items():
        with pytest.raises(InputError, match=f"^{name}: .*broken.safetensors' holds no safetens"):
            ask()


def test_a_technique_asks_a_token_classifier(classifier: Callable[..., Path]) -> None:
    """Rows and batches do not depend on each other, and an audit asks the same reader."""
    folder = str(classifier())
    texts = ["Mary told her brother.", "", "Will met Paris.", "No one."] * 2
    swap = CounterfactualSwap("text", mode="replace", reader=folder)
    one_by_one = [swap({"text": [text]})["text"][0] for text in texts]
    assert swap({"text": texts})["text"] == one_by_one
    rows = Dataset.from_dict({"text": texts})
    assert audit(rows, "text", reader=folder).settings["reader"] == folder
