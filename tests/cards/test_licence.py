"""The licence of the source."""

import pytest

from fair_datasets.cards import carried_over
from fair_datasets.cards.licence import licence_lines


@pytest.mark.parametrize(
    "metadata",
    [
        {"license": "cc-by-nd-4.0"},
        {"license": "cc-by-nc-nd-3.0"},
        {"license": ["mit", "CC BY-ND 4.0"]},
        {"license": "other", "license_name": "my-no-derivatives"},
        {"license": "other", "license_name": "NoDerivs"},
    ],
)
def test_a_licence_against_derivatives_is_warned_of(metadata: dict[str, object]) -> None:
    """The card says that it may not be published without more ado."""
    text = "\n".join(licence_lines(metadata, kind="dataset"))
    assert "> **Warning.** The licence of the source does not allow derivatives" in text


@pytest.mark.parametrize("licence", ["mit", "cc-by-sa-4.0", "cc-by-nc-4.0", "bsd-3-clause", "pddl"])
def test_other_licences_are_stated(licence: str) -> None:
    """They apply to the dataset too, without a warning."""
    assert licence_lines({"license": licence}, kind="dataset") == [
        f"The licence and the terms of the source (`{licence}`) apply to this dataset too."
    ]


@pytest.mark.parametrize("metadata", [{}, {"license": None}, {"license": []}])
def test_an_unknown_licence_is_to_be_looked_up(metadata: dict[str, object]) -> None:
    """Silence about a licence is no permission."""
    assert "look them up before you share it" in licence_lines(metadata, kind="model")[0]


def test_what_is_true_of_the_source_alone_is_left_out() -> None:
    """Configurations, sizes, names and tags of a source would be false of what is made from it."""
    source = {
        "license": "other",
        "license_name": "own",
        "license_link": "LICENSE",
        "language": ["en"],
        "task_categories": ["text-classification"],
        "configs": [{"config_name": "default"}],
        "dataset_info": {"splits": []},
        "pretty_name": "Source",
        "tags": ["x"],
        "task_ids": None,
    }
    assert list(carried_over(source)) == [
        "license",
        "license_name",
        "license_link",
        "language",
        "task_categories",
    ]


@pytest.mark.parametrize("value", [["mit", ["mit"]], {"name": "mit"}, 1.0, False, [], [None]])
def test_strings_and_lists_of_strings_are_carried_over_alone(value: object) -> None:
    """A card is somebody else's; what it nests may be endless."""
    assert carried_over({"license": value, "language": ["en", "de"]}) == {"language": ["en", "de"]}
