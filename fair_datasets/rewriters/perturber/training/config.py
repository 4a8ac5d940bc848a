"""How a perturber is trained, as data."""

from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar

from fair_datasets.rewriters.generation.controls import Control
from fair_datasets.rewriters.perturber.training.data import FAULTY
from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.system import checks


@dataclass(frozen=True, kw_only=True)
class PerturberConfig(TrainingConfig):
    """How a perturber is trained, and where it is saved.

    The defaults are the paper's settings: BART-large, 10 epochs, 64 rows a step, a learning rate of
    1e-5 after 1,200 steps of warm-up, gradients clipped at 0.1, and the state that is best by
    sentence BLEU on the validation rows, which is measured four times an epoch; training ends when
    it has not risen ten times in a row. `PerturberConfig.small` has settings for a laptop.

    It has the settings of `TrainingConfig` (`fair_datasets.rewriters.training.config`) as well.

    Attributes:
        control: How the model is told what to do, which those who use it have to give as well; see
            `ModelRewrite`.
        attributes: Further attributes that may be a target, beside those of PANDA.
        faulty: `raise` for an error at a row that cannot be used, `drop` to leave such rows out.
        evaluations: How often an epoch the validation rows are rewritten.
        evaluation_rows: How many validation rows are rewritten there; None for all.
        patience: After how many evaluations in a row without a better one training ends.

    Raises:
        InputError: A setting is not what it must be.
        MissingExtraError: What trains a model is not installed.

    Example:
        >>> PerturberConfig(out="perturber").model
        'facebook/bart-large'
        >>> PerturberConfig.small(out="perturber", epochs=5).model is None
        True
    """

    small_settings: ClassVar[dict[str, Any]] = {
        "model": None, "layers": 2, "width": 128, "vocabulary": 4000, "dropout": 0.0,
        "epochs": 30, "batch_size": 32, "rows_at_once": 32, "learning_rate": 1e-3,
        "warmup_steps": 100, "gradient_clip": 1.0, "max_length": 128, "evaluations": 1,
        "evaluation_rows": 200, "patience": 5,
    }  # fmt: skip

    model: str | PathLike[str] | None = "facebook/bart-large"
    control: str = "perturber"
    attributes: tuple[str, ...] | str = ()
    faulty: str = "raise"
    warmup_steps: int = 1200
    gradient_clip: float = 0.1
    evaluations: int = 4
    evaluation_rows: int | None = None
    patience: int = 10

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        super().__post_init__()
        owner = type(self).__name__
        attributes = checks.strings(self.attributes, owner=owner, parameter="attributes")
        object.__setattr__(self, "attributes", attributes)
        Control.read(self.control, owner=owner)
        checks.one_of(self.faulty, FAULTY, owner=owner, parameter="faulty")
        for name in ("evaluations", "evaluation_rows", "patience"):
            if not (name == "evaluation_rows" and self.evaluation_rows is None):
                checks.positive_whole_number(getattr(self, name), owner=owner, parameter=name)
