"""What a first swap costs, what an audit does, and how time and memory grow with a text.

    python tests/benchmarks/scaling.py [--beside CHECKOUT] [--repeats 8] [--data DIR]

All is the processor's time, the median of so many repeats; both checkouts are asked in turns.

- first: the first swap of a fresh process along each axis, once the package is imported;
- linear: what 200,000 characters of a unit take for 50,000, and 50,000 for 12,000;
- workers: the time of 100,000 tweets in one process for that of half of them in a forked one, as
  `num_proc=2` has them on two cores that do nothing else;
- audited: the time of an audit of 20,000 tweets with labels for that of a swap of them;
- peak: the memory of a process that rewrites one row of 50 MB, in MB.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from checkouts import HERE
from corpora import column, parser_of

AXES = ("gender", "race", "religion", "nationality", "orientation", "age")
UNITS = (("age", "in his 30s "), ("gender", "in his 30s "), ("gender", "he/she "))
SIZES = (12_000, 50_000, 200_000)
_ROWS, _BATCH, _AUDITED = 100_000, 1000, 20_000
_SENTENCE = "He saw her brother at the old house, and they told us a story about it. "
_ROW = 50_000_000


def first(axis: str) -> list[float]:
    """Return the time of the first swap of this process."""
    from fair_datasets import CounterfactualSwap

    return [_timed(lambda: CounterfactualSwap(columns="text", axis=axis)(
        {"text": ["He told Mary that her brother was in his 30s."]}
    ))]  # fmt: skip


def linear(axis: str, unit: str) -> list[float]:
    """Return the times of texts of some lengths."""
    from fair_datasets import CounterfactualSwap

    swap = CounterfactualSwap(columns="text", axis=axis, mode="replace")
    texts = [(unit * (size // len(unit) + 1))[:size] for size in SIZES]
    swap({"text": [texts[1]]})
    return [median(_timed(lambda text=text: swap({"text": [text]})) for _ in range(3))
            for text in texts]  # fmt: skip


def workers(data: str) -> list[float]:
    """Return the times of all rows, and of half of them, each in a process of its own."""
    import datasets

    from fair_datasets import CounterfactualSwap

    datasets.disable_progress_bars()
    tweets = column(Path(data, "classification", "twitter_sexism_train.csv.gz"), "text")
    texts = (tweets * (_ROWS // len(tweets) + 1))[:_ROWS]
    swap = CounterfactualSwap(columns="text", mode="replace")
    found = []
    for size in (_ROWS, _ROWS // 2):
        before = os.times()
        if not (child := os.fork()):
            for start in range(0, size, _BATCH):
                swap({"text": texts[start : start + _BATCH]})
            os._exit(0)
        os.waitpid(child, 0)
        after = os.times()
        found.append(after[2] + after[3] - before[2] - before[3])
    return found


def audited(data: str) -> list[float]:
    """Return the times of an audit of rows, and of a swap of them."""
    import datasets

    from fair_datasets import CounterfactualSwap, audit

    datasets.disable_progress_bars()
    file = Path(data, "classification", "twitter_sexism_train.csv.gz")
    known = {name: column(file, name) for name in ("text", "label")}
    several = {name: (each * 2)[:_AUDITED] for name, each in known.items()}
    rows = datasets.Dataset.from_dict(several)
    swap = CounterfactualSwap(columns="text", mode="replace")
    batches = [several["text"][start : start + _BATCH] for start in range(0, _AUDITED, _BATCH)]

    def swapped() -> None:
        for batch in batches:
            swap({"text": batch})

    audit(rows.select(range(1000)), "text", label="label")
    swapped()
    return [_timed(lambda: audit(rows, "text", label="label")), _timed(swapped)]


def peak() -> list[float]:
    """Rewrite one long row, and return the peak memory of this process, in MB."""
    from fair_datasets import CounterfactualSwap

    swap = CounterfactualSwap(columns="text", mode="replace")
    swap({"text": [_SENTENCE * (_ROW // len(_SENTENCE))]})
    status = Path("/proc/self/status").read_text("utf-8")
    return [int(status.partition("VmHWM:")[2].split()[0]) / 1024]


ASKED: dict[str, Callable[..., list[float]]] = {
    "first": first, "linear": linear, "workers": workers, "audited": audited, "peak": peak,
}  # fmt: skip


def _timed(work: Callable[[], object]) -> float:
    """Return the processor's time that something takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def asked(folders: Sequence[Path], repeats: int, *words: str) -> list[list[float]]:
    """Ask fresh processes of the checkouts in turns, and return the medians for each."""
    found: list[list[list[float]]] = [[] for _ in folders]
    for _ in range(repeats):
        for folder, own in zip(folders, found, strict=True):
            done = subprocess.run(
                [sys.executable, __file__, "--ask", *words], check=True, capture_output=True,
                text=True, env={**os.environ, "PYTHONPATH": str(folder)},
            )  # fmt: skip
            own.append([*map(float, done.stdout.split())])
    return [[*map(median, zip(*own, strict=True))] for own in found]


def line(name: str, cells: Sequence[str], *, ratio: float | None = None) -> None:
    """Print a line of the table; the ratio is how many times the other checkout takes."""
    told = [] if ratio is None else [f"{ratio:.2f}"]
    print(f"| {' | '.join([name, *cells, *told])} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = parser_of(__doc__.partition("\n")[0])
    parser.add_argument("--beside", type=Path, help="another checkout, which is asked in turns")
    parser.add_argument("--repeats", type=int, default=8, help="how often each is asked (8)")
    parser.add_argument("--ask", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        name, *words = options.ask
        print(*ASKED[name](*words))
        return
    folders = [HERE, *([options.beside.resolve()] if options.beside else [])]
    columns = ["", *(folder.name for folder in folders), *(["times"] if options.beside else [])]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for axis in AXES:
        times = [each for (each,) in asked(folders, options.repeats, "first", axis)]
        ratio = times[1] / times[0] if options.beside else None
        line(f"first swap, {axis}, s", [f"{each:.3f}" for each in times], ratio=ratio)
    for axis, unit in UNITS:
        several = asked(folders, options.repeats, "linear", axis, unit)
        cells = [f"{long / some:.1f}, {some / short:.1f}" for short, some, long in several]
        line(f"{unit!r} on {axis}, 200,000 for 50,000, 50,000 for 12,000", cells)
    several = asked(folders, max(1, options.repeats // 4), "workers", str(options.data))
    line("100,000 rows in one process for half", [f"{all_ / half:.2f}" for all_, half in several])
    several = asked(folders, max(1, options.repeats // 2), "audited", str(options.data))
    ratio = several[1][0] / several[0][0] if options.beside else None
    line("audit of 20,000 rows for their swap", [f"{own / one:.1f}" for own, one in several],
         ratio=ratio)  # fmt: skip
    several = asked(folders, 1, "peak")
    line("one row of 50 MB, MB", [f"{own:,.0f}" for (own,) in several])


if __name__ == "__main__":
    main()
