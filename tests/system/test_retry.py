"""How long the Hub is waited for, as it asks or where it says nothing."""

import logging
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

import pytest

from fair_datasets.system import retry


@pytest.mark.parametrize(("method", "seconds"), [("GET", 30.0), ("HEAD", 30.0), ("POST", 120.0)])
def test_no_request_waits_for_ever(method: str, seconds: float) -> None:
    """Limits that a request has already stay."""
    request = SimpleNamespace(method=method, extensions={})
    retry._limit(request)
    every = {"connect": 10.0, "read": seconds, "write": seconds}
    assert request.extensions == {"timeout": every}
    request.extensions = {"timeout": {"read": 5.0, "write": None, "pool": 1.0}}
    retry._limit(request)
    assert request.extensions == {"timeout": {**every, "read": 5.0, "pool": 1.0}}


@pytest.mark.parametrize(("status", "headers", "seconds"), [
    (429, {"Retry-After": "7"}, 7), (503, {"Retry-After": "7"}, 7), (429, {"Retry-After": "0"}, 1),
    (500, {"Retry-After": "7"}, 0), (429, {}, 0),
    (429, {"ratelimit": '"api";r=0;t=5', "Retry-After": "7"}, 5),
    (429, {"ratelimit": '"api";r=0;t=0', "Retry-After": "7"}, 1),
    (429, {"ratelimit": '"api";r=3;t=5', "Retry-After": "7"}, 7),
    (503, {"ratelimit": '"api";r=0;t=5', "Retry-After": "7"}, 7),
])  # fmt: skip
def test_the_hub_says_how_long(status: int, headers: dict[str, str], seconds: int) -> None:
    """Where it is busy; by what it allows in a time before what it asks."""
    assert retry.retry_after(SimpleNamespace(status_code=status, headers=headers)) == seconds


def test_a_date_is_waited_for() -> None:
    """As HTTP writes one; what is none, or is past, is no long time."""
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 50 < retry.seconds_until(soon) <= 60
    assert retry.seconds_until("Wed, 21 Oct 2015 07:28:00 GMT") == 1
    assert retry.seconds_until("soon") == 0


def test_long_waits_are_told(monkeypatch: Any, caplog: pytest.LogCaptureFixture) -> None:
    """From ten seconds on."""
    monkeypatch.setattr(retry, "_sleep", lambda seconds: None)
    request = SimpleNamespace(stream=type("ByteStream", (), {})())
    asked = retry._resend(None, request)
    with caplog.at_level(logging.WARNING, "fair_datasets"):
        assert next(asked) is request
        for seconds in ("9", "10"):
            headers = {"Retry-After": seconds}
            assert asked.send(SimpleNamespace(status_code=429, headers=headers)) is request
    assert caplog.messages == ["The Hub asks to wait 10 s."]
