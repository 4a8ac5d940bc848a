"""Rows of which no counterfactual reads true."""

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.matching.found import Reason
from fair_datasets.rewriting import Rows


def _swap(axis: str, target: str | None, *, source: str | None = None) -> CounterfactualSwap:
    return CounterfactualSwap(
        columns="text", axis=axis, mode="replace", source=source, target=target
    )


def _after(text: str, axis: str, target: str | None, source: str | None = None) -> str:
    swap = _swap(axis, target, source=source)
    written = [new.texts[0] for _, new in swap.rewrite(Rows([(text,)], ["key"]))]
    return written[0] or "" if written else text


def _reasons(text: str, axis: str, target: str | None) -> set[Reason]:
    (row,) = _swap(axis, target).read(Rows([(text,)], ["key"]))
    return {left.reason for reading in row.readings if reading for left in reading.left}


@pytest.mark.parametrize(
    ("axis", "target", "text", "reason"),
    [
        ("religion", "hindu", "The Pope greeted Catholics.", Reason.TIED),
        ("religion", "hindu", "Muslims live as the hadith says.", Reason.TIED),
        ("religion", "hindu", "Jews founded the Jewish Museum.", Reason.TIED),
        ("religion", "hindu", "Trinity Church is a church.", Reason.TIED),
        ("religion", "hindu", "We met Rabbi Hillel.", Reason.TIED),
        ("religion", "hindu", "Catholics and Protestants met.", Reason.CONTRAST),
        ("religion", "hindu", "The Shia scholar met Sunnis.", Reason.CONTRAST),
        ("nationality", "german", "The Scottish cook met an Englishman.", Reason.CONTRAST),
        ("nationality", "german", "The Dutch cook left Germany.", Reason.TIED),
        ("religion", "atheist", "The devout Muslim left.", Reason.TIED),
        ("religion", "atheist", "Catholics own this chapel.", Reason.NO_FORM),
        ("religion", "muslim", "Christians and Jews live here.", Reason.CONTRAST),
        ("religion", "muslim", "Muslims like Christians.", Reason.CONTRAST),
        ("nationality", "german", "The Dutch cook is from Holland.", Reason.TIED),
        ("nationality", "german", "The Greek cook spoke Greek.", Reason.TIED),
        ("nationality", "german", "The American cook left the U.S. army.", Reason.TIED),
        ("nationality", "german", "Poles and Danes met.", Reason.CONTRAST),
        ("nationality", "german", "The Danish cook met a German baker.", Reason.CONTRAST),
        ("race", "asian", "Black men wore dreadlocks.", Reason.TIED),
        (
            "race",
            "asian",
            "The African American cook liked African American food, which "
            "African-Americans in Africa ate.",
            Reason.TIED,
        ),
        ("orientation", "lesbian", "He is gay.", Reason.TIED),
        ("orientation", "heterosexual", "Gay people fear homophobia.", Reason.TIED),
        ("race", "white", "Black people fear the Ku Klux Klan.", Reason.TIED),
        ("age", "adult", "The teen aged 19 left.", Reason.AGES),
        ("age", "adult", "She left at the age of 58.", Reason.NO_FORM),
        ("age", "senior", "The toddlers left kindergarten.", Reason.TIED),
        ("age", "child", "The young man met his wife.", Reason.TIED),
        ("age", "child", "She was 12 when I turned 30; aged 40, she left.", Reason.AGES),
        ("age", "senior", "She sang at age 12 and at age 20 she wrote.", Reason.AGES),
        ("age", "senior", "Born in 1930, he died in 1980 at age 50.", Reason.AGES),
        ("age", "senior", "At age 12 she was two years older than her friend.", Reason.AGES),
    ],
)
def test_a_row_is_left_alone(axis: str, target: str, text: str, reason: Reason) -> None:
    """What would contradict the rest of the row is not written, and the reason is told."""
    assert _after(text, axis, target) == text
    assert reason in _reasons(text, axis, target)


@pytest.mark.parametrize(
    ("axis", "target", "text", "told"),
    [
        ("religion", "hindu", "The Pope met Catholics.", "tied to 'christian' by 'Pope'"),
        ("religion", "christian", "Hindus like the Pope.",
         "'Pope' does not go with becoming 'christian'"),
        ("religion", "atheist", "A devout Muslim left.",
         "'devout' does not go with becoming 'atheist'"),
        ("religion", "hindu", "Jews like the Jewish Museum.", "tied to 'jewish' by 'Jewish'"),
        ("religion", "hindu", "Catholics and Protestants met.",
         "two groups of the row would become one"),
        ("religion", "hindu", "Trinity Church fed Catholics.", "tied to 'christian' by 'Trinity'"),
        ("religion", "hindu", "We met Rabbi Hillel.",
         "tied to 'jewish' by the name with 'Rabbi'"),
        ("age", "adult", "She left at the age of 58.", "'adult' has no word for 'age of 58'"),
        ("nationality", "german", "Poles and Danes met.", "two groups of the row would become one"),
    ],
)  # fmt: skip
def test_the_reason_names_what_ties_the_row(axis: str, target: str, text: str, told: str) -> None:
    """The word, and the group to which it is tied."""
    (row,) = _swap(axis, target).read(Rows([(text,)], ["key"]))
    assert row.counterfactual is None
    reasons = {each.told for reading in row.readings if reading for each in reading.left}
    assert told in reasons


@pytest.mark.parametrize(
    ("axis", "source", "target", "text", "after"),
    [
        ("religion", None, "muslim", "Jews like Jewish food.", "Muslims like Muslim food."),
        ("religion", None, "hindu", "The church fed Catholics.", "The Hindu temple fed Hindus."),
        ("religion", None, "muslim", "A Jew met Jews.", "A Muslim met Muslims."),
        ("religion", "jewish", "muslim", "Jews met the Pope.", "Muslims met the Pope."),
        ("religion", None, "hindu", "Jews are Jewish people.", "Hindus are Hindu people."),
        ("religion", "jewish", "muslim", "Jews met Hindus.", "Muslims met Hindus."),
        (
            "nationality", None, "polish", "An Irish cook likes Irish politics.",
            "A Polish cook likes Polish politics.",
        ),
        ("nationality", None, "polish", "The Greek fell in Iraq.", "The Pole fell in Iraq."),
        ("nationality", None, "polish", "A Danish actor won the Danish Film Award.",
         "A Polish actor won the Danish Film Award."),
        ("age", None, "senior", "She sang at age 17.", "She sang at age 90."),
        ("age", None, "adult", "The toddlers sang.", "The adults sang."),
        ("race", None, "asian", "A white man met black men.", "An Asian man met Asian men."),
        ("race", None, "asian", "A black man in a black shirt.", "An Asian man in a black shirt."),
        ("race", None, "native-american", "black Americans sang", "Native Americans sang"),
        ("race", None, "black", "North American Indians sang.", "North American Indians sang."),
        ("race", None, "black", "A white man was white and trembling.",
         "A Black man was white and trembling."),
        ("religion", None, "jewish", "Christians read the Old Testament.",
         "Jewish people read the Old Testament."),
        ("orientation", None, "bisexual", "Gay people fear homophobia.",
         "Bisexual people fear homophobia."),
        ("orientation", None, "lesbian", "The gay cook left.", "The lesbian cook left."),
        ("orientation", None, "bisexual", "Gay people like gay culture.",
         "Bisexual people like bisexual culture."),
    ],
)  # fmt: skip
def test_a_row_is_rewritten(
    axis: str, source: str | None, target: str, text: str, after: str
) -> None:
    """Things go with their group, and what is tied to another group changes nothing."""
    assert _after(text, axis, target, source) == after


def test_groups_that_change_places_stay_apart() -> None:
    """Where targets are drawn, no two groups of a row become one."""
    for key in range(20):
        swap = _swap("religion", None)
        ((_, new),) = swap.rewrite(Rows([("Sikhs met Hindus.",)], [str(key)]))
        first, *_, second = (new.texts[0] or "").rstrip(".").split(" met ")
        assert first != second


def test_the_other_axes_of_a_row_are_rewritten() -> None:
    """A row that is left alone on one axis is rewritten on the others."""
    swap = CounterfactualSwap(
        columns="text", axis=("gender", "religion"), mode="replace", joint=True,
        target=("muslim", "woman"), source=("christian", "man"),
    )  # fmt: skip
    rows = Rows([("He and the Vatican met Catholics.",), ("He met Catholics.",)], [None, None])
    written = [new.texts[0] for _, new in swap.rewrite(rows)]
    assert written == ["She and the Vatican met Catholics.", "She met Muslims."]
