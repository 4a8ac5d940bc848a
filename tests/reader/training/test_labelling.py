"""What a teacher says of texts is kept by parts, and asked once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fair_datasets.matching.tokens import Tokens
from fair_datasets.reader.tags import TAGS
from fair_datasets.reader.training import labelling
from fair_datasets.reader.training.labelling import labelled

TEXTS = ["He ran.", "Rain", "", "She saw me", "Yes, we do"]


class Teacher:
    """Says of each word how long it is, and counts the texts that it is asked about."""

    def __init__(self) -> None:
        """Be asked nothing yet."""
        self.asked: list[str] = []

    def shares(self, texts: Sequence[Tokens]) -> list[NDArray[np.float64]]:
        """Return probabilities."""
        self.asked += [tokens.text for tokens in texts]
        found = []
        for tokens in texts:
            shares = np.zeros((len(tokens.lower), len(TAGS)))
            for row, word in zip(shares, tokens.lower, strict=True):
                row[len(word)], row[0] = 0.8, 0.2
            found.append(shares)
        return found


def test_a_teacher_is_asked_once_about_each_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts that an earlier run finished are read; probabilities are kept in parts of 255."""
    monkeypatch.setattr(labelling, "PART", 2)
    first, again = Teacher(), Teacher()
    teacher: Any = first
    found = labelled(TEXTS, teacher, tmp_path)
    assert first.asked == TEXTS
    assert [len(each) for each in found] == [2, 1, 0, 3, 3]
    assert found[0][0].tolist() == [51, 0, 204, *[0] * (len(TAGS) - 3)]
    assert sorted(path.name for path in tmp_path.glob("*.safetensors")) == [
        f"part-0000{number}.safetensors" for number in range(3)
    ]
    (tmp_path / "part-00001.safetensors").unlink()
    teacher = again
    read = labelled(TEXTS, teacher, tmp_path)
    assert again.asked == TEXTS[2:4]
    assert all((one == other).all() for one, other in zip(found, read, strict=True))
