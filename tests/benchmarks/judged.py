"""Decisions of which tagged texts tell whether they are right.

- Tagged names (tweets, EWT dev): a word that is spelt like a first name is judged as in
  `person_names`, one that may be a surname alone not at all. Another word of the lexicon is wrongly
  read within the span of a place or an organisation, and as the last word of a person's name;
  outside of spans it is rightly read, where the parse of EWT does not call it a verb. Of what is
  left alone outside of spans nothing is known.
- The parses of EWT dev tell the cases of "her" and "his", and the verbs of "he" and "she".
- Pairs (MT-GenEval): what is rewritten is right where the human counterpart has it so, and what is
  left alone where that leaves it as well. Three to five pairs in a hundred are noisy.

Rows of even numbers are fitted to; those of odd numbers are held back.
"""

import functools
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from person_names import ALONE, FILES, FIRST, kind_of, rows_of

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.english.questions import LANGUAGE
from fair_datasets.reader.matching.annotate import annotate_batch
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.language import Decision, decisions_on
from fair_datasets.reader.matching.mentions import MentionTable
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.swap.agreement import agree
from fair_datasets.swap.confidence import AGREEMENT
from fair_datasets.swap.rewriting import Rows
from fair_datasets.swap.rewriting.counterfactuals import aligned_edits

PAIRS = "pairs/gender_swap_mtgeneval_dev.jsonl"
_TRAIN = "tagged/ud_ewt_train.conllu.gz"
_PARSES = "tagged/ud_ewt_dev.conllu.gz"
_SIDES = (("masculine", "feminine"), ("feminine", "masculine"))


class Judged(NamedTuple):
    """A decision in a row of a source, and whether it is right."""

    source: str
    number: int
    text: str
    decision: Decision
    is_right: bool

    @property
    def is_held_back(self) -> bool:
        """Whether nothing may be fitted to it."""
        return self.number % 2 == 1


class _Asked(NamedTuple):
    """A candidate that is decided of, in a text of several."""

    text: int
    start: int
    end: int
    term: Any
    decision: Decision


def _decided(texts: Sequence[str], *, names: bool) -> Iterator[_Asked]:
    """Read texts, and give what the rules decide of their prose.

    The reader that ships was trained on these texts, so that it is not asked.
    """
    table = find_table("gender", names=names)
    table = replace(table, language=table.language._replace(tags=None))
    words = TokenBatch(list(texts))
    mentions: MentionTable = annotate_batch(words, np.arange(len(texts)), table)
    is_prose = [not rule.startswith("text.") and rule != "" for rule in mentions.rules]
    asked = np.flatnonzero(np.array(is_prose, np.bool_) & (mentions.readings >= 0))
    for number, decision in zip(
        asked.tolist(), decisions_on(mentions, asked, LANGUAGE), strict=True
    ):
        text = int(mentions.texts[number])
        begin = int(words.offset[text])
        start = int(words.start[mentions.firsts[number]]) - begin
        end = int(words.end[mentions.lasts[number]]) - begin
        yield _Asked(text, start, end, mentions.terms.readings[mentions.readings[number]], decision)


@functools.cache
def _parses(path: Path) -> dict[str, dict[int, list[str]]]:
    """Return the sentences of a treebank, each with its tokens by where they begin."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    found: dict[str, dict[int, list[str]]] = {}
    for block in blocks:
        lines, end = block.splitlines(), 0
        text = next((line[9:] for line in lines if line.startswith("# text = ")), "")
        tokens = found.setdefault(text, {})
        for line in lines:
            columns = line.split("\t")
            start = text.find(columns[1], end) if columns[0].isdigit() else -1
            if start >= 0:
                tokens[start], end = columns, start + len(columns[1])
    return found


def tagged(data: Path) -> Iterator[Judged]:
    """Judge what is decided in texts with tagged names."""
    for source, file in FILES.items():
        rows = rows_of(data / "tagged" / file)
        parses = _parses(data / _PARSES) if source == "EWT dev" else {}
        for each in _decided([row.text for row in rows], names=True):
            row = rows[each.text]
            token = parses.get(row.text, {}).get(each.start)
            is_right = _is_right(row, each, token)
            if is_right is not None:
                yield Judged(source, row.number, row.text, each.decision, is_right)


def _is_right(row: Any, asked: _Asked, token: list[str] | None) -> bool | None:
    """Whether a decision is right by the spans and the parse; None where they do not say."""
    start, end, term, is_read = asked.start, asked.end, asked.term, asked.decision.is_read
    if term.is_name:
        if not row.text[start].isupper():
            return None
        kind = kind_of(row, start, end, "surname" in term.flags)
        return None if kind == ALONE else is_read == (kind == FIRST)
    if term.entry.kind == "pronoun":
        return None if token is None else is_read and _has_case(term, token)
    span = next((span for span in row.spans if span[0] <= start and end <= span[1]), None)
    if span is not None and span[2] != "PER":
        return not is_read
    if span is not None:
        return not is_read if span[0] < start and end == span[1] else None
    if token is not None and token[3] == "VERB":
        return not is_read
    return True if is_read else None


def _has_case(term: Any, token: list[str]) -> bool:
    """Whether a pronoun is read in the case that the parse gives it."""
    word, tag, relation = token[1].lower(), token[4], token[7]
    if word == "her":
        return bool(term.entry.inflection == ("determiner" if tag == "PRP$" else "object"))
    is_determiner = relation in ("nmod:poss", "det:poss")
    is_right = word != "his" or (term.entry.inflection == "determiner") == is_determiner
    return bool(is_right)


def agreeing(data: Path) -> Iterator[Judged]:
    """Judge whether the verbs of "he" and "she" are found that singular they takes in the plural.

    By the parse they are those in the third person: the head of the subject, its auxiliaries and
    copula, and the verbs that are joined to it and have no subject of their own.
    """
    for number, (text, tokens) in enumerate(_parses(data / _TRAIN).items()):
        words = tokenize(text)
        places = {start: place for place, start in enumerate(words.starts)}
        for start, token in tokens.items():
            if token[1].lower() in ("he", "she") and token[7] == "nsubj" and start in places:
                found = {edit.start for edit in agree(words, places[start])}
                expected = set(_third_persons(tokens, token[6]))
                decision = Decision("gender", AGREEMENT, "", True)
                yield Judged("EWT dev", number, text, decision, found == expected)


def _third_persons(tokens: dict[int, list[str]], head: str) -> Iterator[int]:
    """Give where the verbs in the third person singular begin that a subject's head has."""
    for start, token in tokens.items():
        is_part = token[0] == head or (
            token[6] == head and token[7].split(":")[0] in ("aux", "cop")
        )
        is_finite = token[4] == "VBZ" or token[1].lower() == "was"
        if is_part and is_finite:
            yield start + (token[1][0] in "'’")
    for token in tokens.values():
        is_joined = token[6] == head and token[7] == "conj"
        if is_joined and not any(
            other[6] == token[0] and other[7].startswith(("nsubj", "expl"))
            for other in tokens.values()
        ):
            yield from _third_persons(tokens, token[0])


class Pair(NamedTuple):
    """A text, its human counterpart, and what the swap writes."""

    number: int
    text: str
    gold: str
    row: Any


def pairs(data: Path, **options: Any) -> Iterator[Pair]:
    """Swap both sides of the pairs in which all gendered words change."""
    with (data / PAIRS).open(encoding="utf-8") as file:
        records = [record for record in map(json.loads, file) if record["scope"] == "all"]
    swap = CounterfactualSwap(columns="text", names=False, mode="replace", protect=(), **options)
    for own, other in _SIDES:
        texts = [record[own] for record in records]
        read = {
            row.number: row for row in swap.read(Rows([(t,) for t in texts], [None] * len(texts)))
        }
        for number, record in enumerate(records):
            yield Pair(number, record[own], record[other], read.get(number))


def paired(data: Path) -> Iterator[Judged]:
    """Judge what is decided in the pairs."""
    several = [pair for pair in pairs(data) if pair.row is not None]
    for each in _decided([pair.text for pair in several], names=False):
        pair = several[each.text]
        new = pair.row.counterfactual
        ours = {edit.start: edit.after for edit in (new.edits[0] if new else [])}
        theirs = [
            edit.after
            for edit in aligned_edits(pair.text, pair.gold)
            if edit.start < each.end and each.start < edit.end
        ]
        is_right = not theirs
        if each.decision.is_read:
            after = ours.get(each.start)
            is_right = bool(theirs and after and after.lower() in theirs[0].lower())
        yield Judged("pairs", pair.number, pair.text, each.decision, is_right)


def judged(data: Path) -> Iterator[Judged]:
    """Judge all that can be judged."""
    yield from tagged(data)
    yield from agreeing(data)
    yield from paired(data)
