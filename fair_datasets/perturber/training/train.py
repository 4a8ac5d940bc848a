"""Training a perturber, from rows in the format of PANDA to a folder with the model."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fair_datasets.generation.controls import Control
from fair_datasets.perturber.training.card import perturber_card
from fair_datasets.perturber.training.config import PerturberConfig
from fair_datasets.perturber.training.data import COLUMNS, perturbations
from fair_datasets.perturber.training.encoding import encoded
from fair_datasets.perturber.training.evaluation import Quality, perturber_quality
from fair_datasets.perturber.training.trainer import trainer_of
from fair_datasets.rewriter_training.encoding import Tokens
from fair_datasets.rewriter_training.surroundings import undisturbed
from fair_datasets.rewriter_training.work import (
    finish,
    read_json,
    refuse_taken,
    save_whole,
    starting_point,
    work_of,
    working_in,
)
from fair_datasets.rows.draws import row_key
from fair_datasets.scores.resuming import write_file
from fair_datasets.selection.splits import pair_split
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

_OWNER = "train_perturber"


class TrainedPerturber(NamedTuple):
    """A perturber that was trained.

    Attributes:
        folder: The folder of the model, with its tokenizer and its card.
        rows: Split name to the number of its rows.
        left_out: Why rows were left out, and how many were for each reason.
        bleu: The mean sentence BLEU of the rewritten validation rows, in [0, 100].
        steps: After how many steps it was best.
        quality: What was measured on the test rows, of the model and of what needs none; see
            `perturber_quality`.
    """

    folder: Path
    rows: Mapping[str, int]
    left_out: Mapping[str, int]
    bleu: float
    steps: int
    quality: Mapping[str, Quality]


class _Split(NamedTuple):
    """The rows of a split that are not too long, and their token ids."""

    rows: "Dataset"
    tokens: list[Tokens]


def train_perturber(
    config: PerturberConfig, dataset: "Dataset", *, pipeline: str | None = None,
    reader: str | None = None, source: str = "", command: str = "",
) -> TrainedPerturber:  # fmt: skip
    """Train a model to rewrite what a text says about one person.

    Rows are split by `original`, so that no text is in two splits. Training keeps checkpoints in
    `<out>.work`; the same call goes on from the last one, and writes what it would have written
    without the interrupt. When all is done that folder is removed. The checkpoints hold pickles of
    transformers (the states of the optimizer and of the draws), which it reads as data alone, never
    as code; what is left in the end are safetensors.

    Args:
        config: The settings.
        dataset: The rows; see `perturbations`.
        pipeline: What tells the swap, beside which the model is measured, which words are terms.
        reader: What tells it names and pronouns; see `perturber_quality`.
        source: What the rows are, for the card.
        command: The command that trains it again, for the card.

    Returns:
        Where the model is, and how well it rewrites the test rows.

    Raises:
        InputError: The rows cannot be used, a model cannot be read, the folder holds something
            already, or the checkpoints are of other settings or rows.

    Source:
        Qian et al. (2022), section 4; the prompt is that of the released model.
    """
    out = Path(config.out)
    refuse_taken(out, owner=_OWNER)
    found = perturbations(dataset, attributes=config.attributes, faulty=config.faulty)
    work = work_of(out)
    done = work / "model"
    signs = Control.read(config.control, owner=_OWNER).signs(several=True)
    data = row_key(value for column in COLUMNS for value in found.rows[column])
    with undisturbed(config.seed), working_in(work, config, data, owner=_OWNER):
        splits = pair_split(found.rows, config.sizes, seed=config.seed, family_column=COLUMNS[0])
        texts = [text for column in COLUMNS for text in splits["train"][column]]
        model, tokenizer = starting_point(config, texts, work, signs=signs, owner=_OWNER)
        read = {name: _fitting(rows, tokenizer, config, name) for name, rows in splits.items()}
        if not done.is_dir():
            _train(config, model, tokenizer, read, work)
        best = read_json(work / "best.json")
        quality = perturber_quality(
            read["test"].rows, model=done, control=config.control, pipeline=pipeline, reader=reader
        )
        long = sum(len(rows) - len(read[name].rows) for name, rows in splits.items())
        result = TrainedPerturber(
            out, {name: len(split.rows) for name, split in read.items()},
            found.dropped | ({f"more than {config.max_length} tokens": long} if long else {}),
            best["bleu"], best["steps"], quality,
        )  # fmt: skip
        finish(done, perturber_card(result, config, source=source, command=command), out)
    return result


def _fitting(rows: "Dataset", tokenizer: Any, config: PerturberConfig, name: str) -> _Split:
    """Return the rows of a split that are not too long, with their tokens; or raise for none."""
    control = Control.read(config.control, owner=_OWNER)
    numbers, tokens = encoded(rows, tokenizer, control, config.max_length) if rows else ([], [])
    if not numbers:
        why = (
            f"all {len(rows):,} rows have more than {config.max_length} tokens; raise max_length, "
            "or split the texts"
            if len(rows)
            else "there are too few texts; give more, or other shares"
        )
        raise InputError(f"{_OWNER}: no row is left for {name}: {why}.")
    return _Split(rows.select(numbers), tokens)


def _train(
    config: PerturberConfig, model: Any, tokenizer: Any, read: Mapping[str, _Split], work: Path
) -> None:
    """Train a model, from the last checkpoint on if there is one, and save the best state."""
    validation = read["validation"]
    chosen = _chosen(validation.tokens, config.evaluation_rows)
    trainer = trainer_of(
        config, model, tokenizer, read["train"].tokens,
        [validation.tokens[place] for place in chosen],
        validation.rows.select(chosen)["perturbed"][:], work,
    )  # fmt: skip
    trainer.go_on()
    best = {"bleu": trainer.state.best_metric, "steps": trainer.state.best_global_step}
    write_file(work / "best.json", json.dumps(best).encode())
    save_whole(trainer.model, tokenizer, work / "model", owner=_OWNER)


def _chosen(rows: Sequence[Tokens], most: int | None) -> list[int]:
    """Return which validation rows are rewritten at an evaluation, by length."""
    chosen = list(range(len(rows)))
    if most is not None and most < len(rows):
        chosen = np.linspace(0, len(rows) - 1, most).astype(int).tolist()
    return sorted(chosen, key=lambda place: len(rows[place]["input_ids"]))
