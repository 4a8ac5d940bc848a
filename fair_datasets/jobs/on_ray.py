"""Shards over the machines of a Ray cluster: actors of Ray Data, each of which keeps its models."""

import logging
import os
import pickle
import signal
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fair_datasets.jobs.processes import LostWorkerError, Told, keep_to, sendable
from fair_datasets.jobs.shards import Finished, Progress, Shard, Worker
from fair_datasets.system import interrupts
from fair_datasets.system.files import NOTES
from fair_datasets.system.steps import NOTE_EVERY

if TYPE_CHECKING:
    from datasets import Dataset

_TRIES = 3
"""How often a shard is tried whose process or machine is lost; Ray would go on for ever."""
_END = object()


def over_ray(
    given: Iterable[Shard], worker: Worker, told: Told, *, count: int, on_gpus: bool = False
) -> Generator[tuple[Shard, Finished], None, None]:
    """Work through shards in actors of Ray Data.

    A shard whose machine is lost is done again elsewhere: its file is there whole or not at all,
    and whoever writes it writes the same bytes. The cluster is the one that this process is
    connected to, or that RAY_ADDRESS names, or else one on this machine that ends with the work.
    """
    import ray as untyped

    ray: Any = untyped
    shards = list(given)
    with ExitStack() as stack:
        is_own = stack.enter_context(_connected(count))
        stack.enter_context(_quiet())
        gpus = int(on_gpus and "GPU" in ray.cluster_resources())
        board: Any = ray.remote(num_cpus=0, label_selector=_at_home())(_Board).remote()
        rows = _planned(shards, worker, board, min(count, len(shards)), gpus, ships=not is_own)
        left, done = {shard.name: shard for shard in shards}, Counter[str]()
        for row in stack.enter_context(closing(_streamed(rows, board))):
            if row is None:
                for name, number in ray.get(board.take.remote()).items():
                    if name in left:
                        told(left[name], max(0, number - done[name]))
                        done[name] = max(number, done[name])
            elif row["shard"] in left:  # Ray does some again whose result was on a lost machine.
                shard, found = left.pop(row["shard"]), pickle.loads(row["found"])
                if isinstance(found, Exception):
                    raise found
                _refuse_unseen(shard, found, worker.folder)
                told(shard, shard.stop - shard.start - done[shard.name])
                yield shard, found


def _planned(
    shards: Sequence[Shard], worker: Worker, board: Any, count: int, gpus: int, *, ships: bool
) -> Any:
    """Say to Ray Data what is to be done."""
    import ray.data

    # A block of its own for each shard, so that whichever actor is free takes the next one.
    rows: Any = ray.data.from_items(
        [{"shard": shard.name, "which": pickle.dumps(shard)} for shard in shards],
        override_num_blocks=len(shards),
    )
    from datasets import Dataset

    here = {name: split for name, split in worker.splits.items() if isinstance(split, Dataset)}
    if ships and here:
        # Their files are on this machine, and others may be a part of the cluster, now or later:
        # they are read here, without a CPU of the cluster, and travel with the shard.
        rows = rows.map(
            _Reader,
            fn_constructor_args=(here,),
            compute=ray.data.ActorPoolStrategy(size=1),
            num_cpus=0,
            label_selector=_at_home(),
        )
        elsewhere = {name: split for name, split in worker.splits.items() if name not in here}
        worker = replace(worker, splits=elsewhere)
    return rows.map(
        _Actor,
        fn_constructor_args=(worker, board),
        compute=ray.data.ActorPoolStrategy(size=count, max_tasks_in_flight_per_actor=1),
        num_cpus=1,
        num_gpus=gpus,
    )


class _Reader:
    """Reads the rows of shards on the machine where they are."""

    def __init__(self, splits: "dict[str, Dataset]") -> None:
        """Take the splits."""
        self.splits = splits

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Add the rows to a shard."""
        shard = pickle.loads(row["which"])
        if shard.split not in self.splits:
            return {**row, "rows": b""}
        part = self.splits[shard.split].select(range(shard.start, shard.stop))
        return {**row, "rows": _as_bytes(part)}


class _Actor:
    """Works through shards, in a process somewhere in the cluster."""

    def __init__(self, worker: Worker, board: Any) -> None:
        """Take what works through them, and where the rows are told."""
        keep_to(int(os.environ.get("OMP_NUM_THREADS", "1")))
        self.worker, self.board = worker, board

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Work through one; an error is returned, as it need not be tried again."""
        import ray

        shard = pickle.loads(row["which"])
        worker = self.worker
        if row.get("rows"):
            worker = replace(worker, splits={shard.split: _Part(shard, _from_bytes(row["rows"]))})
        try:
            if not (worker.folder / NOTES).is_dir():
                raise LostWorkerError(_unseen(worker.folder))
            if ray.get(self.board.begun.remote(shard.name)) > _TRIES:
                raise LostWorkerError(_why_lost(shard))
            found: Any = worker(shard, self._progress(shard))
        except Exception as error:
            found = sendable(error)
        return {"shard": shard.name, "found": pickle.dumps(found)}

    def _progress(self, shard: Shard) -> Progress:
        """Return what tells the board, now and then, how many rows are done."""
        import ray

        done, noted = 0, 0.0

        def progress(rows: int) -> None:
            nonlocal done, noted
            done += rows
            now = time.monotonic()
            if now - noted >= NOTE_EVERY:
                noted = now
                if ray.get(self.board.tell.remote(shard.name, done)):
                    raise InterruptedError

        progress(0)
        return progress


class _Part:
    """The rows of one shard, which came with it."""

    def __init__(self, shard: Shard, rows: "Dataset") -> None:
        """Take the shard and its rows."""
        self.shard, self.rows, self.features = shard, rows, rows.features

    def __len__(self) -> int:
        """Return the number of rows of the split, as far as it is known."""
        return self.shard.stop

    def select(self, indices: range) -> "Dataset":
        """Return the rows, if they are those of the shard."""
        assert indices == range(self.shard.start, self.shard.stop)
        return self.rows


class _Board:
    """What the actors tell of their rows, until it is asked for."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.said: dict[str, int] = {}
        self.tries: Counter[str] = Counter()
        self.stopped = False

    def begun(self, name: str) -> int:
        """Count how often a shard was begun."""
        self.tries[name] += 1
        return self.tries[name]

    def tell(self, name: str, done: int) -> bool:
        """Take how many rows of a shard are done, and return whether that is enough."""
        self.said[name] = done
        return self.stopped

    def stop(self) -> None:
        """Let nobody go on."""
        self.stopped = True

    def take(self) -> dict[str, int]:
        """Return what was told since the last time."""
        said, self.said = self.said, {}
        return said


def _as_bytes(rows: "Dataset") -> bytes:
    """Write rows and their features as an Arrow stream."""
    import pyarrow as pa

    table = rows.with_format("arrow")[:]
    schema = rows.features.arrow_schema
    with pa.BufferOutputStream() as sink:
        with pa.ipc.new_stream(sink, schema) as stream:
            stream.write_table(table.cast(schema))
        found: bytes = sink.getvalue().to_pybytes()
    return found


def _from_bytes(content: bytes) -> "Dataset":
    import pyarrow as pa
    from datasets import Dataset

    return Dataset(pa.ipc.open_stream(content).read_all(), fingerprint="shard")


def _streamed(rows: Any, board: Any) -> Generator[dict[str, Any] | None, None, None]:
    """Yield rows as they are done, and None now and then; obey interrupts meanwhile."""
    # Ray is waited for in a thread, as nothing could be done about a signal while this one waits.
    done: Queue[Any] = Queue()
    stopped = threading.Event()

    def fill() -> None:
        try:
            for row in rows.iter_rows():
                done.put(row)
                if stopped.is_set():
                    return
            done.put(_END)
        except Exception as error:
            done.put(error)

    thread = threading.Thread(target=fill, daemon=True)
    thread.start()
    try:
        while True:
            interrupts.obey()
            yield None
            try:
                found = done.get(timeout=interrupts.LOOK)
            except Empty:
                continue
            if found is _END:
                return
            if isinstance(found, Exception):
                raise found
            yield found
    finally:
        stopped.set()
        # If it still asked Ray for something once the cluster is gone, Ray would start another.
        board.stop.remote()
        thread.join(interrupts.PATIENCE)


def _why_lost(shard: Shard) -> str:
    """Say that no actor could do a shard."""
    return (
        f"a process was lost {_TRIES} times at {shard.name}; if that was for want of memory, give "
        "a smaller shard_rows or num_proc"
    )


def _why_not_begun(address: str | None, error: Exception) -> str:
    """Say that there is no cluster to work on."""
    told = (str(error).strip() or type(error).__name__).partition("\n")[0].rstrip(".")
    if address:
        return (
            f"the Ray cluster that RAY_ADDRESS names ({address}) cannot be reached ({told}); start "
            "it, or unset RAY_ADDRESS for one on this machine"
        )
    return (
        f"no Ray cluster could be started on this machine ({told}); run the same again once it is "
        "less busy, or leave the engine out"
    )


def _refuse_unseen(shard: Shard, found: Finished, folder: Path) -> None:
    """Raise if what an actor wrote is not here."""
    file = shard.file(folder)
    with suppress(FileNotFoundError):
        if file.stat().st_size == found.size:
            return
    raise LostWorkerError(_unseen(folder))


def _unseen(folder: Path) -> str:
    """Say that machines have to share a folder."""
    return (
        f"a machine of the cluster does not see {folder}; with several machines, the output has to "
        "lie on a file system that all of them share"
    )


def _at_home() -> dict[str, str]:
    """Return the label of this machine."""
    import ray

    return {"ray.io/node-id": ray.get_runtime_context().get_node_id()}


@contextmanager
def _connected(count: int) -> Iterator[bool]:
    """Be connected to a cluster, and tell whether it was made for this, and ends with it."""
    import ray

    if ray.is_initialized():
        yield False
        return
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    address = os.environ.get("RAY_ADDRESS")
    with ExitStack() as stack:
        if not address:
            # Here people count processes, and CPUs as Ray counts them are no limit.
            cpus = max(count, os.cpu_count() or 1)
            # The paths of sockets, which Ray makes there, may not be long.
            short = "/tmp" if Path("/tmp").is_dir() else None
            place = stack.enter_context(
                TemporaryDirectory(prefix="ray-", dir=short, ignore_cleanup_errors=True)
            )
            options |= {"num_cpus": cpus, "include_dashboard": False, "_temp_dir": place}
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # It would warn that an actor whose arguments are lost cannot start again: they lie here.
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
        # Ray would end this process by SIGTERM at once, and what is at work with it.
        before = signal.getsignal(signal.SIGTERM)
        stack.callback(ray.shutdown)
        try:
            ray.init(address or "local", **options)
        except Exception as error:  # Ray has no class of its own for it.
            raise LostWorkerError(_why_not_begun(address, error)) from error
        if before is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)
        yield not address


@contextmanager
def _quiet() -> Iterator[None]:
    """Leave progress to the one bar of the job."""
    from ray.data import DataContext

    context, logger = DataContext.get_current(), logging.getLogger("ray.data")
    before, level = context.enable_progress_bars, logger.level
    context.enable_progress_bars = False
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        context.enable_progress_bars = before
        logger.setLevel(level)
