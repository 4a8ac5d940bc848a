"""Rows in which one word alone is biased."""

from math import isnan
from pathlib import Path
from typing import Any

from datasets import Dataset
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, KeepLabelled, KeepWordsBelow, SwapAbove
from fair_datasets.selection.correction.techniques import strongest_words


def words(*parts: float) -> list[dict[str, float]]:
    """Make the words of a row."""
    return [{"product": part} for part in parts]


def test_both_thresholds_must_be_passed() -> None:
    """Strictly, and without the sign of a part; a row without a score or a word stays."""
    keep = KeepWordsBelow(threshold=0.5, word_threshold=0.3)
    rows = [(0.6, words(0.4, 0.2), False), (0.6, words(-0.4, 0.2), False),
        (0.6, words(0.3, 0.3), True), (0.5, words(0.5), True), (None, None, True),
        (0.0, [], True)]  # fmt: skip
    batch = {"bias_score": [row[0] for row in rows], "bias_score_words": [row[1] for row in rows]}
    assert keep(batch) == [row[2] for row in rows]


def test_the_most_biased_word_of_each_row() -> None:
    """0 where there is no word, nothing where there is no score."""
    rows = Dataset.from_dict({"bias_score_words": [words(0.1, -0.4), [], None]})
    found = strongest_words(rows, "bias_score").tolist()
    assert found[:2] == [0.4, 0.0]
    assert isnan(found[2])


def test_what_is_no_label() -> None:
    """A dash, -1 and nothing, in whatever type a column has."""
    keep = KeepLabelled(column="label")
    for values, expected in (
        (["neutral", "-", "", " ", None, "-1", "no-go"], [True, *[False] * 5, True]),
        ([0, 1, 2, -1, None], [True, True, True, False, False]),
        ([0.0, -1.0, float("nan"), -2.0], [True, False, False, True]),
        ([True, False], [True, True]),
    ):
        assert keep({"label": values}) == expected


TEXTS = ["He ran.", "It rains.", "Her brother slept.", None, ""]
ROWS = st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(TEXTS),
    st.one_of(st.none(), st.floats(0, 1), st.just(float("nan")))), max_size=8)  # fmt: skip


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
