"""The settings of an encoder's training."""

from typing import Any

import pytest

from fair_datasets import InputError
from fair_datasets.scores import SentenceEncoderConfig


def test_the_published_settings() -> None:
    """Are the defaults, and the preset of that name."""
    config = SentenceEncoderConfig(out="encoder", vectors="glove.txt")
    assert config.settings() == {
        "columns": ["premise", "hypothesis"], "label": "label", "units": 2048,
        "classifier_units": 512, "markers": True, "frequent_words": 100_000, "epochs": 8,
        "batch_size": 64, "learning_rate": 0.1, "decay": 0.99, "shrink": 5.0,
        "least_learning_rate": 1e-5, "largest_gradient": 5.0, "max_length": 128, "seed": 1234,
    }  # fmt: skip
    assert SentenceEncoderConfig.preset("infersent", out="encoder", vectors="glove.txt") == config
    small = SentenceEncoderConfig.preset("small", out="encoder", vectors="glove.txt", epochs=2)
    assert (small.units, small.epochs) == (64, 2)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"columns": "text"}, "columns must name the two sentences of a pair, but it names 1"),
        ({"label": ["a", "b"]}, "label must be one column name"),
        ({"units": 0}, "units must be at least 1, but it is 0"),
        ({"decay": 0}, "decay must be a number above 0, but it is 0"),
        ({"seed": -1}, "seed must be at least 0, but it is -1"),
        ({"frequent_words": -1}, "frequent_words must be at least 0"),
        ({"markers": 1}, "markers must be"),
        ({"vectors": {"he": [1.0]}}, "vectors must be a path or a name"),
        ({"max_length": 2}, "max_length must leave room for a word between the markers"),
    ],
)
def test_what_is_refused(settings: dict[str, Any], sentence: str) -> None:
    """Each in one sentence."""
    with pytest.raises(InputError, match=f"SentenceEncoderConfig: {sentence}"):
        SentenceEncoderConfig(**{"out": "encoder", "vectors": "glove.txt", **settings})
    with pytest.raises(InputError, match="the preset must be one of 'infersent', 'small'"):
        SentenceEncoderConfig.preset("tiny", out="encoder", vectors="glove.txt")
