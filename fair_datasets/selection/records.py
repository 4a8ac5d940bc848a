"""What a long search has finished, so that an interrupted one goes on."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fair_datasets.system.checks import InputError


class Records:
    """Finished work in a file of JSON lines that is never half-written.

    A record is found again if it has the same name and everything else it depends on is the same.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "trials.jsonl")
        ...     Records(path, {"seed": 1}).add("CDA", {"auc": 0.9})
        ...     Records(path, {"seed": 1}).get("CDA"), Records(path, {"seed": 2}).get("CDA")
        ({'auc': 0.9}, None)
    """

    def __init__(
        self, path: Path | None, settings: Mapping[str, Any], *, kind: str = "trial"
    ) -> None:
        """Read the file, if there is one.

        Args:
            path: The file; None to keep nothing.
            kind: What a record is of, for errors.

        Raises:
            InputError: The file holds something else, or the settings are no JSON data.
        """
        self._path = path
        try:
            # As it will be read back: tuples as lists, keys as strings.
            self._settings = json.loads(json.dumps(settings))
        except (TypeError, ValueError) as error:
            raise InputError(f"The settings of a {kind} must be JSON data: {error}.") from error
        self._kind = kind
        self._lines = _lines(path, kind) if path and path.exists() else []
        self._found: dict[str, Any] = {}
        for number, line in enumerate(self._lines, start=1):
            try:
                record = json.loads(line)
                if record["settings"] == self._settings:
                    self._found[record[kind]] = record["measured"]
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"{path}, line {number} is not a finished {kind}; remove the line, or name "
                    "another place."
                ) from error

    def get(self, name: str) -> Any:
        """Return what was measured; None if it is not done."""
        return self._found.get(name)

    def add(self, name: str, measured: Any) -> None:
        """Write down what was measured; an interrupt leaves the old file or the new one."""
        self._found[name] = measured
        if self._path is None:
            return
        record = {self._kind: name, "measured": measured, "settings": self._settings}
        self._lines.append(json.dumps(record))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_name(self._path.name + ".part")
        partial.write_text("\n".join(self._lines) + "\n", "utf-8")
        os.replace(partial, self._path)


def _lines(path: Path, kind: str) -> list[str]:
    """Read the lines of a file, or raise."""
    try:
        return path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} is not a file of finished {kind}s ({error}); name another place."
        ) from error
