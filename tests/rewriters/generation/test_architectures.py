"""Models of other makers: whatever their parts are called, their greedy choices are the same."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
import transformers

from fair_datasets.rewriters.generation.decoding import Decoding, decode
from fair_datasets.scores.models import ScoringModel

VOCABULARY = 24
SMALL = {
    "vocab_size": VOCABULARY, "d_model": 16, "encoder_layers": 1, "decoder_layers": 1,
    "encoder_attention_heads": 2, "decoder_attention_heads": 2, "encoder_ffn_dim": 16,
    "decoder_ffn_dim": 16, "init_std": 0.6, "pad_token_id": 1, "bos_token_id": 0,
    "eos_token_id": 2,
}  # fmt: skip
BERT = {
    "vocab_size": VOCABULARY, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
    "intermediate_size": 16, "initializer_range": 0.6,
}  # fmt: skip


class Ids:
    """A tokenizer of which only the ids are asked."""

    model_max_length = 10**30
    pad_token_id = eos_token_id = 1


def marian() -> Any:
    """Build a Marian, whose settings bar the token of padding."""
    config = transformers.MarianConfig(
        **SMALL, max_position_embeddings=64, decoder_start_token_id=1
    )
    model = transformers.MarianMTModel(config)
    model.generation_config.bad_words_ids = [[1], [5]]
    return model


def fsmt() -> Any:
    """Build an FSMT, which cannot be decoded from a draft, and is left to `generate`."""
    model = transformers.FSMTForConditionalGeneration(
        transformers.FSMTConfig(
            langs=["en", "de"], src_vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY,
            max_position_embeddings=64, decoder_start_token_id=2,
            **{name: value for name, value in SMALL.items() if name != "vocab_size"},
        )
    )  # fmt: skip
    # It does not look at padding, which a random model would write, where it has no cache.
    model.generation_config.bad_words_ids = [[1]]
    return model


def switch() -> Any:
    """Build a Switch Transformer, whose encoder tells of its routers."""
    return transformers.SwitchTransformersForConditionalGeneration(
        transformers.SwitchTransformersConfig(
            vocab_size=VOCABULARY, d_model=16, num_layers=2, num_decoder_layers=2, num_heads=2,
            d_ff=16, d_kv=8, num_experts=2, num_sparse_encoder_layers=1,
            num_sparse_decoder_layers=1, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1,
            expert_capacity=64, initializer_factor=3.0,
        )
    )  # fmt: skip


def two_berts(encoder: int = 64, decoder: int = 64) -> Any:
    """Build an encoder-decoder of two BERTs, with so many positions each."""
    config = transformers.EncoderDecoderConfig.from_encoder_decoder_configs(
        transformers.BertConfig(**BERT, max_position_embeddings=encoder),
        transformers.BertConfig(
            **BERT, max_position_embeddings=decoder, is_decoder=True, add_cross_attention=True
        ),
    )
    model = transformers.EncoderDecoderModel(config)
    for name, value in {"decoder_start": 0, "pad": 1, "eos": 2}.items():
        setattr(model.generation_config, f"{name}_token_id", value)
    return model


def built(make: Callable[[], Any]) -> ScoringModel:
    """Give a model with random weights."""
    torch.manual_seed(0)
    return ScoringModel(make().eval(), Ids())


@pytest.mark.parametrize("make", [marian, fsmt, switch, two_berts])
def test_a_model_of_another_maker_writes_what_it_writes_alone(make: Callable[[], Any]) -> None:
    """Token for token, in a batch with others."""
    loaded = built(make)
    sources = [[4, 5, 6], [7, 8], [9, 10, 11, 12, 13]]
    found = decode(loaded, sources, limits=[9] * 3, settings=Decoding(batch_size=3))
    for decoded, source in zip(found, sources, strict=True):
        ids = torch.tensor([source])
        alone = loaded.model.generate(
            input_ids=ids, attention_mask=torch.ones_like(ids), max_new_tokens=9, do_sample=False,
            num_beams=1, use_cache=False,
        )[0].tolist()[1:]  # fmt: skip
        end = loaded.model.generation_config.eos_token_id
        assert decoded.ids == (alone[: alone.index(end)] if end in alone else alone)


@pytest.mark.parametrize(("encoder", "decoder"), [(40, 64), (64, 40)])
def test_the_limit_is_that_of_the_shorter_part(encoder: int, decoder: int) -> None:
    """What is rewritten is about as long as what is read."""
    assert built(lambda: two_berts(encoder, decoder)).limit == 40


@pytest.mark.slow
def test_threads_share_a_model(random_models: Any) -> None:
    """Each chooses at its own places."""
    model = random_models["bart"]
    rows = [[3 + row, 5, 9, 4] for row in range(8)]
    expected = [decode(model, [row], limits=[12])[0].ids for row in rows]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda row: decode(model, [row], limits=[12])[0].ids, rows * 6))
    assert found == expected * 6


@pytest.mark.parametrize(
    "asked",
    [{"return_dict_in_generate": True}, {"num_beams": 4, "num_return_sequences": 4}],
    ids=str,
)
def test_settings_of_generate_do_not_change_what_beams_give(
    random_models: Any, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any]
) -> None:
    """A row has one text, whatever else a model's settings ask `generate` for."""
    model = random_models["t5"]
    options: dict[str, Any] = {"limits": [8], "settings": Decoding(beams=2)}
    (expected,) = decode(model, [[3, 5, 9, 4]], **options)
    for name, value in asked.items():
        monkeypatch.setattr(model.model.generation_config, name, value)
    assert decode(model, [[3, 5, 9, 4]], **options) == [expected]
