"""Jobs of Ray on one machine of two CPUs: `one_machine.py FOLDER` writes them there.

It prints one line of JSON: what was seen of the processes.
"""

import json
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from datasets import Dataset, load_from_disk

from fair_datasets import Blindness, CounterfactualSwap, InputError, MentionedAttribute, run
from fair_datasets.hub import push_dataset
from fair_datasets.jobs.job import lock_and_resume
from fair_datasets.jobs.on_ray import run_on_ray
from fair_datasets.jobs.parquet import parquet_splits
from fair_datasets.jobs.rewriting import RewriteShard
from fair_datasets.jobs.shards import Rows
from fair_datasets.selection.correction import KeepLabelled

SWAP = CounterfactualSwap(columns="text")
TRACED = CounterfactualSwap(columns="text", provenance=True)
ITEMS = [{"text": "He is a waiter.", "label": 1}, {"text": "It rains.", "label": 0}]
KINDS = ("numpy", "pandas", "pyarrow")
STEPS = [MentionedAttribute(columns="text"), KeepLabelled(column="group"),
         Blindness(columns="text")]  # fmt: skip


class Watched:
    """Rewrites shards slowly, notes by which process, and does something else at one of them."""

    def __init__(self, rows: Rows, action: str, marker: Path) -> None:
        """Take what is done at the shard that begins with row 20."""
        self.work = RewriteShard(SWAP, SWAP.features(rows.features))
        self.action, self.marker = action, marker

    def __call__(self, rows: Dataset, progress: Any) -> Any:
        """Rewrite a shard."""
        if rows["n"][0] == 21:
            if self.action == "refuse":
                raise InputError("Row 20 is no text.")
            if not self.marker.exists():
                self.marker.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.2)
        result, tally = self.work(rows, progress)
        return result, {**tally, "process": os.getpid()}


def watched(folder: Path, rows: Rows, action: str) -> list[int]:
    """Run a job of five shards, and return the processes that did them."""
    engine = partial(run_on_ray, count=2 if action == "once" else 1)
    with lock_and_resume(folder, {"source": "a"}) as job:
        work = Watched(rows, action, folder.with_name(f"{folder.name}.marker"))
        found = job.run({"train": rows}, {"train": work}, rows={"train": 10}, engine=engine)
    return [each.tally["process"] for each in found["train"]]


def main(folder: Path) -> None:
    """Write them."""
    import ray

    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False,
             logging_level="ERROR", object_store_memory=100_000_000)  # fmt: skip
    ray.data.DataContext.get_current().execution_options.preserve_order = True
    items = ray.data.from_items(ITEMS)
    batches = [items.map_batches(TRACED, batch_format=kind).take_all() for kind in KINDS]
    rows = load_from_disk(str(folder / "rows"))
    push_dataset(rows, "ada/reviews")
    files = "hf://datasets/ada/reviews/**/*.parquet"
    run(STEPS, files, folder / "hub" / "out", shard_rows=9, engine="ray")
    seen: dict[str, Any] = {
        "batches": batches, "processes": watched(folder / "watched", rows, "once"),
    }  # fmt: skip
    try:
        watched(folder / "refuse", parquet_splits(files)["train"], "refuse")
    except InputError as error:
        seen["refuse"] = str(error)
    seen["is connected still"] = ray.is_initialized()
    ray.shutdown()
    print(json.dumps(seen))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
