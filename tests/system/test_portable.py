"""What leaves this machine does not say in which folders files lie, and is found again."""

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.system.configurations import external_names, located, moved, renamed
from fair_datasets.system.portable import (
    _last_parts,
    base_name,
    is_path,
    is_published,
    portable,
    without_folders,
)

PARTS = st.text(
    st.characters(codec="utf-8", exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1
).filter(lambda part: part not in (".", ".."))
PATHS = st.lists(PARTS, min_size=2, max_size=4).map(lambda parts: "/" + "/".join(parts))
DIGEST = st.text("0123456789abcdef", min_size=64, max_size=64)


@given(paths=st.lists(PATHS, min_size=1, max_size=3, unique=True), digests=st.lists(DIGEST))
def test_a_configuration_loses_its_folders_and_nothing_else(
    paths: list[str], digests: list[str]
) -> None:
    """Lexicons, models and pipelines are named apart, their files go with them, back and forth."""
    names = [f"{path}.tsv" for path in paths]
    stated = dict(zip(names, digests, strict=False))
    stated |= {f"{path}/config.json": "0" * 64 for path in paths} | {"gender": "1" * 64}
    parameters = {"axis": ["gender", *names], "models": paths, "columns": names}
    config = {"technique": "Own", "parameters": parameters, "digests": stated}
    found = portable(config)
    assert found["technique"] == "Own"
    assert found["parameters"]["columns"] == names
    assert found["parameters"]["axis"][0] == "gender"
    new = [*found["parameters"]["axis"][1:], *found["parameters"]["models"]]
    for name, digest in found["digests"].items():
        assert not name.startswith("/")
        assert digest in stated.values()
    for old, name in zip([*names, *paths], new, strict=True):
        assert not PurePosixPath(name).is_absolute()
        assert PurePosixPath(name).name == PurePosixPath(old).name
    assert len(set(found["parameters"]["models"])) == len(paths)
    assert found["digests"]["gender"] == "1" * 64


@given(path=PATHS, digest=DIGEST)
def test_what_is_found_elsewhere_is_what_was_left(path: str, digest: str) -> None:
    """Names that are put back to places are those that the digests were taken under."""
    name = f"{path}.tsv"
    config = {
        "parameters": {"axis": name},
        "digests": {name: digest, f"{name}.exceptions": digest, "first_names": digest},
    }
    there = portable(config)
    (published,) = external_names(there["parameters"])
    assert is_published(published) == ("\\" not in PurePosixPath(name).name)
    places = located([published], allow={published: name}, owner="test")
    assert moved(there["parameters"], places, ["axis"]) == config["parameters"]
    back = {place: known for known, place in places.items()}
    assert renamed(config["digests"], back) == there["digests"]


@pytest.mark.parametrize(
    ("others", "name"),
    [(["/b/x/n"], "m"), (["/b/y/m"], "x/m"), (["/b/x/m", "/c/y/m"], "a/x/m"), (["/a/x/m"], "m")],
)
def test_a_path_is_named_by_as_few_parts_as_tell_it_apart(others: list[str], name: str) -> None:
    """From every other one."""
    assert _last_parts("/a/x/m", ["/a/x/m", *others]) == name


def test_an_edited_lexicon_has_another_name() -> None:
    """The folder is named after what the lexicon and its exceptions hold."""
    found = {
        portable({"parameters": {"axis": "/a/x.tsv"}, "digests": digests})["parameters"]["axis"]
        for digests in (
            {"/a/x.tsv": "1"},
            {"/a/x.tsv": "2"},
            {"/a/x.tsv": "1", "/a/x.tsv.exceptions": "3"},
        )
    }
    assert len(found) == 3
    assert all(is_published(name) for name in found)
    assert portable({"parameters": {"axis": "/a/x.tsv"}, "digests": {}})["parameters"] == {
        "axis": "x.tsv"
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/home/ada/reviews.csv", "reviews.csv"),
        ("/home/ada/reviews/", "reviews"),
        ("~/reviews.csv", "reviews.csv"),
        ("../reviews.csv", "reviews.csv"),
        ("ada/reviews@main", "ada/reviews@main"),
        ("hf://datasets/ada/reviews/a.csv", "hf://datasets/ada/reviews/a.csv"),
        ("tweets of 2020/2021/2022", "tweets of 2020/2021/2022"),
        ("a\0b", "a\0b"),
        ("a" * 5000, "a" * 5000),
        ("", ""),
    ],
)
def test_what_is_said_of_a_source(text: str, expected: str) -> None:
    """Paths lose their folders; ids, addresses and descriptions stay."""
    assert without_folders(text) == expected


def test_a_path_is_told_by_being_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What looks like an id of the Hub may be a folder here."""
    (tmp_path / "ada" / "model").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert is_path("ada/model")
    assert not is_path("ada/other")
    assert base_name("..") == tmp_path.parent.name
    assert base_name(".") == tmp_path.name
