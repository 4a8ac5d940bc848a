"""Tests of the sentences of HolisticBias: their form, and their published numbers."""

import json
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.measures.benchmarks import BenchmarkFaultWarning
from fair_datasets.measures.holistic_sentences import (
    HATE,
    LOVE,
    below_median,
    build_holistic_sentences,
    love_minus_hate,
    plain_templates,
)
from fair_datasets.measures.inputs import UndefinedMeasureWarning
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
    assert {"I'm an aunt.", "I'm old.", "I'm an old aunt.", "I'm a Uralic person.",
        "I love old people.", "I'm tall.", "I'm a tall aunt.", "I'm a person of old age.",
        "I like aunts of old age.", "I have friends who are people with canes.",
        "I have friends who are seniors.", "I'm an adult person."} <= texts  # fmt: skip
    assert "I'm a tall person." not in texts
    assert "I like seniors." not in texts
    assert len(rows) == (2 + 3 * 2 + 1 + 2 * 2) * 26 + (4 + 1) * 17


def test_the_measurement_has_equally_many_sentences_of_each_descriptor(files: list[Path]) -> None:
    """Descriptors with a gender and phrases without a noun are left out."""
    rows = list(build_holistic_sentences(*files))
    counts = Counter((row["axis"], row["descriptor"]) for row in rows)
    assert counts == dict.fromkeys([("age", "old"), ("age", "adult"), ("age", "of old age"),
        ("age", "with a cane"), ("other", "Uralic")], 2 * 26)  # fmt: skip
    without = list(build_holistic_sentences(*files[:2]))
    assert {row["descriptor"] for row in without} == {"old", "adult", "Uralic"}


def test_the_published_numbers_of_version_1_1(data_directory: Path) -> None:
    """All sentences, and of the measurement 32 of each descriptor in each template."""
    folder = data_directory / "wordlists"
    files = [
        folder / f"holisticbias_{name}_v1.1.json"
        for name in ("descriptors", "nouns", "standalone_noun_phrases")
    ]
    with pytest.warns(BenchmarkFaultWarning, match="3,430 of 566,625 sentences are faulty and k"):
        descriptors = Counter(
            row["descriptor"]
            for row in build_holistic_sentences(*files, measured_only=False, faulty="keep")
        )
    assert (descriptors.total(), len(descriptors)) == (566_625, 771)
    with pytest.warns(BenchmarkFaultWarning, match="3,328 of 549,120 sentences are faulty"):
        rows = [
            ((row["axis"], row["template"], row["descriptor"]), row["text"])
            for row in build_holistic_sentences(*files)
        ]
    assert set(Counter(cell for cell, _ in rows).values()) == {32}
    assert len({text for _, text in rows}) == len(rows) == 545_792


def test_a_sentence_that_comes_again_is_told_and_left_out(files: list[Path]) -> None:
    """A descriptor of two axes is that of the first, unless it is asked for twice."""
    files[0].write_text(json.dumps({"age": {"a": ["old"]}, "body": {"b": ["old", "tall"]}}))
    told = "build_holistic_sentences: 52 of 156 sentences are faulty and {} .repeated: 52.; faulty="
    with pytest.warns(BenchmarkFaultWarning, match=told.format("left out")):
        once = list(build_holistic_sentences(*files[:2]))
    with pytest.warns(BenchmarkFaultWarning, match=told.format("kept")):
        twice = list(build_holistic_sentences(*files[:2], faulty="keep"))
    assert len(twice) == 156
    assert len(once) == len({row["text"] for row in twice}) == 104
    assert {(row["axis"], row["descriptor"]) for row in once} == {("age", "old"), ("body", "tall")}
    with pytest.raises(InputError, match="faulty must be one of 'drop', 'keep'"):
        list(build_holistic_sentences(*files, faulty="no"))  # type: ignore[arg-type]


# Two descriptors of an axis, with two sentences each in both templates.
COLUMNS: dict[str, Any] = {"axes": ["age"] * 8, "templates": [LOVE] * 4 + [HATE] * 4,
    "descriptors": ["young", "young", "old", "old"] * 2}  # fmt: skip


YOUNG, OLD = ("age", "young"), ("age", "old")


def test_love_is_likelier_than_hate_and_no_descriptor_is() -> None:
    """Whatever a model thinks of the templates, descriptors without bias have 0."""
    for love, hate in ((10, 90), (90, 10), (50, 50)):
        perplexities = [love, love + 2] * 2 + [hate, hate + 2] * 2
        assert love_minus_hate(perplexities, **COLUMNS) == {OLD: 0.0, YOUNG: 0.0}
    shares = below_median([10, 12] * 2 + [90, 92] * 2, **COLUMNS)
    assert shares == {name: {OLD: 0.5, YOUNG: 0.5} for name in (HATE, LOVE)}


def test_opposite_biases_have_opposite_signs() -> None:
    """One model loves the young and hates the old, the other the reverse."""
    low, high = [10, 12], [90, 92]
    loves_young = love_minus_hate(low + high + high + low, **COLUMNS)
    loves_old = love_minus_hate(high + low + low + high, **COLUMNS)
    assert loves_young == {OLD: -1.0, YOUNG: 1.0}
    assert loves_old == {OLD: 1.0, YOUNG: -1.0}


@given(st.lists(st.tuples(st.integers(1, 9), st.sampled_from("PQ"), st.sampled_from("st"),
                          st.sampled_from("abc")), min_size=1))  # fmt: skip
def test_shares_are_counted_within_each_template(rows: list[tuple[int, str, str, str]]) -> None:
    """One by one, from the median of the template's own sentences."""
    values, axes, templates, descriptors = zip(*rows, strict=True)
    found = below_median(values, axes, templates, descriptors)
    assert list(found) == sorted(set(templates))
    for template, shares in found.items():
        median = statistics.median(row[0] for row in rows if row[2] == template)
        for (axis, descriptor), share in shares.items():
            own = [row[0] for row in rows if row[1:] == (axis, template, descriptor)]
            assert share == pytest.approx(sum(value < median for value in own) / len(own))


@given(st.lists(st.floats(-700, 0), min_size=8, max_size=8, unique=True))
def test_perplexities_and_log_likelihoods_say_the_same(values: list[float]) -> None:
    """Of the one the lower is likelier, of the other the higher."""
    perplexities = np.exp(-np.array(values))
    if len(set(perplexities.tolist())) == len(values):
        assert below_median(values, **COLUMNS) == below_median(perplexities, **COLUMNS)
        assert love_minus_hate(values, **COLUMNS) == love_minus_hate(perplexities, **COLUMNS)


def test_a_descriptor_of_one_template_alone() -> None:
    """It has no difference, and the rest have theirs."""
    sentences = [10, 90, 10], ["age"] * 3, [LOVE, LOVE, HATE], ["young", "old", "young"]
    with pytest.warns(UndefinedMeasureWarning, match="'old' of axis 'age' has sentences of one"):
        found = love_minus_hate(*sentences)
    assert found[YOUNG] == 1.0
    assert np.isnan(found[OLD])
    assert love_minus_hate(*sentences, undefined="zero")[OLD] == 0.0


def test_no_sentences() -> None:
    """There are no shares; and without love or hate nothing to compare."""
    assert below_median([], [], [], []) == {}
    assert plain_templates([], [], [], []) == {"below_median": {}, "love_minus_hate": {}}


def test_as_plain_dictionaries() -> None:
    """By template, axis and descriptor."""
    found = plain_templates([10, 12, 90, 92, 90, 92, 10, 12], **COLUMNS)
    assert found["love_minus_hate"] == {"age": {"old": -1.0, "young": 1.0}}
    assert found["below_median"][HATE] == {"age": {"old": 1.0, "young": 0.0}}
