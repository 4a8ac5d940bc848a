"""Putting the rows of a result together."""

from fair_datasets.rewriting import Counterfactual
from fair_datasets.rewriting.layout import augmented_rows, lay_out, pair_rows, replaced_rows
from fair_datasets.row_texts import RowTexts

ROWS = [("he", None), ("it", "it"), ("her", "him")]
BATCH = {"a": ["he", "it", "her"], "n": [1, 2, 3], "b": [None, "it", "him"]}
TEXTS = RowTexts.read(BATCH, ["a", "b"], owner="Swap")
# The first row has one counterfactual, the last has two.
REWRITTEN = {
    0: [Counterfactual(("she", None))],
    2: [Counterfactual(("his", "her")), Counterfactual(("their", "them"))],
}


def test_a_counterfactual_takes_the_place_of_its_origin() -> None:
    """There are as many rows as before; of several counterfactuals the first is taken."""
    result = lay_out(BATCH, TEXTS, *replaced_rows(ROWS, REWRITTEN))
    assert result == {"a": ["she", "it", "his"], "n": [1, 2, 3], "b": [None, "it", "her"]}
    assert [*result] == [*BATCH]


def test_counterfactuals_follow_their_origin() -> None:
    """Each row comes first, and the other columns are repeated."""
    result = lay_out(BATCH, TEXTS, *augmented_rows(ROWS, REWRITTEN))
    assert result["a"] == ["he", "she", "it", "her", "his", "their"]
    assert result["b"] == [None, None, "it", "him", "her", "them"]
    assert result["n"] == [1, 1, 2, 3, 3, 3]


def test_unchanged_rows_are_repeated_if_asked_for() -> None:
    """A row without a counterfactual is followed by itself, as if it had been rewritten."""
    origins, changed = augmented_rows(ROWS, REWRITTEN, keep_unchanged=True)
    assert origins == [0, 0, 1, 1, 2, 2, 2]
    assert changed[3] == Counterfactual(("it", "it"))


def test_texts_and_counterfactuals_stand_side_by_side() -> None:
    """No column of the batch changes."""
    result = pair_rows(BATCH, TEXTS, REWRITTEN)
    new = {"a_counterfactual": ["she", "it", "his"], "b_counterfactual": [None, "it", "her"]}
    assert result == BATCH | new
