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
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.student import Student, shipped
from fair_datasets.reader.tags import TAGS
from fair_datasets.reader.training import train
from fair_datasets.reader.training.cases import AsDecided
from fair_datasets.reader.training.gold import FILES
from fair_datasets.reader.training.rehearsal import name_sentences

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
    words = TokenBatch(["Mary left."])
    for reader in (Student.load(out / "student.safetensors"), load_reader(out / "teacher")):
        # Each word has a name or a case, and a sense.
        assert reader.tags(words, np.arange(2)).probabilities.sum() == pytest.approx(4)
    report: dict[str, Any] = json.loads((out / "report.json").read_text())
    assert {each["texts"] for each in report["figures"]} == {"held back", "wnut17"}
    assert str(tmp_path) not in (out / "report.json").read_text()


@pytest.mark.slow
def test_an_interrupted_training_goes_on(
    data: Path, classifier: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """What is finished is not done again, and other settings are refused."""
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


LINES = """He gave [[her = determiner]] books to the library.
He gave [[her = object]] books.
We watched [[Anna Karenina = work]] last night.
He works for [[Foster Wheeler = organisation]] in Texas."""
WRONG = """[[Paris = given name]] is in France.
She lives in [[London = given name]].
[[Google = family name]] bought a firm.
I saw [[her = determiner]] there.
They gave [[her = determiner]] to him.
[[John = organisation]] called me.
[[Mary = place]] and [[Peter = work]] left.
I met [[Susan = work]] yesterday.
This is [[his = alone]] house."""
# Sentences that nobody taught: words and what they are to be.
ALIKE = [
    ("She gave her books to the museum.", {"her": "determiner"}),
    ("He sent her shoes to the market.", {"her": "determiner"}),
    ("I read Anna Karenina on the train.", {"Anna": "work", "Karenina": "work"}),
    ("My uncle left Foster Wheeler in May.", {"Foster": "organisation", "Wheeler": "organisation"}),
]
OTHERS = [
    ("He gave her money.", {"her": "object"}),
    ("I saw her yesterday.", {"her": "object"}),
    ("Anna Smith called us.", {"Anna": "given name", "Smith": "family name"}),
    ("Mr. Wheeler and Mary left Texas.",
     {"Wheeler": "family name", "Mary": "given name", "Texas": "place"}),
]  # fmt: skip


def teaching(folder: Path, name: str, lines: str, *others: str) -> list[str]:
    """Return the words of the teaching that teaches lines."""
    (folder / f"{name}.txt").write_text(lines, "utf-8")
    given = ["--from", "shipped", "--gold", str(folder / f"{name}.txt")]
    return ["train", "reader", *given, "--out", str(folder / name), *others]


def misread(student: Student, sentences: list[tuple[str, dict[str, str]]]) -> list[str]:
    """Return the words that a student reads otherwise than they are."""
    found = []
    for text, tags in sentences:
        words = TokenBatch([text])
        places = np.flatnonzero(~words.is_end)
        said = AsDecided(student).tags(words, places).tags.tolist()
        wanted = {word.lower(): tag for word, tag in tags.items()}
        found += [
            f"{words.lower(place)} in {text}"
            for place, tag in zip(places.tolist(), said, strict=True)
            if wanted.get(words.lower(place), TAGS[tag]) != TAGS[tag]
        ]
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a student that was taught `LINES`."""
    folder = tmp_path_factory.mktemp("taught")
    (folder / "texts.csv").write_text("review\nMary left Rome. I saw her there.\n", "utf-8")
    texts = ("--input", str(folder / "texts.csv"), "--text", "review")
    with pytest.MonkeyPatch.context() as patch:
        # Two thirds of the epochs teach it as much.
        patch.setattr(train, "_CONFIG", train._CONFIG._replace(epochs=8))
        assert main(teaching(folder, "one", LINES, *texts)) == 0
    return folder


@pytest.mark.slow
def test_what_is_taught_is_learnt(folder: Path) -> None:
    """In sentences that are alike too, while others stay as they were."""
    before, after = shipped(), Student.load(folder / "one" / "student.safetensors")
    assert len(misread(before, ALIKE)) >= 3
    assert misread(after, ALIKE) == []
    assert misread(before, OTHERS) == misread(after, OTHERS) == []


@pytest.mark.slow
def test_a_taught_name_is_read_in_templates(folder: Path) -> None:
    """In those that are held back from every training."""
    names = {"work": ["Anna Karenina"], "organisation": ["Foster Wheeler"]}
    found = [
        (row.text, dict.fromkeys(name.split(), blank))
        for blank, (name,) in names.items()
        for row in name_sentences(5, {blank: [name]}, held_back=True)
    ]
    words = 2 * len(found)
    read = misread(Student.load(folder / "one" / "student.safetensors"), found)
    assert len(read) < 0.05 * words
    assert len(misread(shipped(), found)) > 0.95 * words


@pytest.mark.slow
def test_what_has_changed_is_written(folder: Path) -> None:
    """The figures of the table, and how many words of the user's texts are read otherwise."""
    report = json.loads((folder / "one" / "report.json").read_text("utf-8"))
    assert report["words"] == 6
    assert report["words of the texts"] == 4
    assert report["read otherwise"] == 0
    assert report["licence"] == "CC BY-SA 4.0"
    for figure in report["figures"]:
        assert figure["after"] >= figure["before"] - 0.003


def shorten(monkeypatch: pytest.MonkeyPatch, epochs: int) -> None:
    """Let a student see its lessons less often, whether it learns them or not."""
    monkeypatch.setattr(train, "_CONFIG", train._CONFIG._replace(epochs=epochs))
    monkeypatch.setattr(train, "missed_marks", lambda *_: [])


@pytest.mark.slow
def test_equal_lessons_are_equal_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte, so that a student can be made again."""
    shorten(monkeypatch, 1)
    monkeypatch.setattr("fair_datasets.reader.training.train.regressions", lambda *_: [])
    texts = ("--input", str(folder / "texts.csv"), "--text", "review")
    for name in ("two", "three"):
        assert main(teaching(folder, name, LINES, *texts)) == 0
    for name in ("student.safetensors", "report.json"):
        assert (folder / "two" / name).read_bytes() == (folder / "three" / name).read_bytes()


@pytest.mark.slow
def test_lessons_that_spoil_others_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what would be read worse; nothing is written."""
    shorten(monkeypatch, 4)
    assert main(teaching(tmp_path, "wrong", WRONG)) == 2
    assert "other names, as no person from" in capsys.readouterr().err
    assert not (tmp_path / "wrong").exists()
