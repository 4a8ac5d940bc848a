"""What the demo says of a text."""

from collections.abc import Callable
from types import ModuleType

import pytest

from fair_datasets import InputError, available_lexicons


@pytest.fixture(scope="module")
def module(load: Callable[[str], ModuleType]) -> ModuleType:
    """Return the module."""
    return load("counterfactuals")


def test_edits_and_reasons(module: ModuleType) -> None:
    """Each edit carries what stood there, and each candidate a verdict."""
    rewriting = module.rewrite("The waitress has a Bachelor's degree.", "gender", "")
    assert rewriting.pieces == [
        ("The ", None),
        ("waiter", "was “waitress”"),
        (" has a Bachelor's degree.", None),
    ]
    assert rewriting.verdicts == [
        ["waitress", "woman", "rewritten to “waiter”"],
        ["Bachelor's degree", "–", "left alone: it belongs to a phrase that is left alone"],
    ]


def test_a_target_that_is_there_already(module: ModuleType) -> None:
    """A term of the target is read, and left alone."""
    rewriting = module.rewrite("He told her.", "gender", "woman")
    assert "".join(piece for piece, _ in rewriting.pieces) == "She told her."
    assert rewriting.verdicts[1] == ["her", "woman", "left alone: it says that already"]


def test_markup_stays_text(module: ModuleType) -> None:
    """The pieces hold the letters of the text, no more and no fewer."""
    text = "<img src=x onerror=alert(1)> <b>She</b> & **he**\n"
    rewriting = module.rewrite(text, "gender", "")
    before = "".join(
        piece if was is None else was.removeprefix("was “").removesuffix("”")
        for piece, was in rewriting.pieces
    )
    assert before == text


@pytest.mark.parametrize("axis", available_lexicons())
def test_each_target_of_each_axis(module: ModuleType, axis: str) -> None:
    """All that the page offers can be chosen."""
    choices = module.target_choices(axis)
    assert len(choices) >= 4
    for _, target in choices[:8]:
        assert module.rewrite("It rains.", axis, target).pieces == [("It rains.", None)]


@pytest.mark.parametrize(
    ("text", "axis", "target", "message"),
    [
        ("", "gender", "", "no text yet"),
        (" \n", "gender", "", "no text yet"),
        ("a" * 5001, "gender", "", "5,001 characters"),
        ("She", "gender", "asian", "target must be one of"),
        ("She", "gendre", "", "Did you mean 'gender'"),
    ],
)
def test_what_is_wrong_is_told(
    module: ModuleType, text: str, axis: str, target: str, message: str
) -> None:
    """A sentence says what to do."""
    with pytest.raises(InputError, match=message):
        module.rewrite(text, axis, target)
