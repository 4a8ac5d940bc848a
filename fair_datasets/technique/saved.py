"""Techniques as people know models: saved into a folder, pushed to the Hub, and loaded again."""

import inspect
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.cards.model import technique_card
from fair_datasets.hub import repositories
from fair_datasets.hub.errors import refuse_broken_token, told
from fair_datasets.hub.folders import push_model
from fair_datasets.hub.ids import hub_id, writable_id
from fair_datasets.hub.repositories import CARD, Content, Upload
from fair_datasets.system.checks import InputError
from fair_datasets.system.configurations import OWN_FILES, Allowed
from fair_datasets.system.files import refuse_link_out, temporary_folder
from fair_datasets.system.portable import is_path, portable
from fair_datasets.technique.contract import load_technique, uninstalled_classes

if TYPE_CHECKING:
    from fair_datasets.technique.configured import Configured

CONFIG = "technique.json"


def save_technique(technique: "Configured", folder: str | Path) -> None:
    """Save a technique into a folder; see `Technique.save_pretrained`.

    Args:
        folder: The folder; it is made if it is not there. A card that lies in it stays.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from fair_datasets import CounterfactualSwap
        >>> with TemporaryDirectory() as folder:
        ...     save_technique(CounterfactualSwap(columns="text"), folder)
        ...     sorted(path.name for path in Path(folder).iterdir())
        ['README.md', 'technique.json']
    """
    place = Path(folder)
    files: dict[str, Content] = _files(technique)
    card = _card(technique, place.absolute().name)
    if not (place / CARD).exists():
        files[CARD] = card.encode(errors="backslashreplace")
    try:
        _write(files, place)
    except OSError as error:
        raise InputError(
            f"The technique cannot be saved in {place} ({error.strerror}); choose another folder."
        ) from error


def push_technique(technique: "Configured", repo_id: str, **options: Any) -> Upload:
    """Push a technique to the Hub; see `Technique.push_to_hub`.

    Args:
        repo_id: "user/name"; created if it is not there.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> upload = push_technique(CounterfactualSwap(columns="text"), "ada/swap", dry_run=True)
        >>> [file.path for file in upload.files]
        ['README.md', 'technique.json']
    """
    name = writable_id(repo_id, "model", None).name
    options = {"commit_message": "Upload technique with fair_datasets", **options}
    with temporary_folder() as folder:
        _write(_files(technique), folder)
        card = _card(technique, name)
        return push_model(folder, repo_id, **{"card": card, **options})


def pull_technique(
    name: str | Path, *, kind: type[Any], revision: str | None = None, allow: Allowed = ()
) -> Any:
    """Load a technique from a folder or from the Hub; see `Technique.from_pretrained`.

    Args:
        name: "user/name" of the Hub, or a folder here, which goes before.

    Example:
        >>> from fair_datasets.technique import Technique
        >>> pull_technique("./no-such-folder", kind=Technique)
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: There is no folder './no-such-folder'; check the path.
    """
    folder = _folder(str(name), revision)
    config = _read_config(folder / CONFIG, str(name))
    rebuild = load_technique if inspect.isabstract(kind) else kind.from_config
    technique = rebuild(config, allow=allow, folder=folder)
    if not isinstance(technique, kind):
        raise InputError(f"{name} holds a {type(technique).__name__}, not a {kind.__name__}.")
    return technique


def _card(technique: "Configured", name: str) -> str:
    """Write the card of a technique."""
    classes = uninstalled_classes(technique)
    return technique_card(technique.config(), name=name, classes=classes)


def _files(technique: "Configured") -> dict[str, Content]:
    """Return what is saved of a technique, by its path: the configuration, and its own files."""
    config = technique.config()
    own = technique.own_files()
    for name in technique.external_names(config["parameters"]):
        if is_path(name) and not name.endswith(tuple(OWN_FILES)):
            raise InputError(
                f"{type(technique).__name__}: {name!r} exists only here, and is not saved with the "
                "technique; name a model by its Hub id (push_to_hub publishes it), and a pipeline "
                "by the package that it is installed as."
            )
    text = json.dumps(portable(config), indent=2, ensure_ascii=False, sort_keys=True)
    return {CONFIG: f"{text}\n".encode(errors="backslashreplace"), **own}


def _write(files: Mapping[str, Content], place: Path) -> None:
    """Write files into a folder; what lies there already is what it is."""
    for path, content in files.items():
        refuse_link_out(place / path, place)
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            (place / path).write_bytes(content)
        elif not (place / path).exists() or not content.samefile(place / path):
            shutil.copyfile(content, place / path)


def _folder(name: str, revision: str | None) -> Path:
    """Return the folder of a technique, here or of the Hub."""
    if Path(name).is_dir():
        return Path(name)
    if is_path(name):
        raise InputError(f"There is no folder {name!r}; check the path.")
    target = hub_id(name, "model")
    target = target._replace(revision=revision or target.revision)
    refuse_broken_token()
    with told(target, hint=f"There is no folder {name!r} here."):
        # Without a network, what was downloaded before is found, as for models.
        wanted = [CONFIG, *(f"{place}/*" for place in OWN_FILES.values())]
        found = repositories.api().snapshot_download(
            target.name, revision=target.revision, allow_patterns=wanted
        )
        return Path(found)


def _read_config(path: Path, name: str) -> Any:
    """Read the configuration of a technique."""
    if not path.is_file():
        raise InputError(f"{name} is not a technique: it holds no {CONFIG}.")
    refuse_link_out(path, path.parent)
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"The {CONFIG} of {name} cannot be read ({error}).") from error
