"""What a card says for its techniques: order, word lists, licences, limits, citations, measures."""

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.cards.markdown import code, escaped, json_block, table

STATUS, FAULT, REASON, MENDED = (
    "rewrite_status", "rewrite_fault", "rewrite_reason", "rewrite_mended"
)  # fmt: skip
OUTCOME = {STATUS: "string", FAULT: "string", REASON: "string", MENDED: "int64"}
"""The columns that say what happened to a row, and the types of their values."""
LEFT = "left as a whole"
"""The fault of a row that no model was asked about."""
KNOWN_PERSON = "the row names a known person, and would become false"
"""Why a row with a known person is left, as `Reason` has it, which cards know nothing of."""
JUDGE = "rewrite_judge"
"""The column of what a judge and `verify` said, where there is a judge."""
VERDICTS = {
    (True, True): "both accept", (False, False): "both refuse",
    (True, False): "only the judge accepts", (False, True): "only verify accepts",
}  # fmt: skip
SILENT = "the judge says nothing"


def all_fell_back(logged: Iterable[Mapping[str, Mapping[str, int]]]) -> str:
    """Return the sentence that a model wrote nothing that could be kept; empty if it did.

    Args:
        logged: Of each split the columns of `OUTCOME`, with their values and the number of rows.

    Example:
        >>> all_fell_back([{STATUS: {"swap": 1200}, FAULT: {"repeated": 1200}}])
        "The model wrote nothing that could be kept: all 1,200 rows with somebody to rewrite fell
        back, most often as 'repeated'."
        >>> all_fell_back([{STATUS: {"swap": 1, "model": 1}}])
        ''
    """
    statuses, faults = Counter[str](), Counter[str]()
    for columns in logged:
        statuses.update(columns.get(STATUS, {}))
        faults.update(columns.get(FAULT, {}))
    asked = statuses.total() - faults.pop(LEFT, 0)
    if not asked or statuses["model"]:
        return ""
    usual = f", most often as {faults.most_common(1)[0][0]!r}" if faults else ""
    return (
        f"The model wrote nothing that could be kept: all {asked:,} rows with somebody to rewrite "
        f"fell back{usual}."
    )


def known_people(splits: Iterable[tuple[int, Mapping[str, int]]]) -> str:
    """Return how many rows a swap leaves as they name known people, and how to rewrite them too.

    Args:
        splits: Of each split the number of its rows, and of those left as a whole by their reason.

    Example:
        >>> known_people([(1000, {KNOWN_PERSON: 12})])
        'Some rows name known people and stay as they are, because a rewrite would be false of them:
        12 of 1,000 (1.2 %); --no-protect, or protect=() in Python, rewrites them too.'
    """
    several = list(splits)
    rows = sum(number for number, _ in several)
    part = sum(reasons.get(KNOWN_PERSON, 0) for _, reasons in several)
    if not part:
        return ""
    many = "More than a tenth of the rows name" if part * 10 > rows else "Some rows name"
    return (
        f"{many} known people and stay as they are, because a rewrite would be false of them: "
        f"{part:,} of {rows:,} ({100 * part / rows:.1f} %); --no-protect, or protect=() in Python, "
        "rewrites them too."
    )


def agreement(logged: Iterable[Mapping[str, Mapping[str, int]]]) -> str:
    """Return how often a judge and `verify` agreed, if there was a judge.

    Example:
        >>> agreement([{JUDGE: {"both accept": 7, "both refuse": 1, "only verify accepts": 2}}])
        'The judge agrees with verify on 8 of 10 rewrites.'
    """
    counts = Counter[str]()
    for columns in logged:
        counts.update(columns.get(JUDGE, {}))
    silent = counts.pop(SILENT, 0)
    if not counts:
        return f"The judge said nothing about {silent:,} rewrites." if silent else ""
    agreed = counts[VERDICTS[True, True]] + counts[VERDICTS[False, False]]
    more = f", and says nothing about {silent:,}" if silent else ""
    return f"The judge agrees with verify on {agreed:,} of {counts.total():,} rewrites{more}."


_LENGTH = 240
_LEAD = 60


class Measured(NamedTuple):
    """A measure's value, and what it was before.

    Attributes:
        name: The measure, such as `demographic_parity`.
        after: Its value with what the card is about; NaN where it is not defined.
        before: Its value without: for a dataset that with the source, for a model that of the
            model it is compared with; None where it was not measured.
        data: The dataset that it was measured on, and its split.
        detail: Of what model, between which groups, with which settings.
    """

    name: str
    after: float
    before: float | None = None
    data: str = ""
    detail: str = ""


class Sample(NamedTuple):
    """A text whose edits a card shows. It is published with the card, so choose it with care.

    Attributes:
        edits: Its edits, each with `start`, `end` and `after`, as provenance states them.
    """

    text: str
    edits: Sequence[Mapping[str, Any]]


def measured_lines(measured: Sequence[Measured]) -> list[str]:
    """Write the measured values before and after as a table."""
    if not measured:
        return ["Fairness was not measured, or not stated here."]
    header = ["measure", "before", "after", "measured on", "detail"]
    rows = [
        [escaped(m.name), _number(m.before), _number(m.after), escaped(m.data), escaped(m.detail)]
        for m in measured
    ]
    return table(header, rows)


def sample_lines(samples: Sequence[Sample]) -> list[str]:
    """Write texts with what was removed and what was added; long texts are cut."""
    return [f"{number}. Text: {_marked(sample)}" for number, sample in enumerate(samples, start=1)]


def window(size: int, first: int, *, length: int, lead: int) -> tuple[int, int]:
    """Choose the part of a long text that is shown of it: from before its first mark on.

    Example:
        >>> window(9, 5, length=9, lead=1), window(10, 5, length=9, lead=1)
        ((0, 9), (4, 10))
        >>> window(10, 2, length=4, lead=1), window(10, 0, length=4, lead=1)
        ((1, 5), (0, 4))
    """
    begin = max(0, first - lead) if size > length else 0
    return begin, min(size, begin + length)


def _marked(sample: Sample) -> str:
    """Write the part of a text around its first edits, the edits marked."""
    text, edits = sample.text, sorted(sample.edits, key=lambda edit: int(edit["start"]))
    first = edits[0]["start"] if edits else 0
    begin, end = window(len(text), first, length=_LENGTH, lead=_LEAD)
    pieces, position = ["…" if begin else ""], begin
    for edit in edits:
        if edit["end"] > end:
            # Half an edit would not be what was done.
            end = min(end, edit["start"])
            break
        pieces.append(escaped(text[position : edit["start"]]))
        removed, added = text[edit["start"] : edit["end"]], edit["after"]
        pieces.append(
            " ".join(_tagged(*part) for part in (("del", removed), ("ins", added)) if part[1])
        )
        position = edit["end"]
    pieces += [escaped(text[position:end]), "…" if end < len(text) else ""]
    return "".join(pieces)


def _tagged(tag: str, text: str) -> str:
    """Put an escaped text in an HTML element."""
    short = text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…"
    return f"<{tag}>{escaped(short)}</{tag}>"


def _number(value: float | None) -> str:
    """Write a value with four digits."""
    if value is None:
        return ""
    return f"{float(value):.4g}" if math.isfinite(value) else "not defined"


Configs = Sequence[Mapping[str, Any]]

FAMILY_LINE = (
    "Rows of one `family_id` belong in one split: divide them by "
    "`fair_datasets.selection.pair_split`, not by `train_test_split`."
)
NO_FAMILY_LINE = (
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
    """Return which rows belong in one split, where a technique has copied some.

    Example:
        >>> family_lines([{"parameters": {"mode": "replace"}}])
        []
    """
    settings = [config.get("parameters", {}) for config in configs]
    copying = [each for each in settings if each.get("mode") == "augment"]
    if not copying:
        return []
    return ["", NO_FAMILY_LINE if copying[0].get("family") is False else FAMILY_LINE]


def experiments(configs: Configs) -> list[str]:
    """Return which axes are experimental.

    Example:
        >>> experiments([{"parameters": {"axis": "disability"}}])[0][:42]
        'The axis `disability` is experimental: two'
        >>> experiments([{"parameters": {"axis": ["gender", "race"]}}])
        []
    """
    axes = dict.fromkeys(axis for config in configs for axis in _axes(config))
    return [statement for axis in axes if (statement := _description(axis).get("experimental"))]


def limit_lines(configs: Configs) -> list[str]:
    """Write the limits that concern the techniques, their axes, and names where they were read."""
    statements = _statements()
    limits = [
        limit
        for config in configs
        for limit in (*_statement(config, "limits"), *_rewriting_statement(config))
    ]
    digests = {name for config in configs for name in config.get("digests", {})}
    axes = {axis for config in configs for axis in _axes(config)}
    # The axis of a user may have the attributes of first names as well: their file is then read.
    limits += experiments(configs)
    limits += (
        [statements["names"]] if any("names" in _description(name) for name in digests) else []
    )
    limits += [statements["gender"]] if "first_names" in digests or "gender" in axes else []
    limits += [statements["groups"]] if axes - {"gender"} else []
    return _list([*limits, statements["everywhere"]])


def citation_lines(configs: Configs) -> list[str]:
    """Write what to cite: the methods of the techniques, and the sources of the word lists."""
    methods = [citation for config in configs for citation in _statement(config, "citations")]
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


def _statement(config: Mapping[str, Any], what: str) -> list[str]:
    """Return what is said of a technique; nothing of those of other packages."""
    technique = _statements()["techniques"].get(config["technique"], {})
    sentences: list[str] = technique.get(what, [])
    return sentences


def _rewriting_statement(config: Mapping[str, Any]) -> list[str]:
    """Return what is said of a technique by whether a model rewrites, and is checked."""
    parameters = config.get("parameters", {})
    if "verified" not in parameters:
        return []
    by_model = "verified" if parameters["verified"] else "unverified"
    sentences: dict[str, list[str]] = _statements()["rewriting"]
    is_served = parameters.get("endpoint") or str(parameters.get("judge")).startswith(
        ("http://", "https://")
    )
    return [
        *sentences[by_model if parameters["model"] else "by_swap"],
        *(sentences["served"] if is_served else []),
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
    """Choose the metadata of a source that are also true of a dataset made from it.

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
    """Whether a value is a string or a list of strings, and not what a hostile card holds."""
    strings = value if isinstance(value, list) else [value]
    return bool(strings) and all(isinstance(item, str) for item in strings)


def licence_lines(metadata: Mapping[str, Any], *, kind: str) -> list[str]:
    """Return what licence applies, with a warning where it forbids derivatives."""
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
