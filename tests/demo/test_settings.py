"""What a visitor may choose."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.lexicons import available_lexicons


def test_all_that_is_offered_can_be_chosen_together(module: ModuleType) -> None:
    """All axes at once, a group of one of them, and lists with spaces and empty places."""
    settings = module.checked_settings(
        available_lexicons(), ["asian"], False, "xe", " Lily Allen,, \n queen bee, Lily Allen"
    )
    assert settings.protect == ("Lily Allen", "queen bee")
    assert isinstance(settings.swap("text"), CounterfactualSwap)


def test_the_order_of_the_clicks_decides_nothing(module: ModuleType) -> None:
    """A word of two axes is the same one's."""
    for axes in (["age", "gender"], ["gender", "age"], ["age", "gender", "age"]):
        assert module.checked_settings(axes, [], True, "they", "").axes == ("gender", "age")


def test_only_what_changes_something_is_passed_on(module: ModuleType) -> None:
    """Pronouns that are never written would be refused."""
    settings = module.checked_settings(["gender"], [], True, "xe", "")
    assert settings.arguments() == {"axis": "gender", "names": True}
    settings = module.checked_settings(["gender", "age"], ["non-binary"], True, "xe", "Bo")
    assert settings.arguments() == {
        "axis": ("gender", "age"), "joint": True, "target": "non-binary", "names": True,
        "pronouns": "xe", "protect": ("Bo",),
    }  # fmt: skip
    assert list(settings.counting()) == ["axis", "names"]


@pytest.mark.parametrize(("chosen", "message"), [
    (([], [], True, "they", ""), "No axis is chosen"),
    ((["gendre"], [], True, "they", ""), "offers no axis 'gendre', but gender, age"),
    ((["gender"], ["asian"], True, "they", ""), "offers no group 'asian', but man, woman"),
    ((["gender"], ["man", "woman"], True, "they", ""), "both on the axis gender"),
    ((["gender"], [], True, "thy", ""), "offers no pronouns 'thy', but they"),
    ((["gender"], [], True, "they", "Bo, /etc/a.tsv"), "no lists of people"),
    ((["gender"], [], True, "they", "a," * 501), "50 names or words"),
    ((["gender"], [], True, "they", ",".join(map(str, range(51)))), "50 names or words"),
])  # fmt: skip
def test_all_else_is_refused(module: ModuleType, chosen: tuple[Any, ...], message: str) -> None:
    """A sentence says what is offered."""
    with pytest.raises(InputError, match=message):
        module.checked_settings(*chosen)


def test_no_file_is_read(module: ModuleType, tmp_path: Path) -> None:
    """The path of a lexicon is no axis here, and none of its words is told."""
    secret = tmp_path / "secret.tsv"
    secret.write_text("man\twoman\nmy password is\tx\n", encoding="utf-8")
    with pytest.raises(InputError, match="offers no axis") as raised:
        module.checked_settings([str(secret)], [], True, "they", "")
    assert "password" not in str(raised.value)


def test_groups_of_several_axes_say_which_is_theirs(module: ModuleType) -> None:
    """One axis needs no such word."""
    assert ("young (age)", "young") in module.target_choices(["gender", "age"])
    assert ("young", "young") in module.target_choices(["age"])
    assert module.target_choices([]) == []
