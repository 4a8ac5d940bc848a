"""`augment` by a model on a server: its cost beforehand, its limits, and what is paid once."""

import json
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.rewriters.generation import endpoint
from tests.rewriters.generation.server import Chat, Reply, right_edits, serving


@pytest.fixture
def server() -> Iterator[Chat]:
    """Serve the edits of the swap."""
    with serving() as found:
        yield found


@pytest.fixture
def augment(server: Chat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Return the words of a command, in a folder with twelve rows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(endpoint.KEY, "sk-very-secret")
    monkeypatch.setattr(endpoint, "_FIRST_PAUSE", 0.01)
    rows = [{"text": f"He saw {number} dogs."} for number in range(12)]
    Path("in.jsonl").write_text("\n".join(map(json.dumps, rows)))
    yield [
        "augment", "in.jsonl", "--text", "text", "--technique", "ModelRewrite", "--set", "model=m",
        "--set", "control=chat", "--set", f"endpoint={server.address}",
    ]  # fmt: skip
    said = "".join(path.read_text("latin-1") for path in tmp_path.rglob("*") if path.is_file())
    assert "very-secret" not in said


def test_a_dry_run_tells_what_it_would_cost(run: Any, server: Chat, augment: list[Any]) -> None:
    """And asks nobody; a tokenizer counts, and without it that is said."""
    outcome = run(*augment, "--dry-run", "--price", "100,200").done()
    told = re.search(
        r"requests: 12\ntokens in: about ([\d,]+)\ntokens out: about (\d+), if", outcome.out
    )
    assert told is not None
    read, written = (int(number.replace(",", "")) for number in told.groups())
    assert f"price: about {(read + 2 * written) / 1e4:,.2f}" in outcome.out
    assert "Four characters were taken for a token; --tokenizer NAME counts them." in outcome.out
    assert not server.asked
    run(*augment, "--out", "out")
    sent = sum(len(asked["messages"][0]["content"]) for asked in server.asked)
    assert abs(read - sent / 4) < 12 * 9


def test_what_the_server_answered_is_paid_once(run: Any, server: Chat, augment: list[Any]) -> None:
    """Whatever ends the work, and once all is done nothing is left of it."""
    server.answer = lambda asked: Reply(404, "")
    assert "is kept" not in run(*augment, "--out", "out").err
    server.answer = right_edits
    server.asked.clear()
    outcome = run(*augment, "--out", "out", "--max-tokens-total", 300).refused()
    assert "--max-tokens-total is 300; raise it and run the same again: no answer" in outcome
    assert "is kept in out.work/answers, and the same command goes on from there" in outcome
    paid = len(server.asked)
    assert 3 <= paid < 12
    server.answer = lambda asked: Reply(401, {"error": "no"})
    outcome = run(*augment, "--out", "out")
    assert (outcome.code, "(401: no); check that the key in FAIR_" in outcome.err) == (2, True)
    server.answer, before = right_edits, len(server.asked)
    run(*augment, "--out", "out").done()
    assert len(server.asked) - before == 12 - paid
    assert sorted(os.listdir()) == ["in.jsonl", "out"]
    card = Path("out/README.md").read_text()
    assert f"endpoint={server.address} --set model=m --set control=chat " in card
    assert "An earlier run" in run(*augment, "--out", "out").out


def test_a_judge_is_told_of(run: Any, server: Chat, augment: list[Any]) -> None:
    """By the command and in the card."""

    def answer(asked: dict[str, Any]) -> str:
        text = asked["messages"][0]["content"]
        return (
            right_edits(asked) if asked["model"] == "m" else json.dumps({"right": "7" not in text})
        )

    server.answer = answer
    outcome = run(*augment, "--out", "out", "--set", "judge=j")
    sentence = "The judge agrees with verify on 11 of 12 rewrites."
    assert sentence in outcome.out
    assert sentence in Path("out/README.md").read_text()


@pytest.mark.slow
def test_an_interrupt_keeps_what_was_answered(start: Any, server: Chat, augment: list[Any]) -> None:
    """Even before a shard is finished, and without waiting for the server."""
    server.answer = lambda asked: (
        Reply(seconds=30) if "1 dogs" in json.dumps(asked["messages"]) else right_edits(asked)
    )  # fmt: skip
    process = start(*map(str, augment), "--out", "out")
    while len(server.asked) < 12:
        time.sleep(0.05)
    time.sleep(0.5)
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 143
    assert "is kept in out.work/answers" in said
    assert time.monotonic() - began < 25
    assert len(list(Path("out.work/answers").rglob("*.json"))) == 10
