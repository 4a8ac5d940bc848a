"""Named entities."""

from pathlib import Path

import pytest
import spacy

from fair_datasets import InputError
from fair_datasets.matching.tokens import tokenize
from fair_datasets.scores.entities import entities_by_capitals, entities_by_pipeline


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yesterday Mr. Gray left New York.", ["Mr. Gray", "New York"]),
        ("Mary and I met J. K. Hill.", ["Mary", "J. K. Hill"]),
        ("The man left. José and Élan left.", ["José", "Élan"]),
        ("Then Mary-Ann’s aunt sold Bell’s house.", ["Mary-Ann", "Bell"]),
        ("HE SAW THE OLD MAN TODAY", []),
        ("see https://Bell.example/Gray and @Hill", []),
        ("", []),
    ],
)
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
