"""Scores by models that compare them with the label, EL2N, GraNd and forgetting, and their base."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import ColumnName
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.scores.importance import el2n_score, forget_score, grand_score
from fair_datasets.scores.probes.config import label_column
from fair_datasets.scores.probes.probe import (
    PRECISIONS,
    InferenceOptions,
    Probe,
    Texts,
    class_labels,
    load_probe,
    probe_files,
)
from fair_datasets.system.checks import invalid
from fair_datasets.system.portable import file_digests
from fair_datasets.system.validate import Count, OneOf, Strings, validate_fields
from fair_datasets.technique.contract import Batch, Technique

if TYPE_CHECKING:
    from datasets import Features


Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


def logit_rows(batch: Batch, column: str, axes: Sequence[str]) -> list[Floats | None]:
    """Read a column of logits.

    Args:
        column: The column: in each row a list of C floats, or nested lists of them.
        axes: What the lists stand for, innermost last, such as `("seeds", "classes")`; the first
            may be missing.

    Returns:
        For each row an array with an axis for each of `axes`; None where the row is a null.

    Example:
        >>> batch = {"logits": [[1, 2], [1, None]]}
        >>> logit_rows(batch, "logits", ("seeds", "classes"))
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: logit_rows: column 'logits' must hold finite logits, but row 1 of
        the batch (counted from 0) holds [1, None]; remove the row, or find out why a value is
        missing.
    """
    rows: list[Floats | None] = []
    shape: tuple[int, ...] | None = None
    for row, value in enumerate(column_checks.values(batch, column)):
        if value is None or (not hasattr(value, "__len__") and column_checks.is_null(value)):
            rows.append(None)
            continue
        place = f"row {row} of the batch (counted from 0)"
        array = _logits_of_a_row(value, column, place)
        if array.ndim == len(axes) - 1:
            array = array[None]
        if array.ndim != len(axes) or 0 in array.shape:
            raise invalid(
                f"column {column!r} must hold lists of {' of lists of '.join(axes)}, or "
                f"of {' of lists of '.join(axes[1:])} alone, but {place} has the shape "
                f"{np.shape(value)}."
            )
        shape = shape or array.shape
        if array.shape != shape:
            raise invalid(
                f"column {column!r} must hold as many {' and '.join(axes)} in each row, "
                f"but {place} has the shape {array.shape}, and the first has {shape}."
            )
        rows.append(array)
    return rows


def _logits_of_a_row(value: Any, column: str, place: str) -> Floats:
    """Return a row's logits as an array, or raise where a value is missing or no number."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().double().numpy()
    try:
        # An object array of arrays, as numpy formats give nested lists, is no array of floats.
        listed = value.tolist() if hasattr(value, "tolist") else value
        array = np.asarray(listed, dtype=np.float64)
        is_finite = bool(np.isfinite(array).all())
    except (TypeError, ValueError):
        is_finite = False
    if not is_finite:
        raise invalid(
            f"column {column!r} must hold finite logits, but {place} holds "
            f"{column_checks.shortened(value)}; remove the row, or find out why a value is missing."
        )
    return array


Models = tuple[Any, ...]
Predict = Callable[[Probe, list[Texts]], Floats]


@dataclass(frozen=True, kw_only=True)
class ModelScore(Technique):
    """A technique that adds one float column, from what classifiers say of a row.

    The score is null where a text, the label or the logits are null. The last digits of a
    model's score depend on the machine and on the rows that share a batch. With `num_proc` each
    process runs the models in one thread; it is of use on CPUs alone.

    Attributes:
        columns: The text column or columns; two are read as a pair. Needed with `models`. Texts
            inside a column, as in `messages[].content`, are read as one.
        roles: Whose texts of a conversation are read; none for everybody's.
        models: The folders or Hub ids of classifiers, such as `train_probes` returned: one, or
            one per seed, over which the score is averaged.
        output_column: The column to add.
        batch_size: How many texts run at once at most.
        max_length: How many tokens of a text are read.
        precision: `auto` for bfloat16 on a GPU that has it, which moves logits by some
            thousandths; `float32` for single precision always, for scores as small as that.
    """

    columns: tuple[str, ...] | str = field(default=(), kw_only=False)
    roles: Strings = ()
    models: Models | str | PathLike[str] = ()
    output_column: ColumnName | None = None
    batch_size: Count = 64
    max_length: Count = 128
    precision: Annotated[str, OneOf(PRECISIONS)] = "auto"

    external: ClassVar[tuple[str, ...]] = ("models",)
    default_column: ClassVar[str]

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the models' files."""
        names = column_checks.column_names(self.columns) if self.columns else ()
        object.__setattr__(self, "columns", names)
        validate_fields(self)
        object.__setattr__(self, "models", self._checked_models())
        if self.output_column is None:
            object.__setattr__(self, "output_column", self.default_column)
        if self.models and not self.columns:
            raise invalid("models need texts; name their columns in columns.")
        super().__post_init__()

    def resources(self) -> Mapping[str, Path]:
        """Name the files of the models that lie in folders; those of the Hub are not looked at."""
        files: dict[str, Path] = {}
        for model in self.all_models:
            files |= probe_files(model)
        return files

    def added_features(self, features: "Features") -> Mapping[str, Any]:
        """Return the feature of the added column."""
        from datasets import Value

        return {str(self.output_column): Value("float64")}

    @property
    def _reading(self) -> InferenceOptions:
        """How the models are run."""
        return InferenceOptions(self.batch_size, self.max_length, self.precision)

    @property
    def all_models(self) -> tuple[str, ...]:
        """Every model."""
        return tuple(str(model) for model in self.models)  # type: ignore[union-attr]

    def _checked_models(self) -> tuple[Any, ...]:
        is_list = isinstance(self.models, list | tuple)
        if is_list and any(isinstance(item, list | tuple) for item in self.models):  # type: ignore[union-attr]
            raise invalid(
                "models must name one checkpoint per seed, but it holds lists; from "
                "what train_probes returns, take `[epochs[0] for epochs in paths]`."
            )
        return model_names(self.models)

    def _refuse_two_sources(self, logits: str | None, parameter: str) -> None:
        """Raise unless the logits come from models or from a column, and not from both."""
        if logits is not None:
            column_checks.column_name(logits, parameter=parameter)
        if bool(self.models) == (logits is not None):
            raise invalid(
                f"the logits come either from models or from the column {parameter}; "
                f"give one of the two, but models is {self.models!r} and {parameter} is {logits!r}."
            )

    def _begun(self, batch: Batch) -> dict[str, list[Any]]:
        """Return the batch's columns as lists, or raise if it cannot take the new column."""
        column_checks.refuse_ragged(batch)
        column_checks.free([str(self.output_column)], batch)
        return {column: list(values) for column, values in batch.items()}

    def _ended(
        self, result: dict[str, list[Any]], rows: Sequence[int], scores: Floats
    ) -> dict[str, list[Any]]:
        """Add the column of scores to the result; rows without one hold a null."""
        length = max(map(len, result.values()))
        column: list[float | None] = [None] * length
        for row, score in zip(rows, scores.tolist(), strict=True):
            column[row] = score
        return {**result, str(self.output_column): column}

    def _texts(self, batch: Batch, names: Sequence[str]) -> list[Texts | None]:
        """Return the texts of each row; None where one is a null."""
        columns = RowTexts.read(batch, names, roles=tuple(self.roles)).by_field()
        return [None if None in row else row for row in zip(*columns, strict=True)]

    def _predicted(
        self, models: Sequence[str], rows: list[Texts], *, group_size: int = 1
    ) -> Floats:
        """Return the logits that each model gives. Shape (S, N, C)."""
        reading = replace(self._reading, group_size=group_size)
        return self._asked(models, lambda probe, texts: probe.logits(texts, reading), rows)

    def _asked(self, models: Sequence[str], ask: Predict, rows: list[Texts]) -> Floats:
        """Return what each model says of the rows, one entry per model."""
        answers: list[Floats] = []
        for model in models:
            for name, digest in file_digests(probe_files(model)):
                if dict(self.digests).get(name) != digest:
                    raise invalid(
                        f"{name!r} has changed since the technique was made; make a new one."
                    )
            answers.append(ask(load_probe(model), rows))
            if not np.isfinite(answers[-1]).all():
                raise invalid(
                    f"the outputs of {model!r} for the texts are not finite; its "
                    "training may have diverged, so train it with a lower learning rate."
                )
            if answers[-1].shape != answers[0].shape:
                raise invalid(
                    f"{models[0]!r} has {answers[0].shape[-1]} classes, but {model!r} has "
                    f"{answers[-1].shape[-1]}; give models of the same classes."
                )
        return np.stack(answers)


@dataclass(frozen=True, kw_only=True)
class LabelledScore(ModelScore):
    """A score that compares what classifiers say with the label.

    Attributes:
        label: The column with the class of each row.
    """

    reads: ClassVar[tuple[str, ...]] = ("columns", "logits", "label")

    label: str = "label"

    axes: ClassVar[tuple[str, ...]] = ()
    """What the lists of a column of logits stand for."""

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the models' files."""
        label_column(self.label)
        super().__post_init__()

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Add the column to a batch."""
        result = self._begun(batch)
        rows, labels, data = self._known(batch, getattr(self, "logits", None), self.axes)
        scores = self._scores(rows, labels, data) if rows else np.zeros(0)
        return self._ended(result, rows, scores)

    @abstractmethod
    def _scores(self, rows: Sequence[int], labels: Labels, data: list[Any]) -> Floats:
        """Score the rows that have a label and logits or texts."""

    def _known(
        self, batch: Batch, logits: str | None, axes: Sequence[str]
    ) -> tuple[list[int], Labels, list[Any]]:
        """Find the rows that can be scored.

        Args:
            logits: A column of logits; None to take the texts.

        Returns:
            The rows without nulls, the label of each, and the logits or texts of each.
        """
        values = column_checks.values(batch, self.label)
        labels = class_labels(values, self.label)
        known: Sequence[Any]
        if logits is None:
            known = self._texts(batch, self.columns)
        else:
            known = logit_rows(batch, logits, axes)
        pairs = list(zip(known, labels, strict=True))
        rows = [
            row for row, pair in enumerate(pairs) if pair[0] is not None and pair[1] is not None
        ]
        classes = np.array([labels[row] for row in rows], dtype=np.int64)
        return rows, classes, [known[row] for row in rows]

    def _refuse_other_classes(self, rows: Sequence[int], labels: Labels, count: int) -> None:
        """Raise where a label is not among the classes that the logits have."""
        for row, label in zip(rows, labels.tolist(), strict=True):
            if label >= count:
                raise invalid(
                    f"column {self.label!r} holds class {label} in row {row} of the batch (counted "
                    f"from 0), but the logits have {count} classes; give models of these classes."
                )


def model_names(value: Any) -> tuple[str, ...]:
    """Return one model or several as a tuple of strings, or raise.

    Example:
        >>> model_names("some/classifier")
        ('some/classifier',)
    """
    several = (value,) if isinstance(value, str | PathLike) else value
    if not isinstance(several, list | tuple) or not all(
        isinstance(item, str | PathLike) and fspath(item) for item in several
    ):
        raise invalid(
            f"models must be a folder or a Hub id, or a list of them, but it is {value!r}."
        )
    return tuple(str(fspath(item)) for item in several)


@dataclass(frozen=True, kw_only=True)
class EL2N(LabelledScore):
    """Add the error norm of each row, for `datasets.map`.

    It is the Euclidean norm of the predicted probabilities less the label's one-hot vector, from 0
    to the root of 2; see `el2n_score`. Classifiers are taken early in training, such as after the
    first epoch.

    Attributes:
        columns: The text column or columns; two are read as a pair. Needed with `models`.
        models: The folders or Hub ids of classifiers: one, or one per seed, over which the score
            is averaged.
        logits: In place of models, a column of their logits: in each row a list of C numbers, or
            one such list per seed.
        label: The column with the class of each row.
        output_column: The column to add; None for `el2n`.

    The others are those of `ModelScore`.

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
        self._refuse_two_sources(self.logits, "logits")

    def _scores(self, rows: Sequence[int], labels: Labels, data: list[Any]) -> Floats:
        logits = self._predicted(self.all_models, data) if self.models else np.stack(data, axis=1)
        self._refuse_other_classes(rows, labels, logits.shape[-1])
        return el2n_score(logits, labels)


@dataclass(frozen=True, kw_only=True)
class GraNd(LabelledScore):
    """Add the gradient norm of each row, for `datasets.map`.

    It is the Euclidean norm of the gradient of the row's cross-entropy over all trainable weights,
    embeddings included, without dropout. It is exact: of linear probes in closed form, of others
    from the gradients of single rows, several at a time and always in single precision. Weights
    without a gradient count 0.

    Attributes:
        columns: The text column or columns; two are read as a pair.
        models: The folders or Hub ids of classifiers: one, or one per seed, over which the score
            is averaged. They are taken early in training, such as after the first epoch.
        label: The column with the class of each row.
        output_column: The column to add; None for `grand`.
        batch_size: Not used here: memory says how many gradients are taken at once.
        precision: Not used here: gradients are taken in single precision.

    The others are those of `ModelScore`.

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
            raise invalid("models must name a classifier; gradients need its weights.")

    def _scores(self, rows: Sequence[int], labels: Labels, data: list[Any]) -> Floats:
        def ask(probe: Probe, texts: list[Texts]) -> Floats:
            self._refuse_other_classes(rows, labels, probe.classes)
            return probe.gradient_norms(texts, labels, self._reading)

        return grand_score(self._asked(self.all_models, ask, data))


@dataclass(frozen=True, kw_only=True)
class Forgetting(LabelledScore):
    """Add the number of times that each row is forgotten in training, for `datasets.map`.

    A row is forgotten when it is classified right after one epoch and wrong after the next; see
    `forget_score`. With several seeds the counts are averaged.

    Attributes:
        columns: The text column or columns; two are read as a pair. Needed with `models`.
        models: The checkpoints of all epochs, in order; or one such list per seed, as
            `train_probes` returns them.
        logits: In place of models, a column of their logits: in each row one list of C numbers
            per epoch, or such lists per seed.
        label: The column with the class of each row.
        never_learned: The score of a row that is never right: `zero`, or `inf` for infinity, which
            one such seed is enough for.
        output_column: The column to add; None for `forgetting`.

    The others are those of `ModelScore`.

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
    never_learned: Annotated[str, OneOf(("zero", "inf"))] = "zero"

    default_column: ClassVar[str] = "forgetting"
    axes: ClassVar[tuple[str, ...]] = ("seeds", "epochs", "classes")

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the models' files."""
        super().__post_init__()
        self._refuse_two_sources(self.logits, "logits")

    @property
    def _seeds(self) -> tuple[tuple[str, ...], ...]:
        """The checkpoints of each seed."""
        return self.models  # type: ignore[return-value]

    @property
    def all_models(self) -> tuple[str, ...]:
        """Every checkpoint of every seed."""
        return tuple(model for epochs in self._seeds for model in epochs)

    def _checked_models(self) -> tuple[tuple[str, ...], ...]:
        """Return the checkpoints of each seed, or raise."""
        models = self.models
        is_nested = isinstance(models, list | tuple) and all(
            isinstance(item, list | tuple) for item in models
        )
        several: Sequence[Any] = models if is_nested else (models,)  # type: ignore[assignment]
        seeds = tuple(model_names(epochs) for epochs in several)
        lengths = {len(epochs) for epochs in seeds}
        if seeds and (len(lengths) > 1 or 0 in lengths):
            raise invalid(
                f"models must name the checkpoints of as many epochs for each seed, but "
                f"it names {[len(epochs) for epochs in seeds]}; give all epochs, in order."
            )
        return seeds

    def _scores(self, rows: Sequence[int], labels: Labels, data: list[Any]) -> Floats:
        """Score the rows by the logits of the epochs."""
        if self.models:
            logits = np.stack([self._predicted(epochs, data) for epochs in self._seeds])
        else:
            logits = np.stack(data, axis=2)
        self._refuse_other_classes(rows, labels, logits.shape[-1])
        scores = [forget_score(seed, labels, never_learned=self.never_learned) for seed in logits]
        return np.asarray(np.mean(scores, axis=0))
