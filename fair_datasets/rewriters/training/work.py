"""The folder of a training, which goes on after an interrupt, and the card that it ends with."""

import json
import os
import random
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from fair_datasets.cards.markdown import escaped, json_block, rewriter_lines
from fair_datasets.cards.model import model_card
from fair_datasets.cards.statements import Measured
from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.network import starting_network
from fair_datasets.scores.models import ScoringModel
from fair_datasets.system.checks import caller_name, invalid
from fair_datasets.system.files import locked, write_file
from fair_datasets.system.portable import strip_folders
from fair_datasets.system.pretrained import quiet_transformers, read_pretrained, refuse_no_numbers
from fair_datasets.system.resume import claim_folder, write_atomically
from fair_datasets.version import __version__

START = "start"
"""The folder of the model that a training starts from, in its work folder."""

_LOCK = "lock"
# Where it is noted what files are written beside the model.
_WRITTEN = "written"


def refuse_taken(out: Path) -> None:
    """Raise if the folder that a model is to be saved into holds something."""
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise invalid(
            f"{str(out)!r} is not empty, and nothing is overwritten; name another out, or empty it."
        )


def refuse_files(files: Iterable[Path], out: Path, work: Path) -> None:
    """Raise where files cannot be written in the end, or would overwrite others."""
    noted = work / _WRITTEN
    ours = noted.read_text("utf-8").split("\n") if noted.exists() else []
    for path in (file.absolute() for file in files):
        has_folder = path.parent == out.absolute().parent or path.parent.is_dir()
        if not has_folder or {out.absolute(), work.absolute()} & {*path.parents}:
            raise invalid(
                f"{str(path)!r} is to be written, but there is no folder for it outside "
                "of out; make one, or name another file."
            )
        if path.exists() and str(path) not in ours:
            raise invalid(
                f"{str(path)!r} already exists, and nothing is overwritten; name another "
                "file, or move that one."
            )


def write_noted(work: Path, file: Path, content: bytes) -> None:
    """Write a file, and note before in the work folder that its training does."""
    noted = work / _WRITTEN
    before = noted.read_bytes() if noted.exists() else b""
    write_file(noted, before + f"{file.absolute()}\n".encode())
    write_file(file, content)


def work_of(out: Path) -> Path:
    """Return the folder in which what is trained into another one is kept meanwhile."""
    return out.with_name(f"{out.absolute().name}.work")


@contextmanager
def claim_work_folder(work: Path, config: TrainingConfig, data: str) -> Iterator[None]:
    """Have a work folder for oneself, and note in it what is trained.

    Args:
        work: The folder; it need not be there. One in which nothing was trained yet is begun anew.
    """
    stated = json.loads(json.dumps({"version": __version__, **config.settings(), "rows": data}))
    work.mkdir(parents=True, exist_ok=True)
    taken = (
        f"{caller_name()}: another process trains in {str(work)!r}; wait for it, or name another "
        "out."
    )
    file = work / "settings.json"
    with locked(work / _LOCK, taken):
        is_same = file.exists() and read_json(file) == stated
        with claim_folder(file, stated, what="a model", besides=(_LOCK, START)):
            if not is_same:
                shutil.rmtree(work / START, ignore_errors=True)
            yield


def starting_point(
    config: TrainingConfig, texts: Iterable[str], work: Path, *, signs: Sequence[str] = ()
) -> tuple[Any, Any]:
    """Return the model that training starts from and its tokenizer, the same after an interrupt."""
    folder = work / START
    if not folder.is_dir():
        model, tokenizer = starting_network(config, texts, signs=signs)
        limit = ScoringModel(model, tokenizer).limit
        if limit is not None and limit < config.max_length:
            raise invalid(
                f"max_length is {config.max_length}, but {str(config.model)!r} reads "
                f"{limit} tokens at most; set max_length to that, or less."
            )
        model.generation_config = _generation(model, tokenizer, config.max_length)
        save_whole(model, tokenizer, folder)
    return read_model(folder)


def read_model(folder: Path) -> tuple[Any, Any]:
    """Read a model that `save_whole` saved."""
    return read_pretrained(str(folder), "AutoModelForSeq2SeqLM", what="encoder-decoder")


def save_whole(model: Any, tokenizer: Any, folder: Path) -> None:
    """Save a model and its tokenizer into a folder that is there whole or not at all."""
    refuse_no_numbers(model.state_dict(), folder.name)

    def save(path: Path) -> None:
        model.save_pretrained(path)
        tokenizer.save_pretrained(path)

    write_atomically(folder, save)


def finish(model: Path, card: str, out: Path) -> None:
    """Give a trained model its card and its place, and remove the work folder that it lies in."""
    (model / "README.md").write_text(card, encoding="utf-8", errors="backslashreplace")
    if out.exists():
        out.rmdir()
    os.replace(model, out)
    shutil.rmtree(model.parent)


def last_checkpoint(work: Path) -> str | None:
    """Return the last checkpoint that was written to its end; None if there is none."""
    # The state is what the writing of a checkpoint ends with.
    checkpoints = {
        int(path.parent.name.rpartition("-")[2]): path.parent
        for path in work.glob("checkpoint-*/trainer_state.json")
        if read_json(path)
    }
    return str(checkpoints[max(checkpoints)]) if checkpoints else None


def read_json(file: Path) -> Any:
    """Read a file of ours; None where it was not written to its end."""
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


@contextmanager
def fixed_seed(seed: int) -> Iterator[None]:
    """Seed all draws and quieten transformers, and have both as they were in the end."""
    import torch

    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        with torch.random.fork_rng(), quiet_transformers(bars=False):
            torch.manual_seed(seed)
            yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002


@dataclass(frozen=True)
class Trained(ABC):
    """A rewriter that was trained.

    Attributes:
        rows: Split name to the number of its rows.
        left_out: Why rows were left out, and how many.
    """

    folder: Path
    rows: Mapping[str, int]
    left_out: Mapping[str, int]

    # What the rows are called where nobody says where they are from.
    of: ClassVar[str]

    @abstractmethod
    def lines(self) -> list[str]:
        """Return lines of how good it is, for a terminal."""

    @abstractmethod
    def measured(self, rows: str) -> list[Measured]:
        """Return its measures on the test rows."""

    @abstractmethod
    def evaluation(self, config: Any) -> list[str]:
        """Write the section of its card about these."""

    @abstractmethod
    def training(self, config: Any, counts: str, left_out: str) -> str:
        """Return what it was trained on."""

    def card(
        self, config: TrainingConfig, source: str = "", command: str = "", control: str = "plain"
    ) -> str:
        """Write its card."""
        title, rows = self.folder.absolute().name, strip_folders(source) or self.of
        counts = ", ".join(f"{name} {count:,}" for name, count in self.rows.items())
        left_out = "; ".join(f"{escaped(why)}: {count:,}" for why, count in self.left_out.items())
        sections = {
            "Use": rewriter_lines(title, control), "Evaluation": self.evaluation(config),
            "Method": config.method(self),
            "Training": [
                self.training(config, counts, f" Left out: {left_out}." if left_out else ""), "",
                *json_block(_shown(config.settings())),
            ],
            "What a rewrite can be": config.limits,
            "Source of the method": config.citation.splitlines(),
        }  # fmt: skip
        return model_card(
            title=title, base_model=config.base, training_data=rows,
            command=[command] if command else [], task="text2text-generation",
            metadata={"language": ["en"], "tags": [config.tag]}, measured=self.measured(rows),
            sections=sections,
        )  # fmt: skip


def _shown(value: Any) -> Any:
    """Return a value without the folders of this machine."""
    if isinstance(value, Mapping):
        return {name: _shown(each) for name, each in value.items()}
    return strip_folders(value) if isinstance(value, str) else value
