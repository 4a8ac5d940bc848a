"""The classifier of states."""

import numpy as np
import pytest
import torch

from fair_datasets.fairflow import classifier
from fair_datasets.fairflow.classifier import attribute_logits


def test_each_state_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are asked about together."""
    tensors = {
        "hidden.weight": torch.eye(2), "hidden.bias": torch.zeros(2),
        "out.weight": torch.tensor([[1.0, -1.0]]), "out.bias": torch.tensor([0.5]),
    }  # fmt: skip
    states = np.array([[9, 0], [0, 9], [7, 0], [0, 0], [0, 7]], np.float16)
    expected = pytest.approx([9.5, -8.5, 7.5, 0.5, -6.5], abs=1e-4)
    assert attribute_logits(tensors, states) == expected
    monkeypatch.setattr(classifier, "_TOGETHER", 2)
    assert attribute_logits(tensors, states) == expected
