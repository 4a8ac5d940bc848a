"""How good the counterfactual swap is, judged by what it writes.

    python tests/benchmarks/quality.py [--data DIR] [--probes FILE] [--show N]

Three tables:

- whole sentences: how often the swap of one side of a human-made pair (MT-GenEval) is exactly the
  other side, beside the floor of a token dictionary that always reads "her" as "his"; and the same
  without `leave_facts`, as these people rewrote what tells a fact too ("he became pregnant");
- pronouns: "her", "his" and "hers" in UD EWT, by the part that the gold annotation gives them;
- probes: sentences written for this benchmark, with the outputs that a careful reader accepts.

How well first names are told is measured by `tagging.py`.
"""

import functools
import gzip
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpora import parser_of
from probes import is_right, read_probes

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.lexicons import load_lexicon

PROBES = Path(__file__).with_name("probes.tsv")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Failure:
    """An output that is not among those expected."""

    name: str
    text: str
    expected: str
    got: str


Table = tuple[list[list[str]], list[Failure]]


@dataclass(frozen=True)
class Occurrence:
    """A pronoun in a tagged sentence: its class, its counterpart and its place."""

    name: str
    expected: str
    text: str
    start: int
    before_noun: bool


@functools.cache
def technique(axis: str, target: str, options: str, provenance: bool = False) -> CounterfactualSwap:
    """Return the swap of one configuration."""
    parameters: dict[str, Any] = {"names": axis == "gender"}
    for option in filter(None, options.split(";")):
        name, _, value = option.partition("=")
        parameters[name] = value == "true" if name == "names" else value
    return CounterfactualSwap(
        columns="text", axis=axis, protect=(), target=target or None, mode="replace",
        provenance=provenance, **parameters,
    )  # fmt: skip


def swapped(texts: Sequence[str], *, leave_facts: bool = True) -> list[str]:
    """Swap man and woman in each text, without names."""
    swap = CounterfactualSwap(
        columns="text", names=False, mode="replace", leave_facts=leave_facts, protect=()
    )
    return list(swap({"text": list(texts)})["text"])


@functools.cache
def dictionary() -> dict[str, str]:
    """Return the counterpart of each single word, in lower case; "her" becomes "his"."""
    found: dict[str, str] = {}
    for entry in load_lexicon("gender").entries:
        for own, other in (("man", "woman"), ("woman", "man")):
            written = entry.forms.get(other)
            for form in entry.forms.get(own, ()):
                if written:
                    found.setdefault(form.text.lower(), written[0].text.lower())
    return found | {"her": "his", "him": "her", "his": "her"}


def floor(text: str) -> str:
    """Swap token by token, with the letter case of the token."""

    def counterpart(match: re.Match[str]) -> str:
        word = match.group()
        other = dictionary().get(word.lower())
        if other is None:
            return word
        if len(word) > 1 and word.isupper():
            return other.upper()
        return other[0].upper() + other[1:] if word[0].isupper() else other

    return _WORD.sub(counterpart, text)


def sentence_table(path: Path) -> Table:
    """Return the exact matches on the pairs, by direction."""
    with path.open(encoding="utf-8") as file:
        records = [record for record in map(json.loads, file) if record["scope"] == "all"]
    rows, failures = [], []
    for own, other in (("masculine", "feminine"), ("feminine", "masculine")):
        texts, golds = [r[own] for r in records], [r[other] for r in records]
        outputs = swapped(texts)
        right = sum(output == gold for output, gold in zip(outputs, golds, strict=True))
        naive = sum(floor(text) == gold for text, gold in zip(texts, golds, strict=True))
        name = f"{own} to {other}"
        rows.append([name, str(len(texts)), str(right), share(right, len(texts))])
        rows[-1].append(share(naive, len(texts)))
        told = swapped(texts, leave_facts=False)
        right = sum(output == gold for output, gold in zip(told, golds, strict=True))
        rows.append([f"{name}, facts too", str(len(texts)), str(right)])
        rows[-1] += [share(right, len(texts)), share(naive, len(texts))]
        failures += [
            Failure(name, text, gold, output)
            for text, gold, output in zip(texts, golds, outputs, strict=True)
            if output != gold
        ]
    return rows, failures


def occurrences(path: Path) -> Iterator[Occurrence]:
    """Yield the pronouns of a CoNLL-U file whose counterpart depends on their part."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for block in file.read().split("\n\n"):
            lines = block.splitlines()
            text = next((line[9:] for line in lines if line.startswith("# text = ")), "")
            tokens = [line.split("\t") for line in lines if line[:1].isdigit()]
            # Ranges are one surface token of several words: the words have no place of their own.
            tokens = [token for token in tokens if token[0].isdigit()]
            yield from _pronouns(text, tokens)


def _pronouns(text: str, tokens: list[list[str]]) -> Iterator[Occurrence]:
    end = 0
    for index, token in enumerate(tokens):
        start = text.find(token[1], end)
        if start < 0:
            continue
        end = start + len(token[1])
        following = tokens[index + 1][3] if index + 1 < len(tokens) else ""
        found = _part(token[1].lower(), token[4], token[7])
        if found:
            yield Occurrence(*found, text, start, following in ("NOUN", "PROPN"))


def _part(word: str, tag: str, relation: str) -> tuple[str, str] | None:
    """Return the class of a pronoun and its counterpart."""
    if word == "her":
        return ("her, determiner", "his") if tag == "PRP$" else ("her, object", "him")
    if word == "his":
        determiner = relation in ("nmod:poss", "det:poss")
        return ("his, determiner", "her") if determiner else ("his, possessive", "hers")
    return ("hers", "his") if word == "hers" else None


def pronoun_table(path: Path) -> Table:
    """Return the accuracy per class of pronoun, from the edits that the swap reports."""
    found = list(occurrences(path))
    traced = technique("gender", "", "names=false", True)
    texts = list(dict.fromkeys(each.text for each in found))
    edits = {
        text: {edit["start"]: edit for edit in row}
        for text, row in zip(texts, traced({"text": texts})["edits"], strict=True)
    }
    rows, failures = [], []
    names = sorted({each.name for each in found})
    for name in [*names, "all"]:
        group = [each for each in found if name in (each.name, "all")]
        outputs = [_written(each, edits[each.text]) for each in group]
        judged = list(zip(group, outputs, strict=True))
        right = [each for each, output in judged if output == each.expected]
        nouns = [each for each in group if each.before_noun]
        nouns_right = sum(each.before_noun for each in right)
        cells = [len(group), len(right), share(len(right), len(group)), outputs.count("")]
        cells += [len(nouns), nouns_right, share(nouns_right, len(nouns))]
        rows.append([name, *map(str, cells)])
        if name != "all":
            failures += [
                Failure(name, f"{each.text} [at {each.start}]", each.expected, output or "(kept)")
                for each, output in judged
                if output != each.expected
            ]
    return rows, failures


def _written(occurrence: Occurrence, edits: dict[int, dict[str, str]]) -> str:
    """Return what is written for a pronoun, in lower case; empty where nothing is."""
    edit = edits.get(occurrence.start)
    return edit["after"].lower() if edit else ""


def probe_table(path: Path) -> Table:
    """Return the probes that are right, by class, and those that the library refuses."""
    right: dict[str, list[bool]] = {}
    refused: dict[str, int] = {}
    failures = []
    for probe in read_probes(path):
        results = right.setdefault(probe.name, [])
        try:
            swap = technique(probe.axis, probe.target, probe.options)
            output = swap({"text": [probe.text]})["text"][0]
            results.append(is_right(probe, output))
        except (InputError, TypeError) as error:
            output = f"refused: {error}"
            results.append(False)
            refused[probe.name] = refused.get(probe.name, 0) + 1
        if not results[-1]:
            configuration = " ".join(filter(None, (probe.name, probe.target, probe.options)))
            expected = " || ".join(probe.expected)
            failures.append(Failure(configuration, probe.text, expected, output))
    rows = [[name, *_cells(each), str(refused.get(name, 0))] for name, each in right.items()]
    everything = [result for each in right.values() for result in each]
    return [*rows, ["all", *_cells(everything), str(sum(refused.values()))]], failures


def _cells(results: list[bool]) -> list[str]:
    return [str(len(results)), str(sum(results)), share(sum(results), len(results))]


def share(part: int, whole: int) -> str:
    """Return a share in percent."""
    return f"{100 * part / whole:.1f} %" if whole else "none"


def print_table(columns: list[str], table: Table, shown: int) -> None:
    """Print a Markdown table and the first failures below it."""
    rows, failures = table
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    for failure in failures[:shown]:
        print(f"\n[{failure.name}] {failure.text}")
        print(f"  expected: {failure.expected}\n  got:      {failure.got}")
    print(flush=True)


def main() -> None:
    """Print the tables."""
    parser = parser_of("Judge what the counterfactual swap writes.")
    parser.add_argument("--probes", type=Path, default=PROBES, help="the probes (probes.tsv)")
    parser.add_argument("--show", type=int, default=0, help="failures shown per table (0)")
    options = parser.parse_args()
    pairs = options.data / "pairs" / "gender_swap_mtgeneval_dev.jsonl"
    tagged = options.data / "tagged" / "ud_ewt_dev.conllu.gz"
    pronouns = ["pronoun", "n", "right", "share", "not edited"]
    pronouns += ["before a noun", "right before a noun", "share before a noun"]
    tables: list[tuple[list[str], Callable[[Path], Table], Path]]
    tables = [
        (["sentences", "n", "exact", "share", "floor"], sentence_table, pairs),
        (pronouns, pronoun_table, tagged),
        (["probes", "n", "right", "share", "refused"], probe_table, options.probes),
    ]
    for columns, table, path in tables:
        print_table(columns, table(path), options.show)


if __name__ == "__main__":
    main()
