"""Names of places, firms, brands and works, which are no person's."""

import pytest

from fair_datasets import find_terms
from fair_datasets.english.names_of_others import IN_TITLE, IS_BRAND, IS_FIRM, IS_REGION
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


def test_regions_and_brands_are_told() -> None:
    """A region stands behind a comma, a good behind a possessive that may have lost its sign."""
    assert holds(IS_REGION, "[Raymond], Maine")
    assert not holds(IS_REGION, "[Raymond], Mary")
    assert holds(IS_BRAND, "[Wendy]'s burgers")
    assert holds(IS_BRAND, "[Wendy] s burgers")
    assert not holds(IS_BRAND, "[Wendy]'s mother")


@pytest.mark.parametrize(
    ("sentence", "is_name"),
    [
        ("She saw Midnight [Cowboy].", True),
        ("the series Hogan's [Heroes]", True),
        ("he read The [Boy]'s Own Paper", True),
        ("at the Philippine [Women]'s University", True),
        ("she played Guitar [Hero] there", True),
        ("he saw the [Cowboy]", False),
        ("The [Girl] is late.", False),
        ("But [Men] are late.", False),
        ("we asked Korean [Women] about it", False),
        ("HE SAW MIDNIGHT [COWBOY]", False),
        ("Old Man Sues Young [Boys]", False),
    ],
)
def test_a_capital_behind_a_capital_is_that_of_a_name(sentence: str, is_name: bool) -> None:
    """But not where a sentence begins, in a headline, or behind a word for a people."""
    assert holds(IN_TITLE, sentence) is is_name


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("I read about Son of Sam then.", "Son"),
        ("He joined the Sons of Liberty there.", "Sons"),
        ("The National Organization of Women met him.", "Women"),
        ("They fear the Muslim Brotherhood there.", "Brotherhood"),
    ],
)
def test_a_noun_may_be_part_of_a_name(text: str, word: str) -> None:
    """Of a title or a society."""
    (found,) = [term for term in find_terms(text) if term.text == word]
    assert found.rule == "terms.in_title"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Time named him Man of the Year.", "Man"),
        ("She went to the Sherborne School for Girls there.", "Girls"),
        ("He met a son of Sam.", "son"),
    ],
)
def test_other_nouns_are_people(text: str, word: str) -> None:
    """What is named after the people that it is for is named otherwise with them."""
    (found,) = [term for term in find_terms(text) if term.text == word]
    assert found.attribute
