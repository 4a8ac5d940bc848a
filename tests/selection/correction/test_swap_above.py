"""Swapping the rows above a threshold."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, InputError, SwapAbove

TEXTS = ["He ran.", "It rains.", "Her brother slept.", None, ""]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(TEXTS),
        st.sampled_from(TEXTS),
        st.one_of(st.none(), st.floats(0, 1), st.just(float("nan"))),
    ),
    max_size=8,
)


@given(ROWS, st.floats(0, 1), st.sampled_from(["augment", "replace", "pair"]), st.booleans())
@settings(deadline=None, max_examples=60)
def test_rows_above_are_swapped_and_no_others(
    rows: list[tuple[Any, Any, Any]], threshold: float, mode: str, provenance: bool
) -> None:
    """Each row alone gives what the swap gives above, and itself below or without a score."""
    options = {"columns": ("a", "b"), "mode": mode, "provenance": provenance and mode != "pair"}
    swap, above = CounterfactualSwap(**options), SwapAbove(**options, threshold=threshold)
    never = SwapAbove(**options, threshold=2)
    batch = {"a": [row[0] for row in rows], "b": [row[1] for row in rows],
             "bias_score": [row[2] for row in rows]}  # fmt: skip
    expected: dict[str, list[Any]] = {}
    for a, b, score in rows:
        alone = {"a": [a], "b": [b], "bias_score": [score]}
        chosen = swap if score is not None and score > threshold else never
        for name, values in chosen(alone).items():
            expected.setdefault(name, []).extend(values)
    assert repr(above(batch)) == repr(expected or never(batch))


def test_all_columns_together_and_the_label_kept() -> None:
    """One copy behind its row, with the hypothesis swapped where the premise has no word."""
    batch = {"premise": ["A nurse ran.", "He ran."], "hypothesis": ["She ran.", "He ran."],
             "label": [1, 2], "bias_score": [0.9, 0.1]}  # fmt: skip
    found = SwapAbove(columns=("premise", "hypothesis"), threshold=0.5, family=False)(batch)
    assert found == {
        "premise": ["A nurse ran.", "A nurse ran.", "He ran."],
        "hypothesis": ["She ran.", "He ran.", "He ran."],
        "label": [1, 1, 2],
        "bias_score": [0.9, 0.9, 0.1],
    }


def test_the_rule_of_the_paper_for_her(tmp_path: Path) -> None:
    """A list of one's own swaps as the paper's did: `her` is always the object of `him`."""
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(
        "man\twoman\nhe\tshe\nhim\ther\nhis\ther[target]\nhis[target]\thers\n", encoding="utf-8"
    )
    batch = {"text": ["He read her book.", "He took his dog."], "bias_score": [0.9, 0.9]}
    options = {"columns": "text", "threshold": 0.5, "mode": "replace"}
    listed = SwapAbove(**options, axis=str(pairs))
    assert listed(batch)["text"] == ["She read him book.", "She took her dog."]
    assert SwapAbove(**options)(batch)["text"] == ["She read his book.", "She took her dog."]


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"threshold": None}, "threshold must be a number"),
        ({"threshold": float("nan")}, "threshold must be a number"),
        ({"threshold": 1, "score_column": ""}, "score_column must be a column name"),
        ({"threshold": 1, "mode": "agument"}, "Did you mean 'augment'"),
    ],
)
def test_wrong_parameters_are_told(parameters: dict[str, Any], told: str) -> None:
    """Each mistake has a sentence."""
    with pytest.raises(InputError, match=told):
        SwapAbove(columns="text", **parameters)


def test_scores_have_to_be_numbers() -> None:
    """The sentence names the column and the row."""
    with pytest.raises(InputError, match="'bias_score' of the batch must hold numbers, but row 1"):
        SwapAbove(columns="text", threshold=0)({"text": ["a", "b"], "bias_score": [1, "high"]})
    with pytest.raises(InputError, match="no column 'bias_score'"):
        SwapAbove(columns="text", threshold=0)({"text": ["a"]})
