"""Masking what a detector finds wrong: which words, in whose text, and what is said of it."""

import shutil
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap, InputError, MaskErratic
from fair_datasets.rewriters.error_correction.hidden import word_spans
from fair_datasets.swap.rewriting.counterfactuals import Edit, apply_edits


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


def test_errors_are_masked_and_little_else(repairers: Any, errors: list[Any]) -> None:
    """Most planted errors are masked, and one right word in twenty at most."""
    found = masking(repairers.detector, threshold=-1)({"text": [error.text for error in errors]})
    hits = [
        error.span in {(span["start"], span["end"]) for span in spans}
        for error, spans in zip(errors, found["erratic_spans"], strict=True)
    ]
    words = sum(len(word_spans(error.text)) for error in errors)
    extra = sum(map(len, found["erratic_spans"])) - sum(hits)
    assert sum(hits) / len(hits) >= 0.5
    assert extra / words <= 0.05


def test_the_log_says_what_was_masked(repairers: Any, errors: list[Any]) -> None:
    """With the words put back where it says, each text is as it was, letter for letter."""
    texts = [error.text.upper() if k % 2 else error.text for k, error in enumerate(errors)]
    found = masking(repairers.detector, threshold=-2.0)({"text": texts})
    assert sum(map(len, found["erratic_spans"])) > 100
    for text, new, spans in zip(texts, found["text"], found["erratic_spans"], strict=True):
        assert unmasked(new, spans) == text
        assert new.count("<mask>") == len(spans)
        assert all(span["logit"] > -2 and span["column"] == "text" for span in spans)


def test_a_threshold_masks_as_many_or_fewer(repairers: Any, errors: list[Any]) -> None:
    """What is above a threshold is above a lower one; -1 is that of the code of the paper."""
    texts = [error.text for error in errors[:100]]

    def spans_at(threshold: float) -> list[set[tuple[int, int]]]:
        found = masking(repairers.detector, threshold=threshold)({"text": texts})
        return [{(s["start"], s["end"]) for s in spans} for spans in found["erratic_spans"]]

    strict, usual = spans_at(-1), spans_at(0)
    assert all(few <= many for few, many in zip(usual, strict, strict=True))
    assert sum(map(len, usual)) < sum(map(len, strict))
    assert masked_texts(repairers.detector, texts, threshold=1e6) == texts


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
    all_words = {"threshold": -1e6, "spare": "inserted"}
    beside = masking(
        repairers.detector, columns="text_counterfactual", originals="text", **all_words
    )(pair)
    expected = ["<mask> queen <mask> <mask> she <mask> <mask>.", "<mask> <mask> <mask> <mask>."]
    assert beside["text_counterfactual"] == expected
    assert beside["text"] == rows["text"]
    traced = CounterfactualSwap(columns="text", mode="replace", provenance=True)(rows)
    assert masking(repairers.detector, **all_words)(traced)["text"] == expected
    terms = masked_texts(
        repairers.detector, ["The king’s guests saw her."], threshold=-1e6, spare="terms"
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


REFUSED = [
    ({"trigger": "tail"}, r"trigger must be one of 'any', 'head', but it is 'tail'"),
    ({"threshold": float("nan")}, "threshold must be"),
    ({"threshold": "0"}, "threshold must be"),
    ({"spare": "names"}, r"spare must be one of 'inserted', 'terms'"),
    ({"originals": "old"}, "originals are for spare='inserted'"),
    ({"spare": "inserted", "originals": ("a", "b")}, "originals must name a column for each of"),
    ({"mask": ""}, "mask must be a string without white space"),
    ({"mask": ("<a>", "<b>")}, "mask must be a string without white space"),
    ({"model": ""}, "model must be a path or a name"),
    ({"model": "./none"}, r"there is no folder './none'"),
    ({"batch_size": 0}, "batch_size must be at least 1"),
    ({"revision": ""}, "revision must be"),
]


@pytest.mark.parametrize(("options", "sentence"), REFUSED)
def test_parameters_are_checked(options: dict[str, Any], sentence: str) -> None:
    """Each mistake has a sentence that names it."""
    with pytest.raises(InputError, match=f"^MaskErratic: .*{sentence}"):
        masking("google/electra-base-discriminator", **options)


def test_a_batch_that_does_not_fit_is_refused(repairers: Any) -> None:
    """No edits, edits of another text, no originals, a column in the way."""
    spare = masking(repairers.detector, spare="inserted")
    with pytest.raises(InputError, match=r"spare='inserted' needs the column 'edits'"):
        spare({"text": ["he ran"]})
    edit = {"column": "text", "after_start": 0, "after_end": 3, "after": "she"}
    with pytest.raises(
        InputError, match=r"'edits' does not belong to the text of row 1 .* 'she' is not there"
    ):
        spare({"text": ["she ran", "he ran"], "edits": [[edit], [edit]]})
    with pytest.raises(InputError, match=r"there is no column 'old'"):
        masking(repairers.detector, spare="inserted", originals="old")({"text": ["he ran"]})
    with pytest.raises(InputError, match=r"the column 'erratic_spans' exists already"):
        masking(repairers.detector)({"text": ["he ran"], "erratic_spans": [[]]})


def test_a_tokenizer_that_does_not_know_the_words_is_told(repairers: Any) -> None:
    """Of words that it does not know, a model can say nothing."""
    texts = ["король сказал что он опоздал на работу"] * 4
    with pytest.warns(UserWarning, match=r"does not know 28 of 28 words, so the model can"):
        assert masked_texts(repairers.detector, texts) == texts


def test_a_changed_model_is_told(repairers: Any, tmp_path: Any) -> None:
    """The technique was made with another one."""
    folder = tmp_path / "detector"
    shutil.copytree(repairers.detector, folder)
    technique = masking(str(folder))
    (folder / "config.json").write_text((folder / "config.json").read_text() + " ")
    with pytest.raises(InputError, match=r"config.json' has changed since the MaskErratic was"):
        technique({"text": ["he ran"]})
