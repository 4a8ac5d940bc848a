"""What holds for every text and its rewrites, on every axis."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, verify
from fair_datasets.lexicons import available_lexicons, load_lexicon
from fair_datasets.swap import Fault
from fair_datasets.swap.agreement import available_pronoun_sets

AXES = available_lexicons()
FORMS = {
    axis: sorted(
        {
            form.text
            for entry in load_lexicon(axis).entries
            for forms in entry.forms.values()
            for form in forms
            if form.is_read
        }
    )
    for axis in AXES
}
FRAMES = (
    "We met a {0} there, and {1} women.",
    "The {0} was not here in 1990.",
    "She said that he is an {0} or a {1}.",
    "{0} people and {1} people live in Boston; we saw {0} voters.",
    "My {0}'s friend, a {1} man aged 40, likes “{0}”.",
    "John and Mary Smith know the {0}. He has three cars, and she is a 12-year-old {1}.",
)
TEXTS = st.text() | st.lists(
    st.sampled_from(
        ["he", "She", "they", "he or she", "'s", "a", "an", "actress", "isn't", "Mary", "old man",
         "girl", "40", "year", "old", "Black women", "gay men", "is", "are", ".", ",", " ", "“",
         "\n", "-", "'", "not", "boys'"]
    ),
    max_size=12,
).map(" ".join)  # fmt: skip


@st.composite
def _sentences(draw: st.DrawFn, axis: str) -> str:
    """Make a sentence with terms of an axis."""
    terms = draw(st.tuples(st.sampled_from(FORMS[axis]), st.sampled_from(FORMS[axis])))
    text = draw(st.sampled_from(FRAMES)).format(*terms)
    return text[0].upper() + text[1:]


def _assert_accepted(text: str, target: str | None, **options: object) -> None:
    """Assert that the swap's output is accepted, if it changes anything."""
    options |= {} if target is None else {"target": target}
    swap = CounterfactualSwap(columns="text", mode="replace", **options)  # type: ignore[arg-type]
    after = swap({"text": [text]})["text"][0]
    if after == text:
        return  # Many a row with two groups is left as a whole.
    axis, names = options["axis"], options.get("names")
    for everyone in (False, True):
        verdict = verify(text, after, axis, target, everyone=everyone, names=names)  # type: ignore[arg-type]
        assert verdict.accepted, (text, after, verdict.sentence)


@pytest.mark.parametrize("axis", AXES)
@settings(max_examples=25)
@given(st.data())
def test_the_output_of_the_swap_is_accepted(axis: str, data: st.DataObject) -> None:
    """Whatever the lexicon writes is explained, to every target."""
    text = data.draw(_sentences(axis))
    target = data.draw(st.sampled_from((None, *load_lexicon(axis).attributes)))
    names = data.draw(st.sampled_from((None, True, False)))
    _assert_accepted(text, target, axis=axis, names=names)


@settings(max_examples=60)
@given(_sentences("gender"), st.sampled_from(available_pronoun_sets()))
def test_every_set_of_pronouns_is_accepted(text: str, pronouns: str) -> None:
    """Neopronouns are right, and so are the verbs that agree with them."""
    _assert_accepted(text, "non-binary", axis="gender", pronouns=pronouns)


@pytest.mark.parametrize("axis", AXES)
@settings(max_examples=20)
@given(TEXTS, TEXTS)
def test_any_two_texts_have_a_verdict(axis: str, before: str, after: str) -> None:
    """Nothing crashes; places lie within the texts, and a fault has a sentence."""
    verdict = verify(before, after, axis)
    assert verdict.accepted is (verdict.reason is None) is (verdict.sentence == "")
    for text, (start, end) in ((before, verdict.before), (after, verdict.after)):
        assert 0 <= start <= end <= len(text)


@settings(max_examples=50)
@given(TEXTS, st.sampled_from(AXES))
def test_a_text_is_its_own_rewrite_or_unchanged(text: str, axis: str) -> None:
    """Where nobody could be rewritten the text itself is right, else nothing was done."""
    assume(" or " not in text)  # "he or she" is of everybody already
    reason = verify(text, text, axis).reason
    swap = CounterfactualSwap(columns="text", axis=axis, mode="replace")
    is_rewritten = swap({"text": [text]})["text"][0] != text
    assert reason in (None, Fault.UNCHANGED)
    assert reason is Fault.UNCHANGED or not is_rewritten


@settings(max_examples=60)
@given(_sentences("gender"), TEXTS, st.integers(0, 100))
def test_what_is_put_in_is_found(text: str, extra: str, place: int) -> None:
    """No word that the swap did not write passes."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    after = swap({"text": [text]})["text"][0]
    if after == text:
        return  # Many a row with two groups is left as a whole.
    words = after.split(" ")
    words.insert(place % len(words), "lantern")
    assert not verify(text, " ".join(words)).accepted
