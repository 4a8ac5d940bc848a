"""Rows in which one word alone is biased."""

from math import isnan

import pytest
from datasets import Dataset

from fair_datasets import InputError, KeepWordsBelow
from fair_datasets.selection.correction.words import strongest_words


def words(*parts: float) -> list[dict[str, float]]:
    """Make the words of a row."""
    return [{"product": part} for part in parts]


def test_both_thresholds_must_be_passed() -> None:
    """Strictly, and without the sign of a part; a row without a score or a word stays."""
    keep = KeepWordsBelow(threshold=0.5, word_threshold=0.3)
    rows = [
        (0.6, words(0.4, 0.2), False),
        (0.6, words(-0.4, 0.2), False),
        (0.6, words(0.3, 0.3), True),
        (0.5, words(0.5), True),
        (None, None, True),
        (0.0, [], True),
    ]
    batch = {"bias_score": [row[0] for row in rows], "bias_score_words": [row[1] for row in rows]}
    assert keep(batch) == [row[2] for row in rows]


def test_the_most_biased_word_of_each_row() -> None:
    """0 where there is no word, nothing where there is no score."""
    rows = Dataset.from_dict({"bias_score_words": [words(0.1, -0.4), [], None]})
    found = strongest_words(rows, "bias_score").tolist()
    assert found[:2] == [0.4, 0.0]
    assert isnan(found[2])


def test_other_columns_are_refused() -> None:
    """The sentence says what makes the column."""
    keep = KeepWordsBelow(threshold=0.5, word_threshold=0.3)
    with pytest.raises(InputError, match="no column 'bias_score_words'"):
        keep({"bias_score": [0.6]})
    with pytest.raises(InputError, match=r"must hold the words of BiasScore\(explain=True\)"):
        keep({"bias_score": [0.6], "bias_score_words": [["pink"]]})
    with pytest.raises(InputError, match="word_threshold must be a number"):
        KeepWordsBelow(threshold=0.5, word_threshold="high")  # type: ignore[arg-type]
