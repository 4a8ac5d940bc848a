"""Scoring training pairs with the scores that the rankings need."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.rows.text_fields import counterfactual_column, field_columns
from fair_datasets.scores.el2n import EL2N
from fair_datasets.scores.equity import EquityScore
from fair_datasets.scores.forgetting import Forgetting
from fair_datasets.scores.grand import GraNd
from fair_datasets.scores.probes import train_probes
from fair_datasets.selection.diet.config import DietConfig
from fair_datasets.selection.probe_trainer import ProbeTrainer
from fair_datasets.selection.score_values import score_values
from fair_datasets.system.checks import InputError
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    from datasets import Dataset


def scored_rows(
    pairs: "Dataset", config: DietConfig, probe: ProbeTrainer, folder: Path
) -> "Dataset":
    """Train probes on the factual rows and add the scores that the pairs lack.

    Equity, EL2N and GraNd are those after the first epoch, the mean over the probes; the forget
    score counts over all epochs, also a mean over the probes.

    Args:
        config: The columns, the label, and the rankings, which say what scores are needed.

    Returns:
        The pairs with a column for each score.
    """
    scores = unscored(config, pairs.column_names)
    if not scores:
        return pairs
    held = field_columns(config.columns, pairs.column_names, owner="healthy_diet")
    factual = pairs.remove_columns(list(map(counterfactual_column, held)))
    settings = probe.probes(
        folder,
        tuple(range(config.seed, config.seed + config.probe_seeds)),
        needed_epochs(scores, config.probe_epochs, owner="DietConfig"),
    )
    paths = train_probes(settings, factual)
    for technique in score_techniques(scores, probe, paths, axis=config.axis):
        pairs = technique.apply(pairs, desc=f"Scoring: {type(technique).__name__}")
    return pairs


def unscored(config: DietConfig, columns: Iterable[str]) -> tuple[str, ...]:
    """Return the scores that the rankings need and that are no columns yet.

    Args:
        config: The rankings, and the axis, which names the column of the equity score.

    Example:
        >>> config = DietConfig(columns="text", rankings="healthy_el2n")
        >>> unscored(config, ["text", "label", "gender_equity"])
        ('el2n',)
    """
    there = set(columns)
    return tuple(score for score in config.scores if config.score_column(score) not in there)


def ready_scores(train: "Dataset", config: DietConfig) -> tuple[str, ...]:
    """Return the scores that the rankings need and that the rows have, or raise if one is unfit.

    Raises:
        InputError: A score is missing in a row, or is no number.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He ran."], "gender_equity": [None]})
        >>> ready_scores(rows, DietConfig(columns="text"))
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: healthy_diet, split train: column 'gender_equity' holds no
        score in row 0 (counted from 0) but None; remove the row, or fill the score in. Without this
        column the score is computed.
    """
    missing = unscored(config, train.column_names)
    ready = tuple(score for score in config.scores if score not in missing)
    plain = train.with_format(None)
    for column in map(config.score_column, ready):
        try:
            score_values(plain[column][:], f"column {column!r}", owner="healthy_diet, split train")
        except InputError as error:
            raise InputError(f"{error} Without this column the score is computed.") from error
    return ready


def needed_epochs(scores: Sequence[str], epochs: int, *, owner: str) -> int:
    """Return how many epochs probes are trained: only the forget score reads more than the first.

    Args:
        scores: Of `fair_datasets.selection.rankings.SCORES`.
        owner: What needs the scores, for errors.

    Raises:
        InputError: The forget score is asked for, and there are fewer than two epochs.

    Example:
        >>> needed_epochs(["equity"], 5, owner="score")
        1
    """
    if "forgetting" not in scores:
        return 1
    if epochs < 2:
        raise InputError(
            f"{owner}: the forget score counts what is forgotten from one epoch to the next; train "
            f"the probes for at least 2 epochs, not {epochs}."
        )
    return epochs


def score_techniques(
    scores: Sequence[str], probe: ProbeTrainer, paths: Sequence[Sequence[str]], *, axis: str
) -> list[Technique]:
    """Return the techniques that add scores.

    Args:
        scores: Of `fair_datasets.selection.rankings.SCORES`.
        paths: For each seed the checkpoints of its epochs, as `train_probes` returns them.

    Example:
        >>> score_techniques([], ProbeTrainer(columns=("text",)), [], axis="gender")
        []
    """
    first = tuple(epochs[0] for epochs in paths)
    read: dict[str, Any] = {
        "columns": probe.columns, "roles": probe.roles, "max_length": probe.max_length
    }  # fmt: skip
    makers: dict[str, Callable[[], Technique]] = {
        "equity": lambda: EquityScore(models=first, axis=axis, **read),
        "el2n": lambda: EL2N(models=first, label=probe.label, **read),
        "grand": lambda: GraNd(models=first, label=probe.label, **read),
        "forgetting": lambda: Forgetting(
            models=tuple(map(tuple, paths)), label=probe.label, **read
        ),
    }
    return [makers[name]() for name in scores]
