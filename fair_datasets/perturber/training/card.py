"""The card of a perturber, which holds its evaluation."""

from typing import TYPE_CHECKING

from fair_datasets.cards.addresses import rewriter_lines
from fair_datasets.cards.evidence import Measured
from fair_datasets.cards.markdown import escaped, json_block
from fair_datasets.cards.model import model_card
from fair_datasets.perturber.training.config import PerturberConfig
from fair_datasets.perturber.training.evaluation import quality_table
from fair_datasets.report.tables import markdown_table
from fair_datasets.rewriter_training.settings_file import shown_settings
from fair_datasets.technique.portable import without_folders

if TYPE_CHECKING:
    from fair_datasets.perturber.training.train import TrainedPerturber

_LIMITS = [
    "- It knows the words that it was trained on. What it writes can be wrong, of somebody else or "
    "invented: `ModelRewrite` verifies each rewrite and falls back where one does not pass.",
    "- Where facts about people matter it is not suited: a rewrite says of a person what was not "
    "said.",
    "- Rows that the swap made repeat the swap's mistakes, and the test rows among them count a "
    "model as right that does so too.",
]
_CITATION = (
    "Qian, R., Ross, C., Fernandes, J., Smith, E. M., Kiela, D., Williams, A. (2022). Perturbation "
    "Augmentation for Fairer NLP. EMNLP 2022."
)


def perturber_card(
    trained: "TrainedPerturber", config: PerturberConfig, *, source: str = "", command: str = ""
) -> str:
    """Write the card of a perturber.

    Args:
        trained: What was trained, and measured.
        config: The settings.
        source: What the rows are.
        command: The command that trains it again.

    Returns:
        The Markdown text, front matter included.
    """
    rows = without_folders(source) or "rows in the format of PANDA"
    before = trained.quality["copying"].cells()
    measured = [
        Measured(name, value, before[name], f"{rows}, test rows", "before: copying")
        for name, value in trained.quality["model"].cells().items()
        if name != "unwritten"
    ]
    return model_card(
        title=trained.folder.absolute().name,
        base_model=config.base,
        training_data=rows,
        command=[command] if command else [],
        task="text2text-generation",
        metadata={"language": ["en"], "tags": ["perturber"]},
        measured=measured,
        sections={
            "Use": rewriter_lines(trained.folder.absolute().name, config.control),
            "Evaluation": _evaluation(trained),
            "Training": _training(trained, config),
            "What a rewrite can be": _LIMITS,
            "Source of the method": [_CITATION],
        },
    )


def _evaluation(trained: "TrainedPerturber") -> list[str]:
    """Write the table of the model and of what needs none."""
    return [
        f"On {trained.rows['test']:,} test rows, of which no text was trained on; nothing is "
        "verified here. `copying` leaves each text as it is; `swap` rewrites all words of the "
        "target's axis, whoever they are about. `exact` is the share of rewrites that are right "
        "character by character, `unwritten` that of rows for which there is none.",
        "",
        markdown_table(quality_table(trained.quality)),
    ]


def _training(trained: "TrainedPerturber", config: PerturberConfig) -> list[str]:
    """Write what it was trained on and how."""
    counts = ", ".join(f"{name} {count:,}" for name, count in trained.rows.items())
    left_out = "; ".join(f"{escaped(why)}: {count:,}" for why, count in trained.left_out.items())
    return [
        f"Rows: {counts}; those of one text are in one split."
        + (f" Left out: {left_out}." if left_out else ""),
        f"The state after {trained.steps:,} steps, with a mean sentence BLEU of {trained.bleu:.2f} "
        "on the validation rows.",
        "",
        *json_block(shown_settings(config)),
    ]
