"""A chat model on a server, many requests at once, each paid once; the settings of chat models."""

import json
import logging
import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from multiprocessing import TimeoutError
from multiprocessing.pool import ThreadPool
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from fair_datasets.rewriters.generation.endpoint import (
    MAX_WAIT,
    TIMEOUT,
    Endpoint,
    EndpointError,
    Reply,
    StoppedError,
    checked_address,
)
from fair_datasets.system import interrupts
from fair_datasets.system.checks import caller_name, in_error_context, invalid, typed
from fair_datasets.system.files import read_note
from fair_datasets.system.validate import (
    Count,
    NotNegative,
    PathOrName,
    Positive,
    path_or_name,
)

_TOKENS = "tokens"


class Answer(NamedTuple):
    """What a model answered.

    Attributes:
        finish: Why it ended, as the server says: "stop", or "length" where it was cut.
    """

    content: str | None
    finish: str = "stop"
    tokens: int | None = None


def digest_of(asked: Mapping[str, Any]) -> str:
    """Return the name of a request in the folder: a SHA-256 of all that the answer depends on.

    Example:
        >>> digest_of({"model": "a", "seed": 1}) == digest_of({"seed": 1, "model": "a"})
        True
    """
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


@dataclass
class Answers:
    """A folder of answers; several processes may share it."""

    folder: Path | None
    _lock: Lock = field(default_factory=Lock)

    def known(self, name: str) -> Answer | None:
        """Return an answer; None if it is not known, or its file is broken."""
        if self.folder is None:
            return None
        note = read_note(self._file(name))
        if not note or set(note) != set(Answer._fields):
            return None
        return Answer(**note)

    def keep(self, name: str, answer: Answer) -> None:
        """Keep an answer, and note what it cost."""
        if self.folder is None:
            return
        file = self._file(name)
        partial = file.with_name(f"{file.name}.{os.getpid()}.partial")
        with self._lock:
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                with (self.folder / _TOKENS).open("a", encoding="ascii") as ledger:
                    ledger.write(f"{answer.tokens or 0}\n")
                partial.write_text(json.dumps(answer._asdict()), encoding="utf-8")
                os.replace(partial, file)
            except OSError as error:
                raise invalid(
                    f"an answer cannot be kept in {self.folder} ({error.strerror}); "
                    "make room, or name another folder as cache."
                ) from error

    def spent(self) -> int:
        """Return how many tokens all the answers that were ever kept here have cost."""
        place = (self.folder or Path()) / _TOKENS
        if self.folder is None or not place.is_file():
            return 0
        return sum(int(line) for line in place.read_text("ascii").split() if line.isdigit())

    def _file(self, name: str) -> Path:
        return (self.folder or Path()) / name[:2] / f"{name}.json"


CONCURRENCY = 8
UNREAD, WITHHELD = "unread", "content_filter"
"""Why a model answered nothing: the text is too long for it, or the server withheld it."""

_TOO_LONG = re.compile(r"context[ _](?:length|size|window)|max_new_tokens|prompt is too long", re.I)
_FILTER = re.compile(r"content[ _](?:filter|management|policy)|safety system", re.I)
_NAMED = re.compile(r"\b(max_tokens|temperature|seed)\b")
# What servers did not take, in this process, by address and model.
_refused: dict[tuple[str, str], frozenset[str]] = {}

_log = logging.getLogger(__name__)

Item = TypeVar("Item")
Result = TypeVar("Result")


class Request(NamedTuple):
    """What a chat model is asked."""

    content: str
    limit: int
    seed: int | None
    schema: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, str]]:
        """The message in a conversation; some templates have no place for a system's."""
        return [{"role": "user", "content": self.content}]


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A chat model on a server."""

    endpoint: Endpoint
    model: str
    stored: Answers
    temperature: float | None = None
    concurrency: int = CONCURRENCY
    most_tokens: int | None = None

    def answers(self, requests: Sequence[Request]) -> list[Answer]:
        """Ask, and return the answers in the same order; what was answered before is not asked."""
        names = [digest_of(self._asked(request)) for request in requests]
        new = dict(zip(names, requests, strict=True))
        answers = {name: answer for name in new if (answer := self.stored.known(name)) is not None}
        missing = [(name, new[name]) for name in new if name not in answers]
        made = in_threads(self._answer, missing, self.concurrency)
        answers |= {name: answer for (name, _), answer in zip(missing, made, strict=True)}
        return [answers[name] for name in names]

    def _asked(self, request: Request) -> dict[str, Any]:
        """Return what an answer depends on."""
        return {
            "endpoint": self.endpoint.address, "model": self.model, "messages": request.messages,
            "temperature": self.temperature, "limit": request.limit, "seed": request.seed,
            "schema": request.schema,
        }  # fmt: skip

    def _answer(self, named: tuple[str, Request], stop: threading.Event) -> Answer:
        """Ask for one answer, and keep it."""
        name, request = named
        if self.most_tokens is not None and self.stored.spent() >= self.most_tokens:
            raise EndpointError(
                f"{caller_name()}: {self.stored.spent():,} tokens are spent, and "
                f"{typed('max_tokens_total')} is {self.most_tokens:,}; raise it and run the same "
                "again: no answer is paid for twice."
            )
        answer = self._parse_reply(self._post(request, stop))
        self.stored.keep(name, answer)
        if answer.tokens is None and self.most_tokens is not None and answer.content is not None:
            raise EndpointError(
                f"{caller_name()}: {self.endpoint.address} does not say how many tokens it "
                "used, so max_tokens_total cannot be checked; leave it out."
            )
        return answer

    def _post(self, request: Request, stop: threading.Event) -> Reply:
        """Post a request; again without what the server refuses of it, else without its schema."""
        key = (self.endpoint.address, self.model)
        refused = _refused.get(key, frozenset())
        while True:
            body = self._body(request, refused)
            reply = self.endpoint.post(body, stop)
            if reply.status not in (400, 422) or _reason(reply):
                break
            named = set(_NAMED.findall(reply.message)) & body.keys()
            # What the user asked for is not left out.
            named -= {"temperature"} if self.temperature is not None else set()
            if not named and "response_format" in body:
                named = {"response_format"}
            if not named:
                break
            refused |= named
        if reply.status == 200 and not refused <= _refused.get(key, frozenset()):
            _refused[key] = refused
            _log.warning(
                "%s does not accept %s for the model %r; it is asked without this setting.",
                self.endpoint.address, ", ".join(sorted(refused)), self.model,
            )  # fmt: skip
        return reply

    def _body(self, request: Request, refused: frozenset[str]) -> dict[str, Any]:
        """Return what is posted, without what the server refused before."""
        form = {"name": "answer", "strict": True, "schema": request.schema}
        body: dict[str, Any] = {
            "model": self.model, "messages": request.messages, "max_tokens": request.limit,
            "temperature": 0 if self.temperature is None else self.temperature,
            "response_format": {"type": "json_schema", "json_schema": form},
        }  # fmt: skip
        if request.seed is not None:
            body["seed"] = request.seed % 2**31
        body = {name: value for name, value in body.items() if name not in refused}
        # Newer models have another name for the limit.
        return body if "max_tokens" in body else {**body, "max_completion_tokens": request.limit}

    def _parse_reply(self, reply: Reply) -> Answer:
        if reply.status != 200:
            reason = _reason(reply)
            if not reason:
                raise self.endpoint.error(reply, self.model)
            return Answer(None, reason)
        tokens = _tokens(reply.data.get("usage"))
        choices = reply.data.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        finish = first.get("finish_reason") if isinstance(first, dict) else None
        return Answer(
            content if isinstance(content, str) else None,
            finish if isinstance(finish, str) else "stop",
            tokens,
        )


def _reason(reply: Reply) -> str:
    """Return why a server refuses a text and not the way it is asked; empty if that is not so."""
    message = f"{reply.message} {reply.data.get('error')}"
    if _TOO_LONG.search(message) or reply.status == 413:
        return UNREAD
    return WITHHELD if _FILTER.search(message) else ""


def _tokens(usage: Any) -> int | None:
    """Return how many tokens a server counts; None if it does not say."""
    parts = usage if isinstance(usage, dict) else {}
    numbers = [parts.get(name) for name in ("prompt_tokens", "completion_tokens")]
    known = [n for n in numbers if type(n) is int and n >= 0]
    total = parts.get("total_tokens")
    if type(total) is int and total >= sum(known):
        return total
    return sum(known) if len(known) == 2 else None


def in_threads(
    work: Callable[[Item, threading.Event], Result], items: Sequence[Item], count: int
) -> list[Result]:
    """Work through items in some threads, which an interrupt or an error does not wait for.

    `work` is given what is set once it is to be given up.

    Example:
        >>> in_threads(lambda text, stop: len(text), ["a", "bcd"], 2)
        [1, 3]
    """
    stop = threading.Event()
    named = in_error_context(work)

    def run(numbered: tuple[int, Item]) -> tuple[int, Any]:
        number, item = numbered
        with suppress(StoppedError):
            return number, None if stop.is_set() else named(item, stop)
        return number, None

    results: list[Any] = [None] * len(items)
    pool = ThreadPool(max(1, min(count, len(items))))
    done = pool.imap_unordered(run, enumerate(items))
    try:
        for _ in items:
            number, results[number] = _next(done)
    except Exception:
        stop.set()
        # What is under way is paid for, and kept once it is there.
        while True:
            try:
                done.next(interrupts.PATIENCE)
            except (StopIteration, TimeoutError):
                break
            except Exception:
                continue
        raise
    finally:
        stop.set()
        pool.close()
    return results


def _next(done: Any) -> Any:
    """Wait for what is done next, and end the work if a signal comes meanwhile."""
    while True:
        interrupts.raise_if_interrupted()
        with suppress(TimeoutError):
            return done.next(interrupts.LOOK)


CHAT = "chat"
"""The control of models that are asked for edits."""
_SCHEMES = ("http://", "https://")
_OF_SERVERS = ("cache", "timeout", "max_wait", "concurrency", "max_tokens_total")
_OF_WRITERS = {"revision": None, "beams": 1, "batch_size": 16, "precision": "auto"}


class Judge(NamedTuple):
    """Who is asked for an opinion.

    Attributes:
        address: The server; None for a model here.
    """

    address: str | None
    model: str


@dataclass(frozen=True, kw_only=True)
class ChatSettings:
    """The settings of a technique that are for chat models.

    Attributes:
        endpoint: The address of an OpenAI-compatible server that runs the model, such as
            `http://localhost:8000/v1`; None to run it here.
        judge: A model that is asked, too, whether each rewrite is right: another one of the
            endpoint, or else a folder or Hub id; or `ADDRESS#MODEL` for one of another server.
        cache: A folder in which answers of servers are kept, so that none is paid twice.
        timeout: How many seconds a server may take for one try; None for 60.
        max_wait: For how many seconds a request is tried again; None for 300.
        concurrency: How many requests a process sends at once at most; None for 8.
        max_tokens_total: How many tokens may be spent in all, as the server counts them; None for
            any number.
    """

    endpoint: str | None = None
    judge: Annotated[str, path_or_name] | None = None
    # How a model is asked and not what: no part of the configuration.
    cache: PathOrName | None = field(default=None, compare=False)
    timeout: Positive | None = field(default=None, compare=False)
    max_wait: NotNegative | None = field(default=None, compare=False)
    concurrency: Count | None = field(default=None, compare=False)
    max_tokens_total: Count | None = field(default=None, compare=False)

    @property
    def is_served(self) -> bool:
        """Whether a server is asked: by the technique, or for the judge alone."""
        return self.endpoint is not None or (self.judge or "").startswith(_SCHEMES)

    def check_chat(self, settings: Mapping[str, Any]) -> None:
        """Check the settings, beside those of models that write texts."""
        is_chat = settings["control"] == CHAT
        if self.endpoint is not None:
            address = checked_address(self.endpoint)
            object.__setattr__(self, "endpoint", address)
            if not is_chat:
                raise invalid(
                    f"endpoint is for control='chat', but control is "
                    f"{settings['control']!r}; use control='chat'."
                )
        if is_chat:
            idle = [*_OF_WRITERS] if self.endpoint else ["beams"]
            for name in idle:
                if settings[name] != _OF_WRITERS[name]:
                    where = "on a server" if self.endpoint else "that is asked for edits"
                    raise invalid(f"{name} is not for a model {where}; leave it out.")
        self._check_judge(settings)
        for name in _OF_SERVERS:
            if getattr(self, name) is not None and not self.is_served:
                raise invalid(
                    f"{name} is for a model on a server, but endpoint is None; leave it "
                    "out, or give the server's address."
                )
        if self.cache is not None and Path(self.cache).is_file():
            raise invalid(f"cache must be a folder, but {self.cache!r} is a file.")
        if self.max_tokens_total is not None and self.cache is None:
            raise invalid(
                "max_tokens_total is counted over the answers that are kept; give "
                "cache=FOLDER as well."
            )

    def _check_judge(self, settings: Mapping[str, Any]) -> None:
        if self.judge is None:
            return
        if settings["control"] != CHAT or not settings["verified"]:
            raise invalid(
                "judge is for control='chat' with verified=True, because it is compared "
                "with what is verified; leave it out."
            )
        judge = self.asked_judge()
        if judge == Judge(self.endpoint, str(settings["model"])):
            raise invalid(
                f"judge must be another model than the one that writes, "
                f"{settings['model']!r}; choose one."
            )

    def asked_judge(self) -> Judge | None:
        """Return who judges; None for nobody."""
        if self.judge is None:
            return None
        if not self.judge.startswith(_SCHEMES):
            return Judge(self.endpoint, self.judge)
        address, _, model = self.judge.partition("#")
        if not model:
            raise invalid(
                f"judge must say which model of {address} it is, such as {address + '#MODEL'!r}."
            )
        return Judge(checked_address(address, parameter="judge"), model)

    def served(self, judge: Judge, temperature: float | None) -> ServedModel:
        """Return a model of a server, ready to be asked."""
        address = judge.address or ""
        parts, own = urlsplit(address), urlsplit(self.endpoint or address)
        endpoint = Endpoint(
            address,
            TIMEOUT if self.timeout is None else self.timeout,
            MAX_WAIT if self.max_wait is None else self.max_wait,
            # A key is for the server that it was made for.
            takes_key=(parts.scheme, parts.netloc) == (own.scheme, own.netloc),
        )
        cache = Answers(None if self.cache is None else Path(self.cache))
        return ServedModel(
            endpoint, judge.model, cache, temperature, self.concurrency or CONCURRENCY,
            self.max_tokens_total,
        )  # fmt: skip
