"""The demo's modules, and pages that run on this machine, opened in a headless browser."""

import importlib
import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.small_models import SPECIAL, small_model

DEMO = Path(__file__).parents[2] / "hub_scripts" / "demo"
# Tests wait for a page, however busy the machine is; in seconds, what never comes.
HUNG = 1800


@pytest.fixture(scope="session")
def load() -> Callable[[str], ModuleType]:
    """Return what imports one of the demo's modules by its name."""
    # As the app itself finds them, for they import each other.
    if str(DEMO) not in sys.path:
        sys.path.insert(0, str(DEMO))
    return importlib.import_module


@pytest.fixture(scope="module")
def module(request: pytest.FixtureRequest, load: Callable[[str], ModuleType]) -> ModuleType:
    """Return the module that a file of tests is named after."""
    return load(request.path.stem.removeprefix("test_"))


@pytest.fixture(scope="session")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tiny classifier with random weights."""
    pytest.importorskip("torch")
    from transformers import BertTokenizerFast

    folder = tmp_path_factory.mktemp("model") / "tiny-classifier"
    words = [*SPECIAL, "the", "waitress", "waiter", "sang", "told", "her", "his"]
    labels = dict(enumerate(("negative", "neutral", "positive")))
    (folder.parent / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    sizes = {"max_position_embeddings": 64, "id2label": labels, "initializer_range": 1.0}
    model = small_model("BertForSequenceClassification", len(words), 16, heads=2, **sizes)
    model.save_pretrained(folder)
    tokenizer = BertTokenizerFast(vocab=str(folder.parent / "vocab.txt"), model_max_length=64)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def serve() -> Callable[..., AbstractContextManager[str]]:
    """Return what runs an app, with a file for what it prints and the environment, for a while."""
    return _served


@pytest.fixture(scope="session")
def visit(browser: Any) -> Callable[[str], AbstractContextManager[Any]]:
    """Return what opens an address in a page of the browser."""
    return partial(_opened, browser)


@contextmanager
def _served(app: Path, log: Path, **environment: str) -> Iterator[str]:
    """Run an app, wait until it answers, and give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "GRADIO_SERVER_PORT": str(port),
        "GRADIO_ANALYTICS_ENABLED": "False",
        "GRADIO_TEMP_DIR": str(log.parent / "uploads"),
    }
    address = f"http://127.0.0.1:{port}"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, str(app)], env=os.environ | settings | environment, stdout=output,
            stderr=output,
        )  # fmt: skip
        try:
            while True:
                assert process.poll() is None, log.read_text()
                try:
                    urlopen(address, timeout=HUNG).close()
                except (URLError, ConnectionError):
                    time.sleep(0.2)
                else:
                    break
            yield address
        finally:
            process.kill()
            process.wait()


@contextmanager
def _opened(browser: Any, address: str) -> Iterator[Any]:
    """Open an address, and make sure that no script of a text ran and nothing else was asked."""
    page = browser.new_page(viewport={"width": 1200, "height": 1000})
    page.set_default_timeout(HUNG * 1000)
    dialogs: list[str] = []
    elsewhere: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith((address, "data:", "blob:"))
            else elsewhere.append(request.url)
        ),
    )
    page.goto(address)
    yield page
    page.close()
    assert not dialogs
    assert not elsewhere
