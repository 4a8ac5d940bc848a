"""The orders in which rows are taken from the two halves of a counterfactually augmented dataset.

Zayed et al. (2023), "Deep Learning on a Healthy Data Diet": of N factual rows and their N
counterfactuals, the first share of each half is kept, in an order of its own. The names are those
of the paper; where its code does something else under the same name, that stands under `..._code`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import floor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.rows import column_checks
from fair_datasets.rows.draws import FAMILY, family_ids, row_key
from fair_datasets.rows.given import one_dataset
from fair_datasets.rows.text_fields import (
    counterfactual_column,
    counterfactual_field,
    field_columns,
    is_there,
)
from fair_datasets.selection.thresholds import score_values
from fair_datasets.system import checks
from fair_datasets.system.checks import counted, invalid

if TYPE_CHECKING:
    from datasets import Dataset


RowNumbers = NDArray[np.int64]
SCORES = ("equity", "el2n", "grand", "forgetting")


class Order(NamedTuple):
    """The order of one half.

    Attributes:
        by: One of `SCORES`; `random`; or `random others`: at random among the rows whose
            counterfactual is not chosen.
    """

    by: str
    highest_first: bool = False


class Ranking(NamedTuple):
    """The orders of the two halves.

    Attributes:
        counterfactual: The order of the counterfactuals. Both halves have the same scores: those
            of the pair.
    """

    factual: Order
    counterfactual: Order
    sentence: str

    @property
    def scores(self) -> tuple[str, ...]:
        """The scores that the ranking needs, each once."""
        orders = (self.factual, self.counterfactual)
        return tuple(dict.fromkeys(order.by for order in orders if order.by in SCORES))


_RANDOM = Order("random")
_HIGHEST = {score: Order(score, highest_first=True) for score in SCORES}
_LOWEST_EQUITY = Order("equity")

# Those that people use come first; their names and the four of table 3 are the paper's.
RANKINGS: Mapping[str, Ranking] = {
    "healthy_random": Ranking(
        _RANDOM, _HIGHEST["equity"],
        "Any rows, and the counterfactuals that change the classifier's answer most: the paper's "
        "choice.",
    ),
    "healthy_el2n": Ranking(
        _HIGHEST["el2n"], _HIGHEST["equity"],
        "The rows that the classifier finds hardest, and the counterfactuals that change its "
        "answer most: keeps rare classes.",
    ),
    "random": Ranking(
        _RANDOM, _RANDOM, "Any rows and any counterfactuals: what a ranking has to beat."
    ),
    "unhealthy_random": Ranking(
        _RANDOM, _LOWEST_EQUITY,
        "Any rows, and the counterfactuals that change the classifier's answer least: the paper's "
        "counter-check.",
    ),
    "vanilla_ge": Ranking(
        _LOWEST_EQUITY, _LOWEST_EQUITY,
        "The rows and the counterfactuals that change the classifier's answer least.",
    ),
    "vanilla_ge_code": Ranking(
        _HIGHEST["equity"], _HIGHEST["equity"],
        "What the paper's code does under the name vanilla_ge: those that change the answer most.",
    ),
    "unhealthy_random_code": Ranking(
        _HIGHEST["equity"], _RANDOM,
        "What the paper's code does under the name unhealthy_random: the rows that change the "
        "answer most, and any counterfactuals.",
    ),
    "healthy_ge": Ranking(
        _LOWEST_EQUITY, _HIGHEST["equity"],
        "The rows that change the answer least, and the counterfactuals that change it most.",
    ),
    "unhealthy_ge": Ranking(
        _HIGHEST["equity"], _LOWEST_EQUITY,
        "The rows that change the answer most, and the counterfactuals that change it least.",
    ),
    "healthy_grand": Ranking(
        _HIGHEST["grand"], _HIGHEST["equity"],
        "The rows with the largest gradients, and the counterfactuals that change the answer most.",
    ),
    "healthy_forget": Ranking(
        _HIGHEST["forgetting"], _HIGHEST["equity"],
        "The rows that are most often forgotten, and the counterfactuals that change the answer "
        "most.",
    ),
    "super_healthy_random": Ranking(
        Order("random others"), _HIGHEST["equity"],
        "The counterfactuals that change the answer most, and any rows but their origins.",
    ),
    "top_el2n": Ranking(
        _RANDOM, _HIGHEST["el2n"],
        "Any rows, and the counterfactuals of the rows that the classifier finds hardest.",
    ),
    "top_grand": Ranking(
        _RANDOM, _HIGHEST["grand"],
        "Any rows, and the counterfactuals of the rows with the largest gradients.",
    ),
    "top_forget": Ranking(
        _RANDOM, _HIGHEST["forgetting"],
        "Any rows, and the counterfactuals of the rows that are most often forgotten.",
    ),
}  # fmt: skip
COMMON = ("healthy_random", "healthy_el2n", "random", "unhealthy_random")


class SelectedRows(NamedTuple):
    """What `select_rows` returns.

    Attributes:
        factual: The row numbers of the factual half, in rank order, i(floor(a * N)).
        counterfactual: Those of the counterfactual half, i(floor(b * N)).
    """

    factual: RowNumbers
    counterfactual: RowNumbers


def rankings() -> dict[str, str]:
    """List the rankings: those that people use first.

    The names are those of Zayed et al. (2023): table 3 has `random`, `healthy_random`,
    `unhealthy_random` and `vanilla_ge`; the others stand in its code. Its first experiment (all
    factual rows and the first counterfactuals) is a = 1 with `healthy_random`, `random`,
    `top_el2n`, `top_grand` or `top_forget`.

    Example:
        >>> rankings()["random"]
        'Any rows and any counterfactuals: what a ranking has to beat.'
        >>> list(rankings())[:4]
        ['healthy_random', 'healthy_el2n', 'random', 'unhealthy_random']
    """
    return {name: ranking.sentence for name, ranking in RANKINGS.items()}


def select_rows(
    rows: int,
    a: float,
    b: float,
    *,
    scores: Mapping[str, ArrayLike] | None = None,
    ranking: str = "healthy_random",
    seed: int = 0,
    replace: bool = False,
) -> SelectedRows:
    """Choose floor(a * N) factual rows and floor(b * N) counterfactuals.

    Ties keep the order of the rows. With one seed, a larger share contains the smaller one, unless
    `replace` is set or the ranking is `super_healthy_random`. The two halves are drawn apart.

    Args:
        scores: Score name (one of `SCORES`) to the scores of the pairs, f(N): those that the
            ranking needs; others are not read.
        replace: Whether random orders draw with replacement, as the paper's code does, so that a
            row can come twice.

    Returns:
        The row numbers, counted from 0.

    Example:
        >>> chosen = select_rows(4, 0.5, 0.25, scores={"equity": [0.1, 0.9, 0.0, 0.9]})
        >>> chosen.factual.size, chosen.counterfactual
        (2, array([1]))
    """
    rows = checks.whole_number(rows, parameter="rows")
    seed = checks.whole_number(seed, parameter="seed")
    replace = checks.switch(replace, parameter="replace")
    orders = ranking_named(ranking)
    counts = tuple(
        floor(checks.fraction(share, parameter=name) * rows + 1e-9)
        for name, share in (("a", a), ("b", b))
    )
    if a == b == 0:
        raise invalid("a and b are both 0, which selects nothing; raise one of them.")
    values = _needed_scores(scores or {}, rows, orders, ranking)
    every = np.arange(rows)

    def first(half: str, count: int, candidates: RowNumbers) -> RowNumbers:
        order: Order = getattr(orders, half)
        if order.by in SCORES:
            return _highest_or_lowest(values[order.by], order.highest_first)[:count]
        return _drawn(candidates, count, seed, half, replace)

    counterfactual = first("counterfactual", counts[1], every)
    is_open = orders.factual.by == "random others"
    others = np.setdiff1d(every, counterfactual) if is_open else every
    if len(others) < (min(counts[0], 1) if replace else counts[0]):
        raise invalid(
            f"the ranking {ranking!r} leaves {counted(len(others), 'row')} whose "
            f"counterfactual is not chosen, but a = {a} asks for {counts[0]}; lower a or b so "
            "that their sum is at most 1."
        )
    return SelectedRows(first("factual", counts[0], others), counterfactual)


def ranking_named(name: str) -> Ranking:
    """Return the orders of a ranking.

    Example:
        >>> ranking_named("healthy_el2n").scores
        ('el2n', 'equity')
    """
    checks.one_of(name, RANKINGS, parameter="ranking")
    return RANKINGS[name]


def _needed_scores(
    scores: Mapping[str, ArrayLike], rows: int, orders: Ranking, ranking: str
) -> dict[str, NDArray[np.float64]]:
    """Return the scores that a ranking needs, one per row."""
    values = {}
    for name in orders.scores:
        if name not in scores:
            raise invalid(
                f"the ranking {ranking!r} needs the score {name!r}, and there is none; "
                "give it, or take another ranking."
            )
        values[name] = score_values(np.asarray(scores[name]), f"the score {name!r}")
        if len(values[name]) != rows:
            raise invalid(
                f"the score {name!r} has {counted(len(values[name]), 'value')} for "
                f"{counted(rows, 'row')}; give one per row."
            )
    return values


def _highest_or_lowest(scores: NDArray[np.float64], highest_first: bool) -> RowNumbers:
    """Order the rows by their scores; ties keep the order of the rows."""
    return np.argsort(-scores if highest_first else scores, kind="stable")


def _drawn(candidates: RowNumbers, count: int, seed: int, half: str, replace: bool) -> RowNumbers:
    """Draw some of the candidates; each half has a generator of its own."""
    generator = np.random.default_rng(int(row_key([seed, half]), 16))
    if replace and count:
        return generator.choice(candidates, size=count)
    return generator.permutation(candidates)[:count]


COUNTERFACTUAL = "counterfactual"
_SCORE_COLUMNS = {
    "equity": "gender_equity",
    "el2n": "el2n",
    "grand": "grand",
    "forgetting": "forgetting",
}
_MAKERS = {"equity": "EquityScore", "el2n": "EL2N", "grand": "GraNd", "forgetting": "Forgetting"}


def select(
    scored: "Dataset",
    a: float,
    b: float,
    *,
    columns: str | Sequence[str] = "text",
    ranking: str = "healthy_random",
    seed: int = 0,
    replace: bool = False,
    id_column: str | None = None,
    score_columns: Mapping[str, str] | None = None,
) -> "Dataset":
    """Select floor(a * N) factual rows and floor(b * N) counterfactuals of N scored pairs.

    All N rows are candidates for both halves, also those whose counterfactual equals the original;
    `unchanged_counterfactuals` counts these. The factual rows come first, then the counterfactuals,
    each in rank order; shuffle before training. See `rankings` for the orders.

    Args:
        scored: One row per pair: the text columns, for each the column `<name>_counterfactual`,
            and the scores that the ranking needs.
        a: The share of factual rows, from 0 to 1.
        b: The share of counterfactuals, from 0 to 1.
        ranking: One of `rankings()`.
        replace: Whether random orders draw with replacement.
        id_column: A column that identifies each row; None to identify it by its factual texts.
        score_columns: Score name (`equity`, `el2n`, `grand`, `forgetting`) to its column, where
            that is not `gender_equity`, `el2n`, `grand`, `forgetting`.

    Returns:
        The selected rows, in plain format: every column but the `<name>_counterfactual` ones, and
        `family_id` (string), which a factual row and its counterfactual share, and `counterfactual`
        (bool). Labels are those of the factual rows, and so is a `family_id` that is there.

    Raises:
        InputError: There are no rows, a column is missing or would be overwritten, a score is
            missing in some row, or a parameter is not what it must be.

    Example:
        >>> from datasets import Dataset
        >>> scored = Dataset.from_dict({
        ...     "text": ["He won.", "Rain."], "text_counterfactual": ["She won.", "Rain."],
        ...     "label": [1, 0], "gender_equity": [0.4, 0.0]})
        >>> selected = select(scored, 0.5, 0.5, ranking="healthy_ge")
        >>> selected["text"][:], selected["label"][:], selected["counterfactual"][:]
        (['Rain.', 'She won.'], [0, 1], [False, True])

    Source:
        Zayed et al. (2023), "Deep Learning on a Healthy Data Diet", table 3.
    """
    from datasets import concatenate_datasets

    names = column_checks.column_names(columns)
    dataset = one_dataset(scored, rows=True).with_format(None)
    _check_columns(dataset, names)
    chosen = select_rows(
        len(dataset),
        a,
        b,
        scores=_scores(dataset, ranking, {} if score_columns is None else score_columns),
        ranking=ranking,
        seed=seed,
        replace=replace,
    )
    families = family_ids(dataset, names, id_column=id_column)
    if FAMILY not in dataset.column_names:
        dataset = dataset.add_column(FAMILY, families)
    held = field_columns(names, dataset.column_names)
    partners = {counterfactual_column(name): name for name in held}
    others = [name for name in dataset.column_names if name not in partners]
    factual = dataset.select_columns(others)
    swapped = dataset.remove_columns(held).rename_columns(partners).select_columns(others)
    for name in held:
        if swapped.features[name] != factual.features[name]:
            swapped = swapped.cast_column(name, factual.features[name])
    return concatenate_datasets(
        [
            _half(factual, chosen.factual, is_counterfactual=False),
            _half(swapped, chosen.counterfactual, is_counterfactual=True),
        ]
    )


def unchanged_counterfactuals(
    scored: "Dataset",
    selected: "Dataset",
    *,
    columns: str | Sequence[str] = "text",
    id_column: str | None = None,
) -> int:
    """Count the selected counterfactuals that equal their originals.

    Example:
        >>> from datasets import Dataset
        >>> scored = Dataset.from_dict({
        ...     "text": ["He won.", "Rain."], "text_counterfactual": ["She won.", "Rain."]})
        >>> unchanged_counterfactuals(scored, select(scored, 1, 1, ranking="random"))
        1
    """
    names = column_checks.column_names(columns)
    scored, selected = (one_dataset(item).with_format(None) for item in (scored, selected))
    _check_counterfactuals(scored, names)
    column_checks.present([FAMILY, COUNTERFACTUAL], selected.column_names)
    held = field_columns(names, scored.column_names)
    families = family_ids(scored, names, id_column=id_column)
    pairs = zip(_rows(scored, held), _rows(scored, map(counterfactual_column, held)), strict=True)
    unchanged: dict[Any, list[tuple[Any, ...]]] = {}
    for family, (before, after) in zip(families, pairs, strict=True):
        if before == after:
            unchanged.setdefault(family, []).append(after)
    chosen = zip(
        selected[COUNTERFACTUAL][:], selected[FAMILY][:], _rows(selected, held), strict=True
    )
    return sum(
        is_swapped and row in unchanged.get(family, ()) for is_swapped, family, row in chosen
    )


def _rows(dataset: "Dataset", names: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """Return what some columns hold, row by row."""
    return zip(*(dataset[name][:] for name in names), strict=True)


def _check_columns(dataset: "Dataset", names: Sequence[str]) -> None:
    """Raise unless the texts and their counterfactuals are there, and the new columns are not."""
    _check_counterfactuals(dataset, names)
    column_checks.free([COUNTERFACTUAL], dataset.column_names)
    held = field_columns(names, dataset.column_names)
    for name in dataset.column_names:
        if name not in held and counterfactual_column(name) in dataset.column_names:
            raise invalid(
                f"the column {name!r} has a counterfactual too, and would keep its factual text "
                "beside swapped ones; name it in columns, or remove its counterfactual."
            )


def _check_counterfactuals(dataset: "Dataset", names: Sequence[str]) -> None:
    """Raise unless each text column has a counterfactual one."""
    field_columns(names, dataset.column_names)
    for name in names:
        new = counterfactual_field(name, dataset.column_names)
        if not is_there(new, dataset.column_names):
            raise invalid(
                f"there is no column {new!r}; make it with "
                f"CounterfactualSwap(columns={name!r}, mode='pair')."
            )


def _scores(dataset: "Dataset", ranking: str, named: Mapping[str, str]) -> dict[str, list[float]]:
    if not isinstance(named, Mapping):
        raise invalid(
            f"score_columns must be a mapping of scores to columns, but it is a "
            f"{type(named).__name__}."
        )
    for name in named:
        checks.one_of(name, _SCORE_COLUMNS, parameter="a key of score_columns")
    scores = {}
    for name in ranking_named(ranking).scores:
        column = named.get(name, _SCORE_COLUMNS[name])
        if column not in dataset.column_names:
            raise invalid(
                f"the ranking {ranking!r} needs the column {column!r}, and there is "
                f"none; make it with {_MAKERS[name]}, or name another in score_columns."
            )
        scores[name] = dataset[column][:]
    return scores


def _half(dataset: "Dataset", rows: RowNumbers, *, is_counterfactual: bool) -> "Dataset":
    """Return the chosen rows of a half, marked."""
    marked = dataset.add_column(COUNTERFACTUAL, [is_counterfactual] * len(dataset))
    return marked.select(rows)
