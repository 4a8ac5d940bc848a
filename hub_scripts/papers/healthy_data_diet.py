"""Zayed et al. (2023): which rows and which counterfactuals train a fairer classifier."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from datasets import Dataset, concatenate_datasets, load_dataset, load_from_disk

from fair_datasets.rows.draws import family_ids
from fair_datasets.scores.equity import EquityScore
from fair_datasets.scores.probes.train import train_probes
from fair_datasets.selection.diet import DietConfig, ProbeTrainer, healthy_diet
from fair_datasets.selection.diet.diet import selected
from fair_datasets.selection.diet.measurement import Templates
from fair_datasets.selection.diet.scoring import paired, scored_rows
from fair_datasets.selection.splits import three_splits
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import error_context
from fair_datasets.system.files import write_file
from hub_scripts.papers.frame import Paper, Run, Values, Work, cut, each_printed, minilm, shared
from hub_scripts.papers.templates import load_iptts

_PRONOUNS = {"male": r"\b(he|him|himself|his)\b", "female": r"\b(she|her|hers|herself)\b"}
# What the counterfactuals are chosen by in figures 2 and 3, all rows being kept.
_ORDERS = {"GE": "healthy_random", "EL2N": "top_el2n", "GraNd": "top_grand",
           "forget": "top_forget", "random": "random"}  # fmt: skip
_COLUMNS = {"DP": "demographic_parity", "EqOdd": "equalized_odds", "EqOpp1": "equal_opportunity_1",
            "AUC": "auc"}  # fmt: skip
_FIGURES = {"fig2": "bert", "fig3": "roberta"}


def _labelled(work: Work, name: str) -> dict[str, Dataset]:
    """Return a data set with the label 0 or 1."""
    splits = work.rows(name)
    if name == "jigsaw":
        splits = {split: cut(rows, int(work.setting("jigsaw_rows"))).map(
            lambda row: {"label": int(row["toxicity"] >= 0.5)}, desc="Labelling")
            for split, rows in splits.items()}  # fmt: skip
    return {split: rows.select_columns(["text", "label"]) for split, rows in splits.items()}


def _splits(work: Work, name: str) -> dict[str, Dataset]:
    """Return the training, validation and test rows of a data set."""
    with error_context(f"--data {name}"):
        splits = three_splits(_labelled(work, name), partial(family_ids, columns=("text",)))
    return {split: cut(rows, int(work.setting("most_rows"))) for split, rows in splits.items()}


def _templates(work: Work) -> Dataset:
    """Return IPTTS."""
    rows = cut(load_iptts(work.file("iptts")), int(work.setting("template_rows")))
    return cut(rows, int(len(rows) * work.share)) if work.share < 1 else rows


def _trainer(work: Work, role: str, name: str = "", epochs: int = 0) -> ProbeTrainer:
    of_name = work.setting("epochs_jigsaw" if name == "jigsaw" else "epochs")
    model = work.model(role)
    return ProbeTrainer(
        columns=("text",), model=model, epochs=epochs or int(of_name),
        head=work.head(role, model),
        learning_rate=None if model == "linear" else float(work.setting("learning_rate")),
        batch_size=int(work.setting("batch_size")), max_length=int(work.setting("max_length")),
    )  # fmt: skip


def _count(name: str, work: Work) -> Values:
    """Count the rows, the pronouns and the positive rows of a data set."""
    splits = _labelled(work, name)
    rows = concatenate_datasets(list(splits.values()))
    texts = [text.lower() for text in rows["text"]]
    counts = {f"{side} pronouns": sum(len(re.findall(words, text)) for text in texts)
              for side, words in _PRONOUNS.items()}  # fmt: skip
    return {"rows": len(rows), **counts, "positive %": 100 * sum(rows["label"]) / len(rows)}


def _counts(work: Work) -> Iterator[Run]:
    """List the runs of table 1."""
    for name in work.about["data"]:
        yield Run(name, partial(_count, name))


def _equity(text: str, seed: int, work: Work) -> Values:
    """Score a sentence by a classifier after its first epoch."""

    def make(folder: Path) -> None:
        trainer = _trainer(work, "bert", epochs=1)
        paths = train_probes(trainer.probes(folder / "probe", (seed,), 1), _splits(work, "twitter")[
            "train"])  # fmt: skip
        (folder / "path").write_text(str(Path(paths[0][0]).relative_to(folder)))

    folder = work.cached(f"biased-{seed}", make)
    probe = folder / (folder / "path").read_text()
    pair = CounterfactualSwap(columns="text", mode="pair", protect=())({"text": [text]})
    score = EquityScore(columns="text", models=str(probe))
    return {"GE": score(pair)["gender_equity"][0]}


def _scored(name: str, role: str, work: Work) -> Dataset:
    """Return the training rows of a data set with their counterfactuals and all scores."""

    def make(folder: Path) -> None:
        config = _experiment(work)
        pairs = paired(_splits(work, name)["train"], config, "train")
        probe = _trainer(work, role, name)
        scored_rows(pairs, config, probe, folder / "probes").save_to_disk(folder / "rows")

    return load_from_disk(str(work.cached(f"{name}-{role}-scored", make) / "rows"))


def _experiment(work: Work) -> DietConfig:
    """Return the settings of figures 2 and 3."""
    return DietConfig(
        columns="text", rankings=tuple(_ORDERS.values()), a_values=(1.0,),
        b_values=tuple(work.setting("shares")), probe_seeds=len(work.chosen_seeds),
        probe_epochs=int(work.setting("probe_epochs")), placebo_draws=0,
    )  # fmt: skip


def _added(name: str, order: str, share: float, seed: int, work: Work) -> Values:
    """Train on all rows and a share of the counterfactuals, and measure on IPTTS."""
    role = _FIGURES[work.table]
    scored = _scored(name, role, work)
    rows = selected(scored, _experiment(work), _ORDERS[order], 1.0, share, seed)
    predict = _trainer(work, role, name)(rows.shuffle(seed=seed), seed)
    measured = Templates.read(_templates(work)).measure(predict)
    return {column: measured[_COLUMNS[column]] for column in ("DP", "AUC")}


def _shares(work: Work) -> Iterator[Run]:
    """List the runs of figures 2 and 3; without counterfactuals all orders are one."""
    for name in work.setting("datasets"):
        for order in _ORDERS:
            for share in work.setting("shares"):
                row = f"{name}, {order}, b={share:g}" if share else f"{name}, b=0"
                if not share and order != "GE":
                    continue
                for seed in work.chosen_seeds:
                    yield Run(row, partial(_added, name, order, share, seed), seed)


def _diet(name: str, role: str, work: Work) -> dict[str, list[dict[str, float]]]:
    """Search the cells of all rankings: method to the measures on IPTTS of each seed."""
    key = f"{name}-{role}-diet"
    file = work.out / "work" / key / "found.json"
    with work.alone(key):
        if not file.exists():
            config = DietConfig(
                columns="text", rankings=tuple(work.setting("rankings")), placebo_draws=0,
                a_values=tuple(work.setting("a")), b_values=tuple(work.setting("b")),
                optimise="demographic_parity", probe_seeds=len(work.chosen_seeds),
                seeds=len(work.chosen_seeds), seed=min(work.chosen_seeds),
            )  # fmt: skip
            trainer = _trainer(work, role, name)
            result = healthy_diet(_splits(work, name), config, work=file.parent, trainer=trainer,
                                 probe=trainer, templates={"iptts": _templates(work)})  # fmt: skip
            by_seed = _of_seeds(file.with_name("trials.jsonl"), result.searches)
            write_file(file, json.dumps(by_seed).encode())
    return dict(json.loads(file.read_text()))


def _of_seeds(file: Path, searches: Mapping[str, Any]) -> dict[str, list[dict[str, float]]]:
    """Read the trials of the methods and of the chosen cells, seed by seed."""
    methods = {name: name for name in ("vanilla", "CDA", "CDS")}
    for ranking, search in searches.items():
        if search.chosen:
            cell = f"{ranking}, a={search.chosen['a']}, b={search.chosen['b']}"
            methods[cell] = _shown(ranking)
    results: dict[str, list[dict[str, float]]] = {}
    for line in file.read_text("utf-8").splitlines():
        record = json.loads(line)
        name = record["trial"].removeprefix("report: ").rpartition(", seed ")[0]
        if record["trial"].startswith("report: ") and name in methods:
            results.setdefault(methods[name], []).append(record["measured"]["iptts"])
    return results


def _change(name: str, role: str, method: str, place: int, work: Work) -> Values:
    """Give the change of each measure against the biased model, of one seed, in per cent."""
    results = _diet(name, role, work)
    if method not in results:  # No cell of the ranking keeps the AUC.
        return dict.fromkeys(_COLUMNS)
    new, old = results[method][place], results["vanilla"][place]
    return {column: 100 * (new[measure] - old[measure]) / old[measure]
            for column, measure in _COLUMNS.items()}  # fmt: skip


def _changes(work: Work) -> Iterator[Run]:
    """List the runs of figure 4."""
    methods = [*map(_shown, work.setting("rankings")), "CDA", "CDS"]
    for name in work.setting("datasets"):
        for role in work.about["models"]:
            for method in methods:
                for place, seed in enumerate(work.chosen_seeds):
                    yield Run(f"{name}, {role}, {method}",
                              partial(_change, name, role, method, place), seed)  # fmt: skip


def _shown(ranking: str) -> str:
    """Name a ranking as the figure does."""
    return ranking.removesuffix("_code").replace("_", " ")


def _judged(ours: Mapping[tuple[str, str], float]) -> dict[str, bool]:
    """Judge what the paper claims of figure 4."""
    verdicts = {}
    for place in dict.fromkeys(row.rpartition(", ")[0] for row, _ in ours):
        of = {row.rpartition(", ")[2]: row for row, _ in ours if row.startswith(place + ", ")}
        if "healthy random" not in of:
            verdicts[f"{place}: a cell of healthy random loses at most 3% of AUC"] = False
            continue
        healthy = of["healthy random"]
        verdicts[f"{place}: healthy random loses at most 3% of AUC"] = ours[healthy, "AUC"] >= -3
        for column in ("DP", "EqOdd", "EqOpp1"):
            least = min(ours[healthy, column] - ours[of[other], column] for other in ("CDA", "CDS"))
            verdicts[f"{place}: healthy random is above CDA and CDS by {column}"] = least > 0
        if "unhealthy random" in of:
            worst = min(of.values(), key=lambda row: ours[row, "DP"])
            verdicts[f"{place}: unhealthy random is worst by DP"] = worst == of["unhealthy random"]
    return verdicts


def tweets(work: Work | None = None) -> dict[str, Dataset]:
    """Read the tweets as the authors split them."""
    names = {"train": "train", "validation": "valid", "test": "test"}
    return {split: _csv(f"classification/twitter_sexism_{name}.csv.gz")
            for split, name in names.items()}  # fmt: skip


def _comments(column: str, half: int, work: Work) -> dict[str, Dataset]:
    """Read half of the comments on Wikipedia, toxic or not, with the columns of another set."""
    rows = _csv("classification/wikipedia_toxicity_nonfuzzed.csv.gz").shard(2, half)
    toxic = [int(str(value).lower() in ("1", "true")) for value in rows["toxic"]]
    return {"train": Dataset.from_dict({"text": rows["comment"][:], column: toxic})}


def _csv(name: str) -> Dataset:
    """Read a file of the shared data."""
    return load_dataset("csv", data_files=str(shared(name)), split="train")


PAPER = Paper(
    name="healthy-data-diet",
    tables={"1": _counts, "2": partial(each_printed, _equity), "fig2": _shares, "fig3": _shares,
            "fig4": _changes},
    models={"bert": minilm, "roberta": lambda work: "linear"},
    data={"twitter": tweets, "wikipedia": partial(_comments, "label", 0),
          "jigsaw": partial(_comments, "toxicity", 1),
          "iptts": lambda work: shared("classification/iptts_madlib_gender.csv.gz")},
    claims={"fig4": _judged},
)  # fmt: skip
