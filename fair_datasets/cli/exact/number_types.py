"""Which types of numbers hold what is written in a column, digit for digit."""

from collections.abc import Iterable
from math import isfinite

import pyarrow as pa
import pyarrow.compute as pc

# In the order of preference. Python and datasets stumble over uint64 beyond int64.
TYPES = {"bool": pa.bool_(), "int64": pa.int64(), "float64": pa.float64()}
# Between these Arrow and Python write a float in the same way: without an exponent.
_PLAIN = (1e-4, 1e9)


def types_that_read_back(values: "pa.Array", candidates: Iterable[str]) -> list[str]:
    """Return the types of which each value, written by Python, is the text that it is read from.

    Args:
        values: Texts, without nulls.
        candidates: The types that come into question.

    Returns:
        Those that do, in the order given.

    Example:
        >>> types_that_read_back(pa.array(["7", "-12"]), TYPES)
        ['int64']
        >>> types_that_read_back(pa.array(["007", "7"]), TYPES)
        []
    """
    return [kind for kind in candidates if _reads_back(values, kind)]


def _reads_back(values: "pa.Array", kind: str) -> bool:
    """Tell whether a type has each value as it is written."""
    if kind == "bool":
        return bool(pc.all(pc.is_in(values, pa.array(["False", "True"], values.type))).as_py())
    try:
        read = pc.cast(values, TYPES[kind])
    except pa.ArrowInvalid:
        return False
    same = pc.equal(pc.cast(read, values.type), values)
    if kind != "float64":
        return bool(pc.all(same).as_py())
    size = pc.abs(read)
    plain = pc.and_(pc.greater_equal(size, _PLAIN[0]), pc.less(size, _PLAIN[1]))
    sure = pc.and_(pc.and_(same, plain), pc.match_substring(values, "."))
    return all(map(_is_float, values.filter(pc.invert(sure)).to_pylist()))


def _is_float(text: str) -> bool:
    """Tell whether Python writes a float in this way."""
    value = float(text)
    return isfinite(value) and repr(value) == text
