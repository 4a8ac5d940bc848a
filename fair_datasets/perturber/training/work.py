"""The folder in which a training keeps what it takes to go on after an interrupt."""

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.checks import InputError
from fair_datasets.draws import row_key
from fair_datasets.perturber.training.config import PerturberConfig
from fair_datasets.perturber.training.data import COLUMNS
from fair_datasets.perturber.training.network import starting_network
from fair_datasets.pretrained import read_pretrained
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from datasets import Dataset

_OWNER = "train_perturber"


def begin(work: Path, config: PerturberConfig, rows: "Dataset") -> None:
    """Note what is trained in a work folder, or raise where it is of something else.

    Args:
        work: The folder; it need not be there.
        config: The settings.
        rows: The rows.

    Raises:
        InputError: It holds a training with other settings or rows, or of another version.
    """
    stated = {
        "version": __version__,
        "settings": config.settings(),
        "rows": row_key(value for column in COLUMNS for value in rows[column]),
    }
    file = work / "settings.json"
    if not file.exists():
        work.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(stated, indent=2), encoding="utf-8")
    elif read_json(file) != stated:
        raise InputError(
            f"{_OWNER}: {str(work)!r} holds a training that was interrupted, with other settings "
            "or rows; go on with those, remove it, or name another out."
        )


def starting_point(config: PerturberConfig, train: "Dataset", work: Path) -> tuple[Any, Any]:
    """Return the model that training starts from and its tokenizer, the same after an interrupt.

    Args:
        config: The settings.
        train: The training rows, on which a tokenizer of our own is trained.
        work: The folder.

    Returns:
        The model and the tokenizer.
    """
    folder = work / "start"
    if not folder.is_dir():
        texts = [text for column in COLUMNS for text in train[column]]
        model, tokenizer = starting_network(config, texts)
        model.generation_config = _generation(model, tokenizer, config.max_length)
        save_whole(model, tokenizer, folder)
    return read_pretrained(
        str(folder), "AutoModelForSeq2SeqLM", what="encoder-decoder", owner=_OWNER
    )


def save_whole(model: Any, tokenizer: Any, folder: Path) -> None:
    """Save a model and its tokenizer into a folder that is there whole or not at all.

    Args:
        model: The model.
        tokenizer: The tokenizer.
        folder: The folder, which is not there yet.
    """
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    model.save_pretrained(partial)
    tokenizer.save_pretrained(partial)
    os.replace(partial, folder)


def last_checkpoint(work: Path) -> str | None:
    """Return the last checkpoint that was written to its end.

    Args:
        work: The folder.

    Returns:
        The checkpoint's folder; None if there is none.
    """
    # The state is what the writing of a checkpoint ends with.
    found = {
        int(path.parent.name.rpartition("-")[2]): path.parent
        for path in work.glob("checkpoint-*/trainer_state.json")
        if read_json(path)
    }
    return str(found[max(found)]) if found else None


def read_json(file: Path) -> Any:
    """Read a file of ours.

    Args:
        file: The file.

    Returns:
        Its data; None where it was not written to its end.
    """
    try:
        return json.loads(file.read_text("utf-8"))
    except ValueError:
        return None


def _generation(model: Any, tokenizer: Any, max_length: int) -> Any:
    """Return the settings of greedy decoding; a model's own may forbid it to copy."""
    from transformers import GenerationConfig

    given = model.generation_config
    begins = tokenizer("a")["input_ids"][0] == tokenizer.bos_token_id
    return GenerationConfig(  # type: ignore[no-untyped-call]
        max_length=max_length, num_beams=1, do_sample=False,
        bos_token_id=given.bos_token_id, eos_token_id=given.eos_token_id,
        pad_token_id=given.pad_token_id, decoder_start_token_id=given.decoder_start_token_id,
        forced_bos_token_id=tokenizer.bos_token_id if begins else None,
    )  # fmt: skip
