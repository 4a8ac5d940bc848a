"""What readings are written as."""

import numpy as np

from fair_datasets.lexicons import Entry, Form
from fair_datasets.matching.found import Terms
from fair_datasets.matching.terms import Term
from fair_datasets.swap.forms import Forms

_KING = Entry({"man": (Form("king"),), "woman": (Form("queen"),)}, inflection="singular")
_HE = Entry({"man": (Form("he"),), "non-binary": (Form("they"),)}, "pronoun", "subject")
_TERMS = Terms(
    [
        Term("man", _KING, axis="gender", spelling="king"),
        Term("woman", _KING, axis="gender", spelling="queen"),
        Term("man", _HE, axis="gender", spelling="he"),
    ]
)


def test_a_form_is_looked_up_for_each_reading_and_target() -> None:
    """A reading without a form for the target stays, as one without a target does."""
    forms = Forms(_TERMS)
    targets = [{("gender", "man"): "woman"}, {("gender", "man"): "non-binary"}]
    readings, which = np.array([0, 1, 2, 0, 2]), np.array([0, 0, 0, 1, 1])
    numbers = forms.numbers(readings, targets, which)
    assert forms.variants[numbers, 0].tolist() == ["queen", "", "", "", "they"]
    assert forms.variants[numbers[0]].tolist() == ["queen", "Queen", "QUEEN", "queen"]
    assert forms.target[numbers].tolist() == ["woman", "", "", "", "non-binary"]
    assert forms.is_hard[numbers].tolist() == [False, False, False, False, True]


def test_forms_are_kept_with_their_terms() -> None:
    """They are looked up once for all texts."""
    assert Forms.of(_TERMS) is Forms.of(_TERMS)
    first = Forms.of(_TERMS).numbers(np.array([0]), [{("gender", "man"): "woman"}], np.array([0]))
    again = Forms.of(_TERMS).numbers(np.array([0]), [{("gender", "man"): "woman"}], np.array([0]))
    assert first.tolist() == again.tolist()
