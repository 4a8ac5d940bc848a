"""Training a classifier from scratch: what `train_probes` trains, as a `Trainer`."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.importance import softmax
from fair_datasets.scores.probes import ProbeConfig, load_probe, train_probes
from fair_datasets.scores.probes.load import probe_files
from fair_datasets.scores.probes.probe import Probe, Reading
from fair_datasets.scores.probes.train import linear_probe
from fair_datasets.selection.trainers import Predict
from fair_datasets.system.temporary import temporary_folder
from fair_datasets.technique.digests import file_digests

if TYPE_CHECKING:
    from datasets import Dataset


@dataclass(frozen=True, kw_only=True)
class ProbeTrainer:
    """Trains what `train_probes` trains: on words, on sentence vectors, or a whole model.

    Attributes:
        columns: The text column or columns.
        roles: Whose texts of a conversation are read; none for everybody's.
        label: The column with the class of each row.
        model: `linear`, or the Hub id or folder of a model; see `ProbeConfig`.
        head: None to fine-tune the model; `linear` or `mlp` to train that on its sentence vectors.
        epochs: How often the classifier sees the rows.
        learning_rate: Of a model's training; None for what is usual there.
        batch_size: How many rows a step has.
        max_length: How many tokens of a text a model reads.

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
        """Return how probes of this kind are trained.

        Args:
            epochs: How many epochs they are trained.

        Returns:
            The configuration for `train_probes`.
        """
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
        is_linear = self.model == "linear"
        files = {} if is_linear else probe_files(self.model, owner=type(self).__name__)
        return {**asdict(self), "model_files": [digest for _, digest in file_digests(files)]}

    def __call__(self, dataset: "Dataset", seed: int) -> Predict:
        """Train a classifier.

        Args:
            seed: The seed of the order of the rows and of the weights.

        Returns:
            The classifier as a function of the texts of rows.
        """
        probe = self.trained(dataset, seed)
        reading = Reading(max_length=self.max_length)

        def predict(rows: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
            return softmax(probe.logits(rows, reading))

        return predict

    def trained(self, dataset: "Dataset", seed: int) -> Probe:
        """Train a classifier, and return it itself.

        Args:
            dataset: As for a call.
            seed: As for a call.

        Returns:
            The probe.
        """
        if self.model == "linear":
            return linear_probe(self.probes(Path("unused"), (seed,), self.epochs), dataset, seed)
        with temporary_folder() as folder:
            config = self.probes(folder / "probe", (seed,), self.epochs)
            return load_probe(train_probes(config, dataset)[0][-1])
