"""How well first names and the cases of pronouns are told: the rules, the student, an encoder.

    python tests/benchmarks/tagging.py [--data DIR] [--student FILE] [--encoder FOLDER]
        [--source NAME] [--pronouns]
    python tests/benchmarks/tagging.py --fit SOURCE=STUDENT ...

The second one prints how sure a name is by its tag and its rule, as `reliability.toml` states it,
of students that were each trained without the source.

Of names, all three are asked about the same words: those that `person_names` asks about. A figure
on a source that a model was trained on says little; the training leaves a source out with
`fair-datasets train reader --leave-out NAME`.
"""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from corpora import parser_of
from gold import digest, read_gold, sources
from numpy.typing import NDArray
from person_names import ALONE, FIRST, Asked, asked, name_rows, rows_of, table_of_names
from sklearn.linear_model import LogisticRegression

from fair_datasets.reader.encoder import Encoder
from fair_datasets.reader.english.classifier.grammar import read_treebank
from fair_datasets.reader.english.questions import reliability
from fair_datasets.reader.load import Tags
from fair_datasets.reader.matching.annotate import annotate_batch
from fair_datasets.reader.matching.language import NAMES, Decision, Reliability
from fair_datasets.reader.matching.token_batch import Places, TokenBatch
from fair_datasets.reader.student import WEIGHTS, Student, is_listed_first_name
from fair_datasets.reader.tags import GIVEN, TAGS, Reader
from fair_datasets.reader.training.gold import FILES, TREEBANK, pronoun_rows
from fair_datasets.reader.training.rows import Row, templated_rows
from fair_datasets.reader.training.train import PER_TEMPLATE

TAGGED = {"btc", "ewt", "wnut17", "wikigold"}
"""The sources whose words are tagged, in which readers are trained."""


def tagged(reader: Reader, found: Sequence[Asked]) -> tuple[list[Asked], float]:
    """Return the words as a reader reads them, and the seconds that it took."""
    words, places = _places(found)
    begin = time.perf_counter()
    tags = reader.tags(words, places).tags
    seconds = time.perf_counter() - begin
    return [
        each._replace(is_read=bool(tag == GIVEN)) for each, tag in zip(found, tags, strict=True)
    ], seconds


def _given(reader: Reader, found: Sequence[Asked]) -> NDArray[np.float64]:
    """Return the probability that words are given names."""
    words, places = _places(found)
    return reader.tags(words, places).probabilities[:, GIVEN]


def _places(found: Sequence[Asked]) -> tuple[TokenBatch, NDArray[np.int64]]:
    """Return the words of the texts, and where those stand that are asked about."""
    texts = list(dict.fromkeys(each.row.text for each in found))
    number = {text: k for k, text in enumerate(texts)}
    words = TokenBatch(texts)
    begins = [words.offset[number[each.row.text]] + each.start for each in found]
    return words, np.searchsorted(words.start[:-1], np.array(begins, np.int64))


def name_table(data: Path, sources: Sequence[str], readers: dict[str, Reader]) -> Iterator[str]:
    """Yield the rows of the table of names."""
    yield "| names | reader | n | names | F1 | precision | recall | seconds |"
    yield "|---|---|---|---|---|---|---|---|"
    for source in sources:
        rows = rows_of(data / "tagged" / FILES[source][0])
        found = list(asked(rows, None))
        answers = {"rules": (found, 0.0)}
        for name, reader in readers.items():
            answers[name] = tagged(reader, found)
            answers[f"rules and {name}"] = list(asked(rows, _tags(name, reader))), 0.0
        for name, (read, seconds) in answers.items():
            told = [each for each in read if each.kind != ALONE]
            cells = [source, name, *name_rows(told, (FIRST,)), f"{seconds:.1f}"]
            yield f"| {' | '.join(cells)} |"


def _tags(name: str, reader: Reader) -> Tags:
    """Return how a reader decides with the rules, as the techniques ask it."""
    return Tags(lambda: reader, overrules=0.9 if name == "encoder" else math.inf)


def fitted(data: Path, students: Mapping[str, Path]) -> Iterator[str]:
    """Yield how sure names are, by their tags and rules, in sources that students have not seen."""
    parts = [_decisions(data, source, path) for source, path in students.items()]
    for is_read in (True, False):
        several = np.concatenate([part[part[:, 0] == is_read] for part in parts])
        odds, right = several[:, 1:3], several[:, 3] > 0
        model = LogisticRegression(C=100).fit(odds, right)
        (tag, rule), intercept = model.coef_[0], model.intercept_[0]
        told = f"intercept = {intercept:.2f}, tag = {tag:.2f}, rule = {rule:.2f}"
        yield f"{'read' if is_read else 'left'} = {{ {told} }}"
        expected = model.predict_proba(odds)[:, 1]
        for third in np.array_split(np.argsort(-expected, kind="stable"), 3):
            yield (
                f"  of {len(third)} names expected wrong {1 - expected[third].mean():.3f}, "
                f"found wrong {1 - right[third].mean():.3f}"
            )


def _decisions(data: Path, source: str, path: Path) -> NDArray[np.float64]:
    """Return for each name if it is read, the log odds of tag and rule, and if that is right."""
    student = Student.load(path)
    tags, known = _tags("student", student), Reliability(reliability().counts, {})
    found = [
        each
        for each in asked(rows_of(data / "tagged" / FILES[source][0]), tags)
        if each.kind != ALONE
    ]
    given = _given(student, found)
    shares = [known.of(Decision(NAMES, each.rule, "alone", each.is_read)) for each in found]
    read = np.array([each.is_read for each in found])
    right = read == np.array([each.kind == FIRST for each in found])
    by_tag = np.clip(np.where(read, given, 1 - given), 1e-3, 1 - 1e-3)
    return np.column_stack([read, _log_odds(by_tag), _log_odds(np.array(shares)), right])


def _log_odds(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.log(shares / (1 - shares))
    return found


def pronoun_table(data: Path, readers: dict[str, Reader]) -> Iterator[str]:
    """Yield the rows of the table of pronouns."""
    folder = data / "tagged"
    treebank = list(read_treebank(folder / TREEBANK))
    groups: dict[str, list[Row]] = {
        "EWT train": list(pronoun_rows(folder / TREEBANK, "ewt")),
        "EWT dev": list(pronoun_rows(folder / "ud_ewt_dev.conllu.gz", "ewt")),
        "templates held back": [
            row for row, held in templated_rows(treebank, PER_TEMPLATE) if held
        ],
    }
    yield "| pronouns | reader | word | case | n | right |"
    yield "|---|---|---|---|---|---|"
    for group, rows in groups.items():
        words = TokenBatch([row.text for row in rows])
        flat = [(k, i, a) for k, row in enumerate(rows) for i, a in enumerate(row.allowed) if a]
        places = np.array([words.first[k] + i for k, i, _ in flat])
        known = np.array([a.bit_length() - 1 for _, _, a in flat])
        spelled = np.array([words.lower(place) for place in places.tolist()])
        for name, reader in readers.items():
            is_right = reader.tags(words, places).tags == known
            for word in ("her", "his"):
                for case in sorted(set(known[spelled == word].tolist())):
                    of_case = (spelled == word) & (known == case)
                    cells = [group, name, word, TAGS[case], str(of_case.sum())]
                    yield f"| {' | '.join(cells)} | {is_right[of_case].mean():.3f} |"


def gold_table(data: Path, part: str, readers: dict[str, Reader]) -> Iterator[str]:
    """Yield how well first names are told in a part of the gold, in sources without tags."""
    known = {digest(text): text for read in sources(data).values() for text in read() if text}
    gold = [row for row in read_gold() if row["axis"] == "gender" and row["label"] != "unclear"]
    gold = [row for row in gold if row["source"] not in TAGGED and row["text"] in known]
    gold = [row for row in gold if row["part"] == part]
    words = TokenBatch([known[row["text"]] for row in gold])
    begins = words.offset + np.array([int(row["start"]) for row in gold])
    places = np.searchsorted(words.start, begins)
    ends = words.offset + np.array([int(row["end"]) for row in gold])
    is_asked = (words.start[places] == begins) & (words.end[places] == ends)
    is_asked &= words.is_capital(places) & is_listed_first_name(words, places)
    is_name = np.array([row["label"] == "person" for row in gold])
    answers = {"rules": _are_read(words, places, None)}
    for name, reader in readers.items():
        answers[name] = reader.tags(words, places).tags == GIVEN
        answers[f"rules and {name}"] = _are_read(words, places, _tags(name, reader))
    yield "| gold by reading | reader | n | names | F1 | precision | recall |"
    yield "|---|---|---|---|---|---|---|"
    for name, is_read in answers.items():
        hits = int((is_read & is_name & is_asked).sum())
        read, names = int((is_read & is_asked).sum()), int((is_name & is_asked).sum())
        cells = [part, name, str(is_asked.sum()), str(names)]
        cells += [
            f"{share:.3f}" for share in (2 * hits / (read + names), hits / read, hits / names)
        ]
        yield f"| {' | '.join(cells)} |"


def _are_read(words: TokenBatch, places: Places, tags: Tags | None) -> NDArray[np.bool_]:
    """Return which words are read as mentions, each text by itself."""
    mentions = annotate_batch(words, np.arange(len(words.texts)), table_of_names(tags))
    return np.isin(places, mentions.firsts[mentions.is_mention])


def main() -> None:
    """Print the tables."""
    parser = parser_of("Judge how words are tagged.")
    parser.add_argument("--student", type=Path, default=WEIGHTS, help="the weights of a student")
    parser.add_argument("--encoder", help="a folder or Hub id of a token classifier")
    parser.add_argument("--source", action="append", choices=tuple(FILES), help="which texts")
    parser.add_argument("--pronouns", action="store_true", help="ask about her and his as well")
    parser.add_argument("--fit", nargs="+", metavar="SOURCE=STUDENT", help="how sure are names?")
    parser.add_argument("--part", choices=("train", "test"), default="train", help="of the gold")
    options = parser.parse_args()
    if options.fit:
        students = dict(each.split("=", 1) for each in options.fit)
        paths = {source: Path(path) for source, path in students.items()}
        print(*fitted(options.data, paths), sep="\n")
        return
    readers: dict[str, Reader] = {}
    if options.student.exists():
        readers["student"] = Student.load(options.student)
    if options.encoder:
        readers["encoder"] = Encoder.load(options.encoder)
    for line in name_table(options.data, options.source or tuple(FILES), readers):
        print(line, flush=True)
    for line in gold_table(options.data, options.part, readers):
        print(line, flush=True)
    if options.pronouns:
        for line in pronoun_table(options.data, readers):
            print(line, flush=True)


if __name__ == "__main__":
    main()
