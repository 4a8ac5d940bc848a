"""The shipped figures about English words."""

import csv
import hashlib
import tomllib
from collections.abc import Iterator

from fair_datasets.lexicons import available_lexicons
from fair_datasets.reader.english.questions import LANGUAGE, RELIABILITY, reliability
from fair_datasets.reader.matching.find import find_table, rules_of
from fair_datasets.reader.matching.language import NAMES

# What decides without being a rule of a table.
_OTHERS = {"terms.exception", "terms.phrase", "names.other_pronouns", "people.thing_of_group",
           "ages.other", "swap.agreement", "swap.non-binary", "names.unlisted"}  # fmt: skip


def _rows() -> Iterator[dict[str, str]]:
    with RELIABILITY.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t")


def test_each_rule_that_was_counted_is_there() -> None:
    """Else its figures are of no use: `python tests/benchmarks/reliability.py --write`."""
    tables = [find_table(axis, names=True) for axis in available_lexicons()]
    known = {name for table in tables for name in rules_of(table)} | _OTHERS
    assert {row["rule"] for row in _rows()} <= known


def test_the_rows_are_in_order_and_stand_once() -> None:
    """Sorted, with counts that can be."""
    rows = list(_rows())
    keys = [tuple(row[name] for name in ("axis", "rule", "detail", "verdict")) for row in rows]
    assert keys == sorted(keys)
    assert len({(*key, row["source"]) for key, row in zip(keys, rows, strict=True)}) == len(rows)
    assert all(0 <= int(row["right"]) <= int(row["seen"]) for row in rows)
    assert {row["axis"] for row in rows} <= {NAMES, *available_lexicons()}


def test_the_sources_and_the_digest_are_stated() -> None:
    """Each source of the table by its name, and the table as it is."""
    stated = tomllib.loads(RELIABILITY.with_suffix(".toml").read_text(encoding="utf-8"))
    titles = {source["title"].split(":")[0] for source in stated["sources"]}
    assert {row["source"] for row in _rows()} | {"rows"} == titles
    digest = hashlib.sha256(RELIABILITY.read_bytes()).hexdigest()
    assert stated["digests"]["reliability.tsv"] == digest


def test_the_models_that_are_stated_are_asked() -> None:
    """By the names of their rules."""
    asked = {r.name for rules in LANGUAGE.cases.values() for r in rules if r.log_odds is not None}
    assert set(reliability().models) == asked
