"""MBCDA with its ablations beside the swaps: fluency, transfer, and what is learnt from each.

    python tests/benchmarks/mbcda.py --out mbcda [--seeds 3] [--times 1] [--fast] [--data DIR]

trains small models in the run, in about an hour of one core: a detector of replaced words that
starts from MiniLM, an infiller, one BART that learns to fill gaps, from which the discriminators
and all generators start, a causal language model, and probes that read a gender. With `--fast` it
is a smoke run. `--times 10` trains on ten times as many pairs for ten times as many steps, where a
GPU is at hand.

    python tests/benchmarks/mbcda.py --out mbcda --detector google/electra-base-discriminator
        --infiller facebook/bart-base --generator facebook/bart-base --causal distilgpt2
        [--filter ID] [--classifier ID]

takes published models, with the paper's settings; the two classifiers of gender read woman (0) and
man (1), and are trained here where none is named. Every piece is kept in `--out`, and a rerun goes
on from what is there.

The tasks have a training set in which labels go with gender: tweets that are sexist or not, by the
gender of their words, and sentences of BUG about professions thought women's or men's. The pairs
that generators learn from are other texts: tweets that are in no task, and sentences of novels. The
filter reads gender by a probe of these tweets, the measure of transfer by one of other novels.
"""

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from datasets import concatenate_datasets, disable_progress_bars
from mbcda_data import (
    GROUPS,
    Task,
    human_pairs,
    neutral_tweets,
    novel_sentences,
    of_one_gender,
    professions,
    tweets,
)
from mbcda_human import print_human
from mbcda_models import (
    gender_probe,
    minilm,
    small_causal,
    small_detector,
    small_generator,
    small_infiller,
)
from mbcda_versions import (
    MBCDA,
    VERIFIED,
    System,
    discriminator_report,
    generated,
    kept,
    swaps,
    verification_report,
    verified_by_seed,
)

from fair_datasets import evaluate_counterfactuals
from fair_datasets.counterfactual_evaluation import counterfactual_report, plain_counterfactuals
from fair_datasets.mbcda.config import MbcdaConfig
from fair_datasets.rewriter_training.parallel import ParallelConfig

DEFAULT_DATA = Path(__file__).parents[3] / "shared" / "data"


@dataclass(frozen=True)
class Sizes:
    """How much is trained.

    Attributes:
        sentences: How many sentences of novels the small models read.
        detector: The steps of the detector.
        infiller: Those of the infiller.
        generator: Those of what generators start from.
        causal: Those of the language model.
        pairs: How many sentences of novels pairs are made of, beside the tweets.
        human: How many sentences of MT-GenEval are rewritten; None for all.
    """

    sentences: int = 20_000
    detector: int = 350
    infiller: int = 700
    generator: int = 600
    causal: int = 700
    pairs: int = 2000
    human: int | None = None


def sizes_of(options: argparse.Namespace) -> Sizes:
    """Return how much is trained."""
    if options.fast:
        return Sizes(1500, 10, 30, 30, 30, 120, 20)
    chosen, times = Sizes(), options.times
    return Sizes(
        chosen.sentences * min(times, 4), chosen.detector * times, chosen.infiller * times,
        chosen.generator * times, chosen.causal * times, chosen.pairs * times,
    )  # fmt: skip


@dataclass(frozen=True)
class Models:
    """The folders or Hub ids of all models.

    Attributes:
        detector: Finds wrong words.
        infiller: Fills masks.
        generator: What generators start from.
        filter: Reads gender for the filter.
        classifier: Reads gender for transfer accuracy.
        causal: The language model of perplexity.
    """

    detector: str
    infiller: str
    generator: str
    filter: str
    classifier: str
    causal: str


def models_of(options: argparse.Namespace, novels: Sequence[str], task: Task) -> Models:
    """Return the models that are named, and train those that are not."""
    sizes, out = sizes_of(options), options.out / "models"
    texts = [*neutral_tweets(options.data), *task.rest["text"], *novels]
    if options.fast:
        texts = texts[::10]

    # The sentences that pairs are made of are the first of them.
    others = of_one_gender(novels[len(novels) // 2 :])
    return Models(
        detector=options.detector
        or small_detector(texts, out / "detector", encoder=minilm(), steps=sizes.detector),
        infiller=options.infiller or small_infiller(texts, out / "infiller", steps=sizes.infiller),
        generator=options.generator
        or small_generator(texts, out / "generator", steps=sizes.generator),
        filter=options.filter or gender_probe(task.rest, out / "filter", GROUPS),
        classifier=options.classifier or gender_probe(others, out / "classifier", GROUPS),
        causal=options.causal or small_causal(texts, out / "causal", steps=sizes.causal),
    )


def system_of(
    options: argparse.Namespace, models: Models, novels: Sequence[str], task: Task
) -> System:
    """Return what generators are trained on and with."""
    sizes = sizes_of(options)
    sentences = of_one_gender(novels[: len(novels) // 2]).select_columns(["text", "gender"])
    sentences = sentences.select(range(min(sizes.pairs, len(sentences))))
    rest = task.rest.select(range(100)) if options.fast else task.rest
    rows = concatenate_datasets([rest.cast(sentences.features), sentences])
    parallel = ParallelConfig(
        attribute="gender", attributes=tuple(GROUPS), detector=models.detector,
        infiller=models.infiller, classifier=models.filter,
    )  # fmt: skip
    settings: dict[str, Any] = {
        "out": options.out / "system", "model": models.generator, "parallel": parallel
    }  # fmt: skip
    if options.generator:
        return System(MbcdaConfig(**settings), rows, range(options.seeds))
    config = MbcdaConfig.small(
        **settings, denoising=0, epochs=1 if options.fast else 2, learning_rate=5e-4
    )  # fmt: skip
    return System(config, rows, range(options.seeds))


def versions_of(task: Task, system: System) -> dict[str, Any]:
    """Return all versions of a task's training texts."""
    texts, out = task.train["text"][:], system.out.parent / task.name
    versions = kept(out / "swaps.json", lambda: swaps(texts, system.seeds))
    for ablation, seed, model in system.generators():
        new = kept(out / f"{ablation}-{seed}.json", lambda model=model: generated(texts, model))
        versions.setdefault(MBCDA[ablation], []).append(new)
    return versions | {VERIFIED: [new for new, _ in verified_by_seed(texts, system, out)]}


def print_versions(task: Task, system: System, models: Models, command: str) -> None:
    """Print the table of all versions of a task, and write it beside its figures."""
    found = evaluate_counterfactuals(
        task.train, versions_of(task, system), causal=models.causal, classifier=models.classifier,
        classes=GROUPS, test=task.test, order=GROUPS, association=task.association,
        in_place=["CDS"], seeds=list(system.seeds),
    )  # fmt: skip
    title = f"MBCDA: {task.name}, {len(task.train):,} training and {len(task.test):,} test rows"
    report = counterfactual_report(found, title=title, command=command)
    print(f"\n{report}\n{discriminator_report(found.rows.to_list(), system.seeds)}", flush=True)
    (system.out.parent / f"{task.name}.md").write_text(report, encoding="utf-8")
    plain = json.dumps(plain_counterfactuals(found), indent=1)
    (system.out.parent / f"{task.name}.json").write_text(plain, encoding="utf-8")


def print_verification(task: Task, system: System) -> None:
    """Print what verification says of the full system's rewrites of a task, for each seed."""
    found = verified_by_seed(task.train["text"][:], system, system.out.parent / task.name)
    title = f"{MBCDA['full']}, {task.name}"
    print(f"\n{verification_report(title, found, system.seeds)}", flush=True)


def options_of() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Compare MBCDA, its ablations and the swaps.")
    data = Path(os.environ.get("FAIR_DATASETS_DATA", DEFAULT_DATA))
    parser.add_argument("--out", type=Path, required=True, help="the folder of all pieces")
    parser.add_argument("--data", type=Path, default=data, help="the folder of the shared data")
    parser.add_argument("--seeds", type=int, default=3, help="how many trainings of each (3)")
    parser.add_argument("--times", type=int, default=1, help="how many times the size (1)")
    parser.add_argument("--fast", action="store_true", help="a smoke run, which shows nothing")
    parser.add_argument("--tasks", nargs="+", default=["tweets", "professions"],
                        choices=["tweets", "professions"], help="which tasks (both)")  # fmt: skip
    for name, what in (
        ("detector", "finds wrong words"), ("infiller", "fills masks"),
        ("generator", "generators start from"), ("filter", "reads gender for the filter"),
        ("classifier", "reads gender for transfer accuracy"), ("causal", "measures perplexity"),
    ):  # fmt: skip
        parser.add_argument(f"--{name}", help=f"the Hub id or folder of what {what}")
    return parser.parse_args()


def main() -> None:
    """Train what is missing, and print the tables."""
    options = options_of()
    if not options.data.is_dir():
        sys.exit(f"{options.data} is no folder; name the shared data's with --data.")
    disable_progress_bars()
    if not torch.cuda.is_available():
        torch.set_num_threads(1)
    tasks = {"tweets": tweets(options.data, fast=options.fast),
             "professions": professions(options.data, fast=options.fast)}  # fmt: skip
    novels = novel_sentences(options.data, sizes_of(options).sentences)
    models = models_of(options, novels, tasks["tweets"])
    system = system_of(options, models, novels, tasks["tweets"])
    for steps in ("swap", "repair", "filter"):
        print(f"pairs after {steps}: {len(system.pairs(steps).rows):,}", flush=True)
    command = shlex.join(["python", "tests/benchmarks/mbcda.py", *sys.argv[1:]])
    for name in options.tasks:
        print_versions(tasks[name], system, models, command)
        print_verification(tasks[name], system)
    human = human_pairs(options.data, sizes_of(options).human)
    print_human(human, system, classifier=models.classifier, causal=models.causal)


if __name__ == "__main__":
    main()
