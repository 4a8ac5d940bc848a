"""Texts that are written for each attribute, whichever they speak of."""

from fair_datasets.swap.each_attribute import written_for_each


def test_all_texts_speak_of_one_attribute_in_each_version() -> None:
    """Also those that mention several, and attributes that nothing is written for."""
    texts = ["A Black man met a white woman.", "It rains.", "A Native American chef cooked."]
    found = written_for_each(texts, "race", ["white", "asian"])
    assert found.versions == {
        "white": ["A white man met a white woman.", "A white chef cooked."],
        "asian": ["An Asian man met an Asian woman.", "An Asian chef cooked."],
    }
    assert found.words == {0: ["black", "white"], 2: ["native american"]}


def test_a_text_that_cannot_be_written_for_one_is_in_none() -> None:
    """It is left where another word ties it to its attribute; its words are told all the same."""
    found = written_for_each(["She gave birth to a boy.", "He slept."], "gender", ["man", "woman"])
    assert found.rows == [1]
    assert found.versions == {"man": ["He slept."], "woman": ["She slept."]}
    assert found.words == {0: ["she", "boy"], 1: ["he"]}
