"""How probes are trained, as data."""

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Any

from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import ColumnNames
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid, require
from fair_datasets.system.validate import (
    Count,
    OneOf,
    PathOrName,
    Positive,
    Strings,
    validate_fields,
)

HEADS = ("linear", "mlp")
# None stands for fine-tuning.
LEARNING_RATES = {None: 2e-5, "linear": 1e-2, "mlp": 1e-3}


@dataclass(frozen=True, kw_only=True)
class ProbeConfig:
    """How probes are trained, and where they are saved.

    The settings of Zayed et al. (2023) are: BERT or RoBERTa, five seeds, 15 epochs (10 for
    Jigsaw), batches of 64 (32 for Jigsaw), at most 100 tokens (40 for Jigsaw), a learning rate of
    1e-6; scores are taken after the first epoch. The defaults here learn more in fewer epochs.

    Attributes:
        out: The folder of the probes; the state after epoch `e` of seed `s` is in
            `<out>/seed-<s>/epoch-<e>`.
        model: `linear` for logistic regression on TF-IDF features; else the Hub id or the folder
            of a model with its tokenizer.
        head: None to fine-tune the model. `linear` or `mlp` leave it as it is and train logistic
            regression, or a network with one hidden layer of 128 units, on its sentence vectors,
            which are computed once: minutes on a CPU.
        columns: The text column or columns: a model that is fine-tuned reads two as a pair; the
            sentence vectors of several stand side by side.
        roles: Whose texts of a conversation are read; none for everybody's.
        label: The column with the class of each row.
        epochs: How often each probe sees the data.
        learning_rate: Of AdamW, constant, for all models but `linear`, as are the next two; None
            for 2e-5 in fine-tuning, 1e-2 for a linear head and 1e-3 for `mlp`.
        batch_size: How many rows a step has.
        max_length: How many tokens of a text are read.

    Raises:
        InputError: A parameter is not what it must be.
        MissingExtraError: A model is to be fine-tuned, and torch or transformers is not installed.

    Example:
        >>> ProbeConfig(out="probes", columns="text", seeds=3).seeds
        (0, 1, 2)
    """

    out: PathOrName
    columns: ColumnNames
    model: PathOrName = "linear"
    head: Annotated[str, OneOf(HEADS)] | None = None
    roles: Strings = ()
    label: str = "label"
    seeds: tuple[int, ...] | int = (0, 1, 2, 3, 4)
    epochs: Count = 3
    learning_rate: Positive | None = None
    batch_size: Count = 32
    max_length: Count = 128

    def __post_init__(self) -> None:
        """Check the parameters and write each in one form."""
        validate_fields(self)
        object.__setattr__(self, "label", label_column(self.label))
        object.__setattr__(self, "seeds", _seeds(self.seeds))
        self._check_head()
        if self.learning_rate is None:
            object.__setattr__(self, "learning_rate", LEARNING_RATES[self.head])
        if self.model != "linear" and self.head is None and len(self.columns) > 2:
            raise invalid(
                f"a model reads one text or a pair, but columns names {len(self.columns)}; join "
                "some of them first, or use model='linear' or head='linear'."
            )
        if self.model != "linear":
            require("models")

    def _check_head(self) -> None:
        """Raise unless there is such a head, and a model below it."""
        if self.head is None:
            return
        if self.model == "linear":
            raise invalid(
                f"head={self.head!r} needs the sentence vectors of a model, but model='linear' "
                "reads words; name the Hub id or folder of a model, or leave head out."
            )

    def settings(self) -> dict[str, Any]:
        """Return all that the probes depend on, as JSON data: everything but the folder."""
        return plain_settings(self, "out")


def plain_settings(settings: Any, *left_out: str) -> dict[str, Any]:
    """Return the fields of a configuration as JSON data, but for some."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in dataclasses.asdict(settings).items()
        if name not in left_out
    }


def label_column(value: Any) -> str:
    """Return the name of the label column, or raise.

    Example:
        >>> label_column(["toxic", "insult"])
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: label_column: label must be one column name, but it is
        ['toxic', 'insult']; score each label separately.
    """
    if isinstance(value, list | tuple):
        raise invalid(
            f"label must be one column name, but it is {value!r}; score each label separately."
        )
    column_checks.column_name(value, parameter="label")
    return str(value)


def _seeds(value: Any) -> tuple[int, ...]:
    """Return the seeds; a number stands for so many."""
    if not isinstance(value, list | tuple):
        return tuple(range(checks.positive_whole_number(value, parameter="seeds")))
    seeds = tuple(checks.whole_number(seed, parameter="seeds") for seed in value)
    if not seeds or len(set(seeds)) < len(seeds) or min(seeds) < 0:
        raise invalid(f"seeds must be different whole numbers of at least 0, but it is {value!r}.")
    return seeds
