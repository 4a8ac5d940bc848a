"""What nobody named is written as it was read: each digit, zero, sign and text."""

import csv
import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import Dataset, Json, List, Value, load_dataset
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fair_datasets.cli.inputs import load_input
from fair_datasets.hub import push_dataset

# Column to its cells: what stays a number, and what only looks like one.
CELLS = {
    "whole": ["12", "-3", "0", "9223372036854775807"],
    "decimal": ["0.5", "1.0", "1e-05", "-1234567.25"], "flag": ["True", "False", "True", "True"],
    "holes": ["7", "", "8", ""], "zip": ["00123", "7", "8", "9"], "phone": ["+4412", "5", "6", "7"],
    "exponent": ["1e5", "2", "3", "4"], "trailing": ["1.10", "1.2", "1.3", "1.4"],
    "mixed": ["1", "1.5", "2", "3"], "negative zero": ["-0", "0", "1", "2"],
    "infinite": ["inf", "1.5", "2.5", "3.5"], "nan": ["nan", "1.5", "2.5", "3.5"],
    "flags": ["true", "false", "TRUE", "False"],
    "date": ["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04"],
    "thousands": ["1,000", "2", "3", "4"], "missing": ["NA", "null", "None", "N/A"],
    "large": ["9223372036854775808", "18446744073709551616", "1", "2"],
    "long": ["0.1000000000000000055", "0.2", "0.3", "0.4"], "spaces": [" 1", "2 ", "3", "4"],
    "empty": ["", "", "", ""],
}  # fmt: skip
NUMBERS = {"whole": "int64", "decimal": "float64", "flag": "bool", "holes": "int64"}


def table(columns: dict[str, list[str]], separator: str = ",") -> bytes:
    """Write columns as a CSV file."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue().encode()


def written(rows: Dataset, name: str) -> list[str]:
    """Return the values of a column as Python writes them, and nothing for nulls."""
    return ["" if value is None else str(value) for value in rows[name]]


@pytest.mark.parametrize("name", ["in.csv", "in.tsv", "in.csv.gz"])
def test_cells_that_nobody_named(run: Any, tmp_path: Path, name: str) -> None:
    """A column is of numbers only if each cell reads back as it was written."""
    content = table({"text": ["It rains."] * 4, **CELLS}, "\t" if "tsv" in name else ",")
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    assert run("augment", tmp_path / name, "--text", "text", "--out", tmp_path / "out").code == 0
    rows = load_dataset(str(tmp_path / "out"), split="train")
    assert {column: written(rows, column) for column in CELLS} == CELLS
    kinds = {column: rows.features[column].dtype for column in CELLS}
    assert kinds == {column: NUMBERS.get(column, "string") for column in CELLS}


CELL = st.one_of(
    st.text(st.characters(codec="utf-8")), st.integers().map(str), st.floats().map(repr),
    st.from_regex(r"[+-]?[0-9]{1,20}(\.[0-9]{0,3})?", fullmatch=True),
)  # fmt: skip


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(cells=st.lists(CELL, min_size=1, max_size=4))
def test_any_cells(cells: list[str], tmp_path: Path) -> None:
    """Whatever stands in a column, alone or with other cells, comes back."""
    (tmp_path / "in.csv").write_bytes(table({"text": ["he"] * len(cells), "cell": cells}))
    (rows,) = load_input(str(tmp_path / "in.csv"), ["text"], None).values()
    assert written(rows, "cell") == cells


def test_the_last_row_counts(run: Any, tmp_path: Path) -> None:
    """All rows of all splits are looked at, and not the first block alone."""
    (tmp_path / "in").mkdir()
    numbers = [str(number) for number in range(25_000)]
    texts = ["It rains."] * 25_000
    (tmp_path / "in" / "train.csv").write_bytes(
        table({"text": texts, "n": numbers, "late": [*numbers[:-1], "007"], "other": numbers})
    )
    (tmp_path / "in" / "test.csv").write_bytes(
        table({"text": ["He ran."], "n": ["1"], "late": ["1"], "other": ["01"]})
    )
    words = ["--text", "text", "--no-family", "--out", tmp_path / "out"]
    assert run("augment", tmp_path / "in", *words).code == 0
    found = load_dataset(str(tmp_path / "out"))
    kinds = {name: kind.dtype for name, kind in found["train"].features.items()}
    assert kinds == {"text": "string", "n": "int64", "late": "string", "other": "string"}
    assert found["train"][-1] == {"text": "It rains.", "n": 24_999, "late": "007", "other": "24999"}
    assert found["test"]["other"][:] == ["01", "01"]


def test_what_datasets_guessed_before_is_not_used(run: Any, tmp_path: Path) -> None:
    """A file that load_dataset has read already, with its own types, is read anew."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("text,zip\nHe ran.,00123\n")
    assert load_dataset(str(tmp_path / "in"), split="train")["zip"][:] == [123]
    assert run("augment", tmp_path / "in", "--text", "text", "--out", tmp_path / "out").code == 0
    assert load_dataset(str(tmp_path / "out"), split="train")["zip"][:] == ["00123"] * 2


DECLARED = """---
dataset_info:
  features:
  - {name: text, dtype: string}
  - {name: zip, dtype: string}
  - {name: n, dtype: float32}
  - {name: label, dtype: {class_label: {names: {'0': bad, '1': good}}}}
---
"""


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_types_that_a_card_declares(run: Any, tmp_path: Path, name: str) -> None:
    """What the card of a folder says of its columns is followed, and texts stay as written."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "README.md").write_text(DECLARED)
    row = {"text": "It rains.", "zip": "007", "n": 1, "label": "good"}
    is_csv = name.endswith("csv")
    content = table({key: [str(cell)] for key, cell in row.items()}) if is_csv else json.dumps(row)
    (tmp_path / "in" / name).write_bytes(
        content if isinstance(content, bytes) else content.encode()
    )
    words = ["--text", "text", "--no-family", "--out", tmp_path / "out"]
    assert run("augment", tmp_path / "in", *words).code == 0
    found = load_dataset(str(tmp_path / "out"), split="train")
    assert found[0] == {"text": "It rains.", "zip": "007", "n": 1.0, "label": 1}
    assert found.features["label"].names == ["bad", "good"]


@pytest.mark.parametrize("is_dry", [False, True])
def test_ids_of_a_csv_file(run: Any, tmp_path: Path, is_dry: bool) -> None:
    """Large ids beside an empty cell stay apart, and a dry run tosses the coins of the run."""
    ids = [str(2**53 + number) for number in range(40)] + ["", "0042"]
    texts = [f"He is number {number}." for number in range(42)]
    (tmp_path / "in.csv").write_bytes(table({"id": ids, "text": texts}))
    options = ["--id-column", "id", "--mode", "substitute", "--provenance"]
    words = ["augment", tmp_path / "in.csv", "--text", "text", *options]
    assert run(*words, "--out", tmp_path / "out").code == 0
    rows = load_dataset(str(tmp_path / "out"), split="train")
    assert len(set(rows["family_id"])) == 42
    assert rows["family_id"][:40] == ids[:40]
    changed = [number for number, is_new in enumerate(rows["counterfactual"]) if is_new]
    shown = re.findall(r"train, row (\d+)", run(*words, "--dry-run").out)
    assert list(map(int, shown)) == changed[:5]


JSON = [
    '{"text": "It rains.", "id": 9223372036854775808, "point": 0.1000000000000000055, "n": 1,'
    ' "float": 0.12345678901234567, "beside": 9007199254740993, "odd": 0.12345678901234567,'
    ' "date": "2020-01-01T00:00:00+02:00", "tags": [9007199254740993], "code": "007"}',
    '{"text": "It snows.", "id": 1, "point": 0.5, "n": 1.0, "float": 1.5, "beside": null,'
    ' "odd": "a", "date": "2020-01-02", "tags": [], "code": null}',
]
KEPT = {
    "id": [9223372036854775808, 1],
    "point": [0.1000000000000000055, 0.5],
    "n": [1.0, 1.0],
    "float": [0.12345678901234567, 1.5],
    "beside": [9007199254740993, None],
    "date": ["2020-01-01T00:00:00+02:00", "2020-01-02"],
    "tags": [[9007199254740993], []],
    # A number beside a text is JSON, in which datasets reads fewer digits.
    "odd": [pytest.approx(0.12345678901234567, rel=1e-14), "a"],
    "code": ["007", None],
}


@pytest.mark.parametrize(("name", "layout"), [
    ("in.jsonl", "{}\n{}\n"), ("in.json", "[{},\n{}]"), ("in.json", "{}\n{}"),
    ("in.jsonl.gz", "{}\n\n{}"), ("bom.jsonl", "\ufeff{}\n{}\n"),
])  # fmt: skip
def test_values_of_json(run: Any, tmp_path: Path, name: str, layout: str) -> None:
    """Large and exact numbers survive, and texts stay texts, whatever they look like."""
    content = layout.replace("{}", "%s") % tuple(JSON)
    data = content.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    assert run("augment", tmp_path / name, "--text", "text", "--out", tmp_path / "out").code == 0
    rows = load_dataset(str(tmp_path / "out"), split="train")
    assert {column: rows[column][:] for column in KEPT} == KEPT
    kinds = {name: rows.features[name] for name in ("id", "point", "odd")}
    assert kinds == {"id": Value("uint64"), "point": Json(), "odd": Json()}
    run("augment", tmp_path / name, "--text", "text", "--out", tmp_path / "o.jsonl").done()
    written = (tmp_path / "o.jsonl").read_text()
    assert '"id": 9223372036854775808, "point": 0.1000000000000000055, ' in written


def test_objects_with_other_keys(run: Any, tmp_path: Path) -> None:
    """A key that comes late makes a column; keys within a value make none in the others."""
    lines = ['{"text": "He ran.", "meta": {"a": 1}}'] * 1500 + ['{"text": "x", "late": [1.5]}']
    lines += ['{"meta": {"b": 9007199254740993}}']
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    words = ["--text", "text", "--no-family", "--out", tmp_path / "o"]
    assert run("augment", tmp_path / "in.jsonl", *words).code == 0
    rows = load_dataset(str(tmp_path / "o"), split="train")
    assert rows.features == {
        "text": Value("string"), "meta": Json(), "late": List(Value("float64")),
    }  # fmt: skip
    assert rows[-2] == {"text": "x", "meta": None, "late": [1.5]}
    assert rows[-1] == {"text": None, "meta": {"b": 9007199254740993}, "late": None}


def test_a_dry_run_over_parts_that_differ(run: Any, tmp_path: Path) -> None:
    """A look at the first rows does not need to know the types of all."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_text(
        '{"text": "it", "note": null}\n{"text": "it", "id": 12345678901234567890}\n'
    )
    (tmp_path / "in" / "b.jsonl").write_text('{"text": "he", "note": "x", "late": 1}\n')
    outcome = run("augment", tmp_path / "in", "--text", "text", "--dry-run").quiet()
    assert "train, row 2\n- he\n+ she\n" in outcome.out


def test_a_csv_file_of_the_hub(run: Any, hub: Any, splits: Any, tmp_path: Path) -> None:
    """On the Hub as well, texts stay as they are written, and so do other columns."""
    from huggingface_hub import HfApi

    push_dataset(splits, "ada/reviews")
    HfApi().create_repo("ada/files", repo_type="dataset")
    for name, content in {
        "train.csv": b"text,zip,n\nNA,007,1\nHe ran.,1,2\n",
        "test.csv": b"text,zip,n\n007,1,\n",
    }.items():
        HfApi().upload_file(path_or_fileobj=content, path_in_repo=name, repo_id="ada/files",
                            repo_type="dataset")  # fmt: skip
    words = ["--text", "text", "--no-family", "--out", tmp_path / "out"]
    assert run("augment", "ada/files", *words).code == 0
    found = load_dataset(str(tmp_path / "out"))
    assert found["train"][:] == {
        "text": ["NA", "He ran.", "She ran."], "zip": ["007", "1", "1"], "n": [1, 2, 2],
    }  # fmt: skip
    assert found["test"][:] == {"text": ["007"], "zip": ["1"], "n": [None]}


@pytest.mark.parametrize("kind", [pa.string_view(), pa.large_string()])
@pytest.mark.parametrize("saved", [False, True])
def test_other_types_of_strings(run: Any, tmp_path: Path, kind: Any, saved: bool) -> None:
    """String views and large strings are texts, in any column and inside of others."""
    texts = pa.array(["He ran.", None, "x" * 40], kind)
    nested = pa.array([["a"], None, []], pa.list_(kind))
    rows = pa.table({"text": texts, "other": texts, "nested": nested})
    source = tmp_path / ("saved" if saved else "in.parquet")
    if saved:
        Dataset(rows).save_to_disk(str(source))
    else:
        pq.write_table(rows, source)
    for last in (["--dry-run"], ["--out", tmp_path / "out"]):
        run("augment", source, "--text", "text", *last).quiet()
    found = load_dataset(str(tmp_path / "out"), split="train")
    assert found["text"][:] == ["He ran.", "She ran.", None, "x" * 40]
    assert found["nested"][:] == [["a"], ["a"], None, []]
