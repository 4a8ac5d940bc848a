"""Tests of the base class of all techniques."""

import copy
import json
import os
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import (
    ClassLabel,
    Dataset,
    DatasetDict,
    Features,
    IterableDatasetDict,
    List,
    Value,
    load_dataset,
    load_from_disk,
)
from datasets.fingerprint import Hasher

from fair_datasets import (
    CounterfactualSwap,
    InputError,
    KeepAbove,
    MentionedAttribute,
    load_technique,
)
from fair_datasets.system.portable import file_digest
from fair_datasets.technique import Technique
from fair_datasets.technique import configured as module
from fair_datasets.technique.contract import Batch, installed_techniques, uninstalled_classes

GUESTS = "home\taway\nhost\tguest\n"
VISITORS = "home\taway\nhost\tvisitor\n"


@dataclass(frozen=True, kw_only=True)
class Mark(Technique):
    """A technique with all kinds of fields, and a file if one is named."""

    columns: tuple[str, ...] = ("text",)
    others: tuple[tuple[str, int], ...] = ()
    rate: float = 0.5
    mark: str | None = None
    file: str = ""

    def resources(self) -> Mapping[str, Path]:
        """Name the file."""
        return {"marks": Path(self.file)} if self.file else {}

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Return the batch as it is."""
        return {column: list(values) for column, values in batch.items()}


@pytest.fixture
def axis(tmp_path: Path) -> Path:
    """Return the file of a user's own axis."""
    path = tmp_path / "team.tsv"
    path.write_text(GUESTS, encoding="utf-8")
    return path


@pytest.fixture
def saved(tmp_path: Path) -> str:
    """Return the folder of a dataset on disk, which has a cache."""
    folder = str(tmp_path / "dataset")
    Dataset.from_dict({"text": ["The host sat.", "It rains."]}).save_to_disk(folder)
    return folder


def guest_swap(axis: Path) -> CounterfactualSwap:
    """Return a swap by the user's own axis."""
    return CounterfactualSwap(columns="text", axis=str(axis), mode="replace")


def file_numbers(dataset: Dataset) -> dict[str, int]:
    """Return the cache files; a file that is written anew has another number."""
    names = [file["filename"] for file in dataset.cache_files]
    assert names
    return {name: os.stat(name).st_ino for name in names}


def refusal(call: Callable[[], Any]) -> str:
    """Return the sentence in which a call is refused."""
    with pytest.raises(InputError) as caught:
        call()
    return str(caught.value)


def test_a_package_that_is_installed_meanwhile_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And one that is removed is not; a caller may change what it is given."""
    monkeypatch.syspath_prepend(tmp_path)
    installed_techniques()["Later"] = installed_techniques()["Blindness"]
    assert "Later" not in installed_techniques()
    about = tmp_path / "later-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: later\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[fair_datasets.techniques]\nLater = later:Later\n")
    assert installed_techniques()["Later"].value == "later:Later"
    about.rename(tmp_path / "gone")
    assert "Later" not in installed_techniques()


@pytest.mark.parametrize(("one", "other"), [
    (Mark(columns=("a", "b")), Mark(columns=("a",))), (Mark(), Mark(rate=0.25)),
    (Mark(), Mark(mark="")), (Mark(columns=("a", "b")), Mark(columns=("b", "a"))),
])  # fmt: skip
def test_other_parameters_make_another_technique(one: Technique, other: Technique) -> None:
    """Techniques that differ in a parameter are unequal and have different fingerprints."""
    assert one != other
    assert Hasher.hash(one) != Hasher.hash(other)


@pytest.mark.parametrize("columns", ["text", ["text"], ("text",)])
def test_equal_techniques_have_equal_fingerprints(columns: Any) -> None:
    """A name, a list and a tuple of columns lead to the same cache, and so do 1 and 1.0."""
    swap = CounterfactualSwap(columns=columns, mode="substitute", rate=1)
    other = CounterfactualSwap(columns=("text",), mode="substitute", rate=1.0)
    assert swap == other
    assert Hasher.hash(swap) == Hasher.hash(other)


def test_shared_and_equal_tuples_have_equal_fingerprints() -> None:
    """Whether two fields share a tuple or have equal ones does not show in the fingerprint."""
    pair = ("a", 1)
    shared = Mark(others=(pair, pair))
    equal = Mark(others=(pair, ("a", int("1"))))
    assert shared.others[0] is shared.others[1]
    assert equal.others[0] is not equal.others[1]
    assert Hasher.hash(shared) == Hasher.hash(equal)


def test_what_is_kept_beside_the_fields_does_not_reach_the_fingerprint() -> None:
    """The pickle holds the fields alone, so a cached object changes no fingerprint."""
    mark = Mark()
    before = Hasher.hash(mark)
    vars(mark)["model"] = object()
    assert Hasher.hash(mark) == before
    assert not hasattr(copy.copy(mark), "model")


def test_a_technique_has_to_process_batches() -> None:
    """A subclass without `process` cannot be made."""
    incomplete = dataclass(frozen=True, kw_only=True)(type("Incomplete", (Technique,), {}))
    with pytest.raises(TypeError, match="process"):
        incomplete()


def test_another_version_makes_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's version is part of the state, so a new release misses an old cache."""
    mark = Mark()
    monkeypatch.setattr(module, "__version__", "99.0")
    assert Mark().version == "99.0"
    assert Mark() != mark
    assert Hasher.hash(Mark()) != Hasher.hash(mark)


def test_the_configuration_is_json(axis: Path) -> None:
    """The configuration says what is needed to repeat the work, in JSON's own types."""
    mark = Mark(columns=("a", "b"), others=(("c", 1),), file=str(axis))
    config = mark.config()
    assert config == {
        "technique": "Mark",
        "version": module.__version__,
        "parameters": {
            "columns": ["a", "b"], "others": [["c", 1]], "rate": 0.5, "mark": None,
            "file": str(axis),
        },
        "digests": {"marks": file_digest(axis)},
    }  # fmt: skip
    assert json.loads(json.dumps(config)) == config


def test_the_configuration_is_a_copy() -> None:
    """Editing a configuration does not edit the technique."""
    swap = CounterfactualSwap(columns="text")
    swap.config()["parameters"]["columns"].append("other")
    swap.config()["digests"].clear()
    assert swap == CounterfactualSwap(columns="text")


@pytest.mark.parametrize("rebuild", [CounterfactualSwap.from_config, load_technique])
def test_another_version_is_refused(rebuild: Callable[[Mapping[str, Any]], Technique]) -> None:
    """Another version might give another result, so its configuration is refused."""
    config = {**CounterfactualSwap(columns="text").config(), "version": "0.0.1"}
    assert refusal(lambda: rebuild(config)) == (
        "CounterfactualSwap: version 0.0.1 of fair_datasets made the configuration, and version "
        f"{module.__version__} may give other rows; install that version to repeat the work, or "
        "create it again with CounterfactualSwap(**config['parameters'])."
    )


def test_a_pickle_keeps_the_digests_of_its_making(axis: Path) -> None:
    """In a worker process a technique still knows the file that it was made with."""
    swap = guest_swap(axis)
    pickled = pickle.dumps(swap)
    axis.write_text(VISITORS, encoding="utf-8")
    assert pickle.loads(pickled).digests == swap.digests
    assert guest_swap(axis).digests != swap.digests


@pytest.mark.parametrize("edited", ["lexicon", "exceptions"])
def test_an_edited_lexicon_misses_the_cache(edited: str, axis: Path, saved: str) -> None:
    """After an edit of the lexicon, or of its exceptions, the rows are made anew."""
    before = load_from_disk(saved).map(guest_swap(axis), batched=True)
    assert before["text"][0] == "The guest sat."
    if edited == "lexicon":
        axis.write_text(VISITORS, encoding="utf-8")
        expected = "The visitor sat."
    else:
        exceptions = axis.with_name("team.exceptions.tsv")
        exceptions.write_text("phrase\treason\nthe host\ta test\n", encoding="utf-8")
        expected = "The host sat."
    after = load_from_disk(saved).map(guest_swap(axis), batched=True)
    assert after["text"][0] == expected
    assert not file_numbers(after).keys() & file_numbers(before).keys()


def test_a_class_of_ones_own_is_not_the_installed_one_of_that_name() -> None:
    """It is told with its module."""
    own = type("Blindness", (Mark,), {"__module__": __name__})
    assert uninstalled_classes(own(), CounterfactualSwap("text")) == {"Blindness": __name__}


SWAP = CounterfactualSwap(columns="text", family=False)
GROUP = MentionedAttribute(columns="text")
KEEP = KeepAbove(column="score", threshold=0.5)
COLUMNS = {"text": ["He ran.", "It rains.", "She sat."], "score": [0.2, 0.6, 0.9]}
SWAPPED = ["He ran.", "She ran.", "It rains.", "She sat.", "He sat."]


def rows(count: int = 1) -> Dataset:
    """Return a dataset of three rows, repeated."""
    return Dataset.from_dict({name: values * count for name, values in COLUMNS.items()})


# What `filter` does with a technique that is for `map`.


def test_filter_refuses_a_technique_that_chooses_no_rows() -> None:
    """No row is lost without a word, whatever the numbers of rows and columns, also in streams."""
    told = "MentionedAttribute: it changes or adds columns and does not choose rows; use"
    assert refusal(lambda: rows(2).filter(GROUP, batched=True, num_proc=2)).startswith(told)
    for count in (1, 2):
        stream = rows(count).to_iterable_dataset().filter(GROUP, batched=True, batch_size=2)
        with pytest.raises((InputError, ValueError), match=r"filter|Column lengths mismatch"):
            list(stream)


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


def test_other_splits_stay_and_fit() -> None:
    """They get the columns of the one that is rewritten, as what is pushed together needs."""
    swap = CounterfactualSwap("text", provenance=True)
    for made in (DatasetDict, lambda **parts: IterableDatasetDict(
        {name: part.to_iterable_dataset() for name, part in parts.items()}
    )):  # fmt: skip
        both = swap.apply(made(train=rows(), test=rows(), dev=rows()), splits=("train", "dev"))
        assert [row["text"] for row in both["train"]] == SWAPPED
        assert [row["text"] for row in both["test"]] == COLUMNS["text"]
        assert not any(row["counterfactual"] for row in both["test"])
        assert both["train"].features == both["test"].features == both["dev"].features
    kept = KEEP.apply(DatasetDict(train=rows(), test=rows()), splits="test")
    assert (len(kept["train"]), len(kept["test"])) == (3, 2)


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


@pytest.mark.parametrize("mode", ["augment", "pair"])
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
        "text": "He ran.", "label": 1, "tags": ["a"], "group": "man",
    }  # fmt: skip
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
    GROUP.apply(rows(), desc="Grouping")
    features = [options.pop("features") for options in seen]
    assert features == [*[rows().features] * 3, GROUP.features(rows().features)]
    assert seen == [
        {"batched": True, "desc": "CounterfactualSwap", "num_proc": 2, "batch_size": 7},
        {"batched": True, "desc": "CounterfactualSwap (train)", "batch_size": 4000},
        {"batched": True, "desc": "Swapping", "batch_size": 4000},
        {"batched": True, "desc": "Grouping", "batch_size": 1000},
    ]


# Wrong calls.


@pytest.mark.parametrize("options", [{"batch": 2}, {"batched": True}])
def test_options_that_map_does_not_take(options: dict[str, Any]) -> None:
    """A name that is none, and one that is set already."""
    assert ": an option of apply must be one of " in refusal(lambda: SWAP.apply(rows(), **options))


def test_a_role_may_be_in_one_split_alone() -> None:
    """One that occurs in no split is a mistake."""
    users, bots = (
        Dataset.from_dict({"m": [[{"role": role, "text": "He"}]]}) for role in ("user", "bot")
    )
    swap = CounterfactualSwap(columns="m[].text", roles="user", mode="replace")
    found = swap.apply(DatasetDict(train=bots, test=users))
    assert found["train"][0] == bots[0]
    assert found["test"][0]["m"][0]["text"] == "She"


def test_apply_gives_an_empty_split_the_columns_of_the_others() -> None:
    """Splits of one dataset have the same columns afterwards."""
    rows = Dataset.from_dict({"text": ["He ran."]})
    splits = DatasetDict(train=rows, test=rows.select([]))
    found = CounterfactualSwap(columns="text", provenance=True).apply(splits)
    assert found["test"].features == found["train"].features
    assert found["test"].num_rows == 0


def test_the_former_name_of_the_size_of_a_batch_still_counts() -> None:
    """With a warning that names the new one."""
    with pytest.warns(FutureWarning, match="rename rows_together to default_batch_size"):
        former = type("Former", (Technique,), {"rows_together": 7})
    assert former.default_batch_size == 7


def test_the_names_of_a_result_name_columns() -> None:
    """As `datasets` copies what a column is asked for by."""
    rows = Dataset.from_dict({"text": ["He ran."]})
    result = SWAP(rows[:])
    assert [rows[name][:] for name in result] == [["He ran."]]
