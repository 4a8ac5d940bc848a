"""Selection from a dataset."""

from typing import Any

import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value, concatenate_datasets
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import InputError
from fair_datasets.rows.families import family_ids
from fair_datasets.selection.rankings import select_rows
from fair_datasets.selection.select import select, unchanged_counterfactuals
from fair_datasets.selection.splits import pair_split

FEATURES = Features(
    {
        "text": Value("string"),
        "label": ClassLabel(names=["calm", "angry"]),
        "source": Value("string"),
        "text_counterfactual": Value("string"),
        "gender_equity": Value("float64"),
    }
)


def scored(rows: int = 4, **columns: list[Any]) -> Dataset:
    """Make a dataset of pairs; every other one is unchanged."""
    table = {
        "text": [f"he {row}" if row % 2 == 0 else f"rain {row}" for row in range(rows)],
        "label": [row % 2 for row in range(rows)],
        "source": [f"s{row}" for row in range(rows)],
        "text_counterfactual": [
            f"she {row}" if row % 2 == 0 else f"rain {row}" for row in range(rows)
        ],
        "gender_equity": [row / 10 if row % 2 == 0 else 0.0 for row in range(rows)],
    }
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
    ids = family_ids(data, ["text"], owner="test")
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
    data = Dataset.from_dict(
        {
            "premise": ["he", None],
            "hypothesis": ["his", "rain"],
            "premise_counterfactual": ["she", None],
            "hypothesis_counterfactual": ["her", "rain"],
        }
    )
    selected = select(data, 0, 1, columns=("premise", "hypothesis"), ranking="random")
    pairs = set(zip(selected["premise"], selected["hypothesis"], strict=True))
    assert pairs == {("she", "her"), (None, "rain")}
    with pytest.raises(InputError, match="'hypothesis' has a counterfactual too"):
        select(data, 0, 1, columns="premise", ranking="random")


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


def test_pairs_survive_selection_and_splitting() -> None:
    """After a selection with duplicates no pair straddles two splits."""
    selected = select(scored(100), 0.9, 0.9, replace=True).shuffle(seed=3)
    splits = pair_split(selected, {"train": 0.5, "test": 0.5})
    train, test = (set(split["family_id"]) for split in splits.values())
    assert train
    assert test
    assert not train & test
    assert sum(map(len, splits.values())) == len(selected)


NO_TEXT = Dataset.from_dict(
    {"text": [1, 2], "text_counterfactual": ["a", "b"], "gender_equity": [0.0, 1.0]}
)


@pytest.mark.parametrize(
    ("data", "arguments", "told"),
    [
        (scored(), {"columns": "txet"}, "there is no column 'txet'.*Did you mean 'text'"),
        (scored().remove_columns("text_counterfactual"), {}, r"CounterfactualSwap\(.*mode='pair'"),
        (scored().remove_columns("gender_equity"), {}, "make it with EquityScore"),
        (scored(), {"ranking": "healthy_el2n"}, "make it with EL2N"),
        (scored(), {"ranking": "healthy_grand"}, "make it with GraNd"),
        (scored(), {"ranking": "healthy_forget"}, "make it with Forgetting"),
        (scored().add_column("counterfactual", [True] * 4), {}, "'counterfactual' exists already"),
        (scored(gender_equity=[0.0, None, 1.0, 1.0]), {}, "row 1"),
        (scored(gender_equity=[0.0, 1.0, 1.0, float("nan")]), {}, "row 3"),
        (scored(), {"id_column": "id"}, "there is no column 'id'"),
        (scored(), {"score_columns": {"ge": "x"}}, "a key of score_columns must be one of"),
        (scored(), {"a": 0, "b": 0}, "both 0"),
        (DatasetDict({"train": scored()}), {}, "DatasetDict; take one of its splits"),
        (NO_TEXT, {}, "row 0 .* holds 1"),
    ],
)
def test_wrong_input_is_told(data: Any, arguments: dict[str, Any], told: str) -> None:
    """Each mistake has a sentence that names it."""
    with pytest.raises(InputError, match=told):
        select(data, **{"a": 0.5, "b": 0.5, **arguments})


def test_selected_rows_of_two_datasets_can_be_joined() -> None:
    """The features do not depend on which rows were chosen."""
    parts = [select(scored(), 1, 0), select(scored(), 0, 1)]
    assert len(concatenate_datasets(parts)) == 8


ODD = ["👩‍🔬 won 🎉", "he’s “here”", "cafe\u0301", "one\r\ntwo\r\n", "", "long " * 50_000]


def test_odd_texts_come_through_byte_for_byte() -> None:
    """Emoji, curly quotes, decomposed letters, Windows line ends, empty and very long texts."""
    half = [Dataset.from_dict({"text": ODD[start::2]}) for start in (0, 1)]
    data = concatenate_datasets(half)  # Two shards.
    data = data.add_column("text_counterfactual", [f"{text}!" for text in data["text"]])
    selected = select(data, 1, 1, ranking="random")
    assert sorted(selected["text"]) == sorted(ODD + [f"{text}!" for text in ODD])
