"""Training a reader: the teacher, what it says of other texts, the student, and their figures."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.reader.encoder import Encoder
from fair_datasets.reader.student import Student
from fair_datasets.reader.tags import SENSES, Reader
from fair_datasets.reader.training.data import (
    MADE,
    MADE_FOR_TEACHER,
    gold_rows,
    shown_rows,
    untagged_rows,
)
from fair_datasets.reader.training.evaluation import (
    Known,
    ask,
    best_temperature,
    calibration_error,
    case_scores,
    name_scores,
    sense_scores,
)
from fair_datasets.reader.training.gold import FILES, NameCounts, tagged_rows
from fair_datasets.reader.training.readings import read_rows
from fair_datasets.reader.training.rows import Row, is_held_back, share
from fair_datasets.reader.training.targets import labelled, settled, targets
from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require

require("models", owner="The training of a reader")

from fair_datasets.reader.training.student import (  # noqa: E402
    StudentConfig,
    Texts,
    texts_of,
    train_student,
)
from fair_datasets.reader.training.teacher import TeacherConfig, train_teacher  # noqa: E402

STUDENT, TEACHER, REPORT = "student.safetensors", "teacher", "report.json"
"""What a trained reader is written as: the weights that ship, the encoder, and the figures."""
_LOWER_CASED = 0.06


class ReaderConfig(NamedTuple):
    """How a reader is trained.

    Attributes:
        data: The folder of the shared data.
        base: A folder or the Hub id of the encoder that becomes the teacher.
        left_out: Sources of tagged texts that no training reads.
        teacher_epochs: How often the teacher sees each tagged text.
        student_epochs: How often the student sees each text.
        texts: The share of the untagged texts that the teacher is asked about.
        seed: The seed of all draws.
    """

    data: Path
    base: str
    left_out: tuple[str, ...] = ()
    teacher_epochs: int = 2
    student_epochs: int = 5
    texts: float = 1.0
    seed: int = 0


def train_reader(config: ReaderConfig, work: Path, out: Path) -> dict[str, Any]:
    """Train a teacher and a student, and write both with their figures.

    What an earlier run finished in the same work folder is not done again.

    Args:
        config: The settings.
        work: The folder in which it keeps what it takes to go on.
        out: The folder to write.

    Returns:
        The figures that are written as `report.json`.

    Raises:
        InputError: A file of the data is missing, or the work folder is of other settings.
    """
    _refuse_other_work(config, work)
    left_out = frozenset(config.left_out)
    gold = [*gold_rows(config.data, left_out), *read_rows(config.data, left_out)]
    rows = [row for row in gold if not is_held_back(row.text)]
    place = work / TEACHER
    if not (place / "model.safetensors").exists():
        settings = TeacherConfig(config.base, epochs=config.teacher_epochs, seed=config.seed)
        shown = shown_rows(config.data, left_out, MADE_FOR_TEACHER)
        train_teacher([*rows, *shown], settings, place)
    teacher = Encoder.load(str(place), owner="train-reader")
    rows += shown_rows(config.data, left_out, MADE)
    rows += untagged_rows(config.data, config.texts)
    shares = labelled([row.text for row in rows], teacher, work / "labels")
    shares = [*settled([row.text for row in rows], shares, NameCounts(config.data))]
    texts = _student_texts(rows, list(targets(rows, shares)))
    student = train_student(
        texts, StudentConfig(epochs=config.student_epochs, seed=config.seed), work / "student"
    )
    held_back = [row for row in gold if is_held_back(row.text)]
    before = ask(student, held_back)
    temperature = best_temperature(before)
    student = student.cooled(temperature)
    report = {
        "settings": told(config),
        "rows": len(rows),
        "temperature": temperature,
        "calibration error": {
            "before": calibration_error(before),
            "after": calibration_error(ask(student, held_back)),
            "words": len(before.allowed),
        },
        "figures": [
            *figures("student", student, config, held_back),
            *figures("teacher", teacher, config, held_back),
        ],
    }
    _write(student, teacher, report, out)
    return report


def told(config: ReaderConfig) -> dict[str, Any]:
    """Return the settings as they are written, without the places of files."""
    return {**config._asdict(), "data": "", "base": Path(config.base).name}


def figures(
    name: str, reader: Reader, config: ReaderConfig, held_back: Sequence[Row]
) -> Iterator[dict[str, Any]]:
    """Judge a reader on the texts that were held back, and on the sources that were left out.

    Args:
        name: The reader's name.
        reader: The reader.
        config: The settings of its training.
        held_back: The rows that were held back.

    Yields:
        What was measured.
    """
    parts: dict[str, Known] = {"held back": ask(reader, held_back)}
    for source in config.left_out:
        if source in FILES:
            parts[source] = ask(reader, list(tagged_rows(config.data, source)))
    read = [row for row in read_rows(config.data) if row.source in config.left_out]
    for part, rows in (("held back", held_back), ("left out", read)):
        if any(bits & SENSES for row in rows for bits in row.allowed):
            yield {"reader": name, "texts": part, "people": sense_scores(reader, rows)}
    for part, known in parts.items():
        yield {"reader": name, "texts": part, "names": name_scores(known)}
        for word, case, count, right in case_scores(known):
            case_told = {"word": word, "case": case, "words": count, "right": right}
            yield {"reader": name, "texts": part, "pronoun": case_told}


def _student_texts(rows: Sequence[Row], shares: Sequence[Any]) -> Texts:
    """Put texts together for the student; some stand there in lower case as well."""
    texts = [row.text for row in rows]
    lower = [
        k
        for k, text in enumerate(texts)
        if share(f"lower {text}") < _LOWER_CASED and len(text.lower()) == len(text)
    ]
    more = [texts[k].lower() for k in lower]
    return texts_of([*texts, *more], [*shares, *(shares[k] for k in lower)])


def _refuse_other_work(config: ReaderConfig, work: Path) -> None:
    """Note the settings in the work folder, or raise if it was begun with others."""
    work.mkdir(parents=True, exist_ok=True)
    path, settings = work / "settings.json", json.dumps(told(config), indent=1)
    if path.exists() and path.read_text("utf-8") != settings:
        raise InputError(
            f"train-reader: {work} holds a training with other settings; give another --work, or "
            "delete it."
        )
    path.write_text(settings, "utf-8")


def _write(student: Student, teacher: Encoder, report: dict[str, Any], out: Path) -> None:
    """Write what was trained."""
    out.mkdir(parents=True, exist_ok=True)
    student.save(out / STUDENT)
    teacher.network.save_pretrained(out / TEACHER)
    teacher.tokenizer.save_pretrained(out / TEACHER)
    (out / REPORT).write_text(json.dumps(report, indent=1) + "\n", "utf-8")
