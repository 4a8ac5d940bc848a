"""Completions of prompts and of their counterfactuals: by hand, and by SciPy, NLTK and ROUGE."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from fair_datasets.measures import completion_difference

SAID = ["You can do it alone.", "Do not try it at home.", "It is late."]
OTHER = ["You can do it.", "Do not ask me.", "It is late."]
SHARES = st.floats(0, 1, allow_nan=False)


def scored(own: Any, other: Any, control: Any = None, **options: Any) -> Any:
    """Compare scores of texts that are alike."""
    texts = ["a"] * len(own)
    return completion_difference(
        texts, texts, scores=own, counterfactual_scores=other, control_scores=control, **options
    )


def test_pairs_that_differ_crosswise() -> None:
    """All differ by .8, of which the distributions and the shares know nothing."""
    found = scored([0.1, 0.9, 0.1, 0.9], [0.9, 0.1, 0.9, 0.1])
    assert found.pair_difference.value == pytest.approx(0.8)
    assert found.distribution_distance.value == 0
    assert found.share_difference.value == 0
    assert (found.pair_difference.control, found.pair_difference.p_value) == (None, None)


@given(st.lists(st.tuples(SHARES, SHARES), min_size=1, max_size=20))
def test_the_distance_is_that_of_scipy(pairs: list[tuple[float, float]]) -> None:
    """And no longer than the mean difference of pairs; swapping the sides turns the shares."""
    own, other = map(list, zip(*pairs, strict=True))
    found, turned = scored(own, other), scored(other, own)
    distance = found.distribution_distance.value
    assert distance == pytest.approx(wasserstein_distance(own, other), abs=1e-9)
    assert distance <= found.pair_difference.value + 1e-9
    assert found.pair_difference == turned.pair_difference
    assert found.share_difference.value == -turned.share_difference.value


def test_figures_beside_their_control() -> None:
    """The mean over draws, the excess, and the rank among them."""
    found = scored([0.0, 1.0], [1.0, 1.0], [[0.0, 0.5], [1.0, 1.0]])
    assert found.draws == 2
    # Draws: 0 and .25 apart.
    apart = found.pair_difference
    assert (apart.value, apart.control, apart.excess) == (0.5, 0.125, 0.375)
    assert apart.p_value == pytest.approx(1 / 3)
    share = found.share_difference
    assert (share.value, share.control, share.excess) == (-0.5, 0.0, 0.5)
    same = scored([0.0, 1.0], [0.0, 1.0], [[0.0], [1.0]]).pair_difference
    assert (same.excess, same.p_value) == (0.0, 1.0)


def test_similarities_are_those_of_the_libraries() -> None:
    """BLEU of both directions the lesser; identical texts are all alike."""
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
    from rouge_score.rouge_scorer import RougeScorer

    def bleu(one: str, other: str) -> float:
        words = [text.lower().replace(".", " .").split() for text in (one, other)]
        smooth = SmoothingFunction().method1
        return float(sentence_bleu([words[0]], words[1], smoothing_function=smooth))

    found = completion_difference(SAID, OTHER)
    pairs = list(zip(SAID, OTHER, strict=True))
    wanted = [min(bleu(a, b), bleu(b, a)) for a, b in pairs]
    assert found.bleu.value == pytest.approx(np.mean(wanted))
    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    assert found.rouge_l.value == pytest.approx(
        np.mean([scorer.score(a, b)["rougeL"].fmeasure for a, b in pairs])
    )
    same = completion_difference(SAID, SAID, control_predictions=[[each] for each in OTHER])
    assert (same.rouge_l.value, same.bleu.value) == (1.0, pytest.approx(1.0))
    assert same.rouge_l.control == pytest.approx(found.rouge_l.value)
    # More alike than the placebo pairs.
    assert (same.rouge_l.excess or 0) < 0
    assert same.rouge_l.p_value == 1.0


def test_rouge_and_bleu_by_hand() -> None:
    """Of five and four words: four in common; a run of four of five."""
    found = completion_difference(["a b c d e"], ["a b c d"])
    assert found.rouge_l.value == pytest.approx(2 * (4 / 5) * 1 / (4 / 5 + 1))
    # Precision of the longer one: 4/5, 3/4, 2/3, 1/2; of the shorter one 1, with brevity e^(-1/4).
    longer = (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    assert found.bleu.value == pytest.approx(min(longer, np.exp(1 - 5 / 4)))


def test_cosines_ask_about_each_text_once() -> None:
    """With whatever makes vectors."""
    asked: list[str] = []

    def encode(texts: list[str]) -> Any:
        asked.extend(texts)
        return [[float(text.count("o")), 1.0] for text in texts]

    found = completion_difference(SAID, OTHER, encode=encode, control_predictions=[["o"]] * 3)
    assert len(asked) == len(set(asked)) == 6
    ones = [[3.0, 1], [3.0, 1], [0.0, 1]]
    others = [[2.0, 1], [2.0, 1], [0.0, 1]]
    wanted = [np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b)
              for a, b in zip(ones, others, strict=True)]  # fmt: skip
    assert found.cosine is not None
    assert found.cosine.value == pytest.approx(np.mean(wanted))


def test_a_generator_that_ignores_the_group_is_rarely_called() -> None:
    """Its counterfactual completions are further ones: of 400 tests 5 % are called at .05."""
    draw, called = np.random.default_rng(0), 0
    for _ in range(400):
        level = draw.random(30)[:, None]
        scores = np.clip(level + draw.normal(0, 0.2, (30, 21)), 0, 1)
        found = scored(scores[:, 0], scores[:, 1], scores[:, 2:].tolist())
        called += found.pair_difference.p_value <= 0.05
    assert 8 <= called <= 34
