"""Tests of the technique: its columns by hand, every kind of source, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets import BiasScore, CounterfactualSwap, InputError, load_technique
from fair_datasets.models import load_word_vectors, word_direction
from fair_datasets.scores import sentence_direction
from fair_datasets.system.portable import portable
from fair_datasets.testing import check_technique

# In the plane: he and she at the ends, and words between them.
WORDS = {
    "he": [1.0, 0.0], "she": [0.0, 1.0], "man": [1.0, 0.0], "woman": [0.0, 1.0],
    "pink": [0.0, 2.0], "truck": [3.0, 0.0], "stone": [1.0, 1.0], "gone": [0.0, 0.0],
}  # fmt: skip
ROOT = 0.5**0.5
TEXT = {"text": ["She drives a pink truck."]}


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Return a file of vectors."""
    file = tmp_path / "vectors.npz"
    load_word_vectors(WORDS).save(file)
    return file


def scores(score: BiasScore, *texts: Any) -> list[Any]:
    """Return both, the man's and the woman's score of each text."""
    found = score({"text": list(texts)})
    name = "bias_score_centred" if score.centred else "bias_score"
    names = (name, f"{name}_man", f"{name}_woman")
    return list(zip(*(found[name] for name in names), strict=True))


def test_scores_by_hand(vectors: Path) -> None:
    """The mean over all words, with a vector or without, of the cosines of those not listed."""
    found = scores(
        BiasScore(columns="text", vectors=vectors),
        "She drives a pink Truck.", "Stone, stone!", "he", "", "?!", None, "gone zebra", "pink",
    )  # fmt: skip
    expected = [
        (2 * ROOT / 5, -ROOT / 5, ROOT / 5), (0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0),
        (None, None, None), (0, 0, 0), (ROOT, 0, ROOT),
    ]  # fmt: skip
    for one, other in zip(found, expected, strict=True):
        assert one == (other if None in other else pytest.approx(other))


def test_each_score_is_the_furthest_of_the_texts(vectors: Path) -> None:
    """Of several columns, and of several texts inside one; a column without text has none."""
    score = BiasScore(columns=("a", "b[].t"), vectors=vectors)
    talks = [["truck stone", None], ["stone", "pink"], [], ["x"]]
    rows = {"a": ["pink", "truck stone", "pink", None],
            "b": [[{"t": text} for text in talk] for talk in talks]}  # fmt: skip
    found = score(rows)
    assert found["bias_score"] == [pytest.approx(ROOT), pytest.approx(ROOT), None, None]
    assert found["bias_score_man"][:2] == pytest.approx([-ROOT / 2, -ROOT / 2])
    assert found["bias_score_woman"][:2] == pytest.approx([ROOT, ROOT])
    assert found["a"] == rows["a"]


def test_words_are_explained(vectors: Path) -> None:
    """With their place, and products that sum to the score."""
    score = BiasScore(columns=("a", "b[]"), vectors=vectors, explain=True)
    text = "Zoë pink, zebra truck"
    (words,) = score({"a": [text], "b": [["she", None, "pink"]]})["bias_score_words"]
    assert [word["word"] for word in words] == ["Zoë", "pink", "zebra", "truck", "she", "pink"]
    assert [word["column"] for word in words] == ["a"] * 4 + ["b[0]", "b[2]"]
    assert [text[word["start"] : word["end"]] for word in words[:4]] == text.replace(
        ",", ""
    ).split()
    assert [word["importance"] for word in words] == [0.25] * 4 + [1, 1]
    cosines = [word["cosine"] for word in words]
    assert cosines[1:] == [pytest.approx(ROOT), None, pytest.approx(-ROOT), 0, pytest.approx(ROOT)]
    products = [word["product"] for word in words]
    assert products[:4] == pytest.approx([0, ROOT / 4, 0, -ROOT / 4])
    result = score.apply(Dataset.from_dict({"a": [text, None], "b": [["she"], ["x"]]}))
    assert result["bias_score_words"][1] is None
    assert result["bias_score"][0] == pytest.approx(sum(map(abs, products[:4])))


def test_another_axis(vectors: Path, tmp_path: Path) -> None:
    """Its poles name the columns, its words have the part 0."""
    words = {"bible": [1.0, 0], "quran": [0, 1.0], "church": [1.0, 0.2], "mosque": [0, 1.0],
             "bell": [1.0, 0.1], "dome": [0.0, 1.0]}  # fmt: skip
    load_word_vectors(words).save(tmp_path / "v.npz")
    direction = word_direction(words, axis="religion", poles=("christian", "muslim"))
    direction.save(tmp_path / "d.safetensors")
    score = BiasScore(
        columns="text", vectors=tmp_path / "v.npz", direction=tmp_path / "d.safetensors",
        axis="religion", output_column="lean",
    )  # fmt: skip
    found = score({"text": ["Mosque with a dome", "bell"]})
    assert list(found) == ["text", "lean", "lean_christian", "lean_muslim"]
    assert found["lean_muslim"] == pytest.approx([found["lean"][0], 0])
    assert found["lean_christian"] == pytest.approx([0, -found["lean"][1]])


def test_more_words_and_no_names(vectors: Path) -> None:
    """May be given by the user."""
    load_word_vectors({**WORDS, "Mary": [0.0, 1.0]}).save(vectors)
    (one,), (two,), (three,) = (
        scores(BiasScore(columns="text", vectors=vectors, **options), "Mary")
        for options in ({}, {"names": False}, {"names": False, "terms": "Mary"})
    )
    assert (one[0], two[0], three[0]) == (0, pytest.approx(ROOT), 0)


def test_what_is_a_name_is_asked_of_a_reader(vectors: Path, nameless: str) -> None:
    """Which is part of the configuration, as the one that ships is."""
    load_word_vectors({**WORDS, "Mary": [0.0, 1.0]}).save(vectors)
    (one,), (two,) = (scores(BiasScore(columns="text", vectors=vectors, reader=reader),
        "Mary left.") for reader in (None, nameless))  # fmt: skip
    assert (one[0], two[0]) == (0, pytest.approx(ROOT / 2))
    score = BiasScore(columns="text", vectors=vectors, reader=nameless)
    assert nameless in score.config()["digests"]
    assert load_technique(score.config(), allow=[nameless, str(vectors)]) == score
    assert "reader/student.safetensors" in dict(BiasScore("text", vectors=vectors).digests)
    with pytest.raises(InputError, match="'en_no_such' is neither an installed spaCy pipeline"):
        BiasScore(columns="text", vectors=vectors, pipeline="en_no_such")


def test_the_mean_cosine_is_subtracted(vectors: Path) -> None:
    """Of words that have a vector and are not listed."""
    words = {**WORDS, "rose": [0.0, 1.0], "lily": [0.0, 1.0]}
    load_word_vectors(words).save(vectors)
    offset = word_direction(words).offset
    plain, centred = (scores(BiasScore(columns="text", vectors=vectors, centred=centred),
        "stone she zebra")[0] for centred in (False, True))  # fmt: skip
    assert offset == pytest.approx(2 * ROOT / 9)
    assert plain[2] + plain[1] - (centred[2] + centred[1]) == pytest.approx(offset / 3)


@pytest.fixture
def encoder(biased_masked: tuple[Any, Any], tmp_path: Path) -> Path:
    """Return the folder of a small trained encoder."""
    model, tokenizer = biased_masked
    model.base_model.save_pretrained(tmp_path / "encoder")
    tokenizer.save_pretrained(tmp_path / "encoder")
    return tmp_path / "encoder"


@pytest.fixture
def direction(encoder: Path, tmp_path: Path) -> Path:
    """Return the file of a direction in its states."""
    rows = Dataset.from_dict({"text": ["she ate .", "he left .", "the nurse said that she sang ."]})
    paired = CounterfactualSwap(columns="text", mode="pair").apply(rows)
    sentence_direction(paired, str(encoder)).save(tmp_path / "d.safetensors")
    return tmp_path / "d.safetensors"


@pytest.mark.slow
def test_states_give_cosines(encoder: Path, direction: Path) -> None:
    """Where there are no word vectors; a listed word has the part 0."""
    score = BiasScore(columns="text", encoder=encoder, direction=direction, explain=True)
    found = score({"text": ["she said that nurse left", "."]})
    words = found["bias_score_words"][0]
    assert [word["word"] for word in words] == ["she", "said", "that", "nurse", "left"]
    assert words[0]["product"] == 0 != words[3]["product"]
    assert found["bias_score"][0] == pytest.approx(sum(abs(word["product"]) for word in words))
    assert (found["bias_score"][1], found["bias_score_words"][1]) == (0, [])
    check_technique(score, {"text": ["the nurse left", "miner"]})


def test_the_configuration_says_how_words_weigh(vectors: Path, encoder: Path) -> None:
    """And by which encoder; so does the card that is made of it."""
    plain = BiasScore(columns="text", vectors=vectors)
    parameters = plain.config()["parameters"]
    assert (parameters["importance"], parameters["encoder"]) == ("uniform", None)
    assert BiasScore(columns="text", vectors=vectors, importance="uniform") == plain
    weighed = BiasScore(columns="text", vectors=vectors, encoder=encoder)
    assert weighed.config()["parameters"]["importance"] == "max-pooling"


def test_a_published_configuration_names_no_folder(vectors: Path, tmp_path: Path) -> None:
    """Of vectors the name alone, and of weights the place at which they are published."""
    word_direction(WORDS).save(tmp_path / "d.safetensors")
    score = BiasScore(columns="text", vectors=vectors, direction=tmp_path / "d.safetensors")
    config = portable(score.config())
    assert str(tmp_path) not in json.dumps(config)
    ((name, file),) = score.own_files().items()
    places = {"vectors.npz": vectors, name: file}
    again = BiasScore.from_config(config, allow=places)
    assert again(TEXT) == score(TEXT)
    told = r"names 'weights/\w+/d.safetensors', 'vectors.npz', which is not part"
    with pytest.raises(InputError, match=told):
        BiasScore.from_config(config)
