"""What a selection is compared with: the factual rows, CDA, CDS and blindness."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from fair_datasets.diet.config import DietConfig
from fair_datasets.rows.text_fields import counterfactual_column, field_columns
from fair_datasets.selection.select import select
from fair_datasets.swap.balancing import MentionedAttribute, balance_groups
from fair_datasets.swap.blindness import Blindness
from fair_datasets.swap.counterfactual import CounterfactualSwap

if TYPE_CHECKING:
    from datasets import Dataset

_GROUP = "group"


def baselines(
    train: "Dataset", config: DietConfig, pool: "Dataset | None" = None
) -> "dict[str, Callable[[int], Dataset]]":
    """Return the methods that need no score.

    Args:
        train: The training rows in pairs, as `CounterfactualSwap(mode="pair")` makes them.
        config: The columns, the label and the axis.
        pool: Other rows, with the text columns and the label; None for no balancing.

    Returns:
        The name of each to a function from a seed to the rows to train on: `vanilla` (the factual
        rows), `CDA` (2N rows: each and its counterfactual, as in the paper also where the two are
        equal), `CDS` (each row or its counterfactual, by a fair coin), `blindness` (the words of
        the axis are removed) and, with a pool, `balancing` (negatives that mention an attribute
        are added).
    """
    held = field_columns(config.columns, train.column_names, owner="healthy_diet")
    factual = train.remove_columns(list(map(counterfactual_column, held)))

    def substituted(seed: int) -> "Dataset":
        swap = CounterfactualSwap(**config.reading, mode="substitute", seed=seed)
        return swap.apply(factual, desc="Substituting")

    def blind(seed: int) -> "Dataset":
        blindness = Blindness(**config.reading)
        return blindness.apply(factual, desc="Removing terms")

    methods: dict[str, Callable[[int], Dataset]] = {
        "vanilla": lambda seed: factual,
        "CDA": partial(_both, train, config),
        "CDS": substituted,
        "blindness": blind,
    }
    if pool is not None:
        methods["balancing"] = partial(_balanced, factual, pool, config)
    return methods


def selected(
    scored: "Dataset", config: DietConfig, ranking: str, a: float, b: float, seed: int
) -> "Dataset":
    """Select rows by a ranking; see `fair_datasets.selection.select`."""
    return select(scored, a, b, columns=config.columns, ranking=ranking, seed=seed,
                  score_columns={"equity": config.equity_column})  # fmt: skip


def _balanced(factual: "Dataset", pool: "Dataset", config: DietConfig, seed: int) -> "Dataset":
    """Add negatives from a pool to the groups that have more positives than the whole."""
    mentioned = MentionedAttribute(**config.reading)
    kept = [
        *field_columns(config.columns, factual.column_names, owner="healthy_diet"),
        config.label,
    ]
    rows, others = (mentioned.apply(each.select_columns(kept)) for each in (factual, pool))
    balanced = balance_groups(
        rows, others, group_column=_GROUP, label_column=config.label, seed=seed
    )
    return balanced.dataset.remove_columns(_GROUP)


def _both(train: "Dataset", config: DietConfig, seed: int) -> "Dataset":
    """Return all factual rows and all counterfactuals."""
    return selected(train, config, "random", 1, 1, seed)
