"""Wrong input ends in one sentence and exit code 2, and leaves nothing behind."""

import bz2
import errno
import gzip
import lzma
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from datasets import Dataset, DatasetDict
from pyarrow import parquet

GOOD = "id,text\n" + "".join(f"{number},he ran\n" for number in range(3000))

FILES = [
    ("empty.csv", b"", "empty.csv is empty; give a file that has rows."),
    ("empty.parquet", b"", "empty.parquet is empty; give a file that has rows."),
    ("blank.csv", b"\n\n", "blank.csv is empty; give a file that has rows."),
    ("header.csv", b"id,text\n", "header.csv (split train) has no rows; there is nothing to do."),
    ("blank.jsonl", b"\n\n", "blank.jsonl"),
    ("latin.csv", GOOD.encode() + b"1,caf\xe9\n2,he\n",
     "latin.csv, line 3002: the bytes are not UTF-8 (from byte 34,903 of the file); name its "
     "encoding by --encoding, such as cp1252, or save the file as UTF-8."),
    ("latin.csv.gz", gzip.compress(b"text\ncaf\xe9\n", mtime=0),
     "latin.csv.gz, line 2: the bytes are not"),
    ("latin.txt", b"he\n" * 3000 + b"caf\xe9\n", "latin.txt, line 3001: the bytes are not UTF-8"),
    ("latin.jsonl", b'{"text":"he"}\n' * 3000 + b'{"text":"caf\xe9"}\n',
     "latin.jsonl, line 3001: the bytes are not UTF-8 (from byte 42,012 of the file); name its"),
    ("utf16.csv", "id,text\n1,he\n".encode("utf-16"), "utf16.csv, line 1: the bytes are not UTF-8 "
     "(from byte 0 of the file); name its encoding by --encoding, such as utf-16, or save"),
    ("wide16.csv", "id,text\n1,he\n".encode("utf-16-be"), "wide16.csv, line 1: there is a NUL "
     "character, as in UTF-16; name the encoding by --encoding, such as utf-16-be, save"),
    ("wide.csv", b'id,text\n1,"a\nb\nc"\n2,he,she,it\n',
     "wide.csv, line 5: the row has 4 fields, but the header has 2; put texts that hold the "
     "separator in double quotes."),
    ("shifted.csv", b"id,text\n1,he ran,a\n2,she ran,b\n",
     "shifted.csv, line 2: the row has 3 fields, but the header has 2;"),
    ("open.csv", b'id,text\n1,"a\nb"\n2,"he ran\n' + b"3,she ran\n" * 20_000,
     "open.csv, line 4: a text of this row begins with a double quote, but none ends "
     "it; add one, or write a quote that is a part of the text twice."),
    ("bad.jsonl", b'{"text":"he"}\n' * 10 + b'{"text": he}\n',
     "bad.jsonl, line 11: the JSON is malformed (Expecting value, character 10); write one "
     "JSON object per line."),
    ("cut.jsonl", b'{"text":"it"}\n{"text":\n{"text":"he"}\n{"text":"she"}\n',
     "cut.jsonl, line 4: the JSON is malformed (Expecting ',' delimiter, character 1 of the "
     "value that begins on line 2); write one JSON object per line."),
    ("wide.jsonl", '{"text": "he"}'.encode("utf-16-le"), "wide.jsonl, line 1: there is a NUL "
     "character, as in UTF-16; name the encoding by --encoding, such as utf-16-le, save"),
    ("doubled.csv", b"text,id,text\nhe,1,she\n", "doubled.csv, line 1: the header names the "
     "column 'text' 2 times; give each column a name of its own."),
    ("unnamed.csv", b",text,\n0,he,\n", "unnamed.csv, line 1: the header names the column '' 2 "
     "times; give each column a name of its own."),
    ("semicolon.csv", b"id;text\n1;he\n2;she;it\n", "semicolon.csv, line 3: the row has 3 fields, "
     "but the header has 2; put texts that hold the separator in double quotes."),
    ("cut.csv", b'text\n"He, too,"\nHe said,\n', "cut.csv, line 3: the row has 2 fields, but the "
     "header has 1; put texts that hold the separator in double quotes."),
    ("huge.jsonl", b'{"text":"he"}\n' * 1500 + b'{"text":"he","n":{"a":18446744073709551616}}\n',
     "huge.jsonl, line 1501: column 'n' holds the number 18446744073709551616, which no type of "
     "numbers keeps; write it as a text, in double quotes, or as null."),
    ("million.csv", b"text," + b"x," * 1_000_000 + b"\n", "million.csv, line 1: there are "
     "1,000,002 columns, and at most 20,000 are read; check the first line and what separates"),
    ("twice.jsonl", b'{"text":"it"}\n' * 1500 + b'{"text":"he","text":"she"}\n',
     "twice.jsonl, line 1501: the key 'text' comes twice in one object; keep one of them."),
    ("half.jsonl.gz", gzip.compress(b'{"text":"he"}\n{"text":"he \\ud83d"}\n', mtime=0),
     'half.jsonl.gz, line 2: the text holds "\\ud83d", a lone surrogate, which is half of a '
     "character; write the whole character, or leave it out."),
    ("none.json", b"[]", "none.json (split train) has no rows; there is nothing to do."),
    ("bad.parquet", b"PAR1 nonsense PAR1", "bad.parquet cannot be read: ArrowInvalid: "),
    ("bad.csv.gz", b"no gzip", "bad.csv.gz is cut or broken (BadGzipFile: "),
    ("mixed.jsonl", b'{"text":"he"}\n' * 1500 + b'{"text": 5}\n',
     "mixed.jsonl (split train): column 'text' must hold text, but row 1500 (counted from 0) "
     "holds 5 (int); name a column of texts with --text."),
    ("int.jsonl", b'{"text":null}\n{"text":5}\n',
     "int.jsonl (split train): column 'text' must hold text, but row 1 (counted from 0) holds 5"),
    ("int.csv", b"text\n\n5\n6\n", "int.csv (split train): column 'text' holds whole numbers only"),
    ("typo.csv", b"id,txet\n1,he\n",
     "typo.csv (split train): there is no column 'text'; the columns are 'id', 'txet'. Did you "
     "mean 'txet'?"),
    ("a.docx", b"x", "a.docx is in no format that can be read; its name must end in one of .csv"),
    ("no_ending", b"x", "no_ending is in no format that can be read;"),
]  # fmt: skip


def assert_told(outcome: Any, code: int, sentence: str) -> None:
    """Assert that one sentence was all that was said."""
    assert outcome.code == code
    assert sentence in outcome.err
    assert outcome.err.startswith("\nfair-datasets: ")
    assert len(outcome.err.strip().splitlines()) == 1
    assert outcome.out == ""


@pytest.mark.parametrize(("name", "content", "sentence"), FILES, ids=[file[0] for file in FILES])
def test_bad_file(run: Any, tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    """The sentence names the file, where it is wrong and what to do; nothing is left behind."""
    (tmp_path / name).write_bytes(content)
    outcome = run("augment", tmp_path / name, "--text", "text", "--out", tmp_path / "new" / "out")
    assert_told(outcome, 2, sentence)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == content


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [file for file in FILES if file[0] in ("latin.csv", "empty.parquet", "bad.jsonl", "typo.csv")],
)
def test_bad_file_dry_run(
    run: Any, tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    """A dry run refuses the same files in the same words, as far as it reads them."""
    (tmp_path / name).write_bytes(content)
    outcome = run("augment", tmp_path / name, "--text", "text", "--dry-run").refused()
    assert sentence in outcome or "(split train) has no rows" in outcome
    assert len(outcome.strip().splitlines()) == 1


@pytest.mark.parametrize(("files", "sentence"), [
    ({}, "holds no .csv, .tsv, .jsonl, .ndjson, .json, .parquet, .txt file and no saved"),
    ({"page.html": "x", ".hidden.csv": "text\nhe\n"}, "holds no .csv, .tsv, "),
    ({"a.csv": "text\nhe\n", "b.jsonl": "{}\n"}, "several formats (.csv, .jsonl), but only"),
    ({"a.csv": "text\nhe\n", "b.csv": ""}, "b.csv is empty; give a file that has rows."),
    ({"train.csv": "text\nhe\n", "test.csv": "text\n"}, "(split test) has no rows"),
    ({"a.csv": "text,a\nhe,1\n", "b.csv": "text,b\nhe,1\n"}, "cannot be read: ArrowInvalid"),
    ({"a.csv": "text\nhe\n", "b.csv": "text\nhe,1,2\n"}, "b.csv, line 2: the row has 3 fields"),
    ({"dataset_dict.json": '{"splits": ["train"]}'}, "cannot be read: FileNotFoundError: "),
])  # fmt: skip
def test_bad_folder(run: Any, tmp_path: Path, files: dict[str, str], sentence: str) -> None:
    """A folder's sentence names the folder, or the file in it."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(content)
    outcome = run("augment", folder, "--text", "text", "--out", tmp_path / "out")
    assert_told(outcome, 2, sentence)
    assert str(folder) in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_parquet_file_without_rows(run: Any, tmp_path: Path) -> None:
    """It is told as a table without rows is."""
    empty = tmp_path / "empty.parquet"
    parquet.write_table(pa.table({"text": pa.array([], pa.string())}), empty)
    outcome = run("augment", empty, "--text", "text", "--out", tmp_path / "out")
    assert_told(outcome, 2, "empty.parquet has no rows; there is nothing to do.")


def test_split_name_that_cannot_be_opened(run: Any, tmp_path: Path) -> None:
    """A split's name that load_dataset refuses is refused before anything is written."""
    DatasetDict({"a-b": Dataset.from_dict({"text": ["he"]})}).save_to_disk(str(tmp_path / "in"))
    outcome = run("augment", tmp_path / "in", "--text", "text", "--out", tmp_path / "out")
    assert_told(outcome, 2, "(split a-b): a split's name may hold letters, digits, underscores")


@pytest.mark.parametrize(("source", "sentence"), [
    ("missing.csv", "There is no file or folder 'missing.csv'; check the path."),
    ("./missing", "There is no file or folder './missing'; check the path."),
    ("nobody/nothing",
     "There is no file or folder 'nobody/nothing' here, so it was looked for on the Hub: "
     "HF_HUB_OFFLINE is set, so the dataset nobody/nothing cannot be reached; unset it"),
    ("nothing", "'nothing' here, so it was looked for on the Hub: HF_HUB_OFFLINE is set"),
    ("no thing", "'no thing' here, so it was looked for on the Hub: 'no thing' names no"),
    ("hf://datasets/nobody/nothing", "fair-datasets: HF_HUB_OFFLINE is set, so the dataset "),
    ("hf://nobody/nothing", "'hf://nobody/nothing' names a model, but a dataset is meant"),
    ("https://hf.co/datasets/nobody/nothing", 'names no repository of the Hub; write "user/'),
])  # fmt: skip
def test_missing_input(run: Any, tmp_path: Path, source: str, sentence: str) -> None:
    """A path that is not there, and a Hub id that cannot be reached, are told apart."""
    outcome = run("augment", source, "--text", "text", "--out", tmp_path / "out")
    assert_told(outcome, 2, sentence)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("options", "sentence"), [
    (["--samples", "-1"], "--samples must be at least 0, but it is -1."),
    (["--config", "cda"], "has no card that names configurations, so --config has none"),
    (["--config-name", "cda"], "--config-name and --private are for the Hub, but --out /"),
    (["--private"], "is a place here; write hf://datasets/user/name to publish."),
    (["--target", "wommen"], "target must be one of 'man', 'woman', 'non-binary', but it is"),
    (["--axis", "gendr"], "Did you mean 'gender'?"),
    (["--axis", "missing.tsv"], "missing.tsv cannot be read: No such file or directory; check"),
    (["--rate", "0.5"], "--rate is the probability of --mode substitute, but --mode is 'augment'"),
    (["--pronouns", "fae"], "--pronouns fae would never be written, because nobody becomes"),
    (["--rate", "2"], "rate must be a number from 0 to 1, but it is 2.0."),
    (["--split", "tran"], "--split must be 'train', but it is 'tran'. Did you mean"),
    (["--id-column", "idd"], "there is no column 'idd'; the columns are 'id', 'text', 'label'"),
    (["--num-proc", "0"], "--num-proc must be at least 1, but it is 0."),
    (["--set", "modle=x"], "each parameter of this technique has an option of its own;"),
])  # fmt: skip
def test_bad_argument(
    run: Any, reviews: Path, tmp_path: Path, options: list[str], sentence: str
) -> None:
    """A wrong argument is named with what is allowed."""
    outcome = run("augment", reviews, "--text", "text", *options, "--out", tmp_path / "out")
    assert_told(outcome, 2, sentence)
    assert [path.name for path in tmp_path.iterdir()] == ["reviews.csv"]


@pytest.mark.parametrize(("arguments", "sentence"), [
    (["--text", "text", "--mode", "agument"], "but it is 'agument'. Did you mean 'augment'?"),
    (["--column", "text"], "there is no option --column. Did you mean '--text'?"),
    (["--text", "text", "--licens=mit", "--output", "x"], "--output. Did you mean '--out'"),
    (["--text", "text", "-out", "x"], "there is no option -out. Did you mean '--out'?"),
    (["--data", "text"], "there is no option --data. Did you mean '--text'?"),
    (["--text", "text", "--seed", "-1", "--spilt", "a"], "--spilt. Did you mean '--split'?"),
    (["--text", "text", "--seed", "x"], "argument --seed: invalid int value: 'x'"),
    ([], "the following arguments are required: --text"),
    (["--text", "text", "--names", "yes"], "no place for 'yes'; --names takes no value."),
    (["--text", "text"], "name the output with --out, or use --dry-run."),
])  # fmt: skip
def test_argument_that_argparse_refuses(
    run: Any, reviews: Path, arguments: list[str], sentence: str
) -> None:
    """Arguments that cannot be parsed end with exit code 2 too, and with two lines of usage."""
    outcome = run("augment", reviews, *arguments).refused()
    assert sentence in outcome
    assert len(outcome.strip().splitlines()) <= 3


def test_unknown_command(run: Any, reviews: Path) -> None:
    """The command that was meant is named."""
    outcome = run("augmnt", reviews, "--text", "text").refused()
    assert outcome.endswith("but it is 'augmnt'. Did you mean 'augment'?\n")


def test_argument_with_a_nul(run: Any, reviews: Path) -> None:
    """What no path can hold is told before it is looked for."""
    outcome = run("augment", reviews, "--text", "text", "--out", "a\0b").refused()
    assert r"argument 'a\x00b' holds a NUL character, which no path or name may hold." in outcome


@pytest.mark.parametrize(("out", "sentence"), [
    ("full", "is not empty, and nothing is overwritten; name another one, or"),
    ("full/file", "is a file; name another one."),
    ("full/file/out", "full/file is a file; name another one."),
    ("out[1]", "load_dataset cannot open a folder that is named 'out[1]';"),
])  # fmt: skip
def test_taken_output(run: Any, reviews: Path, tmp_path: Path, out: str, sentence: str) -> None:
    """What lies at the output is never overwritten."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("precious")
    outcome = run("augment", reviews, "--text", "text", "--out", tmp_path / out)
    assert_told(outcome, 2, sentence)
    assert (tmp_path / "full" / "file").read_text() == "precious"
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["file"]


@pytest.mark.parametrize(("number", "sentence"), [
    (errno.ENOSPC, "the disk is full (here): free some space, choose another --out, or set"),
    (errno.EFBIG, "the disk is full (here): "),
    (errno.EROFS, "no permission (here): choose a place that you may read and write."),
    (errno.EACCES, "no permission (here): "),
    (errno.EIO, "OSError: [Errno 5] failed: 'here' (nothing was written; set FAIR_DATASETS_"),
])  # fmt: skip
def test_failure_of_the_system(
    run: Any,
    reviews: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    sentence: str,
) -> None:
    """A failure while writing ends with exit code 1, and nothing is left behind."""

    def fail(*arguments: object, **options: object) -> None:
        raise OSError(number, "failed", "here")

    monkeypatch.setattr("datasets.Dataset.to_parquet", fail)
    outcome = run("augment", reviews, "--text", "text", "--out", tmp_path / "a" / "out")
    assert_told(outcome, 1, sentence)
    assert [path.name for path in tmp_path.iterdir()] == ["reviews.csv"]


def test_full_disk_while_reading(
    run: Any, reviews: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that is full when datasets fills its cache is no fault of the input."""

    def fail(*arguments: object, **options: object) -> None:
        raise RuntimeError("wrapped") from OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("fair_datasets.cli.inputs.load_dataset_builder", fail)
    outcome = run("augment", reviews, "--text", "text", "--out", tmp_path / "out")
    assert_told(outcome, 1, "the disk is full: ")


def test_traceback_on_request(
    run: Any, reviews: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAIR_DATASETS_TRACEBACK=1 lets an unexpected failure through."""

    def fail(*arguments: object) -> None:
        raise OSError("unexpected")

    monkeypatch.setenv("FAIR_DATASETS_TRACEBACK", "1")
    monkeypatch.setattr("datasets.Dataset.to_parquet", fail)
    with pytest.raises(OSError, match="unexpected"):
        run("augment", reviews, "--text", "text", "--out", tmp_path / "out")


DRAW = random.Random(0)
TEXTS = [f"He told {DRAW.random()}." for _ in range(2000)]
CSV = "".join(["text\n", *(f"{text}\n" for text in TEXTS)]).encode()
COMPRESSED = {
    ".gz": gzip.compress(CSV, mtime=0), ".bz2": bz2.compress(CSV), ".xz": lzma.compress(CSV),
}  # fmt: skip


@pytest.mark.parametrize("is_cut", [True, False])
@pytest.mark.parametrize("ending", COMPRESSED)
def test_an_archive_that_is_cut_or_broken(
    run: Any, tmp_path: Path, ending: str, is_cut: bool
) -> None:
    """Wherever its rows may be read to, it is the archive that is told of."""
    content = bytearray(COMPRESSED[ending])
    half = len(content) // 2
    content[half] ^= 0xFF
    file = tmp_path / f"rows.csv{ending}"
    file.write_bytes(content[:half] if is_cut else content)
    outcome = run("augment", file, "--text", "text", "--out", tmp_path / "out")
    assert_told(outcome, 2, f"{file} is cut or broken (")
    assert outcome.err.endswith("; download it again, or compress it again.\n")
    assert os.listdir(tmp_path) == [file.name]


@pytest.mark.parametrize("is_cut", [True, False])
def test_a_parquet_file_that_is_cut_or_broken(run: Any, tmp_path: Path, is_cut: bool) -> None:
    """Be it at its end, or among the rows; of several, the one is named."""
    file, other = tmp_path / "in" / "rows.parquet", tmp_path / "in" / "other.parquet"
    file.parent.mkdir()
    for place in (file, other):
        Dataset.from_dict({"text": TEXTS}).to_parquet(place)
    content = bytearray(file.read_bytes())
    content[2000:6000] = bytes(4000)
    file.write_bytes(content[: len(content) // 2] if is_cut else content)
    for words in ([file], [other, file], [file.parent]):
        outcome = run("augment", *words, "--text", "text", "--out", tmp_path / "out")
        assert_told(outcome, 2, f"fair-datasets: {file} cannot be read: ")
    outcome = run("augment", f"{file.parent}/*", "--text", "text", "--out", tmp_path / "out")
    assert_told(outcome, 2, f"file://{file} {'cannot be read: ' if is_cut else 'is broken'}")
    assert os.listdir(tmp_path) == ["in"]


def test_a_saved_dataset_that_is_cut(run: Any, tmp_path: Path) -> None:
    """Before it is read."""
    Dataset.from_dict({"text": TEXTS}).save_to_disk(tmp_path / "saved")
    (file,) = (tmp_path / "saved").glob("*.arrow")
    os.truncate(file, file.stat().st_size // 2)
    outcome = run("augment", tmp_path / "saved", "--text", "text", "--out", tmp_path / "out")
    assert_told(outcome, 2, f"{file} cannot be read: ")
    assert os.listdir(tmp_path) == ["saved"]


CUT = """
import os, sys
from pathlib import Path
from fair_datasets.cli import main
from fair_datasets.jobs import job, rewriting
work = rewriting.RewriteShard.__call__

def cut(shard, rows, progress):
    for file in Path(sys.argv[1]).glob("*.arrow"):
        os.truncate(file, 4096)
    return work(shard, rows, progress)

rewriting.RewriteShard.__call__ = cut
sys.exit(main(["augment", *sys.argv[1:]]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems tell it otherwise")
@pytest.mark.parametrize("count", [1, 2])
def test_a_saved_dataset_that_is_cut_meanwhile(tmp_path: Path, count: int) -> None:
    """The system ends whoever reads what is there no more; the sentence comes all the same."""
    saved = tmp_path / "saved"
    Dataset.from_dict({"text": TEXTS * 20}).save_to_disk(saved)
    (file,) = saved.glob("*.arrow")
    shutil.copy(file, tmp_path / "whole")
    words = [saved, "--text", "text", "--num-proc", count, "--shard-rows", 10_000]
    command = [sys.executable, "-c", CUT, *map(str, words), "--out", tmp_path / "out"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert found.stdout == ""
    assert len(found.stderr.strip().splitlines()) == 1
    if count == 1:
        assert found.returncode == 2
        assert found.stderr.startswith(f"\nfair-datasets: {file} was cut while it was read; ")
    else:
        assert found.returncode == 1
        assert "fair-datasets: a process ended at train-0000" in found.stderr
        assert "as a file that it read was cut meanwhile; restore what is read, and" in found.stderr
