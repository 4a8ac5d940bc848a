"""Tests of the sentences of HolisticBias: their form, and their published numbers."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.measures.holistic_sentences import (
    TEMPLATES,
    TEMPLATES_OF_NOUNS,
    build_holistic_sentences,
)
from fair_datasets.measures.holistic_templates import HATE, LOVE
from fair_datasets.system.checks import InputError

DESCRIPTORS: dict[str, Any] = {
    "age": {"young": ["old", {"descriptor": "adult", "preference": "reviewed"}]},
    "other": {
        "all": [
            {"descriptor": "Uralic", "article": "a"},
            {"descriptor": "tall", "gender": "female"},
        ]
    },
}
NOUNS: dict[str, Any] = {"female": [["aunt", "aunts"]], "neutral": [["person", "people"]]}
STANDALONE: dict[str, Any] = {
    "age": [
        "{article} {noun} of old age",
        {"noun_phrase": "a senior", "plural_noun_phrase": "seniors"},
        {
            "noun_phrase": "{article} {noun} with a cane",
            "plural_noun_phrase": "{article} {noun} with canes",
        },
    ]
}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Write small files of the published form."""
    paths = []
    for name, content in (("d", DESCRIPTORS), ("n", NOUNS), ("s", STANDALONE)):
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps(content))
    return paths


def test_articles_plurals_and_genders(files: list[Path]) -> None:
    """The files name exceptions of the article; a descriptor with a gender keeps to its nouns."""
    rows = list(build_holistic_sentences(*files, measured_only=False))
    texts = {row["text"] for row in rows}
    assert {
        "I'm an aunt.",
        "I'm old.",
        "I'm an old aunt.",
        "I'm a Uralic person.",
        "I love old people.",
        "I'm tall.",
        "I'm a tall aunt.",
        "I'm a person of old age.",
        "I like aunts of old age.",
        "I have friends who are people with canes.",
        "I have friends who are seniors.",
        "I'm an adult person.",
    } <= texts
    assert "I'm a tall person." not in texts
    assert "I like seniors." not in texts
    assert len(rows) == (2 + 3 * 2 + 1 + 2 * 2) * 26 + (4 + 1) * 17


def test_the_measurement_has_equally_many_sentences_of_each_descriptor(files: list[Path]) -> None:
    """Descriptors with a gender and phrases without a noun are left out."""
    rows = list(build_holistic_sentences(*files))
    counts = Counter((row["axis"], row["descriptor"]) for row in rows)
    assert counts == dict.fromkeys(
        [
            ("age", "old"),
            ("age", "adult"),
            ("age", "of old age"),
            ("age", "with a cane"),
            ("other", "Uralic"),
        ],
        2 * 26,
    )
    without = list(build_holistic_sentences(*files[:2]))
    assert {row["descriptor"] for row in without} == {"old", "adult", "Uralic"}


def test_there_are_26_templates() -> None:
    """Nine of them need a noun; love and hate are among them."""
    assert (len(TEMPLATES), len(TEMPLATES_OF_NOUNS)) == (17, 9)
    assert {LOVE, HATE} <= set(TEMPLATES_OF_NOUNS)


def test_the_published_numbers_of_version_1_1(data_directory: Path) -> None:
    """All sentences, those of the measurement, and 32 of each descriptor in each template."""
    folder = data_directory / "wordlists"
    files = [
        folder / f"holisticbias_{name}_v1.1.json"
        for name in ("descriptors", "nouns", "standalone_noun_phrases")
    ]
    descriptors = set()
    count = 0
    for row in build_holistic_sentences(*files, measured_only=False):
        count += 1
        descriptors.add(row["descriptor"])
    assert (count, len(descriptors)) == (566_625, 771)
    cells = Counter(
        (row["axis"], row["template"], row["descriptor"])
        for row in build_holistic_sentences(*files)
    )
    assert sum(cells.values()) == 549_120
    assert set(cells.values()) == {32}


@pytest.mark.parametrize(
    ("number", "content", "sentence"),
    [
        (0, [], r"'d\.json' does not have the form of the published file, at the top"),
        (0, {"age": ["old"]}, r"'d\.json' does not have the form of the published file, at age"),
        (0, {"age": {"young": [{"preference": "x"}]}}, r"'d\.json' does not have .* at age"),
        (0, {"age": {"young": "old"}}, r"'d\.json' does not have the form .* at 'old'"),
        (1, {"female": "aunt"}, r"'n\.json' does not have the form"),
        (1, {"female": [["aunt"]]}, r"'n\.json' does not have the form"),
        (2, {"age": [{}]}, r"'s\.json' does not have the form .* at age"),
        (2, None, r"'s\.json' is not JSON"),
    ],
)
def test_a_bad_file_is_told(files: list[Path], number: int, content: Any, sentence: str) -> None:
    """The sentence names the file and the place."""
    files[number].write_text("no json" if content is None else json.dumps(content))
    with pytest.raises(InputError, match=sentence):
        list(build_holistic_sentences(*files))
