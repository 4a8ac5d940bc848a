"""The model that the trainings of a generator begin with, and the generator that comes of it."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from fair_datasets.rewriters.training.encoding import Tokens, pairs_within
from fair_datasets.rewriters.training.generator.config import GeneratorConfig
from fair_datasets.rewriters.training.parallel import COUNTERFACTUAL
from fair_datasets.rewriters.training.rows import ATTRIBUTE, TEXT
from fair_datasets.rewriters.training.surroundings import undisturbed
from fair_datasets.rewriters.training.tokenizer import MASK
from fair_datasets.rewriters.training.work import read_model, save_whole, starting_point
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

Settings = TypeVar("Settings", bound=GeneratorConfig)
# What a loss passes over.
_NONE = -100


class Start(NamedTuple, Generic[Settings]):
    """What all trainings begin with.

    Attributes:
        config: The settings.
        work: The folder in which they are kept.
        model: The folder of the model.
        owner: The function that trains, for errors.
    """

    config: Settings
    work: Path
    model: Path
    owner: str

    def read(self) -> tuple[Any, Any]:
        """Return the model that trainings start from, as it was, and its tokenizer."""
        return read_model(self.model, owner=self.owner)


def prepared(config: Settings, texts: Sequence[str], work: Path, *, owner: str) -> Start[Settings]:
    """Make the model that trainings start from.

    Args:
        owner: The function that trains, for errors.
    """
    signs = (MASK,) if config.denoising else ()
    with undisturbed(config.seed):
        model, tokenizer = starting_point(config, texts, work, signs=signs, owner=owner)
    start = Start(config, work, work / "start", owner)
    if not config.denoising:
        return start
    done = work / "denoised"
    if not done.is_dir():
        from fair_datasets.rewriters.training.generator.trainer import GeneratorTrainer

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
        save_whole(trainer.model, tokenizer, done, owner=owner)
    return start._replace(model=done)


def generator_of(
    start: Start[Any], pairs: "Dataset", trainer: Callable[..., Any] | None = None
) -> tuple[Path, list[int]]:
    """Train the generator.

    Args:
        pairs: The rows: `text`, `attribute` and `text_counterfactual`.
        trainer: What trains it, given what a `GeneratorTrainer` is; None for this.

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
        from fair_datasets.rewriters.training.generator.trainer import GeneratorTrainer

        training = (trainer or GeneratorTrainer)(
            config, model=model, tokenizer=tokenizer, train=rows, work=start.work / "generating"
        )
        with undisturbed(config.seed):
            training.go_on()
        save_whole(training.model, tokenizer, folder, owner=start.owner)
    return folder, fitting


def numbered_tokens(
    start: Start[Any], tokenizer: Any, texts: Sequence[str], others: Sequence[str],
    numbers: Sequence[int], name: str,
) -> tuple[list[dict[str, Any]], list[int]]:  # fmt: skip
    """Return the token ids of rows with a number each.

    Args:
        numbers: The number of each row, as its `attribute`.
        name: What the rows are called, for errors.

    Returns:
        The rows, and the numbers of those that did not have too many tokens.

    Raises:
        InputError: All had.
    """
    limit = start.config.max_length
    kept, tokens = pairs_within(texts, others, tokenizer, limit)
    if not kept:
        raise InputError(
            f"{start.owner}: no row is left for {name}: all {len(texts):,} have more than {limit} "
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
            copies: How often each is seen.
            mask: The token that stands for a gap of one token.
            share: The share of the tokens that are masked.
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
