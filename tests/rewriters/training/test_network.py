"""The tokenizer of our own, and an encoder that a new model starts from."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModel, AutoTokenizer

from fair_datasets import InputError
from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.network import (
    KeyedOrder,
    copy_encoder,
    starting_network,
    token_vectors,
    train_tokenizer,
)
from tests.small_models import small_model

TEXTS = ["He said that she left.", "The waiter saw the waitress.", "She said: He left."] * 3
TOKENIZER = train_tokenizer(TEXTS, vocabulary=400, added=["<PERT_SEP>", "<SEP>"])


@given(st.text(st.characters(blacklist_categories=["Cs"]), max_size=40))
def test_a_text_comes_back_as_it_was(text: str) -> None:
    """Whatever it holds; only a space at its start may go."""
    signs = [*TOKENIZER.all_special_tokens, "<PERT_SEP>", "<SEP>"]
    if not any(sign in text for sign in signs):
        ids = TOKENIZER(text, add_special_tokens=False)["input_ids"]
        assert TOKENIZER.decode(ids) in (text, text.removeprefix(" "))


def test_a_word_has_the_same_tokens_wherever_it_stands() -> None:
    """At the start, after a space, and after a sign."""
    ids = TOKENIZER("she, man <PERT_SEP> He said that she left.")["input_ids"]
    (she,) = TOKENIZER("she", add_special_tokens=False)["input_ids"]
    (he,) = TOKENIZER("He", add_special_tokens=False)["input_ids"]
    assert ids.count(she) == 2
    assert he in ids
    assert ids[0] == TOKENIZER.bos_token_id
    assert ids[-1] == TOKENIZER.eos_token_id


def test_an_encoder_computes_in_bart_what_it_computed(encoder_folder: str) -> None:
    """With its own tokens, layer for layer."""
    source = AutoModel.from_pretrained(encoder_folder).eval()
    config = source.config
    bart = small_model(
        "BartModel", config.vocab_size, config.hidden_size, config.num_hidden_layers,
        config.num_attention_heads, activation_function=config.hidden_act, decoder_layers=1,
        encoder_ffn_dim=config.intermediate_size, decoder_ffn_dim=8, max_position_embeddings=64,
    )  # fmt: skip
    copy_encoder(source, bart.get_encoder())
    bart.get_input_embeddings().weight.data[:] = source.get_input_embeddings().weight.data
    inputs = AutoTokenizer.from_pretrained(encoder_folder)(
        ["The waiter saw his mother.", "Rain."], padding=True, return_tensors="pt"
    )
    mask = inputs["attention_mask"]
    with torch.no_grad():
        theirs = source(**inputs).last_hidden_state
        ours = bart.get_encoder()(inputs["input_ids"], attention_mask=mask).last_hidden_state
    # Their norms differ in what they add to a variance, 1e-12 and 1e-5.
    assert torch.allclose(theirs[mask == 1], ours[mask == 1], atol=2e-3)


def test_tokens_start_from_the_vectors_of_an_encoder(encoder_folder: str) -> None:
    """A capital is one direction, whatever the word; a sign has a vector of its own."""
    pieces = AutoTokenizer.from_pretrained(encoder_folder)
    vectors = AutoModel.from_pretrained(encoder_folder).get_input_embeddings().weight.data
    torch.manual_seed(0)
    found = token_vectors(TOKENIZER, pieces, vectors)

    def own(word: str) -> torch.Tensor:
        return found[TOKENIZER(word, add_special_tokens=False)["input_ids"]][0]

    assert torch.allclose(own("she"), vectors[pieces.convert_tokens_to_ids("she")])
    he = vectors[pieces.convert_tokens_to_ids("he")]
    assert torch.allclose(own("She") - own("she"), own("He") - he, atol=1e-6)
    assert not torch.allclose(own("He"), he, atol=1e-3)
    assert found.isfinite().all()
    assert len(found) == len(TOKENIZER)


def test_a_new_model_starts_from_an_encoder(encoder_folder: str, tmp_path: object) -> None:
    """Its sizes are those of the encoder; an encoder of another family is refused."""
    config = TrainingConfig(out="x", encoder=encoder_folder, layers=1, vocabulary=400)
    model, _ = starting_network(config, TEXTS)
    assert (model.config.encoder_layers, model.config.decoder_layers) == (6, 1)
    assert model.config.d_model == 384
    assert model.get_output_embeddings().weight is model.get_input_embeddings().weight
    small_model("BartModel", 400, heads=2).save_pretrained(str(tmp_path))
    TOKENIZER.save_pretrained(str(tmp_path))
    other = TrainingConfig(out="x", encoder=str(tmp_path))
    with pytest.raises(InputError, match="is of the kind 'bart', but a new model can start from"):
        starting_network(other, TEXTS)


def test_the_order_of_an_epoch() -> None:
    """Every row once; another order in another epoch, the same in the same."""
    order = KeyedOrder(500, seed=0)
    first = list(order)
    assert len(order) == 500
    assert sorted(first) == list(range(500))
    order.set_epoch(1)
    assert list(order) != first
    order.set_epoch(0)
    assert list(order) == first == list(KeyedOrder(500, seed=0)) != list(KeyedOrder(500, seed=1))
