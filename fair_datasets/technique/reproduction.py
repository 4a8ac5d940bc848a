"""From a published card back to the techniques."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.cards.markdown import fenced_blocks, split_card
from fair_datasets.system.checks import InputError, one_of
from fair_datasets.system.configurations import Allowed, allowed_places
from fair_datasets.technique.contract import Technique, load_technique

if TYPE_CHECKING:
    from huggingface_hub import RepoCard

_OWNER = "reproduce"
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
            card gives them; a mapping says as well where each lies here. Without leave, a card
            that comes from elsewhere has no file read and neither model nor pipeline run.
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
        raise InputError(
            f"{_OWNER}: the card states no technique; give the README.md of a dataset or model "
            "that fair_datasets made a card for."
        )
    place = path.parent if folder is None and path is not None else folder
    leave, kinds = allowed_places(allow, owner=_OWNER), tuple(techniques)
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
    """
    try:
        found = [_json(block) for block in _blocks(card, config_name)]
    except InputError:
        return []
    return [
        config
        for config in found
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
    found = _sections(text)
    if not found:
        return text
    if config_name is None and len(found) > 1:
        raise InputError(
            f"{_OWNER}: the card states several configurations ({', '.join(map(repr, found))}); "
            "name one with config_name."
        )
    name = next(iter(found)) if config_name is None else config_name
    one_of(name, found, owner=_OWNER, parameter="config_name")
    return found[name]


def _sections(text: str) -> dict[str, str]:
    """Find the sections of a card by the comments that begin and end them."""
    found: dict[str, str] = {}
    marks = iter(_MARK.finditer(text))
    for begin in marks:
        end = next(marks, None)
        if end is None or (begin[1], end[1], begin[2]) != ("begin", "end", end[2]):
            raise InputError(
                f"{_OWNER}: the card's line {begin[0]!r} lacks its counterpart; download the card "
                "again."
            )
        if begin[2] in found:
            raise InputError(
                f"{_OWNER}: the card has two sections for {begin[2]!r}; download the card again."
            )
        found[begin[2]] = text[begin.end() : end.start()]
    return found


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
    """Return the text of a card."""
    if path is None:
        content = getattr(card, "content", card)
        if isinstance(content, str):
            return content
        raise InputError(
            f"{_OWNER}: the card must be a text, a path or a card of huggingface_hub, but it is a "
            f"{type(card).__name__}."
        )
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise InputError(
            f"{_OWNER}: the card {str(path)!r} cannot be read ({error}); give the path of a "
            "README.md, its text, or huggingface_hub's DatasetCard.load(...) for one on the Hub."
        ) from error


def _json(config: str) -> Any:
    """Read the configuration of a technique from a block of JSON."""
    try:
        return json.loads(config)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{_OWNER}: a technique of the card is not valid JSON ({error}); download the card "
            "again."
        ) from error
