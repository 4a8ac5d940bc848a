"""Probes: classifiers that are trained on the data as they are, to score what they learn from.

A linear probe trains in seconds and downloads nothing. In its place a head can be trained on the
sentence vectors of any encoder, which stays as it is, or a sequence classifier of transformers be
fine-tuned. All are saved once per epoch and read by `load_probe`.
"""

from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.scores.probes.probe import load_probe, predict_logits
from fair_datasets.scores.probes.train import train_probes

__all__ = ["ProbeConfig", "load_probe", "predict_logits", "train_probes"]
