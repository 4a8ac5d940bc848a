"""What the teacher learns from: the order of rows, what is told of their words, and the rate."""

import math
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from fair_datasets.reader.encoder import CASED
from fair_datasets.reader.tags import FAMILY, FIRST_SENSE, GIVEN, NONE, PLACE, TAGS, THING
from fair_datasets.reader.training.teacher import Batch, _rate, _step


@pytest.mark.parametrize(
    ("step", "total", "share"),
    [(0, 100, 0.1), (4, 100, 0.5), (9, 100, 1.0), (10, 100, 1.0), (55, 100, 0.5), (99, 100, 1 / 90),
     (100, 100, 0.0), (0, 1, 1.0), (0, 9, 1.0), (8, 9, 1 / 8)],
)  # fmt: skip
def test_the_rate_rises_for_a_tenth_and_falls(step: int, total: int, share: float) -> None:
    """To nothing behind the last step."""
    assert _rate(step, total) == pytest.approx(share)


@pytest.mark.parametrize("is_cased", [True, False])
def test_the_loss_is_that_of_the_tags_that_a_word_may_have(is_cased: bool) -> None:
    """Among those that its source tells apart, of the first piece of each word."""
    logits = torch.zeros(2, 3, len(TAGS))
    logits[0, 1, GIVEN], logits[1, 2, PLACE], logits[1, 1, THING] = map(math.log, (2, 3, 5))
    allowed, considered = torch.zeros(2, 3, len(TAGS), dtype=torch.bool)
    allowed[0, GIVEN] = considered[0, [NONE, GIVEN, FAMILY]] = True
    allowed[1, [NONE, PLACE]] = considered[1, [NONE, PLACE, GIVEN, FAMILY]] = True
    allowed[2, THING] = considered[2, FIRST_SENSE:] = True
    inputs = {"input_ids": torch.ones(2, 3), "token_type_ids": torch.ones(2, 3)}
    batch = Batch(inputs, torch.tensor([0, 1, 1]), torch.tensor([1, 2, 1]), allowed, considered)

    def network(**given: Any) -> Any:
        assert ("token_type_ids" in given) == is_cased
        return SimpleNamespace(logits=logits)

    network.config = SimpleNamespace(**{CASED: is_cased})  # type: ignore[attr-defined]
    network.device = torch.device("cpu")  # type: ignore[attr-defined]
    # Two of four parts for the first word, and four of six for the second; five of ten for a sense.
    expected = (math.log(2) + math.log(1.5)) / 2 + math.log(2)
    assert float(_step(network, batch)) == pytest.approx(expected)
