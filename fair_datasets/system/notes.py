"""What long work notes beside what it writes, for whoever goes on with it or asks how far it is."""

import json
import os
from pathlib import Path
from typing import Any

NOTES = ".job"
"""The folder, among what is written, of what is noted meanwhile."""
PROGRESS = "progress.json"
"""The file in it that says how far the work is."""
LOCK = "lock"
"""The file in it that whoever is at work holds."""


def write_note(file: Path, data: Any) -> None:
    """Write JSON into a file that is there whole or not at all."""
    partial = file.with_name(f"{file.name}.partial")
    try:
        with partial.open("w", encoding="utf-8") as opened:
            json.dump(data, opened)
            opened.flush()
            os.fsync(opened.fileno())
        os.replace(partial, file)
    except BaseException as error:
        if isinstance(error, OSError):
            error.filename = str(file)
        partial.unlink(missing_ok=True)
        raise


def read_note(file: Path) -> Any:
    """Read what `write_note` wrote.

    Returns:
        Its data; None if it is not there, or somebody else cut or changed it.
    """
    try:
        found = json.loads(file.read_text("utf-8")) if file.is_file() else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
