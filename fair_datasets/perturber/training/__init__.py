"""Training a perturber: rows in the format of PANDA in, the folder of a model out.

`data` checks the rows, `swapped` and `two_people` make some; `config` holds the settings and `plan`
reads them from a file; `train` is the whole, of which `encoding` gives the rows as token ids and
`trainer` the steps; `evaluation` measures and `card` tells. What the training of any rewriter needs
is in `fair_datasets.rewriter_training`.
"""

from fair_datasets.perturber.training.config import PerturberConfig
from fair_datasets.perturber.training.data import Perturbations, perturbations
from fair_datasets.perturber.training.evaluation import Quality, perturber_quality
from fair_datasets.perturber.training.swapped import swap_perturbations
from fair_datasets.perturber.training.train import TrainedPerturber, train_perturber
from fair_datasets.perturber.training.two_people import two_person_perturbations

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
