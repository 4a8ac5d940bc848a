"""What a diet depends on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

from fair_datasets.reader.load import checked_reader
from fair_datasets.reader.matching.pipeline import checked_pipeline
from fair_datasets.rows.column_checks import ColumnNames
from fair_datasets.scores.probes.config import label_column, plain_settings
from fair_datasets.selection.rankings import ranking_named
from fair_datasets.selection.search import DEFAULT_OBJECTIVE, OBJECTIVES
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid
from fair_datasets.system.validate import AxisName, OneOf, Strings, validate_fields

_LEAST = {"seed": 0, "placebo_draws": 0, "probe_seeds": 1, "probe_epochs": 1, "seeds": 1}


@dataclass(frozen=True, kw_only=True)
class DietConfig:
    """The settings of `healthy_diet`.

    Attributes:
        columns: The text column or columns.
        roles: Whose texts of a conversation are read and swapped; none for everybody's.
        label: The column with the class of each row, 0 or 1.
        axis: The demographic axis that is swapped.
        names: Whether names are swapped too; see `CounterfactualSwap`.
        pipeline: A trained spaCy pipeline that is asked about neighbours; see `CounterfactualSwap`.
        reader: What tells names and pronouns; see `CounterfactualSwap`.
        rankings: The rankings that are searched; see `fair_datasets.selection.rankings`.
        a_values: The shares of factual rows: several, or one that is fixed.
        b_values: The shares of counterfactuals.
        max_auc_drop: How much the AUC may fall, in per cent of that of the factual rows alone.
        optimise: The measure of fairness that cells are chosen by: `flip_rate`,
            `flip_rate_excess`, `demographic_parity_by_attribute`, `demographic_parity_changed` or
            `demographic_parity` (the paper's); `fair_datasets.selection.search` says what they
            are and why the flip rate, in which nothing cancels, is the default. All of them are
            reported.
        placebo_draws: How many draws of other words in the same places flips are compared with, as
            by `fair_datasets.swap.placebos_of`; 0 for none. They are the same for all classifiers.
        probe_seeds: How many probes score the rows.
        probe_epochs: How many epochs they are trained for the forget score, at least 2; the other
            scores are taken after the first epoch.
        seeds: How often each selection is drawn and trained on; measures are means over these.
        seed: The first of the seeds, of the probes and of the trainings.

    Raises:
        InputError: A setting is not what it must be.

    Example:
        >>> DietConfig(columns="text").rankings
        ('healthy_random',)
    """

    columns: ColumnNames
    roles: Strings = ()
    label: str = "label"
    axis: AxisName = "gender"
    names: bool | None = None
    pipeline: str | None = None
    reader: str | None = None
    rankings: Strings = ("healthy_random",)
    a_values: Sequence[float] | float = (0.3, 0.4, 0.5)
    b_values: Sequence[float] | float = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    max_auc_drop: float = 3.0
    optimise: Annotated[str, OneOf(OBJECTIVES)] = DEFAULT_OBJECTIVE
    placebo_draws: int = 9
    probe_seeds: int = 5
    probe_epochs: int = 5
    seeds: int = 3
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        validate_fields(self)
        label_column(self.label)
        object.__setattr__(self, "pipeline", checked_pipeline(self.pipeline))
        reader = checked_reader(self.reader, self.pipeline)
        object.__setattr__(self, "reader", reader)
        for ranking in self.rankings:
            ranking_named(ranking)
        if not self.rankings:
            raise invalid("rankings must name at least one ranking.")
        for name, least in _LEAST.items():
            checks.whole_number(getattr(self, name), parameter=name, least=least)
        if self.optimise == "flip_rate_excess" and not self.placebo_draws:
            raise invalid(
                "placebo_draws is 0, so there is no excess over placebos to optimise; "
                "raise it, or optimise 'flip_rate'."
            )
        for name in ("a_values", "b_values"):
            object.__setattr__(self, name, _shares(getattr(self, name), name))
        self._check_grid()
        drop = self.max_auc_drop
        if isinstance(drop, bool) or not isinstance(drop, int | float) or not isfinite(drop):
            raise invalid(f"max_auc_drop must be a number, but it is {drop!r}.")

    def _check_grid(self) -> None:
        """Raise if the grid has no cell, or one that a ranking cannot fill."""
        highest = max(self.a_values), max(self.b_values)  # type: ignore[arg-type]
        if highest == (0, 0):
            raise invalid(
                "a_values and b_values are both 0 alone, which selects nothing; raise one of them."
            )
        for name in self.rankings:
            is_of_others = ranking_named(name).factual.by == "random others"
            if is_of_others and sum(highest) > 1 + 1e-9:
                raise invalid(
                    f"the ranking {name!r} takes no row twice, so a + b must be at most 1, but the "
                    f"grid has a={highest[0]:g} with b={highest[1]:g}; lower one of them."
                )

    @property
    def reading(self) -> dict[str, Any]:
        """What the techniques are told that read the axis in the texts."""
        names = ("columns", "roles", "axis", "names", "pipeline", "reader")
        return {"protect": (), **{name: getattr(self, name) for name in names}}

    @property
    def training_seeds(self) -> tuple[int, ...]:
        """The seed of each training of a selection."""
        return tuple(range(self.seed, self.seed + self.seeds))

    @property
    def scores(self) -> tuple[str, ...]:
        """The scores that the rankings need, each once."""
        scores = [score for name in self.rankings for score in ranking_named(name).scores]
        return tuple(dict.fromkeys(scores))

    @property
    def equity_column(self) -> str:
        """The column that `EquityScore` adds for the axis, which may be a lexicon's file."""
        return f"{Path(self.axis).stem}_equity"

    def score_column(self, score: str) -> str:
        """Return the column of a score: the one that it is computed into, or taken over from.

        Args:
            score: One of `fair_datasets.selection.rankings.SCORES`.

        Returns:
            The column's name, as the techniques and `fair-datasets score` write it.

        Example:
            >>> config = DietConfig(columns="text")
            >>> config.score_column("equity"), config.score_column("el2n")
            ('gender_equity', 'el2n')
        """
        return self.equity_column if score == "equity" else score

    def settings(self) -> dict[str, Any]:
        """Return the settings as JSON data."""
        return plain_settings(self)


def _shares(given: Any, name: str) -> tuple[float, ...]:
    several = given if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    shares = tuple(checks.fraction(share, parameter=f"each of {name}") for share in several)
    if not shares or len(set(shares)) < len(shares):
        raise invalid(f"{name} must hold different shares, one at least, but it is {given!r}.")
    return shares
