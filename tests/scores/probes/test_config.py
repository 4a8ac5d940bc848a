"""The configuration of probes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fair_datasets.scores.probes import ProbeConfig
from fair_datasets.system.checks import InputError


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


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"columns": []}, "columns must name at least one column"),
        ({"label": ["a", "b"]}, r"label must be one column name.*\['a', 'b'\]"),
        ({"label": ""}, "label must be a column name"),
        ({"seeds": []}, "seeds must be different whole numbers"),
        ({"seeds": [1, 1]}, r"\[1, 1\]"),
        ({"seeds": 0}, "seeds must be at least 1"),
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"learning_rate": "fast"}, "'fast'"),
        ({"out": "a\0b"}, "out must be a path or a name, but it is 'a"),
        ({"model": None}, "model must be a path or a name, but it is None"),
        ({"model": "some/model", "columns": ["a", "b", "c"]}, "or use model='linear' or head='lin"),
        ({"head": "mlp"}, "head='mlp' needs the sentence vectors of a model, but model='linea"),
        ({"head": "forest", "model": "m"}, "head must be one of 'linear', 'mlp'"),
        ({"head": "linear", "model": "m", "learning_rate": 0}, "learning_rate must be a number ab"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any], words: str) -> None:
    """The sentence names the parameter and its value."""
    with pytest.raises(InputError, match=words):
        ProbeConfig(**{"out": "probes", "columns": "text", **parameters})
