"""Training that goes on where it was interrupted: folders of one configuration, whole files.

What is random in it follows from the seed and the number of the epoch alone.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fair_datasets.checks import InputError

# Settings whose values say nothing to people.
_DIGESTS = {
    "data": "other texts or labels",
    "validation_data": "other validation texts or labels",
    "model_files": "another model",
    "vectors_sha256": "other word vectors",
}


def claim(path: Path, settings: Mapping[str, Any], *, owner: str, what: str) -> None:
    r"""Write down what a folder's training depends on; refuse a folder of another training.

    Args:
        path: The file in the folder that says it.
        settings: All that the training depends on, as JSON data.
        owner: The function that trains, for errors.
        what: What is trained, such as "probes".

    Raises:
        InputError: The folder is of another configuration or of other data.

    Example:
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     claim(Path(folder, "probes.json"), {"epochs": 2}, owner="train", what="probes")
        ...     Path(folder, "probes.json").read_text()
        '{\n  "epochs": 2\n}'
    """
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(settings, indent=2, ensure_ascii=False).encode())
        return
    found = json.loads(path.read_text(encoding="utf-8"))
    for name, value in settings.items():
        if found.get(name) != value:
            was = _DIGESTS.get(name, f"{name}={found.get(name)!r}, not {value!r}")
            raise InputError(
                f"{owner}: the folder {str(path.parent)!r} holds {what} trained with {was}; "
                "give another folder as out, or remove this one."
            )


def write_whole(folder: Path, save: Callable[[Path], None]) -> None:
    """Save into a folder that appears only when all is written.

    Args:
        folder: The folder.
        save: What writes into the folder that it is given.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=folder.parent))
    try:
        unfinished.chmod(0o755)
        save(unfinished)
        try:
            os.replace(unfinished, folder)
        except OSError:
            if not folder.is_dir():  # Else another run has finished the same meanwhile.
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def write_file(path: Path, content: bytes) -> None:
    """Write a file that appears only when all is written.

    Args:
        path: The file.
        content: What to write.
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as unfinished:
        unfinished.write(content)
    # A temporary file is for its owner alone; this one is as open as any other new file.
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(unfinished.name, 0o666 & ~mask)
    os.replace(unfinished.name, path)
