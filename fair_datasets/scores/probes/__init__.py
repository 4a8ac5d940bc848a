"""Probes: classifiers that are trained on the data as they are, to score what they learn from.

A linear probe trains in seconds and downloads nothing; any sequence classifier of transformers can
be fine-tuned in its place. Both are saved once per epoch and read by `load_probe`.
"""

from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.scores.probes.load import load_probe, predict_logits
from fair_datasets.scores.probes.train import train_probes

__all__ = ["ProbeConfig", "load_probe", "predict_logits", "train_probes"]
