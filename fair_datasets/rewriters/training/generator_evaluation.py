"""What a generator's rewrites are worth, beside those of the swap and of the corrected swap."""

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.cards.markdown import code, escaped
from fair_datasets.cards.report.tables import markdown_table, text_table
from fair_datasets.cards.statements import Measured
from fair_datasets.evaluation.counterfactuals import (
    CounterfactualEvaluation,
    comparison_rows,
    evaluate_counterfactuals,
)
from fair_datasets.rewriters.generation.model_technique import ModelRewrite
from fair_datasets.rewriters.generation.writing import RewriteRequest, rewrite_texts
from fair_datasets.rewriters.training.parallel import (
    ATTRIBUTE,
    COUNTERFACTUAL,
    TEXT,
    corrected_rows,
)

if TYPE_CHECKING:
    from pathlib import Path

    from datasets import Dataset, DatasetDict

    from fair_datasets.rewriters.training.generator import GeneratorConfig

GENERATOR, VERIFIED = "generator", "generator, verified"


class Copied(NamedTuple):
    """What a generator does to texts in which the swap finds nothing to change.

    Attributes:
        exact: How many it wrote again as they are, character by character.
    """

    texts: int
    exact: int
    unwritten: int


class Judge(NamedTuple):
    """The classifier that says how often the attribute changes."""

    model: str
    classes: tuple[int, int] = (0, 1)


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

    def lines(self) -> list[str]:
        """Return lines of what was measured, for a terminal."""
        copied = self.copied
        lines = [
            f"Of {copied.texts:,} test texts without anything to change, {copied.exact:,} are "
            f"written again as they are, and nothing usable is written for {copied.unwritten:,}."
        ]
        if self.table:
            lines += ["", "On the other test texts:", "", text_table(self.table)]
        return lines + (["", self.warning] if self.warning else [])

    def measured(self, rows: str) -> list[Measured]:
        """Return the measures of the generator, and of the originals before it."""
        before = {
            mean["measure"]: mean["mean"] for mean in self.means if mean["version"] == "original"
        }
        return [
            Measured(mean["measure"], mean["mean"], before.get(mean["measure"]),
                     f"{rows}, test rows", "before: the originals")
            for mean in self.means
            if mean["version"] == GENERATOR and mean["mean"] is not None
        ]  # fmt: skip


def evaluated(
    config: "GeneratorConfig", model: "Path", splits: "DatasetDict", judge: Judge,
    names: tuple[str, str], work: "Path",
) -> Evaluated:  # fmt: skip
    """Measure a generator on rows that it was not trained on.

    Source:
        Tokpo and Calders (2023), section on evaluation: perplexity and transfer accuracy; with a
        label, the rate differences of FairFlow (2024), Tables 2 to 4.
    """
    rows = splits["test"]
    texts, counts = versions_of(config, model, rows, work / "test")
    parts = _rewritten(config, rows, texts, judge)
    if config.label is not None:
        learnt, _ = versions_of(config, model, splits["train"], work / "train")
        parts.append(_learnt(config, splits, learnt, names))
    table: dict[str, dict[str, str]] = {}
    for row in (row for part in parts for row in comparison_rows(part, words=False)):
        table.setdefault(row["version"], {}).update(row)
    means = [mean for part in parts for mean in part.means.to_list()]
    return Evaluated(list(table.values()), means, **counts)


def versions_of(
    config: "GeneratorConfig", model: "Path", rows: "Dataset", work: "Path"
) -> tuple[dict[str, Sequence[str]], dict[str, Any]]:
    """Write the versions of texts.

    Returns:
        What the swap, the corrected swap, the generator, and the generator where its rewrites are
        verified, make of the texts; and the last four attributes of `Evaluated`.
    """
    swap = corrected_rows(config.parallel, rows, work, steps="swap")
    versions = {"swap": swap[COUNTERFACTUAL][:]}
    if config.steps != "swap":
        corrected = corrected_rows(config.parallel, rows, work, steps="repair")
        versions["corrected swap"] = corrected[COUNTERFACTUAL][:]
    texts = rows[TEXT][:]
    asked = [RewriteRequest([text], [[]], "", "") for text in texts]
    outputs = rewrite_texts(asked, str(model), control="plain")
    versions[GENERATOR] = [new or text for new, text in zip(outputs, texts, strict=True)]
    verify = ModelRewrite(
        columns=TEXT, model=str(model), control="plain", mode="replace", fallback="original",
        **config.parallel.reading,
    )  # fmt: skip
    with warnings.catch_warnings():  # Whoever trains is told by the card.
        warnings.simplefilter("ignore")
        verified = verify.apply(rows)
    versions[VERIFIED] = verified[TEXT][:]
    neutral = [text == other for text, other in zip(texts, versions["swap"], strict=True)]
    alone = [(text, new) for text, new, same in zip(texts, outputs, neutral, strict=True) if same]
    status = verified["rewrite_status"][:]
    copied = Copied(
        len(alone), sum(text == new for text, new in alone), sum(new is None for _, new in alone)
    )
    return versions, {
        "copied": copied, "unwritten": outputs.count(None),
        "asked": len(status) - status.count(None), "fallen_back": status.count("original"),
    }  # fmt: skip


def named_rows(rows: "Dataset", names: tuple[str, str]) -> "Dataset":
    """Return the rows whose attribute is known, with its name in the place of its number."""
    known = rows.filter(lambda row: row[ATTRIBUTE] is not None)
    values = [names[number] for number in known[ATTRIBUTE]]
    return known.remove_columns(ATTRIBUTE).add_column(ATTRIBUTE, values)


def _rewritten(
    config: "GeneratorConfig", rows: "Dataset", versions: Mapping[str, Sequence[str]], judge: Judge
) -> list[CounterfactualEvaluation]:
    """Compare versions of the rows whose attribute is known and which the swap changes."""
    selected = [
        place
        for place, (text, other, number) in enumerate(
            zip(rows[TEXT], versions["swap"], rows[ATTRIBUTE], strict=True)
        )
        if number is not None and text != other
    ]
    if not selected:
        return []
    chosen = {name: [texts[place] for place in selected] for name, texts in versions.items()}
    return [
        evaluate_counterfactuals(
            rows.select(selected), chosen,
            column=TEXT, group=ATTRIBUTE, classifier=judge.model, classes=judge.classes,
            causal=config.causal, batch_size=config.rows_at_once,
        )
    ]  # fmt: skip


def _learnt(
    config: "GeneratorConfig", splits: "DatasetDict", versions: Mapping[str, Sequence[str]],
    names: tuple[str, str],
) -> CounterfactualEvaluation:  # fmt: skip
    """Compare what classifiers learn from the training rows and versions of them."""
    return evaluate_counterfactuals(
        splits["train"], versions,
        column=TEXT, label=str(config.label), group=ATTRIBUTE, order=names,
        test=named_rows(splits["test"], names), seeds=(config.seed,),
    )  # fmt: skip


LIMITS = (
    "- It is given a text and nothing else. It takes from the text whom it is about, and what "
    "they should become. All people of the two attributes are rewritten.",
    "- What it writes can be wrong or invented, and it keeps the mistakes of the swap that the "
    "detector did not find: `ModelRewrite` verifies each rewrite and falls back where one does "
    "not pass.",
    "- Do not use it where facts about people matter: a rewrite says something about a person "
    "that nobody said.",
    "- Transfer accuracy is what one classifier reads. A rewrite that satisfies it need not "
    "satisfy a reader; its value for the originals is its error.",
)


def evaluation_lines(
    result: Evaluated, config: "GeneratorConfig", test: int, attributes: tuple[str, str]
) -> list[str]:
    """Write the table of the versions, and what becomes of texts without anything to change."""
    lines = [
        f"On {test:,} test texts; neither they nor their swaps were trained on. Of the "
        f"{result.copied.texts:,} in which the swap finds nothing to change, the generator writes "
        f"{result.copied.exact:,} again character by character, and writes nothing usable for "
        f"{result.copied.unwritten:,} nothing to use."
    ]
    if result.warning:
        lines += ["", f"**{result.warning}**"]
    if result.table:
        lines += [
            "", markdown_table(result.table), "",
            "These figures are about the other test texts. Transfer is the percentage of texts "
            "that a classifier reads as the other attribute; its value for the originals is the "
            "classifier's error. The last row is what `ModelRewrite` keeps: for "
            f"{result.fallen_back:,} of {result.asked:,} texts that mention somebody, no rewrite "
            "passed verification, and the text stays.",
        ]  # fmt: skip
    if config.is_judged_by_its_filter:
        lines += [
            "",
            "The same classifier filtered the training pairs. If the generator learnt what it "
            "reads, another classifier would read fewer texts as the other attribute.",
        ]
    if any("TPRD" in row for row in result.table):
        one, other = (escaped(name) for name in attributes)
        lines += [
            "", (
                f"TPRD and FPRD are the true and the false positive rate of {one} less those of "
                f"{other}; what counts is their distance from 0. They, accuracy and F1 belong to "
                "a classifier that is trained on the training texts with their counterfactuals, "
                "and tested on all test texts whose attribute is known."
            ),
        ]  # fmt: skip
    if result.unwritten:
        lines += [
            "",
            f"For {result.unwritten:,} of the {test:,} texts it wrote nothing usable; the "
            f"originals take their place in the row {code(GENERATOR)}, which brings its figures "
            "closer to those of the originals.",
        ]
    return lines
