"""MBCDA: a rewriter that is trained on corrected swaps, with a discriminator that pulls it along.

`discriminator` reads an attribute from a generator's logits; `trainer` has the two losses and
`generator` the trainings in their order; `config` has the settings and `plan` reads them from a
file; `train` is the whole, from texts to the folder of a model; `evaluation` measures and `card`
tells. The pairs are made in `fair_datasets.rewriter_training`.

Source: Tokpo and Calders (2023), "Model-based Counterfactual Generator for Gender Bias Mitigation".
"""

from fair_datasets.mbcda.config import ABLATIONS, DiscriminatorConfig, MbcdaConfig
from fair_datasets.mbcda.evaluation import Evaluated
from fair_datasets.mbcda.train import TrainedMbcda, train_mbcda

__all__ = [
    "ABLATIONS",
    "DiscriminatorConfig",
    "Evaluated",
    "MbcdaConfig",
    "TrainedMbcda",
    "train_mbcda",
]
