"""The card of a generator of FairFlow, which says whose words it was trained by."""

from typing import TYPE_CHECKING

from fair_datasets.cards.markdown import code, escaped
from fair_datasets.fairflow.rewriter.config import VARIANTS, FairFlowRewriterConfig
from fair_datasets.fairflow.votes import two_way
from fair_datasets.rewriter_training.generator.card import generator_card

if TYPE_CHECKING:
    from fair_datasets.fairflow.rewriter.train import TrainedFairFlow

_CITATION = (
    "Tokpo, E. K., Calders, T. (2024). FairFlow: An Automated Approach to Model-based "
    "Counterfactual Data Augmentation for NLP."
)
_SHOWN = 20


def fairflow_card(
    trained: "TrainedFairFlow",
    config: FairFlowRewriterConfig,
    *,
    source: str = "",
    command: str = "",
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
    is_found = VARIANTS[config.variant].found
    whose = "words that FairFlow found" if is_found else "words that people listed"
    method = [f"FairFlow, {code(config.variant)}: the swap is by {whose}."]
    if trained.dictionary is not None:
        found = trained.dictionary.found()
        both = [f"{escaped(pair[0])} - {escaped(pair[1])}" for pair, _ in two_way(found.pairs)]
        given = ", ".join(f"{one} and {other}" for one, other in found.given)
        method += [
            "",
            f"From {escaped(given)}: {len(found.pairs):,} words with a counterpart, {len(both):,} "
            "pairs in both directions, which nobody reviewed.",
            *([f"The first are {', '.join(both[:_SHOWN])}."] if both else []),
            f"They lie in {code(trained.dictionary.lexicon.name)}; give it to `ModelRewrite` as "
            "its `axis`, so that rewrites are verified by them.",
        ]
    return generator_card(
        trained, config, tag="fairflow", method=method, citation=_CITATION, source=source,
        command=command,
    )  # fmt: skip
