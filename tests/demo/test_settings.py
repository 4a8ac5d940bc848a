"""What a visitor may choose."""

from types import ModuleType

from fair_datasets import CounterfactualSwap
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


def test_groups_of_several_axes_say_which_is_theirs(module: ModuleType) -> None:
    """One axis needs no such word."""
    assert ("young (age)", "young") in module.target_choices(["gender", "age"])
    assert ("young", "young") in module.target_choices(["age"])
    assert module.target_choices([]) == []
