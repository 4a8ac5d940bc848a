"""Tokpo and Calders (2023): MBCDA beside swaps, and without its parts."""

from collections.abc import Iterator
from typing import Any

from fair_datasets.rewriters import DiscriminatorConfig, MbcdaConfig
from fair_datasets.swap.counterfactual import CounterfactualSwap
from hub_scripts.papers import rewriters
from hub_scripts.papers.frame import Paper, Run, Work

_LEFT = "the authors' text: give it by --data swapped=FILE"


def _config(work: Work, ablation: str, seed: int) -> MbcdaConfig:
    """Return how a generator is trained."""
    return MbcdaConfig(
        **rewriters.training(work, seed), ablation=ablation,
        discriminator=DiscriminatorConfig(
            widths=tuple(work.setting("widths")), head=str(work.setting("head")),
            learning_rate=float(work.setting("discriminator_rate")),
            pooling=str(work.setting("pooling")),
        ),
        parallel=rewriters.parallel(work, classifier=rewriters.gender_classifier(work)),
    )  # fmt: skip


def _generator(work: Work, ablation: str, seed: int) -> str:
    """Train one of the six generators."""
    return rewriters.generator(work, f"{ablation}-{seed}", _config(work, ablation, seed))


def _texts(work: Work, version: str, name: str, rows: rewriters.Task, seed: int) -> list[str]:
    texts = rows.train["text"][:]
    if version == "swapped":
        given = work.rows("swapped")["train"]
        other = dict(zip(given["text"], given["swapped"], strict=True))
        return [other[text] for text in texts]
    if version == "CDS":
        drawn = CounterfactualSwap(columns="text", mode="substitute", seed=seed, protect=())
        return list(drawn.apply(rows.train)["text"])
    ablation = "full" if version == "MBCDA" else version
    model = _generator(work, ablation, seed)
    return rewriters.rewritten(work, f"{name}-{ablation}-{seed}", texts, model)


def _runs(work: Work) -> Iterator[Run]:
    """List the runs of a table."""
    reason = "" if work.place("data", "swapped") else _LEFT
    return rewriters.runs(_texts, work, {"swapped": reason})


def _judged(ours: Any) -> dict[str, bool]:
    """Judge what both data sets agree on: with a discriminator transfer rises, and perplexity."""
    verdicts = {}
    for one, other in (("full", "no-discriminator"), ("unfiltered", "unfiltered-no-discriminator")):
        for row, column in list(ours):
            if row == one and (other, column) in ours and column.endswith(("transfer", "PPL")):
                claim = f"{column}: {one} is above {other}"
                verdicts[claim] = ours[one, column] > ours[other, column]
    return verdicts


PAPER = Paper(
    name="mbcda",
    tables=dict.fromkeys("12345678", _runs),
    models={
        "detector": rewriters.small_detector, "infiller": rewriters.small_bart,
        "generator": rewriters.small_bart, "bert": lambda work: "linear",
        "causal": rewriters.small_causal,
    },
    data={
        "wikipedia": rewriters.small_wikipedia, "bios": rewriters.small_bios,
        "jigsaw": rewriters.small_jigsaw, "swapped": lambda work: {},
    },
    claims={"7": _judged, "8": _judged},
)  # fmt: skip
