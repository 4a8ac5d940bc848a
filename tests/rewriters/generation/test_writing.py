"""What a model is given for rows, and what is made of what it writes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rewriters.generation import writing
from fair_datasets.rewriters.generation.controls import Control
from fair_datasets.rewriters.generation.decoding import TOO_LONG, Decoded
from fair_datasets.rewriters.generation.writing import ModelOutput, RewriteRequest, Writer, pieces
from fair_datasets.scores.models import ScoringModel


def writer(loaded: ScoringModel, control: str = "perturber", limit: int = 90) -> Writer:
    """Return the perturber of the toy language as it is asked."""
    return Writer(loaded, Control.read(control), limit)


def ask(word: str, attribute: str, *texts: str) -> RewriteRequest:
    """Ask for a word wherever it stands."""
    spans = [
        [
            (start, start + len(word))
            for start in range(len(text))
            if text[start:].startswith(word) and not text[start - 1 : start].isalpha()
        ]
        for text in texts
    ]
    return RewriteRequest(texts, spans, word, attribute)


def test_the_texts_of_a_row_are_written_together(perturber: ScoringModel) -> None:
    """They are joined, and parted again; the model is not given the white space at both ends."""
    texts = ("\n The nurse said that she left.", "It rained. \t")
    (found,) = writer(perturber).write([ask("she", "man", *texts)])
    assert found == ModelOutput(("\n The nurse said that he left.", "It rained. \t"))


def test_a_long_text_is_written_piece_by_piece_where_it_mentions_somebody(
    perturber: ScoringModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The white space between sentences is kept, and what mentions nobody is not asked for."""
    asked: list[str] = []

    def decode(loaded: Any, sources: Any, **options: Any) -> Any:
        asked.extend(loaded.tokenizer.batch_decode(sources))
        return real(loaded, sources, **options)

    real = writing.decode
    monkeypatch.setattr(writing, "decode", decode)
    text = (
        "The nurse said that she left.  It rained.\nIt rained. The door closed. It rained. "
        "The door closed.\n\nThe pilot knew that she sang. "
    )
    (found,) = writer(perturber, limit=16).write([ask("she", "man", text)])
    assert found.texts == (text.replace("she", "he"),)
    assert len(asked) == 2
    assert not any("door closed. It" in given for given in asked)


def test_a_piece_without_the_word_is_asked_for_by_one_of_its_own(perturber: ScoringModel) -> None:
    """The same person may be called otherwise there."""
    text = "The nurse said that she left. The girl knew that her pilot slept."
    spans = [[(20, 23), (34, 38), (49, 52)]]
    (found,) = writer(perturber, limit=20).write([RewriteRequest([text], spans, "she", "man")])
    assert found.texts == ("The nurse said that he left. The boy knew that his pilot slept.",)


def test_half_as_many_tokens_again_may_be_written(perturber: ScoringModel) -> None:
    """Of a short text 16 more, and one less than the limit in all."""
    asked = writer(perturber, limit=90)
    rooms = {size: asked._room(writing._Part(("",), draft=[0] * size)) for size in (0, 32, 40, 80)}
    assert rooms == {0: 16, 32: 48, 40: 60, 80: 89}


@pytest.mark.parametrize(("asked", "fault"), [
    (ask("her", "man", "The nurse left."), writing.NO_WORD),
    (ask("she", "man", "She <PERT_SEP> said that she left."), writing.SIGN_READ),
    (ask("she", "man", "The nurse said that she <SEP> left.", "Rain."), writing.SIGN_READ),
    (ask("she", "man", "The <s>nurse</s> said that she left."), writing.SIGN_READ),
    (ask("she", "man", "She left " + "and she left " * 60), writing.LONG_SENTENCE),
])  # fmt: skip
def test_a_row_that_cannot_be_asked_for_has_a_fault(
    perturber: ScoringModel, asked: RewriteRequest, fault: str
) -> None:
    """The rows beside it are written."""
    good = ask("she", "man", "The nurse said that she left.")
    first, bad, last = writer(perturber).write([good, asked, good])
    assert bad == ModelOutput(None, fault)
    assert bad.sentence == writing.SENTENCES[fault]
    assert first.texts == last.texts == ("The nurse said that he left.",)


def test_a_rewrite_that_does_not_end_is_a_fault(
    perturber: ScoringModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not cut, although BART's last token is forced to be an end."""
    bias = perturber.model.final_logits_bias.clone()
    bias[0, perturber.tokenizer.eos_token_id] = -1e9
    monkeypatch.setitem(perturber.model._buffers, "final_logits_bias", bias)
    (found,) = writer(perturber).write([ask("she", "man", "The nurse said that she left.")])
    assert found == ModelOutput(None, TOO_LONG)


@pytest.mark.parametrize(("written", "fault"), [
    ("He left. <SEP> Why? <SEP> Why?", writing.OTHER_COUNT),
    ("He left. Why?", writing.OTHER_COUNT),
    ("He left. <SEP> he, man <PERT_SEP> Why?", writing.SIGN_WRITTEN),
    ("He left. <SEP> ", writing.NOTHING), ("He left.<SEP>Why?", ""),
])  # fmt: skip
def test_what_was_written_is_read_or_is_a_fault(
    perturber: ScoringModel, monkeypatch: pytest.MonkeyPatch, written: str, fault: str
) -> None:
    """A row keeps as many texts as it had."""
    ids = perturber.tokenizer(written)["input_ids"]
    monkeypatch.setattr(writing, "decode", lambda *_, **__: [Decoded(ids)])
    (found,) = writer(perturber).write([ask("She", "man", "She left.", "Why?")])
    assert found == ModelOutput(None if fault else ("He left.", "Why?"), fault)


TEXTS = st.lists(st.sampled_from(["He left.", "Dr. A. Gray ran!", " ", "\n\n", "and so", "Oh?"]))


@given(texts=TEXTS, size=st.integers(1, 40))
def test_pieces_are_the_text(texts: list[str], size: int) -> None:
    """Nothing is cut, and each piece fits; or there are none."""
    text = " ".join(texts)
    found = pieces(text, lambda piece: len(piece.strip()) <= size)
    if found is not None:
        assert "".join(found) == text
        assert all(len(piece.strip()) <= size for piece in found)


def test_as_much_as_fits_goes_together() -> None:
    """Three sentences of six, where three fit; where one does not fit there are no pieces."""
    found = pieces("One. Two. Six. One. Two. Six.", lambda piece: len(piece.strip()) <= 14)
    assert found == ["One. Two. Six. ", "One. Two. Six."]
    assert pieces("It rained. He left and left.", lambda piece: len(piece) <= 11) is None
