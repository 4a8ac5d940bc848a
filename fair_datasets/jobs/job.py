"""A job: a folder that is written shard by shard, and what is known of it."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.jobs.processes import Engine, run_serial
from fair_datasets.jobs.shards import (
    PLAN,
    STEPS,
    Finished,
    Rows,
    Shard,
    Work,
    Worker,
    hide_progress_bars,
    read_finished,
    shards_of,
)
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import (
    LOCK,
    NOTES,
    PARTIAL,
    annotate_oserror,
    locked,
    read_note,
    write_note,
)
from fair_datasets.system.portable import file_digest
from fair_datasets.system.resume import ROWS, ProgressTracker
from fair_datasets.system.retry import UnansweredError

if TYPE_CHECKING:
    from datasets import Dataset, Features


MANIFEST = ".manifest.json"
"""The file, in a folder that is finished, that says what it was made from and by."""


def manifest_place(out: Path) -> Path:
    """Return where the manifest of a folder lies, or that of a file.

    Example:
        >>> manifest_place(Path("reviews.csv")).name
        '.reviews.csv.manifest.json'
    """
    return out / MANIFEST if out.is_dir() else out.with_name(f".{out.name}{MANIFEST}")


def _write_manifest(
    out: Path,
    identity: Mapping[str, Any],
    shards: Sequence[Mapping[str, Any]],
    *,
    made: Path | None = None,
) -> None:
    """Write what a folder or a file was made from and by."""
    place = manifest_place(out)
    write_note(place, {**identity, "shards": shards})
    time = place.stat().st_mtime_ns
    for file in (place, *([made] if made else [_file_of(shard, out) for shard in shards])):
        with suppress(OSError):  # Where times cannot be set, digests tell.
            os.utime(file, ns=(time, time))


def manifest_of(out: Path) -> Any:
    """Read the manifest of what is finished."""
    manifest = read_note(manifest_place(out))
    is_whole = manifest is not None and next(_changed(manifest, out), None) is None
    return manifest if is_whole else None


def find_corrupt_file(folder: Path) -> str | None:
    """Name a file of a finished folder that is gone, or is not as it was written.

    Example:
        >>> find_corrupt_file(Path("nowhere")) is None
        True
    """
    manifest = read_note(folder / MANIFEST) or {}
    return (
        next(_changed(manifest, folder), None) if isinstance(manifest.get("shards"), list) else None
    )


def is_written(out: Path, identity: Mapping[str, Any]) -> bool:
    """Whether a job has written a folder or a file to its end."""
    manifest = manifest_of(out)
    return manifest is not None and manifest == {**identity, "shards": manifest["shards"]}


def describe_job_diff(known: Mapping[str, Any], identity: Mapping[str, Any]) -> str:
    """Return what differs between two jobs, such as "source and technique (mode, seed)".

    Example:
        >>> describe_job_diff({"source": 1, "shard size": 2}, {"source": 3, "shard size": 2})
        'source'
    """
    return " and ".join(
        name + _parameters(known.get(name), identity.get(name))
        for name in {**known, **identity}
        if known.get(name) != identity.get(name)
    )


def _parameters(one: Any, other: Any) -> str:
    """Name in brackets the parameters in which the configurations of a technique differ."""
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return ""
    before, now = (each.get("parameters") for each in (one, other))
    if not isinstance(before, Mapping) or not isinstance(now, Mapping):
        return ""
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return f" ({', '.join(names)})" if names else ""


def _changed(manifest: Mapping[str, Any], out: Path) -> Iterator[str]:
    """Name the files of a manifest that are not as it says; itself, if it does not say it."""
    shards, place = manifest.get("shards"), manifest_place(out)
    if not isinstance(shards, list):
        yield MANIFEST
        return
    time = place.stat().st_mtime_ns
    for shard in shards:
        if not isinstance(shard, dict) or not {"name", "size", "rows_out", "digest"} <= set(shard):
            yield MANIFEST
            return
        file = _file_of(shard, out)
        if not _is_as_written(file, shard, time):
            yield file.relative_to(place.parent).as_posix()


def _file_of(shard: Mapping[str, Any], out: Path) -> Path:
    """Return where a file of a manifest lies."""
    return out / "data" / f"{shard['name']}.parquet" if out.is_dir() else out


def _is_as_written(file: Path, shard: Mapping[str, Any], time: int) -> bool:
    """Whether a file is what was written: by its size and time, or else by its digest."""
    if not file.is_file() or file.stat().st_size != shard["size"]:
        return False
    return file.stat().st_mtime_ns == time or file_digest(file) == shard["digest"]


_IDENTITY = "job.json"
_READERS = 8
"""How many finished files are read at once, to see that they are what was written."""


@dataclass
class Job:
    """A folder that is written shard by shard.

    Attributes:
        identity: What is done to what, as JSON knows it: another one is another job.
    """

    folder: Path
    identity: Mapping[str, Any]
    finished: dict[str, Finished] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make its folders, and remove what is half-written in them."""
        for place in ("data", NOTES):
            (self.folder / place).mkdir(parents=True, exist_ok=True)
        _remove_partial(self.folder / NOTES)

    def run(
        self,
        splits: Mapping[str, Rows],
        work: Mapping[str, Work],
        *,
        rows: Mapping[str, int],
        engine: Engine = run_serial,
        log: Callable[[str], None] = lambda line: None,
        unchanged: Callable[[], None] = lambda: None,
        title: str = "Rewriting",
    ) -> dict[str, list[Finished]]:
        """Work through the shards that are not finished yet."""
        shards = [
            shard
            for name, split in splits.items()
            for shard in shards_of(name, len(split), rows[name])
        ]
        self._tidy(shards)
        with ThreadPoolExecutor(_READERS) as threads:
            known = threads.map(lambda shard: read_finished(shard, self.folder), shards)
            records = dict(zip(shards, known, strict=True))
        missing = [shard for shard, noted in records.items() if noted is None]
        total = sum(map(len, splits.values()))
        done = total - sum(shard.stop - shard.start for shard in missing)
        write_note(self.folder / NOTES / PLAN, {"shards": len(shards), "rows": total})
        log(f"{len(shards) - len(missing)} of {len(shards)} shards are finished; "
            f"{total - done:,} rows are to do")  # fmt: skip
        worker = Worker(self.folder, splits, work)
        with self.counting(title, total, done) as steps:
            engine = engine if missing else run_serial
            records.update(self.performed(missing, worker, engine, steps, log))
            unchanged()
        noted_by_split: dict[str, list[Finished]] = {name: [] for name in splits}
        for shard, each in records.items():
            if each is not None:
                noted_by_split[shard.split].append(each)
                self.finished[shard.name] = each
        return noted_by_split

    @contextmanager
    def counting(self, title: str, total: int | None, done: int = 0) -> Iterator[ProgressTracker]:
        """Count rows; where they are refused, nothing stays, as mended ones are others."""
        try:
            with ProgressTracker(
                title, total, done=done, unit=ROWS, work=self.folder / NOTES
            ) as steps:
                yield steps
        except UnansweredError:
            raise
        except InputError:
            discard(self.folder)
            raise

    def performed(
        self, shards: Iterable[Shard], worker: Worker, engine: Engine, steps: ProgressTracker,
        log: Callable[[str], None] = lambda line: None,
    ) -> Iterator[tuple[Shard, Finished]]:  # fmt: skip
        """Work through shards, and note each."""
        with closing(engine(shards, worker, lambda rows: steps.step(number=rows))) as results:
            for shard, noted in results:
                write_note(shard.note(self.folder), noted._asdict())
                yield shard, noted
                log(f"{shard.name}: {noted.rows_in:,} rows; {steps}")

    def _tidy(self, shards: Sequence[Shard]) -> None:
        """Remove rows of shards that began and ended elsewhere."""
        ours = {shard.file(self.folder) for shard in shards}
        for path in set((self.folder / "data").iterdir()) - ours:
            _remove(path)

    @property
    def has_finished(self) -> bool:
        """Whether a shard is finished, so that there is something to go on with."""
        places = (self.folder, *(self.folder / NOTES / STEPS).glob("*"))
        return any(file for place in places for file in (place / "data").glob("*.parquet"))

    def step(self, name: str) -> "Job":
        """Return the job of a step that makes the rows of this one; it goes with the notes."""
        return Job(self.folder / NOTES / STEPS / name, self.identity)

    def state(self) -> None:
        """Write the manifest, once all shards are finished."""
        shards = [
            {name: value for name, value in each._asdict().items() if name != "tally"}
            for each in self.finished.values()
        ]
        if not shards:
            (self.folder / "data").rmdir()
        _write_manifest(self.folder, self.identity, shards)

    def state_file(self, made: Path, file: Path) -> None:
        """Write the manifest of the one file that was made of all shards, beside its place."""
        rows = {
            name: sum(getattr(each, name) for each in self.finished.values())
            for name in ("rows_in", "rows_out")
        }
        size, digest = made.stat().st_size, file_digest(made)
        shard = {"name": file.name, **rows, "size": size, "digest": digest}
        _write_manifest(file, self.identity, [shard], made=made)


@contextmanager
def lock_and_resume(folder: Path, identity: Mapping[str, Any]) -> Iterator[Job]:
    """Have the folder of a job for oneself, and go on with what is finished in it.

    Yields:
        The job. Unless a shard is finished, nothing is left of its folder if anything fails.
    """
    notes = folder / NOTES
    is_foreign = folder.exists() and not notes.is_dir()
    if is_foreign and not (folder.is_dir() and not any(folder.iterdir())):
        raise InputError(
            f"{folder} is where this job keeps what is finished, but it holds something else; "
            "remove it, or name another place."
        )
    above = [place for place in folder.parents if not place.exists()]
    with annotate_oserror(folder):
        notes.mkdir(parents=True, exist_ok=True)
    taken = f"Another process works on {folder}; wait for it, or name another place."
    with locked(notes / LOCK, taken):
        known = read_note(notes / _IDENTITY)
        job = Job(folder, identity)
        if job.has_finished and known != identity:
            raise InputError(_other_job(folder, known, identity))
        try:
            if known != identity:
                write_note(notes / _IDENTITY, identity)
            yield job
        except BaseException:
            # Where a disk is full, nothing half-written takes room on it.
            _remove_partial(notes)
            if not job.has_finished:
                discard(folder)
                with suppress(OSError):  # Somebody may have put something there.
                    for place in above:
                        place.rmdir()
            raise


def _other_job(folder: Path, known: Mapping[str, Any] | None, identity: Mapping[str, Any]) -> str:
    """Return what differs between a job that was begun and the one that is asked for."""
    if known is None:
        return (
            f"{folder} holds an unfinished job, but its {NOTES}/{_IDENTITY}, which says of what, "
            "is broken; remove the folder to begin anew, or name another place."
        )
    return (
        f"{folder} holds an unfinished job of another {describe_job_diff(known, identity)}; run "
        "the command that began it to finish it, remove the folder to begin anew, or name another "
        "place."
    )


def discard(folder: Path) -> None:
    """Remove the folder of a job.

    What says whose it is goes last, so that the same job copes with what an end in the middle of
    this leaves.
    """
    notes = folder / NOTES
    for place, last in ((folder, notes), (notes, notes / _IDENTITY)):
        for each in set(place.iterdir() if place.is_dir() else ()) - {last}:
            _remove(each)
    shutil.rmtree(folder, ignore_errors=True)


def cleanup_finished(folder: Path, identity: Mapping[str, Any]) -> None:
    """Remove what a job has left that was ended once all was done."""
    is_ours = read_note(folder / NOTES / _IDENTITY) == identity
    if is_ours or not any(each.is_file() for each in folder.rglob("*")):
        discard(folder)


def _remove_partial(notes: Path) -> None:
    """Remove what is half-written."""
    for path in notes.rglob(f"*{PARTIAL}"):
        path.unlink(missing_ok=True)


def _remove(place: Path) -> None:
    """Remove a file, or a folder with all that it holds."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)


def default_work_folder(place: Path) -> Path:
    """Return the folder in which a job keeps what it finishes of a file or a folder.

    Returns:
        A folder beside it; beside what it leads to if it is a link, as that can be renamed only
        there.
    """
    if place.is_symlink() or place.name in ("", ".."):
        place = place.resolve()
    return place.parent / f"{place.name}.work"


def remove_notes(folder: Path) -> None:
    """Remove what was noted meanwhile, once a job is finished."""
    shutil.rmtree(folder / NOTES, ignore_errors=True)


def rows_of(folder: Path, split: str, features: "Features") -> "Dataset":
    """Read the rows of a split that a job has written, as they lie on the disk."""
    from datasets import Dataset

    files = sorted((folder / "data").glob(f"{split}-[0-9]*-of-*.parquet"))
    cache = folder / NOTES / "read" / split
    # What a run that was killed left of it may be broken, and would be read all the same.
    shutil.rmtree(cache, ignore_errors=True)
    with hide_progress_bars():
        if not any(map(_row_count, files)):
            return Dataset.from_dict({name: [] for name in features}, features=features)
        return Dataset.from_parquet(
            list(map(str, files)), split=split, features=features, cache_dir=str(cache)
        )


def _row_count(file: Path) -> int:
    """Return the number of rows of a Parquet file."""
    from pyarrow.parquet import read_metadata

    return int(read_metadata(file).num_rows)


def refuse_empty(job: Job, finished: Mapping[str, Sequence[Finished]]) -> None:
    """Raise if nothing is left of a split, which `load_dataset` could not open; it is discarded."""
    for split, shards in finished.items():
        if not any(each.rows_out for each in shards):
            discard(job.folder)
            rows = sum(each.rows_in for each in shards)
            raise InputError(
                f"None of the {rows:,} rows of the split {split!r} is left, and load_dataset "
                "cannot open a split without rows; leave the split out, or keep more of it."
            )
