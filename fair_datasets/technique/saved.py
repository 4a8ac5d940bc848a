"""Techniques as people know models: saved, pushed, loaded, and made again from a card."""

import inspect
import json
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.cards.markdown import fenced_blocks, split_card
from fair_datasets.cards.model import technique_card
from fair_datasets.hub import repositories
from fair_datasets.hub.folders import push_model
from fair_datasets.hub.repositories import (
    CARD,
    Content,
    Upload,
    hub_id,
    refuse_broken_token,
    translate_hub_errors,
    writable_id,
)
from fair_datasets.system.checks import InputError, invalid, one_of
from fair_datasets.system.files import indented, refuse_link_out, temporary_folder
from fair_datasets.system.portable import OWN_FILES, Allowed, allowed_places, is_path, portable
from fair_datasets.technique.contract import Technique, load_technique, uninstalled_classes

if TYPE_CHECKING:
    from huggingface_hub import RepoCard

    from fair_datasets.technique.configured import Configured


# Between these comments stands what was pushed; a text outside them is somebody's own.
_MARK = re.compile(r"^<!-- fair_datasets: (begin|end) (.+) -->$", re.MULTILINE)


def reproduce(
    card: "str | Path | RepoCard",
    *,
    config_name: str | None = None,
    allow: Allowed = (),
    folder: str | Path | None = None,
    techniques: Iterable[type[Technique]] = (),
) -> tuple[Technique, ...]:
    """Rebuild the techniques that a card states, in the order in which to map them.

    Args:
        card: The card of a dataset or a model: its text, the path of its file or folder, or a
            `DatasetCard` or `ModelCard` of huggingface_hub.
        config_name: The configuration of the dataset; needed where the card of a repository
            states several.
        allow: The files, models and pipelines that the techniques may use, by the names that the
            card gives them, as for `Technique.from_config`.
        folder: The folder in which lies what is published with the card; None for that of the
            card, if its path is given. A lexicon or weights that lie there need no leave.
        techniques: Classes that no installed package registers, such as your own.

    Returns:
        The techniques, equal to those that made the dataset, but for the places of their files.

    Raises:
        InputError: The card cannot be read, states no technique, or names something that is not
            allowed; or the version of the library, a lexicon or another file is not the one that
            the dataset was made with.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> from fair_datasets.cards import dataset_card
        >>> swap = CounterfactualSwap(columns="text")
        >>> card = dataset_card(title="twin", source="reviews.csv", config=swap.config(),
        ...     counts={}, command="fair-datasets augment ...")
        >>> reproduce(card) == (swap,)
        True
    """
    path = _path(card)
    configs = _blocks(_text(card, path), config_name)
    if not configs:
        raise invalid(
            "the card states no technique; give the README.md of a dataset or model "
            "that fair_datasets made a card for."
        )
    place = path.parent if folder is None and path is not None else folder
    leave, kinds = allowed_places(allow), tuple(techniques)
    return tuple(
        load_technique(_json(config), allow=leave, folder=place, techniques=kinds)
        for config in configs
    )


def stated_configs(card: str, config_name: str | None = None) -> list[dict[str, Any]]:
    r"""Read the configurations of the techniques that a card states, without making any of them.

    Returns:
        The configurations in order; none where the card is somebody's own.

    Example:
        >>> stated_configs('```json\n{"technique": "Blindness", "parameters": {}}\n```')
        [{'technique': 'Blindness', 'parameters': {}}]
        >>> stated_configs('```json\n{"technique": 1, "parameters": {}}\n```')
        []
    """
    try:
        configs = [_json(block) for block in _blocks(card, config_name)]
    except InputError:
        return []
    return [
        config
        for config in configs
        if isinstance(config, dict)
        and isinstance(config.get("technique"), str)
        and isinstance(config.get("parameters"), dict)
    ]


def _blocks(card: str, config_name: str | None) -> list[str]:
    """Return the blocks of JSON of a card, or of what it says of one configuration."""
    _, text = split_card(card)
    blocks = fenced_blocks(_section(text, config_name))
    return [block.code for block in blocks if block.language.lower() == "json"]


def _section(text: str, config_name: str | None) -> str:
    """Return what a card says of one configuration; all of it where it has no sections."""
    sections = _sections(text)
    if not sections:
        return text
    if config_name is None and len(sections) > 1:
        raise invalid(
            f"the card states several configurations ({', '.join(map(repr, sections))}); "
            "name one with config_name."
        )
    name = next(iter(sections)) if config_name is None else config_name
    one_of(name, sections, parameter="config_name")
    return sections[name]


def _sections(text: str) -> dict[str, str]:
    """Find the sections of a card by the comments that begin and end them."""
    sections: dict[str, str] = {}
    marks = iter(_MARK.finditer(text))
    for begin in marks:
        end = next(marks, None)
        if end is None or (begin[1], end[1], begin[2]) != ("begin", "end", end[2]):
            raise invalid(
                f"the card's line {begin[0]!r} lacks its counterpart; download the card again."
            )
        if begin[2] in sections:
            raise invalid(f"the card has two sections for {begin[2]!r}; download the card again.")
        sections[begin[2]] = text[begin.end() : end.start()]
    return sections


def _path(card: "str | Path | RepoCard") -> Path | None:
    """Return the path of a card's file; None where the card was given itself."""
    if not isinstance(card, str | Path) or (isinstance(card, str) and "\n" in card):
        return None
    path = Path(card)
    try:
        return path / "README.md" if path.is_dir() else path
    except OSError:
        # Too long for a path; reading it says so.
        return path


def _text(card: "str | Path | RepoCard", path: Path | None) -> str:
    if path is None:
        content = getattr(card, "content", card)
        if isinstance(content, str):
            return content
        raise invalid(
            f"the card must be a text, a path or a card of huggingface_hub, but it is a "
            f"{type(card).__name__}."
        )
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise invalid(
            f"the card {str(path)!r} cannot be read ({error}); give the path of a "
            "README.md, its text, or huggingface_hub's DatasetCard.load(...) for one on the Hub."
        ) from error


def _json(config: str) -> Any:
    """Read the configuration of a technique from a block of JSON."""
    try:
        return json.loads(config)
    except (ValueError, RecursionError) as error:
        raise invalid(
            f"a technique of the card is not valid JSON ({error}); download the card again."
        ) from error


CONFIG = "technique.json"


def save_technique(technique: "Configured", folder: str | Path) -> None:
    """Save a technique into a folder; see `Technique.save_pretrained`.

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
    classes = uninstalled_classes(technique)
    return technique_card(technique.config(), name=name, classes=classes)


def _files(technique: "Configured") -> dict[str, Content]:
    """Return what is saved of a technique, by its path: the configuration, and its own files."""
    config = technique.config()
    own = technique.own_files()
    for name in technique.external_names(config["parameters"]):
        if is_path(name) and not name.endswith(tuple(OWN_FILES)):
            raise invalid(
                f"{name!r} exists only here, and is not saved with the "
                "technique; name a model by its Hub id (push_to_hub publishes it), and a pipeline "
                "by the package that it is installed as."
            )
    text = indented(portable(config), ensure_ascii=False, sort_keys=True)
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
    with translate_hub_errors(target, hint=f"There is no folder {name!r} here."):
        # Without a network, what was downloaded before is found, as for models.
        wanted = [CONFIG, *(f"{place}/*" for place in OWN_FILES.values())]
        path = repositories.api().snapshot_download(
            target.name, revision=target.revision, allow_patterns=wanted
        )
        return Path(path)


def _read_config(path: Path, name: str) -> Any:
    if not path.is_file():
        raise InputError(f"{name} is not a technique: it holds no {CONFIG}.")
    refuse_link_out(path, path.parent)
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"The {CONFIG} of {name} cannot be read ({error}).") from error
