"""A loopback Hub that knows nothing yet, a user's token, and clients that may go online."""

import warnings
from pathlib import Path
from typing import Any

import pytest

# A script of its own, and what it imports that lies beside it.
collect_ignore = ["handler.py", "loopback.py", "store.py"]


@pytest.fixture
def hub(loopback_hub: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the empty loopback Hub, with Ada logged in."""
    import datasets
    import evaluate
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(evaluate.config, "HF_EVALUATE_OFFLINE", False)
    # huggingface_hub itself sends files in a way that the client below it is about to drop.
    warnings.filterwarnings("ignore", category=DeprecationWarning, module="httpx2")
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("HF_TOKEN", "hf_ada")
    loopback_hub.reset()
    return loopback_hub


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let huggingface_hub try again at once, where it would wait for half a minute in all."""
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda seconds: None)
    monkeypatch.setattr("fair_datasets.system.retry._sleep", lambda seconds: None)


@pytest.fixture
def splits() -> Any:
    """Return a dataset of two splits, with a label, a null and a nested column."""
    from datasets import ClassLabel, Dataset, DatasetDict, Features, List, Value

    edit = {"start": Value("int64"), "before": Value("string")}
    features = Features(
        text=Value("string"), label=ClassLabel(names=["no", "yes"]), edits=List(edit)
    )
    rows = {
        "text": ["He left.", "She left.", None, "It rained."],
        "label": [0, 1, 1, 0],
        "edits": [[{"start": 0, "before": "He"}], [{"start": 0, "before": "She"}], [], []],
    }
    train = Dataset.from_dict(rows, features=features)
    return DatasetDict(train=train, test=train.select([1, 3]))


@pytest.fixture
def encoder(hub: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a small encoder where the page of SEAT expects one."""
    from transformers import BertConfig, BertModel, BertTokenizer

    from fair_datasets.hub import metric_app, push_model

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "this", "that", "is", "a", ".", "john"]
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    sizes = {"hidden_size": 8, "intermediate_size": 8, "max_position_embeddings": 16}
    layers = {"num_hidden_layers": 1, "num_attention_heads": 1, "vocab_size": len(words)}
    BertModel(BertConfig(**sizes, **layers)).save_pretrained(tmp_path)
    BertTokenizer(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    with monkeypatch.context() as context:
        context.setenv("HF_TOKEN", "hf_encoders")
        push_model(tmp_path, metric_app.MODELS["seat"][0])
