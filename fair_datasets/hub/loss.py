"""What readers of a dataset of the Hub would lose by a push."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fair_datasets.hub import merging
from fair_datasets.hub.repositories import Repository
from fair_datasets.hub.shards import folder_of, known_of
from fair_datasets.system.checks import InputError, listed_few

if TYPE_CHECKING:
    from datasets import Features

_DATA = (".arrow", ".csv", ".json", ".jsonl", ".parquet", ".tsv", ".txt")


def refuse_loss(
    repository: Repository,
    card: str,
    config_name: str,
    *,
    features: "Features | None" = None,
    splits: Sequence[str] | None = None,
) -> None:
    """Raise if readers of a repository would lose data that are not replaced.

    Args:
        repository: The repository.
        card: Its card.
        config_name: The configuration that is to be written.
        features: The features of the new data; None if they are not known yet.
        splits: The names of their splits; None if they are not known yet.

    Raises:
        InputError: Other columns, a split, or files that no configuration names would be lost.
    """
    where = f"The dataset {repository.target.name}"
    advice = "choose another config_name or repository, or pass overwrite=True to replace it."
    metadata, _ = merging.card_parts(card)
    known = known_of(metadata).get(config_name)
    if known is None:
        hidden = _hidden(repository, config_name, is_named="configs" in metadata)
        if hidden:
            raise InputError(
                f"{where} holds data of which its card names no configuration {config_name!r} "
                f"({listed_few(hidden)}); {advice}"
            )
        return
    if features is not None and known.features is not None:
        if list(known.features) != list(features):
            raise InputError(
                f"{where} has a configuration {config_name!r} of other columns "
                f"({listed_few(known.features)}); {advice}"
            )
        for column, kind in known.features.items():
            if _plain(kind) != _plain(features[column]):
                raise InputError(
                    f"{where} has a configuration {config_name!r} whose column {column!r} is of "
                    f"the type {kind}, and not {features[column]}; {advice}"
                )
    lost = sorted(map(str, set(known.splits or ()) - set(splits or known.splits or ())))
    if lost:
        raise InputError(
            f"{where} has a configuration {config_name!r} with the split {listed_few(lost)}, which "
            f"would be lost; push all splits together, or {advice}"
        )


def _plain(kind: Any) -> Any:
    """Return a feature, and one name for texts, which pandas, Arrow and Polars keep differently."""
    from datasets import Value

    return "text" if kind in (Value("string"), Value("large_string")) else kind


def _hidden(repository: Repository, config_name: str, *, is_named: bool) -> list[str]:
    """List the data that readers find now and would not find any more."""
    inside = f"{folder_of(config_name)}/"
    loose = [
        path
        for path in sorted(repository.paths)
        if path.endswith(_DATA) and not path.startswith("lexicons/")
    ]
    # What a configuration names stays in it.
    return [path for path in loose if path.startswith(inside) or not is_named]
