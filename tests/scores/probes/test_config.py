"""The configuration of probes."""

from pathlib import Path

import numpy as np

from fair_datasets.scores.probes import ProbeConfig


def test_parameters_are_written_in_one_form() -> None:
    """Paths, numbers of numpy and lists give equal configurations."""
    one = ProbeConfig(out="a/b", columns="text", seeds=2, epochs=2, learning_rate=1)
    other = ProbeConfig(
        out=Path("a/b"), columns=["text"], seeds=[0, 1], epochs=np.int64(2), learning_rate=1.0
    )
    assert one == other
    assert one.settings() == other.settings()
    assert "out" not in one.settings()
    usual = ProbeConfig(out="a", columns="text")
    assert (usual.seeds, usual.epochs) == ((0, 1, 2, 3, 4), 3)
    assert (usual.batch_size, usual.max_length) == (32, 128)
