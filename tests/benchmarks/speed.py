"""How many rows a second the swap rewrites, by kind of text, axis, size of a batch and reader.

    python tests/benchmarks/speed.py [--data DIR] [--base FOLDER]

It prints the tables of the page `streams`. Rows a second are of the process's own time on one core,
so that other work on the machine does not count. Each kind is drawn evenly from the shared data.
The rate is of the first time that the texts are read, in a process of its own. `--base` names an
encoder, such as a MiniLM: a token classifier of it, untrained, stands beside the network that
ships.
"""

import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from corpora import corpora, parser_of

from fair_datasets import CounterfactualSwap

KINDS = {"tweets": "tweets", "reviews": "IMDb", "novels": "novels"}
AXES = ("gender", "race", "religion", "nationality", "orientation", "age")
BATCHES = (1, 32, 1000)


def seconds(texts: Sequence[str], size: int, options: dict[str, Any]) -> float:
    """Return the time of calls with so many rows."""
    swap = CounterfactualSwap(columns="text", mode="replace", **options)
    swap({"text": ["He saw her.", "The old Muslim from France was gay and white."]})
    began = time.process_time()
    for start in range(0, len(texts), size):
        swap({"text": list(texts[start : start + size])})
    return time.process_time() - began


def rate(texts: Sequence[str], size: int = 1000, **options: Any) -> str:
    """Return the rows a second in a process that has read none of them."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return f"{len(texts) / pool.submit(seconds, texts, size, options).result():,.0f}"


def untrained(base: Path, folder: str) -> str:
    """Save a token classifier with the tags of a reader over an encoder, and return its folder."""
    from transformers import AutoModelForTokenClassification, AutoTokenizer

    from fair_datasets.reader.tags import TAGS

    AutoModelForTokenClassification.from_pretrained(
        base, id2label=dict(enumerate(TAGS)), label2id={tag: n for n, tag in enumerate(TAGS)}
    ).save_pretrained(folder)
    AutoTokenizer.from_pretrained(base, use_fast=True).save_pretrained(folder)
    return folder


def line(*cells: object) -> None:
    """Print a line of a table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def main() -> None:
    """Print the tables."""
    parser = parser_of(__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--base", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    found = corpora(options.data, options.rows)
    texts = {name: found[kind] for name, kind in KINDS.items()}
    line("", *texts)
    print("|---" * (len(texts) + 1) + "|")
    line("rows", *(f"{len(rows):,}" for rows in texts.values()))
    line("words in a row", *(sum(len(t.split()) for t in r) // len(r) for r in texts.values()))
    for axis in AXES:
        line(axis, *(rate(rows, axis=axis) for rows in texts.values()))
    for size in BATCHES:
        rates = [rate(rows[:1000], size) for rows in texts.values()]
        line(f"gender, 1,000 rows in batches of {size:,}", *rates)
    if options.base:
        with TemporaryDirectory() as folder:
            reader = untrained(options.base, folder)
            rates = [rate(rows[:100], reader=reader) for rows in texts.values()]
        line("gender, an encoder reads (100 rows)", *rates)


if __name__ == "__main__":
    os.environ["OMP_NUM_THREADS"] = "1"
    main()
