"""Groups, buildings and books that bear names."""

import pytest

from fair_datasets.english.named_groups import IS_NAMED
from tests.english.asking import holds


@pytest.mark.parametrize(
    ("sentence", "named"),
    [("at [Trinity] Church, he said", True), ("the [Rabbi] Hillel taught", True),
     ("a [Rabbi], Hillel taught", False), ("the [RABBI] Hillel taught", False),
     ("the [Rabbi] taught", False)],
)  # fmt: skip
def test_a_name_follows_directly(sentence: str, named: bool) -> None:
    """With a capital, and behind a space."""
    assert holds(IS_NAMED, sentence) is named
