"""Values inside the columns of tables."""

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rows.arrow import python_values, with_changes, with_values, write_parquet

TEXT = st.none() | st.text(max_size=3)
TURN = st.none() | st.fixed_dictionaries({"a": TEXT, "n": st.none() | st.integers(0, 9)})
KIND = pa.struct([("a", pa.string()), ("n", pa.int8())])


@pytest.mark.parametrize("kind", [pa.list_(KIND), pa.large_list(KIND), pa.list_view(KIND)])
@given(st.lists(st.none() | st.lists(TURN, max_size=3), max_size=4), st.integers(0, 2), st.data())
def test_changes_inside_lists_of_objects(
    kind: pa.DataType, values: list[Any], skipped: int, data: Any
) -> None:
    """The values are those that were given, whatever they were before; also in a slice."""
    array = pa.array(values, kind)[skipped:]
    old = python_values(array)
    size = {"min_size": len(old), "max_size": len(old)}
    new = [value and [turn and {**turn, "a": f"<{turn['a']}>"} for turn in value] for value in old]
    others = data.draw(st.lists(st.none() | st.lists(TURN, max_size=3), **size))
    for wanted in (new, others):
        found = with_changes(array, old, wanted)
        assert (found.type, found.to_pylist()) == (kind, wanted)
        found.validate(full=True)
    assert with_changes(array, old, old) is array


@pytest.mark.parametrize(("kind", "old", "new"), [
    (pa.list_(KIND), [[None]], [[{"a": None, "n": None}]]),
    (KIND, [None, None], [{"a": None, "n": None}, {"a": "a", "n": None}]),
    (pa.struct([("of", KIND)]), [None], [{"of": {"a": None, "n": None}}]),
    (pa.struct([("of", pa.list_(KIND))]), [None], [{"of": None}]),
    (pa.json_(), [None, ["a"]], [["a"], None]),
    (pa.list_(pa.struct([("of", pa.json_())])), [[None]], [[{"of": ["a"]}]]),
])  # fmt: skip
def test_nulls_are_where_they_are_asked_for(
    kind: pa.DataType, old: list[Any], new: list[Any]
) -> None:
    """Nothing comes up from below what was null."""
    array = with_values(kind, old)
    assert python_values(array) == old
    found = with_changes(array, old, new)
    assert (found.type, python_values(found)) == (kind, new)


def test_a_field_without_nulls_gets_none() -> None:
    """Parquet would refuse one, also below an object that is null."""
    fields = [pa.field("a", pa.string()), pa.field("n", pa.int8(), nullable=False)]
    children, mask = [pa.array([None, "a"]), pa.array([0, 1], pa.int8())], pa.array([True, False])
    array = pa.StructArray.from_arrays(children, fields=fields, mask=mask)
    old = python_values(array)
    found = with_changes(array, old, [None, {**old[1], "a": "b"}])
    assert found.to_pylist() == [None, {"a": "b", "n": 1}]
    assert found.field("n").null_count == 0


def test_nanoseconds_stay() -> None:
    """A value that Python does not know is not touched."""
    kind = pa.struct([("at", pa.time64("ns")), ("text", pa.string())])
    array = pa.StructArray.from_arrays(
        [pa.array([1, 2], pa.time64("ns")), pa.array(["a", "b"])], fields=list(kind)
    )
    several = pa.ListArray.from_arrays([0, 2], array)
    old = python_values(array)
    new = [{**value, "text": text} for value, text in zip(old, "cd", strict=True)]
    for found in (with_changes(array, old, new), with_changes(several, [old], [new]).flatten()):
        assert found.field("at").equals(array.field("at"))
        assert found.field("text").to_pylist() == ["c", "d"]


def test_json_that_does_not_change_stays_as_it_is_written() -> None:
    """JSON is read for the techniques, and written anew only where a text changes."""
    texts = ['[{"a" : "he", "n": 1.10}]', '[{"a" : "it", "n": 1.10}]', None]
    array = pa.array(texts, pa.json_())
    old = python_values(array)
    assert old[0] == [{"a": "he", "n": 1.1}]
    new = [[{"a": "she", "n": 1.1}], [{"a": "it", "n": 1.1}], None]
    found = with_changes(array, old, new).to_pylist()
    assert json.loads(found[0]) == new[0]
    assert found[1:] == texts[1:]
    inner = pa.StructArray.from_arrays([array[:1]], ["m"])
    assert python_values(inner) == [{"m": old[0]}]
    changed = with_changes(inner, python_values(inner), [{"m": new[0]}])
    assert changed.field("m").to_pylist() == found[:1]


# So many texts that their dictionary is given up, and pages are written on the way.
_LONGEST = 30
ROWS = Dataset.from_dict(
    {"text": [f"He told {number} of {number * 7919}." for number in range(60_000)]}
)
CODE = """
import sys
from pathlib import Path
from tests.rows.test_arrow import ROWS
from fair_datasets.rows.arrow import write_parquet
try:
    write_parquet(ROWS, Path(sys.argv[1]))
except OSError as error:
    print(error.errno, error.filename)
"""


def limit_files() -> None:
    """Let the process write files of 100 kB at most, with an error and not a signal."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


@pytest.mark.slow
def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    """Left alone, pyarrow would abort the process; the error names the file."""
    file = tmp_path / "rows.parquet"
    found = subprocess.run(
        # A module that is compiled then would be cut short, and stay so for whoever comes next.
        [sys.executable, "-B", "-c", CODE, file], preexec_fn=limit_files, capture_output=True,
        text=True, cwd=Path(__file__).parents[2], check=False,
    )  # fmt: skip
    assert (found.returncode, found.stdout) == (0, f"{errno.EFBIG} {file}\n"), found.stderr


def test_the_bytes_are_those_of_datasets(tmp_path: Path) -> None:
    """And so are those that it is told of."""
    write_parquet(ROWS, tmp_path / "ours.parquet")
    ROWS.to_parquet(tmp_path / "theirs.parquet")
    assert (tmp_path / "ours.parquet").read_bytes() == (tmp_path / "theirs.parquet").read_bytes()


def test_an_interrupt_is_obeyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle of the work is raised here, once nothing writes any more."""

    def interrupt(rows: Any, sink: Any) -> None:
        sink.write(b"begun")
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(_LONGEST * 100):
            if sink.is_given_up:
                break
            time.sleep(0.01)
        sink.write(b"never")

    # Whoever started the tests may let them ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(Dataset, "to_parquet", interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            write_parquet(ROWS, tmp_path / "rows.parquet")
    finally:
        signal.signal(signal.SIGINT, before)
    assert (tmp_path / "rows.parquet").read_bytes() == b"begun"
