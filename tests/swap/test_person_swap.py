"""Tests of the swap of one person."""

from pathlib import Path
from typing import Any

import pytest

from fair_datasets import InputError, PersonSwap
from fair_datasets.reader.coreference import HEAD
from tests.small_models import ask_the_nearest, save_person_model


@pytest.fixture
def swap(monkeypatch: pytest.MonkeyPatch) -> PersonSwap:
    """A swap whose model is simple."""
    ask_the_nearest(monkeypatch)
    return PersonSwap(columns="text", model="ada/who", mode="replace")


def rewritten(swap: PersonSwap, text: str, word: Any, target: Any = "man") -> tuple[str, Any]:
    """Rewrite one text."""
    batch = {"text": [text], "selected_word": [word], "target_attribute": [target]}
    found = swap(batch)
    return found["text"][0], found["person_left"][0]


def test_only_the_asked_person_is_rewritten(swap: PersonSwap) -> None:
    """Another of the same gender stays, and so does her name."""
    text = "The waitress lost her hat. The queen saw her dog."
    assert rewritten(swap, text, "waitress") == (
        "The waiter lost his hat. The queen saw her dog.", None
    )  # fmt: skip
    assert rewritten(swap, text, "Queen")[0] == "The waitress lost her hat. The king saw his dog."


def test_a_person_may_be_asked_for_by_a_pronoun(swap: PersonSwap) -> None:
    """It is the first place of the word that counts, and whom it stands for."""
    text = "The queen left as she was ill; the nun stayed."
    assert rewritten(swap, text, "she")[0] == "The king left as he was ill; the nun stayed."
    assert rewritten(swap, "Then she saw the nun with her dog.", "she")[0] == (
        "Then he saw the nun with her dog."
    )


def test_names_are_one_person_with_their_surname(swap: PersonSwap) -> None:
    """Whose they are, the name says by itself."""
    text = "Mary Hale met Anna. Hale gave her her book, and Mary left."
    new, _ = rewritten(swap, text, "Mary")
    assert " met Anna. Hale gave him his book, and " in new
    assert "Mary" not in new


@pytest.mark.parametrize(("text", "word", "target", "left"), [
    ("The queen left.", "king", "man", "the word is not in the text"),
    ("The queen left.", "left", "man", "the word is read as no mention of a person"),
    ("The queen left.", "queen", "woman", "the person has the attribute already"),
    ("The queen left.", None, "man", None), ("The queen left.", "queen", None, None),
])  # fmt: skip
def test_a_row_stays_with_the_reason(
    swap: PersonSwap, text: str, word: Any, target: Any, left: str | None
) -> None:
    """The column tells; of a row that asks for nobody it tells nothing."""
    assert rewritten(swap, text, word, target) == (text, left)


def test_a_target_that_is_no_attribute_is_refused(swap: PersonSwap) -> None:
    """With the row and the attributes that there are."""
    with pytest.raises(InputError, match=r"row 0 of the batch .*target_attribute must be one of"):
        rewritten(swap, "The queen left.", "queen", "men")


def test_another_model_is_refused(tmp_path: Path) -> None:
    """A folder without a model, and a model that lacks the small network."""
    with pytest.raises(InputError, match="model must be the folder or Hub id"):
        PersonSwap(columns="text", model=None)  # type: ignore[arg-type]
    folder = save_person_model(tmp_path / "who", ["The", "queen", "left."])
    Path(folder, HEAD).unlink()
    asked = PersonSwap(columns="text", model=folder, mode="replace")
    with pytest.raises(InputError, match="does not say whom a mention is about; train a model"):
        rewritten(asked, "The queen left her.", "queen")
