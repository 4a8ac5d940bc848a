"""Tests of reading WinoBias, on sentences that are made up here."""

from pathlib import Path

import pytest

from fair_datasets.measures.faults import BenchmarkFaultWarning
from fair_datasets.measures.winobias import load_winobias
from fair_datasets.system.checks import InputError

# A pro-stereotyped sentence and its twin, and whether the pair is faulty.
PAIRS = [
    ("[The baker] paid the singer as [he] had promised.",
     "[The baker] paid the singer as [she] had promised.", False),
    ("The pilot saw [the cook ] and greeted [her] at his house.",
     "The pilot saw [the cook ] and greeted [him] at his house.", False),
    ("[The pilot] saw the cook as [he] left [his] house.",
     "[The pilot] saw the cook as [she] left [her] house.", True),
    ("[The baker] paid the singer as [he] promised.",
     "[The baker] paid the singer as [she] had promised.", True),
    ("[The baker] sang as [he] did.", "[The pilot] sang as [she] did.", True),
    ("[The baker] sang as [he] did.", "[The baker] sang as [he] did.", True),
    ("[The baker] told us [he] saw her.", "[The baker] told us [she] saw [him].", True),
]  # fmt: skip


def files(folder: Path, pairs: list[tuple[str, str, bool]]) -> tuple[Path, Path]:
    """Write two files of the published form."""
    paths = folder / "pro.txt", folder / "anti.txt"
    for path, lines in zip(paths, zip(*pairs, strict=True), strict=False):
        path.write_text("".join(f"{n} {line}\n" for n, line in enumerate(lines, 1)), "utf-8")
    return paths


def test_sentences_are_read_without_numbers_and_brackets(tmp_path: Path) -> None:
    """And whom the pronoun is of; nothing is told where no pair is faulty."""
    assert load_winobias(*files(tmp_path, PAIRS[:2])) == {
        "pro_stereotyped": [
            "The baker paid the singer as he had promised.",
            "The pilot saw the cook and greeted her at his house.",
        ],
        "anti_stereotyped": [
            "The baker paid the singer as she had promised.",
            "The pilot saw the cook and greeted him at his house.",
        ],
        "person": ["The baker", "the cook"],
    }


def test_faulty_pairs_are_told_and_left_out(tmp_path: Path) -> None:
    """Those that are no twins, and those with another bracket in one of the two; or kept."""
    paths = files(tmp_path, PAIRS)
    told = "load_winobias: 5 of 7 pairs are faulty and {} .that differ in more than pronouns: 3; "
    told += "with more than two brackets: 2.; faulty="
    with pytest.warns(BenchmarkFaultWarning, match=told.format("left out")):
        found = load_winobias(*paths)
    with pytest.warns(BenchmarkFaultWarning, match=told.format("kept")):
        kept = load_winobias(*paths, faulty="keep")
    assert len(kept["person"]) == 7
    for name, values in kept.items():
        assert found[name] == [v for v, (*_, bad) in zip(values, PAIRS, strict=True) if not bad]


@pytest.mark.parametrize(("pro", "anti", "sentence"), [
    ("1 [A] met B as [he] left.\n", "", r"'pro\.txt' has 1 sentence, but 'anti\.txt' has 0"),
    ("1 [A] met B.\n", "", r"sentence 1 of 'pro\.txt' lacks brackets around a person and a pron"),
])  # fmt: skip
def test_a_bad_file_is_told(tmp_path: Path, pro: str, anti: str, sentence: str) -> None:
    """The sentence names the file."""
    (tmp_path / "pro.txt").write_text(pro)
    (tmp_path / "anti.txt").write_text(anti)
    with pytest.raises(InputError, match=f"load_winobias: {sentence}"):
        load_winobias(tmp_path / "pro.txt", tmp_path / "anti.txt")


def test_faults_are_left_out_or_kept(tmp_path: Path) -> None:
    """And nothing else."""
    with pytest.raises(InputError, match="faulty must be one of 'drop', 'keep'"):
        load_winobias(*files(tmp_path, PAIRS[:1]), faulty="tell")  # type: ignore[arg-type]


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::fair_datasets.measures.faults.BenchmarkFaultWarning")
def test_the_faults_of_the_published_pairs(published_benchmarks: Path) -> None:
    """Of 1,584 pairs, 19 are no twins, and of 44 pro-stereotyped sentences three brackets."""
    folder = published_benchmarks / "WinoBias" / "data"
    lines, kept, left = [], 0, 0
    for part in ("type1.txt.dev", "type1.txt.test", "type2.txt.dev", "type2.txt.test"):
        paths = folder / f"pro_stereotyped_{part}", folder / f"anti_stereotyped_{part}"
        lines += paths[0].read_text("utf-8").splitlines()
        kept += len(load_winobias(*paths, faulty="keep")["person"])
        left += len(load_winobias(*paths)["person"])
    assert sum(line.count("[") > 2 for line in lines) == 44
    assert (kept, left) == (1_584, 1_522)
