"""Training a perturber, from rows in the format of PANDA to a folder with the model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

import numpy as np

from fair_datasets.cards.report.tables import markdown_table, text_table
from fair_datasets.cards.statements import Measured
from fair_datasets.measures.rewrites import text_overlap
from fair_datasets.rewriters.generation.controls import Control
from fair_datasets.rewriters.perturber.data import (
    COLUMNS,
    FAULTY,
    Quality,
    perturbations,
    perturber_quality,
    quality_table,
)
from fair_datasets.rewriters.training.config import RowsSource, TrainingConfig
from fair_datasets.rewriters.training.network import Tokens, decoded, pairs_within
from fair_datasets.rewriters.training.work import (
    Trained,
    claim_work_folder,
    finish,
    fixed_seed,
    last_checkpoint,
    read_json,
    refuse_taken,
    save_whole,
    starting_point,
    work_of,
)
from fair_datasets.rows.draws import row_key
from fair_datasets.selection.splits import pair_split
from fair_datasets.system.checks import error_context, invalid
from fair_datasets.system.validate import (
    Count,
    Natural,
    OneOf,
    PathOrName,
    Positive,
    Strings,
    path_or_name,
    validate_fields,
)

if TYPE_CHECKING:
    from datasets import Dataset

    from fair_datasets.rewriters.training.trainer import KeyedTrainer


@dataclass(frozen=True, kw_only=True)
class RowsConfig(RowsSource):
    """Where the rows of a training are from: the table `[rows]`.

    Its source may be None, for sentences about two people alone.

    Attributes:
        text: The text column or columns, of whose texts the swap makes rows; none where the rows
            are in the format of PANDA.
        names: Whether names are swapped; None for first names of men and women alone.
        pipeline: A trained spaCy pipeline that tells terms from other words.
        reader: A token classifier that tells names and pronouns; see `CounterfactualSwap`.
        targets: The attributes that people may become; none for all.
        joined: The share of the texts about one person that are joined with another such text.
        two_people: How many sentences about two people are added.

    Example:
        >>> RowsConfig(source="panda.jsonl").text
        ()
    """

    source: Annotated[str, path_or_name] | None = None  # type: ignore[assignment]
    text: Strings = ()
    axis: str = "gender"
    names: bool | None = None
    pipeline: str | None = None
    reader: str | None = None
    targets: tuple[str, ...] | str = ()
    joined: float = 0.5
    two_people: Natural = 0

    @error_context("[rows]")
    def __post_init__(self) -> None:
        """Check the settings that no other function does."""
        validate_fields(self)
        if self.source is None and not self.two_people:
            raise invalid(
                "there are no rows; name a source, or ask for sentences about two_people."
            )
        for name in ("axis", "names", "pipeline", "reader", "targets", "joined"):
            if not self.text and getattr(self, name) != getattr(RowsConfig, name):
                raise invalid(
                    f"{name} is for rows that the swap makes from texts, but text names "
                    "no column; name one, or leave it out."
                )


@dataclass(frozen=True, kw_only=True)
class PerturberConfig(TrainingConfig):
    """How a perturber is trained, and where it is saved.

    The defaults are the paper's settings: BART-large, 10 epochs, 64 rows a step, a learning rate of
    1e-5 after 1,200 steps of warm-up, gradients clipped at 0.1, and the state that is best by
    sentence BLEU on the validation rows, which is measured four times an epoch; training ends when
    it has not risen ten times in a row. `PerturberConfig.small` has settings for a laptop.

    It has the settings of `TrainingConfig` (`fair_datasets.rewriters.training.config`) as well.

    Attributes:
        control: How the model is told what to do, which those who use it have to give as well; see
            `ModelRewrite`.
        attributes: Further attributes that may be a target, beside those of PANDA.
        faulty: `raise` for an error at a row that cannot be used, `drop` to leave such rows out.
        evaluations: How often an epoch the validation rows are rewritten at most.
        evaluation_rows: How many validation rows are rewritten there; None for all.
        patience: After how many evaluations in a row without a better one training ends.

    Raises:
        InputError: A setting is not what it must be.
        MissingExtraError: What trains a model is not installed.

    Example:
        >>> PerturberConfig(out="perturber").model
        'facebook/bart-large'
        >>> PerturberConfig.small(out="perturber", epochs=5).model is None
        True
    """

    small_settings: ClassVar[dict[str, Any]] = {
        "model": None, "layers": 2, "width": 128, "vocabulary": 4000, "dropout": 0.0,
        "epochs": 30, "batch_size": 32, "rows_at_once": 32, "learning_rate": 1e-3,
        "warmup_steps": 100, "gradient_clip": 1.0, "max_length": 128, "evaluations": 1,
        "evaluation_rows": 200, "patience": 5,
    }  # fmt: skip

    tables: ClassVar = {"rows": RowsConfig}
    tag: ClassVar = "perturber"
    citation: ClassVar = (
        "Qian, R., Ross, C., Fernandes, J., Smith, E. M., Kiela, D., Williams, A. (2022). "
        "Perturbation Augmentation for Fairer NLP. EMNLP 2022."
    )
    limits: ClassVar = (
        "- It knows the words that it was trained on. What it writes can be wrong, invented or "
        "about somebody else: `ModelRewrite` verifies each rewrite and falls back where one does "
        "not pass.",
        "- Do not use it where facts about people matter: a rewrite says something about a person "
        "that nobody said.",
        "- Rows that the swap made repeat the swap's mistakes, and test rows among them count a "
        "model as right if it repeats these too.",
    )

    model: PathOrName | None = "facebook/bart-large"
    control: str = "perturber"
    attributes: Strings = ()
    faulty: Annotated[str, OneOf(FAULTY)] = "raise"
    warmup_steps: Natural = 1200
    gradient_clip: Positive = 0.1
    evaluations: Count = 4
    evaluation_rows: Count | None = None
    patience: Count = 10

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        super().__post_init__()
        Control.read(self.control)


@dataclass(frozen=True)
class TrainedPerturber(Trained):
    """A perturber that was trained.

    Attributes:
        bleu: The mean sentence BLEU of the rewritten validation rows, in [0, 100].
    """

    bleu: float
    steps: int
    quality: Mapping[str, Quality]

    of: ClassVar[str] = "rows in the format of PANDA"

    def lines(self) -> list[str]:
        """Return how good it is beside what needs no model."""
        return [
            f"Best after {self.steps:,} steps: BLEU {self.bleu:.2f} on the validation rows. "
            "On the test rows:", "", text_table(quality_table(self.quality)),
        ]  # fmt: skip

    def measured(self, rows: str) -> list[Measured]:
        """Return how far its rewrites agree with what is right, and copies of the texts before."""
        before = self.quality["copying"].cells()
        return [
            Measured(name, value, before[name], f"{rows}, test rows", "before: copying")
            for name, value in self.quality["model"].cells().items()
            if name != "unwritten"
        ]

    def evaluation(self, config: PerturberConfig) -> list[str]:
        """Write the table of the model and of what needs none."""
        return [
            f"On {self.rows['test']:,} test rows, none of whose texts was trained on; nothing is "
            "verified here. `copying` leaves each text as it is; `swap` rewrites all words of the "
            "target's axis, whoever they are about. `exact` is the share of rewrites that are "
            "right character by character, `unwritten` the share of rows without one.",
            "",
            markdown_table(quality_table(self.quality)),
        ]

    def training(self, config: PerturberConfig, counts: str, left_out: str) -> str:
        """Return what it was trained on, and which state it is."""
        return (
            f"Rows: {counts}; those of one text are in one split.{left_out}\n"
            f"The state after {self.steps:,} steps, with a mean sentence BLEU of "
            f"{self.bleu:.2f} on the validation rows."
        )


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
        pipeline: What tells the swap, beside which the model is measured, which words are terms.
        reader: What tells it names and pronouns; see `perturber_quality`.

    Raises:
        InputError: The rows cannot be used, a model cannot be read, the folder holds something
            already, or the checkpoints are of other settings or rows.

    Source:
        Qian et al. (2022), section 4; the prompt is that of the released model.
    """
    out = Path(config.out)
    refuse_taken(out)
    pairs = perturbations(dataset, attributes=config.attributes, faulty=config.faulty)
    work = work_of(out)
    done = work / "model"
    signs = Control.read(config.control).signs(several=True)
    data = row_key(value for column in COLUMNS for value in pairs.rows[column])
    with fixed_seed(config.seed), claim_work_folder(work, config, data):
        splits = pair_split(pairs.rows, config.sizes, seed=config.seed, family_column=COLUMNS[0])
        texts = [text for column in COLUMNS for text in splits["train"][column]]
        model, tokenizer = starting_point(config, texts, work, signs=signs)
        read = {name: _fitting(rows, tokenizer, config, name) for name, rows in splits.items()}
        if not done.is_dir():
            _train(config, model, tokenizer, read, work)
        state = read_json(Path(str(last_checkpoint(work))) / "trainer_state.json")
        quality = perturber_quality(
            read["test"].rows, model=done, control=config.control, pipeline=pipeline, reader=reader
        )
        long = sum(len(rows) - len(read[name].rows) for name, rows in splits.items())
        result = TrainedPerturber(
            out, {name: len(split.rows) for name, split in read.items()},
            pairs.dropped | ({f"more than {config.max_length} tokens": long} if long else {}),
            state["best_metric"], state["best_global_step"], quality,
        )  # fmt: skip
        finish(done, result.card(config, source, command, config.control), out)
    return result


def _fitting(rows: "Dataset", tokenizer: Any, config: PerturberConfig, name: str) -> _Split:
    """Return the rows of a split that are not too long, with their tokens; or raise for none."""
    control = Control.read(config.control)
    numbers, tokens = encoded(rows, tokenizer, control, config.max_length, name)
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
    trainer.resume()
    save_whole(trainer.model, tokenizer, work / "model")


def _chosen(rows: Sequence[Tokens], most: int | None) -> list[int]:
    """Return which validation rows are rewritten at an evaluation, by length."""
    chosen = list(range(len(rows)))
    if most is not None and most < len(rows):
        chosen = np.linspace(0, len(rows) - 1, most).astype(int).tolist()
    return sorted(chosen, key=lambda place: len(rows[place]["input_ids"]))


def encoded(
    rows: "Dataset", tokenizer: Any, control: Control, max_length: int, name: str = "train"
) -> tuple[list[int], list[Tokens]]:
    """Return the token ids of rows; see `pairs_within`."""
    asked = zip(rows["selected_word"], rows["target_attribute"], rows["original"], strict=True)
    read = [control.written(word, target, [text]) for word, target, text in asked]
    return pairs_within(read, rows["perturbed"][:], tokenizer, max_length, name)


def trainer_of(
    config: PerturberConfig,
    model: Any,
    tokenizer: Any,
    train: Sequence[Tokens],
    validation: Sequence[Tokens],
    references: Sequence[str],
    work: Path,
) -> "KeyedTrainer":
    """Return what trains a model, keeps checkpoints and ends with the best state."""
    from transformers import DataCollatorForSeq2Seq, EarlyStoppingCallback

    from fair_datasets.rewriters.training.trainer import KeyedTrainer

    def measured(predicted: Any) -> dict[str, float]:
        """Return the BLEU of rewritten validation rows."""
        texts = decoded(predicted.predictions, tokenizer)
        return {"bleu": text_overlap(texts, references).mean.bleu}

    return KeyedTrainer(
        config, model=model, train=train, work=work, checkpoints=config.evaluations,
        processing_class=tokenizer, eval_dataset=validation, compute_metrics=measured,
        data_collator=DataCollatorForSeq2Seq(tokenizer, model=model),
        callbacks=[EarlyStoppingCallback(config.patience)],
        arguments={
            "eval_strategy": "steps", "load_best_model_at_end": True,
            "metric_for_best_model": "bleu", "greater_is_better": True,
            "predict_with_generate": True, "generation_max_length": config.max_length,
        },
    )  # fmt: skip
