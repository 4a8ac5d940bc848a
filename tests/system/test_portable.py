"""What leaves this machine does not say in which folders files lie, and is found again."""

import hashlib
import os
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import EquityScore, InputError
from fair_datasets.system import portable as module
from fair_datasets.system.portable import (
    EXTERNAL,
    _last_parts,
    base_name,
    external_names,
    file_digest,
    file_states,
    is_path,
    is_published,
    located,
    moved,
    portable,
    renamed,
    strip_folders,
)
from fair_datasets.technique import Technique

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
    places = located([published], allow={published: name})
    assert moved(there["parameters"], places, ["axis"]) == config["parameters"]
    back = {place: known for known, place in places.items()}
    assert renamed(config["digests"], back) == there["digests"]


@pytest.mark.parametrize(("others", "name"), [
    (["/b/x/n"], "m"), (["/b/y/m"], "x/m"), (["/b/x/m", "/c/y/m"], "a/x/m"), (["/a/x/m"], "m"),
])  # fmt: skip
def test_a_path_is_named_by_as_few_parts_as_tell_it_apart(others: list[str], name: str) -> None:
    """From every other one."""
    assert _last_parts("/a/x/m", ["/a/x/m", *others]) == name


def test_an_edited_lexicon_has_another_name() -> None:
    """The folder is named after what the lexicon and its exceptions hold."""
    found = {
        portable({"parameters": {"axis": "/a/x.tsv"}, "digests": digests})["parameters"]["axis"]
        for digests in (
            {"/a/x.tsv": "1"}, {"/a/x.tsv": "2"}, {"/a/x.tsv": "1", "/a/x.tsv.exceptions": "3"},
        )
    }  # fmt: skip
    assert len(found) == 3
    assert all(is_published(name) for name in found)
    assert portable({"parameters": {"axis": "/a/x.tsv"}, "digests": {}})["parameters"] == {
        "axis": "x.tsv"
    }


@pytest.mark.parametrize(("text", "expected"), [
    ("/home/ada/reviews.csv", "reviews.csv"), ("/home/ada/reviews/", "reviews"),
    ("~/reviews.csv", "reviews.csv"), ("../reviews.csv", "reviews.csv"),
    ("ada/reviews@main", "ada/reviews@main"),
    ("hf://datasets/ada/reviews/a.csv", "hf://datasets/ada/reviews/a.csv"),
    ("tweets of 2020/2021/2022", "tweets of 2020/2021/2022"), ("a\0b", "a\0b"),
    ("a" * 5000, "a" * 5000), ("", ""),
])  # fmt: skip
def test_what_is_said_of_a_source(text: str, expected: str) -> None:
    """Paths lose their folders; ids, addresses and descriptions stay."""
    assert strip_folders(text) == expected


def test_a_path_is_told_by_being_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What looks like an id of the Hub may be a folder here."""
    (tmp_path / "ada" / "model").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert is_path("ada/model")
    assert not is_path("ada/other")
    assert base_name("..") == tmp_path.parent.name
    assert base_name(".") == tmp_path.name


@pytest.mark.parametrize(("parameters", "names"), [
    ({"axis": "gender"}, ()), ({"axis": ["gender", "a.tsv", "a.tsv"]}, ("a.tsv",)),
    ({"axis": Path("a.tsv")}, ("a.tsv",)),
    ({"axis": [["b.tsv"]], "pipeline": "en"}, ("b.tsv", "en")),
    ({"models": ["m", ["n", "m"]], "model": "o"}, ("o", "m", "n")),
    ({"columns": "a.tsv", "axis": None, "pipeline": None, "models": 3}, ()),
])  # fmt: skip
def test_what_is_outside_of_the_package(parameters: dict[str, Any], names: tuple[str, ...]) -> None:
    """Lexicons that ship are inside; whatever else is named is not, however deep it is nested."""
    assert external_names(parameters) == names


def test_every_installed_technique_says_what_it_may_name() -> None:
    """A field whose name tells of a file, a model or a pipeline is external."""
    from dataclasses import fields
    from importlib.metadata import entry_points

    # A revision is one of a model, which needs leave by its own name.
    telling = {*EXTERNAL, "lexicon", "path", "file", "folder", "vectors", "checkpoint"}
    for point in entry_points(group="fair_datasets.techniques"):
        kind: type[Technique] = point.load()
        named = {item.name for item in fields(kind)} & telling
        # The axis of a score only names its column.
        assert named - set(kind.external) <= ({"axis"} if kind is EquityScore else set()), kind


def test_what_is_allowed(tmp_path: Path) -> None:
    """A name, several, or a mapping to places; a folder allows its lexicons and weights."""
    assert located(["en"], allow="en") == {"en": "en"}
    assert located(["en"], allow={"en": Path("/p")}) == {"en": "/p"}
    assert located([]) == {}
    (tmp_path / "a.tsv").write_text("")
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "dir.tsv").mkdir()
    (tmp_path / "a.safetensors").write_text("")
    for name in ("a.tsv", "a.safetensors"):
        assert located([name], folder=tmp_path) == {name: str(tmp_path / name)}
    for name in ("a.txt", "dir.tsv", "b.tsv", str(tmp_path / "a.tsv"), "../a.tsv", "x/../a.tsv"):
        with pytest.raises(InputError, match="is not part of the package, and no lexicon"):
            located([name], folder=tmp_path)


def test_a_file_that_is_written_quickly_has_another_digest(tmp_path: Path) -> None:
    """Of equal size, within a step of the clock, in place or renamed, with its time kept."""
    file, other = tmp_path / "weights", tmp_path / "other"
    file.write_bytes(b"0")
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    for number in range(1, 40):
        before, states = file_digest(file), file_states([str(file)])
        assert before == file_digest(file)
        assert states == file_states([str(file)])
        content = str(number % 10).encode()
        if number % 2:
            file.write_bytes(content)
        else:
            other.write_bytes(content)
            other.rename(file)
        os.utime(file, ns=times)
        assert file_digest(file) == hashlib.sha256(content).hexdigest() != before
        assert file_states([str(file)]) != states


def test_an_old_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until its size, its times or its number change."""
    file = tmp_path / "weights"
    file.write_bytes(b"old")
    monkeypatch.setattr(module, "_CLOCK_STEP", -(10**18))
    before = file_digest(file), file_states([str(file)])
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("it was read again"))
    assert (file_digest(file), file_states([str(file)])) == before
    assert file_states([str(tmp_path / "gone")]) == (None,)
