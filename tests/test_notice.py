"""NOTICE names every file of data and weights that ships, and every source of theirs."""

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SHARE_ALIKE = "fair_datasets/reader/LICENSE-CC-BY-SA-4.0"
NOTICE = (ROOT / "NOTICE").read_text("utf-8")
SHIPPED = sorted(
    path
    for folder in ("fair_datasets", "hub_scripts/papers")
    for path in (ROOT / folder).rglob("*")
    if path.is_file()
    and path.suffix not in (".py", ".pyc", ".pyi", ".typed", ".so", ".md")
    and path.parent.name != "docs"
)
ENTRIES = re.split(r"\n\n+", NOTICE)


def sources() -> list[tuple[Path, dict[str, Any]]]:
    """Return the sources that the data files state, each with its file."""
    stated = []
    for path in SHIPPED:
        if path.suffix == ".toml":
            data = tomllib.loads(path.read_text("utf-8"))
            stated += [(path, source) for source in data.get("sources", ())]
    return stated


def test_every_file_is_named() -> None:
    """By its name; what describes a file, or excepts from it, goes with that file."""
    assert SHIPPED
    for path in SHIPPED:
        name = path.name.replace(".exceptions.tsv", ".tsv")
        beside = [path.with_suffix(ending).name for ending in (".tsv", ".npz", ".safetensors")]
        assert any(found in NOTICE for found in (name, *beside)), path


def test_every_source_is_named_with_its_licence() -> None:
    """By its address, in the entry that states its licence and the file that it is in."""
    assert sources()
    for path, source in sources():
        is_ours = source["licence"] == "Apache-2.0" and "://" not in source.get("url", "")
        if is_ours:
            continue
        key = source.get("url") or source["title"].partition(",")[2].partition(":")[0].strip()
        (entry,) = (entry for entry in ENTRIES if key in entry)
        licence = re.split(r"; |, ", source["licence"])[0].removeprefix("texts in the ")
        assert licence in entry, source
        is_of_the_texts = "3. Texts that the weights" in NOTICE.partition(entry)[0]
        assert is_of_the_texts or path.stem in entry, source


def test_what_is_share_alike_stands_apart() -> None:
    """Its section says what was taken; no other has such a source."""
    first, rest = NOTICE.split("\n2. ", 1)
    assert first.count("CC BY-SA 4.0\n") == 5
    assert "CC BY-SA" not in rest
    share_alike = {source["url"] for _, source in sources() if "SA" in source["licence"]}
    assert share_alike
    assert all(url in first for url in share_alike)


def test_it_ships() -> None:
    """The wheel and the source distribution hold it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    texts = {"LICENSE", "NOTICE"}
    assert set(settings["project"]["license-files"]) == {*texts, SHARE_ALIKE}
    assert {*texts, SHARE_ALIKE.partition("/")[0]} <= set(
        settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    )


def test_weights_from_share_alike_texts_are_under_their_licence() -> None:
    """The metadata of the package say so, and NOTICE begins with the weights that it is for."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert settings["project"]["license"] == "Apache-2.0 AND CC-BY-SA-4.0"
    licence = (ROOT / SHARE_ALIKE).read_text("utf-8")
    assert licence.startswith("Attribution-ShareAlike 4.0 International")
    start = NOTICE.partition("\n1. ")[0]
    for path in SHIPPED:
        if path.suffix in (".npz", ".safetensors"):
            assert path.relative_to(ROOT).as_posix() in start
