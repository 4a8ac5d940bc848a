"""Selecting factual rows and counterfactuals from a scored dataset."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fair_datasets.rows import column_checks
from fair_datasets.rows.families import FAMILY, family_ids
from fair_datasets.rows.given import one_dataset
from fair_datasets.rows.text_fields import counterfactual_column, field_columns, is_there
from fair_datasets.selection.rankings import RowNumbers, ranking_named, select_rows
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

COUNTERFACTUAL = "counterfactual"
_SCORE_COLUMNS = {
    "equity": "gender_equity",
    "el2n": "el2n",
    "grand": "grand",
    "forgetting": "forgetting",
}
_MAKERS = {"equity": "EquityScore", "el2n": "EL2N", "grand": "GraNd", "forgetting": "Forgetting"}
_OWNER = "select"


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

    names = column_checks.column_names(columns, owner=_OWNER)
    dataset = one_dataset(scored, owner=_OWNER, rows=True).with_format(None)
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
    families = family_ids(dataset, names, id_column=id_column, owner=_OWNER)
    if FAMILY not in dataset.column_names:
        dataset = dataset.add_column(FAMILY, families)
    held = field_columns(names, dataset.column_names, owner=_OWNER)
    partners = {counterfactual_column(name): name for name in held}
    kept = [name for name in dataset.column_names if name not in partners]
    factual = dataset.select_columns(kept)
    swapped = dataset.remove_columns(held).rename_columns(partners).select_columns(kept)
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
    owner = "unchanged_counterfactuals"
    names = column_checks.column_names(columns, owner=owner)
    scored, selected = (
        one_dataset(item, owner=owner).with_format(None) for item in (scored, selected)
    )
    _check_counterfactuals(scored, names, owner)
    column_checks.present([FAMILY, COUNTERFACTUAL], selected.column_names, owner=owner)
    held = field_columns(names, scored.column_names, owner=owner)
    families = family_ids(scored, names, id_column=id_column, owner=owner)
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
    _check_counterfactuals(dataset, names, _OWNER)
    column_checks.free([COUNTERFACTUAL], dataset.column_names, owner=_OWNER)
    held = field_columns(names, dataset.column_names, owner=_OWNER)
    for name in dataset.column_names:
        if name not in held and counterfactual_column(name) in dataset.column_names:
            raise InputError(
                f"{_OWNER}: the column {name!r} has a counterfactual too, and would keep its "
                "factual text beside swapped ones; name it in columns, or remove its "
                "counterfactual."
            )


def _check_counterfactuals(dataset: "Dataset", names: Sequence[str], owner: str) -> None:
    """Raise unless each text column has a counterfactual one."""
    field_columns(names, dataset.column_names, owner=owner)
    for name in names:
        if not is_there(counterfactual_column(name), dataset.column_names):
            raise InputError(
                f"{owner}: there is no column {counterfactual_column(name)!r}; make it with "
                f"CounterfactualSwap(columns={name!r}, mode='pair')."
            )


def _scores(dataset: "Dataset", ranking: str, named: Mapping[str, str]) -> dict[str, list[float]]:
    if not isinstance(named, Mapping):
        raise InputError(
            f"{_OWNER}: score_columns must be a mapping of scores to columns, but it is a "
            f"{type(named).__name__}."
        )
    for name in named:
        checks.one_of(name, _SCORE_COLUMNS, owner=_OWNER, parameter="a key of score_columns")
    scores = {}
    for name in ranking_named(ranking).scores:
        column = named.get(name, _SCORE_COLUMNS[name])
        if column not in dataset.column_names:
            raise InputError(
                f"{_OWNER}: the ranking {ranking!r} needs the column {column!r}, and there is "
                f"none; make it with {_MAKERS[name]}, or name another in score_columns."
            )
        scores[name] = dataset[column][:]
    return scores


def _half(dataset: "Dataset", rows: RowNumbers, *, is_counterfactual: bool) -> "Dataset":
    """Return the chosen rows of a half, marked."""
    marked = dataset.add_column(COUNTERFACTUAL, [is_counterfactual] * len(dataset))
    return marked.select(rows)
