"""The columns of Parquet files as a dataset holds them, and what it cannot hold."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import IO, TYPE_CHECKING, Any

from fair_datasets.rows.column_checks import refuse_too_many
from fair_datasets.system.checks import InputError, format_choices

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Dataset, Features
    from pyarrow.parquet import ParquetFile

# What Parquet says of columns of which pyarrow reads the bytes, and forgets what they are.
_FORGOTTEN = re.compile(r" \((Variant|Interval|Geometry|Geography)\b")
_EXTENSION = re.compile(r"extension<arrow\.(\w+)>")


def parquet_columns(file: IO[bytes], place: str) -> "tuple[ParquetFile, Features]":
    """Open a Parquet file, and read its columns.

    Args:
        file: The file.
        place: What names it in a sentence.

    Returns:
        The open file, and its columns, with strings in the place of string views.

    Raises:
        InputError: The file is sound, but a dataset cannot hold what is in it.
    """
    from pyarrow import ArrowNotImplementedError
    from pyarrow.parquet import ParquetFile

    try:
        parquet = ParquetFile(file)
    except ArrowNotImplementedError as error:
        if names := _long_integers(file):
            raise InputError(f"{place}: {unheld('int128', names[0])}") from error
        raise
    except OSError as error:
        refuse_encrypted(error, place)
        raise
    schema = parquet.schema_arrow
    refuse_too_many(len(schema.names), place)
    if twice := _named_twice(schema):
        raise InputError(
            f"{place}: two columns are named {twice!r}, and one of them would be lost; rename one."
        )
    written = re.split(r"\n  (?=\S)", str(parquet.schema))[1:]
    for name, part in zip(schema.names, written, strict=False):
        if kind := _FORGOTTEN.search(part):
            raise InputError(f"{place}: {unheld(kind[1].lower(), name)}")
    return parquet, _features(schema, place)


def _features(schema: "pa.Schema", place: str) -> "Features":
    """Return the columns as a dataset holds them, or raise."""
    import pyarrow as pa
    from datasets import Features

    try:
        return plain_features(Features.from_arrow_schema(schema))
    except ValueError as error:
        for field in schema:
            try:
                Features.from_arrow_schema(pa.schema([field]))
            except ValueError:
                raise InputError(f"{place}: {unheld(str(field.type), field.name)}") from error
        raise


def unheld(kind: str, name: str = "") -> str:
    """Return the sentence that a dataset cannot hold a column of a type.

    Example:
        >>> unheld("extension<arrow.uuid>", "id")
        "column 'id' is of the type uuid, which a dataset cannot hold; cast it to text (STRING,
        VARCHAR) with the tool that wrote it, or leave it out."
    """
    type_name = _EXTENSION.sub(r"\1", kind)
    return (
        f"{f'column {name!r}' if name else 'a column'} is of the type {type_name}, which a dataset "
        "cannot hold; cast it to text (STRING, VARCHAR) with the tool that wrote it, or leave it "
        "out."
    )


def _named_twice(fields: "Iterable[pa.Field]", above: str = "") -> str:
    """Name the first column, or key of an object, that another one is named like."""
    fields = list(fields)
    counts = Counter(field.name for field in fields)
    for field in fields:
        name = f"{above}{field.name}"
        inside = [field.type.field(place) for place in range(field.type.num_fields)]
        if counts[field.name] > 1 or (name := _named_twice(inside, f"{name}.")):
            return name
    return ""


def _long_integers(file: IO[bytes]) -> list[str]:
    """Name the columns of whole numbers of 128 bits, for which pyarrow cannot open a file."""
    from pyarrow.parquet import read_metadata

    file.seek(-8, io.SEEK_END)
    size = int.from_bytes(file.read(4), "little")
    file.seek(-8 - size, io.SEEK_END)
    # Without what says of which types Arrow made them, they are bytes.
    footer = file.read().replace(b"ARROW:schema", b"arrow_schema")
    schema = read_metadata(io.BytesIO(b"PAR1" + footer)).schema
    columns = (schema.column(number) for number in range(len(schema.names)))
    return [
        column.path.partition(".")[0]
        for column in columns
        if column.physical_type == "FIXED_LEN_BYTE_ARRAY" and column.length == 16
    ]


def refuse_encrypted(error: BaseException, place: str, file: "ParquetFile | None" = None) -> None:
    """Raise a sentence about it if an error says that a file, or a column of it, is encrypted."""
    if "decrypt" not in str(error):
        return
    what = "the file is"
    if names := [] if file is None else _encrypted(file):
        what = (
            f"column {names[0]!r} is" if len(names) == 1 else f"columns {format_choices(names)} are"
        )
    raise InputError(
        f"{place}: {what} encrypted; write it without encryption, with the tool that has the keys, "
        "or leave it out."
    ) from error


def _encrypted(file: "ParquetFile") -> list[str]:
    """Name the columns of an open file that cannot be read without a key."""
    names = []
    for name in file.schema_arrow.names:
        try:
            file.read_row_group(0, columns=[name])
        except OSError:
            names.append(name)
    return names


_VIEWS = {"string_view": "string", "binary_view": "binary"}


def plain_features(features: "Features") -> "Features":
    """Return columns with strings in the place of string views, of which Arrow takes no rows."""
    from datasets import Features

    return Features({name: _plain(feature) for name, feature in features.items()})


def without_views(rows: "Dataset") -> "Dataset":
    """Return rows with strings in the place of string views."""
    features = plain_features(rows.features)
    return rows if features == rows.features else rows.cast(features)


def _plain(feature: Any) -> Any:
    """Return a feature with strings in the place of string views."""
    from datasets import LargeList, List, Value

    if isinstance(feature, Value):
        return Value(_VIEWS.get(feature.dtype, feature.dtype))
    if isinstance(feature, Mapping):
        return {name: _plain(inner) for name, inner in feature.items()}
    if isinstance(feature, LargeList):
        return LargeList(_plain(feature.feature))
    if isinstance(feature, List):
        return List(_plain(feature.feature), length=feature.length)
    return feature


def joined_feature(one: Any, other: Any) -> Any:
    """Return the type that holds the values of two files; None if there is none.

    Example:
        >>> from datasets import List, Value
        >>> joined_feature(Value("string"), Value("large_string")).dtype
        'large_string'
        >>> joined_feature(List(Value("null")), List(Value("int8"))).feature.dtype
        'int8'
        >>> joined_feature(Value("int8"), Value("int64")) is None
        True
    """
    from datasets import LargeList, List, Value

    if one == other:
        return one
    for this, that in ((one, other), (other, one)):
        if isinstance(this, Value) and this.dtype == "null":
            return that
        if isinstance(this, Value) and getattr(that, "dtype", "") == f"large_{this.dtype}":
            return that
    if isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        inside = {key: joined_feature(one[key], other[key]) for key in one}
        return None if None in inside.values() else inside
    if isinstance(one, List | LargeList) and isinstance(other, List | LargeList):
        lengths = {getattr(each, "length", -1) for each in (one, other)}
        inner = joined_feature(one.feature, other.feature)
        if inner is None or len(lengths) > 1:
            return None
        is_large = LargeList in (type(one), type(other))
        return LargeList(inner) if is_large else List(inner, length=lengths.pop())
    return None
