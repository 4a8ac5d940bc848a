"""Firms and brands that begin with a first name."""

import pytest

from fair_datasets.english.names_of_others import IS_BRAND, IS_FIRM
from tests.english.asking import holds


@pytest.mark.parametrize(
    ("sentence", "is_firm"),
    [
        ("[Bradley], LLC", True),
        ("[Bradley] Inc.", True),
        ("[Bradley] & Sons", True),
        ("[Bradley] and Sons", True),
        ("[Bradley] and sons", False),
        ("[Bradley] Scott, PLLC", True),
        ("[Bradley] Scott & Associates", True),
        ("[Bradley] Scott and Sons", True),
        ("[Bradley] saw Scott & Sons", False),
        ("[Bradley]. Sons left", False),
    ],
)
def test_firms_are_told_by_partners_and_legal_forms(sentence: str, is_firm: bool) -> None:
    """They stand behind the name or behind the surname."""
    assert holds(IS_FIRM, sentence) is is_firm


@pytest.mark.parametrize(
    ("sentence", "is_brand"),
    [
        ("[Wendy]'s burgers", True),
        ("[Wendy] s burgers", True),
        ("[Wendy]'s mother", False),
    ],
)
def test_brands_are_told_by_their_goods(sentence: str, is_brand: bool) -> None:
    """A good stands behind a possessive that may have lost its sign."""
    assert holds(IS_BRAND, sentence) is is_brand
