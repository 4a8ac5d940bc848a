"""Names of repositories."""

import pytest

from fair_datasets.hub import HubId, hub_id
from fair_datasets.system.checks import InputError


@pytest.mark.parametrize(("text", "kind", "expected"), [
    ("imdb", "dataset", HubId("dataset", "imdb")),
    ("ada/fair.reviews_2-x", "model", HubId("model", "ada/fair.reviews_2-x")),
    ("ada/reviews@refs/pr/1", "dataset", HubId("dataset", "ada/reviews", "refs/pr/1")),
    ("hf://ada/m", "model", HubId("model", "ada/m")),
    ("ada/" + "x" * 92, "model", HubId("model", "ada/" + "x" * 92)),
    ("hf://models/ada/m", "model", HubId("model", "ada/m")),
    ("hf://spaces/ada/demo@main", "space", HubId("space", "ada/demo", "main")),
    ("hf://datasets/ada/reviews/", "dataset", HubId("dataset", "ada/reviews")),
    ("hf://datasets/ada/reviews@refs/convert/parquet/a/b.csv", "dataset",
     HubId("dataset", "ada/reviews", "refs/convert/parquet", "a/b.csv")),
])  # fmt: skip
def test_what_is_read(text: str, kind: str, expected: HubId) -> None:
    """Kind, name, revision and path are told apart."""
    assert hub_id(text, kind) == expected


@pytest.mark.parametrize(
    "text",
    ["", "ada/", "/reviews", "ada/reviews/x", "ada/rev iews", "ada/a--b", "ada/a..b", "ada/é",
     "-ada/x", "ada/x.git", "ada/" + "x" * 93, "https://hf.co/ada/reviews", "ada/reviews\n"],
)  # fmt: skip
def test_what_is_refused(text: str) -> None:
    """The sentence says how a name is written."""
    with pytest.raises(InputError, match=r'write "user/name" in letters, digits'):
        hub_id(text)
