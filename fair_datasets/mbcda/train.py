"""Training MBCDA, from texts to a folder with a model that writes their counterfactuals."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fair_datasets.checks import InputError
from fair_datasets.digests import file_digests
from fair_datasets.draws import row_key
from fair_datasets.mbcda.card import mbcda_card
from fair_datasets.mbcda.config import MbcdaConfig
from fair_datasets.mbcda.evaluation import Evaluated, Judge, evaluated
from fair_datasets.mbcda.generator import HeldOut, discriminator_of, generator_of, prepared
from fair_datasets.pretrained import folder_files
from fair_datasets.rewriter_training.parallel import (
    COUNTERFACTUAL,
    Parallel,
    parallel_rows,
    refuse_unfit_models,
)
from fair_datasets.rewriter_training.rows import (
    ATTRIBUTE,
    TEXT,
    AttributedRows,
    attributed_rows,
    class_numbers,
    linear_classifier,
    refuse_one_class,
)
from fair_datasets.rewriter_training.surroundings import undisturbed
from fair_datasets.rewriter_training.work import finish, refuse_taken, work_of, working_in
from fair_datasets.scores.models import load_model
from fair_datasets.scores.resuming import write_file
from fair_datasets.selection.splits import pair_split
from fair_datasets.swap.counterfactual import CounterfactualSwap

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

_OWNER = "train_mbcda"
# Where the work folder notes the file of pairs, and the column of texts that belong together.
_PAIRS, _GROUP = "pairs-file", "group"


class TrainedMbcda(NamedTuple):
    """A generator of counterfactuals that was trained.

    Attributes:
        folder: The folder of the model, with its tokenizer and its card.
        attributes: The two attributes between which it rewrites.
        rows: Split name to the number of its texts, and `pairs` to that of the pairs that the
            generator was trained on.
        left_out: Why rows were left out, and how many were for each reason.
        held_out: How well the discriminator reads the validation texts; None where there is none.
        evaluated: What was measured on the test texts.
    """

    folder: Path
    attributes: tuple[str, str]
    rows: Mapping[str, int]
    left_out: Mapping[str, int]
    held_out: HeldOut | None
    evaluated: Evaluated


def train_mbcda(
    config: MbcdaConfig, dataset: "Dataset", *, source: str = "", command: str = ""
) -> TrainedMbcda:
    """Train a model to write the counterfactuals of texts, on corrected swaps.

    The swap writes counterfactuals, a detector masks what is wrong in them, an infiller fills the
    masks, and a filter leaves out the pairs whose attribute stays. On these pairs a generator is
    trained, while a discriminator, which was trained before to read the attribute from its logits,
    pulls it to the other attribute. The model is asked by `ModelRewrite(control="plain")`.

    Rows are split by text. Each step is kept in `<out>.work`, whole or not at all, and the
    trainings keep checkpoints there; the same call goes on from the last, and on a CPU writes what
    it would have written without the interrupt. When all is done that folder is removed. The
    checkpoints hold pickles of transformers (the states of the optimizer and of the draws), which
    it reads as data alone, never as code, and which are not published; what is left in the end are
    safetensors.

    Args:
        config: The settings.
        dataset: The rows, with a column of texts and one of their attribute.
        source: What the rows are, for the card.
        command: The command that trains it again, for the card.

    Returns:
        Where the model is, and how well it does on the test texts.

    Raises:
        InputError: The rows cannot be used, a model cannot be read or does not suit, no pair is
            left, the folder holds something already, or the work folder is of other settings or
            rows.

    Source:
        Tokpo and Calders (2023), "Model-based Counterfactual Generator for Gender Bias Mitigation".
    """
    out = Path(config.out)
    refuse_taken(out, owner=_OWNER)
    if config.is_judged_by_its_filter:
        warnings.warn(
            f"{_OWNER}: judge is the classifier that the filter asks, which reads its own choice "
            "as a success; name one that was trained on other texts.",
            stacklevel=2,
        )
    data = config.parallel
    found = attributed_rows(
        dataset, text=data.text, attribute=data.attribute, names=data.attributes,
        classifier=data.classifier, owner=_OWNER,
    )  # fmt: skip
    given = _judge(config, found.names)
    work = work_of(out)
    _refuse_pairs(config, out, work)
    refuse_unfit_models(data, steps=config.chosen.steps)
    if config.causal is not None:
        load_model(config.causal, "causal", owner=_OWNER)
    # Whoever measures otherwise does not train anew.
    trained = replace(config, judge=None, judge_classes=(), causal=None)
    key = _key(config, found.rows)
    with undisturbed(config.seed), working_in(work, trained, key, owner=_OWNER):
        result = _trained(config, found, work, given)
        finish(work / "model", mbcda_card(result, config, source=source, command=command), out)
    return result


def _trained(
    config: MbcdaConfig, found: AttributedRows, work: Path, judge: Judge | None
) -> TrainedMbcda:
    """Take all steps, each but where it is done already."""
    splits = split_with_swaps(config, found.rows)
    _refuse_few(splits, found.names)
    steps, classifier = config.chosen.steps, config.parallel.classifier
    if classifier is None and steps == "filter":
        classifier = linear_classifier(splits["train"], work / "classifier")
    pairs = parallel_rows(
        config.parallel, splits["train"], work / "train", steps=steps, classifier=classifier,
        owner=_OWNER,
    )  # fmt: skip
    start = prepared(config, splits["train"][TEXT][:], work, owner=_OWNER)
    discriminator, held_out = None, None
    if config.chosen.discriminated:
        discriminator, held_out = discriminator_of(start, splits["train"], splits["validation"])
    model, fitting = generator_of(start, pairs.rows, discriminator)
    long = len(pairs.rows) - len(fitting)
    if judge is None:
        judge = Judge(linear_classifier(splits["validation"], work / "judge"))
    measured = evaluated(config, model, splits["test"], judge, work / "test")
    if config.pairs is not None:
        content = BytesIO()
        pairs.rows.select(fitting).to_parquet(content)
        write_file(work / _PAIRS, str(Path(config.pairs).absolute()).encode())
        write_file(Path(config.pairs), content.getvalue())
    left_out = found.dropped | pairs.dropped
    return TrainedMbcda(
        Path(config.out), found.names, _counts(splits, pairs, long),
        left_out | ({f"more than {config.max_length} tokens": long} if long else {}),
        held_out, measured,
    )  # fmt: skip


def split_with_swaps(config: MbcdaConfig, rows: "Dataset") -> "DatasetDict":
    """Split the rows so that a text and what the swap makes of it are never in two splits.

    Args:
        config: The settings, with the shares and the seed.
        rows: The columns `text` and `attribute`.

    Returns:
        The splits `train`, `validation` and `test`.
    """
    swap = CounterfactualSwap(
        columns=TEXT, axis=config.parallel.axis, names=config.parallel.names, mode="pair"
    )
    swapped = swap.apply(rows)[COUNTERFACTUAL][:]
    group = [min(pair) for pair in zip(rows[TEXT], swapped, strict=True)]
    splits = pair_split(
        rows.add_column(_GROUP, group), config.sizes, seed=config.seed, pair_column=_GROUP
    )
    return splits.remove_columns(_GROUP)


def _refuse_pairs(config: MbcdaConfig, out: Path, work: Path) -> None:
    """Raise where the pairs cannot be written in the end, or would overwrite another file."""
    if config.pairs is None:
        return
    file = Path(config.pairs).absolute()
    if not file.parent.is_dir() or {out.absolute(), work.absolute()} & {*file.parents}:
        raise InputError(
            f"{_OWNER}: pairs is {str(config.pairs)!r}, but there is no folder for it outside of "
            "out; make one, or name another file."
        )
    noted = work / _PAIRS
    is_ours = noted.exists() and noted.read_text("utf-8") == str(file)
    if file.exists() and not is_ours:
        raise InputError(
            f"{_OWNER}: {str(config.pairs)!r} is there already, and nothing is overwritten; name "
            "another file for pairs."
        )


def _judge(config: MbcdaConfig, names: tuple[str, str]) -> Judge | None:
    """Return the classifier that was named for the measures, if one was."""
    if config.judge is None:
        return None
    model = str(config.judge)
    classes = class_numbers(
        model, names, config.judge_classes, parameter="judge_classes", owner=_OWNER
    )
    return Judge(model, classes)


def _counts(splits: "DatasetDict", pairs: Parallel, long: int) -> dict[str, int]:
    """Return how many rows there are of what."""
    found = {str(name): len(rows) for name, rows in splits.items()}
    return found | {"pairs": len(pairs.rows) - long}


def _refuse_few(splits: "DatasetDict", names: tuple[str, str]) -> None:
    """Raise unless each split has texts, and what is learnt from has those of both attributes."""
    for name, rows in splits.items():
        if not len(rows):
            raise InputError(
                f"{_OWNER}: no row is left for {name}: there are too few texts; give more, or "
                "other shares."
            )
    for name in ("train", "validation"):
        refuse_one_class(splits[name][ATTRIBUTE][:], names, owner=f"{_OWNER} ({name} rows)")


def _key(config: MbcdaConfig, rows: "Dataset") -> str:
    """Return a key of the rows, and of the files here of all models and of the lexicon."""
    given = [
        *config.parallel.models(config.chosen.steps), config.model, config.encoder,
    ]  # fmt: skip
    files = [
        file_digests(folder_files(str(name), owner=_OWNER)) for name in given if name is not None
    ]
    swap = CounterfactualSwap(columns=TEXT, axis=config.parallel.axis)
    files.append(swap.digests)
    return row_key([*rows[TEXT], *rows[ATTRIBUTE], *(part for found in files for part in found)])
