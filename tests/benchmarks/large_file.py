"""What the command `augment` takes for a file that is larger than memory should have to be.

    python tests/benchmarks/large_file.py --gigabytes 5 --num-proc 1 --out DIR

It writes a JSONL file of made-up tweets with the columns that a platform exports, works through it,
and prints the seconds, the rows, the peak of resident memory of all processes together, apart from
it the part that no file backs (which is what a machine has to have), and the bytes that the cache
of `datasets`, the work folder and the result took on the disk. Nothing is left in DIR.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

STARTS = (
    "omg",
    "So",
    "Honestly,",
    "RT @user{n}:",
    "@user{n}",
    "Just in:",
    "lol",
    "Ugh,",
    "I think",
)
MIDDLES = (
    "my brother said he would call {d} and never did",
    "the new phone is out and the battery lasts {d} hours",
    "she told her team they’d win {d}-0, and they did",
    "it has been raining since {d} o’clock and the trains are late again",
    "can’t believe Mary and her husband moved {d} streets away from us",
    "traffic on route {d} is awful, leave early if you can",
    "the waiter brought {d} coffees and he forgot the milk",
    "page {d} of this book is better than the whole film",
    "that goalkeeper made {d} saves tonight, what a game",
)
ENDS = (
    "!!",
    "...",
    " :)",
    " 😂😂",
    " #monday #fail",
    " https://t.co/{n:x}",
    ".",
    " smh",
    " 🙏 thanks all",
)


def tweets(size: int) -> Iterator[bytes]:
    """Yield lines of JSON until they are so many bytes."""
    draw = random.Random(0)
    number = written = 0
    while written < size:
        texts = [
            f"{draw.choice(STARTS)} {draw.choice(MIDDLES)}{draw.choice(ENDS)}".format(
                n=draw.randrange(10**6), d=draw.randrange(100)
            )
            for _ in range(draw.choice((1, 2, 2, 3)))
        ]
        row = {
            "id": 10**18 + number, "created_at": f"2019-05-{number % 28 + 1:02}T10:00:00Z",
            "author": f"user{draw.randrange(10**6)}", "lang": "en", "source": "Web App",
            "reposts": draw.randrange(50), "likes": draw.randrange(500), "text": " ".join(texts),
        }  # fmt: skip
        line = json.dumps(row, ensure_ascii=False).encode() + b"\n"
        number, written = number + 1, written + len(line)
        yield line


class Watch(threading.Thread):
    """Looks at a process and those below it, until it is gone.

    Attributes:
        peak: The most MB of resident memory of all together.
        own: The most MB that no file backs.
        disk: Folder to the most bytes of its files.
    """

    def __init__(self, process: int, folders: list[Path]) -> None:
        """Set out to look."""
        super().__init__(daemon=True)
        self.process, self.peak, self.own = process, 0.0, 0.0
        self.disk = dict.fromkeys(folders, 0)
        self.is_over = threading.Event()

    def run(self) -> None:
        """Look four times a second; at the disk less often."""
        for look in range(10**9):
            states = [memory(each) for each in family(self.process)]
            self.peak = max(self.peak, sum(whole for whole, _ in states))
            self.own = max(self.own, sum(own for _, own in states))
            if look % 40 == 0:
                for folder in self.disk:
                    self.disk[folder] = max(self.disk[folder], bytes_in(folder))
            if self.is_over.wait(0.25):
                return


def family(process: int) -> Iterator[int]:
    """Yield a process and all below it."""
    yield process
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from family(int(child))


def memory(process: int) -> tuple[float, float]:
    """Return the MB of resident memory of a process, and those of it that no file backs."""
    try:
        state = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0, 0.0
    found = dict(
        line.split(":", 1) for line in state.splitlines() if line.startswith(("VmRSS", "RssA"))
    )
    return tuple(int(found.get(name, "0").split()[0]) / 1000 for name in ("VmRSS", "RssAnon"))


def bytes_in(folder: Path) -> int:
    """Add up the bytes of the files of a folder."""
    found = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                found += os.lstat(os.path.join(place, name)).st_size
            except OSError:
                continue
    return found


def main() -> None:
    """Write the file, work through it and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gigabytes", type=float, default=5.0)
    parser.add_argument("--num-proc", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True)
    source, cache, out = (options.out / name for name in ("tweets.jsonl", "cache", "result"))
    rows = 0
    with source.open("wb") as file:
        for line in tweets(int(options.gigabytes * 1e9)):
            file.write(line)
            rows += 1
    command = [sys.executable, "-m", "fair_datasets", "augment", str(source), "--text", "text",
               "--out", str(out), "--num-proc", str(options.num_proc),
               "--log-file", str(options.out / "log.txt")]  # fmt: skip
    began = time.monotonic()
    process = subprocess.Popen(
        command, env={**os.environ, "HF_DATASETS_CACHE": str(cache)}, stdout=subprocess.DEVNULL
    )
    watch = Watch(process.pid, [cache, Path(f"{out}.work"), out])
    watch.start()
    code = process.wait()
    seconds = time.monotonic() - began
    watch.is_over.set()
    watch.join()
    sizes = [source.stat().st_size, watch.disk[cache], bytes_in(out)]
    print("| GB | rows | processes | s | rows/s | peak MB | of it own MB | cache GB | result GB |")
    print("|---|---|---|---|---|---|---|---|---|")
    print(
        f"| {sizes[0] / 1e9:.2f} | {rows:,} | {options.num_proc} | {seconds:,.0f} | "
        f"{rows / seconds:,.0f} | {watch.peak:,.0f} | {watch.own:,.0f} | {sizes[1] / 1e9:.2f} | "
        f"{sizes[2] / 1e9:.2f} |"
    )
    print((options.out / "log.txt").read_text().splitlines()[0].split(" ", 1)[1])
    shutil.rmtree(options.out)
    sys.exit(code)


if __name__ == "__main__":
    main()
