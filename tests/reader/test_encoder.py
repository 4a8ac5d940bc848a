"""Token classifiers as readers."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fair_datasets import InputError
from fair_datasets.matching.tokens import tokenize
from fair_datasets.matching.words import Words
from fair_datasets.reader import load_reader
from fair_datasets.reader.encoder import Encoder
from fair_datasets.reader.encoding import CASED, encoded
from fair_datasets.reader.tags import ALONE, FIRST_SENSE, NONE, OBJECT, TAGS

Classifier = Callable[..., Path]


def shares_of(reader: Encoder, *texts: str) -> list[np.ndarray]:
    """Return the probabilities of all words of texts."""
    return [*reader.shares([tokenize(text) for text in texts])]


@pytest.fixture
def reader(classifier: Classifier) -> Encoder:
    """Return a small token classifier."""
    return Encoder.load(str(classifier()), owner="reader")


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
    words = Words(texts)
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
    cased = Encoder.load(
        str(classifier(name="cased", type_vocab_size=3, **{CASED: True})), owner="reader"
    )
    uncased = Encoder.load(str(classifier()), owner="reader")
    for reader, is_seen in ((cased, True), (uncased, False)):
        small, large = shares_of(reader, "we saw mary", "we saw MARY")
        assert bool(np.abs(small - large).max() > 1e-3) is is_seen


def test_other_models_are_refused(classifier: Classifier, tmp_path: Path) -> None:
    """Those of other tags, without safetensors, without weights, and what is no model."""
    others = classifier(("O", *TAGS[1:]), name="others")
    with pytest.raises(InputError, match=r"^mine: the tags of '.*others' must be none, given name"):
        load_reader(str(others), owner="mine")
    pickled = classifier(name="pickled")
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    with pytest.raises(InputError, match="safetensors"):
        load_reader(pickled)
    with pytest.raises(InputError, match="there is no folder"):
        load_reader("./no-such-folder")
    with pytest.raises(InputError, match="must be a folder or the Hub id"):
        load_reader(3)  # type: ignore[arg-type]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError):
        load_reader(tmp_path / "empty")


def test_a_model_without_a_trained_head_is_refused(classifier: Classifier) -> None:
    """Its tags would be random."""
    from safetensors.torch import load_file, save_file

    folder = classifier()
    weights = load_file(folder / "model.safetensors")
    del weights["classifier.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"lack 'classifier.weight'"):
        load_reader(folder)
