"""Encoders of sentences compared by their associations and by linear probes. See README.md."""

from hub_scripts.encoders.encoder_tasks import EncoderTask
from hub_scripts.encoders.encoders import evaluate_encoders

__all__ = ["EncoderTask", "evaluate_encoders"]
