"""What a configuration may name, and what it may not."""

from pathlib import Path
from typing import Any

import pytest

from fair_datasets import EquityScore, InputError
from fair_datasets.system.configurations import EXTERNAL, allowed_places, external_names, located
from fair_datasets.technique import Technique


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({"axis": "gender"}, ()),
        ({"axis": ["gender", "a.tsv", "a.tsv"]}, ("a.tsv",)),
        ({"axis": Path("a.tsv")}, ("a.tsv",)),
        ({"axis": [["b.tsv"]], "pipeline": "en"}, ("b.tsv", "en")),
        ({"models": ["m", ["n", "m"]], "model": "o"}, ("o", "m", "n")),
        ({"columns": "a.tsv", "axis": None, "pipeline": None, "models": 3}, ()),
    ],
)
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


def test_the_axis_of_a_score_is_not_read(tmp_path: Path) -> None:
    """So that it needs no leave, as its models do."""
    score = EquityScore(columns="text", models="ada/probe", axis=str(tmp_path / "team.tsv"))
    assert EquityScore.from_config(score.config(), allow=["ada/probe"]) == score
    with pytest.raises(InputError, match="names 'ada/probe', which is not part of the package"):
        EquityScore.from_config(score.config())


def test_what_is_allowed(tmp_path: Path) -> None:
    """A name, several, or a mapping to places; a folder allows its lexicons and weights."""
    assert located(["en"], allow="en", owner="o") == {"en": "en"}
    assert located(["en"], allow={"en": Path("/p")}, owner="o") == {"en": "/p"}
    assert located([], owner="o") == {}
    (tmp_path / "a.tsv").write_text("")
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "dir.tsv").mkdir()
    (tmp_path / "a.safetensors").write_text("")
    for name in ("a.tsv", "a.safetensors"):
        assert located([name], folder=tmp_path, owner="o") == {name: str(tmp_path / name)}
    for name in ("a.txt", "dir.tsv", "b.tsv", str(tmp_path / "a.tsv"), "../a.tsv", "x/../a.tsv"):
        with pytest.raises(InputError, match="is not part of the package, and no lexicon"):
            located([name], folder=tmp_path, owner="o")


@pytest.mark.parametrize("allow", [None, 3, True])
def test_what_says_nothing_of_names(allow: Any) -> None:
    """There is no leave for everything."""
    with pytest.raises(InputError, match="o: allow must list the names that the configuration may"):
        allowed_places(allow, owner="o")
