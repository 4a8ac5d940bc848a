r"""The floor of votes: what is right of planted pairs from several shares of a word's votes on.

    python tests/benchmarks/vote_floors.py [--seeds 3] [--first 341]

Each seed is a corpus and a model of its own, as in `fairflow.py`, but for three roles that have no
word of the second attribute: whatever stands in for their words is wrong. Pairs are found once
without a floor, by a flow that was trained well and in three rounds, and by one that was hardly
trained, whose votes scatter. A pair counts where at least the share of the word's places proposes
its counterpart. Precision and recall are those of the planted pairs, in both directions; lonely are
the pairs of a corpus that stand for a word without a counterpart.
"""

import argparse
import random
import runpy
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from datasets import Dataset, disable_progress_bars

from fair_datasets.rewriters.fairflow import FairFlowConfig, FoundPair, build_lexicon
from fair_datasets.system.checks import InputError

PLANTED = runpy.run_path(str(Path(__file__).parents[1] / "rewriters" / "fairflow" / "planted.py"))
FLOORS = (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
KINDS = {
    f"{name}, {decoder}": {"decoder": decoder, "rounds": rounds, "flow_epochs": epochs}
    for name, rounds, epochs in (("three rounds", 3, 30), ("hardly trained", 1, 3))
    for decoder in ("head", "nearest")
}
LONELY = PLANTED["PLANTED"][-3:]


def corpus(seed: int) -> list[str]:
    """Write the sentences, with things in the place of the second words of the lonely roles."""
    draws = random.Random(seed)
    missing = {other for _, other in LONELY}
    texts = []
    for text in PLANTED["corpus"](seed):
        words = text.split()
        for place, word in enumerate(words):
            if word in missing:
                thing = PLANTED["letters"](draws.randrange(PLANTED["THINGS"]))
                words[place : place + 2] = [f"thing{thing}", f"use{thing}{draws.choice('ab')}"]
        texts.append(" ".join(words))
    return texts


def found(seed: int) -> Iterator[Sequence[FoundPair]]:
    """Find the pairs of a corpus without a floor, in each way."""
    texts = corpus(seed)
    with tempfile.TemporaryDirectory() as folder:
        PLANTED["masked_model"](texts, Path(folder, "model"), seed)
        config = FairFlowConfig(
            work=Path(folder, "work"), columns="text", pairs=PLANTED["GIVEN"],
            model=Path(folder, "model"), **PLANTED["SETTINGS"] | {"share": 0.0},
        )  # fmt: skip
        for kind in KINDS.values():
            try:
                built = build_lexicon(replace(config, **kind), Dataset.from_dict({"text": texts}))
                yield built.lexicon.pairs
            except InputError as error:
                print(error)
                yield ()


def quality(pairs: Sequence[FoundPair], floor: float) -> tuple[float, float, int]:
    """Return precision and recall of the pairs that have the share, and how many are lonely."""
    kept = [pair[:2] for pair in pairs if pair.votes >= floor * pair.places]
    planted = set(PLANTED["PLANTED"]) - set(LONELY)
    truth = planted | {pair[::-1] for pair in planted}
    others = {pair for pair in kept if not set(pair) & set(PLANTED["GIVEN"])}
    alone = {word for word, _ in LONELY}
    return (
        len(others & truth) / max(1, len(others)),
        len(others & truth) / len(truth),
        sum(bool(set(pair) & alone) for pair in others),
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=3, help="planted corpora")
    parser.add_argument("--first", type=int, default=341, help="the seed of the first of them")
    options = parser.parse_args()
    disable_progress_bars()
    torch.set_num_threads(1)
    rows = []
    for seed in range(options.first, options.first + options.seeds):
        pairs = list(found(seed))
        rows.append([[quality(each, floor) for floor in FLOORS] for each in pairs])
        print(f"seed {seed}: {', '.join(f'{len(each)} pairs' for each in pairs)}", flush=True)
        for name, of in zip(KINDS, np.array(rows).swapaxes(0, 1), strict=True):
            print(f"\n{name}, {len(rows)} corpora")
            print("floor  precision mean worst  recall mean worst  lonely")
            for floor, each in zip(FLOORS, of.swapaxes(0, 1), strict=True):
                (precision, recall, alone), (worst, least, _) = each.mean(axis=0), each.min(axis=0)
                print(f"{floor:5.2f}{precision:16.3f} {worst:.3f} {recall:12.3f} {least:.3f}"
                      f"{alone:8.1f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
