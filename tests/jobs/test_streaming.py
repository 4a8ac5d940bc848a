"""Streams by shards: their number is known at the end only, and what is finished is not read."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from datasets import (
    Dataset,
    Features,
    IterableDataset,
    IterableDatasetDict,
    Value,
    concatenate_datasets,
    interleave_datasets,
    load_dataset,
)

from fair_datasets import CounterfactualSwap, run
from fair_datasets.jobs.job import default_work_folder, manifest_of
from fair_datasets.jobs.rewriting import RewriteShard
from fair_datasets.jobs.shards import status_lines
from fair_datasets.jobs.streaming import Stream
from fair_datasets.system.checks import InputError
from tests.jobs.test_job import contents
from tests.jobs.test_run import FEATURES, ROWS

SWAP = CounterfactualSwap(columns="text")
read: list[int] = []
who = {"came": "He"}


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork also where other tests loaded torch."""
    monkeypatch.setattr("fair_datasets.jobs.processes._method", lambda: "fork")


def generated(parts: list[int]) -> Iterator[dict[str, Any]]:
    """Yield ten rows of each part, and write down which part was read."""
    for part in parts:
        read.append(part)
        for row in range(part * 10, part * 10 + 10):
            yield {"text": f"{who['came']} was there on day {row}.", "n": row}


def generator(**options: Any) -> IterableDataset:
    """Return a stream of forty rows in four parts."""
    return IterableDataset.from_generator(generated, gen_kwargs={"parts": [0, 1, 2, 3]}, **options)


def louder(row: dict[str, Any]) -> dict[str, Any]:
    """Change a row."""
    return {"text": row["text"].replace(".", "!")}


def is_odd(row: dict[str, Any]) -> bool:
    """Choose a row."""
    return bool(row["n"] is None or row["n"] % 2)


def stream() -> IterableDataset:
    """Return the rows of a dataset as a stream."""
    return ROWS.to_iterable_dataset(num_shards=3)


KINDS: dict[str, Callable[[], IterableDataset]] = {
    "dataset": stream, "generator": generator, "mapped": lambda: stream().map(louder),
    "filtered": lambda: stream().filter(is_odd),
    "shuffled": lambda: stream().shuffle(seed=1, buffer_size=9),
    "shuffled files": lambda: generator().shuffle(seed=2, buffer_size=1),
    "part": lambda: stream().skip(3).take(21),
    "joined": lambda: concatenate_datasets([stream(), stream().map(louder, features=FEATURES)]),
    "interleaved": lambda: interleave_datasets([stream(), stream()], [0.5, 0.5], seed=1),
}  # fmt: skip


def fail_at(patch: pytest.MonkeyPatch, place: int) -> None:
    """Let the work at a shard fail, as a full disk does."""
    work, calls = RewriteShard.__call__, iter(range(999))

    def fail(self: Any, rows: Dataset, progress: Any) -> Any:
        if next(calls) == place:
            raise OSError(28, "No space left on device")
        return work(self, rows, progress)

    patch.setattr(RewriteShard, "__call__", fail)


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_is_written_and_gone_on_with(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files are those of a call that nobody disturbed, and the rows those of the stream."""
    whole = run(SWAP, KINDS[kind](), tmp_path / "whole" / "out", shard_rows=8)
    wanted = SWAP.apply(Dataset.from_list(list(KINDS[kind]())))
    found = load_dataset(whole, split="train")
    assert found.to_dict() == wanted.to_dict()
    with monkeypatch.context() as patch:
        fail_at(patch, 2)
        with pytest.raises(OSError, match="No space"):
            run(SWAP, KINDS[kind](), tmp_path / "out", shard_rows=8)
    assert run(SWAP, KINDS[kind](), tmp_path / "out", shard_rows=8) == str(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(whole)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "whole"]


@pytest.mark.parametrize(("size", "batch"), [(8, 8), (1500, 1500), (2000, 1000), (1000, 1000)])
def test_rows_are_read_by_the_thousand(
    size: int, batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where shards end with that, and else by the shard."""
    asked, tables = [], Stream.tables

    def told(self: Stream, rows: int, state: Any = None) -> Any:
        asked.append(rows)
        return tables(self, rows, state)

    monkeypatch.setattr(Stream, "tables", told)
    run(SWAP, stream(), tmp_path / "out", shard_rows=size)
    assert asked == [batch]


def test_a_shard_of_a_stream_has_ten_thousand_rows(tmp_path: Path) -> None:
    """Where nobody says how many, as nobody knows how many there are."""
    rows = Dataset.from_dict({"text": ["Rain."] * 10_001})
    made = run(SWAP, rows.to_iterable_dataset(), tmp_path / "out")
    shards = [shard["rows_in"] for shard in manifest_of(Path(made))["shards"]]
    assert shards == [10_000, 1]


def test_what_is_finished_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state of the stream says where to go on; with a shuffle buffer it does not."""
    features = Features({"text": Value("string"), "n": Value("int64")})
    plain = generator(features=features)
    for name, rows, wanted in (
        ("plain", plain, [2, 3]),  # It is at the end of a part, and not behind it.
        ("shuffled", plain.shuffle(seed=1, buffer_size=15), [0, 1, 2, 3]),
    ):
        with monkeypatch.context() as patch:
            fail_at(patch, 3)
            with pytest.raises(OSError, match="No space"):
                run(SWAP, rows, tmp_path / name, shard_rows=10)
        read.clear()
        run(SWAP, rows, tmp_path / name, shard_rows=10)
        assert sorted(read) == wanted


def test_the_columns_and_types_stay(tmp_path: Path) -> None:
    """Also nulls in whole numbers, and several splits."""
    splits = IterableDatasetDict(train=stream(), test=ROWS.select(range(5)).to_iterable_dataset())
    found = load_dataset(run(SWAP, splits, tmp_path / "out", shard_rows=7))
    assert found["train"].features == SWAP.features(FEATURES)
    assert {name: rows.to_dict() for name, rows in found.items()} == {
        "train": SWAP.apply(ROWS).to_dict(), "test": SWAP.apply(ROWS.select(range(5))).to_dict(),
    }  # fmt: skip


@pytest.mark.parametrize("size", [7, 8])
def test_any_number_of_processes_writes_the_same_files(tmp_path: Path, size: int) -> None:
    """This process reads, the others rewrite; also where the last shard is a whole one."""
    one = run(SWAP, stream(), tmp_path / "a" / "out", shard_rows=size)
    other = run(SWAP, stream(), tmp_path / "b" / "out", shard_rows=size, num_proc=2)
    assert contents(one) == contents(other)
    shards = manifest_of(Path(one))["shards"]
    assert [each["rows_in"] for each in shards][:-1] == [size] * (len(shards) - 1)
    assert sum(each["rows_in"] for each in shards) == 40
    assert shards[0]["name"] == f"train-00000-of-{len(shards):05d}"


@pytest.mark.parametrize("number", [0, 2, 4])
def test_an_end_while_shards_get_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Some have them already; the same call goes on."""
    whole = run(SWAP, stream(), tmp_path / "whole" / "out", shard_rows=8)
    rename, calls = os.replace, iter(range(99))

    def end(before: Any, after: Any) -> None:
        if "-of-" in Path(after).name and next(calls) == number:
            raise KeyboardInterrupt
        rename(before, after)

    with monkeypatch.context() as patch:
        patch.setattr("fair_datasets.jobs.streaming.os.replace", end)
        with pytest.raises(KeyboardInterrupt):
            run(SWAP, stream(), tmp_path / "out", shard_rows=8)
    with monkeypatch.context() as patch:
        fail_at(patch, 0)  # nothing is worked through again
        run(SWAP, stream(), tmp_path / "out", shard_rows=8)
    assert contents(tmp_path / "out") == contents(whole)


def test_a_stream_that_is_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused, as is one that gives other rows though nothing told of it."""
    with monkeypatch.context() as patch:
        fail_at(patch, 2)
        with pytest.raises(OSError, match="No space"):
            run(SWAP, generator(), tmp_path / "out", shard_rows=8)
    for other in (stream(), generator().map(louder), generator().shuffle(buffer_size=5)):
        with pytest.raises(InputError, match="an unfinished job of another source; run the"):
            run(SWAP, other, tmp_path / "out", shard_rows=8)
    monkeypatch.setitem(who, "came", "She")
    with pytest.raises(InputError, match="the stream gives other rows than it did before"):
        run(SWAP, generator(), tmp_path / "out", shard_rows=8)
    assert not default_work_folder(tmp_path / "out").exists()


def test_files_that_changed_are_another_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their size and time tell."""
    ROWS.to_json(str(tmp_path / "rows.jsonl"))

    def opened() -> Any:
        return load_dataset(
            "json", data_files=str(tmp_path / "rows.jsonl"), split="train", streaming=True
        )

    with monkeypatch.context() as patch:
        fail_at(patch, 2)
        with pytest.raises(OSError, match="No space"):
            run(SWAP, opened(), tmp_path / "out", shard_rows=8)
    told = status_lines(default_work_folder(tmp_path / "out"))
    assert told[0].endswith("not running, 2 shards finished, 16 rows.")
    with monkeypatch.context() as patch:
        patch.setattr("fair_datasets.jobs.streaming._STATES", "none")  # it is read again instead
        run(SWAP, opened(), tmp_path / "out", shard_rows=8)
    assert len(load_dataset(str(tmp_path / "out"))["train"]) == len(SWAP.apply(ROWS))
    (tmp_path / "rows.jsonl").write_text('{"text": "He ran.", "label": 1, "n": 2}\n')
    with pytest.raises(InputError, match="is not empty, and nothing is overwritten"):
        run(SWAP, opened(), tmp_path / "out", shard_rows=8)
