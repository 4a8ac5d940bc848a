"""Several axes at once, other axes than gender, names by race, and protected names."""

import json
from collections import Counter
from pathlib import Path

import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.lexicons import available_lexicons
from fair_datasets.testing import check_another_process, check_technique, from_disk

TEXT = "The white woman, 40 years old, thanked her elderly neighbour, a Muslim."
TEXTS = [TEXT, "Rain.", None, "Two Asians and a gay French teenager.", ""]


def _swap(**options: object) -> CounterfactualSwap:
    return CounterfactualSwap(columns="text", **options)  # type: ignore[arg-type]


def _swapped(text: str, **options: object) -> str:
    return str(_swap(mode="replace", **options)({"text": [text]})["text"][0])


def test_several_axes_have_a_counterfactual_each() -> None:
    """One at a time, each axis changes its own words alone."""
    swap = _swap(axis=("gender", "race"), target=("man", "black"), family=False)
    assert swap({"text": [TEXT, "Rain."], "label": [1, 0]}) == {
        "text": [
            TEXT, TEXT.replace("woman", "man").replace("her", "his"),
            TEXT.replace("white", "Black"), "Rain.",
        ],
        "label": [1, 1, 1, 0],
    }  # fmt: skip


def test_one_axis_is_drawn_per_row() -> None:
    """Replace and substitute take one of the axes that change a row, by the row."""
    swap = _swap(axis=("gender", "race"), target=("man", "black"), mode="replace")
    texts = [f"{number} white women" for number in range(400)]
    result = swap({"text": texts})["text"]
    words = Counter(text.split(" ", 1)[1] for text in result)
    assert words.keys() == {"white men", "Black women"}
    assert abs(words["white men"] - 200) < 60
    alone = [swap({"text": [text]})["text"][0] for text in texts[:50]]
    assert alone == result[:50]


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("axis", sorted(set(available_lexicons()) - {"gender"}))
def test_every_axis_keeps_the_contract(axis: str) -> None:
    """Each shipped axis is a technique like any other, drawn targets included."""
    check_technique(_swap(axis=axis, names=True, provenance=True), {"text": TEXTS})


@pytest.mark.slow
def test_another_process_reads_every_axis_alike(tmp_path: Path) -> None:
    """With another hash seed."""
    Dataset.from_dict({"text": TEXTS}).save_to_disk(str(tmp_path))
    rows = from_disk(str(tmp_path))[:]
    swaps = [_swap(axis=axis, names=True, provenance=True) for axis in available_lexicons()]
    swaps += [_swap(axis=("gender", "race", "age"), joint=joint) for joint in (True, False)]
    check_another_process(*((swap, str(tmp_path), swap(rows)) for swap in swaps))


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
def test_several_axes_keep_the_contract() -> None:
    """So are several of them, jointly and one at a time."""
    batch = {"text": [TEXT, "Rain.", None, "He or she is 30 years old."], "id": [1, 2, 3, 4]}
    for joint, mode in ((True, "augment"), (False, "substitute"), (True, "replace")):
        swap = _swap(
            axis=("gender", "race", "age"), joint=joint, mode=mode, protect=["Jo Li", "A B"]
        )
        check_technique(swap, batch)
        assert CounterfactualSwap.from_config(json.loads(json.dumps(swap.config()))) == swap


@pytest.mark.parametrize("others", ["race", "religion"])
@pytest.mark.parametrize("name", ["Matthew", "Emily", "Tyrone"])
def test_a_name_goes_with_its_pronoun_whichever_axis_is_named_first(name: str, others: str) -> None:
    """Else a name that two axes list stayed, and its pronoun moved."""
    text = f"{name} lost {'her' if name == 'Emily' else 'his'} keys."
    swaps = [
        CounterfactualSwap("text", axis=axes, joint=True, names=True, mode="replace")
        for axes in ((others, "gender"), ("gender", others))
    ]
    one, other = (swap({"text": [text]})["text"] for swap in swaps)
    assert one == other
    assert name not in one[0]


def test_an_own_axis_reads_words_for_people(tmp_path: Path) -> None:
    """A user's own file can mark words that are read only where they describe people."""
    path = tmp_path / "place.tsv"
    path.write_text(
        "urban\trural\tkind\tinflection\nurban[person]\trural[person]\torigin\tadjective\n",
        encoding="utf-8",
    )
    text = "Urban voters like urban roads."
    assert _swapped(text, axis=str(path)) == "Rural voters like urban roads."
    both = _swapped("Urban women", axis=(str(path), "gender"), joint=True)
    assert both == "Rural men"


@pytest.mark.parametrize("axes", [("gender", "race"), ("race", "gender")])
def test_names_are_read_on_their_own_axis(axes: tuple[str, str]) -> None:
    """First names of men and women are no words of race, in whatever order the axes stand."""
    swap = CounterfactualSwap(columns="text", axis=axes, joint=True, mode="replace")
    assert "john" not in swap.table("race").words
    assert swap({"text": ["John met Mary."]})["text"] == ["Mary met John."]
