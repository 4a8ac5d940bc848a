"""What every command does that writes rows: look at both ends, read, go on with a job, audit."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from datasets import Dataset

from fair_datasets.cli.audited import Audited, ChangeAudit, audit_request
from fair_datasets.cli.groups import Input
from fair_datasets.cli.inputs import is_in_place, is_on_hub
from fair_datasets.cli.outputs import Output, output
from fair_datasets.cli.sources import Source, read_rows, refuse_same_place
from fair_datasets.cli.tasks import ROWS, Identity, Task, remove_if_empty
from fair_datasets.jobs.job import describe_job_diff, find_corrupt_file, is_written, manifest_of
from fair_datasets.jobs.processes import Engine, local, run_pool, run_serial
from fair_datasets.jobs.run import content_of
from fair_datasets.rows.exact import data_files, is_saved
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import annotate_oserror
from fair_datasets.system.portable import file_digest
from fair_datasets.version import __version__


class Unchanged:
    """The files of a source, which nobody may write while they are read."""

    def __init__(self, places: Sequence[str]) -> None:
        """Note how they are now.

        Args:
            places: The paths, or the Hub id.
        """
        self.places = [Path(place) for place in places if not is_on_hub(place)]
        self.before = self._states()

    def __call__(self) -> None:
        """Look again.

        Raises:
            InputError: One was changed, cut, made or removed since.
        """
        now = self._states()
        for file in {**self.before, **now}:
            if self.before.get(file) != now.get(file):
                raise InputError(
                    f"{file} was changed while it was read; run the command again once nobody "
                    "writes to it."
                )

    @property
    def is_read_to_the_end(self) -> bool:
        """Whether rows are read from the files themselves, and not from a copy in the cache."""
        return any(map(is_saved, self.places))

    def _states(self) -> dict[Path, tuple[int, int]]:
        """Return the size of each file and when it was changed."""
        files = [file for place in self.places if place.exists() for file in source_files(place)]
        return {file: (file.stat().st_size, file.stat().st_mtime_ns) for file in files}


@dataclass
class Pipeline:
    """Rows that a command has read, where what becomes of them goes, and the audit of both.

    Attributes:
        config: The configuration of the source that was read.
    """

    options: Any
    out: Output
    source: Source
    config: str | None
    splits: Mapping[str, Dataset]
    audit: ChangeAudit
    unchanged: Unchanged

    def again(self, **stated: Any) -> str:
        """Write the command anew, for a card."""
        again: str = self.options.again(self.source.shown, self.config, **stated)
        return again

    def task(
        self, settings: Mapping[str, Any], *, keeps_more: bool = False, engine: Engine | None = None
    ) -> Task | None:
        """Return what is written; None where an earlier run of the same has written it.

        Args:
            settings: What is done to the rows.
            keeps_more: Whether the work folder also keeps other things than rows.

        Returns:
            The task; None if there is nothing left to do, which is told.
        """
        out, options = self.out, self.options
        folder = out.work / ROWS if keeps_more else out.work
        identity = self._identity(settings)
        self.unchanged()
        replace = getattr(options, "overwrite", False)
        is_asked_for_more = getattr(options, "audit", None) is not None or replace
        if not is_asked_for_more and _is_finished(out, identity, folder):
            print("An earlier run of the same command has finished; nothing is done again.")
            print(out.written())
            return None
        if out.path is not None and not replace:
            _refuse_finished(out.path.resolve() if out.file else out.path, identity, options)
        out.refuse_taken()
        engine = engine or local(getattr(options, "num_proc", None) or 1)
        is_read = self.unchanged.is_read_to_the_end
        if engine is run_serial and is_read:
            # The system ends the process that reads a file which is cut; this one tells of it.
            engine = partial(run_pool, count=1)
        return Task(
            out=out, identity=identity, folder=folder, engine=engine,
            shard_rows=options.shard_rows, log=_log_to(options.log_file, options.inputs),
            unchanged=self.unchanged if is_read else lambda: None,
        )  # fmt: skip

    def _identity(self, settings: Mapping[str, Any]) -> Identity:
        """Return what is done to what, so that another job does not go on with it."""
        source, options = self.source, self.options
        named = ("split", "test_size", "config", "limit", "delimiter", "encoding")
        rows = {name: getattr(options, name, None) for name in named}
        content: Any = source.name
        if is_in_place(source.files):
            content = {name: content_of(split) for name, split in self.splits.items()}
        elif source.target is None:
            files = [file for place in source.files for file in source_files(Path(place))]
            content = [[file.name, file_digest(file)] for file in files]
        identity = {
            "source": {"content": content, **rows},
            "technique": settings,
            "card": {name: getattr(options, name, None) for name in ("samples", "licence")},
            "shard size": options.shard_rows,
            "version of fair-datasets": __version__,
        }
        return dict(json.loads(json.dumps(identity)))  # tuples become the lists that are read back


def opened(
    options: Input,
    columns: Sequence[str],
    *,
    out: Output | None = None,
    audited: Mapping[str, Any] | None = None,
    **how: Any,
) -> Pipeline:
    """Refuse what cannot be written, gone on with or audited; then read.

    Args:
        audited: The settings of the audit, where the command can end with one.
        **how: What `read_rows` takes besides.
    """
    out = output(options) if out is None else out
    refuse_same_place(options, out)
    # What an earlier run has written is looked at once it is known what this one would write.
    if out.path is None or (find_corrupt_file(out.path) is None and manifest_of(out.path) is None):
        out.refuse_taken()
    unchanged = Unchanged(options.inputs)
    ending = ChangeAudit(None, {})
    if audited is not None:
        ending = audit_request(cast(Audited, options), out, columns, **audited)
    read = read_rows(options, out, columns, **how)
    return Pipeline(options, out, *read, ending, unchanged)


def _is_finished(out: Output, identity: Identity, work: Path) -> bool:
    """Whether an earlier run of the same job has written the output."""
    if out.path is None or not is_written(out.path, identity):
        return False
    out.tidy(work, identity)
    remove_if_empty(work, out)
    return True


def _refuse_finished(out: Path, identity: Identity, options: Any) -> None:
    """Raise if an earlier run has written a place, and it is not what this one would write."""
    first = "give --overwrite" if hasattr(options, "overwrite") else "remove it"
    how = f"{first}, or name another place"
    if (broken := find_corrupt_file(out)) is not None:
        raise InputError(
            f"{out} was finished by a run, but {broken} is gone or not as it was written; {how}."
        )
    if (known := manifest_of(out)) is not None:
        known = {name: value for name, value in known.items() if name != "shards"}
        if differs := describe_job_diff(known, identity):
            raise InputError(f"{out} was written by a run of another {differs}; {how}.")


def _log_to(file: Path | None, sources: Sequence[str] = ()) -> Callable[[str], None]:
    """Return what writes lines to the end of a file, each with its time."""
    if file is not None:
        if file.exists() and any(map(file.samefile, filter(os.path.exists, sources))):
            raise InputError(f"--log-file {file} is also an input; name another file.")
        try:
            file.open("a").close()
        except OSError as error:
            raise InputError(
                f"--log-file {file} cannot be written: {error.strerror}; name another file."
            ) from error

    def write(line: str) -> None:
        if file is not None:
            with annotate_oserror(file), file.open("a", encoding="utf-8") as opened:
                opened.write(f"{datetime.now().astimezone().isoformat('T', 'seconds')} {line}\n")

    return write


def source_files(place: Path) -> list[Path]:
    """Return the files that a path names, and those that say how they are read."""
    if place.is_dir() and is_saved(place):
        # datasets keeps there what it makes of the rows.
        files = (file for file in place.rglob("*") if not file.name.startswith(("cache-", "tmp")))
        return sorted(filter(Path.is_file, files))
    card = place / "README.md"
    return [*data_files(place), *([card] if card.is_file() else [])]
