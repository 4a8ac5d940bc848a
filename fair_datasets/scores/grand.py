"""GraNd: the norm of a row's gradient."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from fair_datasets.scores.importance import grand_score
from fair_datasets.scores.model_score import Floats, LabelledScore, Labels
from fair_datasets.scores.probes.probe import Probe, Texts
from fair_datasets.system.checks import InputError


@dataclass(frozen=True, kw_only=True)
class GraNd(LabelledScore):
    """Add the gradient norm of each row, for `datasets.map`.

    It is the Euclidean norm of the gradient of the row's cross-entropy over all trainable weights,
    embeddings included, without dropout. It is exact: of linear probes in closed form, of others
    from the gradients of single rows, several at a time and always in single precision. Weights
    without a gradient count 0.

    Attributes:
        columns: The text column or columns; two are read as a pair.
        roles: Whose texts of a conversation are read; none for everybody's.
        models: The folders or Hub ids of classifiers: one, or one per seed, over which the score
            is averaged. They are taken early in training, such as after the first epoch.
        label: The column with the class of each row.
        output_column: The column to add; None for `grand`.
        batch_size: Not used here: memory says how many gradients are taken at once.
        max_length: How many tokens of a text are read.
        precision: Not used here: gradients are taken in single precision.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> GraNd(columns="text", models="some/classifier").output_column
        'grand'

    Source:
        Paul et al. (2021), "Deep Learning on a Data Diet".
    """

    default_column: ClassVar[str] = "grand"

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the models' files."""
        super().__post_init__()
        if not self.models:
            raise InputError("GraNd: models must name a classifier; gradients need its weights.")

    def _scores(self, rows: Sequence[int], labels: Labels, found: list[Any]) -> Floats:
        """Score the rows by their gradients."""

        def ask(probe: Probe, texts: list[Texts]) -> Floats:
            self._refuse_other_classes(rows, labels, probe.classes)
            return probe.gradient_norms(texts, labels, self._reading)

        return grand_score(self._asked(self.all_models, ask, found))
