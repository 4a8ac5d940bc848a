"""Loading probes of any kind, and what they say of texts."""

from collections.abc import Sequence
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.scores.probes.linear import TERMS_FILE, LinearProbe
from fair_datasets.scores.probes.probe import PRECISIONS, Probe, Reading
from fair_datasets.system.checks import one_of
from fair_datasets.system.extras import require
from fair_datasets.system.portable import file_digests
from fair_datasets.system.pretrained import folder_files, refuse_revision_of_folder

# What training needs to go on, beside what the probe is.
STATE_FILE = "training_state.safetensors"
HEAD_FILE = "head_probe.json"


def load_probe(
    model: str | PathLike[str], *, revision: str | None = None, owner: str = "load_probe"
) -> Probe:
    """Load a probe of any kind.

    It is kept in memory, and read anew if its files change.

    Args:
        model: The folder of a checkpoint that `train_probes` returned, or the Hub id or folder of
            any sequence classifier with its tokenizer.
    """
    name = str(fspath(model))
    digests = file_digests(probe_files(name, owner=owner))
    refuse_revision_of_folder(name, revision, owner=owner)
    if (Path(name) / TERMS_FILE).is_file():
        return _linear(name, digests)
    require("models", owner=owner)
    if (Path(name) / HEAD_FILE).is_file():
        return _head(name, digests)
    return _transformer(name, revision, digests)


def predict_logits(
    model: str | PathLike[str],
    texts: Sequence[str] | Sequence[tuple[str, ...]],
    *,
    batch_size: int = 64,
    max_length: int = 128,
    precision: str = "auto",
) -> NDArray[np.float64]:
    """Return what a probe says of texts. Shape (N, C).

    Args:
        texts: The texts; a tuple for each row where the probe was trained on several columns.
        precision: `auto` for bfloat16 on a GPU that has it; `float32` for single precision always.
    """
    rows = [text if isinstance(text, tuple) else (text,) for text in texts]
    for column in zip(*rows, strict=True):
        inputs.texts(column, "texts", owner="predict_logits")
    one_of(precision, PRECISIONS, owner="predict_logits", parameter="precision")
    reading = Reading(batch_size, max_length, precision, description="Reading texts")
    return load_probe(model, owner="predict_logits").logits(rows, reading)


def probe_files(model: str, *, owner: str) -> dict[str, Path]:
    """Name the files of a model that lies in a folder.

    Returns:
        `<model>/<file>` to the file's path; nothing for a Hub id.
    """
    state = f"{model}/{STATE_FILE}"
    return {name: path for name, path in folder_files(model, owner=owner).items() if name != state}


# The digests make an edited probe another one. Linear probes and heads are small, and a score may
# ask each epoch of each seed in turn.
@lru_cache(maxsize=256)
def _linear(name: str, digests: tuple[tuple[str, str], ...]) -> Probe:
    """Load a linear probe."""
    return LinearProbe.load(Path(name))


@lru_cache(maxsize=256)
def _head(name: str, digests: tuple[tuple[str, str], ...]) -> Probe:
    """Load a head on a frozen encoder."""
    from fair_datasets.scores.probes.head import HeadProbe

    return HeadProbe.load(Path(name))


@lru_cache(maxsize=8)
def _transformer(name: str, revision: str | None, digests: tuple[tuple[str, str], ...]) -> Probe:
    """Load a sequence classifier."""
    from fair_datasets.scores.probes.transformer import TransformerProbe

    return TransformerProbe.load(name, revision)
