"""The folder of a training, which goes on after an interrupt; how that of a generator begins."""

import dataclasses
import json
import os
import random
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.network import MASK, Tokens, pairs_within, starting_network
from fair_datasets.rewriters.training.parallel import (
    ATTRIBUTE,
    COUNTERFACTUAL,
    TEXT,
    ParallelConfig,
)
from fair_datasets.rows.column_checks import ColumnName
from fair_datasets.scores.models import ScoringModel
from fair_datasets.system.checks import called, invalid
from fair_datasets.system.files import indented, locked, write_file
from fair_datasets.system.kinds import Count, Natural, PathOrName, Strings
from fair_datasets.system.pretrained import read_pretrained, refuse_no_numbers
from fair_datasets.system.steps import write_whole
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from datasets import Dataset


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


def note_file(work: Path, file: Path) -> None:
    """Note in a work folder that its training writes a file, before it does."""
    noted = work / _WRITTEN
    before = noted.read_bytes() if noted.exists() else b""
    write_file(noted, before + f"{file.absolute()}\n".encode())


def work_of(out: Path) -> Path:
    """Return the folder in which what is trained into another one is kept meanwhile."""
    return out.with_name(f"{out.absolute().name}.work")


@contextmanager
def working_in(work: Path, config: TrainingConfig, data: str) -> Iterator[None]:
    """Have a work folder for oneself, and note in it what is trained.

    Args:
        work: The folder; it need not be there. One in which nothing was trained yet is begun anew.
    """
    stated: Mapping[str, Any] = {
        "version": __version__, "settings": config.settings(), "rows": data,
    }  # fmt: skip
    work.mkdir(parents=True, exist_ok=True)
    taken = (
        f"{called()}: another process trains in {str(work)!r}; wait for it, or name another out."
    )
    with locked(work / _LOCK, taken):
        file = work / "settings.json"
        # What was read from JSON has no tuples.
        if file.exists() and read_json(file) != json.loads(json.dumps(stated)):
            _empty(work)
        if not file.exists():
            write_file(file, indented(stated).encode())
        yield


def _empty(work: Path) -> None:
    """Empty a work folder in which nothing was trained yet; raise if something was."""
    for path in work.iterdir():
        # A training that has no checkpoint yet, such as one that diverged, lost no more than steps.
        if path.name not in {"settings.json", _LOCK, START} and not path.name.endswith(".partial"):
            raise invalid(
                f"{str(work)!r} holds a training that was interrupted, with other "
                "settings or rows; go on with those, remove it, or name another out."
            )
    (work / "settings.json").unlink()
    shutil.rmtree(work / START, ignore_errors=True)


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

    write_whole(folder, save)


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
    found = {
        int(path.parent.name.rpartition("-")[2]): path.parent
        for path in work.glob("checkpoint-*/trainer_state.json")
        if read_json(path)
    }
    return str(found[max(found)]) if found else None


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
def undisturbed(seed: int) -> Iterator[None]:
    """Seed all draws and quieten transformers, and have both as they were in the end."""
    import torch

    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        with torch.random.fork_rng(), _quiet_transformers():
            torch.manual_seed(seed)
            yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002


@contextmanager
def _quiet_transformers() -> Iterator[None]:
    """Keep transformers from telling what it saves and loads."""
    from transformers.utils import logging

    verbosity, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if has_bars:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]


@dataclass(frozen=True, kw_only=True)
class GeneratorConfig(TrainingConfig, ABC):
    """How a generator of counterfactuals is trained on texts: the base of each method's own.

    The defaults are those that Tokpo and Calders use in both of their papers: a BART-base, and
    texts of at most 200 tokens. It has the settings of `TrainingConfig`
    (`fair_datasets.rewriters.training.config`) as well.

    Attributes:
        denoising: How often a generator is taught to fill gaps in each training text before all
            else; 0 for a model that is trained already.
        parallel: How texts get the counterfactuals that it is trained on.
        judge: The Hub id or folder of the classifier that measures how often the attribute
            changes, another one than that of the filter; None for a linear probe that is trained on
            the validation rows.
        judge_classes: Which of the two attributes each of its classes is, in their order; none for
            what it calls them.
        causal: The Hub id or folder of a language model that measures fluency; None to leave that
            out.
        label: The column of a label, 0 or 1, that classifiers are trained to predict from the
            training texts with their counterfactuals, to measure the difference of their rates
            between the attributes; None to leave that out.
        pairs: A Parquet file, which is not there yet, that the pairs of texts are written to which
            the generator was trained on; None for none.
    """

    small_settings: ClassVar[dict[str, Any]] = {
        "model": None, "layers": 1, "width": 64, "vocabulary": 2000, "dropout": 0.0,
        "denoising": 6, "epochs": 4, "batch_size": 32, "rows_at_once": 32, "learning_rate": 2e-3,
        "max_length": 128,
    }  # fmt: skip

    model: PathOrName | None = "facebook/bart-base"
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    batch_size: Count = 48
    rows_at_once: Count = 8
    max_length: Count = 200
    denoising: Natural = 0
    parallel: ParallelConfig
    judge: PathOrName | None = None
    judge_classes: Strings = ()
    causal: PathOrName | None = None
    label: ColumnName | None = None
    pairs: PathOrName | None = None

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        super().__post_init__()
        if self.judge_classes and self.judge is None:
            raise invalid(
                "judge_classes are the classes of judge, but judge is None; name a "
                "judge, or leave them out."
            )
        if not isinstance(self.parallel, ParallelConfig):
            raise invalid(f"parallel must be a ParallelConfig, but it is {self.parallel!r}.")

    @property
    @abstractmethod
    def steps(self) -> str:
        """The last step of the parallel data; see `parallel_rows`."""

    @property
    def is_judged_by_its_filter(self) -> bool:
        """Whether the classifier that measures is the one that the filter asks."""
        own = self.parallel.classifier
        if self.judge is None or own is None:
            return False
        return Path(self.judge).resolve() == Path(own).resolve()

    def models(self) -> Iterator[str]:
        """Yield the Hub ids and folders of all models that it is trained by."""
        yield from self.parallel.models(self.steps)
        for name in (self.model, self.encoder):
            if name is not None:
                yield str(name)

    def settings(self) -> dict[str, Any]:
        """Return all that the model depends on, as JSON data: all but where things are saved."""
        found = super().settings()
        del found["pairs"]
        return found

    def of_training(self) -> Self:
        """Return the same without what measures: whoever measures otherwise trains nothing anew."""
        return dataclasses.replace(self, judge=None, judge_classes=(), causal=None)

    def of_denoising(self) -> TrainingConfig:
        """Return the settings of the training that fills gaps."""
        return dataclasses.replace(self, epochs=1)


Settings = TypeVar("Settings", bound=GeneratorConfig)
# What a loss passes over.
_NONE = -100


class Start(NamedTuple, Generic[Settings]):
    """What all trainings begin with."""

    config: Settings
    work: Path
    model: Path

    def read(self) -> tuple[Any, Any]:
        """Return the model that trainings start from, as it was, and its tokenizer."""
        return read_model(self.model)


def prepared(config: Settings, texts: Sequence[str], work: Path) -> Start[Settings]:
    """Make the model that trainings start from."""
    signs = (MASK,) if config.denoising else ()
    with undisturbed(config.seed):
        model, tokenizer = starting_point(config, texts, work, signs=signs)
    start = Start(config, work, work / "start")
    if not config.denoising:
        return start
    done = work / "denoised"
    if not done.is_dir():
        from fair_datasets.rewriters.training.trainer import GeneratorTrainer

        rows, _ = numbered_tokens(start, tokenizer, texts, texts, [_NONE] * len(texts), "train")
        gaps = Denoising(
            [row["labels"] for row in rows], copies=config.denoising,
            mask=tokenizer.convert_tokens_to_ids(MASK), seed=config.seed,
        )  # fmt: skip
        trainer = GeneratorTrainer(
            config.of_denoising(), model=model, tokenizer=tokenizer, train=gaps,
            work=work / "denoising", title="Learning to fill gaps",
        )  # fmt: skip
        with undisturbed(config.seed):
            trainer.go_on()
        save_whole(trainer.model, tokenizer, done)
    return start._replace(model=done)


def generator_of(
    start: Start[Any], pairs: "Dataset", trainer: Callable[..., Any] | None = None
) -> tuple[Path, list[int]]:
    """Train the generator.

    Returns:
        The folder of the model, and the numbers of the pairs that did not have too many tokens.
    """
    config = start.config
    model, tokenizer = start.read()
    texts, others = pairs[TEXT][:], pairs[COUNTERFACTUAL][:]
    asked = [
        _NONE if number is None or text == other else 1 - number
        for text, other, number in zip(texts, others, pairs[ATTRIBUTE], strict=True)
    ]
    rows, fitting = numbered_tokens(start, tokenizer, texts, others, asked, "train")
    folder = start.work / "model"
    if not folder.is_dir():
        from fair_datasets.rewriters.training.trainer import GeneratorTrainer

        training = (trainer or GeneratorTrainer)(
            config, model=model, tokenizer=tokenizer, train=rows, work=start.work / "generating"
        )
        with undisturbed(config.seed):
            training.go_on()
        save_whole(training.model, tokenizer, folder)
    return folder, fitting


def numbered_tokens(
    start: Start[Any], tokenizer: Any, texts: Sequence[str], others: Sequence[str],
    numbers: Sequence[int], name: str,
) -> tuple[list[dict[str, Any]], list[int]]:  # fmt: skip
    """Return the token ids of rows with a number each."""
    limit = start.config.max_length
    kept, tokens = pairs_within(texts, others, tokenizer, limit)
    if not kept:
        raise invalid(
            f"no row is left for {name}: all {len(texts):,} have more than {limit} "
            "tokens; raise max_length, or split the texts."
        )
    rows: list[dict[str, Any]] = [
        {**row, ATTRIBUTE: numbers[number]} for number, row in zip(kept, tokens, strict=True)
    ]
    return rows, list(kept)


class Denoising(Sequence[Tokens]):
    """Texts with gaps, each several times with other gaps, which follow from the seed alone."""

    def __init__(
        self, texts: Sequence[Sequence[int]], *, copies: int, mask: int, share: float = 0.3,
        seed: int = 0,
    ) -> None:  # fmt: skip
        """Take the texts.

        Args:
            texts: Their token ids, between a sign for the beginning and one for the end.
        """
        self._texts = texts
        self._copies = copies
        self._mask = mask
        self._share = share
        self._seed = seed

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._texts) * self._copies

    def __getitem__(self, place: Any) -> Any:
        """Return a row."""
        copy, number = divmod(place, len(self._texts))
        ids = np.asarray(self._texts[number])
        draws = np.random.default_rng([self._seed, copy, number])
        gaps = draws.random(len(ids)) < self._share
        gaps[[0, -1]] = False
        read = np.where(gaps, self._mask, ids).tolist()
        return {"input_ids": read, "attention_mask": [1] * len(read), "labels": ids.tolist()}

    def __iter__(self) -> Iterator[Tokens]:
        """Yield the rows."""
        return (self[place] for place in range(len(self)))
