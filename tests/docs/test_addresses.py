"""The addresses of the project, and what is made from them."""

import re
import runpy
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from fair_datasets.docs import addresses
from fair_datasets.docs.addresses import citation, missing, outward, project_urls
from fair_datasets.docs.build import main
from fair_datasets.version import __version__

ROOT = Path(__file__).parents[2]
HUB = "https://hub.example/ada/fair"
HOOK = runpy.run_path(str(ROOT / "fair_datasets" / "docs" / "metadata_hook.py"))["Addresses"]


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fill in the addresses."""
    found = {"repository": HUB, "documentation": "https://docs.example"}
    monkeypatch.setattr(addresses, "ADDRESSES", found)


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave them open."""
    monkeypatch.setattr(addresses, "ADDRESSES", {"repository": "", "documentation": ""})


@pytest.mark.usefixtures("filled")
def test_what_is_filled_in_is_everywhere() -> None:
    """In the metadata, the links and the citation."""
    assert project_urls()["Source"] == HUB
    assert project_urls()["Documentation"] == "https://docs.example"
    text = "![demo](a/b.svg) [page](a/b.md#x) [away](https://c.d) [here](#e)"
    shown = f"![demo]({HUB}/raw/main/a/b.svg) [page]({HUB}/blob/main/a/b.md#x) "
    assert outward(text) == shown + "[away](https://c.d) [here](#e)"
    assert outward("[in](b.md) [out](../../C.md)", "../../") == (
        f"[in](b.md) [out]({HUB}/blob/main/C.md)"
    )
    assert yaml.safe_load(citation("1.0"))["repository-code"] == HUB
    assert [*missing("## 1.0 (2026-01-31)\n", "1.0")] == []


@pytest.mark.usefixtures("empty")
def test_what_is_not_filled_in_is_nowhere() -> None:
    """It is only listed as missing."""
    assert project_urls() == {}
    assert outward("![demo](a.svg) [page](a.md)") == " page"
    assert "url" not in citation("1.0")
    assert [line.rpartition(": ")[2] for line in missing("## 1.0 (unreleased)\n", "1.0")] == [
        "repository is empty.", "documentation is empty.", "version 1.0 has no date.",
    ]  # fmt: skip


def test_the_citation_file_is_up_to_date() -> None:
    """`python -m fair_datasets.docs.build` would change nothing."""
    assert (ROOT / ".github" / "CITATION.cff").read_text("utf-8") == citation(__version__)


def test_the_wheel_is_tried_on_each_python_that_is_promised() -> None:
    """The classifiers and the workflow name the same versions."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    promised = re.findall(r"Programming Language :: Python :: (3\.\d+)", text)
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "wheel.yml").read_text("utf-8"))
    assert workflow["jobs"]["wheel"]["strategy"]["matrix"] == {"python-version": promised}
    assert tomllib.loads(text)["project"]["requires-python"] == f">={promised[0]}"


def test_the_metadata_are_those_of_the_addresses() -> None:
    """As hatchling asks for them."""
    metadata: dict[str, object] = {}
    HOOK(str(ROOT), {}).update(metadata)
    readme = outward((ROOT / "README.md").read_text("utf-8"))
    assert metadata["readme"] == {"content-type": "text/markdown", "text": readme}
    assert metadata["urls"] == project_urls()


def test_the_command_fails_while_something_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With the list; it is asked in a checkout."""
    monkeypatch.setattr(sys, "argv", ["build", "--check-release"])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="run this in the folder of a checkout"):
        main()
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as left:
        main()
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert (left.value.code or "") == "\n".join(missing(changelog, __version__))
