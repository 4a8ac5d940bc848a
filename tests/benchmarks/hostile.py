"""What hostile input costs the command `augment`, and whether it comes back as it was.

    python tests/benchmarks/hostile.py [CASE ...] [--scale 1.0]

Each case is worked through at two sizes by the command in a process of its own, with provenance and
in the mode `replace`. Printed are the seconds and the peak of resident memory at both sizes, and
how many rows differ from the source once their edits are undone, which has to be none.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

SENTENCE = "Then he told his aunt that Mary’s brother was a waiter, and she left. "
KINDS = ((0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x5FF), (0x600, 0x8FF),
         (0x900, 0xDFF), (0x2000, 0x2BFF), (0x3000, 0x9FFF), (0xD7B0, 0xD7FF), (0xE000, 0xF8FF),
         (0xFE00, 0xFFFF), (0x10000, 0x1FFFF), (0xE0000, 0xE01EF))  # fmt: skip


def unicode_rows(size: float) -> Iterator[str]:
    """Rows of every kind of letter and sign, with words of people among them."""
    draw = random.Random(0)
    for _ in range(int(10_000 * size)):
        signs = (chr(draw.randint(*draw.choice(KINDS))) for _ in range(draw.randint(0, 80)))
        text = "".join(signs)
        yield text + draw.choice(["", " he ", "his aunt", " She’s "]) + text[::-1]


def long_row(size: float) -> Iterator[str]:
    """One row of 50 MB of prose."""
    yield SENTENCE * int(50_000_000 * size / len(SENTENCE))


def long_line(size: float) -> Iterator[str]:
    """One row of 200 MB in which nobody is mentioned, and one of one sentence."""
    line = "It rained on the roof of the mill. "
    yield line * int(200_000_000 * size / len(line))
    yield SENTENCE


def tiny_rows(size: float) -> Iterator[str]:
    """Ten million rows of one or two words."""
    for number in range(int(10_000_000 * size)):
        yield "He ran." if number % 10 == 0 else "Rain."


def without_a_space(size: float) -> Iterator[str]:
    """A row of 1 MB without a space, of each of four kinds."""
    for piece in ("he", "a", "he,she.", "’’"):
        yield piece * int(1_000_000 * size / len(piece))


def quotes(size: float) -> Iterator[str]:
    """Rows of thousands of quotes, opened and never closed, and nested brackets."""
    for piece in ("“he ", "'his ", '"', "(she ", "‘’“”"):
        yield piece * int(50_000 * size) + SENTENCE


def many_terms(size: float) -> Iterator[str]:
    """10,000 rows, read with a lexicon of 100,000 terms."""
    draw = random.Random(0)
    for _ in range(10_000):
        yield f"The {word(draw.randrange(int(100_000 * size)))} met a {word(7)} there."


CASES: dict[str, Callable[[float], Iterator[str]]] = {
    "unicode": unicode_rows, "long_row": long_row, "long_line": long_line, "tiny_rows": tiny_rows,
    "without_a_space": without_a_space, "quotes": quotes, "many_terms": many_terms,
}  # fmt: skip


def word(number: int) -> str:
    """Return a made-up word."""
    letters = ""
    for _ in range(5):
        number, place = divmod(number, 21)
        letters += "bcdfghjklmnpqrstvwxyz"[place] + "aeiou"[place % 5]
    return letters


def main() -> None:
    """Work through the cases."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--scale", type=float, default=1.0, help="a part of the full size")
    options = parser.parse_args()
    print("| case | MB | s | peak MB | half: s | half: peak MB | rows that do not come back |")
    print("|---|---|---|---|---|---|---|")
    for case in options.cases or CASES:
        half, _ = measured(case, options.scale / 2)
        whole, wrong = measured(case, options.scale)
        numbers = [f"{number:,.1f}" for number in (*whole, *half[1:])]
        print(f"| {case} | {' | '.join(numbers)} | {wrong} |", flush=True)


def measured(case: str, size: float) -> tuple[tuple[float, float, float], int]:
    """Run the command; return the MB, the seconds and the peak MB, and the rows that are wrong."""
    with tempfile.TemporaryDirectory() as place:
        source, out = Path(place) / "rows.jsonl", Path(place) / "out"
        with source.open("w", encoding="utf-8") as file:
            for text in CASES[case](size):
                file.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")
        words = ["augment", str(source), "--text", "text", "--out", str(out), "--mode", "replace",
                 "--provenance"]  # fmt: skip
        if case == "many_terms":
            lexicon = Path(place) / "terms.tsv"
            pairs = (f"{word(n)}\t{word(n + 1)}\n" for n in range(0, int(100_000 * size), 2))
            lexicon.write_text("one\tother\n" + "".join(pairs), encoding="utf-8")
            words += ["--axis", str(lexicon)]
        began = time.monotonic()
        command = [sys.executable, __file__, "--run", *words]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - began
        if found.returncode:
            sys.exit(f"{case}: {found.stderr}")
        peak = float(found.stdout.rsplit("peak: ", 1)[1])
        return (source.stat().st_size / 1e6, seconds, peak), differing(source, out)


def differing(source: Path, out: Path) -> int:
    """Count the rows that are not those of the source once their edits are undone."""
    from pyarrow.parquet import ParquetFile

    from fair_datasets.swap import undo

    wrong = 0
    with source.open(encoding="utf-8") as lines:
        for file in sorted((out / "data").iterdir()):
            for batch in ParquetFile(file).iter_batches(batch_size=1000):
                texts, edits = batch["text"].to_pylist(), batch["edits"].to_pylist()
                for text, own in zip(texts, edits, strict=True):
                    before = undo(text, own) if own else text
                    wrong += before != json.loads(next(lines))["text"]
        return wrong + sum(1 for _ in lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        from fair_datasets.cli import main as command

        code = command(sys.argv[2:])
        # What getrusage says is not less than the peak of whoever started this process.
        state = Path("/proc/self/status").read_text()
        print(f"peak: {int(state.split('VmHWM:')[1].split()[0]) / 1000}")
        sys.exit(code)
    main()
