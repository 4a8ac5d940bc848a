"""Encoders of sentences compared: the associations they carry, and what they are good for.

Dolci, Azzalini and Tanelli evaluate encoders that were retrained on a corrected corpus by the
association tests of sentences (SEAT) and by linear probes (SentEval); this does both at once.
"""

from fair_datasets.evaluation.encoders.encoders import (
    GENDER_TESTS,
    RETENTION_TESTS,
    SENTENCE_TESTS,
    EncoderTask,
)
from fair_datasets.evaluation.encoders.evaluation import (
    EncoderEvaluation,
    evaluate_encoders,
    evaluation_report,
)

__all__ = [
    "GENDER_TESTS",
    "RETENTION_TESTS",
    "SENTENCE_TESTS",
    "EncoderEvaluation",
    "EncoderTask",
    "evaluate_encoders",
    "evaluation_report",
]
