"""Drafts of what laws ask to be written down, with the figures of an audit in the fields they fill.

A form proves nothing, and says what it rests on: `forms.toml`.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fair_datasets.auditing.record import AuditRecord

_MOST = 8
"""How many figures of one measure a field holds at most; all are in the other tables."""


def forms(
    audit: AuditRecord, croissant: Mapping[str, Any], day: str
) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Give each form as a table: what is asked for, what is known of it, and what is yours.

    Args:
        croissant: The metadata of the rows.
        day: The day of the audit.
    """
    known = {**croissant, "rows": dict(audit.rows), "date": day}
    for name, form in _forms().items():
        yield f"form_{name}", [
            {
                "law": form["law"], "as_of": form["as_of"], "rests_on": form["rests_on"],
                "asked_for": field["asked"], "known": _known(field.get("fills", ()), known, audit),
                "yours": field["yours"],
            }
            for field in form["fields"]
        ]  # fmt: skip


@cache
def _forms() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _known(fills: list[str], known: Mapping[str, Any], audit: AuditRecord) -> str:
    """Write what fills a field: metadata, or figures with the places that they are of."""
    lines = []
    for name in fills:
        figures = [each for each in audit.figures if each.measure == name]
        if name in known:
            lines.append(f"{name}: {_text(known[name])}")
        for each in figures[:_MOST]:
            places = ", ".join(filter(None, each.places))
            lines.append(f"{name}({places}): {each}" if places else f"{name}: {each}")
        if len(figures) > _MOST:
            lines.append(f"{name}: {len(figures) - _MOST} more in the tables")
    return "\n".join(lines)


def _text(value: Any) -> str:
    """Write metadata in words: of a thing its label or name, else JSON."""
    if isinstance(value, list):
        return "; ".join(map(_text, value))
    if isinstance(value, Mapping) and "@type" in value:
        named = (value.get(key) for key in ("prov:label", "name", "@id"))
        return str(next(filter(None, named), value["@type"]))
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_text(each)}" for key, each in value.items())
    return value if isinstance(value, str) else json.dumps(value)
