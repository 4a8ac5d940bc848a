"""What rides along stays bit for bit, and tables become what batches of their rows become."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pyarrow as pa
import pytest
from datasets import Array2D, Audio, Dataset, Features, Image, Json, List, Pdf, Value
from datasets.table import InMemoryTable

from fair_datasets import CounterfactualSwap, InputError, KeepAbove, MentionedAttribute
from fair_datasets.technique import Technique
from fair_datasets.technique.contract import Batch

FEATURES = Features(
    text=Value("string"), turns=List({"text": Value("string"), "number": Value("int8")}),
    when=Value("timestamp[ns]"), text_place=Value("int64"),
)  # fmt: skip
ROWS = Dataset.from_dict(
    {
        "text": ["He ran.", None, "Rain."],
        "turns": [[{"text": "His.", "number": 1}], [], [{"text": "A man.", "number": 2}]],
        "when": [datetime(2020, 1, 1), None, datetime(2021, 1, 1)],
        "text_place": [7, 8, 9],
    },
    features=FEATURES,
)


@pytest.mark.parametrize("is_left", [False, True])
@pytest.mark.parametrize("options", [
    {"mode": "augment"}, {"mode": "augment", "keep_unchanged": True, "id_column": "text_place"},
    {"mode": "replace", "provenance": True}, {"mode": "substitute", "family": True, "seed": 1},
    {"mode": "pair"}, {"mode": "pair", "family": True},
])  # fmt: skip
def test_a_table_becomes_what_a_batch_of_its_rows_becomes(
    options: dict[str, Any], is_left: bool
) -> None:
    """In every mode, with all that is added, whatever its columns are called."""
    swap = CounterfactualSwap(columns=("text", "turns[].text"), **options)
    features = swap.features(FEATURES)
    process = swap.leave if is_left else swap
    found, expected = process(ROWS.data.table), Dataset.from_dict(process(ROWS[:]), features)
    assert found.schema.equals(features.arrow_schema)
    assert Features.from_arrow_schema(found.schema) == features
    assert found.to_pylist() == expected.data.table.to_pylist()
    assert {*features} - {*FEATURES} == set(swap.added_columns(FEATURES))


# No pictures: to decode one would fail.
MEDIA = {"bytes": b"no picture", "path": "folder/name.jpg"}
KINDS = Features(
    text=Value("string"), picture=Image(), pictures=List(Image()),
    inside={"picture": Image(), "name": Value("string")}, sound=Audio(), page=Pdf(),
    hash=Value("uint64"), hashes={"all": List(Value("uint64"))}, at=Value("time64[ns]"),
    price=Value("decimal128(12, 2)"), half=Value("float16"), views=Value("string_view"),
    grid=Array2D((1, 1), "int32"), told=Json(), points=Value("float64"),
)  # fmt: skip


def media() -> Dataset:
    """Return two rows with a value of each kind, and one with nulls."""
    each = {
        "picture": MEDIA, "pictures": [MEDIA, None], "sound": MEDIA, "page": MEDIA,
        "inside": {"picture": MEDIA, "name": "x"}, "hash": 2**64 - 1,
        "hashes": {"all": [2**63]}, "at": 1, "price": "1.50", "half": 1.5, "views": "a view",
        "grid": [[1]], "told": '{"n" : 1.10}', "points": 1.0,
    }  # fmt: skip
    columns = {"text": pa.array(["He left.", "It rains.", None])}
    for name, value in each.items():
        kind = KINDS.arrow_schema.field(name).type
        storage = getattr(kind, "storage_type", kind)
        array = pa.array([value, value, None], pa.string() if name == "price" else storage)
        is_own = isinstance(kind, pa.ExtensionType) or name == "told"
        columns[name] = pa.ExtensionArray.from_storage(kind, array) if is_own else array.cast(kind)
    table = InMemoryTable(pa.table(columns, schema=KINDS.arrow_schema))
    return Dataset(table, fingerprint="media")


@dataclass(frozen=True, kw_only=True)
class Twice(Technique):
    """A technique that does not say which columns it reads."""

    column: str = field(kw_only=False)

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Write each row, and then its text in capitals."""
        rows = range(2 * len(batch[self.column]))
        result = {name: [values[row // 2] for row in rows] for name, values in batch.items()}
        texts = result[self.column]
        texts[1::2] = [text and text.upper() for text in texts[1::2]]
        return result


SWAP = CounterfactualSwap(columns="text")
PAIR = CounterfactualSwap(columns="text", mode="pair", id_column="hash")
WAYS = {
    "apply": lambda technique, rows: technique.apply(rows, batch_size=2),
    "map": lambda technique, rows: rows.map(technique, batched=True),
    "arrow": lambda technique, rows: rows.with_format("arrow").map(technique, batched=True),
    "indices": lambda technique, rows: technique.apply(
        rows.remove_columns("views").select([2, 1, 0]).select([2, 1, 0])
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("technique", "taken"), [
    (SWAP, [0, 0, 1, 2]), (PAIR, [0, 1, 2]), (MentionedAttribute("text"), [0, 1, 2]),
    (Twice("text"), [0, 0, 1, 1, 2, 2]),
])  # fmt: skip
def test_what_is_not_read_keeps_every_byte(
    technique: Technique, taken: list[int], way: str
) -> None:
    """Pictures are not compressed anew, no decoder is asked for, and numbers keep their type."""
    rows = media()
    found = WAYS[way](technique, rows)
    stays = [name for name in KINDS if name != "text" and name in found.features]
    assert {name: found.features[name] for name in stays} == {name: KINDS[name] for name in stays}
    before, after = rows.data.table, found.with_format("arrow")[:]
    for name in stays:
        expected = [before[name].slice(row, 1).combine_chunks() for row in taken]
        assert after[name].combine_chunks() == pa.concat_arrays(expected), name


def test_a_filter_decodes_nothing() -> None:
    """It reads the column that it goes by."""
    kept = media().filter(KeepAbove("points", threshold=0.5, missing="drop"), batched=True)
    assert kept.with_format("arrow")["picture"].to_pylist() == [MEDIA, MEDIA]


def test_a_function_around_a_technique_gets_a_dictionary() -> None:
    """As `map` gives it one; what is decoded nowhere is encoded nowhere."""

    def shouted(batch: Any) -> Any:
        result = SWAP(batch)
        assert result["picture"][0] == MEDIA
        return {**result, "text": [text and text.upper() for text in result["text"]]}

    found = media().remove_columns(["hash", "hashes", "at"]).map(shouted, batched=True)
    assert found["text"][:] == ["HE LEFT.", "SHE LEFT.", "IT RAINS.", None]
    assert found.with_format("arrow")["picture"].to_pylist()[:2] == [MEDIA, MEDIA]


def test_plain_map_types_the_columns_that_it_adds() -> None:
    """Though the first batches have nulls alone in them."""
    rows = Dataset.from_dict({"text": ["It rains."] * 5 + ["She sat."]})
    found = rows.map(MentionedAttribute("text"), batched=True, batch_size=2)
    assert found.features["group"] == Value("string")
    assert found["group"][-1] == "woman"


@pytest.mark.parametrize("kind", [
    pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()),
])  # fmt: skip
def test_texts_keep_their_type(kind: pa.DataType) -> None:
    """Categories are texts as well."""
    found = SWAP(pa.table({"text": pa.array(["He left.", None], kind)}))
    assert found["text"].type == kind
    assert found["text"].to_pylist() == ["He left.", "She left.", None]


def test_categories_that_are_more_than_their_numbers_get_larger_ones() -> None:
    """100 categories of one byte become 200."""
    texts = pa.array([f"He left {number}." for number in range(100)]).dictionary_encode()
    found = SWAP(pa.table({"text": texts.cast(pa.dictionary(pa.int8(), pa.string()))}))
    assert found["text"].to_pylist()[-1] == "She left 99."
    assert len(found) == 200


@dataclass(frozen=True, kw_only=True)
class Halved(Twice):
    """A technique that writes other numbers than those that stood there."""

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Write halves in the place of whole numbers."""
        return {name: [value / 2 for value in values] for name, values in batch.items()}


def test_values_of_another_type_are_refused_by_their_column() -> None:
    """A technique says in `features` that it changes a type."""
    with pytest.raises(InputError, match=r"Halved: the values of column 'n' are not of the type"):
        Halved("n")(pa.table({"n": pa.array([1, 2])}))
