"""The forms that a double swap does not bring back."""

import pytest

from fair_datasets import CounterfactualSwap, load_lexicon
from fair_datasets.lexicons.involution import one_way_forms


def _twice(text: str) -> str:
    swap = CounterfactualSwap(columns="text", mode="replace", names=False)
    once = swap({"text": [text]})
    return str(swap(once)["text"][0])


def test_every_two_way_form_comes_back() -> None:
    """Swapping twice gives each form back that is neither listed nor decided by neighbours."""
    lexicon = load_lexicon("gender")
    one_way = one_way_forms(lexicon)
    tried = 0
    for entry in lexicon.entries:
        for attribute in lexicon.counterparts:
            for form in entry.forms.get(attribute, ()):
                written = entry.forms.get(lexicon.counterparts[attribute]) or (form,)
                if form.flags or written[0].flags - {"target"} or form.text in one_way:
                    continue
                if entry.kind == "pronoun":
                    continue
                tried += 1
                assert _twice(form.text) == form.text
    assert tried > 600


@pytest.mark.parametrize(("form", "after"), [("mum", "mom"), ("spinster", "bachelorette")])
def test_listed_forms_really_do_not_come_back(form: str, after: str) -> None:
    """A listed form becomes what the list says, where its counterpart is read at all."""
    assert one_way_forms(load_lexicon("gender"))[form] == after


def test_first_names_all_come_back() -> None:
    """The pairs of first names are one-to-one, so none is listed."""
    assert one_way_forms(load_lexicon("first_names")) == {}
