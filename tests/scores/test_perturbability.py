"""Perturbability, by hand."""

from pathlib import Path
from typing import Any

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import InputError
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.scores.perturbability import (
    Perturbability,
    entities_by_capitals,
    entities_by_pipeline,
    perturbability,
)


def score(text: str | None, **options: Any) -> float | None:
    """Score one text."""
    found = Perturbability(columns="text", **options)({"text": [text]})
    value: float | None = found["perturbability"][0]
    return value


@given(*[st.integers(0, 9)] * 3, *[st.floats(0, 5)] * 2)
def test_the_formula(entities: int, terms: int, words: int, m0: float, m1: float) -> None:
    """(m0 * NER + m1 * |s & D|) / |s|; a text without words has no score."""
    found = perturbability(entities, terms, words, entity_weight=m0, term_weight=m1)
    assert found == ((m0 * entities + m1 * terms) / words if words else None)


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("Then her mother met Ada Gray.", {}, 3 / 6),  # her, mother; Ada Gray
        ("Then her mother met Ada Gray.", {"entity_weight": 0}, 2 / 6),
        ("Then her mother met Ada Gray.", {"term_weight": 2.5}, 6 / 6),
        ("Then her mother met Ada Gray.", {"names": True}, 4 / 6),  # Ada is one of gender as well
        ("The white dog.", {"axis": "race"}, 0.0),
        ("The white dog.", {"axis": "race", "candidates": "lexicon"}, 1 / 3),
        ("He met Gray and he met Gray.", {}, 4 / 7),
        ("He met Gray and he met Gray.", {"unique": True}, 2 / 7),
        ("It rains.", {}, 0.0),
        ("...", {}, None),
        ("", {}, None),
        (None, {}, None),
    ],
)
def test_texts_by_hand(text: str | None, options: dict[str, Any], expected: float | None) -> None:
    """Entities and words of the axis, over all words."""
    assert score(text, **options) == expected


def test_the_texts_of_a_row_are_one() -> None:
    """Its entities, terms and words are counted together."""
    technique = Perturbability(columns=("text", "more"))
    result = technique({"text": ["He ran.", "It."], "more": ["Then Gray ran.", None]})
    assert result["perturbability"] == [2 / 5, 0.0]


def test_the_configuration_says_what_tells_entities(tmp_path: Path) -> None:
    """The pipeline, or the lists of names, with their digests; which are no words of the axis."""
    own = Perturbability(columns="text")
    assert {"first_names", "race_surnames"} <= dict(own.digests).keys()
    assert "mary" not in own.table("gender").words
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "GPE", "pattern": "rain"}])  # type: ignore[attr-defined]
    nlp.to_disk(tmp_path / "ruler")
    with_pipeline = Perturbability(columns="text", pipeline=str(tmp_path / "ruler"))
    assert "first_names" not in dict(with_pipeline.digests)
    assert with_pipeline.config()["parameters"]["pipeline"] == str(tmp_path / "ruler")
    assert with_pipeline({"text": ["Mary saw rain."]})["perturbability"] == [1 / 3]
    assert own({"text": ["Mary saw rain."]})["perturbability"] == [1 / 3]


@pytest.mark.parametrize(("text", "expected"),
    [("Yesterday Mr. Gray left New York.", ["Mr. Gray", "New York"]),
    ("Mary and I met J. K. Hill.", ["Mary", "J. K. Hill"]),
    ("The man left. José and Élan left.", ["José", "Élan"]),
    ("Then Mary-Ann’s aunt sold Bell’s house.", ["Mary-Ann", "Bell"]),
    ("HE SAW THE OLD MAN TODAY", []), ("see https://Bell.example/Gray and @Hill", []),
    ("", [])])  # fmt: skip
def test_capitals_tell_names(text: str, expected: list[str]) -> None:
    """Where any word is capitalised, a list of names has to know it."""
    assert entities_by_capitals(tokenize(text)) == expected


def test_a_pipeline_tells_entities(tmp_path: Path) -> None:
    """All that its recogniser knows are counted; one without a recogniser is refused."""
    nlp = spacy.blank("en")
    nlp.to_disk(tmp_path / "blank")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "GPE", "pattern": "york"}])  # type: ignore[attr-defined]
    nlp.to_disk(tmp_path / "ruler")
    text = "She saw york and York."
    assert entities_by_pipeline(str(tmp_path / "ruler"), text) == ["york"]
    with pytest.raises(InputError, match="recognises no named entities in a text of 22 char"):
        entities_by_pipeline(str(tmp_path / "blank"), text)
