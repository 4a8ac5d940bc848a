"""How long a large dataset takes to the Hub and back, and how much memory the client needs.

    python tests/benchmarks/upload.py [--rows 1000000] [--max-shard-size 50MB]

The Hub is the one of the tests: in memory, in a process of its own, on the loopback interface. So
the figures are those of the client, which reads the rows, writes Parquet and hashes it; a network
adds its own time. Each job runs in a fresh process, whose peak of resident memory is given beside
what the imports alone need; the rows are read from disk, and pages of a mapped file count as well.
"""

import argparse
import random
import resource
import runpy
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CLIENT = Path(__file__).parents[1] / "hub" / "client.py"
WORDS = ["he", "she", "the", "nurse", "engineer", "left", "early", "today", "and", "was", "late"]


def make(folder: str, rows: int) -> None:
    """Save a dataset of texts of 5 to 40 words."""
    from datasets import ClassLabel, Dataset, Features, Value

    draw = random.Random(0)
    texts = [" ".join(draw.choices(WORDS, k=draw.randint(5, 40))) for _ in range(rows)]
    features = Features(id=Value("int64"), text=Value("string"), label=ClassLabel(2))
    columns = {"id": range(rows), "text": texts, "label": [row % 2 for row in range(rows)]}
    Dataset.from_dict(columns, features=features).save_to_disk(folder)


def job(name: str, folder: str, options: argparse.Namespace) -> None:
    """Do one thing and print its seconds and the peak of memory."""
    import datasets

    if name == "make":
        return make(folder, options.rows)
    from fair_datasets.hub import pull_dataset, push_dataset

    started, files = time.perf_counter(), 0
    if name == "pull":
        pull_dataset("ada/million", split="train")
    elif name != "imports":
        rows = datasets.load_from_disk(folder)
        upload = push_dataset(rows, "ada/million", max_shard_size=options.max_shard_size)
        files = len(upload.files)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {name} | {seconds:.1f} | {peak:,.0f} | {files or ''} |", flush=True)
    return None


def main() -> None:
    """Run every job against a Hub of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--max-shard-size", default="50MB")
    parser.add_argument("--job", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        return job(*options.job, options)
    hub: Any = runpy.run_path(str(CLIENT))["LoopbackHub"]()
    hub.start()
    print(
        f"{options.rows:,} rows\n\n| job | seconds | peak MiB | files |\n|---|---|---|---|",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        own = {"HF_HOME": f"{folder}/cache", "HF_TOKEN": "hf_ada", "PATH": "/usr/bin:/bin"}
        environment = {**own, **hub.environment(), "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
        # The rows are made in a process of their own, too: a child begins with its parent's peak.
        for name in ("make", "imports", "push", "push again", "pull"):
            command = [sys.executable, *sys.argv, "--job", name, f"{folder}/rows"]
            subprocess.run(command, env=environment, check=True, stderr=subprocess.DEVNULL)
        sent = hub.uploads()
        print(
            f"\n{len(sent)} large files were received, {len(sent) - len(set(sent))} of them twice."
        )
    return None


if __name__ == "__main__":
    main()
