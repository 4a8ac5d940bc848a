"""Tests of asking a model of coreference whose the pronouns of a row are."""

from pathlib import Path
from typing import Any

import pytest

from fair_datasets import CounterfactualSwap, InputError, verify
from fair_datasets.reader.person import HEAD
from fair_datasets.swap.counts import telling_left
from tests.small_models import ask_the_nearest, save_person_model

DOUBTFUL = "The report by Marusya says that she won."


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
    assert alone == "The report by Marusya says that he won."
    kept = "The report by Marusya says that the queen lost her hat."
    assert rewritten(kept) == "The report by Marusya says that the king lost his hat."


@pytest.mark.usefixtures("_nearest")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DOUBTFUL, "first name is on no list"),
        ("Stanley won his cup, now the Stanley Cup.", "the same word stays in a name"),
    ],
)
def test_a_row_is_left_with_the_reason(text: str, reason: str) -> None:
    """Where a name would stay beside its pronoun, or change at one place only."""
    notes: dict[Any, str] = {}
    with telling_left(notes=notes):
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
    with pytest.raises(InputError, match=r"has changed since the CounterfactualSwap was made"):
        swap({"text": ["Rain."]})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"coreference": "./no-such-folder"}, "there is no folder './no-such-folder'"),
        ({"coreference": "nowhere"}, "CounterfactualSwap: there is no folder 'nowhere'"),
        ({"coreference": 3}, "coreference must be the folder or Hub id of a model"),
        ({"unlisted_names": "keep"}, 'unlisted_names="keep" leaves names alone'),
        ({"names": False}, "names=False leaves names alone"),
        ({"axis": "age"}, "coreference is for an axis with men and women"),
    ],
)
def test_what_would_do_nothing_is_refused(options: dict[str, Any], message: str) -> None:
    """When the technique is made."""
    with pytest.raises(InputError, match=message):
        CounterfactualSwap("text", **{"coreference": "ada/who", **options})


def test_a_model_that_nobody_has_is_refused_before_the_first_row() -> None:
    """Though no row asks it anything."""
    swap = CounterfactualSwap("text", mode="replace", coreference="ada/nowhere")
    with pytest.raises(InputError, match="'ada/nowhere' is neither a folder"):
        swap({"text": ["Rain."]})
    with pytest.raises(InputError, match="'ada/nowhere' is neither a folder"):
        verify("He ran.", "She ran.", coreference="ada/nowhere")


@pytest.mark.usefixtures("_nearest")
@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("The king met the nun. Then he left.", "wrong person"),
        ("The king met the nun. Then she left.", None),
    ],
)
def test_a_rewrite_is_verified_with_the_model(after: str, told: str | None) -> None:
    """Where the clause alone does not decide."""
    before = "The queen met the nun. Then she left."
    assert verify(before, after, word="queen").accepted
    verdict = verify(before, after, word="queen", coreference="ada/who")
    assert (verdict.reason and verdict.reason.value) == told
