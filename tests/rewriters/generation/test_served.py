"""A chat model on a server: what becomes of rows, what is kept, what it costs."""

import json
import pickle
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fair_datasets import ModelRewrite, load_technique
from fair_datasets.rewriters.generation import endpoint, served, writing
from fair_datasets.rewriters.generation.endpoint import EndpointError
from fair_datasets.rewriters.generation.served import in_threads
from fair_datasets.rewriters.generation.writing import ABSENT, NO_ANSWER
from fair_datasets.system.checks import InputError
from fair_datasets.testing import check_technique
from tests.rewriters.generation.server import Chat, Reply, completion, edits, right_edits, serving

TEXTS = ["He is an actor.", "The nurse said that she left.", "It rains.", None]
RIGHT = ["She is an actress.", "The nurse said that he left.", "It rains.", None]
TWO = "Ann saw Bob, and she waved."


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for hundredths of a second, and know of no server what it takes."""
    monkeypatch.setattr(endpoint, "_FIRST_PAUSE", 0.01)
    monkeypatch.setattr(served, "_refused", {})
    monkeypatch.setenv(endpoint.KEY, "sk-very-secret")


@pytest.fixture
def server() -> Iterator[Chat]:
    """Serve the edits of the swap."""
    with serving() as found:
        yield found


def chat(server: Chat | str, **options: Any) -> ModelRewrite:
    """Return the technique."""
    address = server if isinstance(server, str) else server.address
    settings = {"columns": "text", "model": "m", "control": "chat", "mode": "replace"}
    return ModelRewrite(**{**settings, "endpoint": address, "max_wait": 0.05, **options})


def test_right_edits_are_kept(server: Chat) -> None:
    """Rows without anybody are not asked about."""
    found = chat(server)({"text": TEXTS})
    assert found["text"] == RIGHT
    assert found["rewrite_status"] == ["model", "model", None, None]
    assert len(server.asked) == 2
    asked = server.asked[0]
    assert (asked["model"], asked["temperature"], asked["max_tokens"]) == ("m", 0, 512)
    form = asked["response_format"]["json_schema"]
    assert form["strict"]
    assert form["schema"]["properties"]["edits"]["items"]["additionalProperties"] is False


@pytest.mark.parametrize(("answer", "fault"), [
    ("He left.", writing.NOT_EDITS), (Reply(body={"id": 1}), NO_ANSWER),
    (Reply(body={"choices": []}), NO_ANSWER),
    (Reply(body={"choices": [{"message": None}]}), NO_ANSWER),
    (Reply(body=completion(None)), NO_ANSWER),
    (Reply(body=completion(edits(("Ann", "John")), "length")), writing.CUT),
    (Reply(body=completion("", "content_filter")), writing.WITHHELD),
    (Reply(400, {"error": {"code": "content_filter"}}), writing.WITHHELD),
    (Reply(400, {"error": {"message": "maximum context length is 9"}}), writing.LONG_TEXT),
    (edits(("Anna", "John")), ABSENT),
    (edits(("Ann", "John"), ("she", "he"), ("Ann", "Jim", 2)), ABSENT),
    (edits(("Ann", "John"), ("she", "he"), ("waved", "waved and sang")), "invented"),
    (edits(("Ann", "John"), ("she", "he"), ("Bob", "Mary")), "wrong person"),
    (edits(("Bob", "Mary")), "unchanged"), (edits(("Ann", "John")), "broken chain"),
    (edits(), "unchanged"),
])  # fmt: skip
def test_a_wrong_answer_falls_back(server: Chat, answer: Any, fault: str) -> None:
    """The swap stands in, and the row says why."""
    server.answer = lambda asked: answer
    found = chat(server)({"text": [TWO]})
    assert found["rewrite_fault"] == [fault]
    assert found["rewrite_status"] == ["swap"]
    assert found["rewrite_reason"][0].endswith(".")
    assert len(server.asked) == 1


def test_a_server_that_takes_no_schema_is_asked_without(server: Chat) -> None:
    """After one refusal, for as long as the process lives."""

    def answer(asked: dict[str, Any]) -> Any:
        if "response_format" in asked:
            return Reply(422, {"detail": "response_format is not supported"})
        return right_edits(asked)

    server.answer = answer
    technique = chat(server, concurrency=1)
    assert technique({"text": TEXTS})["text"] == RIGHT
    assert technique({"text": TEXTS})["text"] == RIGHT
    assert ["response_format" in asked for asked in server.asked] == [True] + [False] * 4
    server.answer = lambda asked: Reply(400, {"error": {"message": "n must be 1"}})
    with pytest.raises(
        EndpointError, match=r"refuses what it is asked \(400: n must be 1\); change"
    ):
        technique({"text": TEXTS})


def test_a_parameter_that_a_server_refuses_is_left_out(
    server: Chat, caplog: pytest.LogCaptureFixture
) -> None:
    """Once it is named, with the schema kept; but not the temperature that the user chose."""

    def answer(asked: dict[str, Any]) -> Any:
        for name in ("max_tokens", "temperature", "seed"):
            if name in asked:
                said = f"Unsupported: '{name}' is not for this model."
                return Reply(400, {"error": {"message": said, "param": name}})
        return right_edits(asked)

    server.answer = answer
    technique = chat(server, concurrency=1)
    assert technique({"text": TEXTS})["text"] == RIGHT
    assert technique({"text": TEXTS})["text"] == RIGHT
    assert len(server.asked) == 2 + 4
    assert all("response_format" in asked for asked in server.asked)
    assert server.asked[-1]["max_completion_tokens"] == 512
    assert caplog.text.count("does not accept max_tokens, temperature for the model 'm'") == 1
    with pytest.raises(EndpointError, match="'temperature' is not for this model"):
        chat(server, model="n", temperature=0.5)({"text": TEXTS})


def test_nothing_is_paid_twice(server: Chat, tmp_path: Path) -> None:
    """Neither within a batch nor by another process; other questions are others."""
    technique = chat(server, cache=tmp_path / "kept")
    twice = {"text": [*TEXTS, *TEXTS]}
    assert technique(twice)["text"] == RIGHT * 2
    assert pickle.loads(pickle.dumps(technique))(twice)["text"] == RIGHT * 2
    assert len(server.asked) == 2
    for options in ({"temperature": 1.0}, {"model": "n"}, {"max_length": 99}, {"target": "man"}):
        before = len(server.asked)
        chat(server, cache=tmp_path / "kept", **options)({"text": TEXTS[1:2]})
        # What is asked for is the same where the target is the one that is drawn.
        assert len(server.asked) == before + ("target" not in options)
    kept = "".join(path.read_text() for path in (tmp_path / "kept").rglob("*") if path.is_file())
    assert "secret" not in kept
    for file in (tmp_path / "kept").rglob("*.json"):
        file.write_text("{half")
    assert technique({"text": TEXTS})["text"] == RIGHT


def test_no_more_is_spent_than_may_be(server: Chat, tmp_path: Path) -> None:
    """As the server counts; the same goes on where more may be."""
    rows = {"text": [f"He saw {number} dogs." for number in range(6)]}
    options: dict[str, Any] = {"cache": tmp_path, "concurrency": 1}
    with pytest.raises(EndpointError, match="300 tokens are spent, and max_tokens_total is 250"):
        chat(server, max_tokens_total=250, **options)(rows)
    assert len(server.asked) == 3
    found = chat(server, max_tokens_total=600, **options)(rows)
    assert len(server.asked) == 6
    assert set(found["rewrite_status"]) == {"model"}
    server.answer = lambda asked: Reply(body=completion(right_edits(asked), usage=None))
    with pytest.raises(EndpointError, match="does not say how many tokens"):
        chat(server, max_tokens_total=900, **options)({"text": ["She left."]})


def test_the_key_is_nowhere(server: Chat) -> None:
    """Nor what only says how a server is asked."""
    technique = chat(server, cache="kept", timeout=9)
    config = technique.config()
    told = repr(technique), str(config), str(pickle.dumps(technique))
    assert "secret" not in "".join(told)
    assert not {"cache", "timeout", "max_wait", "concurrency"} & config["parameters"].keys()
    assert chat(server, timeout=8) == technique
    with pytest.raises(InputError, match=r"names 'http://127\.0\.0\.1:"):
        load_technique(config, allow=["m"])
    assert load_technique(config, allow=["m", server.address]) == technique


@pytest.mark.slow
def test_it_is_pure_through_its_cache(server: Chat, tmp_path: Path) -> None:
    """Which the checker of the contract asks for."""
    rows = {"text": ["He is an actor.", "The nurse said that she left.", "It rains."]}
    with pytest.raises(AssertionError, match="a server may answer differently the next time; give"):
        check_technique(chat(server), rows)
    check_technique(chat(server, cache=tmp_path), rows)


def test_a_judge_is_asked_and_decides_nothing(server: Chat) -> None:
    """It is told where it agrees; another server is not sent the key."""
    said = iter(['{"right": true}', '{"right": false}', '{"right": "yes"}'])

    def judge(asked: dict[str, Any]) -> Any:
        assert "\n\nBefore:\n" in asked["messages"][0]["content"]
        return next(said)

    with serving(judge) as other:
        technique = chat(server, judge=f"{other.address}#j", concurrency=1)
        found = technique({"text": ["She left.", "He sang.", "It rained.", "He ran."]})
    assert found["rewrite_judge"] == [
        "both accept", "only verify accepts", None, "the judge says nothing"
    ]  # fmt: skip
    assert found["rewrite_status"] == ["model", "model", None, "model"]
    assert [asked["model"] for asked in other.asked] == ["j"] * 3
    assert "authorization" in server.headers[0]
    assert "authorization" not in other.headers[0]


def test_a_judge_of_the_same_server(server: Chat) -> None:
    """Is another model of it; what was not written is not judged."""

    def answer(asked: dict[str, Any]) -> Any:
        return edits(("He", "It")) if asked["model"] == "m" else '{"right": true}'

    server.answer = answer
    found = chat(server, judge="j", provenance=True)({"text": ["He left.", "She left."]})
    assert found["rewrite_judge"] == ["only the judge accepts", None]


def test_requests_run_at_once_but_not_all() -> None:
    """As many as may."""
    running, most, lock = [0], [0], threading.Lock()
    together = threading.Barrier(3)

    def work(item: int, stop: threading.Event) -> int:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        together.wait(timeout=30)
        with lock:
            running[0] -= 1
        return item * 2

    assert in_threads(work, range(9), 3) == [item * 2 for item in range(9)]
    assert most == [3]


def test_what_was_answered_before_a_fault_is_kept(server: Chat, tmp_path: Path) -> None:
    """So that the same again asks only for the others."""
    server.answer = lambda asked: (
        Reply(401, "") if "99" in json.dumps(asked["messages"]) else right_edits(asked)
    )  # fmt: skip
    rows = {"text": ["He saw 1 dog.", "He saw 99 dogs."]}
    technique = chat(server, cache=tmp_path, concurrency=1)
    with pytest.raises(EndpointError, match="401"):
        technique(rows)
    server.answer = right_edits
    assert technique(rows)["text"] == ["She saw 1 dog.", "She saw 99 dogs."]
    assert len(server.asked) == 3
