"""Perturbation augmentation, after PANDA: one person of a text is given another attribute.

Qian et al. (2022), "Perturbation Augmentation for Fairer NLP".
"""

from fair_datasets.rewriters.perturber.augmentation import (
    PerturbationAugmentation,
    fit_axis_weights,
)

__all__ = ["PerturbationAugmentation", "fit_axis_weights"]
