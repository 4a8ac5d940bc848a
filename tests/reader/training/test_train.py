"""The whole training of a reader, and its command."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fair_datasets.cli.main import main
from fair_datasets.reader import load_reader
from fair_datasets.reader.matching.words import Words
from fair_datasets.reader.student import Student
from fair_datasets.reader.training.gold import FILES

NAMES = ("Mary", "Paul", "Emily", "Kevin", "Susan", "Brian")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder of tagged texts, a few of each source."""
    folder = tmp_path / "data"
    (folder / "tagged").mkdir(parents=True)
    for source, (name, _) in FILES.items():
        with gzip.open(folder / "tagged" / name, "wt", encoding="utf-8") as file:
            for number in range(60):
                person = NAMES[number % len(NAMES)]
                text = f"{person} saw {source} number {number} there."
                row = {"source": source, "text": text, "spans": [[0, len(person), "PER"]]}
                file.write(json.dumps(row) + "\n")
    return folder


def command(data: Path, base: Path, out: Path, *others: str) -> list[str]:
    """Return the words of the command."""
    short = ["--teacher-epochs", "1", "--student-epochs", "1", "--texts", "0"]
    given = ["--data", str(data), "--base", str(base), "--out", str(out)]
    return ["train", "reader", *given, *short, *others]


@pytest.mark.slow
def test_a_reader_is_trained(
    data: Path, classifier: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The network and the encoder are read as readers; equal commands write equal files."""
    base = classifier(("a", "b"), name="base")
    written = []
    for name in ("one", "other"):
        out = tmp_path / name
        assert main(command(data, base, out, "--leave-out", "wnut17")) == 0
        written.append({p.name: p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()})
        assert not (tmp_path / f"{name}.work").exists()
    assert written[0] == written[1]
    assert "wnut17" in capsys.readouterr().out
    words = Words(["Mary left."])
    for reader in (Student.load(out / "student.safetensors"), load_reader(out / "teacher")):
        # Each word has a name or a case, and a sense.
        assert reader.tags(words, np.arange(2)).probabilities.sum() == pytest.approx(4)
    report: dict[str, Any] = json.loads((out / "report.json").read_text())
    assert {each["texts"] for each in report["figures"]} == {"held back", "wnut17"}
    assert str(tmp_path) not in (out / "report.json").read_text()


@pytest.mark.slow
def test_an_interrupted_training_goes_on(
    data: Path,
    classifier: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is finished is not done again, and other settings are refused."""
    from fair_datasets.reader.training import train

    base, work = classifier(("a", "b"), name="base"), tmp_path / "work"
    arguments = command(data, base, tmp_path / "out", "--work", str(work))
    with monkeypatch.context() as patch:
        patch.setattr(train, "train_student", lambda *_: 1 / 0)
        assert main(arguments) == 1
    assert "goes on from there" in capsys.readouterr().err
    assert main([*arguments, "--seed", "3"]) == 2
    assert "other settings" in capsys.readouterr().err
    monkeypatch.setattr(train, "train_teacher", lambda *_: 1 / 0)
    assert main(arguments) == 0
    assert (tmp_path / "out" / "student.safetensors").exists()


@pytest.mark.parametrize(
    ("others", "told"),
    [
        (["--teacher-epochs", "0"], "--teacher-epochs must be 1 or more"),
        (["--texts", "9"], "--texts must lie between 0 and 5, but it is 9.0"),
        (["--data", "no-such-folder"], "no folder 'no-such-folder'; check --data"),
        (["--leave-out", "novels"], "it must be one of 'tweets', 'ewt', 'wnut17', 'wikigold'"),
    ],
)
def test_wrong_arguments_are_told(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], others: list[str], told: str
) -> None:
    """In a sentence, before anything is trained."""
    try:
        code = main(command(data, tmp_path, tmp_path / "out", *others))
    except SystemExit as error:
        code = error.code
    assert code == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_data_without_tagged_texts_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the first file that is missing."""
    (tmp_path / "data").mkdir()
    assert main(command(tmp_path / "data", tmp_path, tmp_path / "out")) == 2
    assert "lack 'person_names_tweets.jsonl.gz'" in capsys.readouterr().err
