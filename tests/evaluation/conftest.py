"""A small model that writes, and texts of which it is known what they carry."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

# What builds models there; torch is loaded where it is needed alone.
_MODELS = Path(__file__).parents[1] / "scores" / "conftest.py"

OTHER = {"he": "she", "she": "he", "man": "woman", "woman": "man"}


def swapped(text: str) -> str:
    """Swap the genders of a text of few words."""
    return " ".join(OTHER.get(word, word) for word in text.split())


@pytest.fixture(scope="session")
def causal(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a GPT-2 with random weights, which knows few words."""
    folder = tmp_path_factory.mktemp("causal") / "tiny"
    models = runpy.run_path(str(_MODELS))
    tokenizer = models["tokenizer_of"]("causal")
    models["gpt2"](tokenizer).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session")
def rows() -> Dataset:
    """Return texts in which men are rude (1) and women kind (0), mostly."""
    texts, labels, groups = [], [], []
    for word, label, times in (("rude", 1, (11, 1)), ("kind", 0, (1, 11))):
        for person, count in zip(("man", "woman"), times, strict=True):
            pronoun = "he" if person == "man" else "she"
            for number in range(count):
                texts.append(f"the {person} said that {pronoun} is {word} no {number}")
                labels.append(label)
                groups.append(person)
    return Dataset.from_dict({"text": texts, "label": labels, "gender": groups})


@pytest.fixture(scope="session")
def others(rows: Dataset) -> list[str]:
    """Return the same texts with the genders swapped."""
    return [swapped(text) for text in rows["text"]]


@pytest.fixture(scope="session")
def reads() -> Any:
    """Return a classifier that reads a woman (0) or a man (1) by the pronoun."""
    return lambda rows: [[0.2, 0.8] if " he " in text else [0.9, 0.1] for (text,) in rows]
