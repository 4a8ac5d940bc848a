"""Tests of the overlap of texts."""

import math
from typing import Any

import nltk
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tokenize import NLTKWordTokenizer
from rouge_score.rouge_scorer import RougeScorer

from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.text_overlap import Overlap, text_overlap
from fair_datasets.system.checks import InputError

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
            table[i][j] = min(
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (one[i - 1] != two[j - 1]),
            )
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
    each = [
        sacrebleu.sentence_bleu(one, [two], lowercase=True, use_effective_order=False).score
        for one, two in zip(predictions, references, strict=True)
    ]
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


def test_no_texts() -> None:
    """There are no means without texts."""
    with pytest.warns(UndefinedMeasureWarning, match="text_overlap: there are no texts"):
        result = text_overlap([], [])
    assert math.isnan(result.mean.bleu)
    assert result.rows == ()
    assert text_overlap([], [], undefined="zero").mean == Overlap(0, 0, 0, 0, 0, 0)
    with pytest.raises(InputError, match="there are no texts"):
        text_overlap([], [], undefined="raise")


@pytest.mark.parametrize(("predictions", "references", "sentence"), [
    (["a", None], ["a", "b"], "predictions has no text in row 1"),
    (["a"], [math.nan], "references has no text in row 0"),
    (["a"], [["a"]], "references must be texts, but row 0 is \\['a'\\]"),
    (["a"], ["a", "b"], "predictions has 1 row, but references has 2"),
    ("a", ["a"], "predictions must be a list or array with one value per row"),
])  # fmt: skip
def test_wrong_texts(predictions: Any, references: Any, sentence: str) -> None:
    """One sentence names the argument and the row."""
    with pytest.raises(InputError, match=f"text_overlap: {sentence}"):
        text_overlap(predictions, references)
