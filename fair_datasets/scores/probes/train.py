"""Training probes, a checkpoint per seed and epoch, and classifiers of texts made by training."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.importance import softmax
from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.scores.probes.probe import (
    STATE_FILE,
    InferenceOptions,
    LinearProbe,
    Probe,
    TrainingRows,
    linear_epochs,
    load_probe,
    probe_files,
    training_rows,
)
from fair_datasets.system import interrupts
from fair_datasets.system.checks import invalid
from fair_datasets.system.files import temporary_folder
from fair_datasets.system.portable import file_digests
from fair_datasets.system.resume import ProgressTracker, claim_folder, write_atomically

if TYPE_CHECKING:
    from datasets import Dataset


CONFIG_FILE = "probes.json"


def train_probes(config: ProbeConfig, dataset: "Dataset") -> list[list[str]]:
    """Train probes, and save each after every epoch.

    What has been trained already is kept: an interrupted run goes on after the last whole epoch,
    and on a CPU ends where an uninterrupted one ends, bit for bit.

    Returns:
        For each seed the folders of its checkpoints, in the order of the epochs: `Forgetting`
        takes all of them, the other scores one per seed, such as the first.

    Raises:
        InputError: A column is missing or holds what a probe cannot read, there are fewer than
            two classes, the model cannot be loaded, or the folder holds the probes of another
            configuration or of other data.

    Example:
        >>> import os, tempfile
        >>> from datasets import Dataset
        >>> data = Dataset.from_dict({"text": ["good film", "bad film"] * 4, "label": [1, 0] * 4})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     config = ProbeConfig(out=folder, columns="text", seeds=2, epochs=2)
        ...     paths = train_probes(config, data)
        >>> [[os.path.relpath(path, folder) for path in epochs] for epochs in paths]
        [['seed-0/epoch-1', 'seed-0/epoch-2'], ['seed-1/epoch-1', 'seed-1/epoch-2']]
    """
    rows = training_rows(config, dataset)
    out = Path(config.out)
    paths = [
        [out / f"seed-{seed}" / f"epoch-{epoch}" for epoch in range(1, config.epochs + 1)]
        for seed in config.seeds  # type: ignore[union-attr]
    ]
    batches = -(-len(rows.texts) // config.batch_size)
    finished = [_finished(folders) for folders in paths]
    steps = ProgressTracker(
        "Training probes", config.epochs * len(paths) * batches, done=sum(finished) * batches,
        unit="batch", work=out,
    )  # fmt: skip
    with (
        claim_folder(out / CONFIG_FILE, _settings(config, rows), what="probes"),
        interrupts.defer_signals(),
        steps,
    ):
        for seed, folders, done in zip(config.seeds, paths, finished, strict=True):  # type: ignore[arg-type]
            previous = folders[done - 1] if done else None
            epochs = _epochs(config, rows, seed, previous, done + 1, steps)
            for folder, save in zip(folders[done:], epochs if folders[done:] else (), strict=True):
                write_atomically(folder, save)
                if previous is not None:
                    # The next epoch is whole, so that none will go on from this one.
                    (previous / STATE_FILE).unlink(missing_ok=True)
                previous = folder
                if config.model == "linear":
                    steps.step(number=batches)
                interrupts.raise_if_interrupted()
    return [[str(folder) for folder in folders] for folders in paths]


def linear_probe(config: ProbeConfig, dataset: "Dataset", seed: int) -> LinearProbe:
    """Train the linear probe that `train_probes` leaves last; its files take longer than it."""
    epochs = linear_epochs(training_rows(config, dataset), seed, None, 1)
    with (
        interrupts.defer_signals(),
        ProgressTracker("Training probes", config.epochs, unit="epoch") as steps,
    ):
        for _ in range(config.epochs):
            probe = next(epochs)
            steps.step()
    return probe


def _epochs(
    config: ProbeConfig,
    rows: TrainingRows,
    seed: int,
    start: Path | None,
    first: int,
    steps: ProgressTracker,
) -> Iterator[Callable[[Path], None]]:
    """Train a probe of the kind that the configuration names; see the three functions."""
    if config.model == "linear":
        return (probe.save for probe in linear_epochs(rows, seed, start, first))
    if config.head is not None:
        from fair_datasets.scores.probes.head import head_epochs

        return head_epochs(config, rows, seed, start, first, steps)
    from fair_datasets.scores.probes.transformer import finetuned_epochs

    return finetuned_epochs(config, rows, seed, start, first, steps)


def _digests(model: str) -> list[str]:
    files = {} if model == "linear" else probe_files(model)
    return [digest for _, digest in file_digests(files)]


def _settings(config: ProbeConfig, rows: TrainingRows) -> dict[str, Any]:
    """Return all that the probes of a folder depend on."""
    return {
        **config.settings(),
        "model_files": _digests(str(config.model)),
        "rows": len(rows.texts),
        "data": rows.digest,
    }


def _finished(folders: list[Path]) -> int:
    """Count the epochs that are there, without a gap."""
    return next((done for done, folder in enumerate(folders) if not folder.is_dir()), len(folders))


class Predict(Protocol):
    """A trained model, as a function of texts."""

    def __call__(self, rows: Sequence[tuple[str, ...]]) -> NDArray[Any]:
        """Return the probability of each class.

        Args:
            rows: The texts of each of N rows, one for each text column.

        Returns:
            Probabilities, f(N, C); each row sums to 1.
        """


class Trainer(Protocol):
    """Training from scratch: the same dataset and seed give the same model.

    Example:
        >>> from datasets import Dataset
        >>> def train_prior(dataset, seed):
        ...     share = np.mean(dataset["label"])
        ...     return lambda texts: np.tile([1 - share, share], (len(texts), 1))
        >>> predict = train_prior(Dataset.from_dict({"text": ["a", "b"], "label": [0, 1]}), seed=0)
        >>> predict(["He won.", "She won."]).tolist()
        [[0.5, 0.5], [0.5, 0.5]]
    """

    def __call__(self, dataset: "Dataset", seed: int) -> Predict:
        """Train a model.

        Args:
            dataset: The training rows, with the columns that the trainer knows by name.

        Returns:
            The trained model.
        """


def probabilities_of(
    predict: Predict, rows: Sequence[tuple[str, ...]], *, what: str
) -> NDArray[np.float64]:
    """Return what a classifier of two classes says of rows, or raise if that is no probability.

    Returns:
        The probabilities of class 0 and 1. Shape (N, 2).

    Example:
        >>> probabilities_of(lambda rows: [[2.0, -1.0]], [("a",)], what="the probe")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: probabilities_of: the probe must return an array of shape (1, 2)
        whose rows sum to 1, but row 0 is [2.0, -1.0]; apply softmax to logits first.
    """
    probabilities = np.asarray(predict(rows), dtype=np.float64)
    wanted = f"{what} must return an array of shape ({len(rows)}, 2)"
    if probabilities.shape != (len(rows), 2):
        raise invalid(
            f"{wanted}, the probabilities of class 0 and 1, but its shape is {probabilities.shape}."
        )
    # Half precision rounds; NaN compares as false.
    is_share = (probabilities >= 0).all(axis=1) & (np.abs(probabilities.sum(axis=1) - 1) < 0.01)
    if not is_share.all():
        row = int(np.argmin(is_share))
        raise invalid(
            f"{wanted} whose rows sum to 1, but row {row} is {probabilities[row].tolist()}; "
            "apply softmax to logits first."
        )
    return probabilities


@dataclass(frozen=True, kw_only=True)
class ProbeTrainer:
    """Trains probes as `train_probes` does: on words, on sentence vectors, or a whole model.

    Attributes:
        model: `linear`, or the Hub id or folder of a model; see `ProbeConfig`.
        head: None to fine-tune the model; `linear` or `mlp` to train that on its sentence vectors.
        learning_rate: Of a model's training; None for what is usual there.

    Raises:
        InputError: A setting is not what it must be.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["good film", "bad film"] * 4, "label": [1, 0] * 4})
        >>> predict = ProbeTrainer(columns=("text",))(rows, seed=0)
        >>> good, bad = predict([("a good film",), ("a bad film",)])
        >>> bool(good[1] > bad[1])
        True
    """

    columns: tuple[str, ...]
    roles: tuple[str, ...] = ()
    label: str = "label"
    model: str = "linear"
    head: str | None = None
    epochs: int = 10
    learning_rate: float | None = None
    batch_size: int = ProbeConfig.batch_size
    max_length: int = ProbeConfig.max_length

    def __post_init__(self) -> None:
        """Check the settings where they are made, and not when the first training begins."""
        self.probes(Path("unused"), (0,), self.epochs)

    def probes(self, out: Path, seeds: tuple[int, ...], epochs: int) -> ProbeConfig:
        """Return how probes of this kind are trained."""
        return ProbeConfig(
            out=out,
            model=self.model,
            head=self.head,
            columns=self.columns,
            roles=self.roles,
            label=self.label,
            seeds=seeds,
            epochs=epochs,
            learning_rate=self.learning_rate,
            batch_size=self.batch_size,
            max_length=self.max_length,
        )

    def settings(self) -> dict[str, Any]:
        """Return all that a training depends on besides the rows.

        Returns:
            The settings, with the digests of the model's files, as JSON can hold them.

        Raises:
            InputError: The model is a path, but there is no such folder.

        Example:
            >>> ProbeTrainer(columns=("text",)).settings()["model_files"]
            []
        """
        return {**asdict(self), "model_files": _digests(self.model)}

    def __call__(self, dataset: "Dataset", seed: int) -> Predict:
        """Train a classifier.

        Args:
            seed: The seed of the order of the rows and of the weights.

        Returns:
            The classifier as a function of the texts of rows.
        """
        probe = self.trained(dataset, seed)
        reading = InferenceOptions(max_length=self.max_length)

        def predict(rows: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
            return softmax(probe.logits(rows, reading))

        return predict

    def trained(self, dataset: "Dataset", seed: int) -> Probe:
        """Train a classifier, and return it itself."""
        if self.model == "linear":
            return linear_probe(self.probes(Path("unused"), (seed,), self.epochs), dataset, seed)
        with temporary_folder() as folder:
            config = self.probes(folder / "probe", (seed,), self.epochs)
            return load_probe(train_probes(config, dataset)[0][-1])
