"""EL2N: how far a classifier's probabilities are from the label."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fair_datasets.scores.importance import el2n_score
from fair_datasets.scores.model_score import Floats, LabelledScore, Labels


@dataclass(frozen=True, kw_only=True)
class EL2N(LabelledScore):
    """Add the error norm of each row, for `datasets.map`.

    It is the Euclidean norm of the predicted probabilities less the label's one-hot vector, from 0
    to the root of 2; see `el2n_score`. Classifiers are taken early in training, such as after the
    first epoch.

    Attributes:
        columns: The text column or columns; two are read as a pair. Needed with `models`.
        roles: Whose texts of a conversation are read; none for everybody's.
        models: The folders or Hub ids of classifiers: one, or one per seed, over which the score
            is averaged.
        logits: In place of models, a column of their logits: in each row a list of C numbers, or
            one such list per seed.
        label: The column with the class of each row.
        output_column: The column to add; None for `el2n`.
        batch_size: How many texts run at once at most.
        max_length: How many tokens of a text are read.
        precision: `auto` for bfloat16 on a GPU that has it, which moves logits by some
            thousandths; `float32` for single precision always, for scores as small as that.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> EL2N(logits="logits")({"logits": [[0.0, 0.0], [-999, 999]], "label": [0, 1]})["el2n"]
        [0.7071067811865476, 0.0]

    Source:
        Paul et al. (2021), "Deep Learning on a Data Diet".
    """

    logits: str | None = None

    default_column: ClassVar[str] = "el2n"
    axes: ClassVar[tuple[str, ...]] = ("seeds", "classes")

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the models' files."""
        super().__post_init__()
        self._refuse_two_sources(self.logits, type(self).__name__, "logits")

    def _scores(self, rows: Sequence[int], labels: Labels, found: list[Any]) -> Floats:
        """Score the rows by the logits."""
        logits = self._predicted(self.all_models, found) if self.models else np.stack(found, axis=1)
        self._refuse_other_classes(rows, labels, logits.shape[-1])
        return el2n_score(logits, labels)
