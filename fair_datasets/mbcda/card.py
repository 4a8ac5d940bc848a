"""The card of a generator of MBCDA, which says what it was trained without."""

from typing import TYPE_CHECKING

from fair_datasets.cards.markdown import code
from fair_datasets.mbcda.config import MbcdaConfig
from fair_datasets.rewriter_training.generator.card import generator_card

if TYPE_CHECKING:
    from fair_datasets.mbcda.train import TrainedMbcda

_AT_CHANCE = (
    " That is no more than chance, so that it pulled the generator nowhere: train it for more "
    "epochs, or at a lower learning rate."
)
_CITATION = (
    "Tokpo, E. K., Calders, T. (2023). Model-based Counterfactual Generator for Gender Bias "
    "Mitigation. arXiv:2311.03186."
)


def mbcda_card(
    trained: "TrainedMbcda", config: MbcdaConfig, *, source: str = "", command: str = ""
) -> str:
    """Write the card of a generator.

    Args:
        trained: What was trained, and measured.
        config: The settings.
        source: What the rows are.
        command: The command that trains it again.

    Returns:
        The Markdown text, front matter included.
    """
    with_it = "with" if config.chosen.discriminated else "without"
    method = [
        f"MBCDA, {code(config.ablation)}: the generator was trained {with_it} the discriminator."
    ]
    if trained.held_out is not None:
        held = trained.held_out
        method += [
            "",
            f"The discriminator reads the attribute of {held.accuracy:.1%} of {held.texts:,} "
            f"validation texts rightly; {held.majority:.1%} are of the more frequent one."
            + (_AT_CHANCE if held.is_chance else ""),
        ]
    return generator_card(
        trained, config, tag="mbcda", method=method, citation=_CITATION, source=source,
        command=command,
    )  # fmt: skip
