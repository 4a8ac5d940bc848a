"""Tests of the direction from pairs of words, on made vectors and on those of Twitter."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fair_datasets import InputError
from fair_datasets.models import load_word_vectors, word_direction
from fair_datasets.models.vectors.word_pairs import default_poles, published_pairs

TWITTER = "vectors/glove_twitter_25d_12k.txt.gz"
GENERATOR = np.random.default_rng(0)
SMALL = {
    word: GENERATOR.normal(size=4) + ([3, 0, 0, 0] if place % 2 else [0, 0, 0, 0])
    for place, word in enumerate(["he", "she", "man", "woman", "boy", "girl", "son", "daughter"])
}


def test_it_leads_from_the_first_pole_to_the_second() -> None:
    """And says what it was made of."""
    direction = word_direction(SMALL)
    assert (direction.axis, direction.poles) == ("gender", ("man", "woman"))
    assert direction.cosines([SMALL["she"]]) > direction.cosines([SMALL["he"]])
    told = direction.provenance
    assert told["pairs"] == [["man", "woman"], ["boy", "girl"], ["he", "she"], ["son", "daughter"]]
    assert ["John", "Mary"] in told["missing"]
    assert len(told["missing"]) == 6
    assert 0 < direction.explained_variance <= 1
    turned = word_direction(SMALL, poles=("woman", "man"))
    assert turned.poles == ("woman", "man")
    assert np.allclose(turned.vector, -direction.vector)


def test_any_axis() -> None:
    """By pairs of one's own, or by the rows of its lexicon."""
    words = {"bible": [1.0, 0], "quran": [0, 1.0], "church": [1.0, 0.2], "mosque": [0.1, 1.0]}
    poles = ("christian", "muslim")
    own = word_direction(
        words, [("bible", "quran"), ("church", "mosque")], axis="religion", poles=poles
    )
    found = word_direction(words, axis="religion", poles=poles)
    assert own.poles == found.poles == poles
    assert found.axis == "religion"
    assert np.allclose(own.vector, found.vector)
    with pytest.raises(InputError, match="poles must name two of the attributes of 'religion'"):
        word_direction(words, axis="religion")


def test_the_poles_of_an_axis_of_ones_own(tmp_path: Path) -> None:
    """Those of its two attributes, in the order of the file."""
    path = tmp_path / "team.tsv"
    path.write_text("home\taway\nhost\tguest\n")
    assert default_poles(str(path)) == ("home", "away")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"vectors": {"he": [1.0], "she": [2.0]}}, "1 of 10 pairs have a vector for both words, "
         "but a direction needs at least 2; 'man' and 'woman' have none: give other pairs"),
        ({"vectors": {"he": [0.0], "she": [2.0], "man": [1.0], "woman": [2.0]}}, "1 of 10 pairs"),
        ({"pairs": "published"}, "pairs must be one of 'definitional', 'equalize'"),
        ({"pairs": "definitional", "axis": "race", "poles": ("white", "black")},
         "no pairs are published for the axis 'race'"),
        ({"pairs": [("he", "she", "they")]}, r"two words each, .* one is \('he', 'she', 'they'\)"),
        ({"pairs": 5}, "pairs must be a list of two words each"),
        ({"poles": ("man", "man")}, "poles must name two attributes"),
        ({"poles": "man"}, "poles must name two attributes"),
        ({"axis": None}, "axis must be a lexicon's name"),
        ({"axis": "gendr"}, "Did you mean 'gender'"),
        ({"pairs": [("he", "she"), ("she", "he")]}, "do not say which end"),
        ({"axis": "religion", "poles": ("christian", "atheits")}, "a pole must be one of"),
    ],
)  # fmt: skip
def test_wrong_inputs(options: dict[str, Any], sentence: str) -> None:
    """One sentence says what to do."""
    with pytest.raises(InputError, match=sentence):
        word_direction(**{"vectors": SMALL, **options})


def test_the_published_pairs(data_directory: Path) -> None:
    """Those of debiaswe, each turned to the order of the poles."""
    for name in ("definitional", "equalize"):
        file = data_directory / "wordlists" / f"debiaswe_{name}_pairs.json"
        expected = {frozenset(pair) for pair in json.loads(file.read_text())}
        found = published_pairs("gender", name)
        assert {frozenset(pair) for pair in found} == expected
        assert len(found) == len(expected)
    assert ("husbands", "wives") in published_pairs("gender", "equalize")


def test_figures_of_the_twitter_vectors(data_directory: Path) -> None:
    """The first component explains 45% (21 pairs: 39%); both are alike; nearly all words lean."""
    vectors = load_word_vectors(data_directory / TWITTER)
    ten = word_direction(vectors, unit_length=False)
    many = word_direction(vectors, "equalize", unit_length=False)
    assert (len(ten.provenance["pairs"]), len(many.provenance["pairs"])) == (10, 21)
    assert ten.explained_variance == pytest.approx(0.45, abs=0.005)
    assert many.explained_variance == pytest.approx(0.39, abs=0.005)
    assert ten.vector @ many.vector == pytest.approx(0.88, abs=0.005)
    assert ten.offset == pytest.approx(0.27, abs=0.005)
    assert (ten.cosines(vectors.matrix) > 0).mean() == pytest.approx(0.93, abs=0.005)
    assert ten.cosines([vectors["football"]]).item() == pytest.approx(0.12, abs=0.005)
    assert ten.baseline == pytest.approx(0.29, abs=0.015)


def test_what_lower_case_vectors_know_once_counts_once(data_directory: Path) -> None:
    """The words "Dad" and "dad" have one vector there, and make one pair."""
    vectors = load_word_vectors(data_directory / TWITTER)
    pairs = [("dad", "mom"), ("Dad", "Mom"), ("he", "she")]
    assert word_direction(vectors, pairs).provenance["pairs"] == [["dad", "mom"], ["he", "she"]]
