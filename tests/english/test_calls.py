"""Calls that mean nobody."""

import pytest

from fair_datasets.english.calls import EXCLAIMED
from tests.english.asking import rule_of


@pytest.mark.parametrize(
    ("sentence", "exclaimed"),
    [
        ("Oh, [boy].", True),
        ("oh [man] i forgot", True),
        ("[Man], that was close", True),
        ("[man] oh man", True),
        ("[Boy], was it hot", True),
        ("[Boy] was it hot", True),
        ("Come on, [man].", True),
        ("thanks [dude]", True),
        ("what is this, [girl]?", True),
        ("love you [man]", True),
        ("The [man], who left", False),
        ("[Man] bites dog", False),
        ("[Man], woman and child", False),
        ("[Boy], 12, found", False),
        ("They are fathers, [man], and sons", False),
        ("a woman, [man] or girl", False),
        ("I saw a [man]", False),
        ("[Brother], come here", False),
        ("a very simple person: [man], fighter", False),
    ],
)
def test_calls_are_told_from_mentions(sentence: str, exclaimed: bool) -> None:
    """A call stands alone between commas, behind an interjection or before a question's verb."""
    assert rule_of(EXCLAIMED, sentence).verdict is exclaimed
