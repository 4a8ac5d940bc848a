"""What stands between two words, read as one sign."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.english.classifier.sides import END, sign_of


@pytest.mark.parametrize(
    ("gap", "sign"),
    [
        (" ", ""),
        ("'", ""),
        ("* ", ""),
        (". ", END),
        ("?! ", END),
        ("... ", "…"),
        (" - ", "--"),
        ("-", "-"),
        (', "', ","),
        ("\n", "|"),
        ("\n\n", END),
        (" @", "#"),
    ],
)
def test_a_gap_is_one_sign(gap: str, sign: str) -> None:
    """The end of a sentence counts more than a comma, and emphasis for nothing."""
    assert sign_of(gap) == sign


@given(st.text(alphabet=" *_~", min_size=1))
def test_space_and_emphasis_are_no_sign(gap: str) -> None:
    """Words that are set in bold are not divided."""
    assert sign_of(gap) == ""
