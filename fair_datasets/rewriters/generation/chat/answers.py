"""What was answered before: a file for each request, so that nothing is paid twice."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from fair_datasets.system.checks import InputError
from fair_datasets.system.notes import read_note

_TOKENS = "tokens"


class Answer(NamedTuple):
    """What a model answered.

    Attributes:
        content: What it wrote; None for nothing.
        finish: Why it ended, as the server says: "stop", or "length" where it was cut.
        tokens: How many tokens the server counts for question and answer; None if it does not say.
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
    """A folder of answers; several processes may share it.

    Attributes:
        folder: The folder; None to keep nothing.
        owner: The class that keeps them, for errors.
    """

    folder: Path | None
    owner: str
    _spent: int = 0
    _read: int = 0
    _lock: Lock = field(default_factory=Lock)

    def known(self, name: str) -> Answer | None:
        """Return an answer; None if it is not known, or its file is broken."""
        if self.folder is None:
            return None
        found = read_note(self._file(name))
        if not found or set(found) != set(Answer._fields):
            return None
        return Answer(**found)

    def keep(self, name: str, answer: Answer) -> None:
        """Keep an answer, and note what it cost.

        Raises:
            InputError: The folder cannot be written.
        """
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
                raise InputError(
                    f"{self.owner}: an answer cannot be kept in {self.folder} ({error.strerror}); "
                    "make room, or name another folder as cache."
                ) from error

    def spent(self) -> int:
        """Return how many tokens all the answers that were ever kept here have cost."""
        if self.folder is None:
            return 0
        with self._lock:
            place = self.folder / _TOKENS
            if place.is_file():
                with place.open("rb") as ledger:
                    ledger.seek(self._read)
                    lines = ledger.read().rpartition(b"\n")[0]
                self._read += len(lines) + bool(lines)
                self._spent += sum(int(line) for line in lines.split() if line.isdigit())
            return self._spent

    def _file(self, name: str) -> Path:
        """Return the file of an answer."""
        return (self.folder or Path()) / name[:2] / f"{name}.json"
