"""Training a perturber: rows in the format of PANDA in, the folder of a model out.

`data` checks the rows, `swapped` makes some; `train` is the whole, from a plan and rows to the
folder of a model and its card; `evaluation` measures.
What the training of any rewriter needs is in `fair_datasets.rewriters.training`.
"""

from fair_datasets.rewriters.perturber.training.data import (
    Perturbations,
    Quality,
    perturbations,
    perturber_quality,
)
from fair_datasets.rewriters.perturber.training.swapped import (
    swap_perturbations,
    two_person_perturbations,
)
from fair_datasets.rewriters.perturber.training.train import (
    PerturberConfig,
    TrainedPerturber,
    train_perturber,
)

__all__ = [
    "Perturbations",
    "PerturberConfig",
    "Quality",
    "TrainedPerturber",
    "perturbations",
    "perturber_quality",
    "swap_perturbations",
    "train_perturber",
    "two_person_perturbations",
]
