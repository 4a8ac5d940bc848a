"""What the demo says of a text."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from fair_datasets.lexicons import available_lexicons


@pytest.fixture(scope="module")
def rewrite(load: Callable[[str], ModuleType], module: ModuleType) -> Callable[..., Any]:
    """Return what rewrites a text along some axes."""
    settings = load("settings").Settings
    return lambda text, *axes, **others: module.rewrite(text, settings(axes, **others))


def done(rewriting: Any) -> list[tuple[str, str, str]]:
    """Return the words, what they were read as and what was done with them."""
    return [(verdict.words, verdict.attribute, verdict.done) for verdict in rewriting.verdicts]


def test_edits_and_reasons(rewrite: Callable[..., Any]) -> None:
    """Each edit carries what stood there, each candidate a verdict, and the result has no marks."""
    rewriting = rewrite("The waitress has a Bachelor's degree.", "gender")
    assert rewriting.pieces == [
        ("The ", None), ("waiter", "was “waitress”"), (" has a Bachelor's degree.", None),
    ]  # fmt: skip
    assert rewriting.after == "The waiter has a Bachelor's degree."
    assert done(rewriting) == [
        ("waitress", "woman", "rewritten to “waiter”"),
        ("Bachelor's degree", "", "left alone: it belongs to a phrase that is left alone"),
    ]
    assert [verdict.place for verdict in rewriting.verdicts] == [(4, 12), (19, 36)]
    assert [verdict.is_rewritten for verdict in rewriting.verdicts] == [True, False]


def test_several_axes_are_rewritten_together(rewrite: Callable[..., Any]) -> None:
    """One counterfactual holds the edits of all of them, and says which each belongs to."""
    rewriting = rewrite("An elderly actor sang.", "gender", "age", targets=("young",))
    assert rewriting.after == "A young actress sang."
    assert [(v.words, v.axis) for v in rewriting.verdicts] == [
        ("An", "age"), ("elderly", "age"), ("actor", "gender"),
    ]  # fmt: skip
    assert done(rewriting)[0][2] == "rewritten to “A”, to agree with another word"


def test_a_word_of_two_axes_says_which_took_it(rewrite: Callable[..., Any]) -> None:
    """The other axis says why it left the words alone."""
    found = done(rewrite("The old man slept.", "gender", "age", targets=("young",)))
    assert ("old man", "senior", "left alone: it was rewritten along gender") in found


def test_names_pronouns_and_protection(rewrite: Callable[..., Any]) -> None:
    """Each setting does what it says."""
    text = "Mary Allen said that she met Mary Brown and the queen bee."
    protected = rewrite(text, "gender", protect=("Mary Allen", "she"))
    assert protected.after == text
    assert rewrite("Mary sang.", "gender", names=False).after == "Mary sang."
    known = rewrite("Obama met his wife.", "gender")
    why = "left alone: the row names a known person, and would become false"
    assert (known.after, [verdict.done for verdict in known.verdicts]) == (known.before, [why] * 2)
    written = rewrite("She sang.", "gender", targets=("non-binary",), pronouns="xe")
    assert written.after == "Xe sang."
    assert rewrite("She sang.", "gender", pronouns="xe").after == "He sang."


def test_a_name_by_race_says_why_it_stays(rewrite: Callable[..., Any]) -> None:
    """A name that no list holds has its reason on the page."""
    [(words, _, why)] = done(rewrite("Emily left.", "race"))
    assert (words, why.startswith("left alone: it is a name, but not typical")) == ("Emily", True)


def test_a_target_that_is_there_already(rewrite: Callable[..., Any]) -> None:
    """A term of the target is read, and left alone."""
    rewriting = rewrite("He told her.", "gender", targets=("woman",))
    assert rewriting.after == "She told her."
    assert done(rewriting)[1] == ("her", "woman", "left alone: it says that already")


def test_markup_stays_text(rewrite: Callable[..., Any]) -> None:
    """The pieces hold the letters of the text, no more and no fewer."""
    text = "<img src=x onerror=alert(1)> <b>She</b> & **he**\n"
    before = "".join(
        piece if was is None else was.removeprefix("was “").removesuffix("”")
        for piece, was in rewrite(text, "gender").pieces
    )
    assert before == text


def test_half_of_a_letter_is_no_stumbling_block(rewrite: Callable[..., Any]) -> None:
    """JSON can hold one, and what is sent back cannot."""
    assert rewrite("She\ud800 left.", "gender").after == "He? left."


@pytest.mark.parametrize("axis", available_lexicons())
def test_each_target_of_each_axis(load: Any, rewrite: Any, axis: str) -> None:
    """All that the page offers can be chosen."""
    choices = load("settings").target_choices([axis])
    assert len(choices) >= 2
    for _, target in choices[:8]:
        assert rewrite("It rains.", axis, targets=(target,)).pieces == [("It rains.", None)]
