"""Teaching the student that ships."""

import json
from pathlib import Path

import numpy as np
import pytest

from fair_datasets.cli.main import main
from fair_datasets.reader.matching.words import Words
from fair_datasets.reader.student import Student, shipped
from fair_datasets.reader.tags import TAGS
from fair_datasets.reader.training.lessons import name_sentences

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


def command(folder: Path, name: str, lines: str, *others: str) -> list[str]:
    """Return the words of the command that teaches lines."""
    (folder / f"{name}.txt").write_text(lines, "utf-8")
    given = ["--from", "shipped", "--gold", str(folder / f"{name}.txt")]
    return ["train", "reader", *given, "--out", str(folder / name), *others]


def misread(student: Student, sentences: list[tuple[str, dict[str, str]]]) -> list[str]:
    """Return the words that a student reads otherwise than they are."""
    found = []
    for text, tags in sentences:
        words = Words([text])
        places = np.flatnonzero(~words.is_end)
        said = student.tags(words, places).tags.tolist()
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
    assert main(command(folder, "one", LINES, *texts)) == 0
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


@pytest.mark.slow
def test_equal_lessons_are_equal_files(folder: Path) -> None:
    """Byte for byte, so that a student can be made again."""
    texts = ("--input", str(folder / "texts.csv"), "--text", "review")
    assert main(command(folder, "other", LINES, *texts)) == 0
    for name in ("student.safetensors", "report.json"):
        assert (folder / "one" / name).read_bytes() == (folder / "other" / name).read_bytes()


@pytest.mark.slow
def test_lessons_that_spoil_others_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what would be read worse; nothing is written."""
    assert main(command(tmp_path, "wrong", WRONG)) == 2
    assert "other names, as no person from" in capsys.readouterr().err
    assert not (tmp_path / "wrong").exists()


@pytest.mark.parametrize(
    ("others", "told"),
    [
        (["--from", "shipped"], "--from needs --gold"),
        (["--gold", "x.txt"], "--gold is for teaching an existing network; say which with --from"),
        ([], "give --data, the folder of the texts; or --from and --gold"),
        (["--from", "shipped", "--gold", "x.txt"], "The file x.txt cannot be read"),
        (
            ["--from", "shipped", "--gold", "x.txt", "--data", "."],
            "--data is for a training from the start",
        ),
        (
            ["--from", "shipped", "--gold", "x.txt", "--teacher-epochs", "1"],
            "--teacher-epochs is for a training from the start",
        ),
    ],
)
def test_wrong_arguments_are_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    others: list[str],
    told: str,
) -> None:
    """Before anything is trained."""
    monkeypatch.chdir(tmp_path)
    assert main(["train", "reader", "--out", "out", *others]) == 2
    assert told in capsys.readouterr().err
    assert not Path("out").exists()


def test_a_student_that_is_none_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And so are texts that are not there."""
    arguments = command(tmp_path, "one", LINES)
    arguments[arguments.index("shipped")] = str(tmp_path / "one.txt")
    assert main(arguments) == 2
    assert "one.txt' holds no safetensors" in capsys.readouterr().err
    assert main(command(tmp_path, "two", LINES, "--input", str(tmp_path / "one.txt"),
                        "--text", "review")) == 2  # fmt: skip
    assert "there is no column 'review'" in capsys.readouterr().err
