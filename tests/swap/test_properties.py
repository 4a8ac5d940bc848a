"""What holds for every text, whatever the lexicon says about its words."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, available_lexicons, load_lexicon
from fair_datasets.lexicons import Entry

SWAP = CounterfactualSwap(columns="text", mode="replace")
GENDER = load_lexicon("gender")


def _is_one_to_one(entry: Entry) -> bool:
    """Tell whether a row leads from each of its two forms to the other one alone."""
    forms = [entry.forms.get(name, ()) for name in ("man", "woman")]
    plain = all(len(cell) == 1 and not cell[0].flags for cell in forms)
    return plain and entry.inflection == "singular" and entry.kind != "title"


PAIRS = [
    (entry.forms["man"][0].text, entry.forms["woman"][0].text)
    for entry in GENDER.entries
    if _is_one_to_one(entry)
]
# Contexts that leave no doubt about a noun, its number or its article.
FRAMES = ["We met my {} there.", "So said her {}, who left.", "{} of ours?", "The {}'s house",
          "my {} — our {}"]  # fmt: skip


def _swapped(text: str, swap: CounterfactualSwap = SWAP) -> str:
    return str(swap({"text": [text]})["text"][0])


@pytest.mark.parametrize("axis", available_lexicons())
@settings(deadline=None)
@given(text=st.text() | st.text(alphabet=st.characters(categories=["L", "P", "Z"])))
def test_text_without_terms_stays_byte_for_byte(axis: str, text: str) -> None:
    """A text in which nothing is found comes out as it went in, on every axis."""
    swap = CounterfactualSwap(columns="text", axis=axis, mode="replace", provenance=True)
    result = swap({"text": [text]})
    if not result["edits"][0]:
        assert result["text"][0] == text
    assert result["text"][0].encode().decode() == result["text"][0]


@settings(deadline=None)
@given(st.sampled_from(PAIRS), st.sampled_from(FRAMES), st.sampled_from([str, str.upper]))
def test_swapping_twice_gives_the_text_back(pair: tuple[str, str], frame: str, case: type) -> None:
    """Where a row of the lexicon is one to one, the second swap undoes the first."""
    for form in pair:
        text = case(frame.format(form, form))
        once = _swapped(text)
        assume(once != text)
        assert _swapped(once) == text


@settings(deadline=None)
@given(st.sampled_from(["he", "himself"]), st.sampled_from(["{} left.", "so {} says"]))
def test_determined_pronouns_come_back(word: str, frame: str) -> None:
    """He and she, himself and herself have one case each."""
    assert _swapped(_swapped(frame.format(word))) == frame.format(word)


@settings(deadline=None)
@given(st.sampled_from(PAIRS), st.sampled_from([str.lower, str.upper, str.capitalize]))
def test_letter_case_is_kept(pair: tuple[str, str], case: type) -> None:
    """Lower, upper and capitalised words are written as such."""
    before = case(pair[0])
    after = _swapped(f"We met my {before} there, my {before}.")
    assume(f"my {before} there" not in after)
    assert case(pair[1]) in after


@settings(deadline=None)
@given(st.text(), st.text(), st.sampled_from(["he", "waitress", "Mary"]))
def test_what_lies_around_an_edit_is_kept(left: str, right: str, word: str) -> None:
    """All characters outside the edits stay, whatever they are."""
    swap = CounterfactualSwap(columns="text", mode="replace", provenance=True)
    text = f"{left} {word} {right}"
    result = swap({"text": [text]})
    rest, position = "", 0
    for edit in result["edits"][0]:
        rest += text[position : edit["start"]] + edit["after"]
        position = edit["end"]
    assert rest + text[position:] == result["text"][0]
