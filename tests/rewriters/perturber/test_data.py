"""Rows in the format of PANDA: what is accepted, what is refused, and how they are split."""

from typing import Any

from datasets import Dataset

from fair_datasets.rewriters.perturber.data import COLUMNS, axis_of, perturbations, spans_of

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


def test_faulty_rows_are_left_out_and_counted() -> None:
    """Attributes of an axis of one's own are known where they are named."""
    own = rows({"target_attribute": "tall"}, {}, {"selected_word": "act"})
    found = perturbations(own, faulty="drop")
    assert (len(found.rows), list(found.dropped.values())) == (1, [1, 1])
    assert len(perturbations(own, attributes="tall", faulty="drop").rows) == 2


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
