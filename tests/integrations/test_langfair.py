"""Prompts in the shape of langfair, beside those that langfair makes of the same."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
