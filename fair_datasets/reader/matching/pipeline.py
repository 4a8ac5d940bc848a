"""Trained spaCy pipelines by their names: finding their files, loading them, parsing with them.

A pipeline is loaded from its data. The package that it may be installed as is not imported, so that
no code of it runs; what it computes with is digested. spaCy is imported when the first text is
parsed.
"""

import json
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require
from fair_datasets.system.portable import file_digests

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


_META = "meta.json"
# What lies at the top of a pipeline's folder and is read when it is loaded.
_SETTINGS = ("config.cfg", "tokenizer", _META)


def checked_pipeline(value: Any, *, owner: str) -> str | None:
    """Return a parameter that names a pipeline as a string, or raise; nothing is loaded.

    Args:
        value: What the user gave; None for no pipeline.
        owner: The class or function whose parameter it is.

    Returns:
        The name or path; None for None.

    Raises:
        InputError: The value is neither a string nor a path, or there is no such pipeline.
        MissingExtraError: spaCy is not installed.

    Example:
        >>> checked_pipeline(True, owner="CounterfactualSwap")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: CounterfactualSwap: pipeline must be the name or the path
        of a spaCy pipeline, but it is True; save one with its to_disk, and give the folder.
    """
    if value is None:
        return None
    if not isinstance(value, str | PurePath) or not str(value):
        raise InputError(
            f"{owner}: pipeline must be the name or the path of a spaCy pipeline, but it is "
            f"{value!r}; save one with its to_disk, and give the folder."
        )
    require("spacy", owner=f"{owner}: pipeline={str(value)!r}")
    _folder(str(value))
    return str(value)


def pipeline_files(name: str | None) -> dict[str, Path]:
    """Name the files that loading a pipeline reads: its settings, vocabulary and components.

    What only tells people about it (a licence, a card) is not among them.

    Args:
        name: The pipeline's package or path; None for no pipeline.

    Raises:
        InputError: There is no such pipeline.

    Example:
        >>> pipeline_files("en_no_such")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: 'en_no_such' is neither an installed spaCy pipeline nor the
        folder of one; run 'python -m spacy download en_no_such', or give the path that it was
        saved to.
    """
    if name is None:
        return {}
    folder, package = _folder(name), _package(name)
    files = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    found = {
        f"{name}/{place.as_posix()}": path
        for place, path in files.items()
        if (len(place.parts) > 1 or place.name in _SETTINGS)
        and not any(part.startswith(".") for part in place.parts)
    }
    # It says in which folder of the package the data lie.
    return found if package is None else {**found, f"{name}/../{_META}": package / _META}


def refuse_changed(name: str, digests: tuple[tuple[str, str], ...]) -> None:
    """Raise if a pipeline has changed since its digests were taken.

    Args:
        name: The pipeline's package or path.
        digests: Resource name to SHA-256 of its files, and of others.

    Raises:
        InputError: The pipeline has changed, or it is gone.
    """
    if not set(file_digests(pipeline_files(name))) <= set(digests):
        raise InputError(
            f"The pipeline {name!r} has changed since the technique was made; create the "
            "technique again to work with the pipeline as it is."
        )


def parse(name: str, text: str) -> "Doc":
    """Parse a text with a pipeline as it is now.

    Args:
        name: The pipeline's package or path.

    Returns:
        The text with the annotations that the pipeline gives; one that is longer than the pipeline
        takes has none.

    Raises:
        InputError: The pipeline is gone, or it cannot be loaded.
    """
    # Saving a pipeline writes its settings anew.
    return _parsed(name, (_folder(name) / "config.cfg").stat().st_mtime_ns, text)


def _folder(name: str) -> Path:
    """Return the folder of a pipeline's data, or raise."""
    package = _package(name)
    folder = Path(name) if package is None else package / _data_folder(package / _META)
    if not (folder / "config.cfg").is_file():
        is_name = name.isidentifier()
        advice = f"run 'python -m spacy download {name}', or give" if is_name else "give"
        raise InputError(
            f"{name!r} is neither an installed spaCy pipeline nor the folder of one; {advice} the "
            "path that it was saved to."
        )
    return folder


def _package(name: str) -> Path | None:
    """Return the folder of an installed pipeline's package; None if there is none."""
    try:
        # Of a name without a dot, it only looks where the package lies.
        spec = find_spec(name) if name.isidentifier() else None
    except ValueError:
        # A module that was made by hand, such as the one that runs.
        return None
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    return package if (package / _META).is_file() else None


def _data_folder(meta: Path) -> str:
    """Return the folder of a package in which a pipeline's data lie, as spaCy names it."""
    try:
        said = json.loads(meta.read_text("utf-8"))
        return f"{said['lang']}_{said['name']}-{said['version']}"
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"The pipeline {meta.parent.name!r} has a {_META} that cannot be read ({error!r}); "
            "install it again."
        ) from error


@lru_cache(maxsize=1000)
def _parsed(name: str, modified: int, text: str) -> "Doc":
    """Parse a text; the last ones are kept, as each axis asks about the texts of a batch."""
    nlp = _loaded(name, modified)
    doc = nlp(text) if len(text) <= nlp.max_length else nlp.tokenizer(text)
    doc.tensor = doc.tensor[:0]  # The largest part of a Doc, which no question needs.
    return doc


@lru_cache(maxsize=4)
def _loaded(name: str, modified: int) -> "Language":
    """Load a pipeline, once per process unless it is saved anew."""
    require("spacy", owner=f"The pipeline {name!r}")
    import spacy

    try:
        return spacy.load(_folder(name))
    except (ImportError, OSError, ValueError) as error:
        sentence = str(error).strip().partition("\n")[0]
        raise InputError(f"The pipeline {name!r} cannot be loaded: {sentence}") from error
