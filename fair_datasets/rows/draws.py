"""Keys of rows: draws that depend on them alone, and families that belong in one split.

A draw depends on a seed and a row's key, never on what was drawn before: the same row gets the same
draw whatever the batch size, the number of processes, the sharding or the order of the rows. A
family is a row and all that is made from it.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from numbers import Number
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows import column_checks
from fair_datasets.rows.given import batches
from fair_datasets.rows.row_texts import Row, RowTexts
from fair_datasets.system.checks import invalid

if TYPE_CHECKING:
    from datasets import Dataset


Option = TypeVar("Option")


def row_key(values: Iterable[object]) -> str:
    """Return the key of a row: a digest of its id, or of its texts.

    Args:
        values: The row's id alone, or its texts in column order (nulls as None).

    Returns:
        32 hexadecimal digits. Rows with equal values share a key, see `plain`.
    """
    return blake2b(b"".join([_stated(value) for value in values]), digest_size=16).hexdigest()


def _stated(value: object) -> bytes:
    """State a value so that no two sequences of values are stated alike."""
    if type(value) is str and value.isascii():
        return f"s{len(value)}:{value}".encode()
    value = plain(value)
    if value is None:
        return b"n0:"
    content = str(value).encode("utf-8", "surrogatepass")
    # The length in front keeps ("ab", "c") and ("a", "bc") apart, the letter None and "".
    return b"s%d:%b" % (len(content), content)


def plain(value: Any) -> Any:
    """Return a value as Python has it, whatever format a dataset gives it in.

    Returns:
        The Python value; a float that is whole comes back as an int, as a column of ids with
        nulls holds floats in numpy and pandas.
    """
    if type(value) is str:
        return value
    if hasattr(value, "tolist"):  # What `item` gives for a scalar, and a list for an array.
        value = value.tolist()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def uniform(seed: int, key: str, purpose: str) -> float:
    """Draw a number that is uniform on [0, 1).

    Args:
        purpose: What the draw is for, so that two draws for one row are independent.
    """
    digest = blake2b(f"{seed}\x1f{purpose}\x1f{key}".encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 11) / (1 << 53)


def drawn_seed(seed: int, key: str, purpose: str) -> int:
    """Draw the seed of what draws by itself, such as a model that writes.

    Returns:
        A whole number of at most 53 bits.

    Example:
        >>> drawn_seed(0, row_key(["a"]), "tokens")
        446414901587189
    """
    return int(uniform(seed, key, purpose) * (1 << 53))


def choice(options: Sequence[Option], seed: int, key: str, purpose: str) -> Option:
    """Draw one of several options, each with the same probability."""
    return options[int(uniform(seed, key, purpose) * len(options))]


def order(options: Sequence[Option], seed: int, key: str, purpose: str) -> list[Option]:
    """Draw all options one after another; the first is the one that `choice` draws."""
    remaining, drawn = list(options), list[Option]()
    while remaining:
        attempt = f"{purpose}, attempt {len(drawn)}" if drawn else purpose
        drawn.append(remaining.pop(int(uniform(seed, key, attempt) * len(remaining))))
    return drawn


def row_ids(batch: Mapping[str, Sequence[Any]], column: str) -> list[str | None]:
    """Return a column of ids as texts that keep every digit, or raise.

    Returns:
        For each row its id: a text as it is, bytes as hexadecimal digits, and anything else as
        Python writes it, whole floats as whole numbers; None for a null. Rows of different ids
        have different texts.
    """
    values = column_checks.values(batch, column)
    # A list of a pandas Series would hold Python's floats, which do not say what they come from.
    ids = list(values.to_numpy() if hasattr(values, "to_numpy") else values)
    if not set(map(type, ids)) - {str, type(None)}:
        return ids
    plain = [None if column_checks.is_null(value) else _plain_id(value, column) for value in ids]
    kinds: dict[str, Any] = {}
    for value in plain:
        if value is not None:
            kinds.setdefault(_kind(value), value)
    if len(kinds) > 1:
        first, second, *_ = (
            f"{column_checks.shortened(value)} ({type(value).__name__})" for value in kinds.values()
        )
        raise invalid(
            f"column {column!r} holds ids of several kinds, such as {first} and {second}, "
            "which could be written alike; cast the column to strings first."
        )
    written = (value.hex() if isinstance(value, bytes) else value for value in plain)
    return [None if value is None else str(value) for value in written]


def _plain_id(value: Any, column: str) -> Any:
    """Return an id as Python has it, or raise if it is a float that may have lost digits."""
    if isinstance(value, Mapping):
        return {name: _plain_id(inner, column) for name, inner in value.items()}
    if isinstance(value, list | tuple) or getattr(value, "shape", None):
        return [_plain_id(inner, column) for inner in value]
    if isinstance(value, np.datetime64) and value.dtype == "datetime64[ns]":
        # Python's own dates end at microseconds; numpy would give the bare count.
        short = value.astype("datetime64[us]")
        return short.tolist() if short == value else str(value).replace("T", " ")
    if hasattr(value, "dtype"):
        _refuse_lost_digits(value, column)
    return plain(value)


def _refuse_lost_digits(value: Any, column: str) -> None:
    """Raise if an id is a float of numpy or torch that may have been an integer of more digits."""
    number = np.asarray(value)
    if number.dtype.kind != "f" or np.isnan(number):
        return
    # From here on, not every whole number is a float of this kind.
    limit = 2 / np.finfo(number.dtype).eps
    is_short = number.dtype.itemsize < np.dtype(np.float64).itemsize
    if abs(number) >= limit or (is_short and number != np.round(number)):
        raise invalid(
            f"column {column!r} holds the id {number.item()!r} as a {number.dtype}, which may have "
            "lost digits: numpy and pandas turn ids into floats if the column has a null; use "
            "`with_format(None)` (in Ray `batch_format='pyarrow'`), or cast the ids to strings."
        )


def _kind(value: Any) -> str:
    """Name the kind of an id: the numbers are one."""
    is_number = isinstance(value, Number) and not isinstance(value, bool)
    return "number" if is_number else type(value).__name__


FAMILY = "family_id"
"""The column that names the family of each row."""


def family_id(row_id: str | None, texts: Row) -> str:
    """Name the family of a row.

    Returns:
        The id, or else a digest of the texts: rows with equal texts are one family.

    Example:
        >>> family_id("7", ("He ran.",)), len(family_id(None, ("He ran.", None)))
        ('7', 32)
    """
    return row_key(texts) if row_id is None else row_id


def family_ids(
    dataset: "Dataset",
    columns: Sequence[str],
    *,
    roles: Sequence[str] = (),
    id_column: str | None = None,
) -> list[Any]:
    """Name the family of each row of a dataset.

    Returns:
        What the column `family_id` holds, if it is there; else the names as `family_id` gives them.
    """
    plain = dataset.with_format(None)
    if FAMILY in plain.column_names:
        families: list[Any] = plain[FAMILY][:]
        return families
    digests = text_digests(plain, columns, roles=roles)
    if id_column is None:
        return digests
    column_checks.column_name(id_column, parameter="id_column")
    column_checks.present([id_column], plain.column_names)
    ids = row_ids({id_column: plain[id_column][:]}, id_column)
    return [digest if own is None else own for own, digest in zip(ids, digests, strict=True)]


def text_digests(
    dataset: "Dataset", columns: Sequence[str], *, roles: Sequence[str] = ()
) -> list[str]:
    """Return a digest of the texts of each row, which rows with equal texts have in common."""
    return [
        row_key(row)
        for batch in batches(dataset, columns)
        for row in RowTexts.read(batch, columns, roles=roles).rows
    ]


def joined(*keys: Sequence[object]) -> NDArray[np.int64]:
    """Number the groups of rows that have a key in common, directly or by way of others.

    Returns:
        The number of each row's group. Shape (N,). It depends on the keys, not on their order.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    written = [list(map(str, key)) for key in keys]
    numbers = {key: number for number, key in enumerate(sorted({*chain(*written)}))}
    first, *others = (np.array([numbers[key] for key in each], np.int64) for each in written)
    edges = (np.tile(first, len(others)), np.concatenate([first[:0], *others]))
    graph = coo_array((np.ones(len(edges[0]), np.bool_), edges), shape=(len(numbers),) * 2)
    labels: NDArray[np.int64] = connected_components(graph, directed=False)[1][first]
    return labels
