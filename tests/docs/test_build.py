"""What is made is as it is made now, and names everything that is public."""

import re
import runpy
import sys
import xml.etree.ElementTree as ElementTree
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.docs.build import MADE, main
from fair_datasets.measures import available_metrics

run = runpy.run_path(str(Path(__file__).parents[1] / "cli" / "conftest.py"))["run"]

PAGES = Path(__file__).parents[2] / "fair_datasets" / "docs"
NAMES = (PAGES / "names.md").read_text("utf-8")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", MADE)
def test_what_is_made_is_up_to_date(name: str) -> None:
    """`python -m fair_datasets.docs.build` would change nothing."""
    assert (PAGES / name).read_text("utf-8") == MADE[name](), (
        "run `python -m fair_datasets.docs.build`"
    )


def test_the_command_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal runs write equal files."""
    monkeypatch.setattr(sys, "argv", ["build", "--out", str(tmp_path)])
    main()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        name: (PAGES / name).read_bytes() for name in MADE
    }


def lines_of(heading: str) -> dict[str, str]:
    """Return the names below a heading, each with its line."""
    _, section = NAMES.split(f"\n## {heading}\n")
    rows = [line for line in section.partition("\n## ")[0].split("\n") if line.startswith("| `")]
    return {row.split("`")[1]: row.split("|")[2].strip() for row in rows}


@pytest.mark.parametrize("module", ["fair_datasets", "fair_datasets.measures", "fair_datasets.hub"])
def test_every_public_name_has_its_line(module: str) -> None:
    """The first line of its docstring."""
    home = import_module(module)
    lines = lines_of(f"`{module}`")
    assert lines.keys() == set(home.__all__)
    for name in set(home.__all__) - {"__version__"}:
        assert lines[name] == getattr(home, name).__doc__.strip().split("\n")[0].strip()


def test_every_package_with_public_names_is_there() -> None:
    """A new one has to be put on the page, or to stand here."""
    ours = {"cli", "docs", "integrations", "jobs", "system"}
    packages = {path.parent.name for path in PAGES.parent.glob("*/__init__.py")}
    listed = {name for name in packages if f"## `fair_datasets.{name}`" in NAMES}
    assert packages - listed == ours


def test_techniques_measures_and_commands() -> None:
    """All of them, with a line each."""
    points = entry_points(group="fair_datasets.techniques")
    ours = {point.name for point in points if point.value.startswith("fair_datasets.")}
    assert lines_of("Techniques").keys() == ours
    assert lines_of("Measures as modules").keys() == set(available_metrics())
    assert lines_of("Commands").keys() >= {"augment", "docs", "push", "push dataset", "pull"}
    for heading in ("Techniques", "Measures as modules", "Commands"):
        assert all(line.endswith(".") for line in lines_of(heading).values())


def test_the_picture_shows_what_the_demo_does(run: Any, tmp_path: Path) -> None:
    """Its texts and its counts are those that the demo prints."""
    printed = run("demo", "--out", tmp_path / "demo").out
    picture = ElementTree.fromstring((PAGES / "picture.svg").read_text("utf-8"))
    said = [text.text for text in picture.iter(f"{SVG}text")]
    assert said[0] == "$ fair-datasets demo"
    lines = printed.replace("\\n", " ").split("\n")
    shown = [line for line in lines if line.startswith(("- ", "+ "))][:8]
    drawn = "".join(said[1 : said.index("347 rows before")])
    assert drawn.replace(" ", "") == "".join(shown).replace(" ", "")
    counts = re.findall(r"(\d+) +([\d.]+ %)", printed)
    assert {f"{count} ({share})" for count, share in counts} - {"0 (0.0 %)"} <= set(said)
    assert {"man", "woman", "non-binary (none)"} <= set(said)


def test_nothing_of_the_picture_lies_outside_it() -> None:
    """Every letter is within the frame, whatever font there is."""
    picture = ElementTree.fromstring((PAGES / "picture.svg").read_text("utf-8"))
    width, height = (float(picture.attrib[name]) for name in ("width", "height"))
    for text in picture.iter(f"{SVG}text"):
        left, top, length = (float(text.attrib[name]) for name in ("x", "y", "textLength"))
        assert left > 0
        assert left + length < width
        assert 0 < top < height
    assert not [mark for mark in picture.iter() if mark.tag in (f"{SVG}script", f"{SVG}image")]
