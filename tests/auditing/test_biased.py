"""The rows whose words lean most, beside the scores of the technique."""

from typing import Any

import numpy as np
import pytest
from datasets import Dataset

from fair_datasets import BiasScore
from fair_datasets.auditing.biased import biased_part
from fair_datasets.models import load_word_vectors

TEXTS = ["She wears pink.", "A pink truck", "Rain.", None, "A truck.", "pink pink", "He ran."]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a file of word vectors in which pink leans to women and truck to men."""
    words = {"he": [1.0, 0.0], "she": [0.0, 1.0], "man": [1.0, 0.5], "woman": [0.5, 1.0],
             "pink": [0.0, 1.0], "truck": [1.0, 0.0]}  # fmt: skip
    file = tmp_path_factory.mktemp("vectors") / "words.npz"
    load_word_vectors(words).save(file)
    return str(file)


@pytest.mark.parametrize(("centred", "name", "option"),
    [(False, "bias_score", ""), (True, "bias_score_centred", "--centred ")])  # fmt: skip
def test_scores_are_those_of_the_technique(
    read: Any, one: Any, vectors: str, *, centred: bool, name: str, option: str
) -> None:
    """Over two splits, by the same name; a row without a text has none."""
    splits = {"train": {"text": TEXTS}, "test": {"text": ["pink truck pink"]}}
    material, settings, commands = read(splits, vectors=vectors, samples=2, centred=centred)
    part = biased_part(material, settings, commands)
    rows = Dataset.from_dict({"text": [*TEXTS, "pink truck pink"]})
    score = BiasScore(columns="text", vectors=vectors, centred=centred)
    scores = score.apply(rows)[name]
    known = [score for score in scores if score is not None]
    found = one(part.figures, name, axis="gender")
    assert (found.value, found.rows) == (pytest.approx(np.mean(known)), 7)
    high = one(part.figures, f"{name}_95", axis="gender").value
    assert high == pytest.approx(np.quantile(known, 0.95))
    assert [(sample.split, sample.row) for sample in part.samples] == [("train", 5), ("test", 0)]
    assert part.findings[0].command == (
        f"fair-datasets correct rows.csv --text text --correction Sub95 --axis gender --vectors "
        f"{vectors} {option}--out rows-gender-sub95"
    )


def test_words_are_marked_with_how_far_they_lean(read: Any, vectors: str) -> None:
    """To which side, by the sign."""
    material, settings, commands = read({"text": ["A pink truck"]}, vectors=vectors)
    part = biased_part(material, settings, commands)
    (sample,) = part.samples
    assert part.notes[0] == "Along gender, words with + lean to woman and words with - to man."
    assert "random pairs reach" in part.notes[1]
    assert "(offset)" in part.notes[2]
    assert "--centred subtracts" in part.notes[2]
    assert part.notes[3].startswith("Of 3 words of 1 row, 66.7% have a vector")
    (text,) = sample.texts
    marked = [(text.text[start:end], note[0]) for start, end, note in text.spans]
    assert marked == [("pink", "+"), ("truck", "-")]


def test_what_has_no_direction_is_told(read: Any, one: Any, vectors: str) -> None:
    """An axis without a pair of attributes; and nothing is measured without vectors."""
    material, settings, commands = read({"text": TEXTS}, vectors=vectors, axis="religion")
    part = biased_part(material, settings, commands)
    assert np.isnan(one(part.figures, "bias_score", axis="religion").value)
    assert "on religion" in part.unmeasured["bias_score"]
    material, settings, commands = read({"text": TEXTS})
    assert "--vectors" in biased_part(material, settings, commands).unmeasured["bias_score_95"]
