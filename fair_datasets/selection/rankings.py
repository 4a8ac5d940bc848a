"""The orders in which rows are taken from the two halves of a counterfactually augmented dataset.

Zayed et al. (2023), "Deep Learning on a Healthy Data Diet": of N factual rows and their N
counterfactuals, the first share of each half is kept, in an order of its own. The names are those
of the paper; where its code does something else under the same name, that stands under `..._code`.
"""

from collections.abc import Mapping
from math import floor
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.rows.draws import row_key
from fair_datasets.selection.thresholds import score_values
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

RowNumbers = NDArray[np.int64]
SCORES = ("equity", "el2n", "grand", "forgetting")
_OWNER = "select"


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
    rows = checks.whole_number(rows, owner=_OWNER, parameter="rows")
    seed = checks.whole_number(seed, owner=_OWNER, parameter="seed")
    replace = checks.switch(replace, owner=_OWNER, parameter="replace")
    orders = ranking_named(ranking)
    counts = tuple(
        floor(checks.fraction(share, owner=_OWNER, parameter=name) * rows + 1e-9)
        for name, share in (("a", a), ("b", b))
    )
    if a == b == 0:
        raise InputError(f"{_OWNER}: a and b are both 0, which selects nothing; raise one of them.")
    found = _read(scores or {}, rows, orders, ranking)
    every = np.arange(rows)

    def first(half: str, count: int, candidates: RowNumbers) -> RowNumbers:
        order: Order = getattr(orders, half)
        if order.by in SCORES:
            return _highest_or_lowest(found[order.by], order.highest_first)[:count]
        return _drawn(candidates, count, seed, half, replace)

    counterfactual = first("counterfactual", counts[1], every)
    is_open = orders.factual.by == "random others"
    others = np.setdiff1d(every, counterfactual) if is_open else every
    if len(others) < (min(counts[0], 1) if replace else counts[0]):
        raise InputError(
            f"{_OWNER}: the ranking {ranking!r} leaves {len(others)} rows whose counterfactual is "
            f"not chosen, but a = {a} asks for {counts[0]}; lower a or b so that their sum is at "
            "most 1."
        )
    return SelectedRows(first("factual", counts[0], others), counterfactual)


def ranking_named(name: str) -> Ranking:
    """Return the orders of a ranking.

    Example:
        >>> ranking_named("healthy_el2n").scores
        ('el2n', 'equity')
    """
    checks.one_of(name, RANKINGS, owner=_OWNER, parameter="ranking")
    return RANKINGS[name]


def _read(
    scores: Mapping[str, ArrayLike], rows: int, orders: Ranking, ranking: str
) -> dict[str, NDArray[np.float64]]:
    """Return the scores that a ranking needs, one per row."""
    found = {}
    for name in orders.scores:
        if name not in scores:
            raise InputError(
                f"{_OWNER}: the ranking {ranking!r} needs the score {name!r}, and there is none; "
                "give it, or take another ranking."
            )
        found[name] = score_values(np.asarray(scores[name]), f"the score {name!r}", owner=_OWNER)
        if len(found[name]) != rows:
            raise InputError(
                f"{_OWNER}: there are {len(found[name])} values of the score {name!r} for {rows} "
                "rows; give one per row."
            )
    return found


def _highest_or_lowest(scores: NDArray[np.float64], highest_first: bool) -> RowNumbers:
    """Order the rows by their scores; ties keep the order of the rows."""
    return np.argsort(-scores if highest_first else scores, kind="stable")


def _drawn(candidates: RowNumbers, count: int, seed: int, half: str, replace: bool) -> RowNumbers:
    """Draw some of the candidates; each half has a generator of its own."""
    generator = np.random.default_rng(int(row_key([seed, half]), 16))
    if replace and count:
        return generator.choice(candidates, size=count)
    return generator.permutation(candidates)[:count]
