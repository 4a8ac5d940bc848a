"""How long the command line takes to read a CSV and a JSON file, beside `load_dataset`.

    python tests/benchmarks/reading.py [--rows 1000000]

The command line looks at all cells before it decides which columns are of numbers; `load_dataset`
guesses from the first rows. Each job runs in a fresh process, with a cache of its own, and prints
its seconds, those of the processor, and the peak of resident memory.
"""

import argparse
import csv
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = ["he", "she", "the", "nurse", "engineer", "left", "early", "today", "and", "was", "late"]
READERS = ("load_dataset", "fair-datasets")


def make(folder: Path, rows: int) -> list[Path]:
    """Write the same rows of seven columns as CSV and as JSON lines."""
    draw = random.Random(0)
    files = [folder / "rows.csv", folder / "rows.jsonl"]
    with files[0].open("w", newline="") as table, files[1].open("w") as lines:
        writer = csv.writer(table)
        for number in range(rows):
            row = {
                "id": number, "text": " ".join(draw.choices(WORDS, k=12)), "label": number % 2,
                "score": draw.random(), "city": draw.choice(WORDS), "zip": f"{number % 90_000:05d}",
                "date": f"2020-01-{number % 28 + 1:02d}",
            }  # fmt: skip
            if not number:
                writer.writerow(row)
            writer.writerow(row.values())
            lines.write(json.dumps(row) + "\n")
    return files


def job(reader: str, file: Path) -> None:
    """Read a file and print how long it took."""
    import datasets

    from fair_datasets.cli.inputs import load_input

    datasets.disable_progress_bars()
    started = time.perf_counter()
    if reader == "load_dataset":
        kind = {".csv": "csv", ".jsonl": "json"}[file.suffix]
        datasets.load_dataset(kind, data_files=str(file))
    else:
        load_input(str(file), ["text"], None)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"| {file.name} | {reader} | {seconds:.1f} | {time.process_time():.1f} | {peak:,.0f} |",
        flush=True,
    )


def main() -> None:
    """Run every job in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--job", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        job(options.job[0], Path(options.job[1]))
        return
    print("| file | reader | seconds | processor | MB |\n|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for file in make(Path(folder), options.rows):
            for reader in READERS:
                with tempfile.TemporaryDirectory() as cache:
                    subprocess.run(
                        [sys.executable, __file__, "--job", reader, str(file)],
                        env={**os.environ, "HF_DATASETS_CACHE": cache},
                        check=True,
                    )


if __name__ == "__main__":
    main()
