"""Tests of the perplexity."""

import math
from typing import Any

import nltk
import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tokenize import NLTKWordTokenizer
from rouge_score.rouge_scorer import RougeScorer
from scipy.stats import gmean
from sklearn.metrics import accuracy_score

from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.rewrites import (
    Overlap,
    counterfactual_perplexity,
    perplexity,
    text_overlap,
    transfer_accuracy,
)

losses = st.floats(0, 20)
some = st.lists(losses, min_size=1, max_size=20)


@given(some)
def test_it_is_the_geometric_mean_of_the_perplexities(values: list[float]) -> None:
    """The exponential of a mean is the geometric mean of exponentials."""
    result = perplexity(values)
    assert result.perplexity == pytest.approx(gmean(np.exp(values)), rel=1e-9)
    assert result.perplexity >= 1
    assert (result.texts, result.skipped) == (len(values), 0)


@given(some, st.integers(0, 5), st.randoms(use_true_random=False))
def test_order_repetition_and_gaps_do_not_matter(
    values: list[float], gaps: int, random: Any
) -> None:
    """Texts without a loss are counted and change nothing else, wherever they stand."""
    expected = perplexity(values).perplexity
    assert perplexity(values * 2).perplexity == pytest.approx(expected, rel=1e-12)
    mixed = [*values, *([None, math.nan] * gaps)]
    random.shuffle(mixed)
    result = perplexity(mixed)
    assert result.perplexity == expected
    assert (result.texts, result.skipped) == (len(values), 2 * gaps)
    assert perplexity(np.array(mixed, dtype=float)) == result


@given(st.lists(st.tuples(losses, losses), min_size=1, max_size=20))
def test_the_ratio(pairs: list[tuple[float, float]]) -> None:
    """The ratio is of the counterfactuals' perplexity by the originals'."""
    before, after = zip(*pairs, strict=True)
    result = counterfactual_perplexity(before, after)
    assert result.factual == perplexity(before).perplexity
    assert result.counterfactual == perplexity(after).perplexity
    assert result.ratio == pytest.approx(math.exp(np.mean(after) - np.mean(before)), rel=1e-9)
    assert counterfactual_perplexity(before, before).ratio == 1


def test_a_row_counts_with_both_losses() -> None:
    """Where one text has no loss, its partner is left out as well."""
    result = counterfactual_perplexity([1.0, None, 2.0], [1.0, 9.0, math.nan])
    assert result.factual == result.counterfactual == math.e
    assert (result.texts, result.skipped) == (1, 2)


def test_no_text_has_a_loss() -> None:
    """Then there is no perplexity."""
    with pytest.warns(UndefinedMeasureWarning, match="no text of losses has a loss"):
        result = perplexity([None])
    assert math.isnan(result.perplexity)
    assert result.skipped == 1
    with pytest.warns(UndefinedMeasureWarning):
        assert math.isnan(counterfactual_perplexity([], []).ratio)
    assert counterfactual_perplexity([], [], undefined="zero").ratio == 0


probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(probabilities, probabilities)
def test_it_is_the_error_of_the_classifier(rewritten: list[float], original: list[float]) -> None:
    """Both rates are errors of the argmax over (original, other), where ties stay."""
    result = transfer_accuracy(rewritten, original)
    for rate, values in ((result.transfer_accuracy, rewritten), (result.base_rate, original)):
        pairs = np.column_stack([values, 1 - np.asarray(values)])
        expected = 100 * (1 - accuracy_score([0] * len(values), pairs.argmax(axis=1)))
        assert rate == pytest.approx(expected, abs=1e-9)
    assert result.mean_other_probability == pytest.approx(1 - np.mean(rewritten), abs=1e-12)
    assert result.ties == rewritten.count(0.5)
    assert result.texts == len(rewritten)


def test_a_tie_is_not_transferred() -> None:
    """One half counts as the original attribute, and is reported."""
    result = transfer_accuracy([0.5, 0.5, 0.4])
    assert result.transfer_accuracy == pytest.approx(100 / 3)
    assert result.ties == 2
    assert result.base_rate is None


def test_no_texts() -> None:
    """Without texts nothing is defined."""
    with pytest.warns(UndefinedMeasureWarning, match="predictions has no rows"):
        result = transfer_accuracy([], [0.5])
    assert math.isnan(result.transfer_accuracy)
    assert math.isnan(result.mean_other_probability)
    assert result.base_rate == 0
    with pytest.warns(UndefinedMeasureWarning, match="references has no rows"):
        assert math.isnan(transfer_accuracy([0.1], []).base_rate or 0)


WORDS = ["she", "She", "plays", "the", "flute", "flute.", "isn't", '"home"', "well,", "naïve", "—"]
sentences = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(max_size=12)
pairs = st.lists(st.tuples(sentences, sentences), min_size=1, max_size=8)


def edits(one: list[str], two: list[str]) -> int:
    """Give the fewest insertions, deletions and replacements, by the table of all prefixes."""
    table = [
        [max(i, j) if not i * j else 0 for j in range(len(two) + 1)] for i in range(len(one) + 1)
    ]
    for i in range(1, len(one) + 1):
        for j in range(1, len(two) + 1):
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1,
                table[i - 1][j - 1] + (one[i - 1] != two[j - 1]))  # fmt: skip
    return table[-1][-1]


@settings(deadline=None, max_examples=60)
@given(pairs)
def test_against_the_libraries(found: list[tuple[str, str]]) -> None:
    """Every figure is that of the library's own function, and the means are means of rows."""
    result = text_overlap(*zip(*found, strict=True))
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False)
    for (prediction, reference), row in zip(found, result.rows, strict=True):
        bleu = sacrebleu.sentence_bleu(
            prediction,
            [reference],
            smooth_method="exp",
            lowercase=True,
            use_effective_order=False,
        )
        assert row.bleu == pytest.approx(bleu.score, abs=1e-12)
        rouge = scorer.score(reference, prediction)
        assert row.rouge1 == 100 * rouge["rouge1"].fmeasure
        assert row.rouge2 == 100 * rouge["rouge2"].fmeasure
        assert row.rouge_l == 100 * rouge["rougeL"].fmeasure
        tokenizer = NLTKWordTokenizer()
        one, two = tokenizer.tokenize(prediction), tokenizer.tokenize(reference)
        assert row.levenshtein == edits(one, two) == nltk.edit_distance(one, two)
        longer = max(len(one), len(two))
        assert row.normalized_levenshtein == (row.levenshtein / longer if longer else 0)
    for name in Overlap.__slots__:  # type: ignore[attr-defined]
        values = [getattr(row, name) for row in result.rows]
        assert getattr(result.mean, name) == pytest.approx(math.fsum(values) / len(values))


def test_bleu_is_of_sentences() -> None:
    """The mean of sentence BLEU is not the BLEU of the corpus."""
    predictions = ["He sold it.", "He and his wife live by the sea in a house of their own."]
    references = ["She sold it.", "He and his husband live by the sea in a house of their own."]
    corpus = sacrebleu.corpus_bleu(predictions, [references], lowercase=True).score
    mean = text_overlap(predictions, references).mean.bleu
    each = [sacrebleu.sentence_bleu(one, [two], lowercase=True, use_effective_order=False).score
        for one, two in zip(predictions, references, strict=True)]  # fmt: skip
    assert mean == pytest.approx(sum(each) / 2)
    assert abs(mean - corpus) > 1


def test_case() -> None:
    """BLEU and ROUGE do not see lower case, the edit distance does."""
    row = text_overlap(["SHE PLAYS THE FLUTE."], ["she plays the flute."]).rows[0]
    assert (round(row.bleu, 9), row.rouge1, row.levenshtein) == (100, 100, 4)
    assert row.bleu <= 100


def test_short_and_empty_texts() -> None:
    """BLEU counts runs of four; the same text has an edit distance of 0, also if it is empty."""
    short, empty, gone = text_overlap(["He sang", "", "He sang"], ["He sang", "", ""]).rows
    assert (short.bleu, short.rouge1, short.levenshtein) == (0, 100, 0)
    assert (empty.bleu, empty.levenshtein, empty.normalized_levenshtein) == (0, 0, 0)
    assert (gone.levenshtein, gone.normalized_levenshtein) == (2, 1)


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The advice of sacrebleu against BLEU of a sentence is not repeated for each text."""
    text_overlap(["He plays the flute."] * 3, ["She plays the flute."] * 3)
    assert not caplog.records


def test_no_texts_of_text_overlap() -> None:
    """There are no means without texts."""
    with pytest.warns(UndefinedMeasureWarning, match="text_overlap: there are no texts"):
        result = text_overlap([], [])
    assert math.isnan(result.mean.bleu)
    assert result.rows == ()
    assert text_overlap([], [], undefined="zero").mean == Overlap(0, 0, 0, 0, 0, 0)
