"""The technique: what becomes of rows that a model rewrites."""

import json
import pickle
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fair_datasets import CounterfactualSwap, ModelRewrite
from fair_datasets.cards.statements import LEFT
from fair_datasets.rewriters.generation.writing import (
    OTHER_COUNT,
    ModelOutput,
    RewriteRequest,
    Writer,
)
from fair_datasets.system.checks import InputError
from tests.small_models import ask_the_nearest

UNSEEN = ["The nurse said that she left.", "The boy knew that his pilot slept.",
          "The dancer thought that he sang."]  # fmt: skip
# The models of the paper were not taught attributes of religion.
OF_RELIGION = "{word}, {attribute} <PERT_SEP> {text}"


def rewriter(model: str, **options: Any) -> ModelRewrite:
    """Return the technique over one column."""
    return ModelRewrite(**{"columns": "text", "model": model, "mode": "replace", **options})


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch, perturber_folder: str) -> Any:
    """Have the model write given texts; return what makes the technique."""

    def make(*written: ModelOutput | str, **options: Any) -> ModelRewrite:
        found = [ModelOutput((new,)) if isinstance(new, str) else new for new in written]
        monkeypatch.setattr(Writer, "write", lambda self, asks: found)
        return rewriter(perturber_folder, **options)

    return make


def test_unseen_sentences_are_rewritten(perturber_folder: str, toy_sentences: Any) -> None:
    """Every sentence of the toy language that was held back, without a fault."""
    before, after = toy_sentences
    found = rewriter(perturber_folder)({"text": before})
    assert found["text"] == after
    assert set(found["rewrite_status"]) == {"model"}
    assert set(found["rewrite_fault"]) == set(found["rewrite_reason"]) == {None}


def test_rows_that_mention_nobody_never_reach_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not even loaded, nor are rows that only mention others."""
    monkeypatch.setattr("fair_datasets.rewriters.generation.model_technique.load_writer", None)
    technique = rewriter("ada/no-such", source="man", target="woman")
    found = technique({"text": ["It rains.", None, "", "She left."]})
    assert found["text"] == ["It rains.", None, "", "She left."]
    assert found["rewrite_status"] == [None] * 4


@pytest.mark.parametrize("mode", ["augment", "substitute", "replace", "pair"])
def test_rows_are_laid_out_and_traced_as_by_the_swap(perturber_folder: str, mode: str) -> None:
    """Where both write the same, all columns but the technique's own are the same."""
    options: dict[str, Any] = {"columns": "text", "mode": mode, "seed": 3}
    if mode != "pair":
        options["provenance"] = True
    batch = {"text": [*UNSEEN, "It rained."], "label": [1, 0, 1, 0]}
    found = ModelRewrite(model=perturber_folder, **options)(batch)
    expected = CounterfactualSwap(**options)(batch)
    assert {name: found[name] for name in expected} == expected
    assert sorted(found.keys() - expected.keys()) == [
        "rewrite_fault", "rewrite_mended", "rewrite_reason", "rewrite_status",
    ]  # fmt: skip
    if mode == "augment":
        # Of an added row its origin says nothing.
        assert found["rewrite_status"] == [None, "model"] * 3 + [None]


@pytest.mark.parametrize(
    ("fallback", "text"), [("swap", "He did not sing."), ("original", None), ("null", None)]
)
def test_a_rewrite_that_does_not_hold_falls_back(writes: Any, fallback: str, text: Any) -> None:
    """The row says what it fell back to, and why."""
    before = "She did not sing."
    found = writes("He did sing.", fallback=fallback)({"text": [before]})
    assert found["text"] == [{"swap": text, "original": before, "null": None}[fallback]]
    assert found["rewrite_status"] == [fallback]
    assert found["rewrite_fault"] == ["negation"]
    assert "negation is lost or put in: 'not'" in found["rewrite_reason"][0]


def test_the_fallback_is_of_the_person_whom_a_model_of_coreference_tells(
    writes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The swap of all women would change the nun as well."""
    ask_the_nearest(monkeypatch)
    before = "The queen lost her hat. The nun lost her bag."
    found = writes("Nothing.", coreference="ada/who")({"text": [before]})
    assert found["text"] == ["The king lost his hat. The nun lost her bag."]
    assert found["rewrite_status"] == ["swap"]


def test_a_model_whose_every_row_falls_back_is_told(writes: Any) -> None:
    """Once for a batch; of a few rows nobody knows whether it is chance."""
    rows = ["She left.", "He ran.", "She sang.", "He slept."]
    lost = [ModelOutput(None, OTHER_COUNT)] * 5
    assert writes(*lost[1:])({"text": rows})["rewrite_status"] == ["swap"] * 4
    told = "nothing that .* wrote for a batch could be kept, so each row falls back"
    with pytest.warns(UserWarning, match=f"ModelRewrite: {told} .*most often rewrite_fault is"):
        writes(*lost)({"text": [*rows, "She came."]})
    writes("He left.", *lost[1:])({"text": [*rows, "She came."]})


def test_what_is_mended_unasked_is_restored_and_what_was_not_written_falls_back(
    writes: Any,
) -> None:
    """Row by row: spelling and spacing are as in the original, and the fault is the model's."""
    texts = ["She didnt  go, she left.", "He ran."]
    found = writes("He didn't go, he left.", ModelOutput(None, OTHER_COUNT))({"text": texts})
    assert found["text"] == ["He didnt  go, he left.", "She ran."]
    assert found["rewrite_status"] == ["model", "swap"]
    assert found["rewrite_fault"] == [None, OTHER_COUNT]
    assert found["rewrite_mended"][0] > 0


@pytest.mark.parametrize(("before", "written", "options", "status"), [
    # One person is asked for: the first who may be rewritten.
    ("She left, and her brother sang.", "He left, and his sister sang.", {}, "swap"),
    ("She left, and her brother sang.", "He left, and his brother sang.", {}, "model"),
    # A plain model is asked for everybody.
    ("She saw Mary.", "He saw Mary.", {"control": "plain"}, "swap"),
    ("She saw Mary.", "He saw John.", {"control": "plain"}, "model"),
    # Without verification what was written is taken as it is, unrestored.
    ("She sang in 1890.", "HE sang in 1990.", {"verified": False}, "model"),
])  # fmt: skip
def test_who_is_asked_for_and_nobody_else_has_to_change(
    writes: Any, before: str, written: str, options: dict[str, Any], status: str
) -> None:
    """By the control; nothing is verified where nobody wants it."""
    found = writes(written, **options)({"text": [before]})
    assert found["rewrite_status"] == [status]
    assert (found["text"] == [written]) == (status == "model")


def test_the_texts_of_a_row_are_verified_together(writes: Any) -> None:
    """A person who is rewritten in one text and not in the next is rewritten by half."""
    technique = writes(
        ModelOutput(("He left.", "Then she ran.")), columns=("text", "reply"), target="man"
    )
    found = technique({"text": ["She left."], "reply": ["Then she ran."]})
    assert found["rewrite_fault"] == ["broken chain"]


def test_draws_depend_on_the_row_alone(perturber_folder: str) -> None:
    """The seed of a row follows from its key."""
    technique = rewriter(perturber_folder, temperature=1.5, verified=False, fallback="null")
    whole = technique({"text": UNSEEN})["text"]
    assert whole == [technique({"text": [text]})["text"][0] for text in UNSEEN]
    again = rewriter(perturber_folder, temperature=1.5, verified=False, fallback="null", seed=1)
    assert again({"text": UNSEEN})["text"] != whole


def test_the_configuration_names_the_model_its_revision_and_its_files(
    perturber_folder: str,
) -> None:
    """It rebuilds the technique; the model itself is no part of it, nor of a pickle."""
    technique = rewriter(perturber_folder)
    technique({"text": UNSEEN})
    config = json.loads(json.dumps(technique.config()))
    assert config["digests"].keys() >= {f"{perturber_folder}/model.safetensors"}
    assert ModelRewrite.from_config(config, allow=[perturber_folder]) == technique
    assert len(pickle.dumps(technique)) < 5000
    on_hub = rewriter("facebook/perturber", revision="refs/pr/1").config()["parameters"]
    assert (on_hub["model"], on_hub["revision"]) == ("facebook/perturber", "refs/pr/1")
    with pytest.raises(InputError, match="allow"):
        ModelRewrite.from_config(config)


def test_a_folder_that_has_changed_is_refused(perturber_folder: str, tmp_path: Path) -> None:
    """A new technique has to be made, so that no stale result is served."""
    folder = Path(shutil.copytree(perturber_folder, tmp_path / "model"))
    technique = rewriter(str(folder))
    (folder / "generation_config.json").write_text("{}")
    with pytest.raises(InputError, match=r"generation_config.json' has changed since the tech"):
        technique({"text": UNSEEN})
    assert rewriter(str(folder)) != technique


def test_pieces_are_asked_for_the_person_alone(
    perturber_folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a row that is too long, others of the same attribute are not asked for in their pieces."""
    asked: list[RewriteRequest] = []

    def keep(self: Writer, asks: Sequence[RewriteRequest]) -> list[ModelOutput]:
        asked.extend(asks)
        return [ModelOutput(None, OTHER_COUNT) for _ in asks]

    monkeypatch.setattr(Writer, "write", keep)
    technique = ModelRewrite(columns=("a", "b"), model=perturber_folder, mode="replace")
    technique({"a": ["My father left. He slept. My brother sang."], "b": ["His father. My son."]})
    (ask,) = asked
    words = [
        [text[start:end] for start, end in spans]
        for text, spans in zip(ask.texts, ask.spans, strict=True)
    ]
    assert words == [["father", "He"], ["father"]]


def test_a_model_may_rewrite_what_ties_a_row_to_a_group(writes: Any) -> None:
    """The swap may not: where the rewrite does not hold, the row stays, and says why."""
    options = {"axis": "religion", "target": "hindu", "verified": False, "control": OF_RELIGION}
    before, after = "The Pope met a Catholic.", "The guru met a Hindu."
    found = writes(after, **options)({"text": [before]})
    assert (found["text"], found["rewrite_status"]) == ([after], ["model"])
    found = writes(ModelOutput(None, OTHER_COUNT), **options)({"text": [before]})
    assert (found["text"], found["rewrite_status"]) == ([before], ["original"])
    assert found["rewrite_fault"] == [OTHER_COUNT]
    assert found["rewrite_reason"][0].endswith(
        "The swap leaves the row as a whole: another word of the row is tied to the group."
    )


def test_a_model_is_not_asked_to_make_one_group_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it wrote would be what was asked for."""
    monkeypatch.setattr("fair_datasets.rewriters.generation.model_technique.load_writer", None)
    options = {"axis": "religion", "source": "muslim", "target": "christian"}
    technique = rewriter("ada/no-such", control=OF_RELIGION, **options)
    found = technique({"text": ["Muslims met Christians.", "It rains."]})
    assert found["text"] == ["Muslims met Christians.", "It rains."]
    assert found["rewrite_status"] == ["original", None]
    assert found["rewrite_fault"] == [LEFT, None]
    assert found["rewrite_mended"] == [0, None]
    assert "two groups of the row would become one" in found["rewrite_reason"][0]
