"""Forgetting: how often a row that was learned is got wrong again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fair_datasets.scores.importance import forget_score
from fair_datasets.scores.model_score import Floats, LabelledScore, Labels, model_names
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError


@dataclass(frozen=True, kw_only=True)
class Forgetting(LabelledScore):
    """Add the number of times that each row is forgotten in training, for `datasets.map`.

    A row is forgotten when it is classified right after one epoch and wrong after the next; see
    `forget_score`. With several seeds the counts are averaged.

    Attributes:
        columns: The text column or columns; two are read as a pair. Needed with `models`.
        roles: Whose texts of a conversation are read; none for everybody's.
        models: The checkpoints of all epochs, in order; or one such list per seed, as
            `train_probes` returns them.
        logits: In place of models, a column of their logits: in each row one list of C numbers
            per epoch, or such lists per seed.
        label: The column with the class of each row.
        never_learned: The score of a row that is never right: `zero`, or `inf` for infinity, which
            one such seed is enough for.
        output_column: The column to add; None for `forgetting`.
        batch_size: How many texts run at once at most.
        max_length: How many tokens of a text are read.
        precision: `auto` for bfloat16 on a GPU that has it, which moves logits by some
            thousandths; `float32` for single precision always, for scores as small as that.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> logits = [[[0.0, 1.0], [1.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]]
        >>> Forgetting(logits="logits")({"logits": logits, "label": [1, 1]})["forgetting"]
        [1.0, 0.0]

    Source:
        Toneva et al. (2019), "An Empirical Study of Example Forgetting during Deep Neural Network
        Learning".
    """

    logits: str | None = None
    never_learned: str = "zero"

    default_column: ClassVar[str] = "forgetting"
    axes: ClassVar[tuple[str, ...]] = ("seeds", "epochs", "classes")

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the models' files."""
        super().__post_init__()
        owner = type(self).__name__
        self._refuse_two_sources(self.logits, owner, "logits")
        allowed = ("zero", "inf")
        checks.one_of(self.never_learned, allowed, owner=owner, parameter="never_learned")

    @property
    def _seeds(self) -> tuple[tuple[str, ...], ...]:
        """The checkpoints of each seed."""
        return self.models  # type: ignore[return-value]

    @property
    def all_models(self) -> tuple[str, ...]:
        """Every checkpoint of every seed."""
        return tuple(model for epochs in self._seeds for model in epochs)

    def _checked_models(self, owner: str) -> tuple[tuple[str, ...], ...]:
        """Return the checkpoints of each seed, or raise."""
        models = self.models
        is_nested = isinstance(models, list | tuple) and all(
            isinstance(item, list | tuple) for item in models
        )
        several: Sequence[Any] = models if is_nested else (models,)  # type: ignore[assignment]
        seeds = tuple(model_names(epochs, owner=owner) for epochs in several)
        lengths = {len(epochs) for epochs in seeds}
        if seeds and (len(lengths) > 1 or 0 in lengths):
            raise InputError(
                f"{owner}: models must name the checkpoints of as many epochs for each seed, but "
                f"it names {[len(epochs) for epochs in seeds]}; give all epochs, in order."
            )
        return seeds

    def _scores(self, rows: Sequence[int], labels: Labels, found: list[Any]) -> Floats:
        """Score the rows by the logits of the epochs."""
        if self.models:
            logits = np.stack([self._predicted(epochs, found) for epochs in self._seeds])
        else:
            logits = np.stack(found, axis=2)
        self._refuse_other_classes(rows, labels, logits.shape[-1])
        scores = [forget_score(seed, labels, never_learned=self.never_learned) for seed in logits]
        return np.asarray(np.mean(scores, axis=0))
