"""The command `demo`."""

from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset


def test_demo_twice(run: Any, tmp_path: Path) -> None:
    """The demo shows changes, counts and how to load the result, and may be run again."""
    out = tmp_path / "demo"
    first = run("demo", "--out", out).quiet()
    assert first.out.count("\n+ ") == 5
    assert "mentions of             before                   after\nman " in first.out
    assert "(rows are counted from 0):\n\ntrain, row 3\n" in first.out
    loading = f"    from datasets import load_dataset\n    dataset = load_dataset({str(out)!r})\n"
    assert loading in first.out
    assert first.out.endswith("\n    fair-datasets audit your.csv --text COLUMN\n")
    card = (out / "README.md").read_bytes()
    assert run("demo", "--out", out) == first
    assert (out / "README.md").read_bytes() == card
    assert [path.name for path in tmp_path.iterdir()] == ["demo"]
    assert load_dataset(str(out))["train"].num_rows > 347


def test_demo_refuses_another_dataset(run: Any, reviews: Path, tmp_path: Path) -> None:
    """A dataset of one's own is left alone, though its files are named as the demo's."""
    out = tmp_path / "out"
    assert run("augment", reviews, "--text", "text", "--out", out).code == 0
    before = (out / "README.md").read_bytes()
    assert run("demo", "--out", out).code == 2
    assert (out / "README.md").read_bytes() == before


def test_demo_that_fails_keeps_the_earlier_one(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the second demo fails, the first one's folder is still there."""
    out = tmp_path / "demo"
    assert run("demo", "--out", out).code == 0
    card = (out / "README.md").read_bytes()

    def fail(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("datasets.Dataset.to_parquet", fail)
    outcome = run("demo", "--out", out)
    assert outcome.code == 130
    assert (out / "README.md").read_bytes() == card
    assert [path.name for path in tmp_path.iterdir()] == ["demo"]
