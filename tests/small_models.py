"""Small models with random weights, and tokenizers of whole words, for the tests of every room."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
_NAMES = {
    "bart": ["d_model encoder_ffn_dim decoder_ffn_dim", "encoder_layers decoder_layers",
             "encoder_attention_heads decoder_attention_heads"],
    "gpt2": ["n_embd", "n_layer", "n_head"],
}  # fmt: skip
_USUAL = ["hidden_size intermediate_size", "num_hidden_layers", "num_attention_heads"]


def small_model(
    kind: str, vocabulary: int, width: int = 8, layers: int = 1, heads: int = 1, **options: Any
) -> Any:
    """Build a model of a class of transformers, such as "BertForMaskedLM", with the seed 0."""
    import torch
    import transformers

    architecture = getattr(transformers, kind)
    names = _NAMES.get(architecture.config_class.model_type, _USUAL)
    sizes = {
        name: size
        for group, size in zip(names, (width, layers, heads), strict=True)
        for name in group.split()
    }
    torch.manual_seed(0)
    config = architecture.config_class(**{"vocab_size": vocabulary, **sizes, **options})
    return architecture(config).eval()


def word_tokenizer(
    words: Iterable[str], special: list[str], *, frame: tuple[str, str] | None = None, **roles: Any
) -> Any:
    """Build a tokenizer of words between spaces, with two of the special tokens around a text."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate([*special, *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=roles["unk_token"]))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if frame is not None:
        tokenizer.post_processor = processors.TemplateProcessing(
            single=f"{frame[0]} $A {frame[1]}",
            special_tokens=[(name, vocabulary[name]) for name in frame],
        )
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **roles)


def bert_tokenizer(words: Iterable[str]) -> Any:
    """Build a tokenizer of whole words with the special tokens of BERT."""
    roles = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    named = dict(zip(roles, SPECIAL, strict=True))
    return word_tokenizer(words, SPECIAL, frame=("[CLS]", "[SEP]"), **named)


def save_person_model(folder: Path, words: Iterable[str]) -> str:
    """Save a small model with random weights that tells whose a pronoun is; return the folder."""
    from safetensors.torch import save_file

    from fair_datasets.reader.coreference import HEAD, new_head

    tokenizer = bert_tokenizer(sorted(words))
    tokenizer.save_pretrained(folder)
    network = small_model("BertModel", len(tokenizer), initializer_range=0.5)
    network.save_pretrained(folder)
    save_file(new_head(network).state_dict(), folder / HEAD, {"format": "pt"})
    return str(folder)


def ask_the_nearest(monkeypatch: Any) -> None:
    """In place of a model, take a pronoun for the person's who was named or pointed at last."""
    import numpy as np

    from fair_datasets.reader.coreference import CoreferenceModel, Scene

    def shares(_: CoreferenceModel, scenes: Sequence[Scene]) -> list[Any]:
        found = []
        for annotation, people, pronouns in scenes:
            places = [annotation.mentions[k].first for k in pronouns]
            last = [[max([-1, *(k for k in who.places if k < place)]) for who in people]
                    for place in places]  # fmt: skip
            found.append(
                np.array([[float(k == max(own) >= 0) for k in own] for own in last])
                .reshape(len(places), len(people))
            )  # fmt: skip
        return found

    nobody = CoreferenceModel.__new__(CoreferenceModel)
    monkeypatch.setattr(CoreferenceModel, "load", lambda *_, **__: nobody)
    monkeypatch.setattr(CoreferenceModel, "shares", shares)
