"""Kill a job at random moments, run the same command again each time, and compare the bytes.

    python tests/benchmarks/jobs.py --rows 1000000 --kills 20 --out DIR
    python tests/benchmarks/jobs.py --job stream --rows 100000 --shard-rows 2000 --out DIR

`--job` is the command that is killed (augment, score, select or correct), or `stream`: `run` over a
stream of the same rows. It prints a table: when each run was killed, how many shards were finished
then, whether a process was left behind; and in the end whether all bytes are those of an
undisturbed run.
"""

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from corpora import TEMPLATES

WORDS: dict[str, list[str]] = {
    "augment": [],
    "score": ["--probes", "1", "--score", "el2n"],
    "select": ["-a", "1", "-b", "1"],
    "correct": ["--correction", "Aug50"],
}
STREAM = """
import sys
from datasets import load_dataset
from fair_datasets import CounterfactualSwap, run
source, out, num_proc, shard_rows = sys.argv[1:]
rows = load_dataset("json", data_files=source, split="train", streaming=True)
run(CounterfactualSwap(columns="text"), rows, out, num_proc=int(num_proc),
    shard_rows=int(shard_rows))
"""


def main() -> None:
    """Run the experiment."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--job", choices=[*WORDS, "stream"], default="augment")
    parser.add_argument("--shard-rows", type=int)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument(
        "--more", type=int, help="kill after so many more shards at most, and not after seconds"
    )
    parser.add_argument("--num-proc", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    source = options.out / "rows.jsonl"
    with source.open("w", encoding="utf-8") as file:
        for number in range(options.rows):
            file.write(json.dumps(row(number, options)) + "\n")
    began = time.monotonic()
    whole = options.out / "whole"
    subprocess.run(command(source, whole, options), check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - began
    print(
        f"undisturbed: {seconds:.1f} s, {options.rows / seconds:,.0f} rows/s of the whole command"
    )
    killed = options.out / "killed"
    kill(source, killed, options, seconds)
    same = digests(whole, killed.name) == digests(killed, killed.name)
    rows = np.concatenate([ids(file) for file in sorted((killed / "data").iterdir())])
    counts = np.bincount(rows, minlength=options.rows)
    left = sorted(path.name for path in options.out.iterdir())
    print(f"bytes equal: {same}; rows lost: {(counts == 0).sum()}; in the folder: {left}")


def row(number: int, options: argparse.Namespace) -> dict[str, object]:
    """Return a row, with the columns that the command reads."""
    text = TEMPLATES[number % len(TEMPLATES)].format(number)
    made: dict[str, object] = {"id": number, "text": text}
    if options.job == "score":
        made["label"] = number // len(TEMPLATES) % 2
    if options.job == "select":
        made |= {"text_counterfactual": text.replace("He", "She"), "gender_equity": number % 97}
    if options.job == "correct":
        made["bias_score"] = number * 7919 % options.rows
    return made


def command(source: Path, out: Path, options: argparse.Namespace) -> list[str]:
    """Return the command that is run."""
    shards = ["--shard-rows", str(options.shard_rows)] if options.shard_rows else []
    if options.job == "stream":
        script = [sys.executable, "-c", STREAM, str(source), str(out), str(options.num_proc)]
        return [*script, str(options.shard_rows or 10_000)]
    processes = [] if options.job == "score" else ["--num-proc", str(options.num_proc)]
    return [sys.executable, "-m", "fair_datasets", options.job, str(source), "--text", "text",
            *WORDS[options.job], "--out", str(out), *processes, *shards]  # fmt: skip


def kill(source: Path, out: Path, options: argparse.Namespace, seconds: float) -> None:
    """Run the command again and again, and kill it, until it was killed often enough and ends."""
    draw = random.Random(options.seed)
    print("| run | killed after | shards finished | left alive |\n|---|---|---|---|")
    for run in range(1, options.kills + 1):
        process = subprocess.Popen(
            command(source, out, options), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        wait = draw.uniform(0.5, max(1.0, 2.5 * seconds / options.kills))
        if options.more:
            began, wanted = time.monotonic(), shards(out) + draw.randint(1, options.more)
            while shards(out) < wanted and process.poll() is None:
                time.sleep(0.01)
            wait = time.monotonic() - began
        else:
            time.sleep(wait)
        is_early = process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        time.sleep(1.0)
        finished = shards(out)
        told = f"{wait:.1f} s" if is_early else "ended by itself"
        print(f"| {run} | {told} | {finished} | {alive(process.pid)} |", flush=True)
        if not is_early:
            break
    subprocess.run(command(source, out, options), check=True, stdout=subprocess.DEVNULL)


def shards(out: Path) -> int:
    """Count the shards that are finished, those of steps too."""
    return len(list(Path(f"{out}.work").glob("**/data/*.parquet")))


def alive(group: int) -> int:
    """Count the processes of a group that are left."""
    found = 0
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state, _, own = (place / "stat").read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        found += int(own) == group and state != "Z"
    return found


def digests(folder: Path, name: str) -> dict[str, str]:
    """Return the digests of the files of a folder; its name stands in the card."""
    found = {}
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = file.read_bytes()
        if file.name == "README.md":
            content = content.replace(folder.name.encode(), name.encode())
        found[file.relative_to(folder).as_posix()] = hashlib.sha256(content).hexdigest()
    return found


def ids(file: Path) -> np.ndarray:
    """Return the ids of a file, each once."""
    from pyarrow.parquet import read_table

    found = np.asarray(read_table(file, columns=["id"])["id"])
    return np.unique(found)


if __name__ == "__main__":
    os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"
    main()
