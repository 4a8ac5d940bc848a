"""Techniques over whole datasets, shard by shard."""

import hashlib
import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value, load_dataset
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import Blindness, CounterfactualSwap, MentionedAttribute, load_technique, run
from fair_datasets.jobs.run import rows_digest
from fair_datasets.selection.correction import KeepLabelled
from fair_datasets.system.checks import InputError
from fair_datasets.technique import Technique, reproduce
from fair_datasets.technique.contract import own_code

FEATURES = Features(
    {"text": Value("string"), "label": ClassLabel(names=["bad", "good"]), "n": Value("int32")}
)
ROWS = Dataset.from_dict(
    {
        "text": [f"{('He', 'She', 'It')[n % 3]} was there on day {n}." for n in range(40)],
        "label": [n % 2 for n in range(40)],
        "n": [n if n % 5 else None for n in range(40)],
    },
    features=FEATURES,
)
SWAP = CounterfactualSwap(columns="text")


def test_the_result_is_that_of_apply(tmp_path: Path) -> None:
    """With the splits, the features and the nulls; the card rebuilds the technique."""
    splits = DatasetDict(train=ROWS, test=ROWS.select(range(3, 9)))
    out = run(SWAP, splits, tmp_path / "out", shard_rows=7)
    found = load_dataset(out)
    assert {name: rows.to_dict() for name, rows in found.items()} == {
        name: rows.to_dict() for name, rows in SWAP.apply(splits).items()
    }
    assert found["train"].features == SWAP.features(FEATURES)
    assert reproduce(out) == (SWAP,)
    assert "In a shell" not in Path(out, "README.md").read_text()


@pytest.mark.parametrize("given", [lambda rows: rows, lambda rows: rows.to_iterable_dataset()])
def test_string_views(tmp_path: Path, given: Any) -> None:
    """They are written as strings, wherever they stand."""
    view, binary = pa.string_view(), pa.binary_view()
    said = pa.array([[{"key": "x"}], None], pa.list_(pa.struct([("key", view)])))
    columns = {"text": pa.array(["He ran.", None], view), "said": said}
    rows = Dataset(pa.table({**columns, "bytes": pa.array([b"x", b""], binary)}))
    found = load_dataset(run(SWAP, given(rows), tmp_path / "out"), split="train")
    assert "view" not in str(found.features)
    assert found["text"][:] == ["He ran.", "She ran.", None]
    for name in ("said", "bytes"):
        assert found[name][:] == [rows[name][0], *rows[name][:]]


def test_several_are_applied_in_order(tmp_path: Path) -> None:
    """Those that choose rows, and those that add columns, among them."""
    steps: list[Technique] = [MentionedAttribute(columns="text"), KeepLabelled(column="group"),
                              Blindness(columns="text")]  # fmt: skip
    wanted = ROWS
    for step in steps:
        wanted = step.apply(wanted)
    out = run(steps, ROWS, tmp_path / "out", shard_rows=9)
    assert load_dataset(out)["train"].to_dict() == wanted.to_dict()
    assert 0 < len(wanted) < 40
    assert reproduce(out) == tuple(steps)


def test_a_finished_folder_that_somebody_changed(tmp_path: Path) -> None:
    """It is told which file is not what was written, and nothing is written over the others."""
    out = run(SWAP, ROWS, tmp_path / "out", shard_rows=11)
    Path(out, "data/train-00002-of-00004.parquet").write_bytes(b"junk")
    with pytest.raises(InputError, match="is gone or was changed since"):
        run(SWAP, ROWS, tmp_path / "out", shard_rows=11)
    assert Path(out, "data/train-00002-of-00004.parquet").read_bytes() == b"junk"


def test_a_finished_folder_is_left(tmp_path: Path) -> None:
    """Another call for it is refused."""
    out = run(SWAP, ROWS, tmp_path / "out")
    (file,) = Path(out, "data").iterdir()
    before = file.stat().st_mtime_ns
    assert run(SWAP, ROWS, tmp_path / "out") == out
    assert file.stat().st_mtime_ns == before
    for technique, rows in ((SWAP, ROWS.select(range(9))), (Blindness(columns="text"), ROWS)):
        with pytest.raises(InputError, match="is not empty, and nothing is overwritten"):
            run(technique, rows, tmp_path / "out")


@given(st.lists(st.none() | st.text(max_size=3), min_size=1, max_size=9), st.data())
def test_the_digest_goes_by_the_rows_alone(texts: list[str | None], data: Any) -> None:
    """Not by how they came to be there."""
    rows = Dataset.from_dict({"text": [*texts, *texts]}, Features({"text": Value("string")}))
    place = data.draw(st.integers(0, len(texts)))
    turned = rows.select([*range(place, place + len(texts))])
    again = Dataset.from_dict(turned.to_dict(), features=rows.features)
    assert rows_digest(turned) == rows_digest(again)
    changed = data.draw(st.integers(0, len(texts) - 1))
    other = [f"{text}!" if n == changed else text for n, text in enumerate(turned["text"][:])]
    assert rows_digest(Dataset.from_dict({"text": other}, features=rows.features)) != rows_digest(
        turned
    )


def test_the_configuration_in_the_manifest_is_the_technique(tmp_path: Path) -> None:
    """And the digests are those of the rows."""
    from fair_datasets.jobs.job import manifest_of

    manifest = manifest_of(Path(run(SWAP, ROWS, tmp_path / "out")))
    assert load_technique(manifest["technique"][0]) == SWAP
    assert manifest["source"] == {"train": rows_digest(ROWS)}


@pytest.mark.parametrize(("out", "message"), [
    ("/proc/a/out", "out cannot be created, because nothing can be written to /proc (No such"),
    ("{here}/file/out", "out cannot be made, as {here}/file is a file; name another one."),
    ("{here}/" + "a" * 252, "cannot be a folder (File name too long); name another."),
    ("{here}/a\0", "out holds a NUL character, which no path may hold: '{here}/a"),
])  # fmt: skip
def test_a_place_that_takes_nothing(tmp_path: Path, out: str, message: str) -> None:
    """It is told before any row is rewritten."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=re.escape(message.format(here=tmp_path))):
        run(SWAP, ROWS, out.format(here=tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_other_code_is_another_technique(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a class of one's own, the code is a part of what is done."""
    code = """
from dataclasses import dataclass
from fair_datasets.technique import Technique
@dataclass(frozen=True, kw_only=True)
class Own(Technique):
    def process(self, batch):
        return dict(batch)
"""
    file = tmp_path / "own_technique.py"
    monkeypatch.syspath_prepend(str(tmp_path))
    digests = []
    for more in ("", "# another\n"):
        file.write_text(code + more)
        monkeypatch.delitem(sys.modules, "own_technique", raising=False)
        importlib.invalidate_caches()
        own = importlib.import_module("own_technique").Own()
        digests.append(own_code(own, SWAP)["code"]["Own"])
    monkeypatch.delitem(sys.modules, "own_technique")
    assert digests[0] == hashlib.sha256(code.encode()).hexdigest() != digests[1]
    assert own_code(SWAP) == {}
