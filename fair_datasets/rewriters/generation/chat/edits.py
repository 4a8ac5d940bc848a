"""What a chat model is asked for, and what becomes of its answer: edits, made by us.

A model that is asked for a text may change anything in it. One that is asked for the words before
and the words after writes less, and what it does not name stays. Articles and verbs are made to
agree here, as in a swap.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from fair_datasets.reader.matching.letters import match_case
from fair_datasets.reader.matching.tokens import Tokens, tokenize
from fair_datasets.rewriters.generation.writing import ABSENT, NOT_EDITS, OVERLAPPING
from fair_datasets.swap.agreement import ARTICLES, agree, article_before
from fair_datasets.swap.rewriting.counterfactuals import Edit, aligned_edits, apply_edits
from fair_datasets.swap.verification.faults import plural_subjects

INSTRUCTION = """\
Edit the text below so that one person in it becomes another: {attribute}.
The person is the one whom the word {word} stands for.
Edit each word that tells who this person is (names, pronouns, nouns, titles). Leave all other \
people, and every other word, as they are. Articles and verbs are mended afterwards.
Answer with JSON alone: {{"edits": [{{"before": "...", "after": "...", "occurrence": 1}}]}}
"before" are words exactly as they stand in the text, "after" what takes their place, and \
"occurrence" says which of the places it is where these words stand, counted from 1.{several}

{text}"""
"""The message; its fields are those of a control, but for {several}."""

_SEVERAL = ' There are several texts: "text" says in which of them, counted from 1.'
_HALF = re.compile("[\ud800-\udfff]")


class Wanted(NamedTuple):
    """An edit that a model asks for.

    Attributes:
        occurrence: At which of the places where they stand, from 1 on.
    """

    before: str
    after: str
    occurrence: int
    text: int = 0


def message(texts: Sequence[str], word: str, where: tuple[int, int] | None, attribute: str) -> str:
    """Write what a model is asked.

    Args:
        word: The word that stands for the person who is asked for.
        where: In which text it stands, and at which character; None for the first place.
    """
    place, start = where or (0, 0)
    number = occurrence(texts[place], word, start)
    named = f"{json.dumps(word, ensure_ascii=False)} (occurrence {number}"
    is_one = len(texts) == 1
    named += ")" if is_one else f" in text {place + 1})"
    shown = [f"Text {k}:\n{text}" for k, text in enumerate(texts, 1)]
    return INSTRUCTION.format(
        word=named,
        attribute=attribute,
        several="" if is_one else _SEVERAL,
        text=f"Text:\n{texts[0]}" if is_one else "\n\n".join(shown),
    )


@cache
def schema(count: int) -> Mapping[str, Any]:
    """Return the form of an answer about so many texts, as JSON schema that every server takes."""
    words: dict[str, Any] = {"before": {"type": "string"}, "after": {"type": "string"}}
    words["occurrence"] = {"type": "integer"}
    if count > 1:
        words["text"] = {"type": "integer"}
    edit = {
        "type": "object", "properties": words, "required": list(words),
        "additionalProperties": False,
    }  # fmt: skip
    return {
        "type": "object", "properties": {"edits": {"type": "array", "items": edit}},
        "required": ["edits"], "additionalProperties": False,
    }  # fmt: skip


def read_json(content: str) -> Any:
    """Read the first object of JSON of an answer, whatever a model thinks aloud or says around it.

    Example:
        >>> read_json('<think>Hm.</think> Here: ```json' + chr(10) + '{"edits": []}' + '```')
        {'edits': []}
    """
    # Some templates write the sign that begins a thought themselves.
    bare = content.rpartition("</think>")[2]
    try:
        return json.JSONDecoder().raw_decode(bare, bare.find("{"))[0]
    except (ValueError, RecursionError):
        return None


def wanted(content: str, count: int) -> list[Wanted] | None:
    """Read the edits of an answer about so many texts; None if it has not the form asked for.

    Example:
        >>> wanted('{"edits": [{"before": "He", "after": "She", "occurrence": 1}]}', 1)
        [Wanted(before='He', after='She', occurrence=1, text=0)]
        >>> wanted('{"edits": [{"before": "He"}]}', 1)
    """
    data = read_json(content)
    edits = data.get("edits") if isinstance(data, dict) else None
    if not isinstance(edits, list):
        return None
    found = []
    for edit in edits:
        if not isinstance(edit, dict):
            return None
        before, after = edit.get("before"), edit.get("after")
        numbers = edit.get("occurrence", 1), edit.get("text", 1)
        is_text = isinstance(before, str) and isinstance(after, str)
        # No file holds half of a surrogate pair.
        is_text = is_text and not _HALF.search(f"{before}{after}")
        if not is_text or not all(type(n) is int and n > 0 for n in numbers) or numbers[1] > count:
            return None
        found.append(Wanted(str(before).strip(), str(after).strip(), numbers[0], numbers[1] - 1))
    return found


def rewritten(texts: Sequence[str], edits: Sequence[Wanted]) -> tuple[str, ...] | str:
    """Make the edits of a model in the texts of a row; or return the fault, in a few words."""
    found = []
    for number, text in enumerate(texts):
        placed = _placed(text, [edit for edit in edits if edit.text == number])
        if isinstance(placed, str):
            return placed
        found.append(apply_edits(text, placed))
    return tuple(found)


def answered(content: str, texts: Sequence[str]) -> tuple[str, ...] | str:
    """Make of an answer the texts of a row; or return the fault, in a few words."""
    edits = wanted(content, len(texts))
    return NOT_EDITS if edits is None else rewritten(texts, edits)


def places_of(text: str, words: str) -> list[tuple[int, int]]:
    """Find where words stand: as they are written or, where they nowhere do, in other capitals.

    Example:
        >>> places_of("Her aunt saw her.", "her"), places_of("Her aunt", "her")
        ([(13, 16)], [(0, 3)])
    """
    if not words:
        return []
    pattern = rf"(?<!\w){re.escape(words)}(?!\w)"
    exact = [match.span() for match in re.finditer(pattern, text)]
    return exact or [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def occurrence(text: str, words: str, start: int) -> int:
    """Return at which of the places where words stand they begin here, from 1 on."""
    return 1 + sum(place < start for place, _ in places_of(text, words))


def _placed(text: str, edits: Sequence[Wanted]) -> list[Edit] | str:
    """Place edits in a text, with the articles and verbs that agree; or say what is wrong."""
    if not edits:
        return []
    tokens = tokenize(text)
    made: dict[tuple[int, int], Edit] = {}
    for edit in edits:
        places = places_of(text, edit.before)
        if edit.occurrence > len(places):
            return ABSENT
        start, end = places[edit.occurrence - 1]
        after = match_case(text[start:end], edit.after)
        for each in aligned_edits(text[start:end], after):
            # Articles are ours.
            if {each.before.lower(), each.after.lower()} <= ARTICLES:
                continue
            new = each._replace(start=each.start + start, end=each.end + start)
            if made.setdefault((new.start, new.end), new) != new:
                return OVERLAPPING
    agreeing = {
        (edit.start, edit.end): edit for own in made.values() for edit in _agreeing(tokens, own)
    }
    theirs = [
        edit
        for edit in made.values()
        if not any(own.start < edit.end and edit.start < own.end for own in agreeing.values())
    ]
    found = sorted([*theirs, *agreeing.values()])
    if any(one.end > other.start for one, other in pairwise(found)):
        return OVERLAPPING
    return found


def _agreeing(tokens: Tokens, edit: Edit) -> Iterator[Edit]:
    """Give the edits of what agrees with one: the article before it, the verbs behind it."""
    first = next((k for k, start in enumerate(tokens.starts) if start == edit.start), None)
    if first is None:
        return
    article = edit.after and article_before(tokens, first, edit.before, edit.after)
    if article:
        start, end = tokens.starts[first - 1], tokens.end(first - 1)
        yield Edit(start, end, tokens.text[start:end], article, "", "")
    if edit.after.lower() in plural_subjects() and edit.before.lower() in ("he", "she"):
        for verb in agree(tokens, first):
            yield Edit(*verb, "", "")
