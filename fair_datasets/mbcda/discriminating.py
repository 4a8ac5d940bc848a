"""The training of the discriminator, which is kept in the work folder when it is done."""

import json
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fair_datasets.mbcda.config import MbcdaConfig
from fair_datasets.rewriter_training.generator.start import Start, numbered_tokens
from fair_datasets.rewriter_training.rows import ATTRIBUTE, TEXT
from fair_datasets.rewriter_training.surroundings import undisturbed
from fair_datasets.rewriter_training.work import read_json
from fair_datasets.scores.resuming import write_whole

if TYPE_CHECKING:
    from datasets import Dataset

    from fair_datasets.mbcda.discriminator import LogitDiscriminator

REPORT = "report.json"


class HeldOut(NamedTuple):
    """How well a discriminator reads texts that it was not trained on.

    Attributes:
        accuracy: The share of the texts whose attribute it reads rightly, in [0, 1].
        majority: The share of the more frequent attribute among them.
        texts: How many texts there are.

    Example:
        >>> HeldOut.of([0, 1, 1, 1], [0, 1, 1, 0])
        HeldOut(accuracy=0.75, majority=0.5, texts=4)
    """

    accuracy: float
    majority: float
    texts: int

    @classmethod
    def of(cls, found: Sequence[int], attributes: Sequence[int]) -> "HeldOut":
        """Compare what was read with the attributes that the texts have."""
        hits = sum(one == other for one, other in zip(found, attributes, strict=True))
        most = max(Counter(attributes).values())
        return cls(hits / len(attributes), most / len(attributes), len(attributes))

    @property
    def is_chance(self) -> bool:
        """Whether always naming the more frequent one does as well, within two standard errors."""
        error = sqrt(self.majority * (1 - self.majority) / self.texts)
        return self.accuracy <= self.majority + 2 * error


def discriminator_of(
    start: Start[MbcdaConfig], train: "Dataset", held_out: "Dataset"
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


def _train_discriminator(
    start: Start[MbcdaConfig], train: "Dataset", held_out: "Dataset", folder: Path
) -> None:
    """Train a discriminator, measure it, and save both."""
    from fair_datasets.mbcda.discriminator import LogitDiscriminator
    from fair_datasets.mbcda.trainer import DiscriminatorTrainer, read_classes

    config, shape = start.config, start.config.discriminator
    generator, tokenizer = start.read()
    rows = {
        name: numbered_tokens(
            start, tokenizer, each[TEXT][:], each[TEXT][:], each[ATTRIBUTE][:], name
        )[0]
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
    report = HeldOut.of(found, [row[ATTRIBUTE] for row in rows["validation"]])

    def save(path: Path) -> None:
        model.save(path)
        (path / REPORT).write_text(json.dumps(report._asdict()), encoding="utf-8")

    write_whole(folder, save)


def _labelled(rows: "Dataset") -> "Dataset":
    """Return the rows whose attribute is known."""
    return rows.filter(lambda row: row[ATTRIBUTE] is not None)
