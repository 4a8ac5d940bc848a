"""The card of a sentence encoder that was trained on pairs of sentences."""

from collections.abc import Mapping
from typing import Any

from fair_datasets.cards.evidence import Measured
from fair_datasets.cards.markdown import json_block
from fair_datasets.cards.model import model_card


def encoder_card(provenance: Mapping[str, Any], *, title: str) -> str:
    """Write the card of a sentence encoder.

    Args:
        provenance: What `BiLSTMEncoder` says it was trained on and how.
    """
    told = dict(provenance)
    command = str(told.pop("command", ""))
    measured = []
    if "accuracy" in told:
        measured = [
            Measured(
                "accuracy",
                told["accuracy"],
                before=told["majority"],
                data="the validation pairs",
                detail="class of a pair; before: the most frequent class",
            )
        ]
    card = model_card(
        title=title,
        base_model=str(told.get("vectors", "unknown vectors")),
        training_data=str(told.get("training_data", "unknown pairs of sentences")),
        command=command,
        task="feature-extraction",
        metadata={"library_name": "fair_datasets", "tags": ["sentence-encoder", "bias-score"]},
        measured=measured,
    )
    return "\n".join([card, "## Training", "", *json_block(told), ""])
