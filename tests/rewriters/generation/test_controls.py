"""What a model is told, and what a tokenizer has to know for it."""

from fair_datasets.lexicons import load_lexicon
from fair_datasets.rewriters.generation.controls import ATTRIBUTES, Control, joined, parted


def test_each_format_is_written_as_its_models_read_it() -> None:
    """The released model has a comma and a space, the small ones have signs in place of both."""
    for name, expected in {
        "perturber": "his {sister}, woman <PERT_SEP> He and {0} {text}. <SEP> Why?",
        "perturbers": "his {sister}<SEP> woman<PERT_SEP> He and {0} {text}. <SEP> Why?",
        "plain": "He and {0} {text}. <SEP> Why?",
        "to {attribute}: {text}": "to woman: He and {0} {text}. <SEP> Why?",
    }.items():
        control = Control.read(name)
        # Braces in a text or a word are no fields.
        found = control.written("his {sister}", "woman", ["He and {0} {text}.", "Why?"])
        assert found == expected


def test_the_attributes_of_the_paper_are_those_of_our_lexicons() -> None:
    """So that the names of ours are the control words of the released models."""
    ours = {name for axis in ("gender", "race", "age") for name in load_lexicon(axis).attributes}
    assert ours == set(ATTRIBUTES)


def test_texts_that_are_joined_are_parted_again() -> None:
    """With their own white space, but for the one space on each side of the sign."""
    texts = ["He left. ", " Why?", "Yes."]
    assert parted(joined(texts)) == texts
