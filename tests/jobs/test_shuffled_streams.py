"""What the pages `streams` and `training` say is safe: each row and its counterfactual come once.

In a process of its own, as the workers of a DataLoader are forks of it.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, IterableDataset, config, interleave_datasets, load_dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.jobs.streaming import Stream

ROWS, BUFFER = 240, 20
WANTED = {f"{who} ran on day {row}.": 1 for row in range(ROWS) for who in ("He", "She")}
SWAP = CounterfactualSwap(columns="text", names=False)
KINDS = ("arrow", "parquet", "generator")
LOOP = """
import json, sys
from itertools import islice
from datasets import config
from torch.utils.data import DataLoader
from tests.jobs.test_shuffled_streams import BUFFER, swapped

config.SLEEP_TIME_ON_THREADS_SHUTDOWN = 0.05

if __name__ == "__main__":
    kind, folder, workers, seen, is_shuffled = sys.argv[1:]

    def loader():
        rows = swapped(kind, folder)
        rows = rows.shuffle(seed=0, buffer_size=BUFFER) if is_shuffled == "True" else rows
        return DataLoader(rows, batch_size=7, num_workers=int(workers))

    batches = [*islice(loader(), int(seen)), *islice(loader(), int(seen), None)]
    print(json.dumps([text for batch in batches for text in batch["text"]]))
"""


def sentences() -> Iterator[dict[str, Any]]:
    """Yield rows about men."""
    yield from ({"text": f"He ran on day {row}."} for row in range(ROWS))


def swapped(kind: str, folder: str | Path) -> IterableDataset:
    """Return a stream of three parts, and behind each row its counterfactual."""
    if kind == "generator":
        rows = IterableDataset.from_generator(sentences)
    elif kind == "arrow":
        rows = Dataset.from_list(list(sentences())).to_iterable_dataset(num_shards=3)
    else:
        files = sorted(map(str, Path(folder).glob("*.parquet")))
        rows = load_dataset("parquet", data_files=files, split="train", streaming=True)
    return SWAP.apply(rows).select_columns("text")


@pytest.fixture(autouse=True)
def no_nap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait five seconds behind each file of Parquet that was not read to its end."""
    monkeypatch.setattr(config, "SLEEP_TIME_ON_THREADS_SHUTDOWN", 0.05)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with three files of Parquet."""
    rows = Dataset.from_list(list(sentences()))
    for number in range(3):
        part = rows.shard(3, number, contiguous=True)
        part.to_parquet(tmp_path / f"{number}.parquet")
    return tmp_path


def plain(rows: IterableDataset) -> IterableDataset:
    """Leave the order."""
    return rows


def files_shuffled(rows: IterableDataset) -> IterableDataset:
    """Shuffle the order of the parts alone."""
    return rows.shuffle(seed=0, buffer_size=1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", [plain, files_shuffled])
@pytest.mark.parametrize("seen", [1, 401])
def test_without_a_buffer_a_state_says_where_to_go_on(
    kind: str, order: Callable[[IterableDataset], IterableDataset], seen: int, folder: Path
) -> None:
    """Also between a row and its counterfactual."""
    first, second = order(swapped(kind, folder)), order(swapped(kind, folder))
    before = list(islice(first, seen))
    second.load_state_dict(first.state_dict())
    assert Counter(row["text"] for row in [*before, *second]) == WANTED


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seen", [1, 401])
def test_with_a_buffer_rows_are_skipped(kind: str, seen: int, folder: Path) -> None:
    """The stream begins again with the same seed."""
    both = [swapped(kind, folder).shuffle(seed=0, buffer_size=BUFFER) for _ in range(2)]
    before = list(islice(both[0], seen))
    assert Counter(row["text"] for row in [*before, *both[1].skip(seen)]) == WANTED


@pytest.mark.parametrize("kind", KINDS)
def test_the_state_of_a_buffer_is_wrong(kind: str, folder: Path) -> None:
    """If it is right one day, the pages and the script of the finding are to say so."""
    both = [swapped(kind, folder).shuffle(seed=0, buffer_size=BUFFER) for _ in range(2)]
    before = list(islice(both[0], 401))
    both[1].load_state_dict(both[0].state_dict())
    assert Counter(row["text"] for row in [*before, *both[1]]) != WANTED


@pytest.mark.parametrize(("kind", "is_shuffled"), [
    ("arrow", True), ("arrow", False), ("parquet", True),
])  # fmt: skip
def test_two_workers_give_each_row_once(kind: str, is_shuffled: bool, folder: Path) -> None:
    """Where the loader begins again, without the batches that it gave."""
    done = subprocess.run(
        [sys.executable, "-c", LOOP, kind, folder, "2", "5", str(is_shuffled)],
        capture_output=True, text=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert Counter(json.loads(done.stdout.splitlines()[-1])) == WANTED
    assert "Stopping" not in done.stderr  # A worker without a part.


@pytest.mark.parametrize("kind", KINDS)
def test_run_takes_no_state_of_a_buffer(kind: str, folder: Path) -> None:
    """Wherever the buffer is in the stream; its parts are read in this process alone."""
    rows = swapped(kind, folder)
    shuffled = rows.shuffle(seed=0, buffer_size=BUFFER)
    for each in (shuffled, shuffled.map(dict), shuffled.skip(3), shuffled.take(9),
                 shuffled.repeat(2), interleave_datasets([rows, shuffled])):  # fmt: skip
        assert not Stream.of(each, "stream").goes_on
    assert Stream.of(rows.map(dict).filter(bool).skip(3), "stream").goes_on
