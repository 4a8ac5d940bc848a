"""Filling masks: repaired errors, nothing else changed, and what could not be filled told."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from fair_datasets import Infill, InputError
from fair_datasets.rewriters.error_correction.infill import _status
from fair_datasets.rewriters.error_correction.infillers import ROOM
from tests.small_models import small_model


def infill(folder: str, **options: Any) -> Infill:
    """Make the technique."""
    return Infill(**{"columns": "text", "model": folder, "max_length": 64, **options})


def hidden(errors: list[Any], mask: str = "<mask>") -> dict[str, list[Any]]:
    """Mask the wrong word of each sentence, as `MaskErratic` does."""
    texts, spans = [], []
    for error in errors:
        start, end = error.span
        texts.append(error.text[:start] + mask + error.text[end:])
        spans.append(
            [{"column": "text", "start": start, "end": end, "word": error.word, "logit": 1.0}]
        )
    return {"text": texts, "erratic_spans": spans}


@pytest.mark.parametrize("kind", ["writer", "masked"])
def test_half_of_the_errors_are_repaired_and_nothing_else_changes(
    kind: str, repairers: Any, errors: list[Any]
) -> None:
    """On unseen sentences; outside of the masks each is what it was, letter for letter."""
    found = infill(getattr(repairers, kind))(hidden(errors))
    repaired = sum(new == error.repaired for new, error in zip(found["text"], errors, strict=True))
    assert repaired / len(errors) >= 0.5
    for new, error, (slot,) in zip(found["text"], errors, found["infill_fills"], strict=True):
        assert new[slot["start"] : slot["end"]] == slot["after"]
        before, after = error.text[: error.span[0]], error.text[error.span[1] :]
        if slot["after"]:
            assert new == before + slot["after"] + after
        else:
            assert new.split() == (before + after).split()
        assert slot["before"] == error.word


@given(st.lists(st.none() | st.text()))
def test_texts_without_masks_never_reach_a_model(texts: list[str | None]) -> None:
    """They are the same objects; nothing is loaded, as the model is on no disk."""
    given_texts = [text and text.replace("<mask>", "") for text in texts]
    found = Infill(columns="text", model="ada/none")({"text": given_texts})
    assert all(one is other for one, other in zip(found["text"], given_texts, strict=True))
    assert found["infill_status"] == [None] * len(texts)
    assert found["infill_fills"] == [[] for _ in texts]


def test_the_mask_is_the_models_own_whatever_stands_in_the_text(
    repairers: Any, errors: list[Any]
) -> None:
    """A text with another mask is filled alike."""
    expected = infill(repairers.masked)(hidden(errors[:20]))["text"]
    found = infill(repairers.masked, mask="[gap]")(hidden(errors[:20], "[gap]"))
    assert found["text"] == expected
    assert AutoTokenizer.from_pretrained(repairers.masked).mask_token == "[MASK]"


def test_without_a_log_all_masks_are_filled(repairers: Any, errors: list[Any]) -> None:
    """As of a user's own; and a run of masks is one slot."""
    batch = hidden(errors[:20])
    expected, technique = infill(repairers.writer)(batch), infill(repairers.writer)
    found = technique({"text": batch["text"]})
    assert {slot["before"] for (slot,) in found["infill_fills"]} == {None}
    assert "filled" in found["infill_status"]
    for new, text, status in zip(
        found["text"], expected["text"], found["infill_status"], strict=True
    ):
        assert (new == text) if status == "filled" else (status == "left" and "<mask>" in new)
    run = technique({"text": [batch["text"][0].replace("<mask>", "<mask> <mask>")]})
    (slot,) = run["infill_fills"][0]
    assert run["text"][0][slot["start"] : slot["end"]] == slot["after"]
    assert "<mask>" not in run["text"][0]


def test_a_batch_that_does_not_fit_into_memory_is_halved(
    repairers: Any, errors: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A masked model writes the same."""
    technique, batch = infill(repairers.masked), hidden(errors[:8])
    whole = technique(batch)
    model = technique._infiller().loaded.model
    forward = model.forward

    def little(*args: Any, **options: Any) -> Any:
        if len(options["input_ids"]) > 3:
            raise torch.cuda.OutOfMemoryError
        return forward(*args, **options)

    monkeypatch.setattr(model, "forward", little)
    assert technique(batch) == whole


def test_a_fill_of_too_many_words_is_none(
    repairers: Any, errors: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that goes on writing where one word was masked; two masks have twice the room."""
    text = "The guests saw him sing."
    spans = [{"column": "text", "start": 11, "end": 14, "word": "saw", "logit": 1.0}]
    batch = {"text": ["The guests <mask> him sing."], "erratic_spans": [spans]}
    long = "The guests had come to see him sing."
    monkeypatch.setattr(PreTrainedTokenizerFast, "decode", lambda *_, **__: long)
    found = infill(repairers.writer, words=3)(batch)
    assert (found["text"], found["infill_status"]) == ([text], ["kept"])
    assert found["infill_fills"][0][0]["fault"] == "too many words"
    assert infill(repairers.writer, words=4)(batch)["text"] == [long]
    run = {"text": ["The guests <mask> <mask> him sing."]}
    assert infill(repairers.writer, words=2)(run)["text"] == [long]
    assert infill(repairers.writer, words=1, strict=False)(batch)["text"] == [long]


def random_writer(folder: Path, repairers: Any) -> str:
    """Save a model that never ends."""
    tokenizer = AutoTokenizer.from_pretrained(repairers.writer)
    sizes = {"max_position_embeddings": 64, "init_std": 0.5}
    small_model("BartForConditionalGeneration", len(tokenizer), **sizes).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def test_what_cannot_be_filled_gets_its_words_back(
    repairers: Any, errors: list[Any], tmp_path: Path
) -> None:
    """And it is told; a mask of which nobody knows what it hid is left, and that is told."""
    technique = infill(random_writer(tmp_path, repairers))
    found = technique(hidden(errors[:4]))
    assert found["text"] == [error.text for error in errors[:4]]
    assert found["infill_status"] == ["kept"] * 4
    assert all(slot["fault"] and slot["after"] == slot["before"]
               for (slot,) in found["infill_fills"])  # fmt: skip
    left = technique({"text": ["The <mask> ran."]})
    assert (left["text"], left["infill_status"]) == (["The <mask> ran."], ["left"])
    assert left["infill_fills"][0][0]["after"] is None


def test_signs_of_the_models_own_are_not_misread(repairers: Any) -> None:
    """A text that has one, or a mask that was there before, is left as it was."""
    spans = [[{"column": "text", "start": 0, "end": 2, "word": "He", "logit": 1.0}]]
    for sign in ("</s>", "<mask>"):
        found = infill(repairers.writer)(
            {"text": [f"<mask> wrote {sign} here."], "erratic_spans": spans}
        )
        assert found["text"] == [f"He wrote {sign} here."]
        assert found["infill_fills"][0][0]["fault"] == "sign in the text"


def test_long_texts_are_filled_sentence_by_sentence(repairers: Any, errors: list[Any]) -> None:
    """Nothing is cut; a sentence that is too long alone gets its words back."""
    batch = hidden(errors[:12])
    parts = infill(repairers.writer)(batch)["text"]
    spans, start = [], 0
    for error, (span,) in zip(errors[:12], batch["erratic_spans"], strict=True):
        spans.append({**span, "start": start + span["start"], "end": start + span["end"]})
        start += len(error.text) + 1
    whole = {"text": [" ".join(batch["text"])], "erratic_spans": [spans]}
    tokenizer = AutoTokenizer.from_pretrained(repairers.writer)
    longest = max(map(len, tokenizer(batch["text"])["input_ids"])) + ROOM
    assert infill(repairers.writer, max_length=longest)(whole)["text"] == [" ".join(parts)]
    short = infill(repairers.writer, max_length=ROOM + 6)(whole)
    assert short["text"] == [" ".join(error.text for error in errors[:12])]
    assert short["infill_fills"][0][0]["fault"] == "sentence too long"


def test_what_the_model_wrote_elsewhere_can_be_taken(repairers: Any, errors: list[Any]) -> None:
    """Without `strict`, its text is taken as it is, here with the spaces that it writes."""
    text = hidden(errors[:1])["text"][0].replace(" ", "  ")
    strict, loose = (
        infill(repairers.writer, strict=value)({"text": [text]}) for value in (True, False)
    )
    assert strict["text"][0].count("  ") == text.count("  ")
    assert "  " not in loose["text"][0]
    assert "<mask>" not in loose["text"][0]
    assert loose["infill_status"] == ["filled"]


def test_a_model_without_a_mask_is_refused(repairers: Any, tmp_path: Path) -> None:
    """It cannot be asked what stands in a gap."""
    folder = tmp_path / "model"
    shutil.copytree(repairers.writer, folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.mask_token = None
    tokenizer.save_pretrained(folder)
    with pytest.raises(InputError, match=r"^Infill: the tokenizer of '.*' has no mask token, so "):
        infill(str(folder))({"text": ["a <mask>"]})


def test_models_and_settings_of_the_other_kind_are_refused(repairers: Any) -> None:
    """A detector fills nothing, and a model's kind may be known only when it is read."""
    for model, options, told in (
        ("detector", {}, "lack 'generator_lm_head|lack 'generator_predictions"),
        ("masked", {"kind": "seq2seq"}, "cannot be loaded as an encoder-decoder model"),
        ("masked", {"beams": 2}, "beams is for encoder-decoders"),
        ("writer", {"tokens": 2}, "tokens is for masked language models"),
    ):
        with pytest.raises(InputError, match=told):
            infill(getattr(repairers, model), **options)({"text": ["a <mask>"]})


def test_spans_of_another_text_are_refused(repairers: Any) -> None:
    """Where a mask stands elsewhere."""
    spans = [{"column": "text", "start": 2, "end": 4, "word": "is", "logit": 1.0}]
    with pytest.raises(InputError, match=r"does not belong to the text of row 0 .*'is'"):
        infill(repairers.writer)({"text": ["He <mask> late."], "erratic_spans": [spans]})


def spans_of(column: str) -> list[dict[str, Any]]:
    """Return what masking says of the second word of "He are late."."""
    return [{"column": column, "start": 3, "end": 6, "word": "are", "logit": 1.0}]


def test_spans_of_texts_that_are_left_for_another_time_are_let_be() -> None:
    """No mask is in what is read."""
    batch = {"text": ["It rains."], "v": ["He <mask> late."], "erratic_spans": [spans_of("v")]}
    assert infill("ada/none")(batch)["infill_status"] == [None]


def test_masks_of_which_spans_do_not_tell_are_left_and_told(repairers: Any) -> None:
    """In another column, in a row without spans, and beside a mask that is told of."""
    batch = {
        "text": ["He <mask> late.", "It rains.", "He <mask> late.", "The <mask> is late."],
        "v": ["A bag.", "A <mask>.", "A <mask>.", None],
        "erratic_spans": [spans_of("text"), [], spans_of("text"), None],
    }
    found = infill(repairers.masked, columns=("text", "v"))(batch)
    assert found["infill_status"][0] in ("filled", "kept")
    assert found["infill_status"][1:] == ["left", "left", "left"]
    assert found["v"] == batch["v"]
    assert found["text"][3] == batch["text"][3]
    assert found["infill_fills"][1] == [
        {"column": "v", "start": 2, "end": 8, "before": None, "after": None,
         "fault": "sign in the text"}
    ]  # fmt: skip
    both = {"text": ["He <mask> late, <mask>."], "erratic_spans": [spans_of("text")]}
    mixed = infill(repairers.masked)(both)
    assert (mixed["text"], mixed["infill_status"]) == (["He are late, <mask>."], ["left"])


@pytest.mark.parametrize(("slots", "status"), [
    ([], None), ([("new", None, 0)], "filled"),
    ([("new", None, 0), ("new", None, 9)], "filled"),
    ([("old", "a fault", 0), ("old", "a fault", 9)], "kept"),
    ([("new", None, 0), ("old", "a fault", 9)], "partly"),
    ([("new", None, 0), (None, "a fault", 9)], "left"),
    ([("new", None, None), (None, None, None)], "filled"),
])  # fmt: skip
def test_a_word_says_what_became_of_the_masks(
    slots: list[tuple[str | None, str | None, int | None]], status: str | None
) -> None:
    """Filled, left as they were, or with what they hid in their place."""
    log = [{"after": after, "fault": fault, "start": start} for after, fault, start in slots]
    assert _status(log) == status
