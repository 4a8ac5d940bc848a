"""Building the vocabulary."""

import csv
import gzip
import json
from pathlib import Path

from fair_datasets.english import build_vocabulary


def _write_table(path: Path, header: list[str], *rows: list[str]) -> Path:
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def test_the_lists_are_counted(tmp_path: Path) -> None:
    """Everyday words are parted by the surnames, and names of both sexes are found."""
    novels = tmp_path / "novels.jsonl.gz"
    with gzip.open(novels, "wt", encoding="utf-8") as file:
        file.write((json.dumps({"text": "a young rose and Rome. Rose"}) + "\n") * 30)
    ssa = _write_table(
        tmp_path / "ssa.csv.gz",
        ["name", "female", "male"],
        ["Kim", "3000", "1000"],
        ["John", "10", "9000"],
        ["Rare", "5", "5"],
    )
    surnames = _write_table(tmp_path / "surnames.csv.gz", ["surname"], ["YOUNG"])
    out = tmp_path / "vocabulary.toml"
    build_vocabulary.main(
        ["--novels", str(novels), "--ssa", str(ssa), "--surnames", str(surnames), "--out", str(out)]
    )
    lines = [line for line in out.read_text("utf-8").splitlines() if line and line[0] != "#"]
    assert lines == [
        'common_words = """', "and rose", '"""',
        'surname_words = """', "young", '"""',
        'unisex_names = """', "kim", '"""',
    ]  # fmt: skip
