"""Training probes: a checkpoint per seed and epoch, written whole or not at all."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.scores.probes.probe import (
    STATE_FILE,
    LinearProbe,
    TrainingRows,
    linear_epochs,
    probe_files,
    training_rows,
)
from fair_datasets.scores.resuming import claimed, write_whole
from fair_datasets.system import interrupts
from fair_datasets.system.portable import file_digests
from fair_datasets.system.steps import Steps

if TYPE_CHECKING:
    from datasets import Dataset

CONFIG_FILE = "probes.json"


def train_probes(config: ProbeConfig, dataset: "Dataset") -> list[list[str]]:
    """Train probes, and save each after every epoch.

    What has been trained already is kept: an interrupted run goes on after the last whole epoch,
    and on a CPU ends where an uninterrupted one ends, bit for bit.

    Args:
        config: The model, the columns, the seeds and the settings.
        dataset: The rows to train on, as they are.

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
    steps = Steps(
        "Training probes", config.epochs * len(paths) * batches, done=sum(finished) * batches,
        unit="batch", work=out,
    )  # fmt: skip
    with (
        claimed(out / CONFIG_FILE, _settings(config, rows), owner="train_probes", what="probes"),
        interrupts.held(),
        steps,
    ):
        for seed, folders, done in zip(config.seeds, paths, finished, strict=True):  # type: ignore[arg-type]
            previous = folders[done - 1] if done else None
            epochs = _epochs(config, rows, seed, previous, done + 1, steps)
            for folder, save in zip(folders[done:], epochs if folders[done:] else (), strict=True):
                write_whole(folder, save)
                if previous is not None:
                    # The next epoch is whole, so that none will go on from this one.
                    (previous / STATE_FILE).unlink(missing_ok=True)
                previous = folder
                if config.model == "linear":
                    steps.step(number=batches)
                interrupts.obey()
    return [[str(folder) for folder in folders] for folders in paths]


def linear_probe(config: ProbeConfig, dataset: "Dataset", seed: int) -> LinearProbe:
    """Train the linear probe that `train_probes` leaves last; its files take longer than it does.

    Args:
        config: The columns and the settings; its folder is not made.
    """
    epochs = linear_epochs(training_rows(config, dataset), seed, None, 1)
    with interrupts.held(), Steps("Training probes", config.epochs, unit="epoch") as steps:
        for _ in range(config.epochs):
            probe = next(epochs)
            steps.step()
    return probe


def _epochs(
    config: ProbeConfig, rows: TrainingRows, seed: int, start: Path | None, first: int, steps: Steps
) -> Iterator[Callable[[Path], None]]:
    """Train a probe of the kind that the configuration names; see the three functions."""
    if config.model == "linear":
        return (probe.save for probe in linear_epochs(rows, seed, start, first))
    if config.head is not None:
        from fair_datasets.scores.probes.head import head_epochs

        return head_epochs(config, rows, seed, start, first, steps)
    from fair_datasets.scores.probes.transformer import finetuned_epochs

    return finetuned_epochs(config, rows, seed, start, first, steps)


def _settings(config: ProbeConfig, rows: TrainingRows) -> dict[str, Any]:
    """Return all that the probes of a folder depend on."""
    model = str(config.model)
    files = {} if model == "linear" else probe_files(model, owner="train_probes")
    return {
        **config.settings(),
        "model_files": [digest for _, digest in file_digests(files)],
        "rows": len(rows.texts),
        "data": rows.digest,
    }


def _finished(folders: list[Path]) -> int:
    """Count the epochs that are there, without a gap."""
    return next((done for done, folder in enumerate(folders) if not folder.is_dir()), len(folders))
