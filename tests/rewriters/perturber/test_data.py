"""Rows in the format of PANDA: what is accepted, what is refused, and how they are split."""

from typing import Any

import pytest
from datasets import Dataset

from fair_datasets import InputError
from fair_datasets.rewriters.perturber.data import (
    COLUMNS,
    axis_of,
    perturbations,
    spans_of,
)

ROW = {
    "original": "She said that the actor left.", "selected_word": "actor",
    "target_attribute": "woman", "perturbed": "She said that the actress left.",
}  # fmt: skip


def rows(*changes: dict[str, Any]) -> Dataset:
    """Return rows that differ from a good one."""
    return Dataset.from_list([ROW | change for change in changes])


def test_rows_are_written_in_one_form() -> None:
    """Line ends behind the rewrite go, spaces and other columns do not come back changed."""
    found = perturbations(rows({"perturbed": "Yes. \r\n\n", "id": 3}))
    assert found.rows.column_names == list(COLUMNS)
    assert found.rows["perturbed"][0] == "Yes. "
    assert found.dropped == {}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"original": None}, "in row 1 (counted from 0) 'original' is empty"),
        ({"perturbed": " \n"}, "'perturbed' is empty"),
        ({"selected_word": "act"}, "the selected_word 'act' is not in the text"),
        ({"selected_word": "waiter"}, "the selected_word 'waiter' is not in the text"),
        ({"target_attribute": "Woman"}, "is not one of 'man', 'woman', 'non-binary'"),
        ({"target_attribute": "man"}, "'actor' already has the target_attribute 'man'"),
    ],
)
def test_a_faulty_row_is_told_or_dropped(change: dict[str, Any], sentence: str) -> None:
    """One sentence names the row; or the row is left out and counted."""
    faulty = rows({}, change, {})
    with pytest.raises(InputError) as raised:
        perturbations(faulty)
    assert sentence in str(raised.value)
    assert "faulty='drop'" in str(raised.value)
    found = perturbations(faulty, faulty="drop")
    assert len(found.rows) == 2
    assert list(found.dropped.values()) == [1]


def test_what_cannot_be_rows_is_told() -> None:
    """A missing column, no rows, no text, and rows of which none is left."""
    with pytest.raises(InputError, match="there is no column 'selected_word'"):
        perturbations(rows({}).remove_columns("selected_word"))
    with pytest.raises(InputError, match="has no rows"):
        perturbations(rows({}).select([]))
    with pytest.raises(InputError, match="column 'original' must hold text or nulls, but row 0"):
        perturbations(Dataset.from_list([ROW | {"original": 5}]))
    with pytest.raises(InputError, match="no row is left, because all 1 are faulty"):
        perturbations(rows({"target_attribute": "tall"}), faulty="drop")
    with pytest.raises(InputError, match="faulty must be one of 'raise', 'drop'"):
        perturbations(rows({}), faulty="keep")


def test_attributes_of_an_axis_of_ones_own() -> None:
    """They are known where they are named."""
    own = rows({"target_attribute": "tall"})
    assert len(perturbations(own, attributes="tall").rows) == 1


def test_words_are_found_as_a_whole() -> None:
    """In any letter case, phrases and words with a hyphen too."""
    assert spans_of("Mother-in-law, mother", "mother") == [(0, 6), (15, 21)]
    assert spans_of("A MOTHER-in-law.", "mother-in-law") == [(2, 15)]
    assert spans_of("He (they) left.", "they") == [(4, 8)]
    assert spans_of("Here they are.", "he") == []


def test_the_attributes_of_panda_have_an_axis() -> None:
    """Others have none."""
    assert [axis_of(name) for name in ("woman", "black", "senior", "tall")] == [
        "gender", "race", "age", "",
    ]  # fmt: skip
