"""Tests of applying techniques to what `datasets` has, and of the sentences about wrong calls."""

import copy
import json
import pickle
import re
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, List, Value, load_dataset
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, InputError, KeepAbove, MentionedAttribute
from fair_datasets.technique import Technique
from fair_datasets.technique.application import MappedColumns

SWAP = CounterfactualSwap(columns="text", family=False)
GROUP = MentionedAttribute(columns="text")
KEEP = KeepAbove(column="score", threshold=0.5)
COLUMNS = {"text": ["He ran.", "It rains.", "She sat."], "score": [0.2, 0.6, 0.9]}
SWAPPED = ["He ran.", "She ran.", "It rains.", "She sat.", "He sat."]


def rows(count: int = 1) -> Dataset:
    """Return a dataset of three rows, repeated."""
    return Dataset.from_dict({name: values * count for name, values in COLUMNS.items()})


def refusal(call: Callable[[], Any]) -> str:
    """Return the sentence in which a call is refused."""
    with pytest.raises(InputError) as caught:
        call()
    return str(caught.value)


# What `filter` does with a technique that is for `map`.


@pytest.mark.parametrize("technique", [SWAP, GROUP])
@pytest.mark.parametrize("count", [1, 2, 40])
@pytest.mark.parametrize("options", [{}, {"batch_size": 2}, {"num_proc": 2}])
def test_filter_refuses_a_technique_that_chooses_no_rows(
    technique: Technique, count: int, options: dict[str, Any]
) -> None:
    """No row is lost without a word, whatever the numbers of rows and columns."""
    name = type(technique).__name__
    told = refusal(lambda: rows(count).filter(technique, batched=True, **options))
    assert told == (
        f"{name}: it changes or adds columns and does not choose rows; use "
        "`dataset.map(technique, batched=True)` or `technique.apply(dataset)`, not `filter`."
    )
    both = DatasetDict({"train": rows(count), "test": rows()})
    assert refusal(lambda: both.filter(technique, batched=True, **options)) == told


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_filter_of_a_stream_fails_too(size: int) -> None:
    """With as many rows in a batch as columns the sentence is ours, else that of `datasets`."""
    stream = rows().to_iterable_dataset().filter(GROUP, batched=True, batch_size=size)
    with pytest.raises((InputError, ValueError), match=r"filter|Column lengths mismatch"):
        list(stream)


def test_map_refuses_nothing_that_it_took(tmp_path: Path) -> None:
    """What a technique returns is a dictionary for all who read it, write it or send it on."""
    result = SWAP(COLUMNS)
    assert isinstance(result, dict)
    assert result == {"text": SWAPPED, "score": [0.2, 0.2, 0.6, 0.9, 0.9]}
    assert [*result] == list(result.keys()) == ["text", "score"]
    assert {**result} == dict(result) == result
    assert all(type(name) is str for name in [*result.keys(), *{**result}, *dict(result)])
    assert pd.DataFrame(result)["text"].tolist() == SWAPPED
    assert Dataset.from_dict(result)["text"][:] == SWAPPED
    assert json.loads(json.dumps(result)) == result
    for copied in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert copied == result
    with pytest.raises(KeyError, match="txet"):
        result["txet"]


@given(st.dictionaries(st.text(), st.lists(st.integers()), min_size=1))
def test_no_name_of_a_column_is_true_or_false(columns: dict[str, list[int]]) -> None:
    """Each item of a walk refuses to be a truth value; an integer key is no column."""
    mapped = MappedColumns(columns, owner="Shout")
    for name in mapped:
        assert mapped[name] == columns[name]
        with pytest.raises(InputError, match=r"^Shout: "):
            bool(name)
    with pytest.raises(InputError, match=r"^Shout: "):
        mapped[0]


# `apply`.


def test_apply_maps_every_kind_of_dataset() -> None:
    """A dataset, several splits, and streams of both: one call, the same rows."""
    data = rows()
    assert SWAP.apply(data)["text"][:] == SWAPPED
    both = SWAP.apply(DatasetDict({"train": data, "test": data.select([2])}))
    assert isinstance(both, DatasetDict)
    assert (both["train"]["text"][:], both["test"]["text"][:]) == (SWAPPED, ["She sat.", "He sat."])
    stream = SWAP.apply(data.to_iterable_dataset())
    assert [row["text"] for row in stream] == SWAPPED
    assert stream.features == SWAP.features(data.features)


def test_apply_filters() -> None:
    """A technique that chooses rows is given to `filter`."""
    assert KEEP.apply(rows())["text"][:] == ["It rains.", "She sat."]
    assert [row["score"] for row in KEEP.apply(rows().to_iterable_dataset())] == [0.6, 0.9]
    assert KEEP.apply(DatasetDict({"train": rows()}))["train"].num_rows == 2


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Return two CSV files: a stream of one does not know its features."""
    for name in ("train", "test"):
        rows().to_csv(str(tmp_path / f"{name}.csv"), index=False)
    return {name: str(tmp_path / f"{name}.csv") for name in ("train", "test")}


@pytest.mark.parametrize("mode", ["augment", "substitute", "replace", "pair"])
def test_apply_takes_streams_whose_features_are_unknown(mode: str, files: dict[str, str]) -> None:
    """A CSV that is streamed gives what the same CSV gives when it is loaded."""
    swap = CounterfactualSwap(columns="text", mode=mode)
    streams = load_dataset("csv", data_files=files, streaming=True)
    assert streams["train"].features is None
    expected = swap.apply(load_dataset("csv", data_files=files))
    found = swap.apply(streams)
    assert type(found) is type(streams)
    for name in files:
        assert list(found[name]) == list(expected[name])
        assert list(swap.apply(streams[name])) == list(expected[name])
        assert list(streams[name].map(swap, batched=True)) == list(expected[name])


def test_apply_types_a_column_that_begins_with_nulls() -> None:
    """The first 1,500 rows mention nobody: `map` by hand would need the features."""
    data = Dataset.from_dict({"text": ["It rains."] * 1500 + ["She sat."]})
    for result in (GROUP.apply(data), GROUP.apply(DatasetDict({"train": data}))["train"]):
        assert result.features["group"] == Value("string")
        assert result["group"][-2:] == [None, "woman"]
    streamed = list(GROUP.apply(data.to_iterable_dataset()))
    assert streamed[-1]["group"] == "woman"
    assert GROUP.apply(data, features=GROUP.features(data.features))["group"][-1] == "woman"


def test_apply_keeps_features_and_format() -> None:
    """Class labels stay; a format stays, with what it hides and with the new columns."""
    kinds = Features(
        {
            "text": Value("string"),
            "label": ClassLabel(names=["no", "yes"]),
            "tags": List(Value("string")),
        }
    )
    data = Dataset.from_dict({"text": ["He ran."], "label": [1], "tags": [["a"]]}, features=kinds)
    assert SWAP.apply(data).features == kinds
    shown = data.with_format("numpy", columns=["label", "text"])
    result = GROUP.apply(shown)
    assert result.format["type"] == "numpy"
    assert sorted(result.format["columns"]) == ["group", "label", "text"]
    assert isinstance(result[0]["label"], np.integer)
    assert result.with_format(None)[0] == {
        "text": "He ran.",
        "label": 1,
        "tags": ["a"],
        "group": "man",
    }
    assert SWAP.apply(data.with_format("pandas"))[:]["text"].tolist() == ["He ran.", "She ran."]
    assert SWAP.apply(data).format == data.format


def test_apply_passes_options_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options of `map` reach it; the technique names the progress bar and the rows of a batch."""
    seen: list[dict[str, Any]] = []

    @wraps(Dataset.map)
    def watched(self: Dataset, function: Any, **options: Any) -> Dataset:
        seen.append(options)
        return self

    monkeypatch.setattr(Dataset, "map", watched)
    SWAP.apply(rows(), num_proc=2, batch_size=7)
    SWAP.apply(DatasetDict({"train": rows()}))
    SWAP.apply(rows(), desc="Swapping")
    assert [options.pop("features") for options in seen] == [rows().features] * 3
    assert seen == [
        {"batched": True, "desc": "CounterfactualSwap", "num_proc": 2, "batch_size": 7},
        {"batched": True, "desc": "CounterfactualSwap (train)", "batch_size": 4000},
        {"batched": True, "desc": "Swapping", "batch_size": 4000},
    ]


# Wrong calls.


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        (rows(), "it was called on a Dataset, but takes a batch of rows; use "),
        (DatasetDict({"train": rows()}), "it was called on a DatasetDict, but takes a batch "),
        (rows().to_iterable_dataset(), "it was called on a IterableDataset, but takes a batch "),
        ("He ran.", "it was called on a text, but takes a batch of rows; use `technique({'text': "),
        (rows().to_pandas()["text"], "it was called on a pandas Series, but takes a batch of rows"),
        (["He ran."], "it was called on a list, but takes a batch of rows by column name; leave "),
        ({"text": "He ran.", "score": 0.7}, "it was given one row, not a batch (column 'text' "),
    ],
)
def test_a_technique_called_on_something_else_names_the_right_call(given_: Any, told: str) -> None:
    """Each wrong argument of a call has a sentence of its own."""
    assert refusal(lambda: SWAP(given_)).startswith(f"CounterfactualSwap: {told}")


def test_a_technique_without_batched_names_the_right_method() -> None:
    """`map` and `filter` without `batched=True` hand over single rows."""
    assert refusal(lambda: rows().map(SWAP)).endswith("use `map(..., batched=True)`.")
    assert refusal(lambda: rows().filter(KEEP)).endswith("use `filter(..., batched=True)`.")
    assert refusal(lambda: SWAP(rows())).endswith(
        "use `technique.apply(dataset)` or `dataset.map(technique, batched=True)`."
    )
    assert "`dataset.filter(technique, batched=True)`" in refusal(lambda: KEEP(rows()))


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        (rows().to_pandas(), "a DataFrame; make one by Dataset.from_pandas(frame, "),
        (COLUMNS, "a dict; make one by Dataset.from_list, Dataset.from_dict or load_dataset."),
        ("tweets.csv", "a str; make one by Dataset.from_list, Dataset.from_dict or load_dataset."),
        (None, "nothing (None); make one by Dataset.from_list, Dataset.from_dict or load_dataset."),
    ],
)
def test_apply_refuses_what_is_no_dataset(given_: Any, told: str) -> None:
    """The sentence says how to make a dataset of it."""
    found = refusal(lambda: SWAP.apply(given_))
    needed = "CounterfactualSwap: it needs a dataset of Hugging Face Datasets, but it was given"
    assert found.startswith(f"{needed} {told}")


def test_a_stream_has_no_processes() -> None:
    """`num_proc` of a stream is told as such, not as a TypeError."""
    told = refusal(lambda: SWAP.apply(rows().to_iterable_dataset(), num_proc=2))
    assert told.startswith(
        "CounterfactualSwap: a stream is read by one process; leave out num_proc"
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"batch": 2}, "an option of apply must be one of "),
        ({"batched": True}, "an option of apply must be one of "),
        ({"num_proc": "2"}, "num_proc must be a whole number, but it is '2'."),
    ],
)
def test_options_that_map_does_not_take(options: dict[str, Any], told: str) -> None:
    """A name that is none, one that is set already, and a text for a number."""
    assert refusal(lambda: SWAP.apply(rows(), **options)).startswith(f"CounterfactualSwap: {told}")


@pytest.mark.parametrize(
    ("given_", "what"), [(None, "None"), (rows(), "a Dataset"), ({}, "a dict")]
)
def test_features_of_something_else_are_refused(given_: Any, what: str) -> None:
    """`features` takes features; for what has none there is `apply`."""
    assert refusal(lambda: SWAP.features(given_)) == (
        "CounterfactualSwap: features takes the features of a dataset, but it was given "
        f"{what}; use `technique.apply(dataset)`, which also copes with streams whose features are "
        "unknown, or pass `dataset.features`."
    )


def test_apply_knows_where_a_path_leads() -> None:
    """What the types of the columns say is looked at before any row is."""
    rows = Dataset.from_dict({"m": [[{"role": "user", "text": "He"}]], "meta": [{"title": "He"}]})
    for dataset in (rows, rows.to_iterable_dataset(), DatasetDict(train=rows)):
        for path, told in {
            "meta.headline": "'meta.headline' leads nowhere: meta has the keys 'title'",
            "m.text": "m is a list. Write '[]' for its elements.",
            "meta[].title": "meta is no list. Leave out '[]'.",
            "m[].body": "m[] has the keys 'role', 'text'",
        }.items():
            with pytest.raises(InputError, match=re.escape(told)):
                CounterfactualSwap(columns=path).apply(dataset)


def test_apply_refuses_roles_that_nobody_has() -> None:
    """A role that occurs in no split is a mistake; one that a split lacks is not."""
    users, bots = (
        Dataset.from_dict({"m": [[{"role": role, "text": "He"}]]}) for role in ("user", "bot")
    )
    swap = CounterfactualSwap(columns="m[].text", roles="user", mode="replace")
    found = swap.apply(DatasetDict(train=bots, test=users))
    assert found["train"][0] == bots[0]
    assert found["test"][0]["m"][0]["text"] == "She"
    with pytest.raises(InputError, match=r"no text of the roles 'user' .* the roles are 'bot'\."):
        swap.apply(bots)


def test_apply_gives_an_empty_split_the_columns_of_the_others() -> None:
    """Splits of one dataset have the same columns afterwards."""
    rows = Dataset.from_dict({"text": ["He ran."]})
    splits = DatasetDict(train=rows, test=rows.select([]))
    found = CounterfactualSwap(columns="text", provenance=True).apply(splits)
    assert found["test"].features == found["train"].features
    assert found["test"].num_rows == 0


@pytest.mark.parametrize("given", [None, 3, b"x", np.array(["He ran."])])
def test_a_technique_called_on_what_is_no_table(given: Any) -> None:
    """The sentence says what was given."""
    with pytest.raises(InputError, match=r"CounterfactualSwap: it was called on .* takes a batch"):
        CounterfactualSwap(columns="text")(given)


def test_the_names_of_a_result_name_columns() -> None:
    """As `datasets` copies what a column is asked for by."""
    rows = Dataset.from_dict({"text": ["He ran."]})
    result = SWAP(rows[:])
    assert [rows[name][:] for name in result] == [["He ran."]]
