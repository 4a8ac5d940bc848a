"""The client: what is sent, what is tried again, and the sentence for each fault."""

import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from fair_datasets.rewriters.generation import endpoint
from fair_datasets.rewriters.generation.endpoint import KEY, Endpoint, EndpointError, StoppedError
from fair_datasets.system.checks import InputError
from tests.rewriters.generation.server import Chat, Reply, completion, serving

ANSWER = Reply(body=completion("{}"))


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for hundredths of a second; no key is set."""
    monkeypatch.setattr(endpoint, "_FIRST_PAUSE", 0.01)
    monkeypatch.delenv(KEY, raising=False)


@pytest.fixture
def server() -> Iterator[Chat]:
    """Serve what `answer` says."""
    with serving(lambda asked: ANSWER) as found:
        yield found


def post(address: str, stop: threading.Event | None = None, **options: Any) -> Any:
    """Ask once."""
    settings = {"timeout": 5.0, "max_wait": 5.0, **options}
    found = Endpoint(address, **settings)
    return found.post({"model": "m"}, stop or threading.Event()).data


def in_turn(server: Chat, *replies: Any) -> None:
    """Answer one reply after the other."""
    left = iter(replies)
    server.answer = lambda asked: next(left)


def test_no_token_of_the_hub_is_sent(server: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is any other: without a key of its own there is no header."""
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "hf_secret")
    post(server.address)
    assert "authorization" not in server.headers[0]
    assert "hf_secret" not in str(server.headers)
    monkeypatch.setenv(KEY, " sk-1\n")
    post(server.address)
    assert server.headers[1]["authorization"] == "Bearer sk-1"
    post(server.address, takes_key=False)
    assert "authorization" not in server.headers[2]


@pytest.mark.parametrize("fault", [
    Reply(429, "", {"Retry-After": "0"}), Reply(500, "<html>"),
    Reply(503, {"error": "loading"}), Reply(408, ""), Reply(body=completion("{}"), cut=True),
    Reply(body='{"choices": [{"mess'), Reply(body={"error": {"message": "overloaded"}}),
])  # fmt: skip
def test_a_fault_that_passes_is_tried_again(server: Chat, fault: Reply) -> None:
    """Whatever the server says of it."""
    in_turn(server, fault, fault, ANSWER)
    assert post(server.address) == ANSWER.body
    assert len(server.asked) == 3


def test_a_silent_server_is_asked_again(server: Chat) -> None:
    """Each try has its time."""
    in_turn(server, Reply(seconds=1), ANSWER)
    assert post(server.address, timeout=0.2) == ANSWER.body
    in_turn(server, *[Reply(seconds=0.5)] * 9)
    with pytest.raises(EndpointError, match=r"no answer for 0.1 s \(it did not answer within 0.2"):
        post(server.address, timeout=0.2, max_wait=0.1)


def test_it_waits_as_long_as_it_is_asked_to_but_no_longer_than_it_may(
    server: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In seconds or until a date."""
    waits: list[float] = []
    stop = threading.Event()
    monkeypatch.setattr(stop, "wait", lambda seconds: waits.append(seconds))
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    for after in ("7", date, "0", "soon", "9999"):
        in_turn(server, Reply(429, "", {"Retry-After": after}), ANSWER)
        post(server.address, stop, max_wait=60.0)
    assert waits[0] == 7
    assert 25 < waits[1] <= 30
    assert waits[2:4] == [0.01, 0.01]
    assert 59 < waits[4] <= 60


@pytest.mark.parametrize(("reply", "sentence"), [
    (Reply(401, {"error": {"message": "no"}}),
     f"(401: no); put your key into the environment variable {KEY}"),
    (Reply(402, "no money"), "refuses to answer (402: no money)"),
    (Reply(403, {"detail": "not you"}), "refuses to answer (403: not you)"),
    (Reply(404, {"error": {"message": "no model m"}}),
     "has no such page or model (404: no model m); check that it knows 'm'"),
    (Reply(405, "no POST"), "gives no answer (405: no POST); check the address"),
    (Reply(302, "", {"Location": "http://b.c/?key=1"}), "leads elsewhere (302: http://b.c/)"),
    (Reply(body="<html>Hi</html>"), "is no chat server (200: it answers with a web page)"),
])  # fmt: skip
def test_a_fault_that_stays_ends_the_work_at_once(
    server: Chat, reply: Reply, sentence: str
) -> None:
    """In one sentence, which names the address."""
    in_turn(server, reply)
    with pytest.raises(EndpointError) as refusal:
        post(server.address)
    assert str(refusal.value).startswith(f"Endpoint: {server.address} ")
    assert sentence in str(refusal.value)
    assert len(server.asked) == 1


def test_the_key_is_in_no_sentence(
    server: Chat, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Servers repeat it."""
    monkeypatch.setenv(KEY, "sk-very-secret")
    body = {"error": {"message": "Incorrect key: sk-very-secret.\nGo\x1b[2J away."}}
    in_turn(server, Reply(302, "", {"Location": "/sk-very-secret/"}))
    with pytest.raises(EndpointError, match=r"302: /\*\*\*/"):
        post(server.address)
    in_turn(server, Reply(429, body), Reply(401, body))
    with pytest.raises(
        EndpointError, match=r"401: Incorrect key: \*\*\*. Go \[2J away\); check th"
    ):
        post(server.address)
    assert "Incorrect key" in caplog.text
    assert "secret" not in caplog.text
    monkeypatch.setenv(KEY, "sk-very secret")
    with pytest.raises(InputError) as refusal:
        post(server.address)
    assert "secret" not in str(refusal.value)


def test_nobody_listens() -> None:
    """It may still start."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(EndpointError, match=r"no answer for 0.02 s \(nobody listens there\)"):
        post(f"http://127.0.0.1:{port}/v1", max_wait=0.02)
    with pytest.raises(EndpointError, match="there is no host"):
        post(f"http://{'a' * 64}.example/v1")


def test_no_tls(server: Chat) -> None:
    """An address with one letter too many."""
    with pytest.raises(EndpointError, match=r"does not speak https; the address may begin with"):
        post(server.address.replace("http", "https"))


def test_waiting_ends_with_the_work(server: Chat) -> None:
    """Where another request failed."""
    server.answer = lambda asked: Reply(500, "")
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    with pytest.raises(StoppedError):
        post(server.address, stop, max_wait=600.0)
