"""Whether rows of real texts are rewritten rightly, by reading, and whether the confidence says so.

    python tests/benchmarks/row_readings.py --draw DIR [--part ...]  # fit, test, second, ...
    python tests/benchmarks/row_readings.py --merge DIR [--part ...] # take the readings up
    python tests/benchmarks/row_readings.py --fit      # how sure a row is, for `reliability.toml`
    python tests/benchmarks/row_readings.py [--part ...]  # wrong rows: expected and found
    python tests/benchmarks/row_readings.py --genres   # by genre: coverage, wrong rows
    python tests/benchmarks/row_readings.py --ranks    # how often the surer half of rows is wrong

Drawn are rewritten rows of at most 500 characters, as many of each source as there are: of `fit`
from the sources that senses are trained on, of `test` from those that they are not, and of `second`
from these and a few more, after the rules had been changed by what `test` showed. The texts of
`third` are in no other part, nor in the gold, nor trained on: first those of files that no reading
had used, and passages of texts that are too long for the others; those of `fourth` are such as
well, of no file that senses are trained on but film reviews, drawn after the rules had changed
again; so are those of `fifth`, on all axes but gender, with novels for race and orientation, of
which few other texts were left; and those of `sixth`, on gender alone, with sentences of LitBank
and CrossNER that nothing had used, after names of the world were read; and so are those of
`seventh`, drawn before rows with names in doubt were left alone, of `eighth`, drawn afterwards, and
of `ninth`, which are rows that were rewritten before. `tenth` are 320 rows of all sources but BOLD
that today's swap or that of da4a6b8a changed; readers did not know whose a rewrite was. Each row is
read from the sentence before and after, the changed words in braces. It is wrong (W) where

- t: something changed that names no person (a title, firm, team, place, phrase, thing, language);
- h: somebody is half changed (a pronoun without the name), or a family name as if it were a first;
- g: it is ungrammatical where it was not before;
- c: it contradicts a fact that the text relies on;

and else right (R); from `sixth` on, F says that it is right but for a fact about a person
whom readers know; in `tenth`, only for one about a public figure, and P is somebody whom few know,
or a character of fiction. Readings are files `A_AXIS.txt` and `B_AXIS.txt` of lines "NUMBER R" or
"NUMBER W CODE why". A row is wrong where all its readings say so. Of `third` there was one reader:
A has the doubtful rows as wrong, B as right. No sentence is kept: a row has the digests of both
texts, and counts as long as the swap writes the same.
"""

import csv
import difflib
import gzip
import io
import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import world_names
from corpora import column, parser_of
from gold import GOLD, SIZES, TEST, _both, digest, sentences, sources
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import binomtest
from sklearn.linear_model import LogisticRegression

from fair_datasets import CounterfactualSwap
from fair_datasets.cards.report import markdown_table
from fair_datasets.lexicons.shipped import KNOWN_PEOPLE
from fair_datasets.reader.english.questions import RELIABILITY
from fair_datasets.reader.matching.find import count_in_rows, find_table
from fair_datasets.reader.matching.language import SURELY_PEOPLE, Reliability

READINGS = Path(__file__).with_name("row_readings.tsv")
# Rows of the axis disability are read by a script of its own.
AXES = [axis for axis in SIZES if axis != "disability"]
DRAWN = {**dict.fromkeys(AXES, 100), "gender": 300}
_DRAWN, _LONGEST, _SHORTEST, _MOST_TEXTS = "drawn_rows.json", 500, 20, 12_000
_LEAST = 1e-3
NAMED = "names of the world"
PARTS = ("fit", "test", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
         "tenth")  # fmt: skip
# Books of LitBank from here on, and CrossNER's politics, are kept for later.
_LATER_BOOKS = "4"
GENRES = {
    "tweets": ("sexism_tweets", "btc", "wnut17", "tweets_valid_test"),
    "talk pages": ("comments", "comment_passages"),
    "reviews, mail": ("ewt", "ewt_dev", "imdb", "imdb_dev_test", "imdb_passages"),
    "captions, news": ("stsb", "snli", "snli_dev_test"),
    "encyclopedia": ("gap", "gap_passages", "mtgeneval", "wikipedia", "bold", "wikigold",
                     "crossner"),
    "novels": ("novels", "novel_passages", "litbank"),
    "professions": ("bug",),
}  # fmt: skip


class Row(NamedTuple):
    """A row that was read.

    Attributes:
        axis: The axis.
        source: Where it is from.
        confidence: How sure the swap is of it.
        is_wrong: Whether all readings say that it is wrong.
        is_false: Whether all readings say that it is false about somebody who is known.
        product, people, capitals, names: What the confidence is made of.
    """

    axis: str
    source: str
    confidence: float
    is_wrong: bool
    is_false: bool
    product: float
    people: float
    capitals: int
    names: int


def all_sources(data: Path) -> dict[str, Callable[[], Iterable[str]]]:
    """Return the sources of the gold, and those of `second` alone."""
    kinds = data / "classification"

    def of_parts(read: Callable[[Path], Iterable[str]], *names: str) -> list[str]:
        return [text for name in names for text in read(data / name)]

    return sources(data) | {
        "bug": lambda: column(kinds / "bug_gold.csv", "text"),
        "tweets_valid_test": lambda: of_parts(
            lambda path: column(path, "text"),
            *(f"classification/twitter_sexism_{part}.csv.gz" for part in ("valid", "test")),
        ),
        "snli_dev_test": lambda: of_parts(
            _both, *(f"sentence_pairs/snli_subset_{part}.tsv" for part in ("dev", "test"))
        ),
        "imdb_dev_test": lambda: of_parts(
            lambda path: column(path, "Text"),
            *(f"classification/imdb_counterfactual_{part}.tsv.gz" for part in ("dev", "test")),
        ),
    }


def later_sources(data: Path) -> dict[str, Callable[[], Iterable[str]]]:
    """Return what `third` is drawn from: files and passages that no other part has, then all."""
    every = all_sources(data)

    def passages(*names: str) -> Iterator[str]:
        for text in chain.from_iterable(every[name]() for name in names):
            if text and len(text) > _LONGEST:
                yield from _passages(text)

    def sides() -> Iterator[str]:
        lines = (data / "pairs" / "gender_swap_mtgeneval_dev.jsonl").read_text(encoding="utf-8")
        for number, line in enumerate(lines.splitlines()):
            yield json.loads(line)["masculine" if number % 2 else "feminine"]

    def tagged(name: str) -> Iterator[str]:
        with gzip.open(data / "tagged" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                if row["source"] != "crossner-politics" and row.get("book", "") < _LATER_BOOKS:
                    yield row["text"]

    return {
        "crossner": lambda: tagged("entities_crossner"),
        "litbank": lambda: tagged("people_litbank"), "mtgeneval": sides,
        "ewt_dev": lambda: sentences(data / "tagged" / "ud_ewt_dev.conllu.gz"),
        "imdb_passages": lambda: passages("imdb", "imdb_dev_test"),
        "comment_passages": lambda: passages("comments"),
        "novel_passages": lambda: passages("novels"), "gap_passages": lambda: passages("gap"),
    } | every  # fmt: skip


def _passages(text: str) -> list[str]:
    """Return sentences of a text, as many together as 240 characters hold."""
    found = [""]
    for sentence in re.split(r'(?<=[.!?])\s+(?=[A-Z"“])', " ".join(text.split())):
        if found[-1] and len(found[-1]) + len(sentence) > 240:
            found.append(sentence)
        else:
            found[-1] = f"{found[-1]} {sentence}".strip()
    return found


def _read() -> set[str]:
    """Return the digests of the texts that were read, or that senses are trained on."""
    tables = (READINGS, GOLD, GOLD.with_name("training") / "readings.tsv")
    rows = (csv.DictReader(io.StringIO(path.read_text("utf-8")), delimiter="\t") for path in tables)
    return {row["text"] for row in chain.from_iterable(rows)}


def draw(data: Path, part: str) -> dict[str, list[tuple[str, str, str]]]:
    """Draw rewritten rows of each axis: source, text and rewrite."""
    found = {}
    ours = {
        name
        for name in all_sources(data)
        if (name in sources(data).keys() - TEST) == (part == "fit")
    }
    ours &= sources(data).keys() if part == "test" else ours
    every, read = all_sources(data), set[str]()
    if part in PARTS[3:]:
        every, read = later_sources(data), _read()
        ours = set(every)
        if part != "third":
            ours -= {*(sources(data).keys() - TEST), "novel_passages"}
        if part == "tenth":
            ours = set(every)
        if part in PARTS[5:]:
            ours -= {"bold"}
    protect = KNOWN_PEOPLE if part in PARTS[5:] else ()
    for axis, size in [("gender", DRAWN["gender"])] if part in PARTS[5:] else DRAWN.items():
        swap = CounterfactualSwap("text", axis=axis, mode="replace", protect=protect)
        by_source: dict[str, list[tuple[str, str, str]]] = {}
        more = {"novels", "novel_passages"} if axis in ("race", "orientation") else set()
        for name, texts_of_it in every.items():
            if name not in (ours | more if part == "fifth" else ours):
                continue
            unread = (text for text in texts_of_it() if text and digest(text) not in read)
            texts = _some(unread, f"rows {part} {name} {axis}")
            pairs = zip(texts, swap({"text": texts})["text"], strict=True)
            by_source[name] = [(name, old, new) for old, new in pairs if old != new]
        several = [row for turn in zip_all(by_source.values()) for row in turn][:size]
        random.Random(axis).shuffle(several)
        found[axis] = several
    return found


def zip_all(several: Sequence[Any] | Any) -> Iterator[list[Any]]:
    """Give the next of each in turns, as long as any has one."""
    rest = [iter(each) for each in several]
    while turn := [each for own in rest for each in [next(own, None)] if each is not None]:
        yield turn


def marked(old: str, new: str) -> tuple[str, str]:
    """Put the words that differ in braces."""
    first, second = (re.findall(r"\s+|\w+|[^\w\s]", text) for text in (old, new))
    sides: list[str] = ["", ""]
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    for kind, *places in matcher.get_opcodes():
        a, b, c, d = places
        for side, text in enumerate(("".join(first[a:b]), "".join(second[c:d]))):
            sides[side] += text if kind == "equal" else f"{{{text}}}"
    return " ".join(sides[0].split()), " ".join(sides[1].split())


def write_items(folder: Path, drawn: Mapping[str, list[tuple[str, str, str]]]) -> None:
    """Write what is read, and what was drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _DRAWN).write_text(json.dumps(drawn), encoding="utf-8")
    for axis, several in drawn.items():
        lines = []
        for number, (_, old, new) in enumerate(several, 1):
            before, after = marked(old, new)
            lines.append(f"{number}\n  BEFORE {before}\n  AFTER  {after}\n")
        (folder / f"items_{axis}.txt").write_text("".join(lines), encoding="utf-8")


def merge(folder: Path, part: str) -> None:
    """Add the readings of a folder to the table."""
    drawn = json.loads((folder / _DRAWN).read_text(encoding="utf-8"))
    with READINGS.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        for axis, several in drawn.items():
            readings = [_labels(folder / f"{name}_{axis}.txt") for name in "AB"]
            for number, (source, old, new) in enumerate(several, 1):
                labels = [own.get(number, "") for own in readings]
                writer.writerow([axis, part, source, digest(old), digest(new), *labels])


def _labels(path: Path) -> dict[int, str]:
    """Return the verdict of a reading on each row."""
    if not path.exists():
        return {}
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {int(number): verdict for number, verdict, *_ in lines}


def judged(data: Path, part: str, protect: str | tuple[str, ...] = ()) -> list[Row]:
    """Return the rows that were read and that the swap still writes so."""
    with READINGS.open(encoding="utf-8", newline="") as file:
        read = [row for row in csv.DictReader(file, delimiter="\t") if row["part"] == part]
    asked = {row["text"] for row in read}
    every = chain.from_iterable(each() for each in later_sources(data).values())
    texts = {name: text for text in every if text and (name := digest(text)) in asked}
    by_axis: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in read:
        by_axis[row["axis"]].append(row)
    options = {"mode": "replace", "confidence": True, "protect": protect}
    swaps = {axis: CounterfactualSwap("text", axis=axis, **options) for axis in by_axis}
    return [row for axis, rows in by_axis.items() for row in _rows(swaps[axis], rows, texts)]


def _rows(
    swap: CounterfactualSwap, read: list[dict[str, str]], texts: Mapping[str, str]
) -> Iterator[Row]:
    """Give the rows of an axis, each with what its confidence is made of."""
    for row in read:
        text = texts[row["text"]]
        new, confidence, parts = _rewritten(swap, text)
        if digest(new) == row["rewrite"]:
            is_wrong, is_false = ({row["first"], row["second"]} <= {way, ""} for way in "WF")
            yield Row(row["axis"], row["source"], confidence, is_wrong, is_false, *parts)


def _rewritten(
    swap: CounterfactualSwap, text: str
) -> tuple[str, float, tuple[float, float, int, int]]:
    """Rewrite a text, and return how sure that is and what the confidence is made of."""
    told: list[tuple[float, float, int, int]] = []
    of_row = Reliability.of_row

    def heard(self: Reliability, axis: str, *parts: Any) -> float:
        told.append(parts)
        return of_row(self, axis, *parts)

    with patch.object(Reliability, "of_row", heard):
        found = swap({"text": [text]})
    return found["text"][0], found["confidence"][0], told[-1] if told else (1.0, 1.0, 0, 0)


def named() -> list[Row]:
    """Return the sentences with names of the world: a row that is half-changed is wrong."""
    swap = CounterfactualSwap("text", mode="replace", confidence=True, protect=())
    found = []
    for culture, gender, name in world_names.people("seen"):
        for text in world_names.rows(name, gender) if culture != world_names.LISTED else ():
            new, confidence, parts = _rewritten(swap, text)
            if new != text:
                is_half = world_names.outcome(text, new, name) == "half"
                found.append(Row("gender", NAMED, confidence, is_half, False, *parts))
    return found


def known(rows: Sequence[Row]) -> NDArray[np.float64]:
    """Return what is known of rows, as the curve has it. Shape (R, 4)."""
    people = np.minimum([row.people for row in rows], SURELY_PEOPLE)
    counts = ([np.log1p(row.capitals) for row in rows], [np.log1p(row.names) for row in rows])
    return np.array([_log_odds(row.product for row in rows), _log_odds(people), *counts]).T


def fitted(rows: Sequence[Row], more: Sequence[Row]) -> tuple[list[float], dict[str, float]]:
    """Fit the slopes of what is known of rows, and an intercept for each axis.

    Args:
        more: What a name that stays says is fitted last, on these as well: made sentences, which
            have an intercept of their own, as they are easier, and real rows, of which few have
            such a name.
    """
    axes = AXES
    of_axes = [[float(row.axis == axis) for axis in axes] for row in rows]
    model = LogisticRegression(C=1.0, fit_intercept=True, max_iter=10_000)
    model.fit(np.hstack([known(rows)[:, :3], of_axes]), [not row.is_wrong for row in rows])
    slopes = model.coef_[0]
    of_axis = dict(zip(axes, slopes[3:] + model.intercept_[0], strict=True))
    rows = [*rows, *more]
    odds = known(rows)[:, :3] @ slopes[:3] + [of_axis[row.axis] for row in rows]
    signs = np.array([-1 if row.is_wrong else 1 for row in rows])
    names, is_made = known(rows)[:, 3], np.array([row.source == NAMED for row in rows])

    def surprise(found: NDArray[np.float64]) -> float:
        told = odds + found[0] * names + found[1] * is_made
        return float(np.logaddexp(0, -signs * told).sum() + found[0] ** 2 / 2)

    return [*slopes[:3], minimize(surprise, np.zeros(2)).x[0]], of_axis


def _log_odds(shares: Any) -> list[float]:
    """Return the log odds of probabilities, as the confidence has them."""
    held = np.clip(list(shares), _LEAST, 1 - _LEAST)
    return list(np.log(held / (1 - held)))


def write_curve(slopes: Sequence[float], axes: Mapping[str, float]) -> None:
    """State the curve beside the figures that ship."""
    path = RELIABILITY.with_suffix(".toml")
    stated = path.read_text(encoding="utf-8")
    names = ("product", "people", "capitals", "names")
    for name, value in chain(zip(names, slopes, strict=True), axes.items()):
        stated = re.sub(rf"^{name} = -?[\d.]+$", f"{name} = {value:.2f}", stated, flags=re.M)
    path.write_text(stated, encoding="utf-8")


def told(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return wrong rows, expected and found: of all, of the surer half, and by thirds."""
    lines = []
    for axis in AXES:
        own = sorted((row for row in rows if row.axis == axis), key=lambda row: -row.confidence)
        edges = [round(len(own) * share) for share in (0, 1 / 3, 2 / 3, 1)]
        parts = {"all": own, "surer half": own[: len(own) // 2]}
        for name, first, last in zip(("first", "second", "last"), edges, edges[1:], strict=False):
            parts[f"{name} third"] = own[first:last]
        line = {"axis": axis, "rows": len(own)}
        for name, part in parts.items():
            expected = 100 * np.mean([1 - row.confidence for row in part]) if part else 0.0
            found = 100 * np.mean([row.is_wrong for row in part]) if part else 0.0
            line[f"{name}: expected, found %"] = f"{expected:.1f}, {found:.1f}"
        lines.append(line)
    return lines


def ranks(data: Path) -> list[dict[str, Any]]:
    """Return how often the surer half of the rows of each part is wrong, and how often the other.

    The confidence of a part is of a curve that is fitted to the others.
    """
    parts, names = {part: judged(data, part) for part in PARTS}, named()
    halves: dict[str, tuple[list[Row], list[Row]]] = {axis: ([], []) for axis in AXES}
    for part in PARTS[1:]:
        others = [row for each in PARTS if each != part for row in parts[each]]
        slopes, axes = fitted(others, names)
        for axis in AXES:
            own = [row for row in parts[part] if row.axis == axis]
            order = np.argsort(-(known(own) @ slopes) - axes[axis], kind="stable")
            for place, half in zip(np.array_split(order, 2), halves[axis], strict=True):
                half += [own[row] for row in place]
    lines = []
    for axis, several in halves.items():
        line: dict[str, Any] = {"axis": axis, "rows": sum(map(len, several))}
        for name, half in zip(("surer half", "other half"), several, strict=True):
            wrong = sum(row.is_wrong for row in half)
            low, high = (100 * bound for bound in binomtest(wrong, len(half)).proportion_ci())
            line[f"{name}: wrong % (95 %)"] = (
                f"{100 * wrong / len(half):.1f} ({low:.0f}-{high:.0f})"
            )
        lines.append(line)
    return lines


def by_genre(data: Path) -> list[dict[str, Any]]:
    """Return by genre how many rows with a mention are rewritten, and how many unseen are wrong.

    Rows that name known people count as not rewritten.
    """
    gender = judged(data, "tenth", KNOWN_PEOPLE)
    read = {"gender": gender, "other axes": judged(data, "fifth")}
    texts = later_sources(data)
    lines = []
    for genre, names in [*GENRES.items(), ("all", sum(GENRES.values(), ()))]:
        line: dict[str, Any] = {"genre": genre, **dict.fromkeys(AXES, "")}
        if genre != "all":
            several = [text for name in names for text in _some(texts[name](), genre)]
            line |= {axis: covered(several, axis) for axis in AXES}
        for kind, rows in read.items():
            own = [row for row in rows if row.source in names]
            wrong, false = (_share(own, lambda row, way=way: getattr(row, way))
                            for way in ("is_wrong", "is_false"))  # fmt: skip
            line |= {f"{kind}: rows": len(own), f"{kind}: wrong %": wrong}
            line |= {f"{kind}: false %": false} if kind == "gender" else {}
        lines.append(line)
    return lines


def _share(rows: Sequence[Row], is_held: Callable[[Row], bool]) -> str:
    """Return which share of rows something is true of, with its interval of 95 %."""
    if not rows:
        return ""
    held = sum(map(is_held, rows))
    low, high = binomtest(held, len(rows)).proportion_ci(method="wilson")
    return f"{100 * held / len(rows):.0f} ({100 * low:.0f}-{100 * high:.0f})"


def _some(texts: Iterable[str], seed: str) -> list[str]:
    """Draw texts of a source, of the lengths that are read."""
    several = [text for text in dict.fromkeys(texts) if text and _SHORTEST < len(text) <= _LONGEST]
    random.Random(seed).shuffle(several)
    return several[:_MOST_TEXTS]


def covered(texts: Sequence[str], axis: str) -> str:
    """Return the share of texts with a mention that the swap rewrites, of 20 of them or more."""
    table = find_table(axis)
    mentions = count_in_rows([(text,) for text in texts], [table], known=True).sum(axis=1) > 0
    written = CounterfactualSwap("text", axis=axis, mode="replace")({"text": list(texts)})["text"]
    changed = np.array([old != new for old, new in zip(texts, written, strict=True)])
    return f"{100 * changed[mentions].mean():.0f}" if mentions.sum() >= 20 else ""


def main() -> None:
    """Draw, merge, fit, or print the table."""
    parser = parser_of("Rows by reading.")
    parser.add_argument("--part", default="fit", choices=PARTS)
    parser.add_argument("--draw", type=Path, metavar="DIR", help="where rows to read are written")
    parser.add_argument("--merge", type=Path, metavar="DIR", help="where the readings are")
    parser.add_argument("--genres", action="store_true", help="print the table by genre")
    parser.add_argument("--ranks", action="store_true", help="print the halves")
    parser.add_argument("--fit", action="store_true", help="write the curve that ships")
    options = parser.parse_args()
    if options.draw:
        write_items(options.draw, draw(options.data, options.part))
    elif options.merge:
        merge(options.merge, options.part)
    elif options.genres:
        print(markdown_table(by_genre(options.data)))
    elif options.ranks:
        print(markdown_table(ranks(options.data)))
    elif options.fit:
        more = [row for part in PARTS[1:-1] for row in judged(options.data, part)]
        write_curve(*fitted(judged(options.data, "fit"), [*more, *named()]))
    else:
        print(markdown_table(told(judged(options.data, options.part))))


if __name__ == "__main__":
    main()
