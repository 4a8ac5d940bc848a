"""Jobs that go on after anything, and give what an undisturbed run gives."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, load_dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.jobs.job import (
    MANIFEST,
    default_work_folder,
    find_corrupt_file,
    is_written,
    lock_and_resume,
    manifest_of,
    remove_notes,
)
from fair_datasets.jobs.processes import LostWorkerError, local
from fair_datasets.jobs.rewriting import RewriteShard
from fair_datasets.jobs.shards import default_rows, shards_of, status_lines
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import NOTES
from fair_datasets.system.retry import BusyHubError

IDENTITY = {"source": "a", "technique": {"n": 1}}
ROWS = Dataset.from_dict({"text": [f"He was there on day {n}." for n in range(50)]})
SWAP = CounterfactualSwap(columns="text")
WORK = RewriteShard(SWAP, SWAP.features(ROWS.features))


class Stopped:
    """Rewrites shards, and does something else at one of them."""

    def __init__(self, row: str, action: Callable[[], None]) -> None:
        """Take the first row of that shard, and what is done there."""
        self.row, self.action = row, action

    def __call__(self, rows: Dataset, progress: Any) -> Any:
        """Rewrite a shard."""
        if rows["text"][0] == self.row:
            self.action()
        return WORK(rows, progress)


def fail() -> None:
    """Fail as a disk does."""
    raise OSError(28, "No space left on device")


def refuse() -> None:
    """Refuse the rows."""
    raise InputError("Row 20 is no text.")


def die() -> None:
    """End the process, as the system does for want of memory."""
    os.kill(os.getpid(), 9)


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork also where other tests loaded torch: nobody can import this module by its name."""
    monkeypatch.setattr("fair_datasets.jobs.processes._method", lambda: "fork")


def work_on(folder: Path, work: Any = WORK, identity: Any = IDENTITY, num_proc: int = 1) -> Any:
    """Work through the rows, ten at a time, and return what was logged."""
    lines: list[str] = []
    with lock_and_resume(folder, identity) as job:
        job.run({"train": ROWS}, {"train": work}, rows={"train": 10}, engine=local(num_proc),
                log=lines.append)  # fmt: skip
        job.state()
    remove_notes(folder)
    return lines


def test_a_job_begins_where_nothing_is(tmp_path: Path) -> None:
    """An empty folder counts as none; what holds something else stays as it is."""
    empty, other = tmp_path / "empty", tmp_path / "other"
    empty.mkdir()
    assert work_on(empty)
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    for place in (other, other / "mine.txt"):
        with pytest.raises(InputError, match="holds something else; remove it, or name another"):
            work_on(place)
    assert [*other.iterdir()] == [other / "mine.txt"]


def contents(folder: str | Path) -> dict[str, bytes]:
    """Return what lies in a folder."""
    files = (path for path in Path(folder).rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return what an undisturbed job writes."""
    folder = tmp_path_factory.mktemp("whole") / "job"
    work_on(folder)
    return contents(folder)


def test_a_finished_job_is_a_dataset_with_a_manifest(tmp_path: Path) -> None:
    """One Parquet file for each shard, whose rows and digests the manifest holds."""
    lines = work_on(tmp_path / "job")
    assert load_dataset(str(tmp_path / "job"))["train"][:] == SWAP.apply(ROWS)[:]
    assert sorted(path.name for path in (tmp_path / "job").iterdir()) == [MANIFEST, "data"]
    manifest = manifest_of(tmp_path / "job")
    assert {name: manifest[name] for name in IDENTITY} == IDENTITY
    assert [shard["rows_out"] for shard in manifest["shards"]] == [20] * 5
    assert lines[-1].startswith("train-00004-of-00005: 10 rows; Rewriting: rows 50 of 50, ")


@pytest.mark.parametrize(("num_proc", "action", "error"), [
    (1, fail, OSError), (2, fail, OSError), (2, die, LostWorkerError),
])  # fmt: skip
def test_a_job_that_failed_goes_on(
    tmp_path: Path, whole: dict[str, bytes], num_proc: int, action: Any, error: type[Exception]
) -> None:
    """With the same result, and without doing what is finished again."""
    folder = tmp_path / "job"
    with pytest.raises(error):
        work_on(folder, Stopped("He was there on day 20.", action), num_proc=num_proc)
    finished = sorted((folder / NOTES).glob("train-*.json"))
    assert finished
    lines = work_on(folder, num_proc=num_proc)
    assert lines[0].startswith(f"{len(finished)} of 5 shards are finished; ")
    assert contents(folder) == whole


def test_what_was_cut_or_changed_is_done_again(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """As is what lies there without a note, or half-written."""
    folder = tmp_path / "job"
    with pytest.raises(OSError, match="No space"):
        work_on(folder, Stopped("He was there on day 40.", fail))
    files = sorted((folder / "data").iterdir())
    files[0].write_bytes(files[0].read_bytes()[:-9])
    files[1].write_bytes(bytes(reversed(files[1].read_bytes())))
    (folder / NOTES / f"{files[2].stem}.json").unlink()
    (folder / NOTES / "train-00004-of-00005.parquet.partial").write_bytes(b"PAR1")
    lines = work_on(folder)
    assert lines[0] == "1 of 5 shards are finished; 40 rows are to do"
    assert contents(folder) == whole


def test_a_shard_lies_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a file that is renamed before it is written may be empty after a power cut."""
    synced: set[int] = set()
    sync, replace = os.fsync, os.replace

    def watched(old: Path, new: Path) -> None:
        assert Path(old).stat().st_ino in synced
        replace(old, new)

    def noted(file: int) -> None:
        synced.add(os.fstat(file).st_ino)
        sync(file)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(os, "replace", watched)
    work_on(tmp_path / "job")
    assert len(list((tmp_path / "job" / "data").iterdir())) == 5


def test_a_file_is_told_by_its_digest_where_its_time_is_another(tmp_path: Path) -> None:
    """A copy is as finished as the folder itself; other bytes of the same size are not."""
    work_on(tmp_path / "job")
    shutil.copytree(tmp_path / "job", tmp_path / "copy", copy_function=shutil.copyfile)
    for folder in (tmp_path / "job", tmp_path / "copy"):
        assert is_written(folder, IDENTITY)
        file = folder / "data" / "train-00003-of-00005.parquet"
        file.write_bytes(bytes(reversed(file.read_bytes())))
        assert find_corrupt_file(folder) == "data/train-00003-of-00005.parquet"
        assert not is_written(folder, IDENTITY)


def test_another_job_is_refused(tmp_path: Path) -> None:
    """By a sentence that says what differs; what is finished stays."""
    folder = tmp_path / "job"
    with pytest.raises(OSError, match="No space"):
        work_on(folder, Stopped("He was there on day 20.", fail))
    before = contents(folder)
    with pytest.raises(InputError, match="unfinished job of another technique; run the command"):
        work_on(folder, identity={**IDENTITY, "technique": {"n": 2}})
    with pytest.raises(InputError, match="unfinished job of another source and technique"):
        work_on(folder, identity={})
    assert contents(folder) == before


def test_a_hub_that_is_busy_takes_nothing_away(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """As the same goes well once it is not."""

    def wait() -> None:
        raise BusyHubError("The Hub asks to wait 3,600 s.")

    with pytest.raises(InputError, match="asks to wait"):
        work_on(tmp_path / "job", Stopped("He was there on day 20.", wait))
    assert work_on(tmp_path / "job")[0] == "2 of 5 shards are finished; 30 rows are to do"
    assert contents(tmp_path / "job") == whole


@pytest.mark.parametrize("num_proc", [1, 2])
def test_rows_that_are_refused_leave_nothing(tmp_path: Path, num_proc: int) -> None:
    """As once they are mended, they are others."""
    with pytest.raises(InputError, match="Row 20 is no text"):
        work_on(
            tmp_path / "a" / "job", Stopped("He was there on day 20.", refuse), num_proc=num_proc
        )
    assert list(tmp_path.rglob("*.parquet")) == []
    assert not (tmp_path / "a" / "job").exists()


def test_a_job_that_finished_nothing_leaves_nothing(tmp_path: Path) -> None:
    """Nor the folders above it, which it made."""
    with pytest.raises(OSError, match="No space"):
        work_on(tmp_path / "a" / "b" / "job", Stopped("He was there on day 0.", fail))
    assert list(tmp_path.iterdir()) == []


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    """The second is told; the first goes on."""
    with lock_and_resume(tmp_path / "job", IDENTITY) as job:
        (job.folder / NOTES / "train-00000-of-00001.json").write_text("{}")
        with (
            pytest.raises(InputError, match="Another process works on"),
            lock_and_resume(tmp_path / "job", IDENTITY),
        ):
            pytest.fail("both are at work")
        assert (job.folder / NOTES / "job.json").is_file()


def test_an_interrupt_is_obeyed_between_batches(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is finished stays."""

    def interrupt() -> None:
        monkeypatch.setattr(interrupts, "_noted", interrupts._Noted(number=2))

    with pytest.raises(KeyboardInterrupt):
        work_on(tmp_path / "job", Stopped("He was there on day 20.", interrupt))
    monkeypatch.undo()
    assert len(list((tmp_path / "job" / "data").iterdir())) == 2
    work_on(tmp_path / "job")
    assert contents(tmp_path / "job") == whole


def test_long_rows_make_small_shards() -> None:
    """And a split without rows is one shard."""
    long = Dataset.from_dict({"text": ["x" * 1_000_000] * 128})
    assert default_rows(long) == 15
    assert default_rows(Dataset.from_dict({"text": ["x"] * 640_000})) == 20_000
    (empty,) = shards_of("test", 0, 10)
    assert (empty.start, empty.stop, empty.name) == (0, 0, "test-00000-of-00001")


def test_the_digest_is_that_of_the_file(tmp_path: Path) -> None:
    """As `sha256sum` gives it."""
    work_on(tmp_path / "job")
    manifest = json.loads((tmp_path / "job" / MANIFEST).read_text())
    for shard in manifest["shards"]:
        file = tmp_path / "job" / "data" / f"{shard['name']}.parquet"
        assert hashlib.sha256(file.read_bytes()).hexdigest() == shard["digest"]


def test_broken_notes_are_told_or_done_again(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """What is known of a shard is found again by doing it; whose job it is, is not."""
    folder = tmp_path / "job"
    with pytest.raises(OSError, match="No space"):
        work_on(folder, Stopped("He was there on day 40.", fail))
    notes = folder / NOTES
    for number, text in enumerate(['{"name": "tr', "[1]", '{"rows_in": 1}']):
        (notes / f"train-0000{number}-of-00005.json").write_text(text)
    (notes / "progress.json").write_text('{"pro')
    assert status_lines(folder)[0].endswith(": not running, 1 of 5 shards finished, 10 of 50 rows.")
    known = (notes / "job.json").read_text()
    (notes / "job.json").write_text(known[:9])
    with pytest.raises(InputError, match=r"job/job\.json, which says of what, is broken; remove"):
        work_on(folder)
    (notes / "job.json").write_text(known)
    assert work_on(folder)[0] == "1 of 5 shards are finished; 40 rows are to do"
    assert contents(folder) == whole


def test_shards_that_begin_elsewhere_are_no_part_of_it(
    tmp_path: Path, whole: dict[str, bytes]
) -> None:
    """Where the same rows lie otherwise in memory, their shards may have another size."""
    folder = tmp_path / "job"
    with pytest.raises(OSError, match="No space"):
        work_on(folder, Stopped("He was there on day 40.", fail))
    (folder / "data" / "train-00000-of-00002.parquet").write_bytes(b"PAR1")
    work_on(folder)
    assert contents(folder) == whole


def test_a_folder_that_lacks_a_file_is_not_finished(tmp_path: Path) -> None:
    """Nor is one whose manifest somebody else wrote."""
    work_on(tmp_path / "job")
    file = tmp_path / "job" / "data" / "train-00003-of-00005.parquet"
    file.write_bytes(file.read_bytes()[:-1])
    assert manifest_of(tmp_path / "job") is None
    for text in ("{}", "[1]", '{"shards": [1]}', '{"sha'):
        (tmp_path / "job" / MANIFEST).write_text(text)
        assert manifest_of(tmp_path / "job") is None


def test_a_link_has_its_work_where_it_leads_to(tmp_path: Path) -> None:
    """As nothing can be renamed from one disk to another."""
    (tmp_path / "link").symlink_to(tmp_path / "far" / "away")
    assert default_work_folder(tmp_path / "link") == tmp_path / "far" / "away.work"
    assert default_work_folder(Path()) == Path.cwd().with_name(f"{Path.cwd().name}.work")


_HUNG = """
import re
from fair_datasets.jobs.processes import run_pool
from fair_datasets.jobs.shards import Shard
def hang(shard, progress):
    progress(1)
    re.match("(a+)+$", "a" * 99 + "b")
shards = [Shard("train", 0, 1, 0, 1)]
for _ in run_pool(shards, hang, lambda rows: rows and print("at work", flush=True), count=1):
    pass
"""


@pytest.mark.slow
def test_a_process_that_hangs_ends_with_its_parent() -> None:
    """Also where it lets none of its threads run."""
    with subprocess.Popen([sys.executable, "-c", _HUNG], stdout=-1, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "at work\n"
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
        parent.kill()
        parent.wait()
        deadline = time.monotonic() + 20
        while any(map(is_at_work, map(int, children))):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert len(children) == 1


_LOCKED = """
import os
from datasets.utils import tqdm
from fair_datasets.jobs.processes import LostWorkerError, run_pool
from fair_datasets.jobs.shards import Shard
def die(shard, progress):
    tqdm.get_lock().acquire()
    os.kill(os.getpid(), 9)
with tqdm(total=1) as bar:
    try:
        list(run_pool([Shard("train", 0, 1, 0, 1)], die, lambda rows: None, count=1))
    except LostWorkerError:
        bar.update()
print("told")
"""


@pytest.mark.slow
def test_a_process_that_is_killed_holds_no_lock_of_its_parent() -> None:
    """Every bar takes one, and whoever shares it would wait for ever."""
    words = [sys.executable, "-c", _LOCKED]
    told = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
    assert told.stdout == "told\n"


def is_at_work(process: int) -> bool:
    """Whether a process is there and is more than an entry of its parent's list."""
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
