"""Whether reading depends on what was read or imported before.

    python tests/benchmarks/orders.py [--data DIR] [--rows 20000]

The same rows of all corpora are read along three axes in fresh processes, in three orders, in
batches of other sizes and with other axes read first. Prints a digest of all that is written for
the rows, and of its edits, for each: they have to be equal.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
from itertools import chain, zip_longest
from pathlib import Path

from checkouts import HERE
from corpora import corpora, parser_of

from fair_datasets import CounterfactualSwap

_AXES = ("gender", "race", "age")
# The axes that are read first, and the rows of a batch.
_ORDERS = {
    "as given": ((), 1000),
    "backward": (("age", "religion", "nationality"), 333),
    "shuffled": (("orientation", "race"), 57),
}


def rows_of(data: Path, count: int) -> list[str]:
    """Return texts of all corpora in turn, as many as are asked for."""
    several = zip_longest(*corpora(data, count).values())
    texts = [text for text in chain.from_iterable(several) if text is not None]
    return texts[:count]


def digest(data: Path, count: int, order: str) -> str:
    """Read the rows in an order, and return the digest of what is written, in the given order."""
    texts = rows_of(data, count)
    first, size = _ORDERS[order]
    places = list(range(len(texts)))
    if order == "backward":
        places.reverse()
    if order == "shuffled":
        random.Random(0).shuffle(places)
    for axis in first:
        CounterfactualSwap(columns="text", axis=axis, mode="replace")({"text": texts[:500]})
    written: list[list[object]] = [[] for _ in texts]
    for axis in _AXES:
        swap = CounterfactualSwap(columns="text", axis=axis, mode="replace", provenance=True)
        for start in range(0, len(places), size):
            batch = places[start : start + size]
            result = swap({"text": [texts[place] for place in batch]})
            for place, text, edits in zip(batch, result["text"], result["edits"], strict=True):
                written[place] += [text, edits]
    return hashlib.sha256(json.dumps(written).encode()).hexdigest()


def main() -> None:
    """Compare the orders."""
    parser = parser_of("Read the same rows in several orders.")
    parser.add_argument("--rows", type=int, default=20_000, help="how many rows (20,000)")
    parser.add_argument("--order", choices=_ORDERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.order:
        print(digest(options.data, options.rows, options.order))
        return
    found = set()
    for order, (first, size) in _ORDERS.items():
        command = [sys.executable, __file__, "--data", str(options.data)]
        command += ["--rows", str(options.rows), "--order", order]
        environment = {**os.environ, "PYTHONPATH": str(HERE)}
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        found.add(done.stdout.strip())
        read = ", ".join(first) or "nothing"
        print(f"{order}, {size} rows a batch, {read} read first: {done.stdout.strip()}", flush=True)
    print(
        f"{options.rows:,} rows, {len(_AXES)} axes: {'equal' if len(found) == 1 else 'DIFFERENT'}"
    )


if __name__ == "__main__":
    main()
