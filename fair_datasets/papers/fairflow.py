"""Tokpo and Calders (2024): FairFlow's rewriters beside swaps by a list."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from fair_datasets.papers import rewriters
from fair_datasets.papers.frame import Paper, Run, Values, Work, cut, minilm
from fair_datasets.rewriters.fairflow import FairFlowConfig, FairFlowRewriterConfig, build_lexicon

_VARIANTS = {"Hall-M + BART": "Hall-M", "V1": "V1", "V2": "V2"}


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

    return str(work.kept("words", make) / "words.tsv")


def _generator(work: Work, variant: str, seed: int) -> str:
    """Train the generator of a variant."""
    axis = _words(work) if variant == "V2" else "gender"
    config = FairFlowRewriterConfig(**rewriters.training(work, seed), variant=variant,
                                    parallel=rewriters.parallel(work, axis=axis))  # fmt: skip
    return rewriters.generator(work, f"{variant}-{seed}", config)


def _measured(version: str, name: str, seed: int, work: Work) -> Values:
    """Measure a version of a data set."""
    rows = rewriters.task(work, name)
    texts: list[str] | None = rows.train["text"][:]
    assert texts is not None
    if version == "Hall-M":
        texts = rewriters.kept_texts(work, f"{name}-swap",
                                     partial(rewriters.swapped, texts, names=True))  # fmt: skip
    elif version in _VARIANTS:
        model = _generator(work, _VARIANTS[version], seed)
        texts = rewriters.rewritten(work, f"{name}-{_VARIANTS[version]}-{seed}", texts, model)
    given = None if version == "original" else texts
    return rewriters.measured(work, name, rows, version, given, seed)


def _runs(work: Work) -> Iterator[Run]:
    """List the runs of a table."""
    for version, name, seed in rewriters.cross(work, list(work.about["printed"])):
        yield Run(version, partial(_measured, version, name, seed), seed, name)


PAPER = Paper(
    name="fairflow",
    tables=dict.fromkeys("234", _runs),
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
