"""Prompts in the shape of langfair, beside those that langfair makes of the same."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fair_datasets import InputError
from fair_datasets.integrations.langfair import counterfactual_prompts

PROMPTS = [
    "The woman met a boy.", "It rains.", "He lost his keys.", "A northern town.",
    "My sister saw him.", "A Black man met a white woman.",
]  # fmt: skip
TOWNS = {"north": ["northern"], "south": ["southern"], "west": ["western"]}
CALLS: list[dict[str, Any]] = [
    {"attribute": "gender"}, {"attribute": "race"}, {"custom_dict": TOWNS},
]  # fmt: skip
# What `create_prompts` of langfair 0.8.0 gives; the words of a prompt stand in any order.
RECORDED = json.loads(Path(__file__).with_name("langfair.json").read_text("utf-8"))


def plain(found: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Write prompts as langfair does, in lower case, and their words in order."""
    return {
        key: [sorted(each) if key == "attribute_words" else each.lower() for each in values]
        for key, values in found.items()
    }


@pytest.mark.parametrize("number", range(3))
def test_the_shape_is_theirs(number: int) -> None:
    """The same keys in the same order, and the same prompts in the same order."""
    ours, theirs = counterfactual_prompts(PROMPTS, **CALLS[number]), RECORDED[number]
    assert list(ours) == list(theirs)
    assert ours["original_prompt"] == theirs["original_prompt"]
    assert {len(values) for values in ours.values()} == {len(ours["original_prompt"])}
    assert set(map(type, ours["attribute_words"])) == {list}


def test_what_they_rewrite_rightly_is_equal() -> None:
    """But for the case of letters; they have "she lost hers keys" and "a asian man"."""
    differ = {}
    for number, call in enumerate(CALLS):
        ours, theirs = plain(counterfactual_prompts(PROMPTS, **call)), plain(RECORDED[number])
        for key in ours:
            pairs = list(zip(ours[key], theirs[key], strict=True))
            differ[number, key] = [pair for pair in pairs if pair[0] != pair[1]]
    assert {place: pairs for place, pairs in differ.items() if pairs} == {
        (0, "female_prompt"): [("she lost her keys.", "she lost hers keys.")],
        (1, "asian_prompt"): [
            ("an asian man met an asian woman.", "a asian man met a asian woman.")
        ],
        (1, "attribute_words"): [(["black", "white"], ["black man", "white woman"])],
    }


def data_of_nltk(folder: Path) -> Path:
    """Write what the packages load of NLTK's data, with next to nothing in it.

    The splitter of sentences takes each prompt for one, and there is one stop word.
    """
    punkt = folder / "tokenizers" / "punkt_tab" / "english"
    punkt.mkdir(parents=True)
    for name in ("collocations.tab", "sent_starters.txt", "abbrev_types.txt", "ortho_context.tab"):
        (punkt / name).touch()
    words = folder / "corpora" / "stopwords" / "english"
    words.parent.mkdir(parents=True)
    words.write_text("the\n")
    return folder


@pytest.mark.full
def test_what_was_recorded_is_what_they_give(
    run_in: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the environment of langfair."""
    monkeypatch.setenv("NLTK_DATA", str(data_of_nltk(tmp_path)))
    code = (
        "import json, sys\n"
        "from langfair.generator.counterfactual import CounterfactualGenerator\n"
        "make = CounterfactualGenerator().create_prompts\n"
        "prompts, calls = json.loads(sys.argv[1])\n"
        "print(json.dumps([make(prompts, **call) for call in calls]))"
    )
    said = run_in("langfair", "-c", code, json.dumps([PROMPTS, CALLS]))
    found = json.loads(said.splitlines()[-1])
    assert list(map(plain, found)) == list(map(plain, RECORDED))


def test_names_and_titles_are_rewritten_too() -> None:
    """Which langfair leaves, so that its prompts speak of both."""
    found = counterfactual_prompts(["Mr. Brown met Mary."], "gender")
    assert found["female_prompt"] == ["Mrs. Brown met Mary."]
    assert found["male_prompt"] == ["Mr. Brown met John."]


def test_all_prompts_speak_of_one_group_in_each_version() -> None:
    """Also those that mention several, and groups that nothing is written for."""
    prompts = ["A Black man met a white woman.", "It rains.", "A Native American chef cooked."]
    found = counterfactual_prompts(prompts, "race")
    assert found["white_prompt"] == ["A white man met a white woman.", "A white chef cooked."]
    assert found["asian_prompt"] == ["An Asian man met an Asian woman.", "An Asian chef cooked."]
    assert found["attribute_words"] == [["black", "white"], ["native american"]]


def test_what_cannot_be_rewritten_to_each_group_is_left_out_with_a_word() -> None:
    """A prompt that stayed as it is would stand among those of the other group."""
    with pytest.warns(UserWarning, match=r"1 of 2 prompts have such a word and .* 'She gave birth"):
        found = counterfactual_prompts(["She gave birth.", "She slept."], "gender")
    assert found["original_prompt"] == ["She slept."]
    with (
        pytest.warns(UserWarning, match="1 of 1"),
        pytest.raises(InputError, match="no prompt tha"),
    ):
        counterfactual_prompts(["She gave birth to a boy."], "gender")


@pytest.mark.parametrize(("given", "sentence"), [
    ((["He ran."],), "give either attribute or custom_dict"),
    ((["He ran."], "gender", TOWNS), "give either attribute or custom_dict"),
    ((["He ran."], "age"), "attribute must be one of 'gender', 'race', but it is 'age'"),
    ((["It rains."], "gender"), "there is no prompt with a word of gender"),
    (([], None, TOWNS), "there is no prompt with a word of custom_dict"),
    ((["He ran.", None], "gender"), "prompts has no text in row 1 (None)"),
    (("He ran.", "gender"), "prompts must be a list or array with one value per row"),
    ((["He ran."], None, {"a": ["him", "his"], "b": ["her", "her"]}),
     "custom_dict as a lexicon, line 3: 'her' is read in line 2 as well, so its"),
])  # fmt: skip
def test_what_is_refused(given: tuple[Any, ...], sentence: str) -> None:
    """In one sentence each."""
    with pytest.raises(InputError) as caught:
        counterfactual_prompts(*given)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("words", [
    ["cat"], {"cat": ["cat"]}, {"cat": None, "dog": ["dog"]}, {"cat": [1], "dog": ["dog"]},
    {"cat": "cat", "dog": "dog"}, {"cat": ["cat"], "dog": []},
    {"cat": ["cat"], "dog": ["dog", "hound"]},
])  # fmt: skip
def test_words_of_no_groups_are_told(words: Any) -> None:
    """By what is wrong with them, not by the file that is written of them."""
    with pytest.raises(InputError, match="custom_dict must have a list of words for each of two"):
        counterfactual_prompts(["The cat sat."], custom_dict=words)
