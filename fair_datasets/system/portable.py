"""Configurations of techniques, and names that may leave this machine.

A configuration may name files, folders, models, servers and spaCy pipelines. A model or a pipeline
is run, a file is read, and a server is sent texts; so one that comes from elsewhere opens none of
them unless the caller allows it by its name. Nothing that is published says where on this machine
files lie.
"""

import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from glob import escape
from os import PathLike, fspath
from pathlib import Path, PurePosixPath
from typing import Any

from fair_datasets.system.checks import caller_name, invalid, one_of, with_article
from fair_datasets.system.files import refuse_link_out, regular_file, unreadable

Allowed = Iterable[str] | Mapping[str, str | PathLike[str]]
"""The names of files, folders, models and pipelines that a configuration may use; or a mapping
that says as well where each lies here."""

EXTERNAL = ("axis", "coreference", "direction", "encoder", "endpoint", "judge", "model", "models",
            "pipeline", "protect", "reader", "vectors")  # fmt: skip
"""The parameters that may name something outside of the package."""

LEXICON = ".tsv"
"""How the name of a lexicon of one's own ends, and of a list of people; any other axis ships with
the package, and anything else that is protected is a name."""

OWN_FILES = {LEXICON: "lexicons", ".safetensors": "weights"}
"""How the names of files of one's own end that are published with a configuration, lexicons and the
weights of a reader or a direction, to the folder in which they lie there."""

_MAY_BE_FILES = ("axis", "protect")

_KEYS = ("technique", "version", "parameters", "digests")


def refuse_malformed(config: Any) -> None:
    """Raise unless a configuration has the form that `Technique.config` gives it."""
    if not isinstance(config, Mapping):
        raise invalid(
            f"the configuration must be a mapping, but it is "
            f"{with_article(type(config).__name__)}; "
            "give what `config()` of a technique returned, and JSON text after `json.loads`; "
            "`from_pretrained` of its class reads a saved folder."
        )
    _refuse_missing([key for key in _KEYS if key not in config], "")
    for key in ("parameters", "digests"):
        if not isinstance(config[key], Mapping):
            raise invalid(
                f"{key!r} of the configuration must be a mapping, but it is "
                f"{config[key]!r}; give what `config()` of a technique returned."
            )


def refuse_other_parameters(given: Mapping[str, Any], names: Sequence[str]) -> None:
    """Raise unless a configuration gives each parameter, and no other.

    Example:
        >>> refuse_other_parameters({"columns": ["text"]}, ["columns"])
    """
    for name in given:
        one_of(
            name, names, parameter="a parameter of the configuration",
            listing=f"help({caller_name()})")  # fmt: skip
    _refuse_missing([name for name in names if name not in given], "the parameters ")


def external_names(
    parameters: Mapping[str, Any], fields: Iterable[str] = EXTERNAL
) -> tuple[str, ...]:
    """List the files, folders, models and pipelines that parameters name."""
    names = [
        name
        for field in fields
        for name in _strings(parameters.get(field))
        if field not in _MAY_BE_FILES or name.endswith(LEXICON)
    ]
    return tuple(dict.fromkeys(names))


def located(
    names: Iterable[str], *, allow: Allowed = (), folder: Path | None = None
) -> dict[str, str]:
    """Return where the things lie that a configuration names, or refuse them.

    Args:
        folder: The folder of the configuration. A file of `OWN_FILES` in it needs no leave.
    """
    places = allowed_places(allow)
    locations = {name: places.get(name) or _local_path(name, folder) for name in names}
    if refused := [name for name, place in locations.items() if place is None]:
        where = "" if folder is None else f", and no lexicon or weights that lie in {folder}"
        raise invalid(
            f"the configuration names {', '.join(map(repr, refused))}, which is not part "
            f"of the package{where}. A pipeline or a model is run, a file is read, and a server "
            f"gets your texts: if you trust the source, allow it by its name, with "
            f"allow={refused!r}, or say where it lies here, with allow={{{refused[0]!r}: ...}}."
        )
    return {name: place for name, place in locations.items() if place is not None}


def allowed_places(allow: Allowed) -> dict[str, str]:
    """Return what a caller allows, in one form that can be read more than once.

    Args:
        allow: The names; or a mapping that says as well where each lies.

    Example:
        >>> allowed_places(["en_core_web_sm"])
        {'en_core_web_sm': 'en_core_web_sm'}
    """
    if isinstance(allow, Mapping):
        return {str(name): str(fspath(place)) for name, place in allow.items()}
    if not isinstance(allow, Iterable):
        raise invalid(
            f"allow must list the names that the configuration may use, but it is {allow!r}."
        )
    return {str(name): str(name) for name in ((allow,) if isinstance(allow, str) else allow)}


def moved(
    parameters: Mapping[str, Any], places: Mapping[str, str], fields: Iterable[str]
) -> dict[str, Any]:
    """Put the places of things in the place of their names."""
    chosen = set(fields)
    return {
        name: _replaced(value, places) if name in chosen else value
        for name, value in parameters.items()
    }


def renamed(digests: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """Name digests anew, whose names begin with those of the things that were digested."""
    longest_first = sorted(names.items(), key=lambda item: -len(item[0]))

    def name_of(resource: str) -> str:
        for old, new in longest_first:
            rest = resource.removeprefix(old)
            if resource.startswith(old) and (not rest or rest[0] in "/."):
                return new + rest
        return resource

    return {name_of(str(resource)): digest for resource, digest in digests.items()}


def _local_path(name: str, folder: Path | None) -> str | None:
    """Return the path of a file of one's own in a folder; None for anything else."""
    if folder is None or not name.endswith(tuple(OWN_FILES)):
        return None
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name:
        return None
    try:
        if not (folder / name).is_file():
            return None
    except (OSError, ValueError):
        # Too long for the system, or with a NUL.
        return None
    # What belongs to a lexicon lies beside it, under its name.
    for each in (folder / name).parent.glob(f"{escape(PurePosixPath(name).stem)}.*"):
        refuse_link_out(each, folder)
    return str(folder / name)


def _replaced(value: Any, places: Mapping[str, str]) -> Any:
    """Replace strings, all the way down."""
    if isinstance(value, list | tuple):
        return [_replaced(item, places) for item in value]
    return places.get(value, value) if isinstance(value, str) else value


def _strings(value: Any) -> Iterator[str]:
    """Walk the strings of a parameter, all the way down."""
    if isinstance(value, str | PathLike):
        yield str(fspath(value))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


def _refuse_missing(names: Sequence[str], what: str) -> None:
    """Raise if something is missing in a configuration."""
    if names:
        raise invalid(
            f"the configuration lacks {what}{', '.join(map(repr, names))}; give what "
            "`config()` of a technique returned."
        )


def file_digests(files: Mapping[str, Path]) -> tuple[tuple[str, str], ...]:
    """Return the SHA-256 of several files."""
    return tuple(sorted((name, file_digest(path)) for name, path in files.items()))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    state = regular_file(path)
    read = _digest if _is_stable(state) else _digest.__wrapped__
    try:
        return read(path, _state(state))
    except OSError as error:
        raise unreadable(path, error) from error


State = tuple[int, ...]
"""What changes with a file: its size, its times and its number."""

# Within so long a time, in nanoseconds, a file may be written twice and tell the same times.
_CLOCK_STEP = 2 * 10**9


def _state(state: os.stat_result) -> State:
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino


def _is_stable(state: os.stat_result) -> bool:
    """Whether whoever writes a file from now on gives it other times."""
    return time.time_ns() - state.st_ctime_ns > _CLOCK_STEP


def file_states(paths: Sequence[str]) -> tuple[State | str | None, ...]:
    """Return what tells cheaply whether files have changed.

    Returns:
        For each file its size, times and number, or its SHA-256 if it was written just now; None
        where there is none.
    """
    states: list[State | str | None] = []
    for path in paths:
        try:
            state = os.stat(path)
        except OSError:
            states.append(None)
        else:
            states.append(_state(state) if _is_stable(state) else file_digest(Path(path)))
    return tuple(states)


@lru_cache(maxsize=1024)
def _digest(path: Path, state: State) -> str:
    """Return the SHA-256 of a file, read again only if its size, a time or its number differs."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_PUBLISHED = re.compile(
    "|".join(rf"{place}/[0-9a-f]{{8}}/[^/\\]+\{ending}" for ending, place in OWN_FILES.items())
)


def portable(config: Mapping[str, Any]) -> dict[str, Any]:
    """Write a configuration as it may leave this machine.

    A lexicon or weights of one's own are named as the file that is published with the
    configuration; the folder of a model or a pipeline by its last parts, as many as tell it from
    others.
    """
    parameters, digests = config.get("parameters", {}), config.get("digests", {})
    names = portable_names(external_names(parameters), digests)
    changed = {"parameters": moved(parameters, names, EXTERNAL), "digests": renamed(digests, names)}
    return {key: changed.get(key, value) for key, value in config.items()}


def portable_names(names: Iterable[str], digests: Mapping[str, str]) -> dict[str, str]:
    """Return the names by which things are known outside of this machine.

    Example:
        >>> portable_names(["/probes/1/last", "/probes/2/last", "ada/probe"], {})
        {'/probes/1/last': '1/last', '/probes/2/last': '2/last', 'ada/probe': 'ada/probe'}
    """
    names = list(names)
    paths = [name for name in names if is_path(name)]
    return {
        name: _name_of_own(name, digests)
        if name.endswith(tuple(OWN_FILES))
        else _last_parts(name, paths)
        if name in paths
        else name
        for name in names
    }


def is_published(name: str) -> bool:
    """Whether a portable name is that of a file that lies beside the configuration."""
    return _PUBLISHED.fullmatch(name) is not None


def is_path(text: str) -> bool:
    """Whether a name is that of a file or a folder here, and no Hub id."""
    if Path(text).is_absolute() or text.startswith(("./", "../", "~/")):
        return True
    try:
        return bool(text) and Path(text).exists()
    except (OSError, ValueError):
        # Too long for the system, or with a NUL.
        return False


def strip_folders(text: str) -> str:
    """Return the last part of a path that leads out of the working folder; other text as it is.

    A command or a snippet that names a path below the working folder runs again where the files
    lie as they did, and says nothing of the machine.

    Example:
        >>> strip_folders("/home/ada/reviews.csv"), strip_folders("ada/reviews@main")
        ('reviews.csv', 'ada/reviews@main')
        >>> strip_folders("../ada/reviews.csv"), strip_folders("./reviews/test.csv")
        ('reviews.csv', 'reviews/test.csv')
    """
    if not is_path(text):
        return text
    path = Path(text)
    leads_out = path.is_absolute() or text.startswith("~") or ".." in path.parts
    return base_name(text) if leads_out or not path.name else path.as_posix()


def strip_all_folders(value: Any) -> Any:
    """Return the last parts of paths, wherever they are in the value of a parameter.

    Example:
        >>> strip_all_folders(("Ada Lovelace", "/home/ada/people.tsv")), strip_all_folders(None)
        (('Ada Lovelace', 'people.tsv'), None)
    """
    if isinstance(value, list | tuple):
        return type(value)(map(strip_all_folders, value))
    return strip_folders(value) if isinstance(value, str) else value


def base_name(path: str) -> str:
    """Return the last part of a path; of a path such as "..", the name of the folder that it is."""
    name = Path(path).name
    return Path(path).resolve().name if name in ("", "..") else name


def _last_parts(path: str, paths: Sequence[str]) -> str:
    """Return the last parts of a path, as many as tell it from the others."""
    mine, others = Path(path).parts, [Path(other).parts for other in paths if other != path]
    for count in range(1, len(mine)):
        if all(other[-count:] != mine[-count:] for other in others):
            return "/".join(mine[-count:])
    return base_name(path)


def _name_of_own(path: str, digests: Mapping[str, str]) -> str:
    """Return the place of a file of one's own in the folder that is published."""
    # Its own folder is named after what it holds, so that an edited file of the same name has a
    # place beside it.
    parts = [digests[name] for name in sorted(digests) if name in (path, f"{path}.exceptions")]
    if not parts:
        return base_name(path)
    content = hashlib.sha256("".join(parts).encode()).hexdigest()[:8]
    return f"{OWN_FILES[Path(path).suffix]}/{content}/{base_name(path)}"
