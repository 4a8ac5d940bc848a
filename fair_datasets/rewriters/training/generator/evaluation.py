"""What a generator's rewrites are worth, beside those of the swap and of the corrected swap."""

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.evaluation.counterfactuals import (
    CounterfactualEvaluation,
    evaluate_counterfactuals,
)
from fair_datasets.evaluation.counterfactuals.summary import comparison_rows
from fair_datasets.rewriters.generation.model_rewrite import ModelRewrite
from fair_datasets.rewriters.generation.writing import Ask
from fair_datasets.rewriters.training.generator.config import GeneratorConfig
from fair_datasets.rewriters.training.parallel import COUNTERFACTUAL, corrected_rows
from fair_datasets.rewriters.training.rows import ATTRIBUTE, TEXT
from fair_datasets.rewriters.training.writing import written

if TYPE_CHECKING:
    from pathlib import Path

    from datasets import Dataset, DatasetDict

GENERATOR, VERIFIED = "generator", "generator, verified"
_OWNER = "GeneratorTraining"


class Copied(NamedTuple):
    """What a generator does to texts in which the swap finds nothing to change.

    Attributes:
        texts: How many there are.
        exact: How many it wrote again as they are, character by character.
        unwritten: For how many it wrote nothing to use.
    """

    texts: int
    exact: int
    unwritten: int


class Judge(NamedTuple):
    """The classifier that says how often the attribute changes.

    Attributes:
        model: Its Hub id or folder.
        classes: The number of the attribute that each of its classes stands for.
    """

    model: str
    classes: tuple[int, int] = (0, 1)


class Versions(NamedTuple):
    """What texts become.

    Attributes:
        texts: Name to the texts of each version: the swap, the corrected swap, the generator, and
            the generator where its rewrites are verified.
        copied: What the generator does to texts without anything to change.
        unwritten: For how many texts the generator wrote nothing to use; they stay.
        asked: For how many a verified rewrite was asked: those that mention somebody.
        fallen_back: For how many of these none was written that passed; they stay, too.
    """

    texts: dict[str, Sequence[str]]
    copied: Copied
    unwritten: int
    asked: int
    fallen_back: int


class Evaluated(NamedTuple):
    """What was measured on the test rows.

    Attributes:
        table: A row for each version: the originals, the swap, the corrected swap, the generator,
            and the generator where its rewrites are verified.
        means: The same as `counterfactual_evaluation` gives it: a row for each version and measure.
        copied: What the generator does to texts without anything to change.
        unwritten: For how many test rows the generator wrote nothing to use; their text stays.
        asked: For how many a verified rewrite was asked: those that mention somebody.
        fallen_back: For how many of these none was written that passed; their text stays, too.
    """

    table: list[dict[str, str]]
    means: list[dict[str, Any]]
    copied: Copied
    unwritten: int
    asked: int
    fallen_back: int

    @property
    def warning(self) -> str:
        """That nothing the generator wrote could be kept, where that is so; else nothing."""
        if not self.asked or self.fallen_back < self.asked:
            return ""
        return (
            f"The generator learnt nothing usable: none of its rewrites of the {self.asked:,} "
            "test texts that mention somebody passes verification, so ModelRewrite falls back in "
            "every row."
        )


def evaluated(
    config: GeneratorConfig, model: "Path", splits: "DatasetDict", judge: Judge,
    names: tuple[str, str], work: "Path",
) -> Evaluated:  # fmt: skip
    """Measure a generator on rows that it was not trained on.

    Args:
        splits: The training and the test rows, with the columns `text` and `attribute`.
        work: The folder of the training, for what is made on the way.

    Returns:
        What was measured.

    Source:
        Tokpo and Calders (2023), section on evaluation: perplexity and transfer accuracy; with a
        label, the rate differences of FairFlow (2024), Tables 2 to 4.
    """
    rows = splits["test"]
    found = versions_of(config, model, rows, work / "test")
    parts = _rewritten(config, rows, found.texts, judge)
    if config.label is not None:
        learnt = versions_of(config, model, splits["train"], work / "train").texts
        parts.append(_learnt(config, splits, learnt, names))
    table: dict[str, dict[str, str]] = {}
    for row in (row for part in parts for row in comparison_rows(part, words=False)):
        table.setdefault(row["version"], {}).update(row)
    return Evaluated(
        list(table.values()),
        [mean for part in parts for mean in part.means.to_list()],
        found.copied,
        found.unwritten,
        found.asked,
        found.fallen_back,
    )


def versions_of(config: GeneratorConfig, model: "Path", rows: "Dataset", work: "Path") -> Versions:
    """Write the versions of texts.

    Args:
        rows: The columns `text` and `attribute`.
    """
    swap = corrected_rows(config.parallel, rows, work, steps="swap")
    versions = {"swap": swap[COUNTERFACTUAL][:]}
    if config.steps != "swap":
        corrected = corrected_rows(config.parallel, rows, work, steps="repair")
        versions["corrected swap"] = corrected[COUNTERFACTUAL][:]
    texts = rows[TEXT][:]
    found = written([Ask([text], [[]], "", "") for text in texts], str(model), control="plain",
                    owner=_OWNER)  # fmt: skip
    versions[GENERATOR] = _or_original(found, texts)
    verify = ModelRewrite(
        columns=TEXT, model=str(model), control="plain", mode="replace", fallback="original",
        **config.parallel.reading,
    )  # fmt: skip
    with warnings.catch_warnings():  # Whoever trains is told by the card.
        warnings.simplefilter("ignore")
        kept = verify.apply(rows)
    versions[VERIFIED] = kept[TEXT][:]
    neutral = [text == other for text, other in zip(texts, versions["swap"], strict=True)]
    alone = [(text, new) for text, new, same in zip(texts, found, neutral, strict=True) if same]
    status = kept["rewrite_status"][:]
    return Versions(
        versions,
        Copied(
            len(alone),
            sum(text == new for text, new in alone),
            sum(new is None for _, new in alone),
        ),
        found.count(None),
        len(status) - status.count(None),
        status.count("original"),
    )


def named_rows(rows: "Dataset", names: tuple[str, str]) -> "Dataset":
    """Return the rows whose attribute is known, with its name in the place of its number."""
    known = rows.filter(lambda row: row[ATTRIBUTE] is not None)
    values = [names[number] for number in known[ATTRIBUTE]]
    return known.remove_columns(ATTRIBUTE).add_column(ATTRIBUTE, values)


def _rewritten(
    config: GeneratorConfig, rows: "Dataset", versions: Mapping[str, Sequence[str]], judge: Judge
) -> list[CounterfactualEvaluation]:
    """Compare versions of the rows whose attribute is known and which the swap changes."""
    kept = [
        place
        for place, (text, other, number) in enumerate(
            zip(rows[TEXT], versions["swap"], rows[ATTRIBUTE], strict=True)
        )
        if number is not None and text != other
    ]
    if not kept:
        return []
    chosen = {name: [texts[place] for place in kept] for name, texts in versions.items()}
    return [
        evaluate_counterfactuals(
            rows.select(kept), chosen,
            column=TEXT, group=ATTRIBUTE, classifier=judge.model, classes=judge.classes,
            causal=config.causal, batch_size=config.rows_at_once,
        )
    ]  # fmt: skip


def _learnt(
    config: GeneratorConfig, splits: "DatasetDict", versions: Mapping[str, Sequence[str]],
    names: tuple[str, str],
) -> CounterfactualEvaluation:  # fmt: skip
    """Compare what classifiers learn from the training rows and versions of them."""
    return evaluate_counterfactuals(
        splits["train"], versions,
        column=TEXT, label=str(config.label), group=ATTRIBUTE, order=names,
        test=named_rows(splits["test"], names), seeds=(config.seed,),
    )  # fmt: skip


def _or_original(found: Sequence[str | None], texts: Sequence[str]) -> list[str]:
    """Return what was written, or the text where nothing was."""
    return [text if each is None else each for each, text in zip(found, texts, strict=True)]
