"""The page of a measure's Space in a headless browser."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fair_datasets.hub

APP = Path(fair_datasets.hub.__file__).with_name("metric_app.py")
METRIC = Path(__file__).parents[2] / "metrics" / "demographic_parity"


@pytest.fixture(scope="module")
def address(
    browser: Any, serve: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Lay a Space out as a push does, and run it."""
    folder = tmp_path_factory.mktemp("space")
    space = folder / METRIC.name
    shutil.copytree(METRIC, space, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(APP, space / "app.py")
    with serve(space / "app.py", folder / "log.txt") as found:
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


@pytest.mark.parametrize("text", ["{", "[1]", '{"predictions": [1], "groups": ["a", "b"]}'])
def test_bad_inputs_are_answered_by_a_sentence(page: Any, text: str) -> None:
    """The page says what is wrong, and goes on."""
    assert computed(page, text)["error"]
