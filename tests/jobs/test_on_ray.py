"""Jobs of Ray, which write what jobs of processes here write."""

import json
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, load_dataset

from fair_datasets import CounterfactualSwap, InputError, run
from fair_datasets.cli import main
from fair_datasets.jobs import on_ray
from fair_datasets.jobs.job import manifest_of
from fair_datasets.jobs.shards import Shard, Worker
from fair_datasets.system.files import NOTES
from tests.jobs.scripts.one_machine import ITEMS, KINDS, STEPS, SWAP, TRACED
from tests.jobs.test_job import contents, is_at_work
from tests.jobs.test_parquet import FEATURES, ROWS, parts

SCRIPTS = Path(__file__).parent / "scripts"
ROOT = Path(__file__).parents[2]


def environment() -> dict[str, str]:
    """Return what processes of the tests need, with a Hub at hand; workers wait for no others."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_worker_niceness": "0", "HF_HUB_OFFLINE": "0", "HF_TOKEN": "hf_ada",
            "OMP_NUM_THREADS": "1"}  # fmt: skip


def result_of(script: str, folder: Path) -> Any:
    """Run a script to its end, and return what it says."""
    process = subprocess.run([sys.executable, SCRIPTS / script, folder], capture_output=True,
                             text=True, env=environment(), cwd=ROOT)  # fmt: skip
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout.splitlines()[-1])


@pytest.mark.slow
def test_the_files_are_those_of_the_local_engine(loopback_hub: Any, tmp_path: Path) -> None:
    """Byte for byte, from memory and from the Hub, whatever happens to a process.

    And `map_batches` of a technique gives what `map` gives, in each of Ray's formats of a batch.
    """
    loopback_hub.reset()
    rows = Dataset.from_dict({**ROWS.to_dict(), "n": range(1, 41)}, features=FEATURES)
    rows.save_to_disk(str(tmp_path / "rows"))
    seen = result_of("one_machine.py", tmp_path)

    batch = TRACED({name: [row[name] for row in ITEMS] for name in ITEMS[0]})
    expected = [dict(zip(batch, row, strict=True)) for row in zip(*batch.values(), strict=True)]
    assert seen["batches"] == [expected] * len(KINDS)
    here = tmp_path / "here"
    several = run(STEPS, rows, here / "several" / "out", shard_rows=9)
    assert parts(tmp_path / "hub" / "out") == parts(several)
    assert manifest_of(tmp_path / "hub" / "out")["shards"] == manifest_of(Path(several))["shards"]
    assert sorted(path.name for path in (tmp_path / "hub").iterdir()) == ["out"]

    # Two processes on two CPUs, both of which work, and one more for the one that was killed.
    assert len(set(seen["processes"])) in (2, 3)
    tens = run(SWAP, rows, here / "tens" / "out", shard_rows=10)
    assert parts(tmp_path / "watched") == parts(tens)
    assert load_dataset(tens, split="train").features == SWAP.features(FEATURES)
    assert seen["refuse"] == "Row 20 is no text."
    assert not (tmp_path / "refuse").exists()
    assert seen["is connected still"]


@pytest.mark.full
def test_a_machine_that_is_killed_while_it_works(tmp_path: Path) -> None:
    """Its shards are done by the other: the same bytes, no row lost or doubled."""
    text = [f"He told his sister that day {n} was cold." for n in range(12_000)]
    rows = Dataset.from_dict({"text": text, "n": [n if n % 3 else None for n in range(12_000)]})
    rows.save_to_disk(str(tmp_path / "rows"))
    told = result_of("two_machines.py", tmp_path)
    assert any("MapWorker(Map(_Actor))" in name for name in told["seen"])
    assert told["left"] == 1
    whole = run(SWAP, rows, tmp_path / "whole" / "out", shard_rows=1000)
    assert contents(tmp_path / "out") == contents(whole)
    assert manifest_of(Path(whole))["shards"][-1]["rows_out"] == 2000


@pytest.mark.slow
def test_a_command_that_was_killed_goes_on_with_another_engine(tmp_path: Path) -> None:
    """Its processes end; what it finished is not done again, and the bytes are equal."""
    source = tmp_path / "rows.csv"
    lines = (f"He saw her mother and the waiter {number} said so.\n" for number in range(10_000))
    source.write_text("text\n" + "".join(lines), encoding="utf-8")
    words = ["augment", str(source), "--text", "text", "--shard-rows", "500"]
    with subprocess.Popen(
        [sys.executable, "-m", "fair_datasets", *words, "--out", tmp_path / "out",
         "--engine", "ray", "--num-proc", "2"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(), cwd=ROOT,
    ) as process:  # fmt: skip
        while not list((tmp_path / "out.work" / NOTES).glob("train-*.json")):
            assert process.poll() is None
            time.sleep(0.05)
        workers = actors_of(process.pid)
        process.kill()
    assert workers
    deadline = time.monotonic() + 30
    while any(map(is_at_work, workers)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    for out in (tmp_path / "out", tmp_path / "whole" / "out"):
        assert main([*words, "--out", str(out)]) == 0
    assert contents(tmp_path / "out") == contents(tmp_path / "whole" / "out")


def actors_of(process: int) -> list[int]:
    """Return the actors among what a process started, and what those did."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    found = [each for child in map(int, children) for each in [child, *actors_of(child)]]
    return [each for each in found if "MapWorker" in Path(f"/proc/{each}/cmdline").read_text()]


def test_an_engine_that_there_is_not(tmp_path: Path) -> None:
    """It is named, with those that there are."""
    with pytest.raises(InputError, match="engine must be one of 'local', 'ray', but it is 'dask'"):
        run(CounterfactualSwap(columns="text"), ROWS, tmp_path / "out", engine="dask")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["", "ray.example:6379"])
def test_a_cluster_that_does_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], address: str
) -> None:
    """Where the machine is too busy, Ray gives up after half a minute: one sentence tells it."""
    import ray

    def slow(*anything: Any, **options: Any) -> None:
        raise Exception("The current node timed out during startup. This could\nhappen because")

    monkeypatch.setattr(ray, "init", slow)
    monkeypatch.setenv("RAY_ADDRESS", address)
    ROWS.to_json(tmp_path / "rows.jsonl")
    words = ["augment", str(tmp_path / "rows.jsonl"), "--text", "text", "--engine", "ray"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 1
    begun = f"the Ray cluster that RAY_ADDRESS names ({address}) cannot be reached ("
    begun = begun if address else "no Ray cluster could be started on this machine ("
    (line,) = capfd.readouterr().err.strip().splitlines()
    assert line.startswith(f"fair-datasets: {begun}The current node timed out during startup. This")
    assert line.endswith("; nothing was written.")
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_rows_that_travel_with_their_shard(tmp_path: Path) -> None:
    """An actor needs nothing else, and sends back what is noted of it, or the error."""
    for name in (NOTES, "data"):
        (tmp_path / name).mkdir()
    shard = Shard("train", 1, 4, 10, 13)
    row = on_ray._load_rows({"train": ROWS}, {"shard": shard.name, "which": pickle.dumps(shard)})

    def work(rows: Dataset, progress: Any) -> tuple[Dataset, dict[str, int]]:
        return rows, {}

    found = pickle.loads(on_ray._Actor(Worker(tmp_path, {}, {"train": work}))(row)["outcome"])
    assert (found.name, found.rows_in, found.rows_out) == (shard.name, 3, 3)
    assert Dataset.from_parquet(str(shard.file(tmp_path)))[:] == ROWS[10:13]


def test_a_shard_is_tried_three_times(tmp_path: Path) -> None:
    """Wherever its process was lost; and not where its folder is not seen."""
    (tmp_path / NOTES).mkdir()
    row = {"shard": "train-00001-of-00004", "which": b""}

    def told(folder: Path) -> str:
        return str(pickle.loads(on_ray._Actor(Worker(folder, {}, {}))(row)["outcome"]))

    assert "was lost" not in "".join(told(tmp_path) for _ in range(3))
    assert "a process was lost 3 times at train-00001-of-00004; if that" in told(tmp_path)
    assert "does not see" in told(tmp_path / "elsewhere")
