"""The page of a measure's Space in a headless browser."""

import json
import runpy
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fair_datasets.hub

pytestmark = pytest.mark.slow

# The loopback Hub, as the tests of fair_datasets.hub have it.
_OF_THE_HUB = runpy.run_path(str(Path(__file__).parents[1] / "hub" / "conftest.py"))
hub, encoder = (_OF_THE_HUB[name] for name in ("hub", "encoder"))

APP = Path(fair_datasets.hub.__file__).with_name("metric_app.py")
METRICS = Path(__file__).parents[2] / "metrics"


def laid_out(name: str, folder: Path) -> Path:
    """Lay the Space of a measure out as a push does, and return its app."""
    space = folder / name
    shutil.copytree(METRICS / name, space, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(APP, space / "app.py")
    return space / "app.py"


@pytest.fixture(scope="module")
def address(browser: Any, serve: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the Space of a measure."""
    folder = tmp_path_factory.mktemp("space")
    with serve(laid_out("demographic_parity", folder), folder / "log.txt") as found:
        yield found


@pytest.fixture
def page(visit: Callable[[str], Any], address: str) -> Iterator[Any]:
    """Open the Space."""
    with visit(address) as found:
        yield found


def computed(page: Any, text: str | None) -> dict[str, Any]:
    """Type the inputs, press the button, and return the result that is shown."""
    boxes = [
        page.locator(".block", has=page.get_by_text(label, exact=True)).locator(".cm-content")
        for label in ("Inputs", "Result")
    ]
    if text is not None:
        boxes[0].fill(text)
    page.get_by_role("button", name="Compute").click()
    result = boxes[1].filter(has_text="}")
    result.wait_for()
    value: dict[str, Any] = json.loads(result.inner_text().replace("\xa0", " "))
    return value


def test_the_example_is_computed(page: Any) -> None:
    """The page opens with inputs that work."""
    assert "difference" in computed(page, None)


def test_typed_values_are_computed(page: Any) -> None:
    """A visitor's own values give the value of the function."""
    inputs = {"predictions": [1, 0, 1, 1], "groups": ["a", "a", "b", "b"]}
    assert computed(page, json.dumps(inputs))["difference"] == 0.5


def test_markup_is_shown_as_text(page: Any) -> None:
    """A group's name that is HTML is a group's name."""
    name = "<img src=x onerror=alert(1)>"
    inputs = {"predictions": [1, 0, 1], "groups": [name, name, "b"]}
    assert name in str(computed(page, json.dumps(inputs)))
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("text", ["{", '{"predictions": [1], "groups": ["a", "b"]}'])
def test_bad_inputs_are_answered_by_a_sentence(page: Any, text: str) -> None:
    """The page says what is wrong, and goes on."""
    assert computed(page, text)["error"]


def test_a_visitor_reads_no_file(visit: Any, serve: Any, tmp_path: Path) -> None:
    """A path in place of an axis is refused, and what the page takes is said on it."""
    with (
        serve(laid_out("representation", tmp_path), tmp_path / "log.txt") as address,
        visit(address) as page,
    ):
        secret = tmp_path / "secret.tsv"
        secret.write_text("man\twoman\nmy password is\tx\n")
        found = computed(page, json.dumps({"data": ["he"], "axis": str(secret)}))
        assert found["error"].startswith("Here, axis must be one of 'age', 'disability', ")
        assert "password" not in str(found)
        assert page.get_by_text("This page takes").count() == 1
        page.reload()
        assert computed(page, '{"data": ["he"]}')["mentions"]["man"] == 1


def test_seat_opens_with_an_example_that_works(
    hub: Any, encoder: None, visit: Any, serve: Any, tmp_path: Path
) -> None:
    """Its model is downloaded when the button is pressed."""
    app = laid_out("seat", tmp_path)
    cache = {"HF_HUB_OFFLINE": "0", "HF_HOME": str(tmp_path / "cache")}
    with serve(app, tmp_path / "log.txt", **cache) as address, visit(address) as page:
        found = computed(page, None)
        assert found["sizes"] == {"X": 2, "Y": 2, "A": 2, "B": 2}
