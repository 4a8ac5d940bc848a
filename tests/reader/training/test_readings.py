"""Words of lexicons that were read one by one."""

import csv
import gzip
import json
from pathlib import Path

import pytest

from fair_datasets.reader.tags import PEOPLE, SENSES, THING, TITLE
from fair_datasets.reader.training.rows import SOURCES
from fair_datasets.reader.training.train import READINGS, SENSE_OF, digest, read_rows, row_of

TEXT = "The king bought a queen bed. " + "He slept there. " * 30


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a text that was read twice, and another one that was not."""
    lines = [
        ("gender", "wikigold", digest(TEXT), 4, 8, "person"),
        ("gender", "wikigold", digest(TEXT), 18, 23, "title"),
        ("gender", "tweets", digest("The king left."), 4, 8, "person"),
    ]
    table = tmp_path / "readings.tsv"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(("axis", "source", "text", "start", "end", "label"))
        writer.writerows(lines)
    monkeypatch.setattr("fair_datasets.reader.training.train.READINGS", table)
    for name, texts in (("entities_wikigold", [TEXT, "Other."]), ("person_names_tweets", [])):
        path = tmp_path / "tagged" / f"{name}.jsonl.gz"
        path.parent.mkdir(exist_ok=True)
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.writelines(json.dumps({"text": text}) + "\n" for text in texts)
    return tmp_path


def test_each_word_is_a_row_with_the_words_around_it(data: Path) -> None:
    """Nothing is known of those; of a text that is not there, nothing is read."""
    king, queen = read_rows(data)
    assert king.text == "The king bought a queen bed. " + "He slept there. " * 12
    assert [k for k, bits in enumerate(king.allowed) if bits] == [1]
    assert (king.allowed[1], king.considered[1]) == (1 << PEOPLE, SENSES)
    assert queen.allowed[4] == 1 << TITLE
    assert len(queen.allowed) == len(queen.considered) == 45


def test_a_source_that_is_left_out_is_not_read(data: Path) -> None:
    """As its words are what the reader is judged on."""
    assert [*read_rows(data, frozenset({"wikigold"}))] == []


def test_of_several_words_each_has_the_sense() -> None:
    """As the last of them is asked."""
    row = row_of("source", "for a 20-year-old house", 6, 17, 1 << THING)
    assert [bool(bits) for bits in row.allowed] == [False, False, True, True, True, False]


def test_the_readings_that_ship_are_of_known_sources_and_labels() -> None:
    """Each place once on an axis, and no text of the gold is among them."""
    with READINGS.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    assert {line["label"] for line in lines} == SENSE_OF.keys()
    assert {line["source"] for line in lines} <= {*SOURCES, "tweets", "wikigold"}
    places = {(line["axis"], line["text"], line["start"], line["end"]) for line in lines}
    assert len(places) == len(lines) > 8000
    with READINGS.parents[1].joinpath("gold.tsv").open(encoding="utf-8", newline="") as file:
        gold = {(row["axis"], row["text"]) for row in csv.DictReader(file, delimiter="\t")}
    assert not gold & {(line["axis"], line["text"]) for line in lines}
