"""Tokpo and Calders (2024): FairFlow's rewriters beside swaps by a list."""

from functools import partial
from pathlib import Path

from fair_datasets.rewriters.fairflow import FairFlowConfig, FairFlowRewriterConfig, build_lexicon
from hub_scripts.papers import rewriters
from hub_scripts.papers.frame import Paper, Work, cut, minilm


def _words(work: Work) -> str:
    """Find a dictionary from she and he, and return its file."""

    def make(folder: Path) -> None:
        config = FairFlowConfig(
            work=folder / "steps", columns="text", pairs=("she", "he"), attributes=rewriters.GROUPS,
            model=work.model("encoder"), fewest=int(work.setting("fewest")),
            mutual=bool(work.setting("mutual")),
        )  # fmt: skip
        rows = cut(work.rows("wikipedia")["train"], int(work.setting("articles")))
        build_lexicon(config, rows).lexicon.save(folder / "words.tsv")

    return str(work.cached("words", make) / "words.tsv")


def _generator(work: Work, variant: str, seed: int) -> str:
    axis = _words(work) if variant == "V2" else "gender"
    config = FairFlowRewriterConfig(**rewriters.training(work, seed), variant=variant,
                                    parallel=rewriters.parallel(work, axis=axis))  # fmt: skip
    return rewriters.generator(work, f"{variant}-{seed}", config)


def _texts(work: Work, version: str, name: str, rows: rewriters.Task, seed: int) -> list[str]:
    """Return what the generator of a version writes."""
    variant = "Hall-M" if version == "Hall-M + BART" else version
    model = _generator(work, variant, seed)
    return rewriters.rewritten(work, f"{name}-{variant}-{seed}", rows.train["text"][:], model)


PAPER = Paper(
    name="fairflow",
    tables=dict.fromkeys("234", partial(rewriters.runs, _texts)),
    models={
        "detector": rewriters.small_detector, "infiller": rewriters.small_bart,
        "generator": rewriters.small_bart, "bert": lambda work: "linear", "encoder": minilm,
        "causal": rewriters.small_causal,
    },
    data={
        "wikipedia": rewriters.small_wikipedia, "bios": rewriters.small_bios,
        "jigsaw": rewriters.small_jigsaw, "echr": rewriters.small_echr,
    },
)  # fmt: skip
