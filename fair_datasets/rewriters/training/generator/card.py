"""The card of a generator, which holds its evaluation and says what it was trained on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fair_datasets.cards.addresses import rewriter_lines
from fair_datasets.cards.evidence import Measured
from fair_datasets.cards.markdown import code, escaped, json_block
from fair_datasets.cards.model import model_card
from fair_datasets.cards.report.tables import markdown_table
from fair_datasets.rewriters.training.generator.config import GeneratorConfig
from fair_datasets.rewriters.training.generator.evaluation import GENERATOR
from fair_datasets.rewriters.training.settings_file import shown_settings
from fair_datasets.technique.portable import without_folders

if TYPE_CHECKING:
    from fair_datasets.rewriters.training.generator.train import TrainedGenerator

_LIMITS = [
    "- It is given a text and nothing else. It takes from the text whom it is about, and what "
    "they should become. All people of the two attributes are rewritten.",
    "- What it writes can be wrong or invented, and it keeps the mistakes of the swap that the "
    "detector did not find: `ModelRewrite` verifies each rewrite and falls back where one does "
    "not pass.",
    "- Do not use it where facts about people matter: a rewrite says something about a person "
    "that nobody said.",
    "- Transfer accuracy is what one classifier reads. A rewrite that satisfies it need not "
    "satisfy a reader; its value for the originals is its error.",
]
_STEPS = {
    "filter": "the swap, corrected by the detector and the infiller, and filtered",
    "repair": "the swap, corrected by the detector and the infiller, without a filter",
    "swap": "the swap as it is",
}


def generator_card(
    trained: "TrainedGenerator", config: GeneratorConfig, *, tag: str, method: Sequence[str],
    citation: str, source: str = "", command: str = "",
) -> str:  # fmt: skip
    """Write the card of a generator.

    Args:
        method: Lines of Markdown on which form of the method it is.
    """
    rows = without_folders(source) or "texts with an attribute"
    title = trained.folder.absolute().name
    return model_card(
        title=title,
        base_model=config.base,
        training_data=rows,
        command=[command] if command else [],
        task="text2text-generation",
        metadata={"language": ["en"], "tags": [tag]},
        measured=_measured(trained, rows),
        sections={
            "Use": rewriter_lines(title, "plain"),
            "Evaluation": _evaluation(trained, config),
            "Method": method,
            "Training": [
                f"The pairs are {_STEPS[config.steps]}.", "", *_training(trained, config)
            ],
            "What a rewrite can be": _LIMITS,
            "Source of the method": [citation],
        },
    )  # fmt: skip


def _measured(trained: "TrainedGenerator", rows: str) -> list[Measured]:
    """Return the measures of the generator, and of the originals before it."""
    means = trained.evaluated.means
    before = {mean["measure"]: mean["mean"] for mean in means if mean["version"] == "original"}
    return [
        Measured(mean["measure"], mean["mean"], before.get(mean["measure"]),
                 f"{rows}, test rows", "before: the originals")
        for mean in means
        if mean["version"] == GENERATOR and mean["mean"] is not None
    ]  # fmt: skip


def _evaluation(trained: "TrainedGenerator", config: GeneratorConfig) -> list[str]:
    """Write the table of the versions, and what becomes of texts without anything to change."""
    found = trained.evaluated
    test = trained.rows["test"]
    lines = [
        f"On {test:,} test texts; neither they nor their swaps were trained on. Of the "
        f"{found.copied.texts:,} in which the swap finds nothing to change, the generator writes "
        f"{found.copied.exact:,} again character by character, and writes nothing usable for "
        f"{found.copied.unwritten:,} nothing to use.",
    ]
    if found.warning:
        lines += ["", f"**{found.warning}**"]
    if found.table:
        lines += [
            "", markdown_table(found.table), "",
            "These figures are about the other test texts. Transfer is the percentage of texts "
            "that a classifier reads as the other attribute; its value for the originals is the "
            "classifier's error. The last row is what `ModelRewrite` keeps: for "
            f"{found.fallen_back:,} of {found.asked:,} texts that mention somebody, no rewrite "
            "passed verification, and the text stays.",
        ]  # fmt: skip
    if config.is_judged_by_its_filter:
        lines += [
            "",
            "The same classifier filtered the training pairs. If the generator learnt what it "
            "reads, another classifier would read fewer texts as the other attribute.",
        ]
    if any("TPRD" in row for row in found.table):
        one, other = (escaped(name) for name in trained.attributes)
        lines += [
            "", (
                f"TPRD and FPRD are the true and the false positive rate of {one} less those of "
                f"{other}; what counts is their distance from 0. They, accuracy and F1 belong to "
                "a classifier that is trained on the training texts with their counterfactuals, "
                "and tested on all test texts whose attribute is known."
            ),
        ]  # fmt: skip
    if found.unwritten:
        lines += [
            "",
            f"For {found.unwritten:,} of the {test:,} texts it wrote nothing usable; the "
            f"originals take their place in the row {code(GENERATOR)}, which brings its figures "
            "closer to those of the originals.",
        ]
    return lines


def _training(trained: "TrainedGenerator", config: GeneratorConfig) -> list[str]:
    """Write what it was trained on and how."""
    counts = ", ".join(f"{name} {count:,}" for name, count in trained.rows.items())
    left_out = "; ".join(f"{escaped(why)}: {count:,}" for why, count in trained.left_out.items())
    one, other = (escaped(name) for name in trained.attributes)
    return [
        f"Between {one} and {other}. Texts: {counts}."
        + (f" Left out: {left_out}." if left_out else ""),
        "",
        *json_block(shown_settings(config)),
    ]
