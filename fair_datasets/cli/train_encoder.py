"""The command `train-encoder`: labelled pairs of sentences in, a sentence encoder out."""

import argparse
import shutil
from collections.abc import Sequence, Sized
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.cli.arguments import add_text, command_again
from fair_datasets.cli.file_outputs import local_folder, new_folder
from fair_datasets.cli.inputs import add_input
from fair_datasets.cli.outputs import refuse_taken, work_folder
from fair_datasets.cli.parsers import option
from fair_datasets.cli.sources import open_source
from fair_datasets.cli.text_columns import check_text_columns
from fair_datasets.rows.families import FAMILY, joined
from fair_datasets.scores.bilstm.config import PRESETS, SentenceEncoderConfig
from fair_datasets.scores.bilstm.pairs import PairAccuracy, pair_accuracy
from fair_datasets.scores.bilstm.train import train_sentence_encoder
from fair_datasets.selection.splits import three_splits
from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require

if TYPE_CHECKING:
    from datasets import Dataset

_SINGLE = ("label", "vectors", "preset", "epochs", "seed", "out")


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "train-encoder",
        help="train a sentence encoder (BiLSTM with max-pooling) on labelled pairs",
        description="Train an encoder on word vectors to tell the classes of pairs of sentences, "
        "such as those of SNLI, and write it as a folder that sentence_vectors, BiasScore and push "
        "model take. An interrupted run, also one that was killed, goes on when the same command "
        "is run again. INPUT has the splits train, validation and test; one split is divided 8:1:1 "
        "by the first text.",
    )
    add_input(parser)
    add_text(parser)
    option(
        parser, "--label", "the column with the class of each pair; rows with -, -1 or nothing in "
        "it are left out", usual="label", metavar="COL",
    )  # fmt: skip
    option(
        parser, "--vectors", "the word vectors: a file of GloVe or word2vec, an .npz, or a Hub id",
        required=True, metavar="FILE",
    )  # fmt: skip
    option(
        parser, "--preset", "infersent: the published size and schedule, days on a CPU (the "
        "default); small: a minute for some thousand pairs", choices=tuple(PRESETS),
        default="infersent",
    )  # fmt: skip
    option(
        parser, "--epochs", "how often the pairs are seen at most (default: that of the preset)",
        int,
    )  # fmt: skip
    option(parser, "--seed", "the seed of the draws", int, 1234, metavar=None)
    option(parser, "--work", "where the training is kept (default: OUT.work)", Path, metavar="DIR")
    option(
        parser, "--out", "the folder to write; `fair-datasets push model` publishes it",
        local_folder, required=True, metavar="DIR",
    )  # fmt: skip
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Raises:
        InputError: An argument or the input is wrong.
    """
    require("models", owner=options.command)
    out: Path = options.out
    refuse_taken(out)
    if len(options.text) != 2:
        raise InputError(
            "train-encoder: a pair has two sentences; give --text twice, such as --text premise "
            "--text hypothesis."
        )
    source, read, loaded = open_source(options, out, options.text)
    for split, dataset in loaded.items():
        check_text_columns(dataset, options.text, f"{options.input} (split {split})")
    splits = three_splits(
        loaded, partial(_families, options=options), seed=options.seed, where=options.input
    )
    command = command_again(
        options, source.name, read, single=_SINGLE, several={"text": options.text}
    )
    with work_folder(options, out) as work, new_folder(out) as folder:
        told = _train(options, splits, work, folder, source.name, command)
    if options.work is None:
        shutil.rmtree(work, ignore_errors=True)
    print(
        f"{told}\n\nWritten to {out}. To use it:\n\n"
        "    from fair_datasets.scores.embeddings import sentence_vectors\n"
        f"    vectors = sentence_vectors(['It rained.'], {str(out)!r})"
    )


def _families(rows: "Dataset", options: argparse.Namespace) -> Sequence[int]:
    """Say which rows belong together: those of one family, and those with the same first text."""
    keys = [rows[options.text[0]][:]]
    keys += [rows[FAMILY][:]] if FAMILY in rows.column_names else []
    found: list[int] = joined(*keys).tolist()
    return found


def _train(
    options: argparse.Namespace,
    splits: "dict[str, Dataset]",
    work: Path,
    folder: Path,
    source: str,
    command: str,
) -> str:
    """Train, save the encoder into a folder, and return what is told of it."""
    from fair_datasets.scores.bilstm.network import BiLSTMEncoder

    given = {} if options.epochs is None else {"epochs": options.epochs}
    config = SentenceEncoderConfig.preset(
        options.preset, out=work, vectors=options.vectors, columns=tuple(options.text),
        label=options.label, seed=options.seed, **given,
    )  # fmt: skip
    trained = train_sentence_encoder(
        config, splits["train"], splits["validation"], training_data=source, command=command
    )
    encoder = BiLSTMEncoder.from_pretrained(trained)
    encoder.save_pretrained(folder, model_card_kwargs={"title": options.out.absolute().name})
    told = encoder.provenance
    lines = [
        f"train: {told['read_pairs']:,} of {told['pairs'] + told['unlabelled']:,} rows, "
        f"{_number(told['epochs_trained'], 'epoch')}; epoch {told['best_epoch']} was best."
    ]
    lines += [
        _line(name, pair_accuracy(encoder, config, splits[name])) for name in ("validation", "test")
    ]
    return "\n".join(lines)


def _line(name: str, found: PairAccuracy) -> str:
    """Describe the accuracy on a split."""
    return (
        f"{name}: accuracy {found.accuracy:.1%} of {found.pairs:,} pairs; the most frequent class "
        f"has {found.majority:.1%}."
    )


def _number(things: Sized, word: str) -> str:
    """Write how many things there are."""
    return f"{len(things):,} {word}{'s' * (len(things) != 1)}"
