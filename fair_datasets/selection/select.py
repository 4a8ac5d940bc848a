"""Selecting factual rows and counterfactuals from a scored dataset."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fair_datasets import checks, column_checks, draws
from fair_datasets.checks import InputError
from fair_datasets.columns import refuse_nulls
from fair_datasets.given import one_dataset
from fair_datasets.row_ids import row_ids
from fair_datasets.row_texts import RowTexts
from fair_datasets.selection.rankings import RowNumbers, ranking_named, select_rows
from fair_datasets.text_fields import counterfactual_column, field_columns, is_there

if TYPE_CHECKING:
    from datasets import Dataset

PAIR_ID = "pair_id"
COUNTERFACTUAL = "counterfactual"
_SCORE_COLUMNS = {
    "equity": "gender_equity",
    "el2n": "el2n",
    "grand": "grand",
    "forgetting": "forgetting",
}
_MAKERS = {
    "equity": "EquityScore",
    "el2n": "EL2N",
    "grand": "GraNd",
    "forgetting": "Forgetting",
}
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
        columns: The text column or columns.
        ranking: One of `rankings()`.
        seed: The seed of the random orders.
        replace: Whether random orders draw with replacement.
        id_column: A column that names each row; None to name a row by its factual texts.
        score_columns: Score name (`equity`, `el2n`, `grand`, `forgetting`) to its column, where
            that is not `gender_equity`, `el2n`, `grand`, `forgetting`.

    Returns:
        The selected rows, in plain format: every column but the `<name>_counterfactual` ones, and
        `pair_id` (string), which a factual row and its counterfactual share, and `counterfactual`
        (bool). Labels are those of the factual rows.

    Raises:
        InputError: There are no rows, a column is missing or would be overwritten, a score is
            missing in some row, an id is missing or comes twice, or a parameter is not what it
            must be.

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
    dataset = dataset.add_column(PAIR_ID, pair_ids(dataset, columns=names, id_column=id_column))
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


def pair_ids(
    dataset: "Dataset", *, columns: str | Sequence[str] = "text", id_column: str | None = None
) -> list[str]:
    """Name each row of a dataset of pairs.

    Args:
        dataset: One row per pair.
        columns: The text column or columns, with the factual texts.
        id_column: A column that names each row; None to name a row by its texts: equal rows are
            told apart by their order.

    Returns:
        The names, all different. Length N.

    Raises:
        InputError: A column is missing or holds no text, or an id is missing or comes twice.

    Example:
        >>> from datasets import Dataset
        >>> pair_ids(Dataset.from_dict({"id": [7, 8], "text": ["a", "a"]}), id_column="id")
        ['7', '8']
    """
    owner = "pair_ids"
    names = column_checks.column_names(columns, owner=owner)
    dataset = one_dataset(dataset, owner=owner).with_format(None)
    seen: Counter[str] = Counter()
    if id_column is None:
        held = field_columns(names, dataset.column_names, owner=owner)
        batch = {name: dataset[name][:] for name in held}
        found = []
        for key in map(draws.row_key, RowTexts.read(batch, names, owner=owner).rows):
            seen[key] += 1
            found.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
        return found
    column_checks.column_name(id_column, owner=owner, parameter="id_column")
    column_checks.present([id_column], dataset.column_names, owner=owner)
    ids = row_ids({id_column: dataset[id_column][:]}, id_column, owner=owner)
    refuse_nulls(ids, f"column {id_column!r}", owner=owner)
    found = [key for key in ids if key is not None]
    for row, key in enumerate(found):
        seen[key] += 1
        if seen[key] > 1:
            raise InputError(
                f"{owner}: column {id_column!r} must name each row, but row {row} (counted from "
                f"0) holds {key!r} again; give each row an id of its own."
            )
    return found


def unchanged_counterfactuals(
    scored: "Dataset",
    selected: "Dataset",
    *,
    columns: str | Sequence[str] = "text",
    id_column: str | None = None,
) -> int:
    """Count the selected counterfactuals that equal their originals.

    Args:
        scored: What was given to `select`.
        selected: What `select` returned.
        columns: The text column or columns, as they were given to `select`.
        id_column: The column of ids, as it was given to `select`.

    Returns:
        The number of rows.

    Raises:
        InputError: A column is missing.

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
    column_checks.present([PAIR_ID, COUNTERFACTUAL], selected.column_names, owner=owner)
    identical = [True] * len(scored)
    for name in field_columns(names, scored.column_names, owner=owner):
        pairs = zip(scored[name][:], scored[counterfactual_column(name)][:], strict=True)
        identical = [
            both and left == right for both, (left, right) in zip(identical, pairs, strict=True)
        ]
    ids = pair_ids(scored, columns=names, id_column=id_column)
    unchanged = {key for key, is_same in zip(ids, identical, strict=True) if is_same}
    chosen = zip(selected[PAIR_ID][:], selected[COUNTERFACTUAL][:], strict=True)
    return sum(is_swapped and key in unchanged for key, is_swapped in chosen)


def _check_columns(dataset: "Dataset", names: Sequence[str]) -> None:
    """Raise unless the texts and their counterfactuals are there, and the new columns are not."""
    _check_counterfactuals(dataset, names, _OWNER)
    column_checks.free([PAIR_ID, COUNTERFACTUAL], dataset.column_names, owner=_OWNER)
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
    """Return the scores that a ranking needs."""
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
