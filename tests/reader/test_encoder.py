"""Token classifiers as readers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fair_datasets import InputError, find_terms
from fair_datasets.reader import load_reader
from fair_datasets.reader.encoder import CASED, Encoder, encoded
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.reader.tags import ALONE, FIRST_SENSE, NONE, OBJECT, TAGS
from tests.small_models import small_model

Classifier = Callable[..., Path]


def shares_of(reader: Encoder, *texts: str) -> list[np.ndarray]:
    """Return the probabilities of all words of texts."""
    return [*reader.shares([tokenize(text) for text in texts])]


@pytest.fixture
def reader(classifier: Classifier) -> Encoder:
    """Return a small token classifier."""
    return Encoder.load(str(classifier()))


def test_all_words_of_all_texts_are_tagged(reader: Encoder, texts: list[str]) -> None:
    """Whatever their lengths; probabilities add up to one, and only pronouns have a case."""
    for text, shares in zip(texts, shares_of(reader, *texts), strict=True):
        tokens = tokenize(text)
        assert shares.shape == (len(tokens.lower), len(TAGS))
        for group in (slice(FIRST_SENSE), slice(FIRST_SENSE, None)):
            assert shares[:, group].sum(axis=1) == pytest.approx(np.ones(len(shares)))
        cases = shares[:, OBJECT : ALONE + 1].sum(axis=1)
        is_pronoun = [word in ("her", "hers", "him", "his") for word in tokens.lower]
        assert (cases > 0.5).tolist() == is_pronoun


def test_columns_and_texts_say_the_same(reader: Encoder, texts: list[str]) -> None:
    """Words of several texts are asked at once, in any order."""
    words = TokenBatch(texts)
    places = np.flatnonzero(~words.is_end)[::-1]
    found = reader.tags(words, places)
    expected = np.concatenate(shares_of(reader, *texts))[::-1]
    assert found.probabilities == pytest.approx(expected, abs=0.02)
    assert (found.places == places).all()
    assert len(reader.tags(words, places[:0]).tags) == 0


def test_a_long_text_is_read_in_windows(reader: Encoder) -> None:
    """Each word is decided by the window whose centre is nearest, and none is left out."""
    words = ["abcd", "dog", "mary", "his", "zoo"]
    text = " ".join(words[k % 5] for k in range(150))
    (windows,) = encoded(reader.tokenizer, [tokenize(text)], reader.longest)
    assert len(windows) > 2
    assert np.concatenate([each.words for each in windows]).tolist() == list(range(150))
    assert all(len(each.pieces) <= reader.longest for each in windows)
    for each in windows[1:-1]:  # No inner word is decided at the edge of a window.
        assert each.firsts.min() > 10
        assert each.firsts.max() < len(each.pieces) - 10
    assert len(shares_of(reader, text)[0]) == 150


def test_a_text_that_fits_is_one_window(reader: Encoder) -> None:
    """With the piece that begins a text before it, and the one that ends it behind."""
    (windows,) = encoded(reader.tokenizer, [tokenize("ab, Cd EF.")], reader.longest)
    (only,) = windows
    pieces = reader.tokenizer.convert_ids_to_tokens(only.pieces)
    assert pieces[0] == "[CLS]"
    assert pieces[-1] == "[SEP]"
    assert [pieces[k] for k in only.firsts] == ["a", "c", "e"]
    assert [only.types[k] for k in only.firsts] == [0, 1, 2]


def test_what_the_tokenizer_leaves_out_is_nothing(reader: Encoder) -> None:
    """A word that has no piece has no tag."""
    (shares,) = shares_of(reader, "\u200bx a\u0301b")
    assert len(shares) == len(tokenize("\u200bx a\u0301b").lower)
    reader.tokenizer.backend_tokenizer.normalizer = __import__("tokenizers").normalizers.Replace(
        "xyz", ""
    )
    (shares,) = shares_of(reader, "xyz ab")
    assert shares[0].argmax() == NONE
    assert shares[0].max() == 1.0


def test_case_is_read_where_the_model_says_so(classifier: Classifier) -> None:
    """Such a model tags a word by how it is written; another, which is uncased, does not."""
    cased = Encoder.load(str(classifier(name="cased", type_vocab_size=3, **{CASED: True})))
    uncased = Encoder.load(str(classifier()))
    for reader, is_seen in ((cased, True), (uncased, False)):
        small, large = shares_of(reader, "we saw mary", "we saw MARY")
        assert bool(np.abs(small - large).max() > 1e-3) is is_seen


def test_other_models_are_refused(classifier: Classifier, tmp_path: Path) -> None:
    """Those of other tags, without safetensors, without weights, and what is no model."""
    others = classifier(("O", *TAGS[1:]), name="others")
    with pytest.raises(
        InputError, match=r"^load_reader: the tags of '.*others' must be none, given"
    ):
        load_reader(str(others))
    pickled = classifier(name="pickled")
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    with pytest.raises(InputError, match="safetensors"):
        load_reader(pickled)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError):
        load_reader(tmp_path / "empty")


@pytest.mark.parametrize(("settings", "changed", "sentence"), [
    ({"vocab_size": 20}, {}, "has 57 pieces, but its weights are for 20; give"),
    ({"type_vocab_size": 2, "case_as_token_type": True}, {}, "token types .*, but it has 2;"),
    ({"max_position_embeddings": 3}, {}, "reads 3 pieces of a text at once, but a rea"),
    ({}, {"label2id": dict.fromkeys(TAGS, 0)}, "does not number its tags from 0 to 15"),
    ({"alphabet": "абвгдежзийклмнопрстуфхцчшщ"}, {}, "knows none of 'her', 'hers', 'him', "),
])  # fmt: skip
def test_parts_that_do_not_fit_each_other_are_told(
    classifier: Classifier, settings: dict[str, Any], changed: dict[str, Any], sentence: str
) -> None:
    """Before a text is read, and not by an index that is out of range."""
    folder = classifier(**settings)
    config = json.loads((folder / "config.json").read_text()) | changed
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match=sentence):
        load_reader(folder)


def test_a_tokenizer_without_padding_reads_all_the_same(reader: Encoder) -> None:
    """What pads shorter rows is masked anyhow."""
    before = shares_of(reader, "a b c d", "her")
    reader.tokenizer.pad_token = None
    for own, other in zip(before, shares_of(reader, "a b c d", "her"), strict=True):
        np.testing.assert_allclose(own, other, atol=1e-6)


def test_half_a_character_is_read_past(reader: Encoder) -> None:
    """Every word behind it has its place."""
    half, whole = shares_of(reader, "Mary \ud800 left her", "Mary \ufffd left her")
    assert (half == whole).all()


def test_positions_behind_that_of_padding_are_fewer(reader: Encoder) -> None:
    """A model of the family of RoBERTa reads a long text to its end."""
    tags = {"id2label": dict(enumerate(TAGS)), "label2id": {t: k for k, t in enumerate(TAGS)}}
    sizes = {"max_position_embeddings": 20, "pad_token_id": 1}
    model = small_model("RobertaForTokenClassification", 57, 16, heads=2, **sizes, **tags)
    other = Encoder(model, reader.tokenizer)
    assert other.longest == 18
    (found,) = shares_of(other, "her book " * 20)
    assert found.shape == (40, len(TAGS))


def test_all_that_is_asked_about_a_text_is_read_once(
    classifier: Classifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many terms are told: else a long text would take the square of its length."""
    folder = str(classifier())
    windows = []
    run = Encoder._logits

    def noted(self: Encoder, given: Any) -> Any:
        windows.append(len(given))
        return run(self, given)

    monkeypatch.setattr(Encoder, "_logits", noted)
    text = "Mary saw her. " * 4
    assert len(find_terms(text, reader=folder)) == 8
    told = len(windows)
    assert len(find_terms(text * 4, reader=folder)) == 32
    assert len(windows) == 2 * told


def test_a_model_without_a_trained_head_is_refused(classifier: Classifier) -> None:
    """Its tags would be random."""
    from safetensors.torch import load_file, save_file

    folder = classifier()
    weights = load_file(folder / "model.safetensors")
    del weights["classifier.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"lack 'classifier.weight'"):
        load_reader(folder)
