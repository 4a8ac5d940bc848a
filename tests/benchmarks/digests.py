"""Whether the swap writes what another checkout of the project writes, over all kinds of text.

    python tests/benchmarks/digests.py --beside CHECKOUT [--data DIR] [--rows 1500] [--show 20]

Along every axis, in every mode, to every target, over each corpus of the shared data: prints how
many combinations there are, how many rows they write, a digest of all of them, and the rows that
differ, which somebody has to read.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from checkouts import HERE, Checkout, serve
from corpora import corpora, parser_of

from fair_datasets import CounterfactualSwap
from fair_datasets.lexicons import available_lexicons, load_lexicon
from fair_datasets.swap.agreement import available_pronoun_sets

_BATCH = 500


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


def main() -> None:
    """Compare the checkouts."""
    parser = parser_of("Compare what two checkouts write.")
    parser.add_argument("--beside", type=Path, help="the other checkout")
    parser.add_argument("--rows", type=int, default=1500, help="texts of each corpus (1500)")
    parser.add_argument("--show", type=int, default=20, help="rows that are shown (20)")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        texts = corpora(options.data, options.rows)
        serve(lambda corpus, settings: written(settings, texts[corpus]))
        return
    if options.beside is None or not options.data.is_dir():
        sys.exit("Name another checkout with --beside, and the shared data's folder with --data.")
    arguments = ("--serve", "--data", str(options.data), "--rows", str(options.rows))
    ours, theirs = (Checkout(folder, __file__, *arguments) for folder in (HERE, options.beside))
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
