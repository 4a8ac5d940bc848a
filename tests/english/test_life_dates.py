"""Whether ages can be rewritten beside what else a text says."""

import pytest

from fair_datasets.english.life_dates import ages_fit


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("She sang at [age 12].", True),
        ("In 1990 she sang at [age 12], and in 1992 she left.", True),
        ("She left at the age of three and sang at [age 12].", False),
        ("She is [12 years old] and two years older than he.", False),
        ("He was [40] and his wife was five years his senior.", False),
        ("Born in 1930, he died in 1980 at [age 50].", False),
        ("He was [20 years old], the others 3 years old.", False),
    ],
)
def test_ages_fit(text: str, fits: bool) -> None:
    """The age in brackets is rewritten."""
    start, end = text.index("["), text.index("]") - 1
    assert ages_fit(text.replace("[", "").replace("]", ""), [(start, end)]) is fits
