"""Masking what a detector finds wrong: which words, in whose text, and what is said of it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset
from scipy.stats import mannwhitneyu
from transformers import AutoTokenizer

from fair_datasets import CounterfactualSwap, InputError, MaskErratic
from fair_datasets.rewriters import ParallelConfig
from fair_datasets.rewriters.error_correction.mask_erratic import Detector, _of_tokens
from fair_datasets.rewriters.error_correction.slots import word_logits, word_spans
from fair_datasets.swap.rewriting.counterfactuals import Edit, apply_edits
from tests.small_models import small_model


def masking(folder: str, **options: Any) -> MaskErratic:
    """Make the technique."""
    return MaskErratic(**{"columns": "text", "model": folder, **options})


def masked_texts(folder: str, texts: list[str], **options: Any) -> list[str]:
    """Return the masked texts."""
    return masking(folder, **options)({"text": texts})["text"]


def unmasked(text: str, spans: list[dict[str, Any]]) -> str:
    """Put the words back where the masks are."""
    shift, edits = 0, []
    for span in spans:
        start = span["start"] + shift
        edits.append(Edit(start, start + 6, "<mask>", span["word"], "", ""))
        shift += 6 - len(span["word"])
    return apply_edits(text, edits)


def test_the_former_name_is_taken_for_one_release() -> None:
    """As an argument, with a warning, and in a configuration that was saved with it."""
    now = MaskErratic(columns="text", model="ada/model", never_mask="terms")
    with pytest.warns(FutureWarning, match="MaskErratic: rename spare to never_mask"):
        assert MaskErratic(columns="text", model="ada/model", spare="terms") == now
    with pytest.warns(FutureWarning, match=r"\[parallel\]: rename spare to never_mask"):
        assert ParallelConfig(attribute="gender", spare="terms").never_mask == "terms"
    saved = now.config()
    saved["parameters"]["spare"] = saved["parameters"].pop("never_mask")
    assert MaskErratic.from_config(saved, allow=["ada/model"]) == now


def test_the_log_says_what_was_masked(repairers: Any, errors: list[Any]) -> None:
    """With the words put back where it says, each text is as it was, letter for letter."""
    texts = [error.text.upper() if k % 2 else error.text for k, error in enumerate(errors)]
    found = masking(repairers.detector, threshold=-2.0)({"text": texts})
    every = masking(repairers.detector, threshold=-1e6)({"text": texts})["erratic_spans"]
    assert sum(map(len, found["erratic_spans"])) > 100
    for spans, words in zip(found["erratic_spans"], every, strict=True):
        assert spans == [word for word in words if word["logit"] > -2]
    for text, new, spans in zip(texts, found["text"], found["erratic_spans"], strict=True):
        assert unmasked(new, spans) == text
        assert new.count("<mask>") == len(spans)
        assert all(span["column"] == "text" for span in spans)


def test_signs_stay_and_neighbours_have_a_mask_each(repairers: Any) -> None:
    """Case, quotes, spaces and signs survive; masks are not joined, and have no sign in them."""
    text = "“The KING’s (old)  boat”, said-he … queen!"
    assert masked_texts(repairers.detector, [text], threshold=-1e6, max_length=512) == [
        "“<mask> <mask>’<mask> (<mask>)  <mask>”, <mask>-<mask> … <mask>!"
    ]


def test_all_pieces_of_a_word_are_masked_together(repairers: Any) -> None:
    """A word of many pieces is one mask; by its head alone fewer are, or as many."""
    text = "the grandfatherliness was late"
    detector = masking(repairers.detector, threshold=-1e6)
    assert detector({"text": [text]})["text"] == ["<mask> <mask> <mask> <mask>"]
    texts = ["the queenking has a lampboats at hemself", "the boysboys are oventwo"]
    by_any, by_head = (
        masking(repairers.detector, trigger=trigger, threshold=-4)({"text": texts})
        for trigger in ("any", "head")
    )
    for many, few in zip(by_any["erratic_spans"], by_head["erratic_spans"], strict=True):
        logits = {(span["start"], span["end"]): span["logit"] for span in many}
        assert {(span["start"], span["end"]) for span in few} <= set(logits)
        assert all(span["logit"] <= logits[span["start"], span["end"]] for span in few)
    heads, wholes = (
        sorted(span["logit"] for spans in found["erratic_spans"] for span in spans)
        for found in (by_head, by_any)
    )
    assert heads != wholes


def test_what_a_swap_put_in_is_spared(repairers: Any) -> None:
    """By the originals beside it, by its edits, or by the words of the axis."""
    rows = {"text": ["The king said that he was late.", "The guests are late."]}
    pair = CounterfactualSwap(columns="text", mode="pair")(rows)
    all_words = {"threshold": -1e6, "never_mask": "inserted"}
    beside = masking(
        repairers.detector, columns="text_counterfactual", originals="text", **all_words
    )(pair)
    expected = ["<mask> queen <mask> <mask> she <mask> <mask>.", "<mask> <mask> <mask> <mask>."]
    assert beside["text_counterfactual"] == expected
    assert beside["text"] == rows["text"]
    traced = CounterfactualSwap(columns="text", mode="replace", provenance=True)(rows)
    assert masking(repairers.detector, **all_words)(traced)["text"] == expected
    terms = masked_texts(
        repairers.detector, ["The king’s guests saw her."], threshold=-1e6, never_mask="terms"
    )
    assert terms == ["<mask> king’<mask> <mask> <mask> her."]


def test_rows_without_words_never_reach_a_model(tmp_path: Any) -> None:
    """Nulls, empty texts and signs; the model need not even be one."""
    (tmp_path / "config.json").write_text("{}")
    found = masking(str(tmp_path))({"text": [None, "", "…!"]})
    assert found == {"text": [None, "", "…!"], "erratic_spans": [None, [], []]}


def test_several_columns_and_features(repairers: Any) -> None:
    """The log names the column, and a dataset has its features."""
    rows = Dataset.from_dict({"a": ["the king are late"], "b": ["the boys"], "n": [1]})
    found = masking(repairers.detector, columns=["a", "b"], threshold=-1e6).apply(rows)
    assert found[0]["b"] == "<mask> <mask>"
    assert [span["column"] for span in found[0]["erratic_spans"]] == ["a"] * 4 + ["b"] * 2
    assert found.features["n"] == rows.features["n"]


def test_a_tokenizer_that_does_not_know_the_words_is_told(repairers: Any) -> None:
    """Of words that it does not know, a model can say nothing."""
    texts = ["король сказал что он опоздал на работу"] * 4
    with pytest.warns(UserWarning, match=r"does not know 28 of 28 words, so the model can"):
        assert masked_texts(repairers.detector, texts) == texts


def detector_of(folder: str, **options: Any) -> Detector:
    """Load a detector."""
    settings = {"revision": None, "max_length": 64, "batch_size": 16}
    return Detector.load(folder, **{**settings, **options})


def logits_of(detector: Detector, texts: list[str]) -> list[list[float | None]]:
    """Return the logits of the tokens of texts."""
    return [[token.logit for token in row] for row in detector.tokens(texts)]


def test_planted_errors_are_found(repairers: Any, errors: list[Any]) -> None:
    """On unseen sentences a wrong word is nearly always above a right one: AUC at least 0.85."""
    tokens = detector_of(repairers.detector).tokens([error.text for error in errors])
    wrong, right = [], []
    for error, row in zip(errors, tokens, strict=True):
        spans = word_spans(error.text)
        for span, logit in zip(spans, word_logits(spans, row), strict=True):
            (wrong if span == error.span else right).append(logit)
    assert len(wrong) == len(errors) > 300
    auc = mannwhitneyu(wrong, right).statistic / (len(wrong) * len(right))
    assert auc >= 0.85


def test_a_token_has_one_logit() -> None:
    """ELECTRA writes one, a classifier one or one for each of two labels."""
    one, two = torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[4.0, 0.0, 1.0]])
    for logits, expected in (
        (one, one), (one[..., None], one), (torch.stack([one, two], dim=-1), two - one),
    ):  # fmt: skip
        assert torch.equal(_of_tokens(logits), expected)


def test_windows_overlap_by_half(
    repairers: Any, errors: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has room for the tokens around a text, and the last ends with it."""
    detector = detector_of(repairers.detector, max_length=12)
    texts = [" ".join(error.text for error in errors[:2]), "", errors[2].text]
    asked: list[list[int]] = []
    monkeypatch.setattr(
        Detector, "_of_windows",
        lambda _, given: asked.extend(given) or [np.arange(len(ids)) for ids in given],
    )  # fmt: skip
    tokens = detector.tokens(texts)
    bare = [detector.loaded.tokenizer(text, add_special_tokens=False).input_ids for text in texts]
    expected = [
        ids[first : first + 10]
        for ids in bare
        for first in range(0, len(ids) or 1, 5)
        if not first or first + 5 < len(ids)
    ]
    assert [ids[1:-1] for ids in asked] == expected
    # The first of a text's tokens are read best where it begins, the next amid a window.
    assert [token.logit for token in tokens[0][:10]] == [1, 2, 3, 4, 5, 6, 7, 8, 4, 5]
    assert [len(row) for row in tokens] == list(map(len, bare))


def test_padding_has_no_influence(repairers: Any, errors: list[Any]) -> None:
    """A text beside a much longer one has the logits that it has alone."""
    short, long = errors[0].text, " ".join(error.text for error in errors[:4])
    detector = detector_of(repairers.detector)
    alone = logits_of(detector, [short])[0]
    beside = logits_of(detector, [long, short])[1]
    assert beside == pytest.approx(alone, abs=1e-4)


def test_tokens_stand_where_the_text_has_them(repairers: Any) -> None:
    """Offsets are those of the text as it is written, though the model reads small letters."""
    text = "  The KING,  said: (he)"
    (row,) = detector_of(repairers.detector).tokens([text])
    pieces = [text[token.start : token.end] for token in row]
    assert "".join(pieces) == "TheKING,said:(he)"
    assert {"The", "KING", ",", "he"} <= set(pieces)


def test_a_text_of_any_length_is_read_whole(repairers: Any, errors: list[Any]) -> None:
    """In windows that overlap: errors are found at the end of a long text as at its start."""
    text = " ".join(error.text for error in errors[:30])
    detector = detector_of(repairers.detector)
    (row,) = detector.tokens([text])
    assert len(row) > 5 * detector.limit
    assert (row[0].start, row[-1].end) == (0, len(text))
    start, wrong, right = 0, [], []
    for error in errors[:30]:
        span = (start + error.span[0], start + error.span[1])
        for token in row:
            if start <= token.start < start + len(error.text):
                is_wrong = span[0] <= token.start < span[1]
                (wrong if is_wrong else right).append(token.logit)
        start += len(error.text) + 1
    auc = mannwhitneyu(wrong, right).statistic / (len(wrong) * len(right))
    assert auc >= 0.85


def test_windows_do_not_change_what_fits(repairers: Any, errors: list[Any]) -> None:
    """The tokens far from both borders of a window are read with all that matters to them."""
    texts = [error.text for error in errors[:3]]
    whole = logits_of(detector_of(repairers.detector), texts)
    limited = detector_of(repairers.detector, max_length=48)
    assert logits_of(limited, texts) == [pytest.approx(row, abs=1e-4) for row in whole]
    beyond = detector_of(repairers.detector, max_length=10_000)
    assert beyond.limit == beyond.loaded.limit
    narrow = logits_of(detector_of(repairers.detector, max_length=4), texts)
    assert [len(row) for row in narrow] == [len(row) for row in whole]


def test_a_batch_that_does_not_fit_into_memory_is_halved(
    repairers: Any, errors: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said of the texts is the same; one that does not fit alone is told."""
    texts, detector = [error.text for error in errors[:7]], detector_of(repairers.detector)
    whole, sizes = logits_of(detector, texts), []
    forward, room = detector.loaded.model.forward, [2]

    def little(*args: Any, **options: Any) -> Any:
        sizes.append(len(options["input_ids"]))
        if sizes[-1] > room[0]:
            raise torch.cuda.OutOfMemoryError
        return forward(*args, **options)

    monkeypatch.setattr(detector.loaded.model, "forward", little)
    assert logits_of(detector, texts) == [pytest.approx(row, abs=1e-4) for row in whole]
    assert sizes == [7, 3, 1, 2, 4, 2, 2]
    room[0] = 0
    with pytest.raises(InputError, match="Detector: the GPU has no memory for a text, even al"):
        detector.tokens(texts[:2])


def test_special_and_unknown_tokens_say_nothing(repairers: Any) -> None:
    """A sign of the tokenizer's own in the text, and a letter that it does not know."""
    (row,) = detector_of(repairers.detector).tokens(["the [SEP] king Ж was late"])
    text = "the [SEP] king Ж was late"
    silent = [text[token.start : token.end] for token in row if token.logit is None]
    assert silent == ["[SEP]", "Ж"]
    assert detector_of(repairers.detector).tokens(["", "  "]) == [[], []]


@pytest.mark.parametrize("labels", [1, 2])
def test_token_classifiers_are_detectors(labels: int, repairers: Any, tmp_path: Path) -> None:
    """Of two labels the difference counts: above 0 where the second is the likelier."""
    tokenizer = AutoTokenizer.from_pretrained(repairers.detector)
    model = small_model(
        "BertForTokenClassification", len(tokenizer), num_labels=labels, initializer_range=1.0
    )
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    given = tokenizer("the king was late", return_tensors="pt")
    with torch.inference_mode():
        raw = model(**given).logits[0, 1:-1].double().numpy()
    expected = raw[:, 0] if labels == 1 else raw[:, 1] - raw[:, 0]
    (found,) = logits_of(detector_of(str(tmp_path)), ["the king was late"])
    np.testing.assert_allclose(np.array(found, dtype=float), expected, atol=1e-5)


def test_other_models_are_refused(repairers: Any, tmp_path: Path) -> None:
    """What has more labels, no head for tokens, or no room beside the tokens that are added."""
    tokenizer = AutoTokenizer.from_pretrained(repairers.detector)
    model = small_model("BertForTokenClassification", len(tokenizer), num_labels=3)
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(InputError, match=r"3 labels for a token, but a detector has one or two,"):
        detector_of(str(tmp_path))
    with pytest.raises(InputError, match=r"'classifier\.weight', which a detector model"):
        detector_of(repairers.masked)
    with pytest.raises(InputError, match="cannot be loaded as a detector model: Bart is none"):
        detector_of(repairers.writer)
    with pytest.raises(InputError, match="max_length is 2, which leaves no room for a word"):
        detector_of(repairers.detector, max_length=2)
    with pytest.raises(InputError, match="revision 'v1' is for a model of the Hub"):
        detector_of(repairers.detector, revision="v1")
