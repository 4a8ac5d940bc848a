"""The trainings of MBCDA in their order, each kept in the work folder when it is done."""

import json
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.checks import InputError
from fair_datasets.mbcda.config import MbcdaConfig
from fair_datasets.rewriter_training.denoising import Denoising
from fair_datasets.rewriter_training.encoding import pairs_within
from fair_datasets.rewriter_training.parallel import COUNTERFACTUAL
from fair_datasets.rewriter_training.rows import ATTRIBUTE, TEXT
from fair_datasets.rewriter_training.surroundings import undisturbed
from fair_datasets.rewriter_training.tokenizer import MASK
from fair_datasets.rewriter_training.work import read_json, read_model, save_whole, starting_point
from fair_datasets.scores.resuming import write_whole

if TYPE_CHECKING:
    from datasets import Dataset

    from fair_datasets.mbcda.discriminator import LogitDiscriminator

# What a loss passes over.
_NONE = -100
REPORT = "report.json"


class HeldOut(NamedTuple):
    """How well a discriminator reads texts that it was not trained on.

    Attributes:
        accuracy: The share of the texts whose attribute it reads rightly, in [0, 1].
        majority: The share of the more frequent attribute among them.
        texts: How many texts there are.
    """

    accuracy: float
    majority: float
    texts: int

    @property
    def is_chance(self) -> bool:
        """Whether always naming the more frequent one does as well, within two standard errors."""
        error = sqrt(self.majority * (1 - self.majority) / self.texts)
        return self.accuracy <= self.majority + 2 * error


class Start(NamedTuple):
    """What all trainings begin with.

    Attributes:
        config: The settings.
        work: The folder in which they are kept.
        model: The folder of the model.
        owner: The function that trains, for errors.
    """

    config: MbcdaConfig
    work: Path
    model: Path
    owner: str

    def read(self) -> tuple[Any, Any]:
        """Return the model that trainings start from, as it was, and its tokenizer."""
        return read_model(self.model, owner=self.owner)


def prepared(config: MbcdaConfig, texts: Sequence[str], work: Path, *, owner: str) -> Start:
    """Make the model that the discriminator and the generator start from.

    Args:
        config: The settings.
        texts: The training texts.
        work: The folder.
        owner: The function that trains, for errors.

    Returns:
        Where it is.
    """
    signs = (MASK,) if config.denoising else ()
    with undisturbed(config.seed):
        model, tokenizer = starting_point(config, texts, work, signs=signs, owner=owner)
    start = Start(config, work, work / "start", owner)
    if not config.denoising:
        return start
    done = work / "denoised"
    if not done.is_dir():
        from fair_datasets.mbcda.trainer import GeneratorTrainer

        rows, _ = _tokens(start, tokenizer, texts, texts, [_NONE] * len(texts), "train")
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


def discriminator_of(
    start: Start, train: "Dataset", held_out: "Dataset"
) -> "tuple[LogitDiscriminator, HeldOut]":
    """Train the discriminator on the logits that the model gives texts of known attribute.

    Args:
        start: What it starts from.
        train: The training rows: `text` and `attribute`.
        held_out: Those that it is measured on.

    Returns:
        The discriminator, with its weights fixed, and how well it reads the rows that are held out.
    """
    from fair_datasets.mbcda.discriminator import LogitDiscriminator

    folder = start.work / "discriminator"
    if not folder.is_dir():
        # Whatever was drawn before: a step that is done already draws nothing.
        with undisturbed(start.config.seed):
            _train_discriminator(start, _labelled(train), _labelled(held_out), folder)
    return LogitDiscriminator.load(folder), HeldOut(**read_json(folder / REPORT))


def _train_discriminator(start: Start, train: "Dataset", held_out: "Dataset", folder: Path) -> None:
    """Train a discriminator, measure it, and save both."""
    from fair_datasets.mbcda.discriminator import LogitDiscriminator
    from fair_datasets.mbcda.trainer import DiscriminatorTrainer, read_classes

    config, shape = start.config, start.config.discriminator
    generator, tokenizer = start.read()
    rows = {
        name: _tokens(start, tokenizer, each[TEXT][:], each[TEXT][:], each[ATTRIBUTE][:], name)[0]
        for name, each in (("train", train), ("validation", held_out))
    }
    model = LogitDiscriminator(
        generator.get_output_embeddings().weight.shape[0], widths=shape.widths,
        dropout=shape.dropout, head=shape.head, pooling=shape.pooling,
    )  # fmt: skip
    trainer = DiscriminatorTrainer(
        config.of_discriminator(), model=model, generator=generator, tokenizer=tokenizer,
        train=rows["train"], work=start.work / "discriminating",
    )  # fmt: skip
    trainer.go_on()
    found = read_classes(
        model.freeze(), trainer.generator, tokenizer, rows["validation"],
        rows_at_once=config.rows_at_once,
    )  # fmt: skip
    right = [row[ATTRIBUTE] for row in rows["validation"]]
    hits = sum(one == other for one, other in zip(found, right, strict=True))
    report = HeldOut(
        hits / len(right), max(right.count(0), right.count(1)) / len(right), len(right)
    )

    def save(path: Path) -> None:
        model.save(path)
        (path / REPORT).write_text(json.dumps(report._asdict()), encoding="utf-8")

    write_whole(folder, save)


def generator_of(
    start: Start, pairs: "Dataset", discriminator: "LogitDiscriminator | None"
) -> tuple[Path, list[int]]:
    """Train the generator.

    Args:
        start: What it starts from.
        pairs: The rows: `text`, `attribute` and `text_counterfactual`.
        discriminator: What pulls it along; None for nothing.

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
    rows, fitting = _tokens(start, tokenizer, texts, others, asked, "train")
    folder = start.work / "model"
    if not folder.is_dir():
        from fair_datasets.mbcda.trainer import GeneratorTrainer

        trainer = GeneratorTrainer(
            config, model=model, tokenizer=tokenizer, train=rows, work=start.work / "generating",
            discriminator=discriminator, weights=(1.0, config.discriminator.weight),
        )  # fmt: skip
        with undisturbed(config.seed):
            trainer.go_on()
        save_whole(trainer.model, tokenizer, folder)
    return folder, fitting


def _labelled(rows: "Dataset") -> "Dataset":
    """Return the rows whose attribute is known."""
    return rows.filter(lambda row: row[ATTRIBUTE] is not None)


def _tokens(
    start: Start, tokenizer: Any, texts: Sequence[str], others: Sequence[str],
    numbers: Sequence[int], name: str,
) -> tuple[list[dict[str, Any]], list[int]]:  # fmt: skip
    """Return the token ids of rows with a number each, and which rows did not have too many."""
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
