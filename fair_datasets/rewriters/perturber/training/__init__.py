"""Training a perturber: rows in the format of PANDA in, the folder of a model out.

`data` checks the rows, `swapped` and `two_people` make some; `config` holds the settings; `train`
is the whole, from a plan and rows to the folder of a model and its card; `evaluation` measures.
What the training of any rewriter needs is in `fair_datasets.rewriters.training`.
"""

from fair_datasets.rewriters.perturber.training.config import PerturberConfig
from fair_datasets.rewriters.perturber.training.data import Perturbations, perturbations
from fair_datasets.rewriters.perturber.training.evaluation import Quality, perturber_quality
from fair_datasets.rewriters.perturber.training.swapped import swap_perturbations
from fair_datasets.rewriters.perturber.training.train import TrainedPerturber, train_perturber
from fair_datasets.rewriters.perturber.training.two_people import two_person_perturbations

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
