"""Training that goes on where it was interrupted: folders of one configuration, whole files.

What is random in it follows from the seed and the number of the epoch alone.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from fair_datasets.system.checks import InputError
from fair_datasets.system.files import indented, naming

# Settings whose values say nothing to people.
_DIGESTS = {
    "data": "other texts or labels",
    "validation_data": "other validation texts or labels",
    "model_files": "another model",
    "vectors_sha256": "other word vectors",
}
_UNFINISHED = ".unfinished-"


@contextmanager
def claimed(path: Path, settings: Mapping[str, Any], *, owner: str, what: str) -> Iterator[None]:
    r"""Have a folder for one training; nothing is left of it if it ends before anything is trained.

    Example:
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with claimed(Path(folder, "a.json"), {"epochs": 2}, owner="train", what="probes"):
        ...         Path(folder, "a.json").read_text()
        '{\n  "epochs": 2\n}'
    """
    if path.is_file() and _is_begun(path):
        _refuse_other(path, settings, owner=owner, what=what)
    made = [place for place in path.parents if not place.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, indented(settings, ensure_ascii=False).encode())
    try:
        yield
    except BaseException:
        if not _is_begun(path):
            _remove_claim(path, made)
        raise


def _refuse_other(path: Path, settings: Mapping[str, Any], *, owner: str, what: str) -> None:
    """Raise if a folder holds what was trained otherwise."""
    found = json.loads(path.read_text(encoding="utf-8"))
    for name, value in settings.items():
        if found.get(name) != value:
            was = _DIGESTS.get(name, f"{name}={found.get(name)!r}, not {value!r}")
            raise InputError(
                f"{owner}: the folder {str(path.parent)!r} holds {what} trained with {was}; "
                "give another folder as out, or remove this one."
            )


def _is_begun(path: Path) -> bool:
    """Tell whether anything was trained in a folder that is claimed by a file."""
    return any(
        file.is_file() and file != path and _UNFINISHED not in file.as_posix()
        for file in path.parent.rglob("*")
    )


def _remove_claim(path: Path, made: Sequence[Path]) -> None:
    """Remove the file that claims a folder in which nothing was trained, and what it made."""
    path.unlink(missing_ok=True)
    for folder in [*(place for place in path.parent.iterdir() if place.is_dir()), *made]:
        with suppress(OSError):  # Somebody may have put something there.
            folder.rmdir()


def write_whole(folder: Path, save: Callable[[Path], None]) -> None:
    """Save into a folder that appears only when all is written."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder.parent))
    try:
        unfinished.chmod(0o755)
        with naming(folder):
            save(unfinished)
        try:
            os.replace(unfinished, folder)
        except OSError:
            if not folder.is_dir():  # Else another run has finished the same meanwhile.
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def write_file(path: Path, content: bytes) -> None:
    """Write a file that appears only when all is written."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as unfinished:
        try:
            with naming(path):
                unfinished.write(content)
                unfinished.flush()
            # A temporary file is for its owner alone; this one is as open as any other new file.
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(unfinished.name, 0o666 & ~mask)
            os.replace(unfinished.name, path)
        except BaseException:
            Path(unfinished.name).unlink(missing_ok=True)
            raise
