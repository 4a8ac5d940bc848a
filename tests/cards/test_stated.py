"""What people state of a dataset, in a table of theirs or in the metadata of a card."""

from datetime import date
from typing import Any

import pytest

from fair_datasets.cards.stated import (
    FIELDS,
    empty_fields,
    fields_of_card,
    stated_fields,
    told_empty,
)
from fair_datasets.system.checks import InputError


@pytest.mark.parametrize(("table", "sentence"), [
    ("mit", "what is stated must be a table of fields, but it is 'mit'"),
    ({"dataUseCase": "a"}, "Did you mean 'dataUseCases'?"),
    ({"dataUseCases": " "}, "dataUseCases is empty; write a text or a list of texts, or leave"),
    ({"dataUseCases": []}, "dataUseCases is empty"),
    ({"dataUseCases": ["a", ""]}, "dataUseCases is empty"),
    ({"dataSocialImpact": ["a", "b"]}, "dataSocialImpact must be a text, but it is ['a', 'b']"),
    ({"version": "v1"}, "version must be a version such as 1.0.0, but it is 'v1'"),
    ({"version": True}, "version must be a version"),
    ({"datePublished": "soon"},
     "datePublished must be a date such as 2026-11-26, but it is 'soon'"),
    ({"datePublished": 2026}, "datePublished must be a date"),
    ({"dataCollectionTimeframe": ["2025-01-01", "now"]},
     "must be a date such as 2026-11-26, or several"),
    ({"hasSyntheticData": "no"}, "hasSyntheticData must be true or false, but it is 'no'"),
    ({"license": {"name": "mit"}}, "license must be a text or a list of texts"),
])  # fmt: skip
def test_what_cannot_be_meant_is_told_in_a_sentence(table: Any, sentence: str) -> None:
    """With the name of whatever holds the table."""
    with pytest.raises(InputError) as told:
        stated_fields(table, owner="pyproject.toml")
    assert str(told.value).startswith("pyproject.toml: ")
    assert sentence in str(told.value)


def test_dates_and_numbers_may_be_written_without_quotes() -> None:
    """As TOML and YAML read them."""
    table = {"datePublished": date(2026, 11, 26), "version": 1.2, "license": "mit",
             "dataCollectionTimeframe": [date(2025, 1, 1), "2025-02-01"]}  # fmt: skip
    assert stated_fields(table, owner="card") == {
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
    assert told_empty(full) == ""
    full.pop("license")
    assert told_empty(full) == "Still empty in croissant.json: license."
