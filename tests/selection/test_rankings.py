"""Rankings and the choice of rows."""

import re
from math import floor
from typing import Any

import pytest
from datasets import ClassLabel, Dataset, Features, Value
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.rows.draws import family_ids
from fair_datasets.selection.rankings import (
    COMMON,
    RANKINGS,
    SCORES,
    rankings,
    select,
    select_rows,
    unchanged_counterfactuals,
)

HUNDREDTHS = st.integers(0, 100).map(lambda share: share / 100)
# Few values, so that there are many ties.
TABLES = st.integers(0, 12).flatmap(
    lambda rows: st.fixed_dictionaries(
        {
            name: st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=rows, max_size=rows)
            for name in SCORES
        }
    )
)


@given(TABLES, HUNDREDTHS, HUNDREDTHS, st.sampled_from(sorted(rankings())), st.integers(-5, 5))
@settings(deadline=None)
def test_counts_are_exact_and_no_row_comes_twice(
    scores: dict[str, list[float]], a: float, b: float, ranking: str, seed: int
) -> None:
    """Each half has the asked number of different rows, the same for the same seed."""
    rows = len(scores["equity"])
    if a == b == 0 or (ranking == "super_healthy_random" and a + b > 1):
        return
    chosen = select_rows(rows, a, b, scores=scores, ranking=ranking, seed=seed)
    for half, share in zip(chosen, (a, b), strict=True):
        assert len(half) == len(set(half.tolist())) == floor(share * rows + 1e-9)
        assert set(half.tolist()) <= set(range(rows))
    again = select_rows(rows, a, b, scores=scores, ranking=ranking, seed=seed)
    assert [half.tolist() for half in again] == [half.tolist() for half in chosen]


@pytest.mark.parametrize(("ranking", "factual", "counterfactual"), [("vanilla_ge", [2, 0], [2, 0]),
    ("vanilla_ge_code", [1, 3], [1, 3]), ("healthy_ge", [2, 0], [1, 3]),
    ("unhealthy_ge", [1, 3], [2, 0]), ("healthy_el2n", [0, 1], [1, 3]),
    ("healthy_grand", [2, 3], [1, 3]), ("healthy_forget", [3, 0], [1, 3]),
    ("healthy_random", None, [1, 3]), ("unhealthy_random", None, [2, 0]),
    ("unhealthy_random_code", [1, 3], None), ("random", None, None),
    ("super_healthy_random", [0, 2], [1, 3]), ("top_el2n", None, [0, 1]),
    ("top_grand", None, [2, 3]), ("top_forget", None, [3, 0])])  # fmt: skip
def test_a_ranking_means_what_its_name_says(
    ranking: str, factual: list[int] | None, counterfactual: list[int] | None
) -> None:
    """The orders of the paper's table 3, of its code, and of its first experiment."""
    scores = {"equity": [0.1, 0.9, 0.0, 0.9], "el2n": [4, 3, 2, 1], "grand": [1, 2, 4, 3],
        "forgetting": [1, 0, 1, float("inf")]}  # fmt: skip
    chosen = select_rows(4, 0.5, 0.5, scores=scores, ranking=ranking)
    if factual is not None:
        found = chosen.factual.tolist()
        assert (sorted(found) if ranking == "super_healthy_random" else found) == factual
    if counterfactual is not None:
        assert chosen.counterfactual.tolist() == counterfactual


def test_random_halves_are_drawn_apart_and_change_with_the_seed() -> None:
    """The halves differ from each other, and from those of another seed."""
    first = select_rows(1000, 0.3, 0.3, ranking="random", seed=0)
    other = select_rows(1000, 0.3, 0.3, ranking="random", seed=1)
    overlap = len(set(first.factual.tolist()) & set(first.counterfactual.tolist()))
    assert 50 < overlap < 130  # 90 are expected of independent draws.
    assert first.factual.tolist() != other.factual.tolist()
    larger = select_rows(1000, 0.4, 0.1, ranking="random", seed=0)
    assert larger.factual.tolist()[:300] == first.factual.tolist()


def test_with_replacement_a_row_can_come_twice() -> None:
    """As in the paper's code; the count stays exact, and scored halves have no duplicates."""
    scores = {"equity": list(range(100))}
    chosen = select_rows(100, 0.9, 0.9, scores=scores, replace=True)
    assert len(chosen.factual) == 90 > len(set(chosen.factual.tolist()))
    assert len(set(chosen.counterfactual.tolist())) == 90


def test_float_error_loses_no_row() -> None:
    """100 * 0.29 is 28.999999999999996, and means 29."""
    assert len(select_rows(100, 0.29, 0, ranking="random").factual) == 29


def test_each_ranking_is_told_in_one_sentence() -> None:
    """And those that people use come first."""
    sentences = rankings()
    assert list(sentences)[:4] == list(COMMON)
    assert len(set(sentences.values())) == len(RANKINGS)
    assert all(re.fullmatch(r"[A-Z][^.]+\.", sentence) for sentence in sentences.values())


@pytest.mark.parametrize(("a", "b", "replace"), [(0.1, 0.9, False), (0, 1, True)])
def test_other_rows_need_only_be_as_many_as_are_asked_for(
    a: float, b: float, replace: bool
) -> None:
    """However many counterfactuals are chosen."""
    found = select_rows(
        10, a, b, scores={"equity": range(10)}, ranking="super_healthy_random", replace=replace
    )
    assert (len(found.factual), len(found.counterfactual)) == (10 * a, 10 * b)
    assert not {*found.factual} & {*found.counterfactual}


FEATURES = Features({"text": Value("string"), "label": ClassLabel(names=["calm", "angry"]),
    "source": Value("string"), "text_counterfactual": Value("string"),
    "gender_equity": Value("float64")})  # fmt: skip


def scored(rows: int = 4, **columns: list[Any]) -> Dataset:
    """Make a dataset of pairs; every other one is unchanged."""
    table = {"text": [f"he {row}" if row % 2 == 0 else f"rain {row}" for row in range(rows)],
        "label": [row % 2 for row in range(rows)], "source": [f"s{row}" for row in range(rows)],
        "text_counterfactual": [f"she {row}" if row % 2 == 0 else f"rain {row}"
        for row in range(rows)], "gender_equity": [row / 10 if row % 2 == 0 else 0.0
        for row in range(rows)]}  # fmt: skip
    return Dataset.from_dict({**table, **columns}, features=FEATURES)


def test_halves_follow_the_ranking_and_keep_columns_and_types() -> None:
    """The factual rows come first; the counterfactual text takes the place of the text."""
    selected = select(scored(), 0.5, 0.5, ranking="healthy_ge")
    assert selected["text"][:] == ["he 0", "rain 1", "she 2", "she 0"]
    assert selected["label"][:] == [0, 1, 0, 0]
    assert selected["source"][:] == ["s0", "s1", "s2", "s0"]
    assert selected["counterfactual"][:] == [False, False, True, True]
    expected = {name: kind for name, kind in FEATURES.items() if name != "text_counterfactual"}
    expected |= {"family_id": Value("string"), "counterfactual": Value("bool")}
    assert selected.features == expected
    ids = selected["family_id"][:]
    assert ids[0] == ids[3]
    assert len(set(ids)) == 3


@given(st.integers(1, 15), st.floats(0, 1), st.floats(0.01, 1), st.integers(0, 9), st.booleans())
@settings(max_examples=25, deadline=None)
def test_counts_labels_and_pairs_hold(
    rows: int, a: float, b: float, seed: int, replace: bool
) -> None:
    """Rows are those that `select_rows` names, with the labels of the originals."""
    data = scored(rows)
    selected = select(data, a, b, seed=seed, replace=replace)
    scores = {"equity": data["gender_equity"][:]}
    chosen = select_rows(rows, a, b, scores=scores, seed=seed, replace=replace)
    ids = family_ids(data, ["text"])
    numbers = [*chosen.factual.tolist(), *chosen.counterfactual.tolist()]
    assert selected["family_id"][:] == [ids[row] for row in numbers]
    assert selected["label"][:] == [data[row]["label"] for row in numbers]
    assert sum(selected["counterfactual"]) == len(chosen.counterfactual)


def test_ids_come_from_a_column_if_one_is_named() -> None:
    """Whatever the type of the column, a pair's id is a string."""
    data = scored().add_column("number", [7, 8, 9, 10])
    selected = select(data, 1, 0, ranking="vanilla_ge", id_column="number")
    assert selected["family_id"][:] == ["7", "8", "10", "9"]


def test_several_text_columns_are_swapped_together() -> None:
    """A row is factual or counterfactual in all of them, and nulls stay nulls."""
    data = Dataset.from_dict({"premise": ["he", None], "hypothesis": ["his", "rain"],
        "premise_counterfactual": ["she", None],
        "hypothesis_counterfactual": ["her", "rain"]})  # fmt: skip
    selected = select(data, 0, 1, columns=("premise", "hypothesis"), ranking="random")
    pairs = set(zip(selected["premise"], selected["hypothesis"], strict=True))
    assert pairs == {("she", "her"), (None, "rain")}


def test_formats_views_and_large_strings_are_read_as_well() -> None:
    """A shuffled dataset in another format, with a counterfactual of another string type."""
    data = scored(8).cast_column("text_counterfactual", Value("large_string"))
    plain = select(data.shuffle(seed=1), 0.5, 0.5)
    assert plain.features["text"] == Value("string")
    formatted = select(data.shuffle(seed=1).with_format("numpy"), 0.5, 0.5)
    assert formatted[:] == plain[:]


def test_other_score_columns_can_be_named() -> None:
    """A score of another axis takes the place of the one of gender."""
    data = scored().rename_column("gender_equity", "race_equity")
    selected = select(data, 0, 0.25, score_columns={"equity": "race_equity"})
    assert selected["text"][:] == ["she 2"]


def test_unchanged_counterfactuals_are_counted() -> None:
    """Those among the chosen whose text equals the original."""
    data = scored()
    assert unchanged_counterfactuals(data, select(data, 0.5, 1)) == 2
    assert unchanged_counterfactuals(data, select(data, 1, 0.5)) == 0


def test_families_are_kept_and_copied() -> None:
    """A second selection, or one of rows that have been swapped, keeps what belongs together."""
    data = scored().add_column("family_id", ["a", "a", "b", "b"])
    selected = select(data, 1, 1, ranking="vanilla_ge")
    assert sorted(selected["family_id"]) == ["a"] * 4 + ["b"] * 4
    assert unchanged_counterfactuals(data, selected) == 2
