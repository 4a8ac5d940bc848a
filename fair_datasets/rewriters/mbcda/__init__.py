"""MBCDA: a rewriter that is trained on corrected swaps, with a discriminator that pulls it along.

`discriminator` reads an attribute from a generator's logits and has the two losses; `config` has
the settings; `train` is the whole, from a plan and texts to the folder of a model and its card.
What is not MBCDA's own, the pairs, the generator and the measures, is in
`fair_datasets.rewriters.training`.

Source: Tokpo and Calders (2023), "Model-based Counterfactual Generator for Gender Bias Mitigation".
"""

from fair_datasets.rewriters.mbcda.train import (
    ABLATIONS,
    DiscriminatorConfig,
    MbcdaConfig,
    TrainedMbcda,
    train_mbcda,
)
from fair_datasets.rewriters.training.generator_evaluation import Evaluated

__all__ = [
    "ABLATIONS",
    "DiscriminatorConfig",
    "Evaluated",
    "MbcdaConfig",
    "TrainedMbcda",
    "train_mbcda",
]
