"""What each list of words, each exception and each rule changes; what changes nothing may go.

    python tests/benchmarks/lists.py [classes] [exceptions] [rules] [--texts 2000] [--data DIR]

Each class of `english/words.tsv` is emptied in turn, each phrase of a lexicon's exceptions is read
as any other, and each rule is made never to hold. Printed is in how many texts the mentions differ
then, in how many any decision does (what is left alone, and the rule that decided), and in how many
what the swap writes: over texts of the catalogue, and over sentences (the probes, and those of the
tests of `english` and `matching`). What changes nothing is listed at the end.

Only those texts are read anew that a class has a word of, that hold a phrase, or of which a rule
decides something; others cannot change. Phrases of different texts are left out at once.
"""

import ast
import multiprocessing
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import apart  # noqa: F401
import numpy as np
from corpora import corpora, parser_of
from numpy.typing import NDArray
from probes import read_probes
from tqdm import tqdm

from fair_datasets import CounterfactualSwap
from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.english import lists
from fair_datasets.reader.matching import predicates
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.mentions import Annotation
from fair_datasets.reader.matching.predicates import ALWAYS, NEVER
from fair_datasets.reader.matching.rows import mentions_in_rows
from fair_datasets.reader.matching.table import TermTable, _table_without, build_table
from fair_datasets.reader.matching.token_batch import Candidates
from fair_datasets.reader.matching.tokenizer import tokenize

TESTS = Path(__file__).parents[1]
SENTENCES = ("probes", "tests")
# The axes, and the target of the swap; names by group are read where a target is one of them.
AXES = (
    ("gender", "", None), ("gender", "non-binary", False), ("race", "asian", True),
    ("race", "white", None), ("religion", "muslim", None), ("nationality", "irish", None),
    ("orientation", "gay", None), ("age", "senior", None),
)  # fmt: skip
# Towards them the verbs are written anew, which the writing has words for.
AGREEING = "non-binary"
# Of these a word is asked without its ending, or with one ("drivers", "schoolteacher").
INFLECTED = frozenset(
    {"endings", "groups", "known_for_long", "language_nouns", "no_persons"}
    | {"peoples", "person_nouns", "verbs"}
)
_BATCH = 1000
_NOTHING = 0

Numbers = NDArray[np.int64]
Phrase = tuple[str, str]
# A rule by its name and its verdict; two rules of a table may have one name.
RuleKey = tuple[str, str]


class Ablation(NamedTuple):
    """What is taken away, and the texts that may change.

    Attributes:
        kind: `class`, `exceptions` or `rule`; empty where all stays.
        what: The class, the phrases with their axes, or the rule's name and verdict.
        texts: The numbers of the texts that are read.
    """

    kind: str
    what: Any
    texts: Numbers


# The texts, which the processes that read them have from the one that starts them.
TEXTS: list[str] = []
CORPORA: list[str] = []
# The outcomes while nothing is taken away.
BEFORE: list[Numbers] = []


def _texts(data: Path, size: int) -> dict[str, list[str]]:
    """Return texts of each kind, and the sentences of the probes and the tests."""
    probes = read_probes(Path(__file__).with_name("probes.tsv"))
    sentences = {"probes": [probe.text for probe in probes], "tests": sorted(_sentences())}
    return corpora(data, size) | sentences


def _sentences() -> set[str]:
    """Return what the tests of the reader have between quotes, without their brackets."""
    return {
        node.value.replace("[", "").replace("]", "")
        for folder in ("english", "matching")
        for path in (TESTS / "reader" / folder).glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    }


def table(axis: str, names: bool | None) -> TermTable:
    """Return the terms of an axis."""
    return find_table(axis, names=names)


def outcomes(numbers: Numbers, *, may_begin: bool = True) -> Numbers:
    """Say by a number what is read, decided and written of texts. Shape (texts, axes, 3).

    Args:
        numbers: The numbers of the texts.
        may_begin: Whether a word may be a candidate that was none; else those texts are passed over
            of which nothing was decided.
    """
    before = BEFORE[0][numbers] if BEFORE else np.full((len(numbers), len(AXES), 3), _NOTHING)
    found = before.copy()
    for column, (axis, target, names) in enumerate(AXES):
        swap = CounterfactualSwap(
            columns="text", axis=axis, target=target or None, names=names, mode="replace",
            protect=(),
        )  # fmt: skip
        is_asked = may_begin | (before[:, column, 1] != _NOTHING) | (axis == "age")
        rows = np.flatnonzero(np.broadcast_to(is_asked, len(numbers)))
        found[rows, column, :2] = _NOTHING
        for start in range(0, len(rows), _BATCH):
            batch = rows[start : start + _BATCH]
            texts = [[TEXTS[number]] for number in numbers[batch].tolist()]
            for place, (reading,) in mentions_in_rows(texts, [table(axis, names)]):
                if reading is not None and (reading.mentions or reading.skipped):
                    found[batch[place], column, :2] = _told(reading)
            # The same mentions are written alike, but for the verbs behind "they".
            is_other = found[batch, column, 0] != before[batch, column, 0]
            swapped = batch[
                (found[batch, column, 0] != _NOTHING) & (is_other | (target == AGREEING))
            ]
            found[batch[is_other], column, 2] = _NOTHING
            if len(swapped):
                told = swap({"text": [TEXTS[number] for number in numbers[swapped].tolist()]})
                found[swapped, column, 2] = [hash(text) for text in told["text"]]
    return found


def _told(reading: Annotation) -> tuple[int, int]:
    """Say by numbers what is read in a text, and what is decided."""
    read = [(m.first, m.last, m.term.attribute, m.term.entry.inflection) for m in reading.mentions]
    ruled = [mention.rule for mention in reading.mentions]
    first = hash(tuple(read)) if read else _NOTHING
    return first, hash((tuple(read), tuple(ruled), frozenset(reading.skipped)))


def without(ablation: Ablation) -> Any:
    """Return the outcomes of texts once something is taken away; in a process of its own."""
    if ablation.kind == "class":
        lists.classes()[ablation.what] = frozenset()
    elif ablation.kind == "rule":
        for rule in _rules()[ablation.what]:
            object.__setattr__(rule, "condition", NEVER)
    elif ablation.kind == "exceptions":
        for axis in {axis for axis, _ in ablation.what}:
            gone = {text for of, text in ablation.what if of == axis}
            lexicon = load_lexicon(axis)
            kept = tuple(text for text in lexicon.exceptions if text not in gone)
            object.__setattr__(lexicon, "exceptions", kept)
        _table_without.cache_clear()
        build_table.cache_clear()
    elif ablation.kind == "deciding":
        return _texts_by_rule(ablation.texts)
    try:
        return outcomes(ablation.texts, may_begin=ablation.kind in ("", "exceptions"))
    except IndexError:
        # Without the rule that says where there is no number, one is read that is not there.
        if ablation.kind != "rule":
            raise
        return np.zeros((len(ablation.texts), len(AXES), 3), np.int64)


def _rules() -> dict[RuleKey, list[predicates.Rule[Any]]]:
    """Return the rules of all tables, and of all axes, by their names and verdicts."""
    tables = [
        value
        for name, module in sorted(sys.modules.items())
        if name.startswith("fair_datasets.") and "pipeline" not in name
        for value in vars(module).values()
        if isinstance(value, tuple) and value and isinstance(value[0], predicates.Rule)
    ]
    tables += [table(axis, names).rules for axis, _, names in AXES]
    found: dict[RuleKey, list[predicates.Rule[Any]]] = defaultdict(list)
    for rule in (rule for several in tables for rule in several):
        if all(rule is not known for known in found[rule.name, str(rule.verdict)]):
            found[rule.name, str(rule.verdict)].append(rule)
    return found


def _texts_by_rule(numbers: Numbers) -> dict[RuleKey, list[int]]:
    """Return the texts of which each rule decides something."""
    plain = predicates.first_matching_rule
    found: dict[RuleKey, set[str]] = defaultdict(set)

    def counting(several: Sequence[predicates.Rule[Any]], asked: Candidates) -> NDArray[np.int64]:
        decided = plain(several, asked)
        owners = asked.words.owner[asked.places]
        for number in np.unique(decided).tolist():
            key = several[number].name, str(several[number].verdict)
            # What is nowhere stands behind all texts.
            told = np.unique(owners[(decided == number) & (owners < len(asked.words.texts))])
            found[key].update(asked.words.texts[text] for text in told.tolist())
        return decided

    for module in list(sys.modules.values()):
        if getattr(module, "deciding", None) is plain:
            module.deciding = counting  # type: ignore[attr-defined]
    outcomes(numbers)
    places = defaultdict(list)
    for number in numbers.tolist():
        places[TEXTS[number]].append(number)
    return {key: sorted(n for text in texts for n in places[text]) for key, texts in found.items()}


def class_ablations(words: Mapping[str, Numbers]) -> Iterator[Ablation]:
    """Empty each class, and read the texts that have a word of it."""
    everything = np.arange(len(TEXTS))
    for name, listed in sorted(lists.classes().items()):
        parts = {part for word in listed for part in word.split(" ")}
        held = [words[word] for word in parts & words.keys()]
        texts = np.unique(np.concatenate(held)) if held else everything[:0]
        yield Ablation("class", name, everything if name in INFLECTED else texts)


def rule_ablations(decided: Mapping[RuleKey, Sequence[int]]) -> Iterator[Ablation]:
    """Take each rule away but the last ones, and read the texts of which it decides something."""
    for key, several in _rules().items():
        if all(rule.condition is not ALWAYS for rule in several):
            yield Ablation("rule", key, np.array(decided.get(key, ()), np.int64))


def exception_ablations(held: Mapping[int, Sequence[Phrase]]) -> list[Ablation]:
    """Take phrases away, at once those that share no text, and read the texts with one of them."""
    texts_of: dict[Phrase, set[int]] = defaultdict(set)
    for number, phrases in held.items():
        for phrase in phrases:
            texts_of[phrase].add(number)
    groups: list[tuple[set[Phrase], set[int]]] = []
    for phrase, texts in sorted(texts_of.items(), key=lambda item: -len(item[1])):
        group = next((group for group in groups if texts.isdisjoint(group[1])), None)
        if group is None:
            groups.append(group := (set(), set()))
        group[0].add(phrase)
        group[1].update(texts)
    return [Ablation("exceptions", several, np.array(sorted(texts))) for several, texts in groups]


def phrases_in_texts() -> dict[int, list[Phrase]]:
    """Return the exceptions whose words each text has, one behind the other."""
    by_first: dict[str, list[tuple[list[str], Phrase]]] = defaultdict(list)
    for axis in sorted({axis for axis, _, _ in AXES}):
        for text in load_lexicon(axis).exceptions:
            parts = tokenize(text).lower
            by_first[parts[0]].append((parts, (axis, text)))
    found: dict[int, list[Phrase]] = {}
    for number, text in enumerate(TEXTS):
        words = tokenize(text).lower
        here = {
            phrase
            for place, word in enumerate(words)
            for parts, phrase in by_first.get(word, ())
            if words[place : place + len(parts)] == parts
        }
        if here:
            found[number] = sorted(here)
    return found


def changed(before: Numbers, ablation: Ablation, after: Numbers) -> NDArray[np.bool_]:
    """Return for each text that was read anew what is other than before. Shape (texts, 3)."""
    other: NDArray[np.bool_] = (before[ablation.texts] != after).any(axis=1)
    return other


def print_table(kind: str, counts: Mapping[str, Numbers], shown: int) -> None:
    """Print what each ablation changes, the least first, and what changes nothing."""
    print(f"\n| {kind} | asked of | mentions | decisions | swaps | the same in sentences |")
    print("|---" * 6 + "|")
    ordered = sorted(counts.items(), key=lambda item: (item[1][1:].tolist(), item[0]))
    for name, told in ordered[: shown or None]:
        here = [f"{number:,}" for number in told[:4].tolist()]
        print(f"| {name} | {' | '.join(here)} | {' '.join(map(str, told[4:].tolist()))} |")
    dead = [name for name, told in ordered if not told[1:].any()]
    few = sum(1 for told in counts.values() if told[1] + told[3] < 2 * 4)
    print(f"\n{len(counts)} of the kind; {len(dead)} change nothing: {', '.join(dead) or 'none'}")
    print(f"{few} change fewer than 4 texts of the catalogue", flush=True)


def counted(ablation: Ablation, other: NDArray[np.bool_]) -> Numbers:
    """Count the texts, then those with other mentions, decisions and swaps; then of sentences."""
    is_sentence = np.array([CORPORA[number] in SENTENCES for number in ablation.texts.tolist()])
    is_sentence = is_sentence.astype(np.bool_)
    return np.concatenate(
        ([np.count_nonzero(~is_sentence)], other[~is_sentence].sum(axis=0),
         other[is_sentence].sum(axis=0))
    )  # fmt: skip


def run(ablations: Sequence[Ablation]) -> Iterator[Any]:
    """Yield what comes of each ablation, each in a process that has read nothing before."""
    # It is forked from this one, which reads no text itself: so nothing is known of them yet.
    context = multiprocessing.get_context("fork")
    with context.Pool(1, maxtasksperchild=1) as pool:
        yield from tqdm(pool.imap(without, ablations), total=len(ablations), file=sys.stderr)


def main() -> None:
    """Print the tables."""
    parser = parser_of("Take each list, exception and rule away in turn.")
    parser.add_argument("kinds", nargs="*", default=list(KINDS), metavar="KIND",
                        help=f"what is taken away: {', '.join(KINDS)} (all)")  # fmt: skip
    parser.add_argument("--texts", type=int, default=2000, help="texts of each corpus (2000)")
    parser.add_argument("--show", type=int, default=0, help="rows shown of each table (all)")
    options = parser.parse_args()
    if not set(options.kinds) <= set(KINDS):
        parser.error(f"there are the kinds {', '.join(KINDS)}")
    for name, texts in _texts(options.data, options.texts).items():
        TEXTS.extend(texts)
        CORPORA.extend([name] * len(texts))
    for axis, _, names in AXES:
        table(axis, names)  # So that all lexicons are loaded before a process is forked.
    everything = np.arange(len(TEXTS))
    real = sum(name not in SENTENCES for name in CORPORA)
    print(f"{real:,} texts of the catalogue and {len(TEXTS) - real:,} sentences, {len(AXES)} axes")
    before, decided = run([Ablation("", "", everything), Ablation("deciding", "", everything)])
    BEFORE.append(before)
    for kind in options.kinds:
        KINDS[kind](before, decided, options.show)


def ablate_classes(before: Numbers, decided: Mapping[RuleKey, Sequence[int]], shown: int) -> None:
    """Print what each class of words changes."""
    words: dict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(TEXTS):
        for word in set(tokenize(text).lower):
            words[word].append(number)
    ablations = list(class_ablations({word: np.array(found) for word, found in words.items()}))
    print_table("class", _counts(before, ablations, lambda name: name), shown)


def ablate_rules(before: Numbers, decided: Mapping[RuleKey, Sequence[int]], shown: int) -> None:
    """Print what each rule changes."""
    ablations = list(rule_ablations(decided))
    print_table("rule", _counts(before, ablations, lambda key: f"{key[0]} ({key[1]})"), shown)


def _counts(
    before: Numbers, ablations: Sequence[Ablation], named: Callable[[Any], str]
) -> dict[str, Numbers]:
    """Count what each ablation changes."""
    return {
        named(each.what): counted(each, changed(before, each, after))
        for each, after in zip(ablations, run(ablations), strict=True)
    }


def ablate_exceptions(
    before: Numbers, decided: Mapping[RuleKey, Sequence[int]], shown: int
) -> None:
    """Print what each exception changes that stands in some text, and how many stand in none."""
    held = phrases_in_texts()
    ablations = exception_ablations(held)
    counts: dict[str, Numbers] = defaultdict(lambda: np.zeros(7, np.int64))
    for each, after in zip(ablations, run(ablations), strict=True):
        for place, other in enumerate(changed(before, each, after)):
            number = int(each.texts[place])
            (phrase,) = set(held[number]) & each.what
            one = each._replace(texts=each.texts[place : place + 1])
            counts[": ".join(phrase)] += counted(one, other[None])
    print_table("exception", counts, shown)
    for axis in dict.fromkeys(axis for axis, _, _ in AXES):
        listed = {f"{axis}: {text}" for text in load_lexicon(axis).exceptions}
        here = listed & counts.keys()
        telling = sum(1 for name in here if counts[name][1:].any())
        print(f"{axis}: {len(listed)} exceptions, {len(here)} in a text, {telling} change one")


Ablate = Callable[[Numbers, Mapping[RuleKey, Sequence[int]], int], None]
KINDS: Mapping[str, Ablate] = {
    "classes": ablate_classes, "exceptions": ablate_exceptions, "rules": ablate_rules,
}  # fmt: skip


if __name__ == "__main__":
    main()
