"""What a card says for its techniques: order, word lists, licences, limits and citations."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from fair_datasets.cards.markdown import code, escaped, json_block, table

Configs = Sequence[Mapping[str, Any]]

TOLD = (
    "Rows of one `family_id` belong in one split: divide them by "
    "`fair_datasets.selection.pair_split`, not by `train_test_split`."
)
UNTOLD = (
    "No `family_id` says which rows belong in one split: divide the rows before they are copied."
)
"""What cards and the terminal say of rows and their copies, with the column and without."""


def as_configs(config: Mapping[str, Any] | Configs) -> Configs:
    """Return one configuration or several as a sequence."""
    return [config] if isinstance(config, Mapping) else list(config)


def technique_lines(configs: Configs) -> list[str]:
    """Write the techniques in order, with their versions, seeds and files."""
    lines = [f"{place}. {_step(config)}" for place, config in enumerate(configs, start=1)]
    digests = {
        name: digest for config in configs for name, digest in config.get("digests", {}).items()
    }
    if digests:
        rows = [
            [
                escaped(name),
                code(digest),
                escaped(_description(name.removesuffix(".exceptions")).get("licence", "")),
            ]
            for name, digest in sorted(digests.items())
        ]
        lines += ["", *table(["file", "SHA-256", "licence"], rows)]
    for config in configs:
        lines += ["", *json_block(config)]
    return lines


def family_lines(configs: Configs) -> list[str]:
    """Say which rows belong in one split, where a technique has copied some.

    Example:
        >>> family_lines([{"parameters": {"mode": "replace"}}])
        []
    """
    settings = [config.get("parameters", {}) for config in configs]
    copying = [each for each in settings if each.get("mode") == "augment"]
    if not copying:
        return []
    return ["", UNTOLD if copying[0].get("family") is False else TOLD]


def code_lines(classes: Mapping[str, str]) -> list[str]:
    """Say that techniques are code of one's own.

    Example:
        >>> code_lines({"Formal": "formal"})[1]
        '`Formal` is code of its own: the module `formal`, which is not published here.'
    """
    return [
        line
        for name, module in classes.items()
        for line in (
            "",
            f"{code(name)} is code of its own: the module {code(module)}, which is not published "
            "here.",
        )
    ]


def limit_lines(configs: Configs) -> list[str]:
    """Write the limits that concern the techniques, their axes, and names where they were read."""
    said = _statements()
    limits = [
        limit
        for config in configs
        for limit in (*_said_of(config, "limits"), *_said_of_rewriting(config))
    ]
    digests = {name for config in configs for name in config.get("digests", {})}
    axes = {axis for config in configs for axis in _axes(config)}
    # The axis of a user may have the attributes of first names as well: their file is then read.
    limits += [said["names"]] if any("names" in _description(name) for name in digests) else []
    limits += [said["gender"]] if "first_names" in digests or "gender" in axes else []
    limits += [said["groups"]] if axes - {"gender"} else []
    return _list([*limits, said["everywhere"]])


def citation_lines(configs: Configs) -> list[str]:
    """Write what to cite: the methods of the techniques, and the sources of the word lists."""
    methods = [citation for config in configs for citation in _said_of(config, "citations")]
    names = {name for config in configs for name in config.get("digests", {})}
    lists = [
        f"{escaped(name)}: {escaped(_description(name)['citation'])}"
        for name in sorted(names)
        if "citation" in _description(name)
    ]
    return _list([*methods, *lists]) or ["The techniques and their files state no citation."]


def _step(config: Mapping[str, Any]) -> str:
    """Write which technique a configuration is of."""
    words = [code(str(config["technique"]))]
    if "version" in config:
        words.append(f"version {escaped(str(config['version']))}")
    parameters = config.get("parameters", {})
    if "seed" in parameters:
        words.append(f"seed {escaped(str(parameters['seed']))}")
    if axes := _axes(config):
        words.append(f"axis {' and '.join(map(escaped, axes))}")
    return ", ".join(words)


def _axes(config: Mapping[str, Any]) -> list[str]:
    axis = config.get("parameters", {}).get("axis", [])
    return [axis] if isinstance(axis, str) else list(axis)


def _said_of(config: Mapping[str, Any], what: str) -> list[str]:
    """Return what is said of a technique; nothing of those of other packages."""
    technique = _statements()["techniques"].get(config["technique"], {})
    said: list[str] = technique.get(what, [])
    return said


def _said_of_rewriting(config: Mapping[str, Any]) -> list[str]:
    """Return what is said of a technique by whether a model rewrites, and is checked."""
    parameters = config.get("parameters", {})
    if "verified" not in parameters:
        return []
    by_model = "verified" if parameters["verified"] else "unverified"
    said: dict[str, list[str]] = _statements()["rewriting"]
    is_served = parameters.get("endpoint") or str(parameters.get("judge")).startswith(
        ("http://", "https://")
    )
    return [
        *said[by_model if parameters["model"] else "by_swap"],
        *(said["served"] if is_served else []),
    ]


def _list(items: Sequence[str]) -> list[str]:
    """Write a list in which nothing stands twice."""
    return [f"- {item.strip()}" for item in dict.fromkeys(items)]


@cache
def _statements() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("statements.toml").read_text("utf-8"))


@cache
def _description(name: str) -> Mapping[str, Any]:
    """Read what a word list that ships says of itself; nothing for other files."""
    path = Path(__file__).parents[1] / "lexicons" / "data" / f"{name}.toml"
    is_shipped = name.isidentifier() and path.is_file()
    return tomllib.loads(path.read_text("utf-8")) if is_shipped else {}


_CARRIED = (
    "license",
    "license_name",
    "license_link",
    "language",
    "task_categories",
    "task_ids",
)
_NO_DERIVATIVES = re.compile(r"(?<![a-z])nd(?![a-z])|no[ _-]?deriv", re.IGNORECASE)


def carried_over(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Choose the metadata of a source that also hold for a dataset made from it.

    Args:
        metadata: The metadata of the source's card, such as
            `DatasetCard.load("user/name").data.to_dict()`.

    Returns:
        The licence, the languages and the tasks, as far as they are strings or lists of strings.
        Configurations, sizes and names are the source's own and are left out.

    Example:
        >>> carried_over({"license": "mit", "configs": [{"config_name": "default"}]})
        {'license': 'mit'}
    """
    return {key: metadata[key] for key in _CARRIED if _is_plain(metadata.get(key))}


def _is_plain(value: Any) -> bool:
    """Tell whether a value is a string or a list of strings, and not what a hostile card holds."""
    strings = value if isinstance(value, list) else [value]
    return bool(strings) and all(isinstance(item, str) for item in strings)


def licence_lines(metadata: Mapping[str, Any], *, kind: str) -> list[str]:
    """Say what licence applies, and warn where it forbids derivatives."""
    names = [metadata.get(key) for key in ("license", "license_name")]
    licences = [
        str(licence)
        for name in names
        for licence in (name if isinstance(name, list | tuple) else [name])
        if licence
    ]
    if not licences:
        return [
            f"The licence and the terms of the source apply to this {kind} too. They are not "
            "stated here: look them up before you share it."
        ]
    stated = ", ".join(map(code, licences))
    lines = [f"The licence and the terms of the source ({stated}) apply to this {kind} too."]
    if any(_NO_DERIVATIVES.search(licence) for licence in licences):
        lines += [
            "",
            "> **Warning.** The licence of the source does not allow derivatives to be shared, "
            f"and this {kind} is one. Ask the authors of the source before you publish it or pass "
            "it on.",
        ]
    return lines
