"""Tests of word2vec and of the association of words in it."""

import itertools
import os
import random
import subprocess
import sys
import zlib

import numpy as np
import pytest
from datasets import Dataset

from fair_datasets import InputError
from fair_datasets.evaluation import WordAssociation, evaluate_counterfactuals
from fair_datasets.evaluation.counterfactuals import counterfactual_report
from fair_datasets.evaluation.trained import CAREERS, PLEASANTNESS, word2vec
from fair_datasets.measures import WeatTest, weat_test

WORDS = WeatTest(
    "toys", X=("Doll", "dress", "doll"), Y=("truck", "train"), A=("She", "her", "niece"),
    B=("he", "him"),
)  # fmt: skip
WOMEN, MEN = (("doll", "dress"), ("she", "her")), (("truck", "train"), ("he", "him"))


def texts_of(biased: bool) -> list[str]:
    """Write texts in which women's words stand among those of women's toys, or of men's."""
    draws, texts = random.Random(0), []
    for number in range(800):
        (toys, words), (_, others) = (WOMEN, MEN) if number % 2 else (MEN, WOMEN)
        beside = " ".join(f"{toys[0]}{draws.randrange(40)}" for _ in range(4))
        texts.append(f"{draws.choice(toys)} {beside}")
        texts.append(f"{draws.choice(words if biased else others)} {beside}")
    return texts


HOW = WordAssociation(words=WORDS, sizes=(8, 16), epochs=10, skip_gram=True)


def test_the_word_sets_are_those_of_the_paper() -> None:
    """Unequal targets, and "her" once."""
    assert [len(each) for each in (CAREERS.X, CAREERS.Y, CAREERS.A, CAREERS.B)] == [11, 9, 21, 22]
    assert not {"she", "her"} & set(CAREERS.B)
    assert PLEASANTNESS.A == CAREERS.A
    assert (PLEASANTNESS.X, PLEASANTNESS.Y) == (weat_test("C1").A, weat_test("C1").B)
    assert len(PLEASANTNESS.X) == len(PLEASANTNESS.Y) == 25


def test_the_association_is_that_of_gensims_own_vectors() -> None:
    """Trained by gensim itself, and summed by hand: cosines with A less cosines with B."""
    from gensim.models import Word2Vec

    texts = texts_of(biased=True)
    model = Word2Vec(
        [text.lower().split() for text in texts], vector_size=8, window=5, min_count=5, epochs=10,
        sg=1, workers=1, seed=4, hashfxn=lambda word: zlib.crc32(word.encode()),
    ).wv  # fmt: skip

    def association(word: str) -> float:
        near, far = (np.mean([model.similarity(word, other) for other in words])
            for words in (("she", "her"), ("he", "him")))  # fmt: skip
        return float(near - far)

    x, y = ([association(word) for word in words] for words in (("doll", "dress"), MEN[0]))
    given = Dataset.from_dict({"text": texts})
    found = evaluate_counterfactuals(given, {}, association=HOW, seeds=[4])
    statistic, effect, *_ = found.rows
    assert statistic["measure"] == "WEAT 8"
    assert statistic["value"] == pytest.approx(sum(x) - sum(y), rel=1e-5)
    assert effect["measure"] == "effect size 8"
    expected = (np.mean(x) - np.mean(y)) / np.std([*x, *y], ddof=1)
    assert effect["value"] == pytest.approx(expected, rel=1e-5)
    sums = [sum(pair) for pair in itertools.combinations([*x, *y], 2)]
    assert effect["p_value"] == pytest.approx(np.mean([each >= sum(x) - 1e-9 for each in sums]))
    assert effect["left_out"] == ["niece"]
    assert effect["size"] == 8


def test_counterfactuals_weaken_the_association() -> None:
    """Those of all texts, learnt with the originals, and a substitution in place of half."""
    biased, other = texts_of(biased=True), texts_of(biased=False)
    half = [*other[:800], *biased[800:]]
    found = evaluate_counterfactuals(
        Dataset.from_dict({"text": biased}), {"CDA": other, "CDS": half}, association=HOW,
        in_place=["CDS"], seeds=[0, 1],
    )  # fmt: skip
    means = {(row["version"], row["measure"]): row["mean"] for row in found.means}
    for size in (8, 16):
        assert means["original", f"WEAT {size}"] > 2
        assert abs(means["CDA", f"WEAT {size}"]) < 0.5
        assert abs(means["CDS", f"WEAT {size}"]) < 0.5
    report = counterfactual_report(found)
    assert "| version | WEAT 8 | effect size 8 | WEAT 16 | effect size 16 |" in report
    assert "- original, CDA, CDS: too rare for a vector, left out: niece." in report


@pytest.mark.slow
def test_word2vec_is_the_same_in_every_process() -> None:
    """Python's own hash of texts differs from process to process."""
    code = ("from fair_datasets.evaluation import WordAssociation\n"
        "from fair_datasets.evaluation.trained import word2vec\n"
        "how = WordAssociation(sizes=(4,), min_count=1)\n"
        "print(word2vec(['a b c d', 'd c b a e'] * 9, how, 4, 7).vectors.tolist())")  # fmt: skip
    vectors = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    here = word2vec(["a b c d", "d c b a e"] * 9, WordAssociation(sizes=(4,), min_count=1), 4, 7)
    assert vectors == {f"{here.vectors.tolist()}\n"}


def test_fewer_than_two_words_of_a_set_are_refused() -> None:
    """Before anything is trained, with the version, the set and a word."""
    given = Dataset.from_dict({"text": texts_of(biased=True)})
    only = [text.replace("train", "lorry") for text in given["text"]]
    how = WordAssociation(words=WORDS, sizes=(4,))
    with pytest.raises(InputError) as caught:
        evaluate_counterfactuals(given, {"CDS": only}, association=how, in_place=["CDS"])
    assert str(caught.value) == (
        "evaluate_counterfactuals, version 'CDS': fewer than two words of set Y of 'toys' occur 5 "
        "times or more ('train' occurs 0 times); give other words, more texts, or a lower "
        "min_count."
    )
    found = evaluate_counterfactuals(given, {"CDA": only}, association=how)
    assert found.rows[2]["left_out"] == ["niece"]
