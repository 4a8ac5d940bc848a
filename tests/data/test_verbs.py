"""Tests of the script that writes the table of verbs."""

import gzip
from importlib.util import find_spec
from pathlib import Path

import pytest

from fair_datasets.reader.english import verbs as shipped
from fair_datasets.system.checks import InputError
from hub_scripts.data import verbs

TABLE = Path(shipped.__file__).with_name("verbs.tsv")
LINES = [
    "Google,verb,Googled,,Googling,Googles", "fulfil,verb,fulfilled,,fulfilling,fulfils/fulfills",
    "fulfill,verb,fulfilled,,fulfilling,fulfils/fulfills",
    "be-head,verb,be-headed,,be-heading,be-heads", "get,verb,got,got/gotten,getting,gets",
    "dance,verb,danced,,dancing,dances", "dance,noun,dances", "beware,verb,,,,",
]  # fmt: skip


def written(folder: Path, lines: list[str]) -> list[list[str]]:
    """Build the table from lines, and return its cells."""
    resource = folder / "infl_lu.csv.gz"
    resource.write_bytes(gzip.compress("\n".join(lines).encode()))
    verbs.build(resource, folder / "out" / "verbs.tsv")
    text = (folder / "out" / "verbs.tsv").read_text("utf-8")
    return [line.split("\t") for line in text.splitlines()]


def test_one_row_is_written_for_each_third_person(tmp_path: Path) -> None:
    """Spellings are parted, hyphens left out, and irregular participles kept."""
    assert written(tmp_path, LINES) == [
        ["third_person", "base", "participles", "plural_noun"], ["dances", "dance", "", "noun"],
        ["fulfills", "fulfill", "", ""], ["fulfils", "fulfil", "", ""],
        ["gets", "get", "got|gotten", ""], ["googles", "google", "", ""],
    ]  # fmt: skip


def test_the_bytes_do_not_depend_on_the_order_of_the_lines(tmp_path: Path) -> None:
    """The same lines in another order give the same table."""
    assert written(tmp_path, LINES) == written(tmp_path, LINES[::-1])


def test_a_missing_resource_is_one_sentence(tmp_path: Path) -> None:
    """The sentence names the file."""
    with pytest.raises(InputError, match=r"none\.csv\.gz cannot be read as a gzipped table: .*\.$"):
        verbs.build(tmp_path / "none.csv.gz", tmp_path / "verbs.tsv")


def test_the_command_line_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without LemmInflect the script ends with a sentence, and no traceback."""
    monkeypatch.setattr(verbs, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as ended:
        verbs.main(["--out", str(tmp_path / "verbs.tsv")])
    assert ended.value.code == 2
    assert "LemmInflect is not installed" in capsys.readouterr().err


@pytest.mark.skipif(find_spec("lemminflect") is None, reason="LemmInflect is not installed")
def test_the_shipped_table_is_what_the_script_makes(tmp_path: Path) -> None:
    """Building from LemmInflect gives the shipped bytes."""
    verbs.main(["--out", str(tmp_path / "verbs.tsv")])
    assert (tmp_path / "verbs.tsv").read_bytes() == TABLE.read_bytes()
