"""The site: all pages, twice each, with nothing from elsewhere, readable on a small screen."""

import re
import runpy
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from inspect import signature
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from fair_datasets.cli.docs import available_pages
from fair_datasets.docs.site import (
    MODULES,
    _as_it_is,
    _directive,
    _write_sources,
    parts,
    reference_pages,
    write_site,
)
from fair_datasets.measures import available_metrics
from fair_datasets.measures.bbq import bbq

_shared = runpy.run_path(str(Path(__file__).parents[1] / "demo" / "conftest.py"))
# The parser of Markdown and napoleon ask Sphinx in ways that Sphinx is about to drop.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser", "ignore:The mapping interface for")
visit = _shared["visit"]


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that prints nothing."""

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site."""
    pytest.importorskip("furo")
    pytest.importorskip("myst_parser")
    folder = tmp_path_factory.mktemp("site")
    write_site(folder)
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Any:
    """Serve the site."""
    handler = partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_four_parts_hold_every_page() -> None:
    """Each once."""
    listed = [page for part in parts() for page in part.pages]
    assert sorted(listed) == available_pages()


def test_the_reference_describes_every_public_name_once() -> None:
    """With a signature at one place, and a link from the others."""
    pages = reference_pages()
    for module in MODULES:
        names = {*import_module(module).__all__} - {"__version__"}
        assert set(re.findall(r"^## `(\w+)`$", pages[module], re.MULTILINE)) == names
    heads = re.findall(r"^```python\n(\w+)\(", "\n".join(pages.values()), re.MULTILINE)
    assert heads.count("CounterfactualSwap") == heads.count("weat") == heads.count("audit") == 1
    for_people = reference_pages(_directive)
    assert for_people.keys() == pages.keys()
    assert for_people["fair_datasets"].count("autoclass:: fair_datasets.CounterfactualSwap\n") == 1
    assert "autofunction:: fair_datasets.audit\n" in for_people["fair_datasets"]
    assert "sentences: Mapping" not in pages["commands"]
    assert pages.keys() >= {f"measure_{name}" for name in available_metrics()}


class Shelf:
    """A shelf."""

    def __init__(self, width: float, *books: str, full: bool = False) -> None:
        """Build it."""

    @property
    def free(self) -> float:
        """How much is free."""
        return 1.0

    @staticmethod
    def built(of: str) -> "Shelf":
        """Build one."""
        return Shelf(1.0)

    def _hidden(self) -> None:
        """Be no part of it."""


def test_programs_read_signatures_and_docstrings_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those of public methods and properties too, but not of classes of others."""
    for each in (Shelf, Shelf.built, Shelf._hidden):
        monkeypatch.setattr(each, "__module__", "fair_datasets.shelf")
    assert _as_it_is("", "Shelf", Shelf) == (
        "```python\nShelf(width: float, *books: str, full: bool = False) -> None\n```\n\nA shelf."
        "\n\n```python\nShelf.built(of: str) -> 'Shelf'\n```\n\nBuild one."
        "\n\n```python\nShelf.free\n```\n\nHow much is free."
    )
    assert _as_it_is("", "Odd", type("Odd", (dict,), {"__doc__": "Odd."})).endswith("Odd.")


def test_the_list_of_pages_names_the_reference_with_its_sentences(tmp_path: Path) -> None:
    """In the last part, behind the pages that are written by hand."""
    *_, last = _write_sources(tmp_path)
    told = reference_pages()
    assert [*last.pages][-len(told) :] == [*told]
    assert last.pages["fair_datasets.hub"] == MODULES["fair_datasets.hub"]
    assert last.pages["commands"] == "Every command of the shell with all its options."
    index = (tmp_path / "index.md").read_text("utf-8")
    for page in (page for part in parts() for page in part.pages):
        assert (tmp_path / f"{page}.md").is_file()
        assert f"- [{page}]({page}.md): " in index
    assert set(re.findall(r"```{toctree}[^`]*?\n\n(.*?)\n```", index, re.DOTALL)[-1].split()) == {
        *last.pages
    }
    assert {path.suffix for path in tmp_path.iterdir()} == {".md", ".svg", ".png", ".ipynb"}
    assert not (tmp_path / "README.md").exists()


@pytest.mark.slow
def test_every_page_is_there_for_people_and_for_programs(site: Path) -> None:
    """At one address, with two endings; the lists for programs name all of them."""
    pages = [*available_pages(), *reference_pages()]
    for page in pages:
        assert (site / f"{page}.html").is_file()
        assert (site / f"{page}.md").read_text("utf-8").startswith("# ")
    for name in ("llms.txt", "SKILL.md"):
        assert set(re.findall(r"\((\S+)\.md\)", (site / name).read_text("utf-8"))) == set(pages)


@pytest.mark.slow
@pytest.mark.usefixtures("site")
def test_what_is_described_is_not_changed() -> None:
    """Sphinx can put the text of a default in its place, which measures print."""
    assert type(signature(bbq).parameters["mapping"].default) is str


@pytest.mark.slow
def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    """Scripts, styles and pictures lie beside it."""
    loads = re.compile(r"<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)=\"([^\"]+)")
    for page in site.glob("*.html"):
        for target in loads.findall(page.read_text("utf-8")):
            assert not re.match(r"(?:https?:)?//", target), (page.name, target)


@pytest.mark.slow
def test_pages_fit_a_telephone_and_can_be_searched(address: str, visit: Any) -> None:
    """At 360 pixels nothing has to be moved sideways; in the dark, text is light."""
    with visit(address) as page:
        for name in ("index", "fair_datasets", "measure_weat", "commands", "audit"):
            page.set_viewport_size({"width": 360, "height": 800})
            page.goto(f"{address}/{name}.html")
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
        page.emulate_media(color_scheme="dark")
        shade = (
            "getComputedStyle(document.body).{}.match(/\\d+/g).map(Number).reduce((a, b) => a + b)"
        )
        ink, paper = (page.evaluate(shade.format(of)) for of in ("color", "backgroundColor"))
        assert ink > paper
        page.goto(f"{address}/search.html?q=pair_split")
        page.wait_for_selector("ul.search li a")
        assert page.locator("ul.search li a").count() > 1
