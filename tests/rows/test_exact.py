"""Which types read back what is written."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.cli.inputs import load_input
from fair_datasets.rows.exact import CHUNK_ROWS
from fair_datasets.rows.exact_csv import TYPES, types_that_read_back


def expected(values: list[str], kind: str) -> bool:
    """Say by Python alone whether a type reads back."""
    if kind == "bool":
        return set(values) <= {"True", "False"}
    try:
        made = [int(value) if kind == "int64" else float(value) for value in values]
    except ValueError:
        return False
    written = list(map(str, made)) == values
    if kind == "int64":
        return written and all(-(2**63) <= number < 2**63 for number in made)
    return written and all(abs(number) < float("inf") for number in made)


WRITTEN = st.one_of(
    st.integers().map(str), st.floats().map(repr), st.floats(-1e17, 1e17).map(repr),
    st.floats(0, 2e-4).map(repr), st.floats(0, 1).map(lambda number: f"{number:.17g}"),
    st.floats(-1e6, 1e6).map(lambda number: f"{number:.2f}"),
    st.from_regex(r"[+-]?[0-9]{1,25}(\.[0-9]{0,3})?(e[+-]?[0-9]{1,3})?", fullmatch=True),
    st.sampled_from(["True", "False", "true", "nan", "inf", "NA", "", " 1", "1 ", "0x10", "1_0"]),
    st.text(max_size=4),
)  # fmt: skip


@given(st.lists(WRITTEN, min_size=1, max_size=5))
def test_python_says_the_same(values: list[str]) -> None:
    """A type comes into question exactly if Python writes each of its values as it was."""
    array = pa.array(values, pa.string())
    assert types_that_read_back(array, TYPES) == [kind for kind in TYPES if expected(values, kind)]


EDGES = [
    "7", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "007", "+7", "-0",
    "1.0", "-0.0", "1.10", "1e5", "100000.0", "1e-05", "0.00001", "0.000025", "25000000000.0",
    "2.5e+10", "1e+16", "1234567890123456.8", "0.1000000000000000055", ".5", "nan", "inf",
    "1,000", "2020-01-01", "١", "True", "TRUE",
]  # fmt: skip


@pytest.mark.parametrize("value", EDGES)
def test_edges(value: str) -> None:
    """The cases that readers of CSV usually alter."""
    kinds = [kind for kind in TYPES if expected([value], kind)]
    assert types_that_read_back(pa.array([value]), TYPES) == kinds


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl"])
def test_columns_have_few_parts(tmp_path: Path, name: str) -> None:
    """Each takes 600 bytes of memory, which would grow with the rows."""
    rows = [{"text": f"He ran {number}.", "id": number} for number in range(2 * CHUNK_ROWS + 5)]
    lines = map(json.dumps, rows)
    if name.endswith(".csv"):
        lines = iter(["text,id", *(f"{row['text']},{row['id']}" for row in rows)])
    (tmp_path / name).write_text("\n".join(lines) + "\n")
    found = load_input(str(tmp_path / name), ["text"], None, cache=str(tmp_path / "cache"))["train"]
    assert found.data.column("text").num_chunks == 3
    assert found.to_list() == rows


def test_long_rows_are_not_kept_together(tmp_path: Path) -> None:
    """Nobody knows how many fit into memory."""
    file = tmp_path / "rows.jsonl"
    with file.open("w") as lines:
        for _ in range(3):
            lines.write(json.dumps({"text": "He ran. " * 10_000}) + "\n")
            lines.writelines(['{"text": ""}\n'] * 999)
        lines.writelines([json.dumps({"text": "He ran. " * 2_000_000}) + "\n"])
        lines.writelines(['{"text": ""}\n'] * 1000)
    found = load_input(str(file), ["text"], None, cache=str(tmp_path / "cache"))["train"]
    sizes = [len(part) for part in found.data.column("text").chunks]
    assert sizes == [4000, 1]
