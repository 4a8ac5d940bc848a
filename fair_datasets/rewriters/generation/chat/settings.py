"""What a technique says of a chat model: where it is served, who judges, and what is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from fair_datasets.rewriters.generation.chat.endpoint import (
    MAX_WAIT,
    TIMEOUT,
    Endpoint,
    checked_address,
)
from fair_datasets.rewriters.generation.chat.served import CONCURRENCY, Answers, ServedModel
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

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
    judge: str | None = None
    # How a model is asked and not what: no part of the configuration.
    cache: str | PathLike[str] | None = field(default=None, compare=False)
    timeout: float | None = field(default=None, compare=False)
    max_wait: float | None = field(default=None, compare=False)
    concurrency: int | None = field(default=None, compare=False)
    max_tokens_total: int | None = field(default=None, compare=False)

    @property
    def is_served(self) -> bool:
        """Whether a server is asked: by the technique, or for the judge alone."""
        return self.endpoint is not None or (self.judge or "").startswith(_SCHEMES)

    def check_chat(self, settings: Mapping[str, Any], *, owner: str) -> None:
        """Check the settings, beside those of models that write texts.

        Args:
            settings: The others: `model`, `control`, `verified`, and those of `_OF_WRITERS`.

        Raises:
            InputError: One is not what it must be, or does not fit another.
        """
        is_chat = settings["control"] == CHAT
        if self.endpoint is not None:
            address = checked_address(self.endpoint, owner=owner)
            object.__setattr__(self, "endpoint", address)
            if not is_chat:
                raise InputError(
                    f"{owner}: endpoint is for control='chat', but control is "
                    f"{settings['control']!r}; use control='chat'."
                )
        if is_chat:
            idle = [*_OF_WRITERS] if self.endpoint else ["beams"]
            for name in idle:
                if settings[name] != _OF_WRITERS[name]:
                    where = "on a server" if self.endpoint else "that is asked for edits"
                    raise InputError(f"{owner}: {name} is not for a model {where}; leave it out.")
        self._check_judge(settings, owner)
        if self.cache is not None:
            _check_folder(self.cache, owner)
            object.__setattr__(self, "cache", str(fspath(self.cache)))
        self._check_numbers(owner)

    def _check_judge(self, settings: Mapping[str, Any], owner: str) -> None:
        """Check the judge."""
        if self.judge is None:
            return
        if not isinstance(self.judge, str) or not self.judge.strip():
            raise InputError(f"{owner}: judge must name a model, but it is {self.judge!r}.")
        if settings["control"] != CHAT or not settings["verified"]:
            raise InputError(
                f"{owner}: judge is for control='chat' with verified=True, because it is compared "
                "with what is verified; leave it out."
            )
        judge = self.asked_judge(owner=owner)
        if judge == Judge(self.endpoint, str(settings["model"])):
            raise InputError(
                f"{owner}: judge must be another model than the one that writes, "
                f"{settings['model']!r}; choose one."
            )

    def _check_numbers(self, owner: str) -> None:
        """Check what is said of servers."""
        for name in _OF_SERVERS:
            value = getattr(self, name)
            if value is None:
                continue
            if not self.is_served:
                raise InputError(
                    f"{owner}: {name} is for a model on a server, but endpoint is None; leave it "
                    "out, or give the server's address."
                )
            if name in ("timeout", "max_wait"):
                value = _seconds(value, owner, name)
            elif name != "cache":
                value = checks.positive_whole_number(value, owner=owner, parameter=name)
            object.__setattr__(self, name, value)
        if self.max_tokens_total is not None and self.cache is None:
            raise InputError(
                f"{owner}: max_tokens_total is counted over the answers that are kept; give "
                "cache=FOLDER as well."
            )

    def asked_judge(self, *, owner: str) -> Judge | None:
        """Return who judges; None for nobody.

        Raises:
            InputError: The judge's address is none, or names no model.
        """
        if self.judge is None:
            return None
        if not self.judge.startswith(_SCHEMES):
            return Judge(self.endpoint, self.judge)
        address, _, model = self.judge.partition("#")
        if not model:
            raise InputError(
                f"{owner}: judge must say which model of {address} it is, such as "
                f"{address + '#MODEL'!r}."
            )
        return Judge(checked_address(address, owner=owner, parameter="judge"), model)

    def served(self, judge: Judge, temperature: float | None, *, owner: str) -> ServedModel:
        """Return a model of a server, ready to be asked."""
        address = judge.address or ""
        parts, own = urlsplit(address), urlsplit(self.endpoint or address)
        endpoint = Endpoint(
            address,
            owner,
            TIMEOUT if self.timeout is None else self.timeout,
            MAX_WAIT if self.max_wait is None else self.max_wait,
            # A key is for the server that it was made for.
            takes_key=(parts.scheme, parts.netloc) == (own.scheme, own.netloc),
        )
        kept = Answers(None if self.cache is None else Path(self.cache), owner)
        return ServedModel(
            endpoint, judge.model, kept, temperature, self.concurrency or CONCURRENCY,
            self.max_tokens_total,
        )  # fmt: skip


def _seconds(value: Any, owner: str, parameter: str) -> float:
    """Return a number of seconds, or raise; no try may have 0."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value < 1e6 or (parameter == "timeout" and not value):
        raise InputError(f"{owner}: {parameter} must be a number of seconds, but it is {value!r}.")
    return float(value)


def _check_folder(value: Any, owner: str) -> None:
    """Raise unless a cache is a folder, or may become one."""
    if not isinstance(value, str | PathLike) or not fspath(value) or Path(value).is_file():
        raise InputError(f"{owner}: cache must be a folder, but it is {value!r}.")
