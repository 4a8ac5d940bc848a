"""A Hub that is slow, busy or broken: one sentence, soon, and nothing half-written."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
import pytest
from huggingface_hub import get_session, set_client_factory

from fair_datasets import CounterfactualSwap, run
from fair_datasets.hub import pull_dataset, push_dataset
from fair_datasets.hub.reading import pull_file
from fair_datasets.system import retry
from fair_datasets.system.checks import InputError
from fair_datasets.system.pretrained import read_pretrained
from fair_datasets.technique import Technique
from fair_datasets.technique.saved import push_technique


def wait_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a Hub that does not answer a moment only."""
    for name in ("_READ", "_WRITTEN", "_LOOKED"):
        monkeypatch.setattr(retry, name, 0.4)


@pytest.fixture(autouse=True)
def unknown(hub: Any) -> Iterator[None]:
    """Know nothing of the loopback Hub."""
    retry._answers.cache_clear()
    yield
    retry._answers.cache_clear()


@pytest.mark.parametrize("requests", [
    "GET /api/datasets/ada/reviews", "POST /api/repos/create", "PUT /large/", "/commit/",
])  # fmt: skip
def test_a_hub_that_never_answers(hub: Any, splits: Any, impatient: None, requests: str) -> None:
    """The client itself would wait for ever; what is pushed afterwards is whole."""
    hub.stall(requests)
    told = r"could not be reached.* \(ReadTimeout at http.*\)"
    with pytest.MonkeyPatch.context() as patch:
        wait_a_moment(patch)
        with pytest.raises(InputError, match=told):
            push_dataset(splits, "ada/reviews")
    hub.stall("")
    push_dataset(splits, "ada/reviews")
    assert pull_dataset("ada/reviews").num_rows == splits.num_rows
    assert len(hub.uploads()) == len(set(hub.uploads()))


@pytest.mark.parametrize(("requests", "status"), [
    ("GET /api/datasets/ada/reviews", 429), ("POST /api/repos/create", 500), ("PUT /large/", 502),
    ("/commit/", 429),
])  # fmt: skip
def test_a_hub_that_refuses(
    hub: Any, splits: Any, impatient: None, requests: str, status: int
) -> None:
    """Nothing is there then; the same call goes on, and sends nothing twice."""
    hub.refuse(requests, status)
    told = "asks to wait: too many" if status == 429 else rf"answered with an error \({status} of"
    with pytest.raises(InputError, match=rf"^The Hub {told}.*run the same again later"):
        push_dataset(splits, "ada/reviews")
    hub.refuse("", status, times=0)
    push_dataset(splits, "ada/reviews")
    assert pull_dataset("ada/reviews").num_rows == splits.num_rows
    assert len(hub.uploads()) == len(set(hub.uploads()))


def test_a_hub_that_is_busy_for_a_moment(
    hub: Any, splits: Any, impatient: None, caplog: pytest.LogCaptureFixture
) -> None:
    """It is waited for as long as it asks, and that is told; nothing else is."""
    push_dataset(splits, "ada/reviews", config_name="original")
    hub.refuse("POST .*objects/batch|PUT /large/", 429, times=2, Retry_After="10")
    with caplog.at_level(logging.WARNING, "fair_datasets"):
        push_dataset(splits, "ada/reviews", config_name="cda")
    assert waits_told(caplog) == ["The Hub asks to wait 10 s."] * 2
    assert pull_dataset("ada/reviews", "cda").num_rows == splits.num_rows


def waits_told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what was told of waiting."""
    return [entry.message for entry in caplog.records if entry.name == "fair_datasets.system.retry"]


@pytest.mark.parametrize(
    "headers", [{"Retry_After": "150"}, {"RateLimit": '"api";r=0;t=150', "Retry_After": "1"}]
)
def test_every_request_waits(
    hub: Any, splits: Any, tmp_path: Path, monkeypatch: Any, headers: dict[str, str]
) -> None:
    """What asks and reads as well as what writes, for five minutes at most."""
    push_dataset(splits, "ada/reviews")
    waited: list[int] = []
    monkeypatch.setattr(retry, "_sleep", waited.append)
    swap, files = CounterfactualSwap(columns="text"), "hf://datasets/ada/reviews/**/*.parquet"
    for number, work in enumerate((
        lambda: pull_dataset("ada/reviews", streaming=True),
        lambda: run(swap, files, tmp_path / "out"),
        lambda: push_dataset(splits, "ada/reviews", config_name="other"),
    ), start=1):  # fmt: skip
        hub.refuse("GET|HEAD|POST", 429, times=2, **headers)
        work()
        assert len(waited) == 2 * number
    assert 145 < min(waited) <= max(waited) <= 150
    hub.refuse("GET", 429, times=3, **headers)
    with pytest.raises(
        InputError, match=r"^The Hub asks to wait \d+ s \(429 of http://127.*/api/d"
    ):
        pull_dataset("ada/reviews")


@pytest.mark.parametrize(
    "headers", [{"Retry_After": "3600"}, {"RateLimit": '"api";r=0;t=3600', "Retry_After": "1"}]
)
def test_a_hub_that_asks_for_too_long(hub: Any, splits: Any, headers: dict[str, str]) -> None:
    """Nobody waits for an hour without a word."""
    hub.refuse("PUT /large/", 429, **headers)
    told = r"^The Hub asks to wait 3,600 s \(429 of http://127.*/large/.*\); run the same again"
    with pytest.raises(InputError, match=told):
        push_dataset(splits, "ada/reviews")


@pytest.mark.parametrize("status", [403, 404, 500])
def test_the_status_and_the_address_are_told(hub: Any, impatient: None, status: int) -> None:
    """Of whatever is read, and also where transformers says that it could not connect."""
    push_technique(CounterfactualSwap(columns="text"), "ada/swap")
    hub.refuse("resolve", status)
    told = rf"\({status} of http://127\.0\.0\.1:\d+/ada/swap/resolve/\w+/[\w.]+"
    for read in (
        lambda: Technique.from_pretrained("ada/swap"),
        lambda: pull_file("ada/swap", endings=["technique.json"], what="word vectors"),
        lambda: read_pretrained("ada/swap", "AutoModel", what="encoder"),
    ):
        with pytest.raises(InputError, match=told):
            read()


def test_what_is_pulled_may_be_refused_half_way(
    hub: Any, splits: Any, impatient: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A download that fails is told; the next one is whole."""
    # What an earlier run of the tests has read would not be asked for.
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    push_dataset(splits, "ada/other", card="# Other\n")
    hub.refuse("GET .*parquet", 500)
    with pytest.raises(
        InputError, match=r"answered with an error \(500 of .*\) for the dataset ada"
    ):
        pull_dataset("ada/other")
    hub.refuse("", 500, times=0)
    assert pull_dataset("ada/other").num_rows == splits.num_rows


def test_a_model_is_not_asked_for_file_by_file(hub: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself transformers would try each of its files again and again, for minutes."""
    wait_a_moment(monkeypatch)
    hub.stall(".")
    told = (
        "'ada/writer' is neither a folder with a model on this machine nor a model that the Hub "
        "provides now"
    )
    with pytest.raises(InputError, match=told):
        read_pretrained("ada/writer", "AutoModel", what="encoder")
    assert set(hub.requests()) == {"HEAD /"}
    with pytest.raises(InputError, match="The Hub could not be reached, or the connection broke"):
        pull_file("ada/words", endings=[".vec"], what="word vectors")
    assert set(hub.requests()) == {"HEAD /"}


def test_a_client_of_ones_own_stays(hub: Any) -> None:
    """Whoever chose one with limits knows how long to wait."""
    from huggingface_hub.utils import _http

    kind = type(get_session())
    try:
        set_client_factory(lambda: kind(timeout=3.0))
        retry.retry_hub_requests()
        assert (get_session().auth, get_session().timeout.read) == (None, 3.0)
    finally:
        set_client_factory(_http.default_client_factory)
    retry.retry_hub_requests()
    assert get_session().auth is not None
