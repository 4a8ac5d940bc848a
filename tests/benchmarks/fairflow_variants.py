"""FairFlow's rewriters beside the swap by a list: fluency, transfer, and what is learnt from each.

The models, the rows and the task of tweets are those of `mbcda.py`, so that its figures and these
can be read beside each other. Each piece is kept in the folder `out` when it is done.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from datasets import Dataset
from mbcda import Models, models_of, sizes_of, system_of
from mbcda_data import GROUPS, Task, novel_sentences, tweets
from mbcda_versions import generated, kept, verified

from fair_datasets import CounterfactualSwap, evaluate_counterfactuals
from fair_datasets.counterfactual_evaluation import counterfactual_report
from fair_datasets.fairflow import FairFlowRewriterConfig
from fair_datasets.report import markdown_table
from fair_datasets.rewriter_training.generator.start import generator_of, prepared
from fair_datasets.rewriter_training.generator.train import apart, without_swaps
from fair_datasets.rewriter_training.parallel import parallel_rows
from fair_datasets.rewriter_training.rows import attributed_rows

# Variant to what the paper calls its generator.
VARIANTS = {"Hall-M": "Hall-M + generator", "V1": "V1", "V2": "V2"}
OWNER = "fairflow.py"


@dataclass(frozen=True)
class Variants:
    """What the generators are trained on and with.

    Attributes:
        task: The task whose training texts are rewritten.
        models: The models.
        config: The settings that all share; `out` is the folder of all pieces.
        rows: The texts with their gender that pairs are made of.
        words: The lexicon that FairFlow found.
        seeds: The seeds of the trainings.
    """

    task: Task
    models: Models
    config: dict[str, Any]
    rows: Dataset
    words: Path
    seeds: Sequence[int]

    @classmethod
    def of(cls, out: Path, data: Path, words: Path, seeds: int, *, fast: bool) -> "Variants":
        """Read the data, and train the models that are not there yet."""
        options = argparse.Namespace(
            out=out, data=data, seeds=seeds, times=1, fast=fast, detector=None, infiller=None,
            generator=None, filter=None, classifier=None, causal=None,
        )  # fmt: skip
        task = tweets(data, fast=fast)
        novels = novel_sentences(data, sizes_of(options).sentences)
        models = models_of(options, novels, task)
        system = system_of(options, models, novels, task)
        parallel = replace(system.config.parallel, classifier=None)
        shared = {name: getattr(system.config, name)
                  for name in ("model", "epochs", "learning_rate")}  # fmt: skip
        config = {**shared, "parallel": parallel, "denoising": 0, "out": out / "fairflow"}
        return cls(task, models, config, system.rows, words, range(seeds))

    def generator(self, variant: str, seed: int) -> Path:
        """Train a generator, unless it is there, and return its folder."""
        parallel = self.config["parallel"]
        if variant == "V2":
            parallel = replace(parallel, axis=str(self.words))
        given = {**self.config, "parallel": parallel, "variant": variant, "seed": seed}
        config = FairFlowRewriterConfig.small(**given)
        out = Path(config.out)
        work = out / f"{variant}-{seed}"
        if not (work / "model").is_dir():
            found = attributed_rows(
                self.rows, text=parallel.text, attribute=parallel.attribute,
                names=parallel.attributes, classifier=None, owner=OWNER,
            )  # fmt: skip
            train = without_swaps(config, apart(replace(config, seed=0), found.rows))["train"]
            pairs = parallel_rows(parallel, train, out / variant, steps=config.steps, owner=OWNER)
            print(f"training {variant}, seed {seed}, on {len(pairs.rows):,} pairs; left out: "
                  f"{pairs.dropped}", flush=True)  # fmt: skip
            generator_of(prepared(config, [], work, owner=OWNER), pairs.rows)
        return work / "model"

    def versions(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return all versions of the training texts, and what verification says of them."""
        texts, out = self.task.train["text"][:], Path(self.config["out"])
        rows = Dataset.from_dict({"text": texts})
        swap = CounterfactualSwap(columns="text", mode="replace")
        found: dict[str, Any] = {"Hall-M": swap.apply(rows)["text"][:]}
        told = []
        for variant, name in VARIANTS.items():
            for seed in self.seeds:
                model = self.generator(variant, seed)
                file = out / f"{variant}-{seed}.json"
                new = kept(file, lambda model=model: generated(texts, model))
                found.setdefault(name, []).append(new)
                file = out / f"{variant}-{seed}-verified.json"
                safe, counts = kept(file, lambda model=model: verified(texts, model))
                found.setdefault(f"{name}, verified", []).append(safe)
                told += [{"version": name, "seed": seed, "rows that": what, "n": count}
                         for what, count in counts.items()]  # fmt: skip
        return found, told

    def print(self, command: str) -> None:
        """Print the table of all versions, and what verification says of the rewrites."""
        versions, told = self.versions()
        found = evaluate_counterfactuals(
            self.task.train, versions, causal=self.models.causal,
            classifier=self.models.classifier, classes=GROUPS, test=self.task.test, order=GROUPS,
            seeds=list(self.seeds),
        )  # fmt: skip
        train, test = len(self.task.train), len(self.task.test)
        title = f"FairFlow: {self.task.name}, {train:,} training and {test:,} test rows"
        print(f"\n{counterfactual_report(found, title=title, command=command)}\n", flush=True)
        print(markdown_table(told), flush=True)
