"""Writing a replacement in the letter case of what it replaces."""

import pytest

from fair_datasets.matching.lettercase import match_case


@pytest.mark.parametrize(
    ("before", "after", "written"),
    [
        ("his", "her", "her"),
        ("His", "her", "Her"),
        ("HIS", "her", "HER"),
        ("hIS", "her", "her"),
        ("GrandMa", "grandpa", "grandpa"),
        ("Mother-in-law", "father-in-law", "Father-in-law"),
        ("best man", "maid of honor", "maid of honor"),
        ("Best man", "maid of honor", "Maid of honor"),
        ("Best Man", "maid of honor", "Maid of Honor"),
        ("BEST MAN", "maid of honor", "MAID OF HONOR"),
        ("Maid of Honor", "best man", "Best Man"),
        ("John", "Mary", "Mary"),
        ("JOHN", "Mary", "MARY"),
        ("Ma'am", "sir", "Sir"),
        ("FIANCÉE", "fiancé", "FIANCÉ"),
    ],
)
def test_case_is_kept(before: str, after: str, written: str) -> None:
    """Lower, Title and UPPER are kept; any other mixture gives the lexicon's spelling."""
    assert match_case(before, after) == written
