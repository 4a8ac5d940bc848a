"""How fast the counterfactual swap is, beside the least that any such pass costs.

    python tests/benchmarks/swap.py [--data DIR] [--repeats 8] [--beside CHECKOUT] [--peer langtest]

Every pass goes through `datasets.map` in one process, in batches of 4,000 rows, as `apply` and the
command line take, over the same rows, in turns:

- identity: gives back what it is given;
- tokens: a token expression and one dictionary look-up per token, names included, which writes the
  counterpart in lower case: what a plain script would do, without letter case, pronouns or context;
- swap: `CounterfactualSwap` along each axis and in each mode, names included, and once without;
- count: the mentions are counted.

Then, without `datasets`, what costs something in each call is called with batches of 1, 32, 1,000
and 5,000 tweets, as `with_transform`, a DataLoader and `datasets.map` do: the token pass, the swap,
that of six axes at once, and the verification of what the swap changes. It prints the milliseconds
of the process's own time for a call, the median of the repeats; with `--peer`, also those of
another package's swap from men to women, in an environment of its own as `peers.py` has it.

Each time of the other table is the best of the repeats. Peak memory is that of a fresh process that
does the one pass. With `--beside`, the same passes of another checkout of the project are timed in
turns with ours.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import datasets
from checkouts import HERE, Checkout, serve
from corpora import column, parser_of
from datasets import Dataset, load_dataset, load_from_disk
from peers import PEERS, python_of

import fair_datasets
from fair_datasets import CounterfactualSwap
from fair_datasets.lexicons import available_lexicons, load_lexicon
from fair_datasets.swap import verify_all

_TOKEN = re.compile(r"\w+")
_WORDS = 70
BATCHES = (1, 32, 1000, 5000)
CALLS = ("tokens", "swap", "six axes", "verification")
SWAPS: dict[str, dict[str, Any]] = {
    **{f"swap, {mode}": {"mode": mode} for mode in ("augment", "substitute", "replace", "pair")},
    "swap, provenance": {"provenance": True},
    "swap, no names": {"names": False},
    "swap, to non-binary": {"mode": "replace", "target": "non-binary"},
    **{f"swap, {axis}": {"axis": axis} for axis in ("race", "religion", "nationality")},
    **{f"swap, {axis}": {"axis": axis} for axis in ("orientation", "age")},
}


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


def function_of(name: str) -> Callable[[Any], Any]:
    """Return what a pass maps."""
    plain: dict[str, Callable[[], Callable[[Any], Any]]] = {
        "identity": lambda: identity,
        "tokens": TokenPass,
    }
    return plain[name]() if name in plain else CounterfactualSwap(columns="text", **SWAPS[name])


def corpora(data: Path) -> dict[str, Dataset]:
    """Load the cases: short rows, encyclopedic and literary paragraphs, rows of a megabyte."""
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
        "paragraphs": Dataset.from_dict({"text": list(paragraphs(data))}),
        "novels": novels.select_columns(["text"]),
        "rows of 1 MB": Dataset.from_dict({"text": ["\n".join(row) for row in rows]}),
    }


def paragraphs(data: Path) -> Iterator[str]:
    """Join encyclopedic sentences to paragraphs of some words."""
    words: list[str] = []
    for text in column(data / "classification" / "bold_wikipedia_gender_race.csv.gz", "text"):
        words += text.split()
        if len(words) >= _WORDS:
            yield " ".join(words)
            words = []


def run(path: str, name: str, size: int = 0) -> float:
    """Do one pass over a saved dataset and return its seconds, or those of a call."""
    if size:
        return call(path, name, size)
    dataset = load_from_disk(path)
    if name == "count":
        start = time.perf_counter()
        fair_datasets.swap.count_mentions(dataset, "text")
        return time.perf_counter() - start
    function = function_of(name)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        dataset.map(function, batched=True, batch_size=4000, cache_file_name=f"{folder}/out.arrow")
        return time.perf_counter() - start


def call(path: str, name: str, size: int) -> float:
    """Return the processor's seconds for a call with some rows."""
    texts = texts_of_calls(path, size)
    swap = CounterfactualSwap(columns="text", mode="replace")
    # Times are compared over the years, in which a seventh axis has come.
    axes = [axis for axis in available_lexicons() if axis != "disability"]
    calls: dict[str, Callable[[Any], Any]] = {
        "tokens": TokenPass(),
        "swap": swap,
        "six axes": CounterfactualSwap(columns="text", axis=axes, joint=True),
        "verification": lambda batch: verify_all(batch["text"], batch["after"]),
    }
    rows = {"text": texts, "after": swap({"text": texts})["text"]}
    if name == "verification":
        pairs = [pair for pair in zip(*rows.values(), strict=True) if pair[0] != pair[1]]
        rows = dict(zip(rows, map(list, zip(*pairs, strict=True)), strict=True))
    several = [
        {column: values[start : start + size] for column, values in rows.items()}
        for start in range(0, len(rows["text"]) - size + 1, size)
    ] or [rows]
    calls[name](several[0])
    start = time.process_time()
    for batch in several:
        calls[name](batch)
    return (time.process_time() - start) / len(several)


def texts_of_calls(path: str, size: int) -> list[str]:
    """Return the texts that calls with some rows go through."""
    found: list[str] = load_from_disk(path)["text"][: min(10_000, 30 * size + 240)]
    return found


def print_calls(path: str, repeats: int, checkouts: list[Checkout], peer: str | None) -> None:
    """Print the milliseconds of a call by the size of its batch, all in turns."""
    other = None
    if peer:
        script = str(HERE / "tests" / "benchmarks" / "peers.py")
        other = Checkout(HERE, script, "--serve", peer, python=str(python_of(peer)))
    for size, name in product(BATCHES, CALLS):
        seconds = []
        for _ in range(repeats):
            row = [_seconds(checkout, path, name, size) for checkout in checkouts]
            if other and name == "swap":
                texts = Path(path, "texts.json")
                texts.write_text(json.dumps(texts_of_calls(path, size)), "utf-8")
                row.append(_seconds(other, str(texts), size))
            seconds.append(row)
        found = [1000 * statistics.median(each) for each in zip(*seconds, strict=True)]
        # Of the other package only the swap is timed.
        gap = [""] * (len(checkouts) + bool(other) - len(found))
        cells = [f"{size:,}", name, *(f"{each:.2f}" for each in found), *gap]
        cells += [*(f"{each / found[0]:.2f}" for each in found[1:]), *gap]
        print(f"| {' | '.join(cells)} |", flush=True)


def _seconds(checkout: Checkout, *asked: Any) -> float:
    """Return the seconds of one pass with the code of a checkout."""
    checkout.ask(*asked)
    return float(checkout.answer())


def peak(path: str, name: str) -> float:
    """Return the peak memory of a fresh process that does one pass, in MB."""
    command = [sys.executable, __file__, "--peak", path, name]
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(done.stdout)


def print_peak(path: str, name: str) -> None:
    """Do one pass and print this process's peak memory, in MB."""
    run(path, name)
    # What `getrusage` tells begins with the peak of the process that started this one.
    status = Path("/proc/self/status").read_text("utf-8")
    print(int(status.partition("VmHWM:")[2].split()[0]) / 1024)


def print_case(
    case: str, dataset: Dataset, path: str, repeats: int, checkouts: list[Checkout]
) -> None:
    """Time every pass over one case, in turns, and print a line for each."""
    words = sum(len(_TOKEN.findall(text)) for text in dataset["text"])
    size = sum(len(text.encode()) for text in dataset["text"]) / 1e6
    names = ["identity", "tokens", *SWAPS, "count"]
    best = {name: [float("inf")] * len(checkouts) for name in names}
    for _ in range(repeats):
        for name in names:
            for which, checkout in enumerate(checkouts):
                best[name][which] = min(best[name][which], _seconds(checkout, path, name))
    for name in names:
        seconds = best[name][0]
        cells = [
            case, name, f"{dataset.num_rows:,}", f"{seconds:.3f}",
            f"{dataset.num_rows / seconds:,.0f}", f"{words / seconds:,.0f}",
            f"{size / seconds:.1f}", f"{peak(path, name):.0f}",
            f"{best['tokens'][0] / seconds:.2f}", f"{best['swap, augment'][0] / seconds:.2f}",
            *(f"{other / seconds:.2f}" for other in best[name][1:]),
        ]  # fmt: skip
        print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = parser_of("Time the counterfactual swap.")
    parser.add_argument("--repeats", type=int, default=8, help="how often each pass is timed (8)")
    parser.add_argument("--beside", type=Path, help="another checkout, which is timed in turns")
    parser.add_argument("--peer", choices=PEERS, help="another package, whose swap is timed too")
    parser.add_argument("--cases", help="only these, such as 'novels,paragraphs'; '' for none")
    parser.add_argument("--peak", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    datasets.disable_progress_bars()
    if options.peak:
        print_peak(*options.peak)
        return
    if options.serve:
        serve(run)
        return
    folders = [HERE, *([options.beside] if options.beside else [])]
    checkouts = [Checkout(folder, __file__, "--serve") for folder in folders]
    cases = corpora(options.data)
    columns = ["rows of a call", "pass", *(f"ms, {folder.name}" for folder in folders)]
    columns += [f"ms, {options.peer}"] if options.peer else []
    columns += ["other / ours"] if options.beside else []
    columns += [f"{options.peer} / ours"] if options.peer else []
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    with tempfile.TemporaryDirectory() as folder:
        cases["tweets x 4"].save_to_disk(folder)
        print_calls(folder, options.repeats, checkouts, options.peer)
    columns = ["case", "pass", "rows", "seconds", "rows/s", "words/s", "MB/s", "peak MB"]
    columns += ["speed x tokens", "x augment", *(["x other checkout"] if options.beside else [])]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for case, dataset in cases.items():
        if options.cases is not None and case not in options.cases.split(","):
            continue
        with tempfile.TemporaryDirectory() as folder:
            dataset.save_to_disk(folder)
            print_case(case, dataset, folder, options.repeats, checkouts)


if __name__ == "__main__":
    main()
