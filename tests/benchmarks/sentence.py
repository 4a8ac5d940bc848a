"""How many modules and calls of the package one sentence goes through, in a warm process.

    python tests/benchmarks/sentence.py ["I told Mary that I saw her"]

Counted are the `call` events of a profile into files of the package, with which a generator is
counted each time that it goes on.
"""

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import fair_datasets
from fair_datasets import CounterfactualSwap

PACKAGE = str(Path(fair_datasets.__file__).parent)
SENTENCE = "I told Mary that I saw her"


def calls(sentence: str) -> Counter[str]:
    """Count the calls into each module, once everything is loaded."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    counts: Counter[str] = Counter()

    def count(frame: FrameType, event: str, argument: Any) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(PACKAGE):
            counts[path.removeprefix(PACKAGE).lstrip("/")] += 1

    for _ in range(3):
        swap({"text": [sentence]})
    sys.setprofile(count)
    try:
        swap({"text": [sentence]})
    finally:
        sys.setprofile(None)
    return counts


if __name__ == "__main__":
    counted = calls(sys.argv[1] if len(sys.argv) > 1 else SENTENCE)
    print(f"{len(counted)} modules, {sum(counted.values())} calls")
    for name, count in counted.most_common():
        print(f"{count:6} {name}")
