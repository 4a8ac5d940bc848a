"""Small readers: a student with drawn weights, and token classifiers that know few words."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fair_datasets.reader.student import SIZE, SPAN, Student
from fair_datasets.reader.tags import TAGS
from tests.small_models import small_model

TEXTS = [
    "Mary told Paul that his brother was in Austin.", "",
    'RT @nurse: Dr. Łukasz Żak & José—who? "It\'s hers," she said (in 1999)...', "no name here",
    "PARIS HILTON met Paris, the city; Will will go.", "x" * 40 + " " + "x" * 41,
]  # fmt: skip


@pytest.fixture
def texts() -> list[str]:
    """Return texts of all kinds."""
    return TEXTS


@pytest.fixture
def student() -> Student:
    """Return a student whose weights are drawn."""
    draw = np.random.default_rng(0)
    inner, width, hidden = 8, 16, 12
    shapes = {"rows": (SIZE, inner), "first": (inner, SPAN * width),
              "second": (SPAN * width, hidden), "last": (hidden, len(TAGS))}  # fmt: skip
    arrays = {name: draw.integers(-127, 128, shape, np.int8) for name, shape in shapes.items()}
    layers = (("first", width, 1e-3), ("second", hidden, 1e-3), ("last", len(TAGS), 1e-2))
    for name, size, scale in layers:
        arrays[f"{name}_scale"] = draw.uniform(0.5, 1, size).astype(np.float32) * np.float32(scale)
        arrays[f"{name}_bias"] = draw.normal(0, 20, size).astype(np.float32)
    return Student(arrays)


@pytest.fixture
def classifier(tmp_path: Path) -> Callable[..., Path]:
    """Save a small token classifier with drawn weights, and return its folder."""

    def saved(
        tags: tuple[str, ...] = TAGS, name: str = "encoder",
        alphabet: str = "abcdefghijklmnopqrstuvwxyz", **settings: Any,
    ) -> Path:  # fmt: skip
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
        from transformers import PreTrainedTokenizerFast

        inner = [f"##{letter}" for letter in alphabet]
        pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *alphabet, *inner, "."]
        tokenizer = Tokenizer(
            models.WordPiece({piece: k for k, piece in enumerate(pieces)}, unk_token="[UNK]")
        )
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
        usual = {"max_position_embeddings": 64, "initializer_range": 0.5,
                 "id2label": dict(enumerate(tags)),
                 "label2id": {tag: number for number, tag in enumerate(tags)}}  # fmt: skip
        settings = {"vocabulary": len(pieces), "width": 16, "heads": 2, **usual, **settings}
        folder = tmp_path / name
        small_model("BertForTokenClassification", **settings).save_pretrained(folder)
        PreTrainedTokenizerFast(
            tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
            sep_token="[SEP]",
        ).save_pretrained(folder)  # fmt: skip
        return folder

    return saved
