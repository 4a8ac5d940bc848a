"""How often predictions flip under a word swap, beside how often like words flip them.

Sexism in tweets, sentiment of IMDb reviews and toxicity of Wikipedia comments; logistic regression
on TF-IDF, and a linear head on the sentence vectors of MiniLM, which is not trained. They learn
from the rows as they are, from all rows and their counterfactuals (CDA), from each row or its
counterfactual (CDS), and from a healthy data diet: 40 % of the rows and 40 % of the
counterfactuals, by the equity scores of probes of the same kind. Nothing is tuned, and no test row
is learnt from.

At most 1,000 rows are trained on. Of the test rows, one of each pair of reviews, at most 200 are
asked about: those that the swap changes and that have placebos. The lines are printed as they are
found. MiniLM takes most of the time; the cache of Hugging Face keeps its vectors, so that a run
that was stopped goes on where it was.

    python tests/benchmarks/flip_rates.py
"""

import math
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from datasets import Dataset, disable_progress_bars, load_dataset
from numpy.typing import NDArray
from scipy.stats import t

from fair_datasets.cards.report import markdown_table
from fair_datasets.selection.diet import DietConfig, ProbeTrainer
from fair_datasets.selection.diet.diet import baselines, selected
from fair_datasets.selection.diet.measurement import text_rows
from fair_datasets.selection.diet.scoring import paired, scored_rows
from fair_datasets.selection.splits import divided
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.placebos import Placebos, placebos_of
from hub_scripts.papers.frame import minilm
from tests.benchmarks.corpora import parser_of

CONFIG = DietConfig(columns="text")
SHARE = 0.4
"""How many of the rows and of their counterfactuals the diet takes."""
ENCODERS = {"TF-IDF": None, "MiniLM": "linear"}
COLUMNS = ("task", "encoder", "trained on", "accuracy", "flips %", "control %", "excess, points")


class Answers(NamedTuple):
    """What several trainings of a classifier say.

    Attributes:
        accuracy: The mean share of right predictions for the test rows.
        flips: Whether the prediction differs between the versions of a row. Shape (S, N).
        placebo_flips: The same for its placebo versions in each draw. Shape (S, N, K).
    """

    accuracy: float
    flips: NDArray[np.bool_]
    placebo_flips: NDArray[np.bool_]


def tweets(data: Path) -> dict[str, Dataset]:
    """Load the tweets."""
    path = str(data / "classification" / "twitter_sexism_{}.csv.gz")
    return {
        name: load_dataset("csv", data_files=path.format(name), split="train")
        for name in ("train", "test")
    }


def imdb(data: Path) -> dict[str, Dataset]:
    """Load the reviews, with those that people rewrote; of a test review one version alone."""
    path = str(data / "classification" / "imdb_counterfactual_{}.tsv.gz")
    found = {}
    for name in ("train", "test"):
        rows = load_dataset("csv", data_files=path.format(name), delimiter="\t", split="train")
        if name == "test":
            rows = rows.select(np.sort(np.unique(rows["batch_id"][:], return_index=True)[1]))
        labels = [int(each == "Positive") for each in rows["Sentiment"]]
        found[name] = Dataset.from_dict({"text": rows["Text"][:], "label": labels})
    return found


def toxicity(data: Path) -> dict[str, Dataset]:
    """Load the comments, 60 % to train on."""
    path = str(data / "classification" / "wikipedia_toxicity_nonfuzzed.csv.gz")
    rows = load_dataset("csv", data_files=path, split="train")
    found = Dataset.from_dict({"text": rows["comment"][:], "label": list(map(int, rows["toxic"]))})
    return dict(divided(found, found["text"][:], {"train": 0.6, "test": 0.4}, seed=0))


TASKS: Mapping[str, Callable[[Path], dict[str, Dataset]]] = {
    "tweets": tweets,
    "IMDb": imdb,
    "toxicity": toxicity,
}


def at_most(rows: Dataset, count: int) -> Dataset:
    """Draw so many rows, where there are more."""
    rows = rows.select_columns(["text", "label"])
    return rows.shuffle(seed=0).select(range(count)) if len(rows) > count else rows


def placebos(train: Dataset, test: Dataset, most: int, draws: int) -> Placebos:
    """Draw placebo versions of test rows, of so many at most that have any."""
    swap = CounterfactualSwap(**CONFIG.reading)
    training, asked = (text_rows(rows, ["text"]) for rows in (train, test))
    found = placebos_of(asked, swap, training=training, count=draws)
    kept = np.flatnonzero(found.controlled)
    if len(kept) > most:
        kept = np.sort(np.random.default_rng(0).choice(kept, most, replace=False))
    return replace(found, rows=[found.rows[row] for row in kept.tolist()])


def treatments(
    pairs: Dataset, trainer: ProbeTrainer, folder: Path
) -> Iterator[tuple[str, Callable[[int], Dataset]]]:
    """Yield the name of each treatment, and a function from a seed to the rows to train on."""
    plain = baselines(pairs, CONFIG)
    yield "the rows", plain["vanilla"]
    yield "CDA", plain["CDA"]
    yield "CDS", plain["CDS"]
    scored = scored_rows(pairs, CONFIG, trainer, folder)
    yield (
        "healthy diet",
        lambda seed: selected(scored, CONFIG, "healthy_random", SHARE, SHARE, seed),
    )


def answers(
    trainer: ProbeTrainer,
    make: Callable[[int], Dataset],
    test: Dataset,
    asked: Placebos,
    seeds: int,
) -> Answers:
    """Train several times, and ask each time about the test rows and the versions."""
    labels, texts = np.array(test["label"][:]), text_rows(test, ["text"])
    right, flips, placebo_flips = [], [], []
    for seed in range(seeds):
        predict = trainer(make(seed).shuffle(seed=seed), seed)
        right.append((predict(texts).argmax(axis=1) == labels).mean())
        own, drawn = asked.asked(lambda rows, predict=predict: predict(rows).argmax(axis=1))
        flips.append(own[:, 0] != own[:, 1])
        placebo_flips.append(drawn[:, 0] != drawn[:, 1])
    return Answers(float(np.mean(right)), np.stack(flips), np.stack(placebo_flips))


def interval(
    flips: NDArray[np.bool_], placebo_flips: NDArray[np.bool_]
) -> tuple[float, float] | None:
    """Return the 95 % interval of the excess, over rows, draws and trainings alike.

    Returns:
        Its ends; None after one training or one draw, as nothing says how others would differ.

    Source:
        Bonett and Price (2012) for the two rows that are added, as in `flip_rate_control`;
        Satterthwaite (1946) for the degrees of freedom of a sum of variances.
    """
    if min(placebo_flips.shape[0], placebo_flips.shape[2]) < 2:
        return None
    excess = flips - placebo_flips.mean(axis=2)
    padded = np.append(excess.mean(axis=0), [1.0, -1.0])
    parts = [(padded.var(), padded.size)]
    others = placebo_flips.mean(axis=(0, 1)), excess.mean(axis=1)
    parts += [(each.var(ddof=1), each.size) for each in others]
    errors = np.array([variance / size for variance, size in parts])
    freedom = errors.sum() ** 2 / sum(
        error**2 / (size - 1) for error, (_, size) in zip(errors, parts, strict=True)
    )
    reach = t.ppf(0.975, freedom) * math.sqrt(errors.sum())
    return float(padded.mean() - reach), float(padded.mean() + reach)


def line(found: Answers) -> list[str]:
    """Return what the table says of some trainings."""
    flips, control = found.flips.mean(), found.placebo_flips.mean()
    ends = interval(found.flips, found.placebo_flips)
    between = f"[{100 * ends[0]:+.1f}, {100 * ends[1]:+.1f}]" if ends else "–"
    return [
        f"{found.accuracy:.3f}",
        f"{100 * flips:.1f}",
        f"{100 * control:.1f}",
        f"{100 * (flips - control):+.1f} {between}",
    ]


def printed(cells: list[str]) -> None:
    """Print a line of the table."""
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print the lines of each task and encoder, and then of how many rows they are."""
    parser = parser_of(__doc__)
    parser.add_argument("--tasks", nargs="*", choices=TASKS, default=list(TASKS))
    parser.add_argument("--encoders", nargs="*", choices=ENCODERS, default=list(ENCODERS))
    parser.add_argument("--train", type=int, default=1000, help="rows to train on at most (1000)")
    parser.add_argument("--rows", type=int, default=200, help="rows to ask about at most (200)")
    parser.add_argument("--draws", type=int, default=5, help="placebo draws (5)")
    parser.add_argument("--seeds", type=int, default=3, help="trainings of each (3)")
    options = parser.parse_args()
    disable_progress_bars()
    printed(list(COLUMNS))
    printed(["---"] * len(COLUMNS))
    sizes = []
    for task in options.tasks:
        splits = TASKS[task](options.data)
        train = at_most(splits["train"], options.train)
        test = splits["test"].select_columns(["text", "label"])
        asked = placebos(train, test, options.rows, options.draws)
        share = np.bincount(test["label"][:]).max() / len(test)
        sizes.append({
            "task": task, "training rows": f"{len(train):,}", "test rows": f"{len(test):,}",
            "most frequent label %": f"{100 * share:.1f}", "swapped rows": len(asked.rows),
        })  # fmt: skip
        pairs = paired(train, CONFIG, "train")
        for encoder in options.encoders:
            head = ENCODERS[encoder]
            trainer = ProbeTrainer(
                columns=("text",), head=head, model=minilm() if head else "linear"
            )
            with tempfile.TemporaryDirectory() as folder:
                for name, make in treatments(pairs, trainer, Path(folder)):
                    found = answers(trainer, make, test, asked, options.seeds)
                    printed([task, encoder, name, *line(found)])
    print(f"\n{markdown_table(sizes)}")


if __name__ == "__main__":
    main()
