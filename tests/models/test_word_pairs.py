"""Tests of the direction from pairs of words, on made vectors and on those of Twitter."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import BiasScore
from fair_datasets.lexicons.shipped import listed_words
from fair_datasets.models import DemographicDirection, load_word_vectors, word_direction
from fair_datasets.models.word_pairs import default_poles, hard_debias, published_pairs

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


def test_the_poles_of_an_axis_of_ones_own(tmp_path: Path) -> None:
    """Those of its two attributes, in the order of the file."""
    path = tmp_path / "team.tsv"
    path.write_text("home\taway\nhost\tguest\n")
    assert default_poles(str(path)) == ("home", "away")


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


def along(*numbers: float) -> DemographicDirection:
    """Return a direction."""
    return DemographicDirection(list(numbers), axis="gender", poles=("man", "woman"))


def test_by_hand() -> None:
    """A neutral word, a listed one, and a pair, of which one member is longer."""
    words = {"nurse": [3.0, 4.0], "waitress": [6.0, 8.0], "he": [-2.0, 0.0], "she": [0.6, 0.8]}
    found = hard_debias(words, along(1.0, 0.0), equalize_pairs=[("he", "she")])
    assert found["nurse"] == pytest.approx([0, 1])
    assert found["waitress"] == pytest.approx([0.6, 0.8])
    # They have (-0.2, 0.4) in the middle, so (0, 0.4) without the direction.
    assert found["he"] == pytest.approx([-(0.84**0.5), 0.4])
    assert found["she"] == pytest.approx([0.84**0.5, 0.4])
    assert found.provenance["neutral_words"] == 1
    assert (found.provenance["pairs"], found.provenance["missing"]) == (1, [])


def test_pairs_are_taken_in_each_case_and_missing_ones_told() -> None:
    """As in the published code; a word that lies along the direction has nothing left."""
    words = {
        "He": [-1.0, 1.0], "She": [1.0, 2.0], "HE": [-1.0, 0.1], "SHE": [2.0, 0.2],
        "girly": [2.0, 0.0], "king": [0.0, 0.0], "queen": [1.0, 1.0],
    }  # fmt: skip
    pairs = [("he", "she"), ("king", "queen"), ("sir", "madam")]
    found = hard_debias(words, along(1.0, 0.0), equalize_pairs=pairs, terms="lady")
    for first, second in (("He", "She"), ("HE", "SHE")):
        assert found[first] == pytest.approx(found[second] * [-1, 1])
    assert found.provenance["missing"] == [["king", "queen"], ["sir", "madam"]]
    assert found["girly"].tolist() == [0, 0]


def test_a_pair_that_is_given_again_counts_once() -> None:
    """Also the other way round and in another case, and where a word is missing."""
    words = {"he": [-1.0, 1.0], "she": [1.0, 2.0], "man": [-1.0, 0.1], "woman": [2.0, 0.2]}
    once = [("he", "she"), ("man", "woman"), ("sir", "madam")]
    again = [*once, ("She", "he"), ("man", "woman"), ("madam", "sir")]
    first, second = (hard_debias(words, along(1.0, 0.0), equalize_pairs=each)
                     for each in (once, again))  # fmt: skip
    assert second.provenance == first.provenance
    assert second.provenance["pairs"] == 2
    assert (second.matrix == first.matrix).all()


def published_steps(
    words: list[str], vectors: Any, g: Any, specific: set[str], pairs: list[tuple[str, str]]
) -> dict[str, Any]:
    """Write down the steps of `debiaswe` anew: neutralize, normalize, equalize, normalize."""
    found = {
        word: vector / np.linalg.norm(vector) for word, vector in zip(words, vectors, strict=True)
    }
    for word in words:
        if word not in specific:
            found[word] = found[word] - g * found[word].dot(g) / g.dot(g)
            found[word] = found[word] / np.linalg.norm(found[word])
    for a, b in pairs:
        for first, second in (
            (a.lower(), b.lower()),
            (a.title(), b.title()),
            (a.upper(), b.upper()),
        ):
            if first in found and second in found:
                y = (found[first] + found[second]) / 2
                y = y - g * y.dot(g) / g.dot(g)
                z = np.sqrt(1 - np.linalg.norm(y) ** 2)
                if (found[first] - found[second]).dot(g) < 0:
                    z = -z
                found[first], found[second] = z * g + y, -z * g + y
    return {word: vector / np.linalg.norm(vector) for word, vector in found.items()}


def test_it_is_what_the_published_code_does(data_directory: Path, tmp_path: Path) -> None:
    """On the vectors of Twitter with the published pairs; and they are read back from a file."""
    vectors = load_word_vectors(data_directory / TWITTER)
    direction = word_direction(vectors)
    found = hard_debias(vectors)
    words = vectors.words(range(len(vectors)))
    pairs = published_pairs("gender", "equalize")
    listed = listed_words("gender", False, (), ())
    specific = {*(word.lower() for word in listed), *(word for pair in pairs for word in pair)}
    expected = published_steps(
        words, vectors.matrix.astype(np.float64), direction.vector, specific, pairs
    )
    assert found.provenance["pairs"] == 21
    assert len(found.provenance["missing"]) > 20
    expected_matrix = [expected[word] for word in words]
    np.testing.assert_allclose(found.matrix, expected_matrix, rtol=0, atol=1e-6)
    found.save(tmp_path / "hard.npz")
    again = load_word_vectors(tmp_path / "hard.npz")
    assert np.array_equal(again.matrix, found.matrix)
    # Of what the words say, the direction is gone.
    batch = {"text": ["The nurse wore a pink dress.", "football players"]}
    score = BiasScore(columns="text", vectors=tmp_path / "hard.npz")
    assert score(batch)["bias_score"] != pytest.approx([0, 0], abs=1e-6)
    direction.save(tmp_path / "old.safetensors")
    score = BiasScore(
        columns="text", vectors=tmp_path / "hard.npz", direction=tmp_path / "old.safetensors"
    )
    assert score(batch)["bias_score"] == pytest.approx([0, 0], abs=1e-6)


@given(st.integers(0, 2**32), st.integers(2, 6))
def test_properties(seed: int, width: int) -> None:
    """All unit; neutral words have nothing along it; both of a pair are as near to them."""
    draws = np.random.default_rng(seed)
    words = ["she", "he", "girl", "boy", "waitress", *(f"word{number}" for number in range(5))]
    vector = draws.normal(size=width)
    direction = along(*(vector / np.linalg.norm(vector)))
    found = hard_debias(
        load_word_vectors(dict(zip(words, draws.normal(size=(10, width)), strict=True))),
        direction,
        equalize_pairs=[("he", "she"), ("boy", "girl")],
    )
    lengths = np.linalg.norm(found.matrix, axis=1)
    assert lengths == pytest.approx(np.ones(10), abs=1e-5)
    neutral = found.matrix[5:].astype(np.float64)
    assert neutral @ direction.vector == pytest.approx(np.zeros(5), abs=1e-5)
    for first, second in (("he", "she"), ("boy", "girl")):
        assert neutral @ found[first] == pytest.approx(neutral @ found[second], abs=1e-5)
    assert np.allclose(hard_debias(found, direction, equalize_pairs=[("he", "she")]).matrix,
                       found.matrix, atol=1e-4)  # fmt: skip
