"""Tests of encoders as people have them."""

import itertools
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.measures.weat import weat_test
from fair_datasets.models import WordVectors
from fair_datasets.scores.embeddings import sentence_vectors
from hub_scripts.encoders import EncoderTask, evaluate_encoders
from hub_scripts.encoders.encoder_tasks import (
    GENDER_MEAN,
    GENDER_TESTS,
    gender_mean,
    open_encoder,
)

WORDS = {"he": [1.0, 0.0], "ran": [0.0, 3.0], "Mary": [2.0, 2.0]}


def test_word_vectors_give_the_mean_of_the_words_that_they_have(tmp_path: Path) -> None:
    """In memory and as a file; a text of none gets zeros, as a task cannot leave out rows."""
    vectors = WordVectors.of(WORDS, list(WORDS.values()))
    path = tmp_path / "vectors.txt"
    path.write_text("".join(f"{word} {a} {b}\n" for word, (a, b) in WORDS.items()))
    for source in (vectors, path, str(path)):
        encoder = open_encoder(source, batch_size=2)
        found = encoder.vectors(["He ran, he ran.", "Mary sleeps", "???"])
        assert found.tolist() == [[0.5, 1.5], [2.0, 2.0], [0.0, 0.0]]
        assert [encoder.lacks(word) for word in ("He", "mary", "she", "he ran", "he slept")] == [
            False, True, True, False, True
        ]  # fmt: skip


def test_a_folder_is_read_like_by_sentence_vectors(tiny_encoder: str) -> None:
    """Each text once, whatever its order; a word that the tokenizer does not know is lacking."""
    texts = ["the nurse slept .", "he left .", "the nurse slept ."]
    encoder = open_encoder(tiny_encoder, batch_size=2)
    assert encoder.vectors(texts) == pytest.approx(sentence_vectors(texts, tiny_encoder), abs=1e-6)
    assert [encoder.lacks(word) for word in ("nurse", "John", "nurse John")] == [False, True, True]


def test_each_text_is_given_to_a_function_once() -> None:
    """In the order of the first, and the vectors come back in the order of all."""
    calls: list[list[str]] = []

    def encode(texts: list[str]) -> Any:
        calls.append(texts)
        return np.array([[float(len(text))] for text in texts])

    encoder = open_encoder(encode, batch_size=2)
    assert encoder.vectors(["aa", "b", "aa"]).tolist() == [[2], [1], [2]]
    assert calls == [["aa", "b"]]
    assert not encoder.lacks("anything")


SPLITS = ("train", "validation", "test")
ROWS = {"first": ["a", "b"], "second": ["c", "d"], "label": ["x", "y"], "score": [0.0, 2.5]}


def task(**changed: Any) -> EncoderTask:
    """Make a task, of which something is changed."""
    splits = dict.fromkeys(SPLITS, Dataset.from_dict(ROWS))
    settings = {"name": "mine", "kind": "pair", "columns": ("first", "second"), "label": "label"}
    return EncoderTask(**{**settings, "splits": splits, **changed})


def other(split: str, **columns: Any) -> dict[str, Dataset]:
    """Return splits, of which one has other values."""
    splits = dict.fromkeys(SPLITS, Dataset.from_dict(ROWS))
    return {**splits, split: Dataset.from_dict({**ROWS, **columns})}


def test_it_reads_texts_and_labels_of_a_dataset_dict() -> None:
    """Also where the classes have names, and where scores are whole numbers."""
    features = Features({"text": Value("string"), "label": ClassLabel(names=["no", "yes"])})
    rows = Dataset.from_dict({"text": ["a", "b"], "label": [1, 0]}, features=features)
    splits = DatasetDict(dict.fromkeys(SPLITS, rows))
    found = task(kind="text", columns="text", splits=splits)
    assert found.texts("test") == [["a", "b"]]
    assert found.labels("test") == [1, 0]
    assert task(kind="similarity", label="score").labels("train") == [0.0, 2.5]
    assert task(kind="similarity", splits=DatasetDict(other("test", label=[1, 5])), label="score")


# Dolci, Azzalini and Tanelli, their table of SEAT: C6, C6b, C7, C7b, C8, C8b, and the mean. Of the
# encoders on word2vec the printed means, 1.351 and 0.933, are not those of the printed rows.
PUBLISHED = {"original": (1.674, 0.286, 1.124, 1.543, 1.269, 1.629, 1.254),
    "Sub97": (1.644, 0.350, 0.796, 1.454, 0.954, 1.628, 1.138),
    "Sub95": (1.585, 0.358, 0.512, 1.439, 0.730, 1.450, 1.012),
    "Sub93": (1.689, 0.445, 0.819, 1.343, 1.168, 1.615, 1.180),
    "Sub90": (1.591, 0.258, 0.697, 1.408, 0.971, 1.494, 1.070),
    "Aug97": (1.579, 0.301, 0.928, 1.651, 1.080, 1.713, 1.209),
    "Aug95": (1.660, 0.299, 0.952, 1.535, 1.129, 1.605, 1.197),
    "Aug93": (1.660, 0.306, 0.800, 1.551, 0.892, 1.521, 1.122),
    "Aug90": (1.676, 0.292, 0.489, 1.586, 0.566, 1.560, 1.028),
    "GloVe-HD": (0.889, 0.188, 0.737, 1.552, 0.008, 0.702, 0.679),
    "w2v": (1.894, 0.266, 1.088, 1.561, 1.127, 1.664, 1.267),
    "w2v-HD": (1.584, 0.250, 1.018, 1.004, 0.875, 0.981, 0.952)}  # fmt: skip
SENTENCES = {"texts": [f"{letter}{number}" for letter in "XYAB" for number in range(3)],
    "sets": [letter for letter in "XYAB" for _ in range(3)]}  # fmt: skip


def rows_of(found: Any) -> dict[str, dict[str, Any]]:
    """Return the rows of an evaluation by test."""
    return {row["test"]: row for row in found.rows}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_means_follow_from_the_published_rows(name: str) -> None:
    """The mean is plain and signed, over the six gender tests alone."""
    *values, mean = PUBLISHED[name]
    rows = [{"test": "C1", "value": 9.0}]
    rows += [{"test": test, "value": v} for test, v in zip(GENDER_TESTS, values, strict=True)]
    (found,) = gender_mean(rows)
    assert found["value"] == pytest.approx(mean, abs=5.1e-4)
    (turned,) = gender_mean([{**row, "value": -row["value"]} for row in rows])
    assert turned["value"] == -found["value"]


def plain_seat(vectors: dict[str, Any]) -> tuple[float, float]:
    """State effect size and exact p-value once more, one cosine after the other."""
    sets = {letter: [vectors[f"{letter}{number}"] for number in range(3)] for letter in "XYAB"}

    def cosine(u: Any, v: Any) -> float:
        return float(sum(u * v) / (sum(u * u) ** 0.5 * sum(v * v) ** 0.5))

    def lean(u: Any) -> float:
        return sum(cosine(u, a) for a in sets["A"]) / 3 - sum(cosine(u, b) for b in sets["B"]) / 3

    x, y = ([lean(u) for u in sets[letter]] for letter in "XY")
    pooled = NormalDist.from_samples(x + y).stdev
    observed = sum(x) - sum(y)
    values = dict(enumerate(x + y))
    splits = [sum(values[i] for i in chosen) - sum(values[i] for i in values if i not in chosen)
        for chosen in itertools.combinations(values, 3)]  # fmt: skip
    extreme = sum(split >= observed - 1e-12 for split in splits)
    return (sum(x) / 3 - sum(y) / 3) / pooled, extreme / len(splits)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), factor=st.floats(1e-3, 1e3))
def test_it_is_seat_by_an_independent_statement_at_any_scale(seed: int, factor: float) -> None:
    """Effect size and p-value are those of the definition; the length of vectors is no matter."""
    generator = np.random.default_rng(seed)
    vectors = {text: generator.normal(size=4) for text in SENTENCES["texts"]}
    effect, p_value = plain_seat(vectors)
    lengths = dict(zip(vectors, generator.uniform(0.5, 2, size=12), strict=True))
    found = evaluate_encoders(
        {"plain": lambda texts: [vectors[text] for text in texts],
         "scaled": lambda texts: [factor * lengths[text] * vectors[text] for text in texts]},
        tests={"mine": SENTENCES},
    )  # fmt: skip
    for row in found.rows:
        assert row["value"] == pytest.approx(effect)
        assert row["p_value"] == pytest.approx(p_value)


def test_p_values_are_adjusted_over_the_tests_of_one_encoder(encoders: dict[str, Any]) -> None:
    """By Holm's method; the mean is no test, and other encoders are other families."""
    vectors = encoders["random_vectors"]("C6", "C7b", "C8")
    tests = ["C6", "C7b", "C8"]
    alone = rows_of(evaluate_encoders({"a": vectors}, tests=tests, n_samples=500))
    both = evaluate_encoders({"b": vectors, "a": vectors}, tests=tests, n_samples=500)
    raw = sorted(alone[test]["p_value"] for test in tests)
    stepped = [3 * raw[0], max(3 * raw[0], 2 * raw[1])]
    stepped.append(max(stepped[1], raw[2]))
    expected = [min(1.0, p) for p in stepped]
    assert sorted(alone[test]["p_holm"] for test in tests) == pytest.approx(expected)
    assert alone[GENDER_MEAN]["p_value"] is None
    assert [row["p_holm"] for row in both.rows][:4] == [row["p_holm"] for row in both.rows][4:]


def test_words_without_a_vector_are_left_out_with_their_sentences(encoders: dict[str, Any]) -> None:
    """Their sentences are not read as templates; the others are as before."""
    vectors = encoders["random_vectors"]("C6", without=("John", "home"))
    (row, _) = evaluate_encoders({"words": vectors}, tests=["C6"], n_samples=200).rows
    assert row["left_out"] == ["John", "home"]
    assert row["size"] == 6 * (len(weat_test("C6").words()) - 2)

    class Function:
        """A function that says which words it knows."""

        def __init__(self) -> None:
            self.read: list[str] = []

        def __contains__(self, word: str) -> bool:
            return word not in {"John", "home"}

        def __call__(self, texts: list[str]) -> Any:
            self.read += texts
            return [encoders["drawn"](text) for text in texts]

    function = Function()
    (row, _) = evaluate_encoders({"function": function}, tests=["C6"], n_samples=200).rows
    assert row["left_out"] == ["John", "home"]
    assert len(function.read) == row["size"]
    assert not any("John" in text or "home" in text for text in function.read)


def test_a_test_that_loses_a_set_falls_out_with_a_reason(encoders: dict[str, Any]) -> None:
    """The others stay; the mean over the gender tests has no value, and says why."""
    men = weat_test("C6").X
    vectors = encoders["random_vectors"]("C6", "C7", without=men[1:])
    rows = rows_of(evaluate_encoders({"words": vectors}, tests=["C6", "C7"], n_samples=200))
    assert rows["C6"]["value"] is None
    assert rows["C6"]["reason"] == (
        "the encoder has vectors for 1 of the 8 words of set X, but two are needed"
    )
    assert rows["C7"]["value"] is not None
    assert rows["C7"]["p_holm"] == rows["C7"]["p_value"]
    assert rows[GENDER_MEAN]["value"] is None
    assert rows[GENDER_MEAN]["reason"] == "C6 fell out"


@pytest.mark.parametrize(
    ("encode", "reason"),
    [
        (lambda texts: [[1.0, 2.0]] * len(texts), "all targets have the same association"),
        (lambda texts: [[0.0, float(text[0] == "A")] for text in texts], "a vector of zeros"),
    ],
)
def test_a_test_that_is_undefined_falls_out_with_a_reason(encode: Any, reason: str) -> None:
    """As for an encoder that gives one vector for all, or zeros."""
    (row,) = evaluate_encoders({"flat": encode}, tests={"mine": SENTENCES}).rows
    assert row["value"] is None
    assert row["p_value"] is None
    assert reason in row["reason"]
