"""Training a reader: the teacher, what it says of other texts, the student, and their figures.

Or a student that ships goes on from its weights with some sentences, and else stays as it is.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.encoder import Encoder
from fair_datasets.reader.english.classifier.grammar import entries, read_treebank
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.reader.student import Student, shipped
from fair_datasets.reader.tags import (
    ANIMAL,
    CASES,
    FIRST_SENSE,
    LOCATION,
    NAMES,
    PEOPLE,
    PRONOUNS,
    QUOTED,
    SENSES,
    TAGS,
    THING,
    TITLE,
    Reader,
)
from fair_datasets.reader.training.cases import AsDecided, fine_tune_cases
from fair_datasets.reader.training.evaluation import (
    Figure,
    Known,
    ask,
    best_temperature,
    calibration_error,
    case_scores,
    name_scores,
    regressions,
    sense_scores,
    table,
)
from fair_datasets.reader.training.gold import (
    FILES,
    TREEBANK,
    NameCounts,
    ReaderConfig,
    american_names,
    both_known,
    pronoun_rows,
    renamed_rows,
    tagged_rows,
    world_names,
)
from fair_datasets.reader.training.networks import (
    WHOLE,
    StudentConfig,
    TeacherConfig,
    Texts,
    labelled,
    resolve_by_lists,
    targets,
    texts_of,
    train_student,
    train_teacher,
)
from fair_datasets.reader.training.rehearsal import (
    MarkedSentences,
    lesson_rows,
    marked_words,
    name_sentences,
    rehearsal_texts,
)
from fair_datasets.reader.training.rows import (
    SOURCES,
    Row,
    is_held_back,
    made_rows,
    pieces,
    recased,
    share,
    templated_rows,
    unlabelled_texts,
    whole_texts,
)
from fair_datasets.system.checks import InputError

STUDENT, TEACHER, REPORT = "student.safetensors", "teacher", "report.json"
"""What a trained reader is written as: the weights that ship, the encoder, and the figures."""
_RECASED = 0.1


def train_reader(config: ReaderConfig, work: Path, out: Path) -> dict[str, Any]:
    """Train a teacher and a student, and write both with their figures.

    What an earlier run finished in the same work folder is not done again.

    Args:
        work: The folder in which it keeps what it takes to go on.

    Returns:
        The figures that are written as `report.json`.

    Raises:
        InputError: A file of the data is missing, or the work folder is of other settings.
    """
    left_out = frozenset(config.left_out)
    gold = [*gold_rows(config.data, left_out), *read_rows(config.data, left_out)]
    _refuse_other_work(config, work)
    rows = [row for row in gold if not is_held_back(row.text)]
    place = work / TEACHER
    if not (place / "model.safetensors").exists():
        settings = TeacherConfig(config.base, epochs=config.teacher_epochs, seed=config.seed)
        shown = shown_rows(config.data, left_out, MADE_FOR_TEACHER, COPIES_FOR_TEACHER)
        train_teacher([*rows, *shown], settings, place)
    teacher = Encoder.load(str(place))
    rows += shown_rows(config.data, left_out, MADE, COPIES)
    rows += untagged_rows(config.data, config.texts)
    shares = labelled([row.text for row in rows], teacher, work / "labels")
    shares = [*resolve_by_lists([row.text for row in rows], shares, NameCounts(config.data))]
    texts = _student_texts(rows, list(targets(rows, shares)))
    student = train_student(
        texts, StudentConfig(epochs=config.student_epochs, seed=config.seed), work / "student"
    )
    held_back = [row for row in gold if is_held_back(row.text)]
    before = ask(student, held_back)
    temperature = best_temperature(before)
    student = student.cooled(temperature)
    report = {
        "settings": plain_settings(config),
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


def plain_settings(config: ReaderConfig) -> dict[str, Any]:
    """Return the settings as they are written, without the places of files."""
    return {**config._asdict(), "data": "", "base": Path(config.base).name}


def figures(
    name: str, reader: Reader, config: ReaderConfig, held_back: Sequence[Row]
) -> Iterator[dict[str, Any]]:
    """Judge a reader on the texts that were held back, and on the sources that were left out.

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
            result = {"word": word, "case": case, "words": count, "right": right}
            yield {"reader": name, "texts": part, "pronoun": result}


def _student_texts(rows: Sequence[Row], shares: Sequence[Any]) -> Texts:
    """Put texts together for the student; some stand there in lower case, or as headlines, too.

    Headlines do not say what words stand for: capitals are what tells a title from people.
    """
    texts = [row.text for row in rows]
    more = [recased(text, 0, _RECASED) for text in texts]
    other = [k for k, text in enumerate(texts) if more[k] != text]
    other_shares = [
        shares[k] * (np.arange(len(TAGS)) < (len(TAGS) if more[k].islower() else FIRST_SENSE))
        for k in other
    ]
    return texts_of([*texts, *(more[k] for k in other)], [*shares, *other_shares])


def _refuse_other_work(config: ReaderConfig, work: Path) -> None:
    """Note the settings in the work folder, or raise if it was begun with others."""
    work.mkdir(parents=True, exist_ok=True)
    path, settings = work / "settings.json", json.dumps(plain_settings(config), indent=1)
    if path.exists() and path.read_text("utf-8") != settings:
        raise InputError(
            f"train reader: {work} holds a training with other settings; give another --work, or "
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


MOST = {
    "novels": 40_000, "wikipedia": 12_000, "bold": 12_000, "sexism": 17_000, "reviews": 24_000,
    "snli": 4_000,
}  # fmt: skip
"""How many untagged texts the teacher is asked about, of each source that no gold is tested on."""
MADE, MADE_FOR_TEACHER, PER_TEMPLATE = 24_000, 4000, 15
"""How many sentences are made from pronouns that show their case, and from each template.

The teacher, which knows English, needs fewer.
"""
COPIES, COPIES_FOR_TEACHER = (1, 1, 1), (1, 1, 0)
"""How often a tagged text is read with names of the USA, of the world, and that are made up."""
_ALONE = 1 << 9
# How many sentences are made of each template with names of a culture, and how many more with
# those of the USA.
_OF_CULTURE, _AMERICAN = 2, 4


def gold_rows(folder: Path, left_out: frozenset[str] = frozenset()) -> list[Row]:
    """Read the rows whose words people have tagged.

    Args:
        folder: The folder of the shared data.
        left_out: Sources to leave out; "ewt" leaves out its treebank as well.

    Raises:
        InputError: A file is missing.
    """
    rows: list[Row] = []
    for source in FILES:
        if source not in left_out:
            rows += tagged_rows(folder, source)
    if "ewt" in left_out:
        return rows
    tagged = folder / "tagged"
    rows = [*both_known(rows, pronoun_rows(tagged / "ud_ewt_dev.conllu.gz", "ewt"))]
    return [*rows, *pronoun_rows(tagged / TREEBANK, "ewt")]


def untagged_rows(folder: Path, part: float) -> Iterator[Row]:
    """Read the rows of which nothing is known but what the teacher will say.

    Args:
        folder: The folder of the shared data.
        part: The share of `MOST` that is read.

    Yields:
        The rows.
    """
    for source, most in MOST.items():
        for text in unlabelled_texts(folder, source, int(most * part)):
            none = [0] * len(tokenize(text).starts)
            yield Row(source, text, none, none)


def shown_rows(
    folder: Path, left_out: frozenset[str], most: int, copies: tuple[int, int, int]
) -> Iterator[Row]:
    """Make rows: about pronouns, all with "his" alone, and tagged texts with other names.

    Args:
        folder: The folder of the shared data.
        left_out: Sources to leave out; without "ewt", the templates have no words of its treebank.
        most: How many rows are made from texts at most, but for those with "his" alone.

    Yields:
        The rows; those of templates that are held back are none of them.
    """
    texts = (text for name in SOURCES for text in unlabelled_texts(folder, name, 10**9))
    made = {row.text: row for row in made_rows(texts)}
    others = sorted(share(text) for text, row in made.items() if _ALONE not in row.allowed)
    least = others[most] if len(others) > most else 1.0
    yield from (r for t, r in made.items() if _ALONE in r.allowed or share(t) < least)
    for source in FILES:
        if source not in left_out:
            yield from renamed_rows(folder, source, copies)
    counts = NameCounts(folder)
    for names in [*[american_names(counts)] * _AMERICAN, *world_names(counts)]:
        listed = {"given": names.given, "family": names.family}
        yield from name_sentences(_OF_CULTURE, listed)
    path = folder / "tagged" / TREEBANK
    treebank = [] if "ewt" in left_out else [*read_treebank(path)]
    for row, is_held in templated_rows(treebank, PER_TEMPLATE):
        if not is_held:
            yield row


READINGS = Path(__file__).with_name("readings.tsv")
"""The readings: axis, source, digest of the text, where the word begins and ends, and the label."""
SENSE_OF = {
    "person": 1 << PEOPLE, "thing": 1 << THING, "title": 1 << TITLE, "surname": 1 << TITLE,
    "place": 1 << LOCATION, "animal": 1 << ANIMAL, "quoted": 1 << QUOTED,
}  # fmt: skip
"""What the guide calls a sense, to the tag, as a bit."""
_BESIDE = 40


def digest(text: str) -> str:
    """Return what stands for a text.

    Returns:
        The first 16 digits of its SHA-256.

    Example:
        >>> digest("Mary left.")
        'ecdb11b6f85383bd'
    """
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_rows(folder: Path, left_out: frozenset[str] = frozenset()) -> Iterator[Row]:
    """Read the words of lexicons of which it was read what they stand for.

    Args:
        folder: The folder of the shared data; readings of a text that is not there are left out.

    Yields:
        A row for each word, with the words around it.
    """
    readings: dict[str, dict[str, list[tuple[int, int, int]]]] = {}
    for entry in entries(READINGS):
        if entry["source"] not in left_out:
            senses = readings.setdefault(entry["source"], {}).setdefault(entry["text"], [])
            place = int(entry["start"]), int(entry["end"])
            senses.append((*place, SENSE_OF[entry["label"]]))
    for source, known in readings.items():
        for text in dict.fromkeys(_texts(folder, source)):
            for start, end, sense in known.get(digest(text), ()):
                row = row_of(source, text, start, end, sense)
                if row.text:
                    yield row


def row_of(source: str, text: str, start: int, end: int, sense: int) -> Row:
    """Return a word whose sense is known, with the words around it.

    Args:
        start: Where the word begins, or several that stand together.

    Example:
        >>> row_of("news", "A black car.", 2, 7, 1 << THING).allowed == [0, 1 << THING, 0]
        True
    """
    tokens = tokenize(text)
    inside = [k for k, at in enumerate(tokens.starts) if start <= at < end]
    if not inside:
        return Row(source, "", [], [])
    first, last = max(0, inside[0] - _BESIDE), min(len(tokens.starts), inside[-1] + _BESIDE + 1)
    begin = tokens.starts[first] if first else 0
    stop = tokens.starts[last] if last < len(tokens.starts) else len(text)
    piece = tokenize(text[begin:stop])
    allowed = [sense if start <= begin + at < end else 0 for at in piece.starts]
    return Row.of(source, piece.text, allowed, SENSES)


def _texts(folder: Path, source: str) -> Iterable[str]:
    """Read the texts of a source as a whole."""
    if source in SOURCES:
        return whole_texts(folder, source)
    return (entry["text"] for entry in entries(folder / "tagged" / FILES[source][0]))


LICENCE = "CC BY-SA 4.0"
"""The licence of the weights that ship, which those that go on from them have as well."""

# No word is forgotten: what the student says of a text would change with it.
_CONFIG = StudentConfig(epochs=12, learning_rate=4e-4, forgotten=0.0)
_ROUNDS = 3
_BLOCK = 1000
_SHOWN = 5


class FineTuned(NamedTuple):
    """A student that was taught.

    Attributes:
        student: The student.
        before: The table of the student that ships.
        after: Its own table.
        words: How many words were taught.
        asked: How many capitalised words and pronouns the user's texts have.
        changed: Those of them that are read otherwise than before: the text, the word, what was
            said of it, and what is.
    """

    student: Student
    before: Mapping[str, Figure]
    after: Mapping[str, Figure]
    words: int
    asked: int
    changed: Sequence[tuple[str, str, str, str]]


def fine_tune(
    begin: Student, taught: MarkedSentences, texts: Sequence[str], *, seed: int = 0
) -> FineTuned:
    """Teach a student some sentences.

    It learns names while it rehearses what it says of other texts. That takes half a minute, some
    minutes with many texts, and up to three times as long if it does not learn them at once. The
    model of pronouns learns their cases in seconds.

    Args:
        texts: Texts of the user; what they are read as should stay.

    Returns:
        The student and what has changed.

    Raises:
        InputError: A word is not learnt, or the table of the student that ships has fallen.
    """
    names, cases = taught.with_tags(NAMES), taught.with_tags(CASES)
    student = begin
    if names.rows:
        learnt = _train_until_learnt(begin, names, _as_read(begin, names, texts), seed)
        student = learnt.with_taught(begin.taught)
    if cases.rows:
        student = fine_tune_cases(student, cases, texts)
        _refuse_unlearnt(missed_marks(cases, AsDecided(student)))
    before, after = table(AsDecided(shipped())), table(AsDecided(student))
    worse = [*regressions(before, after)]
    if worse:
        raise InputError(
            f"train reader: other sentences would be read worse ({'; '.join(worse)}); check the "
            "tags of --gold, or mark more sentences that should be read as before."
        )
    count, changed = changes(texts, AsDecided(begin), AsDecided(student))
    words = sum(bits > 0 for row in taught.rows for bits in row.allowed)
    return FineTuned(student, before, after, words, count, changed)


def _as_read(begin: Student, taught: MarkedSentences, texts: Iterable[str]) -> Texts:
    """Return what is learnt and what is rehearsed, as the student reads it."""
    rows = lesson_rows(taught)
    for text in rehearsal_texts(taught, texts):
        unknown = [0] * len(tokenize(text).starts)
        rows.append(Row("rehearsed", text, unknown, unknown))
    several = [row.text for row in rows]
    return texts_of(several, [*targets(rows, predictions(several, begin))])


def _train_until_learnt(
    begin: Student, taught: MarkedSentences, known: Texts, seed: int
) -> Student:
    """Train until all marked words are read as they are marked, or raise."""
    student, missed = begin, [""]
    for number in range(_ROUNDS):
        with TemporaryDirectory() as folder:
            config = _CONFIG._replace(seed=seed + number)
            student = train_student(known, config, Path(folder), student)
        missed = missed_marks(taught, student)
        if not missed:
            break
    _refuse_unlearnt(missed)
    return student


def _refuse_unlearnt(missed: Sequence[str]) -> None:
    """Raise if marked words are read otherwise than they are marked."""
    if missed:
        raise InputError(
            f"train reader: {', '.join(missed[:_SHOWN])}: still read differently after the "
            "training; look for sentences that say the opposite, or give more like these."
        )


def predictions(texts: Sequence[str], student: Student) -> list[NDArray[np.uint8]]:
    """Return what a student says of all words of texts.

    Returns:
        The probabilities of the tags, in parts of 255. Shape (words, 10) each.
    """
    all_shares: list[NDArray[np.uint8]] = []
    for begin in range(0, len(texts), _BLOCK):
        words = TokenBatch(texts[begin : begin + _BLOCK])
        shares = student.tags(words, np.flatnonzero(~words.is_end)).probabilities
        sizes = np.diff(words.first) - 1
        all_shares += np.split(np.rint(shares * WHOLE).astype(np.uint8), np.cumsum(sizes)[:-1])
    return all_shares


def missed_marks(taught: MarkedSentences, reader: Reader) -> list[str]:
    """Return which marked words a reader reads otherwise.

    Returns:
        The file and the line of each, and the word.
    """
    known = ask(reader, taught.rows)
    is_right = known.allowed == 1 << known.probabilities.argmax(axis=1)
    places = [
        f"{mark.place} ({tokenize(row.text).word(index)})"
        for row, marks in zip(taught.rows, taught.marks, strict=True)
        for index, mark in sorted(
            (index, mark) for mark in marks for index in marked_words(tokenize(row.text), mark)
        )
    ]
    return [place for place, right in zip(places, is_right, strict=True) if not right]


def changes(
    texts: Iterable[str], before: Reader, after: Reader
) -> tuple[int, list[tuple[str, str, str, str]]]:
    """Compare what two readers say of the names and pronouns of texts.

    Returns:
        How many capitalised words and pronouns the texts have; and those that the two give other
        tags: the sentence, the word, what the one says and what the other says, the surest first.
    """
    several = list(dict.fromkeys(piece for text in texts for piece in pieces(text)))
    count, differences = 0, []
    for begin in range(0, len(several), _BLOCK):
        words = TokenBatch(several[begin : begin + _BLOCK])
        places = np.flatnonzero(~words.is_end)
        is_pronoun = [words.lower(place) in PRONOUNS for place in places.tolist()]
        places = places[words.is_capital(places) | np.array(is_pronoun, np.bool_)]
        count += len(places)
        one, two = before.tags(words, places), after.tags(words, places)
        for row in np.flatnonzero(one.tags != two.tags).tolist():
            text = several[begin + int(words.owner[places[row]])]
            change = (text, words.lower(int(places[row])), one.describe(row), two.describe(row))
            differences.append((float(two.probabilities[row].max()), change))
    return count, [change for _, change in sorted(differences, key=lambda each: -each[0])]


def write(gone: FineTuned, out: Path) -> None:
    """Write a student and what has changed."""
    out.mkdir(parents=True, exist_ok=True)
    gone.student.save(out / STUDENT)
    report = {
        "licence": LICENCE,
        "words": gone.words,
        "figures": [
            {"words": figure.words, "figure": name, "before": figure.right,
             "after": gone.after[name].right}
            for name, figure in gone.before.items()
        ],
        "words of the texts": gone.asked,
        "read otherwise": len(gone.changed),
    }  # fmt: skip
    (out / REPORT).write_text(json.dumps(report, indent=1) + "\n", "utf-8")
