"""Whom a filter dropped, and why."""

import gzip
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset
from scipy.stats import fisher_exact

from fair_datasets import audit
from fair_datasets.auditing.changes import difference
from fair_datasets.auditing.classifiers import Side
from fair_datasets.auditing.dataset import Audit
from fair_datasets.auditing.dropped import Exclusions, dropped_part
from fair_datasets.auditing.findings import Part
from fair_datasets.auditing.intervals import wilson
from fair_datasets.system.checks import InputError

from .conftest import Read, figure_of

DIALECTS = {"a": 100, "b": 300}


def rows_of(sizes: dict[str, int] = DIALECTS) -> Dataset:
    """Write rows of each dialect, half of which speak of a woman."""
    rows = [{"id": f"{name}{row}", "text": f"{('He', 'She')[row % 2]} said {name} {row}.",
             "dialect": name} for name, size in sizes.items() for row in range(size)]  # fmt: skip
    return Dataset.from_list(rows)


def without(rows: Dataset, ids: Sequence[str]) -> Dataset:
    """Filter rows."""
    return rows.filter(lambda row: row["id"] not in set(ids))


def filtered(rows: Dataset, after: Dataset, **known: Any) -> Audit:
    """Audit rows before and after."""
    settings: dict[str, Any] = {"groups": "dialect"}
    first = audit(rows, "text", title="before", **settings)
    return audit(after, "text", title="after", before=first, **known, **settings)


def part_of(found: Audit) -> Part:
    """Return what is told of rows that went."""
    (part,) = (part for part in found.parts if part.topic == "dropped")
    return part


PLANTED = [f"a{row}" for row in range(40)] + [f"b{row}" for row in range(30)]


def test_drop_rates_are_those_by_hand_with_test_and_interval() -> None:
    """40 of 100 rows of a, and 30 of 300 of b: one test of the dialect, and two of gender."""
    audit = filtered(rows_of(), without(rows_of(), PLANTED))
    part = part_of(audit)
    place = {"axis": "column dialect", "attribute": "a"}
    rate = figure_of(part.figures, "drop_rate", **place)
    assert (rate.value, rate.rows) == (0.4, 100)
    assert (rate.low, rate.high) == wilson(40, 100)
    apart = figure_of(part.figures, "drop_rate_difference", **place)
    rates = [(0.1, *wilson(30, 300)), (0.4, *wilson(40, 100))]
    assert (apart.value, apart.low, apart.high) == pytest.approx(difference(*rates)[:3])
    assert apart.p_value == pytest.approx(3 * fisher_exact([[40, 60], [30, 270]]).pvalue)
    (whole,) = (each for each in part.figures if each.measure == "drop_rate" and not each.axis)
    assert (whole.value, whole.rows) == (70 / 400, 400)
    first = audit.findings[0]
    assert first.severity == "high"
    assert first.headline == "Rows of a were dropped 40% of the time, other rows 10%."
    assert first.headline in str(audit)
    assert "Whom the change dropped" in audit.page()
    assert audit.check("drop_rate_difference(column dialect) > 0.1") != []
    assert all("drop rate" not in each.sentence for each in audit.changes.findings)  # type: ignore[union-attr]


def test_words_of_the_texts_are_groups_as_well() -> None:
    """Beside all other rows that have a text."""
    gone = [f"b{row}" for row in range(1, 200, 2)]
    audit = filtered(rows_of(), without(rows_of(), gone))
    apart = figure_of(audit.figures, "drop_rate_difference", axis="gender", attribute="woman")
    assert (apart.value, apart.rows) == (0.5, 200)
    assert any(each.headline.startswith("Rows that mention woman") for each in audit.findings)
    samples = [each for each in part_of(audit).samples if each.note == "dropped: woman"]
    assert [each.row for each in samples] == [101, 103, 105, 107, 109]


def test_a_filter_that_drops_alike_is_told_so() -> None:
    """With how far the intervals reach."""
    gone = [f"{name}{row}" for name, size in DIALECTS.items() for row in range(size // 10)]
    audit = filtered(rows_of(), without(rows_of(), gone))
    told = [each for each in part_of(audit).findings if each.severity != "low"]
    assert not told
    alike = "By column dialect, no group was dropped more or less often"
    (finding,) = (each for each in part_of(audit).findings if each.sentence.startswith(alike))
    low, high = min(x.low for x in finding.figures), max(x.high for x in finding.figures)
    assert f"reach from {100 * low:+.1f} to {100 * high:+.1f} points." in finding.sentence
    assert alike in str(audit)


@pytest.mark.slow
def test_a_filter_without_an_eye_on_groups_is_hardly_ever_told_of(read: Read) -> None:
    """Of 200 about one in twenty at most; tests/benchmarks/filters.py has more."""
    rows = rows_of({"a": 60, "b": 100, "c": 240})
    data, settings, _ = read({name: rows[name] for name in rows.column_names}, groups="dialect")
    before = Side("before", data, settings)
    (dialect,) = data.groups
    draw = np.random.default_rng(0)
    told = 0
    for _ in range(200):
        kept = draw.random(len(rows)) > 0.2
        left = replace(data, hashes=data.hashes[kept],
                       groups=(dialect._replace(codes=dialect.codes[kept]),))  # fmt: skip
        part = dropped_part(before, before._replace(material=left), Exclusions())
        assert part is not None
        told += any(each.p_value < 0.05 for each in part.figures)
    assert told <= 16


def test_copies_are_counted_and_the_first_stay() -> None:
    """As deduplication keeps them; letter case and white space are no difference."""
    rows = Dataset.from_dict({"text": ["He ran.", "he  ran.", "He ran.", "She ran."],
                              "dialect": ["a", "a", "b", "b"]})  # fmt: skip
    part = part_of(filtered(rows, rows.select([0, 2, 3])))
    rates = {each.attribute: each.value for each in part.figures
             if each.measure == "drop_rate" and each.axis == "column dialect"}  # fmt: skip
    assert rates == {"a": 0.5, "b": 0.0}


def test_rewritten_rows_are_not_taken_for_dropped_ones() -> None:
    """But by their ids they are told from them."""
    rows = rows_of()
    after = without(rows, PLANTED).map(lambda row: {"text": row["text"].upper() + "!"})
    audit = filtered(rows, after)
    why = audit.unmeasured["drop_rate"]
    assert "330 rows after are in no row before" in why
    assert "--id" in why
    known = part_of(filtered(rows, after, id_column="id"))
    place = {"axis": "column dialect", "attribute": "a"}
    assert figure_of(known.figures, "drop_rate", **place).value == 0.4


def test_where_no_row_went_nothing_is_told_but_to_a_rule() -> None:
    """As of an augmented twin."""
    rows = rows_of()
    audit = filtered(rows, rows)
    assert [part.topic for part in audit.parts].count("dropped") == 0
    assert "--against" in audit.check("drop_rate > 0.5")[0]


def exclusions(folder: Path, gone: Sequence[str], kind: str) -> Path:
    """Write dropped rows as a tool does; of b, the second half went for another reason."""
    for row in rows_of():
        if row["id"] not in gone:
            continue
        reason = "short" if row["id"].startswith("b") and int(row["id"][1:]) >= 15 else "toxic"
        document: dict[str, Any] = dict(row)
        if kind.startswith("datatrove"):
            document["metadata"] = {"dialect": document.pop("dialect")}
            if kind == "datatrove":
                document["metadata"]["filter_reason"] = reason
                path = folder / "removed" / "00000.jsonl.gz"
            else:
                path = folder / "removed" / reason / "00001.jsonl.gz"
        else:
            path = folder / "trace" / f"sample_trace-{reason}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "at", encoding="utf-8") as file:
            file.write(json.dumps(document) + "\n")
    if kind == "Data-Juicer":
        pair = {"original_text": "He ran.", "processed_text": "he ran."}
        (path.parent / "sample_trace-lower_mapper.jsonl").write_text(json.dumps(pair) + "\n")
        (path.parent / "duplicate-dedup.jsonl").write_text(json.dumps({"dup1": {}}) + "\n")
    return path.parents[1] if kind == "datatrove_folders" else path.parent


@pytest.mark.parametrize("kind", ["datatrove", "datatrove_folders", "Data-Juicer"])
@pytest.mark.parametrize("by_id", [False, True])
def test_reasons_are_read_from_what_the_tools_write(
    tmp_path: Path, kind: str, *, by_id: bool
) -> None:
    """In a row's metadata, by the folder of a filter, or by the operator of a trace."""
    folder = exclusions(tmp_path, PLANTED, kind)
    after = without(rows_of(), PLANTED)
    known = {"id_column": "id"} if by_id else {}
    part = part_of(filtered(rows_of(), after, dropped=folder, **known))
    rates = {(each.attribute, each.label): each.value for each in part.figures
             if each.measure == "drop_rate" and each.axis == "column dialect"}  # fmt: skip
    assert rates == {
        ("a", ""): 0.4, ("a", "toxic"): 0.4, ("a", "short"): 0.0,
        ("b", ""): 0.1, ("b", "toxic"): 0.05, ("b", "short"): 0.05,
    }  # fmt: skip
    assert any("for “toxic”: 40.0%" in each.sentence for each in part.findings)
    assert [table.title for table in part.tables] == ["Drop rates", "Drop rates by reason"]


def test_a_column_of_the_rows_before_may_say_why() -> None:
    """Rows that stay have none."""
    why = ["toxic" if each in PLANTED[:50] else "" for each in rows_of()["id"]]
    rows = rows_of().add_column("why", why)
    part = part_of(filtered(rows, without(rows, PLANTED), reason="why"))
    rates = {each.label: each.value for each in part.figures
             if each.measure == "drop_rate" and each.attribute == "b"}  # fmt: skip
    assert rates == {"": 0.1, "toxic": 10 / 300, "no reason recorded": 20 / 300}
    assert any("Of 20 of the 70 rows that went no reason" in note for note in part.notes)


def test_what_a_trace_leaves_out_is_told(tmp_path: Path) -> None:
    """A tracer keeps ten rows of each operator where nothing else is said."""
    folder = exclusions(tmp_path, [*PLANTED[:10], "b299"], "Data-Juicer")
    part = part_of(filtered(rows_of(), without(rows_of(), PLANTED), dropped=folder))
    assert any("Of 60 of the 70 rows that went no reason" in note for note in part.notes)
    assert any("1 dropped row" in note for note in part.notes)


def test_a_reason_that_came_first_does_not_make_the_next_one_look_unfair() -> None:
    """All of a went for the first, so that the second was asked of b alone, and c."""
    rows = rows_of({"a": 100, "b": 100, "c": 100})
    first = [f"a{row}" for row in range(95)]
    second = [f"{name}{row}" for name in "bc" for row in range(20)]
    why = ["first" if each in first else "second" if each in second else "" for each in rows["id"]]
    after = without(rows, [*first, *second])
    part = part_of(filtered(rows.add_column("why", why), after, reason="why"))
    for name in "abc":
        place = {"axis": "column dialect", "attribute": name, "label": "second"}
        apart = figure_of(part.figures, "drop_rate_difference", **place)
        assert apart.p_value == 1
    planted = figure_of(part.figures, "drop_rate_difference", axis="column dialect", attribute="a",
                        label="first")  # fmt: skip
    # Of b and c those that went for the second reason may have gone before the first was asked.
    assert planted.value == pytest.approx(0.95)
    assert planted.p_value < 1e-9


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.xz", "a.jsonl.bz2", "a.parquet"])
def test_a_broken_file_of_dropped_rows_is_named(tmp_path: Path, name: str) -> None:
    """Whatever it is packed by."""
    content = gzip.compress(b'{"text": "a"}\n' * 99)
    broken = content[:12] + b"\0\1\2\3" + content[16:]
    (tmp_path / name).write_bytes(broken if name.endswith("gz") else b"nonsense")
    with pytest.raises(InputError, match=rf"{name} cannot be read \(.*; write it again"):
        filtered(rows_of(), without(rows_of(), PLANTED), dropped=str(tmp_path))


def test_dropped_texts_may_be_long(tmp_path: Path) -> None:
    """As documents of the web are."""
    texts = [f"{name}{name * 200_000}" for name in "abcdefgh"]
    rows = Dataset.from_dict({"text": texts, "dialect": list("xxxxyyyy")})
    (tmp_path / "long.csv").write_text(
        "text,why\n" + "".join(f"{each},long\n" for each in texts[:6])
    )
    audit = filtered(rows, rows.select([6, 7]), dropped=str(tmp_path), reason="why")
    assert "“long” 6" in str(audit)


def test_spellings_are_told() -> None:
    """They may be two groups."""
    rows = Dataset.from_dict({"text": list("abcd"), "dialect": ["A", "a", "b", "b"]})
    notes = part_of(filtered(rows, rows.select([1, 2]))).notes
    assert any("'A' and 'a', which differ only in spelling" in note for note in notes)


def test_rows_without_a_group_are_in_no_rate_of_the_column() -> None:
    """And no figure is made of a group without others."""
    rows = Dataset.from_dict({"text": [f"He said {n}." for n in range(20)],
                              "dialect": ["a"] * 15 + [None] * 5})  # fmt: skip
    part = part_of(filtered(rows, rows.select(range(10))))
    rate = figure_of(part.figures, "drop_rate", axis="column dialect", attribute="a")
    assert (rate.value, rate.rows) == (5 / 15, 15)
    apart = figure_of(part.figures, "drop_rate_difference", axis="column dialect", attribute="a")
    assert math.isnan(apart.value)
