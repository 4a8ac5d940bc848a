"""Asking a chat model for the edits of rows, and a judge for its opinion of what came of them.

A model that is asked for a text may change anything in it. One that is asked for the words before
and the words after writes less, and what it does not name stays. Articles and verbs are made to
agree here, as in a swap.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from json import dumps
from math import ceil
from typing import Any, NamedTuple, Protocol

from fair_datasets.reader.matching.letters import match_case
from fair_datasets.reader.matching.tokenizer import Tokens, tokenize
from fair_datasets.rewriters.generation.decoding import NO_MEMORY, Decoding, generate
from fair_datasets.rewriters.generation.greedy import end_tokens
from fair_datasets.rewriters.generation.loading import load_cached
from fair_datasets.rewriters.generation.served import UNREAD, WITHHELD, Answer, Request
from fair_datasets.rewriters.generation.writing import (
    ABSENT,
    CUT,
    LONG_TEXT,
    NO_ANSWER,
    NOT_EDITS,
    OVERLAPPING,
    ModelOutput,
    RewriteRequest,
    between_same_spaces,
)
from fair_datasets.rewriters.generation.writing import WITHHELD as FILTERED
from fair_datasets.scores.models import ScoringModel, batches_by_length, halved
from fair_datasets.scores.probes.transformer import half_precision
from fair_datasets.swap.agreement import ARTICLES, agree, article_before
from fair_datasets.swap.rewriting.counterfactuals import Edit, aligned_edits, apply_edits
from fair_datasets.swap.verification.faults import plural_subjects
from fair_datasets.system import interrupts
from fair_datasets.system.checks import invalid


def load_chat_model(name: str, *, revision: str | None = None) -> ScoringModel:
    """Load a causal model with its tokenizer and chat template: see `load_cached`."""
    loaded = load_cached(name, "AutoModelForCausalLM", what="causal", revision=revision)
    if not getattr(loaded.tokenizer, "chat_template", None):
        raise invalid(
            f"{name!r} has no chat template, so there is no way to ask it; choose a chat "
            "model, or another control."
        )
    return loaded


def as_prompt(tokenizer: Any, messages: Sequence[Mapping[str, str]]) -> list[int]:
    """Return messages as token ids, by the template of a tokenizer and ready for an answer."""
    try:
        text = tokenizer.apply_chat_template(
            list(messages), tokenize=False, add_generation_prompt=True
        )
    except Exception as error:
        raise invalid(
            f"the chat template of the model fails ({error}); choose another model."
        ) from error
    ids: list[int] = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
    return ids


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A chat model with the way in which it writes."""

    loaded: ScoringModel
    decoding: Decoding

    def answers(self, requests: Sequence[Request]) -> list[Answer]:
        """Ask, and return the answers in the same order."""
        tokenizer = self.loaded.tokenizer
        prompts = [as_prompt(tokenizer, each.messages) for each in requests]
        most = self.loaded.limit
        answers: dict[int, Answer] = {}
        asked = []
        for number, (prompt, request) in enumerate(zip(prompts, requests, strict=True)):
            if most is not None and len(prompt) + request.limit > most:
                answers[number] = Answer(None, UNREAD)
            else:
                asked.append(number)
        size = self.decoding.batch_size if self.decoding.is_greedy else 1

        def run(rows: Sequence[int]) -> list[Answer]:
            return self._written([prompts[asked[k]] for k in rows], requests[asked[rows[0]]])

        lengths = [len(prompts[number]) for number in asked]
        for batch in batches_by_length(lengths, size, None):
            interrupts.raise_if_interrupted()
            for row, answer in halved(run, batch.tolist(), lambda _: Answer(None, NO_MEMORY)):
                answers[asked[row]] = answer
        return [answers[number] for number in range(len(requests))]

    def _written(self, prompts: Sequence[Sequence[int]], request: Request) -> list[Answer]:
        """Write answers to some prompts at once, the shorter ones padded in front."""
        model, tokenizer, padding = self.loaded.model, self.loaded.tokenizer, self.loaded.padding
        width = max(map(len, prompts))
        ids = [[padding] * (width - len(row)) + list(row) for row in prompts]
        mask = [[0] * (width - len(row)) + [1] * len(row) for row in prompts]
        with half_precision(model.device, self.decoding.precision):
            written = generate(
                self.loaded, ids, mask, request.seed, self.decoding, request.limit,
                num_beams=1, pad_token_id=padding,
            )  # fmt: skip
        ends = end_tokens(model)
        answers = []
        for row in (row[width:] for row in written):
            end = next((place for place, token in enumerate(row) if token in ends), None)
            text = tokenizer.decode(row[:end], skip_special_tokens=True)
            answers.append(Answer(text, "length" if end is None else "stop"))
        return answers


_FINISHES = {"length": CUT, UNREAD: LONG_TEXT, WITHHELD: FILTERED, NO_MEMORY: NO_MEMORY}

_QUESTION = """\
A text was edited so that one person in it becomes another: {attribute}. The person is the one \
whom the word {word} stands for. The edit is right if each word about this person fits who the \
person is now, and everything else, other people included, is as it was.
Answer with JSON alone: {{"right": true}} or {{"right": false}}.

Before:
{before}

After:
{after}"""
_VERDICT: dict[str, Any] = {
    "type": "object", "properties": {"right": {"type": "boolean"}}, "required": ["right"],
    "additionalProperties": False,
}  # fmt: skip
_VERDICT_TOKENS = 256


class ChatModel(Protocol):
    """What answers: a model on a server, or one here."""

    def answers(self, requests: Sequence[Request]) -> list[Answer]:
        """Answer requests, in their order."""


@dataclass(frozen=True, slots=True)
class ChatWriter:
    """A chat model that is asked for edits."""

    model: ChatModel
    limit: int
    draws: bool

    def write(self, asks: Sequence[RewriteRequest]) -> list[ModelOutput]:
        """Have the model rewrite rows, in their order."""
        answers = self.model.answers([self.request(ask) for ask in asks])
        return [_written(*pair) for pair in zip(asks, answers, strict=True)]

    def request(self, ask: RewriteRequest) -> Request:
        """Return what the model is asked for a row."""
        content = message(_bare(ask), ask.word, _where(ask), ask.attribute)
        seed = ask.seed if self.draws else None
        return Request(content, self.limit, seed, schema(len(ask.texts)))


def judged(
    model: ChatModel, asks: Sequence[RewriteRequest], texts: Sequence[Sequence[str]]
) -> list[Any]:
    """Ask a judge whether the rewrites of rows are right; None where it does not say."""
    answers = model.answers([verdict_request(*pair) for pair in zip(asks, texts, strict=True)])
    verdicts = []
    for answer in answers:
        data = None if answer.content is None else read_json(answer.content)
        right = data.get("right") if isinstance(data, dict) else None
        verdicts.append(right if isinstance(right, bool) else None)
    return verdicts


def verdict_request(ask: RewriteRequest, texts: Sequence[str]) -> Request:
    """Return what a judge is asked for a row, of which these texts were written."""
    question = _QUESTION.format(
        attribute=ask.attribute,
        word=repr(ask.word),
        before="\n\n".join(ask.texts),
        after="\n\n".join(texts),
    )
    return Request(question, _VERDICT_TOKENS, None, _VERDICT)


def _bare(ask: RewriteRequest) -> list[str]:
    """Return the texts of a row without the white space around them."""
    return [text.strip() for text in ask.texts]


def _where(ask: RewriteRequest) -> tuple[int, int] | None:
    """Return where the word stands in the bare texts."""
    if ask.where is None:
        return None
    place, start = ask.where
    text = ask.texts[place]
    return place, start - (len(text) - len(text.lstrip()))


def _written(ask: RewriteRequest, answer: Answer) -> ModelOutput:
    """Make of an answer the texts of a row."""
    fault = _FINISHES.get(answer.finish, "" if answer.content else NO_ANSWER)
    if fault:
        return ModelOutput(None, fault)
    texts = apply_answer(answer.content or "", _bare(ask))
    if isinstance(texts, str):
        return ModelOutput(None, texts)
    return ModelOutput(tuple(map(between_same_spaces, texts, ask.texts)))


_CHARACTERS = 4
_FRAME = 8
_RIGHT = dumps({"right": True})


@dataclass
class Cost:
    """How many requests there would be, and about how many tokens.

    Attributes:
        tokenizer: What counts tokens; None to take four characters for one.
        written: How many it would write, if its edits were those of the swap.
    """

    tokenizer: Any = None
    requests: int = 0
    read: int = 0
    written: int = 0

    def add(self, writer: ChatWriter, asks: Sequence[RewriteRequest], *, has_judge: bool) -> None:
        """Count what rows would cost, a judge's verdict included where there is one."""
        for ask in asks:
            texts = list(ask.draft or ask.texts)
            self._add(writer.request(ask), dumps({"edits": list(_edits(ask.texts, texts))}))
            if has_judge:
                self._add(verdict_request(ask, texts), _RIGHT)

    def price(self, read: float, written: float) -> float:
        """Return the price, from those of a million tokens that are read and written.

        Example:
            >>> Cost(read=2_000_000, written=500_000).price(0.5, 2)
            2.0
        """
        return (self.read * read + self.written * written) / 1e6

    def _add(self, request: Request, answer: str) -> None:
        self.requests += 1
        self.written += self._count(answer) + 1
        if getattr(self.tokenizer, "chat_template", None):
            self.read += len(as_prompt(self.tokenizer, request.messages))
        else:
            self.read += self._count(request.content) + _FRAME

    def _count(self, text: str) -> int:
        if self.tokenizer is None:
            return ceil(len(text) / _CHARACTERS)
        return len(self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


counting: ContextVar[Cost | None] = ContextVar("counting", default=None)
"""What counts instead of asking, where that is wanted."""


@contextmanager
def counted_only(cost: Cost) -> Iterator[None]:
    """Have nobody asked, but counted what it would cost."""
    token = counting.set(cost)
    try:
        yield
    finally:
        counting.reset(token)


def _edits(before: Sequence[str], after: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Give the edits that a model would write for a rewrite."""
    for place, (old, new) in enumerate(zip(before, after, strict=True), 1):
        for edit in aligned_edits(old, new):
            number = occurrence(old, edit.before, edit.start)
            one = {"before": edit.before, "after": edit.after, "occurrence": number}
            yield one | ({"text": place} if len(before) > 1 else {})


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


class RequestedEdit(NamedTuple):
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


def read_edits(content: str, count: int) -> list[RequestedEdit] | None:
    """Read the edits of an answer about so many texts; None if it has not the form asked for.

    Example:
        >>> read_edits('{"edits": [{"before": "He", "after": "She", "occurrence": 1}]}', 1)
        [RequestedEdit(before='He', after='She', occurrence=1, text=0)]
        >>> read_edits('{"edits": [{"before": "He"}]}', 1)
    """
    data = read_json(content)
    edits = data.get("edits") if isinstance(data, dict) else None
    if not isinstance(edits, list):
        return None
    requested = []
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
        requested.append(
            RequestedEdit(str(before).strip(), str(after).strip(), numbers[0], numbers[1] - 1)
        )
    return requested


def rewritten(texts: Sequence[str], edits: Sequence[RequestedEdit]) -> tuple[str, ...] | str:
    """Make the edits of a model in the texts of a row; or return the fault, in a few words."""
    new_texts = []
    for number, text in enumerate(texts):
        placed = _placed(text, [edit for edit in edits if edit.text == number])
        if isinstance(placed, str):
            return placed
        new_texts.append(apply_edits(text, placed))
    return tuple(new_texts)


def apply_answer(content: str, texts: Sequence[str]) -> tuple[str, ...] | str:
    """Make of an answer the texts of a row; or return the fault, in a few words."""
    edits = read_edits(content, len(texts))
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


def _placed(text: str, edits: Sequence[RequestedEdit]) -> list[Edit] | str:
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
    placed = sorted([*theirs, *agreeing.values()])
    if any(one.end > other.start for one, other in pairwise(placed)):
        return OVERLAPPING
    return placed


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
