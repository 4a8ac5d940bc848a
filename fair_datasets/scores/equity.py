"""The equity score: how far a classifier's answer moves when a demographic attribute is swapped."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows.text_fields import counterfactual_columns, refuse_missing_counterfactuals
from fair_datasets.scores.importance import ge_score
from fair_datasets.scores.model_score import ModelScore, logit_rows
from fair_datasets.scores.probes.probe import Texts
from fair_datasets.system.checks import invalid
from fair_datasets.system.validate import AxisName, validate_fields
from fair_datasets.technique.contract import Batch


@dataclass(frozen=True, kw_only=True)
class EquityScore(ModelScore):
    """Add the equity score of each row, for `datasets.map`.

    It is the Euclidean norm of the difference between the logits of a text and of its
    counterfactual; see `ge_score`. A row that the swap leaves as it is, but for letter case and
    white space, gets exactly 0.0 and is not shown to a model. A text and its counterfactual share a
    batch. Classifiers are taken early in training, such as after the first epoch, and trained on
    the data as they are.

    Attributes:
        columns: The text column or columns; two are read as a pair.
        counterfactual_columns: The columns with the counterfactual texts, in the same order; None
            for `<column>_counterfactual`.
        models: The folders or Hub ids of classifiers: one, or one per seed, over which the score
            is averaged.
        logits: In place of models, a column of their logits for the texts: in each row a list of C
            numbers, or one such list per seed.
        counterfactual_logits: The column of the logits for the counterfactual texts.
        axis: The demographic axis that was swapped; it names the column.
        output_column: The column to add; None for `<axis>_equity`.

    The others are those of `ModelScore`.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> score = EquityScore(columns="text", logits="f", counterfactual_logits="g")
        >>> texts = {"text": ["He ran.", "Rain."], "text_counterfactual": ["She ran.", "Rain."]}
        >>> score({**texts, "f": [[0.0, 3.0], [1.0, 0.0]], "g": [[4.0, 0.0], [1.0, 0.1]]})[
        ...     "gender_equity"
        ... ]
        [5.0, 0.0]

    Source:
        Zayed et al. (2023), "Deep Learning on a Healthy Data Diet".
    """

    reads: ClassVar[tuple[str, ...]] = (
        "columns",
        "counterfactual_columns",
        "logits",
        "counterfactual_logits",
    )

    counterfactual_columns: tuple[str, ...] | str | None = None
    logits: str | None = None
    counterfactual_logits: str | None = None
    axis: AxisName = "gender"

    default_column: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the models' files."""
        validate_fields(self)
        if self.output_column is None:
            object.__setattr__(self, "output_column", f"{Path(self.axis).stem}_equity")
        super().__post_init__()
        if not self.columns:
            raise invalid("columns must name the texts, which show which rows the swap changed.")
        swapped = counterfactual_columns(self.counterfactual_columns, self.columns)
        object.__setattr__(self, "counterfactual_columns", swapped)
        self._refuse_two_sources(self.logits, "logits")
        self._refuse_two_sources(self.counterfactual_logits, "counterfactual_logits")

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Add the column to a batch."""
        result = self._begun(batch)
        factual = self._texts(batch, self.columns)
        counterfactual = self._counterfactual_texts(batch)
        pairs = list(zip(factual, counterfactual, strict=True))
        is_changed = [None not in pair and _changed(*pair) for pair in pairs]  # type: ignore[arg-type]
        changed = [row for row, is_new in enumerate(is_changed) if is_new]
        if self.models:
            scores = self._from_models([pairs[row] for row in changed])
        else:
            changed, scores = self._from_columns(batch, changed)
        same = [row for row, pair in enumerate(pairs) if None not in pair and not is_changed[row]]
        return self._ended(result, [*changed, *same], np.append(scores, np.zeros(len(same))))

    def _counterfactual_texts(self, batch: Batch) -> list[Texts | None]:
        """Return the counterfactual texts of each row; None where one is a null."""
        names: Sequence[str] = self.counterfactual_columns or ()
        refuse_missing_counterfactuals(self.columns, names, batch)
        return self._texts(batch, names)

    def _from_models(self, pairs: Sequence[Any]) -> NDArray[np.float64]:
        """Score pairs of texts by the models."""
        if not pairs:
            return np.zeros(0)
        beside = [texts for pair in pairs for texts in pair]
        logits = self._predicted(self.all_models, beside, group_size=2)
        return ge_score(logits[:, ::2], logits[:, 1::2])

    def _from_columns(
        self, batch: Batch, rows: Sequence[int]
    ) -> tuple[list[int], NDArray[np.float64]]:
        """Score rows by the columns of logits, and return those that have logits with them."""
        axes = ("seeds", "classes")
        factual, counterfactual = (
            logit_rows(batch, str(column), axes)
            for column in (self.logits, self.counterfactual_logits)
        )
        both = [(row, factual[row], counterfactual[row]) for row in rows]
        known = [entry for entry in both if entry[1] is not None and entry[2] is not None]
        if not known:
            return [], np.zeros(0)
        rows, ours, theirs = zip(*known, strict=True)
        if ours[0].shape != theirs[0].shape:
            raise invalid(
                f"column {self.logits!r} holds logits of the shape {ours[0].shape}, but "
                f"{self.counterfactual_logits!r} of {theirs[0].shape}; give both for the same "
                "seeds and classes."
            )
        return list(rows), ge_score(np.stack(ours, axis=1), np.stack(theirs, axis=1))


def _changed(factual: Texts, counterfactual: Texts) -> bool:
    """Whether two rows differ in more than letter case and white space."""
    return _normalised(factual) != _normalised(counterfactual)


def _normalised(texts: Texts) -> list[str]:
    """Write texts without what does not count as a change."""
    return [" ".join(text.split()).casefold() for text in texts]
