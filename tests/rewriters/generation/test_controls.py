"""What a model is told, and what a tokenizer has to know for it."""

from types import SimpleNamespace
from typing import Any

import pytest

from fair_datasets.lexicons import load_lexicon
from fair_datasets.rewriters.generation.controls import ATTRIBUTES, Control, joined, parted
from fair_datasets.system.checks import InputError


def control(value: Any) -> Control:
    """Read a control."""
    return Control.read(value, owner="ModelRewrite")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("perturber", "his sister, woman <PERT_SEP> He and his sister left. <SEP> Why?"),
        ("perturbers", "his sister<SEP> woman<PERT_SEP> He and his sister left. <SEP> Why?"),
        ("plain", "He and his sister left. <SEP> Why?"),
        ("to {attribute}: {text}", "to woman: He and his sister left. <SEP> Why?"),
    ],
)
def test_each_format_is_written_as_its_models_read_it(name: str, expected: str) -> None:
    """The released model has a comma and a space, the small ones have signs in place of both."""
    texts = ["He and his sister left.", "Why?"]
    assert control(name).written("his sister", "woman", texts) == expected


def test_braces_in_a_text_are_no_fields() -> None:
    """Nor are those in the word."""
    assert control("perturber").written("{he}", "man", ["{text} {0}"]) == (
        "{he}, man <PERT_SEP> {text} {0}"
    )


def test_the_attributes_of_the_paper_are_those_of_our_lexicons() -> None:
    """So that the names of ours are the control words of the released models."""
    ours = {name for axis in ("gender", "race", "age") for name in load_lexicon(axis).attributes}
    assert ours == set(ATTRIBUTES)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("pertuber", "Did you mean 'perturber'?"),
        ("{word}, {attribute}", "a template with the field {text}"),
        ("{text} {colour}", "has the field 'colour'; its fields are 'word', 'attribute', 'text'"),
        ("{text", "a template with the field {text}"),
        ("{text!r}", "a template with the field {text}"),
        ("{text!r} {word}", "a template with the field {text}"),
        ("{text:>9}", "a template with the field {text}"),
        (None, "but it is None"),
    ],
)
def test_what_is_no_control_is_refused(value: Any, sentence: str) -> None:
    """In one sentence that says what there is."""
    with pytest.raises(InputError) as refusal:
        control(value)
    assert sentence in str(refusal.value)


def test_a_word_that_the_released_models_were_not_taught_is_refused() -> None:
    """Others may know it: with a template of their own, any attribute is given on."""
    with pytest.raises(InputError, match="were not taught the attribute 'jewish', only 'man'"):
        control("perturbers").refuse_unknown(["woman", "jewish"])
    control("{attribute}: {text}").refuse_unknown(["jewish"])
    control("plain").refuse_unknown(["jewish"])


@pytest.mark.parametrize(
    ("name", "several", "known", "missing"),
    [
        ("perturber", False, [], "lacks the token '<PERT_SEP>' of the control"),
        ("perturbers", False, ["<PERT_SEP>"], "lacks the token '<SEP>' of the control"),
        ("plain", True, [], "lacks the token '<SEP>' which joins the texts of several columns"),
        ("<to_{attribute}> {text} <end>", False, [], "lacks the token '<end>'"),
        ("perturber", True, ["<PERT_SEP>", "<SEP>"], None),
        ("plain", False, [], None),
    ],
)
def test_a_sign_that_the_tokenizer_lacks_is_refused(
    name: str, several: bool, known: list[str], missing: str | None
) -> None:
    """It would be read as letters, and the model would not know what it is told."""
    tokenizer = SimpleNamespace(get_vocab=lambda: dict.fromkeys(known, 0))
    if missing is None:
        control(name).refuse_tokenizer(tokenizer, "ada/model", several=several)
        return
    with pytest.raises(InputError, match=missing):
        control(name).refuse_tokenizer(tokenizer, "ada/model", several=several)


def test_texts_that_are_joined_are_parted_again() -> None:
    """With their own white space, but for the one space on each side of the sign."""
    texts = ["He left. ", " Why?", "Yes."]
    assert parted(joined(texts)) == texts
