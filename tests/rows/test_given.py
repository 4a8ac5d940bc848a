"""Whatever is given as rows, there is a result or one sentence that says what to give."""

from collections.abc import Callable
from typing import Any

import pytest
from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

from fair_datasets import InputError, load_metric
from fair_datasets.rows import texts_of
from fair_datasets.rows.given import batches
from fair_datasets.selection.diet import DietConfig, healthy_diet
from fair_datasets.selection.rankings import select, unchanged_counterfactuals
from fair_datasets.selection.search import grid_search
from fair_datasets.selection.splits import pair_split
from fair_datasets.selection.thresholds import fit_threshold
from fair_datasets.swap import balance_groups, count_mentions

SCORED = Dataset.from_dict(
    {"text": ["He won.", "Rain."], "text_counterfactual": ["She won.", "Rain."],
     "gender_equity": [0.4, 0.0], "pair": ["a", "b"], "label": [1, 0]}
)  # fmt: skip
STREAM = SCORED.to_iterable_dataset()
UNKNOWN = IterableDataset.from_generator(lambda: iter(SCORED))
GIVEN = {
    "nothing (None)": None, "a list": list(SCORED), "a dict": SCORED.to_dict(),
    "a DataFrame": SCORED.to_pandas(), "a str": "scored.csv", "an int": 3,
    "a DatasetDict": DatasetDict(train=SCORED),
    "an IterableDatasetDict": IterableDatasetDict(train=STREAM), "an IterableDataset": STREAM,
}  # fmt: skip
GROUPS = {"group_column": "text", "label_column": "label"}
SPLITS = DatasetDict(train=SCORED, test=SCORED)
OF_ONE_DATASET: dict[str, Callable[[Any], Any]] = {
    "select": lambda rows: select(rows, 0.5, 0.5),
    "unchanged_counterfactuals": lambda rows: unchanged_counterfactuals(SCORED, rows),
    "pair_split": lambda rows: pair_split(rows, family_column="pair"),
    "balance_groups": lambda rows: balance_groups(rows, SCORED, **GROUPS),
    "balance_groups: the pool": lambda rows: balance_groups(SCORED, rows, **GROUPS),
    "healthy_diet, split train": lambda rows: healthy_diet(
        dict.fromkeys(["train", "validation", "test"], rows), DietConfig(columns="text"), work="no"
    ),
}


def sentence(call: Callable[[], Any]) -> str:
    """Return the one sentence that a call is refused with."""
    with pytest.raises(InputError) as refused:
        call()
    (line,) = str(refused.value).splitlines()
    return line


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("function", OF_ONE_DATASET)
def test_what_is_no_dataset_is_named(function: str, given: str) -> None:
    """And the sentence says how to make one."""
    told = sentence(lambda: OF_ONE_DATASET[function](GIVEN[given]))
    assert told.startswith(f"{function}: it needs one datasets.Dataset, but it was given {given}; ")
    advice = {
        "a DataFrame": "Dataset.from_pandas",
        "a DatasetDict": "take one of its splits: 'train'",
        "an IterableDatasetDict": "take one of its splits: 'train'",
        "an IterableDataset": "load it without streaming",
    }
    assert advice.get(given, "make one by Dataset.from_list") in told


def test_two_columns_of_one_name() -> None:
    """As `flatten` leaves them: neither is read for the other."""
    rows = Dataset.from_dict({"meta": [{"text": "He won."}], "meta.text": ["She won."]}).flatten()
    twice = "two columns are named 'meta.text', and one of them would be lost; rename one before."
    assert sentence(lambda: select(rows, 1, 1)) == f"select: {twice}"
    assert sentence(lambda: count_mentions(rows, "meta.text")) == f"count_mentions: {twice}"


ALL_KINDS = [SPLITS, STREAM, UNKNOWN, IterableDatasetDict(train=UNKNOWN, test=STREAM)]


@pytest.mark.parametrize("given", ALL_KINDS)
def test_a_threshold_is_taken_from_splits_and_streams_as_well(given: Any) -> None:
    """Also from a stream that does not know its columns."""
    found = fit_threshold(given, "gender_equity", keep="below", quantile=0.5)
    assert found.threshold == pytest.approx(0.2)


@pytest.mark.parametrize("given", ["nothing (None)", "a list", "a DataFrame", "a str", "an int"])
def test_thresholds_and_counts_need_a_dataset(given: str) -> None:
    """Or several."""
    for call in (
        lambda: fit_threshold(GIVEN[given], "gender_equity", keep="below", quantile=0.5),
        lambda: count_mentions(GIVEN[given], "text"),
    ):
        needed = f"needs a dataset of Hugging Face Datasets, but it was given {given}; make one"
        assert needed in sentence(call)


@pytest.mark.parametrize("given", [SCORED, *ALL_KINDS])
def test_batches_of_every_kind_of_dataset(given: Any) -> None:
    """All splits are read, in batches of the size asked for, with the columns asked for."""
    found = list(batches(given, ["label"], owner="count_mentions", size=1))
    expected = [{"label": [1]}, {"label": [0]}] * (len(found) // 2)
    assert found
    assert [{"label": batch["label"]} for batch in found] == expected
    known = given is not UNKNOWN and not isinstance(given, IterableDatasetDict)
    if known:
        assert [list(batch) for batch in found] == [["label"]] * len(found)
        told = sentence(lambda: list(batches(given, ["txet"], owner="count_mentions")))
        assert told.startswith("count_mentions: there is no column 'txet'")


@pytest.mark.parametrize("function", ["select", "pair_split"])
@pytest.mark.parametrize("empty", [SCORED.select([]), Dataset.from_dict({})])
def test_without_rows_there_is_nothing_to_choose(function: str, empty: Dataset) -> None:
    """It is told, in place of a result without rows."""
    told = sentence(lambda: OF_ONE_DATASET[function](empty))
    assert told == f"{function}: the dataset has no rows; give one that has some."


def test_without_rows_there_is_no_threshold_and_no_diet() -> None:
    """Nor without columns."""
    fit = {"column": "gender_equity", "keep": "below", "quantile": 0.5}
    for empty in (SCORED.select([]), DatasetDict()):
        assert "has no rows, so it has no threshold" in sentence(
            lambda empty=empty: fit_threshold(empty, **fit)  # type: ignore[misc]
        )
    told = sentence(lambda: fit_threshold(Dataset.from_dict({}), **fit))  # type: ignore[arg-type]
    assert told.endswith("there is no column 'gender_equity'; there are no columns.")
    diet = OF_ONE_DATASET["healthy_diet, split train"]
    assert "there are no rows" in sentence(lambda: diet(SCORED.select([])))


@pytest.mark.parametrize("given", [None, SCORED, STREAM, SCORED.to_pandas(), [SCORED]])
def test_a_diet_needs_a_mapping_of_splits(given: Any) -> None:
    """One dataset is to be divided first."""
    told = sentence(lambda: healthy_diet(given, DietConfig(columns="text"), work="no"))
    assert "splits must be a DatasetDict or another mapping with 'train', 'validation'" in told


@pytest.mark.parametrize("given", [SCORED, STREAM, SCORED.to_pandas(), DatasetDict(train=SCORED)])
def test_a_search_is_not_of_a_dataset(given: Any) -> None:
    """What it compares, writes to and is told by are no rows."""
    baseline = {"auc": 0.9, "flip_rate": 0.1}
    measured = {**baseline, "rows": 1}

    def search(**options: Any) -> Any:
        arguments = {"evaluate": lambda a, b: measured, "baseline": baseline, **options}
        return grid_search(**arguments)

    assert "evaluate must be a function" in sentence(lambda: search(evaluate=given))
    assert "the baseline must be a mapping" in sentence(lambda: search(baseline=given))
    assert "done must be a path or None" in sentence(lambda: search(done=given))
    returned = sentence(lambda: search(evaluate=lambda a, b: given))
    assert "evaluate(0.3, 0.0) must be a mapping" in returned


@pytest.mark.parametrize("given", [SCORED, SCORED.to_pandas(), 3, ["el2n"]])
def test_score_columns_are_a_mapping(given: Any) -> None:
    """Of scores to columns."""
    told = sentence(lambda: select(SCORED, 0.5, 0.5, score_columns=given))
    assert "score_columns must be a mapping of scores to columns" in told


def test_texts_of_a_dataset() -> None:
    """One text for each row, of all splits, for the measures."""
    talks = [[{"role": "user", "content": "He won."}, {"role": "bot", "content": "Good."}], None]
    rows = Dataset.from_dict({"messages": talks, "text": ["a", "b"]})
    for given_rows in (rows, rows.to_iterable_dataset()):
        assert texts_of(given_rows, "messages[].content") == ["He won.\nGood.", None]
        assert texts_of(given_rows, ["text", "messages[].content"], roles="user") == [
            "a\nHe won.",
            "b",
        ]
    splits = DatasetDict(train=rows, test=rows)
    assert texts_of(splits, "text") == ["a", "b", "a", "b"]
    found = load_metric("representation").compute(data=texts_of(rows, "messages[].content")[:1])
    assert found["mentions"] == {"man": 1, "woman": 0, "non-binary": 0}
    with pytest.raises(InputError, match=r"`texts_of\(dataset, 'messages\[\].content'\)` reads"):
        load_metric("representation").compute(data=talks[:1])
