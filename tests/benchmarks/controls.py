"""What of counterfactual flips exceeds a control, on real tasks, before and after treatments.

Sexism in tweets, sentiment of IMDb reviews (those that people rewrote stand beside their originals)
and toxicity of Wikipedia comments; TF-IDF under logistic regression, and sentence vectors of
MiniLM, which stays as it is, under a linear head. The rows as they are, all with their
counterfactuals (CDA), each or its counterfactual (CDS), and a healthy data diet of 40 % of the rows
and 40 % of the counterfactuals, by equity scores of the classifier's own probes. Test rows are not
swapped but for the question. MiniLM is asked about --rows of the changed ones.

    python tests/benchmarks/controls.py
"""

import argparse
import math
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from datasets import Dataset, disable_progress_bars, load_dataset
from numpy.typing import NDArray

from fair_datasets.cards.report import markdown_table
from fair_datasets.measures.controls import flip_rate_control, score_shift_control
from fair_datasets.papers.frame import minilm
from fair_datasets.papers.healthy_data_diet import tweets
from fair_datasets.selection.diet import DietConfig, ProbeTrainer
from fair_datasets.selection.diet.diet import baselines, selected
from fair_datasets.selection.diet.measurement import text_rows
from fair_datasets.selection.diet.scoring import paired, scored_rows
from fair_datasets.selection.splits import divided
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.placebos import Placebos, placebos_of
from tests.benchmarks.corpora import DEFAULT_DATA

CONFIG = DietConfig(columns="text")
SWAP = CounterfactualSwap(columns="text")
ENCODERS = {"TF-IDF": None, "MiniLM": "linear"}
DRAWS = 99


class Answers(NamedTuple):
    """What a classifier says of the versions of rows.

    Attributes:
        accuracy: The share of right predictions for the test rows.
        flips: Whether its prediction differs between the versions of a row. Shape (N,).
        placebo_flips: The same for the placebo versions of each draw. Shape (N, K).
        shifts: How far the log odds of the label 1 go from the first to the second version of the
            rows that mention one attribute alone. Shape (M,).
        placebo_shifts: The same for each draw. Shape (M, K).
    """

    accuracy: float
    flips: NDArray[np.bool_]
    placebo_flips: NDArray[np.bool_]
    shifts: NDArray[np.float64]
    placebo_shifts: NDArray[np.float64]


def imdb(data: Path) -> dict[str, Dataset]:
    """Load the reviews with those that people rewrote."""
    path = str(data / "classification" / "imdb_counterfactual_{}.tsv.gz")
    found = {}
    for name in ("train", "test"):
        rows = load_dataset("csv", data_files=path.format(name), delimiter="\t", split="train")
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
    "tweets": lambda data: tweets(),
    "IMDb": imdb,
    "toxicity": toxicity,
}


def treatments(
    pairs: Dataset, trainer: ProbeTrainer, folder: Path
) -> dict[str, Callable[[int], Dataset]]:
    """Return the name of each treatment to a function from a seed to the rows to train on."""
    scored = scored_rows(pairs, CONFIG, trainer, folder)
    plain = baselines(pairs, CONFIG)
    return {
        **{name: plain[name] for name in ("vanilla", "CDA", "CDS")},
        "healthy diet": lambda seed: selected(scored, CONFIG, "healthy_random", 0.4, 0.4, seed),
    }


def placebos(train: Dataset, test: Dataset, most: int | None) -> Placebos:
    """Draw placebo versions of the test rows; of so many at most."""
    training, asked = (text_rows(rows, ["text"]) for rows in (train, test))
    found = placebos_of(asked, SWAP, training=training, count=DRAWS)
    kept = np.flatnonzero(found.controlled)
    if most is not None and len(kept) > most:
        kept = np.sort(np.random.default_rng(0).choice(kept, most, replace=False))
    return replace(found, rows=[found.rows[row] for row in kept.tolist()])


def answers(
    trainer: ProbeTrainer, train: Dataset, test: Dataset, asked: Placebos, seed: int
) -> Answers:
    """Train on rows and ask about the versions of others."""
    predict = trainer(train.shuffle(seed=seed), seed)
    right = predict(text_rows(test, ["text"])).argmax(axis=1) == np.array(test["label"][:])
    own, drawn = asked.asked(lambda rows: np.log(np.maximum(predict(rows), 1e-300)))
    said, placebo = own.argmax(axis=-1), drawn.argmax(axis=-1)
    odds, placebo_odds = (each[..., 1] - each[..., 0] for each in (own, drawn))
    one = asked.own >= 0
    return Answers(
        float(right.mean()), said[:, 0] != said[:, 1], placebo[:, 0] != placebo[:, 1],
        (odds[:, 1] - odds[:, 0])[one], (placebo_odds[:, 1] - placebo_odds[:, 0])[one],
    )  # fmt: skip


def gain(before: Answers, after: Answers) -> tuple[float, float]:
    """Return how much less flips exceed the control after a treatment, and half its interval.

    Both are asked about the same rows and draws, so that differences are of rows and of draws.
    """
    excesses = [each.flips - each.placebo_flips.mean(axis=1) for each in (before, after)]
    rates = before.placebo_flips.mean(axis=0) - after.placebo_flips.mean(axis=0)
    padded = np.append(excesses[0] - excesses[1], [1.0, -1.0])
    error = padded.var() / len(padded) + rates.var(ddof=1) / DRAWS
    return float((excesses[0] - excesses[1]).mean()), 1.959964 * math.sqrt(error)


def line(name: str, seeds: Sequence[Answers], vanilla: Sequence[Answers]) -> dict[str, str]:
    """Return a line of the table: of the first seed, and the deviation over all."""
    found = seeds[0]
    flips = flip_rate_control(found.flips, found.placebo_flips)
    shift = score_shift_control(found.shifts, found.placebo_shifts)
    excesses = [flip_rate_control(each.flips, each.placebo_flips) for each in seeds]
    spread = float(np.std([each.flip_rate_excess for each in excesses], ddof=1))
    gained, reach = gain(vanilla[0], found)
    return {
        "treatment": name,
        "accuracy": f"{found.accuracy:.3f}",
        "flips %": f"{100 * flips.flip_rate:.1f}",
        "control %": f"{100 * flips.flip_rate_control:.1f}",
        "excess, points": f"{100 * flips.flip_rate_excess:+.1f} "
        f"[{100 * flips.low:+.1f}, {100 * flips.high:+.1f}]",
        "p": f"{flips.p_value:.2f}",
        "excess, sd of seeds": f"{100 * spread:.1f}",
        "shift": f"{shift.score_shift:+.3f}",
        "control shift": f"{shift.score_shift_control:.3f}",
        "p shift": f"{shift.p_value:.2f}",
        "excess less than vanilla's by": ""
        if name == "vanilla"
        else f"{100 * gained:+.1f} [{100 * (gained - reach):+.1f}, {100 * (gained + reach):+.1f}]",
    }


def main() -> None:
    """Print a table for each task and encoder."""
    parser = argparse.ArgumentParser(description=__doc__)
    data = Path(os.environ.get("FAIR_DATASETS_DATA", DEFAULT_DATA))
    parser.add_argument("--data", type=Path, default=data, help="the folder of the shared data")
    parser.add_argument("--tasks", nargs="*", choices=TASKS, default=list(TASKS))
    parser.add_argument("--encoders", nargs="*", choices=ENCODERS, default=list(ENCODERS))
    parser.add_argument("--rows", type=int, default=300, help="that MiniLM is asked about (300)")
    parser.add_argument("--seeds", type=int, default=3, help="trainings of each treatment (3)")
    options = parser.parse_args()
    disable_progress_bars()
    for task in options.tasks:
        splits = TASKS[task](options.data)
        train, test = (splits[name].select_columns(["text", "label"]) for name in ("train", "test"))
        pairs = paired(train, CONFIG, "train")
        for name in options.encoders:
            head = ENCODERS[name]
            trainer = ProbeTrainer(
                columns=("text",), head=head, model=minilm() if head else "linear"
            )
            asked = placebos(train, test, options.rows if head else None)
            one = int((asked.own >= 0).sum())
            print(f"\n{task}, {name}: {len(train):,} rows to train on, {len(test):,} test rows; "
                  f"{len(asked.rows):,} changed ones are asked about, {one:,} for the shift\n",
                  flush=True)  # fmt: skip
            with tempfile.TemporaryDirectory() as folder:
                found = {
                    method: [
                        answers(trainer, make(seed), test, asked, seed)
                        for seed in range(options.seeds)
                    ]
                    for method, make in treatments(pairs, trainer, Path(folder)).items()
                }
            lines = [line(method, seeds, found["vanilla"]) for method, seeds in found.items()]
            print(markdown_table(lines), flush=True)


if __name__ == "__main__":
    main()
