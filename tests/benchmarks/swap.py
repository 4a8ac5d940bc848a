"""How fast the counterfactual swap is, beside the least that any such pass costs.

    python tests/benchmarks/swap.py [--data DIR] [--repeats 3]

Every pass goes through `datasets.map` in one process, over the same rows, in turns:

- identity: gives back what it is given;
- tokens: a token expression and one dictionary look-up per token, names included, which writes the
  counterpart in lower case: what a plain script would do, without letter case, pronouns or context;
- swap: `CounterfactualSwap` in each mode, names included, and once without.

Each time is the best of the repeats. Peak memory is that of a fresh process that does the one pass.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
from datasets import Dataset, load_dataset, load_from_disk

from fair_datasets import CounterfactualSwap, load_lexicon

DEFAULT_DATA = Path(__file__).parents[3] / "shared" / "data"
_TOKEN = re.compile(r"\w+")


def identity(batch: Any) -> dict[str, list[Any]]:
    """Give a batch back."""
    return {column: list(batch[column]) for column in batch}


def dictionary() -> dict[str, str]:
    """Return the counterpart of each word and name, in lower case."""
    found: dict[str, str] = {}
    for name in ("first_names", "gender"):
        for entry in load_lexicon(name).entries:
            for own, other in (("man", "woman"), ("woman", "man")):
                written = entry.forms.get(other)
                for form in entry.forms.get(own, ()) if written else ():
                    found[form.text.lower()] = written[0].text.lower()
    return found


class TokenPass:
    """The plain pass: a token expression and a dictionary."""

    def __init__(self) -> None:
        """Build the dictionary."""
        self.words = dictionary()

    def __call__(self, batch: Any) -> dict[str, list[Any]]:
        """Write each token's counterpart."""
        get = self.words.get

        def counterpart(match: re.Match[str]) -> str:
            word = match.group()
            return get(word.lower()) or word

        result = identity(batch)
        result["text"] = [_TOKEN.sub(counterpart, text) for text in result["text"]]
        return result


def passes() -> dict[str, Callable[[Any], Any]]:
    """Return the passes by name."""
    swap = {
        f"swap, {mode}": CounterfactualSwap(columns="text", mode=mode)
        for mode in ("augment", "substitute", "replace")
    }
    plain = CounterfactualSwap(columns="text", names=False)
    return {"identity": identity, "tokens": TokenPass(), **swap, "swap, no names": plain}


def corpora(data: Path) -> dict[str, Dataset]:
    """Load the three cases: short rows, paragraphs, and rows of a megabyte."""
    tweets = load_dataset(
        "csv",
        data_files=str(data / "classification" / "twitter_sexism_train.csv.gz"),
        split="train",
    )
    novels = load_dataset("json", data_files=str(data / "text" / "novels.jsonl.gz"), split="train")
    rows, size = [[]], 0
    for text in novels["text"]:
        rows[-1].append(text)
        size += len(text)
        if size > 1_000_000:
            rows.append([])
            size = 0
    return {
        "tweets x 4": datasets.concatenate_datasets([tweets] * 4),
        "novels": novels,
        "rows of 1 MB": Dataset.from_dict({"text": ["\n".join(row) for row in rows]}),
    }


def run(path: str, name: str) -> tuple[float, int]:
    """Do one pass over a saved dataset and return its seconds and the rows that come out."""
    dataset = load_from_disk(path)
    function = passes()[name]
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        result = dataset.map(function, batched=True, cache_file_name=f"{folder}/out.arrow")
        return time.perf_counter() - start, result.num_rows


def peak(path: str, name: str) -> float:
    """Return the peak memory of a fresh process that does one pass, in MB."""
    command = [sys.executable, __file__, "--peak", path, name]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def print_peak(path: str, name: str) -> None:
    """Do one pass and print this process's peak memory, in MB."""
    run(path, name)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time the counterfactual swap.")
    data = Path(os.environ.get("FAIR_DATASETS_DATA", DEFAULT_DATA))
    parser.add_argument("--data", type=Path, default=data, help="the folder of the shared data")
    parser.add_argument("--repeats", type=int, default=3, help="how often each pass is timed (3)")
    parser.add_argument("--peak", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    datasets.disable_progress_bars()
    if options.peak:
        print_peak(*options.peak)
        return
    if not options.data.is_dir():
        sys.exit(f"{options.data} is no folder; name the shared data's with --data.")
    columns = ["case", "pass", "rows in", "rows out", "seconds", "rows/s", "words/s", "MB/s"]
    columns += ["peak MB", "x identity", "x tokens"]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for case, dataset in corpora(options.data).items():
        with tempfile.TemporaryDirectory() as folder:
            dataset.save_to_disk(folder)
            print_case(case, dataset, folder, options.repeats)


def print_case(case: str, dataset: Dataset, path: str, repeats: int) -> None:
    """Time every pass over one case, in turns, and print a line for each."""
    words = sum(len(_TOKEN.findall(text)) for text in dataset["text"])
    size = sum(len(text.encode()) for text in dataset["text"]) / 1e6
    names = list(passes())
    runs: dict[str, list[tuple[float, int]]] = {name: [] for name in names}
    for _ in range(repeats):
        for name in names:
            runs[name].append(run(path, name))
    best = {name: min(seconds for seconds, _ in runs[name]) for name in names}
    for name in names:
        seconds, rows = best[name], dataset.num_rows
        cells = [
            case,
            name,
            f"{rows:,}",
            f"{runs[name][0][1]:,}",
            f"{seconds:.3f}",
            f"{rows / seconds:,.0f}",
            f"{words / seconds:,.0f}",
            f"{size / seconds:.1f}",
            f"{peak(path, name):.0f}",
            f"{seconds / best['identity']:.2f}",
            f"{seconds / best['tokens']:.2f}",
        ]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
