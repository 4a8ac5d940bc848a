"""The counterfactual swap."""

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fair_datasets import CounterfactualSwap, InputError, verify
from fair_datasets.reader.coreference import HEAD
from fair_datasets.swap.rewriting import Rows
from fair_datasets.swap.rewriting.skipped import collect_skip_reasons
from tests.small_models import ask_the_nearest, save_person_model

# What of an axis and a target a text becomes. One that stays has an empty cell, and the reason:
# one of all, or behind "=" the only one.
GOLDEN = Path(__file__).parents[1] / "golden" / "swaps.tsv"
with GOLDEN.open(encoding="utf-8") as file:
    CASES = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def _golden_swap(options: str) -> CounterfactualSwap:
    return CounterfactualSwap(columns="text", mode="replace", **json.loads(options or "{}"))


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_golden_sentences(case: dict[str, str]) -> None:
    """Each reviewed sentence becomes its reviewed counterfactual, or stays for a reason."""
    swap, text = _golden_swap(case["options"]), case["text"]
    assert swap({"text": [text]})["text"] == [case["swapped"] or text]
    if case["reason"] or case["told"]:
        (row,) = swap.read(Rows([(text,)], [None]))
        assert row.counterfactual is None
        left = [each for reading in row.readings if reading for each in reading.skipped]
        rules, reason = {each.rule.split()[0] for each in left if each.rule}, case["reason"]
        assert not reason or f"rows.{reason.lstrip('=').lower()}" in rules
        assert reason[:1] != "=" or len({each.reason for each in left}) == 1
        assert case["told"] in ("", *(each.explanation for each in left))


# What an earlier reader read rightly and this one does not. A sentence that holds again moves to
# the golden ones.
MISREAD = (
    ("gender", "", "The count of the votes amused Count Almaviva.",
     "The count of the votes amused Countess Almaviva."),
    ("gender", "", "Messrs. Poe and Lee left.", "Mesdames Poe and Lee left."),
    ("nationality", "german", "Poles and Danes met.", "Poles and Danes met."),
    ("gender", "", "She wore Spider-Woman shoes.", "He wore Spider-Woman shoes."),
    ("race", "asian", "The white people saw white horses.", "The Asian people saw white horses."),
    ("gender", "", "We saw the mummy of a pharaoh.", "We saw the mummy of a pharaoh."),
    ("gender", "", "Camila birth control helped.", "Camila birth control helped."),
)  # fmt: skip


@pytest.mark.xfail(reason="the reader takes a word for another")
@pytest.mark.parametrize(("axis", "target", "text", "right"), MISREAD)
def test_misread_sentences(axis: str, target: str, text: str, right: str) -> None:
    """Each fails until the reader has learned it."""
    swap = CounterfactualSwap("text", axis=axis, mode="replace", target=target or None)
    assert swap({"text": [text]})["text"] == [right]


def test_augment_puts_each_counterfactual_behind_its_origin() -> None:
    """CDA keeps every row, adds the changed ones' counterfactuals, and copies their labels."""
    swap = CounterfactualSwap(columns="text", family=False)
    batch = {"text": ["He ran.", None, "", "Rain.", "She ran."], "label": [1, 2, 3, 4, 5]}
    assert swap(batch) == {
        "text": ["He ran.", "She ran.", None, "", "Rain.", "She ran.", "He ran."],
        "label": [1, 1, 2, 3, 4, 5, 5],
    }


def test_the_coin_depends_on_seed_and_id_alone() -> None:
    """Another seed tosses other coins; with an id column the text does not matter."""
    texts = [f"He has {number} reasons." for number in range(200)]
    other = [f"His number is {number}." for number in range(200)]

    def coins(rows: list[str], **options: Any) -> list[bool]:
        swap = CounterfactualSwap(columns="text", mode="substitute", **options)
        result = swap({"text": rows, "id": list(range(200))})["text"]
        return [old != new for old, new in zip(rows, result, strict=True)]

    assert coins(texts) == coins(texts)
    assert coins(texts) != coins(texts, seed=1)
    assert coins(texts) != coins(other)
    assert coins(texts, id_column="id") == coins(other, id_column="id")


def test_columns_of_one_row_are_rewritten_together() -> None:
    """One coin for all columns, and a name that one column makes sure counts in the other."""
    swap = CounterfactualSwap(columns=("premise", "hypothesis"), mode="replace")
    batch = {"premise": ["Mark Smith ran."], "hypothesis": ["Mark was late to his party."]}
    assert swap(batch) == {
        "premise": ["Victoria Smith ran."],
        "hypothesis": ["Victoria was late to her party."],
    }


def test_provenance_traces_every_change() -> None:
    """The added columns say which row is a counterfactual, of what, and by which edits."""
    swap = CounterfactualSwap(columns="text", provenance=True, id_column="id")
    result = swap({"id": ["a", "b"], "text": ["He ran.", "Rain."]})
    edit = {"column": "text", "start": 0, "end": 2, "before": "He", "after": "She",
            "axis": "gender", "attribute": "woman", "after_start": 0, "after_end": 3}  # fmt: skip
    assert result["counterfactual"] == [False, True, False]
    assert result["family_id"] == ["a", "a", "b"]
    assert result["edits"] == [[], [edit], []]


def test_the_rate_is_half_unless_it_is_given() -> None:
    """Of `substitute` alone: another mode states none. One axis may stand in a tuple."""
    assert CounterfactualSwap("text", axis=("gender",)) == CounterfactualSwap("text")
    half = CounterfactualSwap(columns="text", mode="substitute")
    assert half.rate == 0.5
    assert half == CounterfactualSwap(columns="text", mode="substitute", rate=0.5)
    assert CounterfactualSwap(columns="text").config()["parameters"]["rate"] is None


def test_numpy_parameters_become_plain() -> None:
    """Numbers and bools of numpy make the same technique as Python's own."""
    plain = {"names": False, "rate": 0.25, "seed": 3, "provenance": True}
    kinds = (np.bool_, np.float32, np.int64, np.bool_)
    own = {name: kind(value) for kind, (name, value) in zip(kinds, plain.items(), strict=True)}
    one, other = (CounterfactualSwap("text", mode="substitute", **each) for each in (own, plain))
    assert (repr(one), one.config()) == (repr(other), other.config())


def test_rows_without_an_id_are_keyed_by_their_texts() -> None:
    """Rows whose id is a null toss their own coins."""
    texts = [f"He has {number} reasons." for number in range(200)]
    swap = CounterfactualSwap(columns="text", mode="substitute", id_column="id", provenance=True)
    by_text = CounterfactualSwap(columns="text", mode="substitute", provenance=True)
    result = swap({"text": texts, "id": [None] * 200})
    expected = by_text({"text": texts})
    assert result["text"] == expected["text"]
    assert result["family_id"] == expected["family_id"]


DOUBTFUL = "The queen met Nyambura and said that she won."


@pytest.fixture
def _nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simple model."""
    ask_the_nearest(monkeypatch)


def rewritten(text: str, **options: Any) -> str:
    """Rewrite one text with the model."""
    swap = CounterfactualSwap("text", mode="replace", coreference="ada/who", **options)
    return str(swap({"text": [text]})["text"][0])


@pytest.mark.usefixtures("_nearest")
def test_a_row_is_left_whose_pronoun_may_be_of_a_name_that_stays() -> None:
    """It is rewritten where the pronoun is somebody else's."""
    alone = CounterfactualSwap("text", mode="replace")({"text": [DOUBTFUL]})["text"][0]
    assert alone == "The king met Nyambura and said that he won."
    kept = "Nyambura met the queen and said that she won."
    assert rewritten(kept) == "Nyambura met the king and said that he won."


@pytest.mark.usefixtures("_nearest")
@pytest.mark.parametrize(("text", "reason"), [
    (DOUBTFUL, "may be about somebody whose name stays"),
    ("Stanley won his cup, now the Stanley Cup.", "the same word stays elsewhere in the row"),
])  # fmt: skip
def test_a_row_is_left_with_the_reason(text: str, reason: str) -> None:
    """Where a name would stay beside its pronoun, or change at one place only."""
    notes: dict[Any, str] = {}
    with collect_skip_reasons(notes=notes):
        assert rewritten(text) == text
    assert reason in next(iter(notes.values()))


def test_the_model_is_a_part_of_the_configuration(tmp_path: Path) -> None:
    """And it is read as it was when the technique was made, before the first row."""
    folder = save_person_model(tmp_path / "who", DOUBTFUL.split())
    swap = CounterfactualSwap("text", mode="replace", coreference=folder)
    assert swap.config()["parameters"]["coreference"] == folder
    assert any(name.endswith(HEAD) for name in swap.config()["digests"])
    swap({"text": [DOUBTFUL]})
    Path(folder, HEAD).write_bytes(b"")
    with pytest.raises(InputError, match=r"has changed since the technique was made"):
        swap({"text": ["Rain."]})


def test_a_model_that_nobody_has_is_refused_before_the_first_row() -> None:
    """Though no row asks it anything."""
    swap = CounterfactualSwap("text", mode="replace", coreference="ada/nowhere")
    with pytest.raises(InputError, match="'ada/nowhere' is neither a folder"):
        swap({"text": ["Rain."]})
    with pytest.raises(InputError, match="'ada/nowhere' is neither a folder"):
        verify("He ran.", "She ran.", coreference="ada/nowhere")


@pytest.mark.usefixtures("_nearest")
@pytest.mark.parametrize(("after", "told"), [
    ("The king met the nun. Then he left.", "wrong person"),
    ("The king met the nun. Then she left.", None),
])  # fmt: skip
def test_a_rewrite_is_verified_with_the_model(after: str, told: str | None) -> None:
    """Where the clause alone does not decide."""
    before = "The queen met the nun. Then she left."
    assert verify(before, after, word="queen").accepted
    verdict = verify(before, after, word="queen", coreference="ada/who")
    assert (verdict.reason and verdict.reason.value) == told
