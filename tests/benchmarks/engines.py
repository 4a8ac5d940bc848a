"""The same job by processes here and by actors of Ray.

    python tests/benchmarks/engines.py --rows 1000000 --out DIR

One run after the other on the same files: how long the start takes (Ray, its actors, imports), and
how many rows are done in a second from then on; beside our engines it has a plain `map_batches`,
without shards, counts, manifest and features.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from corpora import TEMPLATES

from fair_datasets import CounterfactualSwap

SWAP = CounterfactualSwap(columns="text")
SHARD = 25_000
RUNS = [
    ("local", 1), ("local", 2), ("ray", 1), ("ray", 2),
    ("map_batches numpy", 1),
    ("map_batches pyarrow", 1), ("map_batches pyarrow", 2),
]  # fmt: skip
RUN_FOLDERS = [f"{engine}-{count}" for engine, count in RUNS if "map" not in engine]


def main() -> None:
    """Run the experiment."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        start, whole = one(options.one[0], int(options.one[1]), options.out)
        print(f"{start} {whole}")
        return
    write(options.rows, options.out / "rows")
    print("| engine | processes | start, s | rows/s from then on | of local 1 | whole, s |")
    print("|---|---|---|---|---|---|", flush=True)
    first = 0.0
    for engine, count in RUNS:
        start, whole = elsewhere(engine, count, options.out)
        rate = options.rows / (whole - start)
        first = first or rate
        times = f"{rate / first:.2f} | {whole:.1f}"
        print(f"| {engine} | {count} | {start:.1f} | {rate:,.0f} | {times} |", flush=True)
    print(f"\nbytes equal: {len({digest(options.out / name) for name in RUN_FOLDERS}) == 1}")


def write(rows: int, folder: Path) -> None:
    """Write the rows into files of 50,000."""
    from datasets import Dataset

    folder.mkdir(parents=True)
    for start in range(0, rows, 50_000):
        ids = range(start, min(rows, start + 50_000))
        text = [TEMPLATES[n % len(TEMPLATES)].format(n) for n in ids]
        Dataset.from_dict({"id": ids, "text": text}).to_parquet(folder / f"{start:09d}.parquet")


def elsewhere(engine: str, count: int, out: Path) -> tuple[float, float]:
    """Run one in a process of its own: the seconds of its start, and of all."""
    words = [sys.executable, __file__, "--out", str(out), "--one", engine, str(count)]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    start, whole = done.stdout.splitlines()[-1].split()
    return float(start), float(whole)


def one(engine: str, count: int, out: Path) -> tuple[float, float]:
    """Run one here."""
    place = out / f"{engine}-{count}"
    shutil.rmtree(place, ignore_errors=True)
    began = time.monotonic()
    if engine.startswith("map_batches"):
        return plain(engine.split()[1], count, out / "rows", place, began)
    import fair_datasets.jobs.run as jobs

    seen: list[float] = []
    made = jobs.engine_named

    def watched(*arguments: Any, **named: Any) -> Any:
        found = made(*arguments, **named)

        def work(shards: Any, worker: Any, told: Callable[..., None]) -> Iterator[Any]:
            def tell(shard: Any, rows: int) -> None:
                seen.append(time.monotonic())
                told(shard, rows)

            return found(shards, worker, tell)

        return work

    jobs.engine_named = watched
    jobs.run(SWAP, str(out / "rows"), place, num_proc=count, shard_rows=SHARD, engine=engine)
    return seen[0] - began, time.monotonic() - began


def plain(kind: str, count: int, source: Path, place: Path, began: float) -> tuple[float, float]:
    """Do it with Ray Data alone, without shards, manifest and features."""
    import ray

    with tempfile.TemporaryDirectory(dir="/tmp", prefix="ray-", ignore_cleanup_errors=True) as temp:
        ray.init(num_cpus=count, include_dashboard=False, log_to_driver=False, _temp_dir=temp)
        ray.data.DataContext.get_current().enable_progress_bars = False
        # What starts the processes, and loads the package in them.
        row = {"id": 0, "text": "He ran."}
        some = ray.data.from_items([row] * count, override_num_blocks=count)
        some.map_batches(SWAP, batch_format=kind).materialize()
        start = time.monotonic() - began
        rows = ray.data.read_parquet(str(source))
        rows.map_batches(SWAP, batch_format=kind, batch_size=1000).write_parquet(str(place))
        whole = time.monotonic() - began
        ray.shutdown()
    return start, whole


def digest(folder: Path) -> str:
    """Return the SHA-256 of the rows' files."""
    found = hashlib.sha256()
    for file in sorted((folder / "data").iterdir()):
        found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()


if __name__ == "__main__":
    os.environ |= {"HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "RAY_USAGE_STATS_ENABLED": "0"}
    main()
