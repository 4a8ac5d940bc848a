"""Croissant files, as the reference validator reads them."""

import json
import logging
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from datasets import ClassLabel, Dataset, Features, List, Value

from fair_datasets.cards.croissant import (
    FIELDS,
    NAME,
    DataFile,
    Responsibility,
    Step,
    croissant,
    data_files,
    describe_empty_fields,
    describe_files,
    empty_fields,
    fields_of_card,
    stated_fields,
)
from fair_datasets.cli.outputs import write_parquet

FEATURES = Features({"text": Value("string"), 'a "b" <c>\n/': Value("int32"),
    'a_"b" <c>\n/': Value("float64"), "label": ClassLabel(names=["bad", "good"]),
    "tags": List(Value("string")),
    "edits": List({"start": Value("int64"), "after": Value("string")}),
    "inner": {"small": Value("uint8")}, "is_new": Value("bool"),
    "words": [[Value("string")]]})  # fmt: skip
ROWS: list[list[Any]] = [
    ["He ran.", "שלום"], [1, 2], [0.5, 1.5], [0, 1], [["x"], []],
    [[{"start": 1, "after": "y"}], []], [{"small": 3}, {"small": 4}], [True, False],
    [[["a"]], [["b", "c"]]],
]  # fmt: skip
SAID = Responsibility(
    ["Rows mention man in 60% < 70%.", "Second."], ["Nothing shows that it is fair."], 0.5,
    ["ada/reviews@1f00", "my rows.csv"],
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a dataset of two splits with its Croissant file."""
    rows = Dataset.from_dict(dict(zip(FEATURES, ROWS, strict=True)), features=FEATURES)
    for split in ("train", "test"):
        write_parquet(rows, tmp_path, split)
    data = croissant("twin </script> 1", data_files(tmp_path), FEATURES,
                     stated={"license": ["mit"]}, responsibility=SAID)  # fmt: skip
    (tmp_path / NAME).write_text(json.dumps(data))
    return tmp_path


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_reference_validator_finds_nothing_wrong_and_reads_the_rows(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever the columns are called."""
    mlcroissant = pytest.importorskip("mlcroissant")
    with caplog.at_level(logging.WARNING):
        found = mlcroissant.Dataset(jsonld=str(folder / NAME))
    issues = found.metadata.ctx.issues
    assert not issues.errors
    assert all("is recommended, but does not exist" in each for each in issues.warnings)
    assert found.metadata.data_biases == list(SAID.biases)
    assert found.metadata.data_limitations == list(SAID.limitations)
    for split in ("train", "test"):
        first, second = found.records(split)
        values = [list(row.values()) for row in (first, second)]
        assert [row[0].decode() for row in values] == ROWS[0]
        assert [[row[place] for row in values] for place in (1, 2, 3)] == ROWS[1:4]
        assert [[part.decode() for part in row[4]] for row in values] == ROWS[4]
        assert [list(part.values()) for part in first[f"{split}/edits"]] == [[1, b"y"]]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_where_all_is_stated_the_reference_validator_warns_of_nothing(folder: Path) -> None:
    """And what is written has the names of the vocabulary, two of which it reads otherwise."""
    mlcroissant = pytest.importorskip("mlcroissant")
    table = {
        "license": "cc-by-4.0", "version": "1.0.0", "datePublished": "2026-11-26",
        "citeAs": "Twins, 2026.", "creator": ["Ada"], "publisher": "Us", "url": "https://a.org/b",
        "dataBiases": "Few people.", "dataCollectionTimeframe": "2025-01-01",
        "dataManipulationProtocol": "None by hand.", "wasGeneratedBy": "Collected.",
        "wasDerivedFrom": "https://a.org/raw",
    }  # fmt: skip
    steps = [Step("chosen", False, "2026-11-26T08:00:00+00:00"), Step("swapped", True)]
    said = SAID._replace(missing="None.", sensitive=["gender: all."], steps=steps)
    stated = stated_fields(table)
    data = croissant("twin", data_files(folder), FEATURES, stated=stated, responsibility=said)
    (folder / NAME).write_text(json.dumps(data))
    issues = mlcroissant.Dataset(jsonld=str(folder / NAME)).metadata.ctx.issues
    assert (issues.errors, issues.warnings) == (set(), set())
    for given, written in ((["mit"], "mit"), (["mit", "cc0-1.0"], ["mit", "cc0-1.0"])):
        found = croissant("twin", data_files(folder), FEATURES, stated={"license": given},
                          responsibility=SAID)  # fmt: skip
        assert found["license"] == written
    assert data["rai:dataBiases"] == ["Few people.", *SAID.biases]
    assert data["rai:dataManipulationProtocol"] == "None by hand. swapped"
    assert data["rai:dataPreprocessingProtocol"] == ["chosen"]
    assert data["rai:dataCollectionTimeframe"] == ["2025-01-01"]
    assert data["creator"] == [{"@type": "sc:Person", "name": "Ada"}]
    assert data["prov:wasDerivedFrom"][0] == {"@id": "https://a.org/raw"}
    collected, chosen, swapped = data["prov:wasGeneratedBy"]
    assert collected == {"@type": "prov:Activity", "prov:label": "Collected."}
    assert chosen["prov:startedAtTime"] == "2026-11-26T08:00:00+00:00"
    assert swapped["prov:wasAssociatedWith"]["prov:label"].startswith("fair_datasets ")


def test_no_row_is_stated_to_be_synthetic_where_some_are() -> None:
    """What is stated and what is measured may not contradict."""
    told = SAID._replace(synthetic_share=0.0)
    for stated in (True, False):
        data = croissant(
            "a", [], FEATURES, stated={"hasSyntheticData": stated}, responsibility=told
        )
        assert data["rai:hasSyntheticData"] is stated


def test_sources_are_addresses_where_they_have_one() -> None:
    """And names of files else."""
    data = croissant("a", [], FEATURES, responsibility=SAID)
    assert data["prov:wasDerivedFrom"] == [
        {"@id": "https://huggingface.co/datasets/ada/reviews/tree/1f00"},
        {"@type": "prov:Entity", "prov:label": "my rows.csv"},
    ]
    assert data["variableMeasured"]["value"] == 0.5
    bare = croissant("a", [], FEATURES)
    assert not any(key.startswith(("rai:", "prov:", "variable")) for key in bare)


def test_every_column_has_a_type_and_an_address_of_its_own() -> None:
    """A list is an array of its values, an object has its parts as fields."""
    data = describe_files([DataFile("data/train.parquet", "train", "0" * 64, 1)], FEATURES)
    fields: list[dict[str, Any]] = data["recordSet"][0]["field"]
    assert len({field["@id"] for field in fields}) == len(FEATURES)
    assert [field["name"] for field in fields] == list(FEATURES)
    assert [field.get("dataType") for field in fields] == [
        "sc:Text", "cr:Int32", "cr:Float64", "cr:Int64", "sc:Text", None, None, "sc:Boolean",
        "sc:Text",
    ]  # fmt: skip
    assert [field["name"] for field in fields if field.get("isArray")] == ["tags", "edits", "words"]
    assert fields[8]["arrayShape"] == "-1,-1"
    assert fields[6]["subField"][0]["dataType"] == "cr:UInt8"
    assert fields[3]["description"] == "A class: 0: bad; 1: good."


def test_each_file_of_a_split_of_several_has_its_own_record_set() -> None:
    """As one field is of one file."""
    files = [DataFile(f"data/train-{number}.parquet", "train", "0" * 64, 1) for number in range(2)]
    found = describe_files([*files, DataFile("data/test-0.parquet", "test", "0" * 64, 1)], FEATURES)
    names = [each["@id"] for each in found["recordSet"]]
    assert names == ["train-0.parquet", "train-1.parquet", "test"]


def test_files_of_any_name_have_addresses_of_their_own() -> None:
    """Without white space, which the validator refuses; where they lie is told as it is."""
    paths = ["../a b/x y.csv", "../a_b/x_y.csv", "قط.csv", "كل.csv"]
    data = describe_files([DataFile(path, "train", "0" * 64, 1) for path in paths], FEATURES)
    assert [each["contentUrl"] for each in data["distribution"]] == paths
    for part in ("distribution", "recordSet"):
        found = [each["@id"] for each in data[part]]
        assert len(set(found)) == len(paths)
        assert not any(set(each) & set(" قطكل") for each in found)


def test_dates_and_numbers_may_be_written_without_quotes() -> None:
    """As TOML and YAML read them."""
    table = {"datePublished": date(2026, 11, 26), "version": 1.2, "license": "mit",
             "dataCollectionTimeframe": [date(2025, 1, 1), "2025-02-01"]}  # fmt: skip
    assert stated_fields(table) == {
        "datePublished": "2026-11-26", "version": "1.2", "license": ["mit"],
        "dataCollectionTimeframe": ["2025-01-01", "2025-02-01"],
    }  # fmt: skip


def test_of_a_card_what_is_meant_otherwise_is_left_out() -> None:
    """As its metadata hold much else; what the Hub has another name for is taken by that."""
    found = fields_of_card(
        {"license": "mit", "language": ["en", "de"], "source_datasets": ["original", "ada/a"],
         "version": "latest", "dataUseCases": "", "configs": [{"config_name": "a"}]}
    )  # fmt: skip
    assert found == {"license": ["mit"], "inLanguage": ["en", "de"], "wasDerivedFrom": ["ada/a"]}


def test_what_is_still_empty_is_told_first_where_neurips_asks_for_it() -> None:
    """Nothing is told where nothing is empty."""
    lacking = empty_fields({"rai:dataBiases": ["a"], "license": "mit"})
    assert lacking[0] == "rai:dataLimitations"
    assert not {"rai:dataBiases", "license", "keywords"} & set(lacking)
    assert {"prov:wasGeneratedBy", "rai:annotatorDemographics", "version"} <= set(lacking)
    full = dict.fromkeys([*FIELDS, *(f"rai:{name}" for name in FIELDS)], 1)
    full |= {"prov:wasDerivedFrom": 1, "prov:wasGeneratedBy": 1}
    assert describe_empty_fields(full) == ""
    full.pop("license")
    assert describe_empty_fields(full) == "Still empty in croissant.json: license."
