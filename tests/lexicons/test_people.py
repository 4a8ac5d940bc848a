"""Lists of known people: the one that ships, and one's own."""

import csv
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict

from fair_datasets import CounterfactualSwap, InputError, find_terms
from fair_datasets.lexicons import save_people
from fair_datasets.lexicons.people import people_files, read_people
from fair_datasets.system.portable import file_digests


def _read(*protect: str) -> tuple[str, ...]:
    return read_people(protect, dict(file_digests(people_files(protect))))


def test_the_list_that_ships() -> None:
    """Names of several words, each once with its source; a single word only by hand."""
    with people_files(["known_people"])["known_people"].open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    names = [row["name"] for row in rows]
    assert tuple(names) == _read("known_people")
    assert names == sorted(set(names))
    assert len(names) > 5000
    assert {row["source"] for row in rows} == {"BOLD", "own"}
    assert all(" " in row["name"] or row["source"] == "own" for row in rows)
    assert {"Marie Curie", "Toni Morrison", "Madonna"} <= set(names)


def test_names_are_saved_and_read(tmp_path: Path) -> None:
    """Each once, in order and without the spaces around them; other columns are for people."""
    path = save_people(["Ada Lovelace", " Bo Li ", "Ada Lovelace", "Łódka Ő"], tmp_path / "a.tsv")
    assert path == tmp_path / "a.tsv"
    assert _read(str(path)) == ("Ada Lovelace", "Bo Li", "Łódka Ő")
    path.write_text("since\tname\r\n1815\tAda Lovelace\r\n\r\n1990\tBo Li\r\n", "utf-8")
    assert _read(str(path), "Lily Allen") == ("Ada Lovelace", "Bo Li")


def test_names_of_a_dataset_are_saved(tmp_path: Path) -> None:
    """Of a column of it, such as one of the Hub."""
    rows = Dataset.from_dict({"name": ["Ada Lovelace"], "title": ["Ada King"]})
    assert _read(str(save_people(rows, tmp_path / "a.tsv"))) == ("Ada Lovelace",)
    assert _read(str(save_people(rows, tmp_path / "a.tsv", column="title"))) == ("Ada King",)
    assert _read(str(save_people(rows.to_iterable_dataset(), tmp_path / "a.tsv"))) == (
        "Ada Lovelace",
    )


@pytest.mark.parametrize(("names", "sentence"), [
    ([], "save_people: the list has no name; give some"),
    (["Ada Lovelace", None], "save_people: row 1: a name must be a string, but it is None"),
    (["Ada Lovelace", "--"], "save_people: row 1: '--' is not the name of a person"),
    (["Ada\tLovelace"], "save_people: row 0: .* is not the name of a person"),
    ("Ada Lovelace", "it needs a list of names or one dataset, but .* type 'str'"),
    (Dataset.from_dict({"who": ["Ada"]}), "there is no column 'name'; the columns are 'who'"),
    (DatasetDict({"train": Dataset.from_dict({"name": ["A"]})}), "choose one of several splits"),
    (3, "it was given the type 'int'"),
])  # fmt: skip
def test_what_is_no_list_of_names_is_not_saved(tmp_path: Path, names: Any, sentence: str) -> None:
    """Nothing is written, and the row is told."""
    with pytest.raises(InputError, match=sentence):
        save_people(names, tmp_path / "people.tsv")
    assert not list(tmp_path.iterdir())


def test_a_place_where_nothing_can_be_saved(tmp_path: Path) -> None:
    """The ending says that it is a list; the folder has to be there."""
    with pytest.raises(InputError, match=r"the path must end in \.tsv, but it is 'people\.txt'"):
        save_people(["Ada Lovelace"], "people.txt")
    with pytest.raises(InputError, match="cannot be written: No such file"):
        save_people(["Ada Lovelace"], tmp_path / "no" / "people.tsv")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", r"people\.tsv: a list of people needs the column 'name' in its first line, but that"),
        ("Ada Lovelace\nBo Li\n", r"needs the column 'name' .* that is \['Ada Lovelace'\]"),
        ("name\n", r"people\.tsv: the list has no name; give some"),
        ("name\nAda\n--\n", r"people\.tsv, line 3: '--' is not the name of a person"),
        ("since\tname\n1815\n", r"people\.tsv, line 2: '' is not the name of a person"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("use", [
    lambda path: CounterfactualSwap(columns="text", protect=path),
    lambda path: find_terms("He ran.", protect=path),
])  # fmt: skip
def test_a_malformed_list_is_refused(tmp_path: Path, content: str, sentence: str, use: Any) -> None:
    """When the technique is made, with the line."""
    path = tmp_path / "people.tsv"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=sentence):
        use(str(path))


@pytest.mark.parametrize("name", [
    "people.csv", "people.TSV", "a/people.txt", "Known people", "known-people", "hf://datasets/a/b",
])  # fmt: skip
def test_a_list_in_another_form_is_taken_for_no_name(name: str) -> None:
    """It would be found nowhere, and nothing would be protected."""
    for use in (
        lambda: CounterfactualSwap(columns="text", protect=name),
        lambda: find_terms("", protect=name),
    ):
        with pytest.raises(InputError, match=f"it is given '{name}'; `save_people` writes a file"):
            use()


def test_a_list_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """As any file is."""
    with pytest.raises(InputError, match=r"people\.tsv cannot be read: No such file"):
        CounterfactualSwap(columns="text", protect=str(tmp_path / "people.tsv"))
    (tmp_path / "a.tsv").mkdir()
    with pytest.raises(InputError, match="is a folder, not a file"):
        CounterfactualSwap(columns="text", protect=str(tmp_path / "a.tsv"))
