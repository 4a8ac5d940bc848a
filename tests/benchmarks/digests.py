"""Whether the swap writes what another checkout of the project writes, over all kinds of text.

    python tests/benchmarks/digests.py --beside CHECKOUT [--data DIR] [--rows 1500] [--show 20]

Along every axis, in every mode, to every target, over each corpus of the shared data: prints how
many combinations there are, how many rows they write, a digest of all of them, and the rows that
differ, which somebody has to read.
"""

import argparse
import csv
import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fair_datasets import (
    CounterfactualSwap,
    available_lexicons,
    load_lexicon,
)
from fair_datasets.swap.pronoun_sets import available_pronoun_sets

HERE = Path(__file__).resolve().parents[2]
DEFAULT_DATA = HERE.parent / "shared" / "data"
_BATCH = 500
csv.field_size_limit(1 << 30)


def corpora(data: Path, rows: int) -> dict[str, list[str]]:
    """Return texts of each corpus: the longest cells of each of its rows."""
    files = {
        "tweets": "classification/twitter_sexism_train.csv.gz",
        "encyclopedia": "classification/bold_wikipedia_gender_race.csv.gz",
        "comments": "classification/wikipedia_toxicity_nonfuzzed.csv.gz",
        "reviews": "classification/imdb_counterfactual_dev.tsv.gz",
        "names and pronouns": "coreference/gap_development.tsv",
        "captions": "sentence_pairs/snli_subset_train.tsv",
        "novels": "text/novels.jsonl.gz",
    }
    return {name: _some(list(_texts(data / file)), rows) for name, file in files.items()}


def _texts(file: Path) -> Iterator[str]:
    """Give the longest cell of each row of a file."""
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "rt", encoding="utf-8", newline="") as lines:
        if ".jsonl" in file.name:
            yield from (json.loads(line)["text"] for line in lines)
            return
        for row in csv.reader(lines, delimiter="\t" if ".tsv" in file.name else ","):
            yield max(row, key=len)


def _some(texts: list[str], rows: int) -> list[str]:
    """Return texts from all over a corpus."""
    return texts[:: max(1, len(texts) // rows)][:rows]


def combinations() -> Iterator[dict[str, Any]]:
    """Give the settings of the swap."""
    for axis in available_lexicons():
        for names in (None, True, False) if axis in ("gender", "race") else (None,):
            for mode in ("augment", "substitute", "pair"):
                yield {"axis": axis, "mode": mode, "names": names}
        attributes = load_lexicon(axis).attributes
        for target in attributes:
            yield {"axis": axis, "mode": "replace", "target": target, "provenance": True}
        for source in attributes:
            for target in attributes if len(attributes) < 6 else attributes[:2]:
                if source != target:
                    yield {"axis": axis, "mode": "replace", "source": source, "target": target}
    for pronouns in available_pronoun_sets():
        settings = {"axis": "gender", "mode": "replace", "target": "non-binary"}
        yield {**settings, "pronouns": pronouns}
    for other in available_lexicons():
        if other != "gender":
            yield {"axis": ["gender", other], "mode": "augment", "joint": True}
            yield {"axis": ["gender", other], "mode": "augment"}


def written(settings: dict[str, Any], texts: list[str]) -> list[str] | None:
    """Return what a swap writes, batch by batch; None where it refuses the settings."""
    try:
        swap = CounterfactualSwap(columns="text", **settings)
    except ValueError:
        return None
    found = []
    for start in range(0, len(texts), _BATCH):
        batch = swap({"text": texts[start : start + _BATCH]})
        found += [
            json.dumps({column: batch[column][k] for column in sorted(batch)}, ensure_ascii=False)
            for k in range(len(batch["text"]))
        ]
    return found


class Checkout:
    """A process that writes with the code of one checkout."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        """Start the process."""
        command = [sys.executable, __file__, "--serve", "--data", str(options.data)]
        self._process = subprocess.Popen(
            [*command, "--rows", str(options.rows)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(folder)},
        )  # fmt: skip

    def ask(self, *asked: Any) -> None:
        """Ask for what is written."""
        assert self._process.stdin is not None
        print(json.dumps(asked), file=self._process.stdin, flush=True)

    def answer(self) -> Any:
        """Return it."""
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


def serve(options: argparse.Namespace) -> None:
    """Write what is asked for, line by line."""
    texts = corpora(options.data, options.rows)
    for line in sys.stdin:
        corpus, settings = json.loads(line)
        print(json.dumps(written(settings, texts[corpus])), flush=True)


def main() -> None:
    """Compare the checkouts."""
    parser = argparse.ArgumentParser(description="Compare what two checkouts write.")
    data = Path(os.environ.get("FAIR_DATASETS_DATA", DEFAULT_DATA))
    parser.add_argument("--data", type=Path, default=data, help="the folder of the shared data")
    parser.add_argument("--beside", type=Path, help="the other checkout")
    parser.add_argument("--rows", type=int, default=1500, help="texts of each corpus (1500)")
    parser.add_argument("--show", type=int, default=20, help="rows that are shown (20)")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options)
        return
    if options.beside is None or not options.data.is_dir():
        sys.exit("Name another checkout with --beside, and the shared data's folder with --data.")
    ours, theirs = Checkout(HERE, options), Checkout(options.beside, options)
    digest, count, rows, different, shown = hashlib.sha256(), 0, 0, 0, 0
    for corpus in corpora(options.data, 1):
        for settings in combinations():
            for checkout in (ours, theirs):
                checkout.ask(corpus, settings)
            own, other = ours.answer(), theirs.answer()
            if own is None and other is None:
                continue
            own, other = own or [], other or []
            count, rows = count + 1, rows + len(other)
            digest.update(json.dumps(own).encode())
            pairs = [(one, two) for one, two in zip(own, other, strict=False) if one != two]
            different += len(pairs) + abs(len(own) - len(other))
            for one, two in pairs[: max(0, options.show - shown)]:
                shown += 1
                print(f"\n{corpus} {settings}\n  ours  {one}\n  other {two}", flush=True)
    print(f"\n{count} combinations, {rows:,} rows, {different:,} differ; ours {digest.hexdigest()}")


if __name__ == "__main__":
    main()
