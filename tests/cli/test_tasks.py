"""Commands that go on from what an earlier run finished."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict, load_dataset

from fair_datasets.cli.pipeline import Unchanged
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import NOTES
from tests.jobs.test_job import is_at_work


def contents(folder: Path) -> dict[str, bytes]:
    """Return what lies in a folder, or a file."""
    files = [path for path in (folder, *folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def wait_for_shard(work: Path, process: "subprocess.Popen[str]") -> None:
    """Wait until a shard is finished."""
    while not list(work.glob(f"{NOTES}/train-*.json")):
        assert process.poll() is None
        time.sleep(0.01)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file that is worked through in eight shards."""
    file = tmp_path_factory.mktemp("in") / "rows.csv"
    lines = (f"He saw her mother and the waiter {number} said so.\n" for number in range(8_000))
    file.write_text("text\n" + "".join(lines), encoding="utf-8")
    return file


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code", "name"), [
    (signal.SIGKILL, -9, "out"), (signal.SIGKILL, -9, "out.jsonl.gz"), (signal.SIGQUIT, -3, "out"),
    (signal.SIGHUP, 129, "out"),
])  # fmt: skip
def test_a_job_that_was_ended_goes_on(
    start: Any, run: Any, rows: Path, tmp_path: Path, number: int, code: int, name: str
) -> None:
    """However it ended: no process is left, the same command goes on, and the bytes are equal."""
    words = ["augment", rows, "--text", "text", "--shard-rows", 1000]
    out, work, whole = tmp_path / name, tmp_path / f"{name}.work", tmp_path / "whole" / name
    process = start(*words, "--out", out, "--num-proc", 2, anew=True)
    wait_for_shard(work, process)
    workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(workers) == 2
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    if code > 0:
        assert err == (
            f"\nfair-datasets: interrupted; what is finished is kept in {work}, and the same "
            "command goes on from there.\n"
        )
    deadline = time.monotonic() + 20
    while any(map(is_at_work, map(int, workers))):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert [path.name for path in tmp_path.iterdir()] == [work.name]
    told = run("status", out)
    assert re.search(r"not running, [1-7] of 8 shards finished", told.out)
    assert run(*words, "--out", out).code == 0
    assert seen_in(tmp_path) == [name]
    assert run(*words, "--out", whole).code == 0
    assert contents(out) == contents(whole)


def test_a_command_that_is_finished_does_nothing_again(
    run: Any, reviews: Path, tmp_path: Path
) -> None:
    """It says so; another command of the same output is refused."""
    words = ["augment", reviews, "--text", "text", "--out", tmp_path / "out"]
    assert run(*words).code == 0
    before = contents(tmp_path / "out")
    times = [path.stat().st_mtime_ns for path in (tmp_path / "out" / "data").iterdir()]
    (tmp_path / "out" / NOTES).mkdir()  # as if it was ended after all was done
    again = run(*words).quiet()
    assert "An earlier run of the same command has finished; nothing is done again." in again.out
    assert [path.stat().st_mtime_ns for path in (tmp_path / "out" / "data").iterdir()] == times
    assert contents(tmp_path / "out") == before
    assert not (tmp_path / "out" / NOTES).exists()
    other = run(*words, "--mode", "replace").refused()
    assert "/out was written by a run of another technique (mode); give --overwrite" in other
    reviews.write_text(reviews.read_text().replace("He ", "He never "))
    assert run(*words).code == 2
    assert run(*words, "--overwrite").code == 0
    assert "She never" in "".join(load_dataset(str(tmp_path / "out"))["train"]["text"])
    told = run("status", tmp_path / "out")
    assert told.out == f"{tmp_path / 'out'}: finished, 1 shard, 3 rows.\n"


def test_a_file_that_is_finished_is_left(run: Any, reviews: Path, tmp_path: Path) -> None:
    """As a folder is, also where it was copied; another command is refused, and so is a change."""
    out = tmp_path / "out.csv"
    words = ["augment", reviews, "--text", "text", "--out", out]
    assert run(*words).code == 0
    content = out.read_bytes()
    os.utime(out)
    again = run(*words).quiet()
    assert "An earlier run of the same command has finished; nothing is done again." in again.out
    assert run("status", out).out == f"{out}: finished, 1 shard, 3 rows.\n"
    other = run(*words, "--mode", "replace").refused()
    assert "out.csv was written by a run of another technique (mode); give --overwrite" in other
    out.write_bytes(content.replace(b"She", b"Sir"))
    assert "out.csv already exists, and nothing is overwritten" in run(*words).err
    out.unlink()
    assert run(*words).code == 0
    assert out.read_bytes() == content
    assert run(*words, "--mode", "replace", "--overwrite").code == 0
    assert "written by a run of another technique (" in run(*words).err
    assert seen_in(tmp_path) == ["out.csv", "reviews.csv"]


def seen_in(folder: Path) -> list[str]:
    """List what lies in a folder, but what is hidden, such as the manifest of a file."""
    return sorted(name for name in os.listdir(folder) if not name.startswith("."))


def test_a_log_has_a_line_for_each_shard(run: Any, reviews: Path, tmp_path: Path) -> None:
    """With its time; a second run writes behind the first."""
    log = tmp_path / "log.txt"
    for name in ("a", "b"):
        run("augment", reviews, "--text", "text", "--shard-rows", 1, "--out",
            tmp_path / name, "--log-file", log).done()  # fmt: skip
    lines = log.read_text().splitlines()
    assert len(lines) == 2 * 3
    assert re.fullmatch(r"\d{4}-.+T.+ train-00000-of-00002: 1 rows; .+ rows/s, .+ left", lines[1])


@pytest.mark.parametrize(("name", "more"), [("out", []), ("out.csv", ["--overwrite"])])
def test_a_job_that_was_killed_while_it_tidied_up(
    run: Any, reviews: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, more: Any
) -> None:
    """The result is there already; the same command removes the rest."""
    words = ["augment", reviews, "--text", "text", "--out", tmp_path / name, *more]
    with monkeypatch.context() as patch:
        patch.setattr("fair_datasets.cli.outputs.discard", lambda folder: None)
        patch.setattr("fair_datasets.jobs.file_outputs.remove_notes", lambda folder: None)
        assert run(*words).code == 0
    assert list(tmp_path.rglob(NOTES))
    before = contents(tmp_path / name)
    again = run(*words).done()
    assert ("nothing is done again" in again.out) == (not more)
    assert seen_in(tmp_path) == sorted([name, "reviews.csv"])
    after = contents(tmp_path / name)
    assert after == {file: data for file, data in before.items() if not file.startswith(NOTES)}


def test_what_is_read_meanwhile_may_be_broken(
    run: Any, reviews: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a run leaves it that was killed while it made it."""
    words = ["augment", reviews, "--text", "text", "--out", tmp_path / "out.csv"]

    def fail(*anything: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("fair_datasets.cli.tasks.write_file", fail)
        assert run(*words).code == 1
    (cached,) = tmp_path.rglob("*.arrow")
    cached.unlink()
    assert run(*words).code == 0
    assert seen_in(tmp_path) == ["out.csv", "reviews.csv"]


def test_a_role_that_speaks_in_some_shards_only(run: Any, tmp_path: Path) -> None:
    """It is enough that it speaks somewhere."""
    chats = [[{"role": role, "content": "He ran."}] for role in ("user", "assistant")]
    file = tmp_path / "chats.jsonl"
    file.write_text("".join(json.dumps({"m": chat}) + "\n" for chat in chats))
    outcome = run("augment", file, "--text", "m[].content", "--role", "user", "--shard-rows", 1,
                  "--out", tmp_path / "out").quiet()  # fmt: skip
    assert "train: 2 rows in, 3 rows out, 1 rewritten" in outcome.out


def test_a_source_that_is_written_meanwhile(reviews: Path, tmp_path: Path) -> None:
    """It is told in a sentence that names the file."""
    unchanged = Unchanged([str(tmp_path)])
    unchanged()
    with reviews.open("a") as file:
        file.write("He ran.\n")
    with pytest.raises(InputError, match=rf"{reviews} was changed while it was read; run the"):
        unchanged()


@pytest.mark.slow
def test_another_name_is_another_source(run: Any, start: Any, rows: Path, tmp_path: Path) -> None:
    """The same bytes are other rows as text than as CSV."""
    words = ["--text", "text", "--shard-rows", 500, "--out", tmp_path / "out"]
    process = start("augment", rows, *words)
    wait_for_shard(tmp_path / "out.work", process)
    process.kill()
    process.communicate()
    other = tmp_path / "rows.txt"
    other.write_bytes(rows.read_bytes())
    assert "holds an unfinished job of another source;" in run("augment", other, *words).refused()


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of labelled pairs with scores, which several commands read."""
    file = tmp_path_factory.mktemp("scored") / "rows.jsonl"
    words = [("He", "She"), ("She", "He"), ("It", "It")]
    file.write_text("".join(
        json.dumps({
            "text": f"{words[n % 3][0]} was {('kind', 'rude')[n % 2]} on day {n}.",
            "text_counterfactual": f"{words[n % 3][1]} was {('kind', 'rude')[n % 2]} on day {n}.",
            "label": n % 2, "gender_equity": (n * 7 % 100) / 100, "bias_score": n / 1200,
        }) + "\n"
        for n in range(1200)
    ))  # fmt: skip
    return file


COMMANDS = {
    "score": ["--text", "text", "--probes", 1, "--score", "el2n"],
    "select": ["--text", "text", "-a", 0.9, "-b", 0.9],
    "correct": ["--text", "text", "--correction", "Aug50"],
}


def without_pairs(file: Path, folder: Path) -> Path:
    """Return the rows as `score` reads them: it makes the counterfactuals itself."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    made = folder / "in" / "rows.jsonl"
    made.parent.mkdir()
    kept = [{name: line[name] for name in ("text", "label")} for line in lines]
    made.write_text("".join(json.dumps(line) + "\n" for line in kept))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_other_commands_go_on_too(
    command: str, start: Any, run: Any, scored: Path, tmp_path: Path
) -> None:
    """Killed with shards finished, the same command gives the bytes of one that was not."""
    source = without_pairs(scored, tmp_path) if command == "score" else scored
    words = [command, source, *COMMANDS[command], "--shard-rows", 100]
    out = tmp_path / "out"
    log = ["--log-file", tmp_path / "log.txt"]
    process = start(*words, "--out", out, *log)
    while not list(Path(f"{out}.work").rglob(f"{NOTES}/train-0*.json")):
        assert process.poll() is None
        time.sleep(0.005)
    process.kill()
    process.communicate()
    told = run("status", out)
    assert re.search(
        r"not running, (step 1-SwapAbove: )?[0-9]+ of [0-9]+ shards finished", told.out
    )
    other = run(
        *words, "--out", out, *log, *(["-b", 0.5] if command == "select" else ["--limit", 9])
    ).refused()
    assert "holds an unfinished job of another" in other
    assert run(*words, "--out", out, *log).code == 0
    assert re.search(r"\n.+ [1-9][0-9]* of [0-9]+ shards are finished", log[1].read_text())
    assert run(*words, "--out", tmp_path / "whole" / "out").code == 0
    assert contents(out) == contents(tmp_path / "whole" / "out")
    work = Path(f"{out}.work")
    # The probes stay.
    assert sorted(os.listdir(work)) == ["probes"] if command == "score" else not work.exists()
    again = run(*words, "--out", out).quiet()
    assert "nothing is done again" in again.out
    assert "finished, " in run("status", out).out
    assert load_dataset(str(out))["train"].num_rows > 0


def test_a_score_that_is_refused_leaves_nothing(run: Any, scored: Path, tmp_path: Path) -> None:
    """Nothing is in the way of the right command."""
    source = without_pairs(scored, tmp_path)
    words = ["score", source, *COMMANDS["score"], "--limit", 300, "--out", tmp_path / "out"]
    (tmp_path / "in" / "model").mkdir()
    outcome = run(*words, "--model", tmp_path / "in" / "model").refused()
    assert "cannot be loaded as a model to fine-tune" in outcome
    assert sorted(os.listdir(tmp_path)) == ["in"]
    assert run(*words).code == 0


def test_the_rows_of_score_lie_beside_the_output(
    run: Any, scored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the probes are: nothing can be renamed from one disk to another."""
    source = without_pairs(scored, tmp_path)
    words = ["score", source, *COMMANDS["score"], "--limit", 300, "--shard-rows", 100]
    words += ["--work", tmp_path / "probes", "--out", tmp_path / "out.jsonl"]

    def fail(*anything: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("fair_datasets.cli.tasks.write_file", fail)
        failed = run(*words)
    assert failed.code == 1
    kept = f"what is finished is kept in {tmp_path / 'out.jsonl.work'}, and the same command goes"
    assert kept in failed.err
    assert run(*words).code == 0
    assert seen_in(tmp_path) == ["in", "out.jsonl", "probes"]
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 300


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_rows_that_diet_chose_are_written_by_shards(
    run: Any, scored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is finished is left; nothing but the result stays."""
    source = without_pairs(scored, tmp_path)
    words = ["diet", source, "--text", "text", "--limit", 300, "--seeds", 1, "--probes", 1, "-a",
             0.5, "-b", "0,0.5", "--max-auc-drop", 90, "--shard-rows", 50]  # fmt: skip
    words += ["--out", tmp_path / "out"]

    def fail(*anything: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("fair_datasets.cli.diet.save_picture", fail)
        assert run(*words).code == 1
    assert "5 of 5 shards finished" in run("status", tmp_path / "out").out
    assert run(*words).code == 0
    assert sorted(os.listdir(tmp_path)) == ["in", "out"]
    assert "nothing is done again" in run(*words).out
    found = load_dataset(str(tmp_path / "out"))
    assert len(found["validation"]) == len(found["test"]) == 30


@pytest.mark.parametrize("command", ["augment", "correct"])
def test_splits_that_could_not_be_opened(run: Any, tmp_path: Path, command: str) -> None:
    """Those without rows, and those of other columns, are told before any work is done."""
    rows = Dataset.from_dict({"text": ["He ran."], "bias_score": [0.5]})
    other = rows.add_column("id", [1])
    for name, test in (("empty", rows.select([])), ("other", other)):
        DatasetDict(train=rows, test=test).save_to_disk(str(tmp_path / name))
    words = ["--text", "text", *(["--correction", "Aug50"] if command == "correct" else [])]
    for name, sentence in (
        ("empty", "(split test) has no rows; there is nothing to do in it; give the others alone"),
        ("other", "the splits 'train' and 'test' differ in 'id', and load_dataset opens splits of"),
    ):
        outcome = run(command, tmp_path / name, *words, "--out", tmp_path / "out").refused()
        assert sentence in outcome
    assert run(command, tmp_path / "empty" / "train", *words, "--out", tmp_path / "out").code == 0
    assert sorted(os.listdir(tmp_path)) == ["empty", "other", "out"]


def test_a_correction_that_leaves_nothing(run: Any, tmp_path: Path) -> None:
    """Of a split is told, and nothing is kept."""
    rows = {name: Dataset.from_dict({"text": ["He ran."] * 3, "bias_score": [score] * 3})
            for name, score in (("train", 0.1), ("test", 0.9))}  # fmt: skip
    DatasetDict(rows).save_to_disk(str(tmp_path / "in"))
    outcome = run("correct", tmp_path / "in", "--text", "text", "--correction", "Sub40", "--out",
                  tmp_path / "out").refused()  # fmt: skip
    assert "None of the " in outcome
    assert "the split 'test' is left" in outcome
    assert sorted(os.listdir(tmp_path)) == ["in"]
