"""The healthy data diet from start to end: pair, probe, score, search, choose.

Zayed et al. (2023), "Deep Learning on a Healthy Data Diet", AAAI.
"""

from fair_datasets.scores.probes.train import ProbeTrainer
from fair_datasets.selection.diet.config import DietConfig
from fair_datasets.selection.diet.diet import DietResult, healthy_diet

__all__ = ["DietConfig", "DietResult", "ProbeTrainer", "healthy_diet"]
