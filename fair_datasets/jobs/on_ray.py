"""Shards over the machines of a Ray cluster: actors of Ray Data, each of which keeps its models."""

import logging
import os
import pickle
import signal
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fair_datasets.jobs.processes import LostWorkerError, limit_threads, picklable_error
from fair_datasets.jobs.shards import Finished, Progress, Shard, Worker, as_bytes
from fair_datasets.system import interrupts
from fair_datasets.system.files import NOTES

if TYPE_CHECKING:
    from datasets import Dataset

_TRIES = 3
"""How often a shard is tried whose process or machine is lost; Ray would go on for ever."""


def run_on_ray(
    given: Iterable[Shard], worker: Worker, progress: Progress, *, count: int, on_gpus: bool = False
) -> Generator[tuple[Shard, Finished], None, None]:
    """Work through shards in actors of Ray Data.

    A shard whose machine is lost is done again elsewhere: its file is there whole or not at all,
    and whoever writes it writes the same bytes. The cluster is the one that this process is
    connected to, or that RAY_ADDRESS names, or else one on this machine that ends with the work.
    """
    import ray as untyped

    ray: Any = untyped
    rest = {shard.name: shard for shard in given}
    with ExitStack() as stack:
        is_own = stack.enter_context(_connected(count))
        stack.enter_context(_quiet())
        gpus = int(on_gpus and "GPU" in ray.cluster_resources())
        rows = _planned([*rest.values()], worker, min(count, len(rest)), gpus, ships=not is_own)
        for row in rows.iter_rows():
            interrupts.raise_if_interrupted()
            if row["shard"] in rest:  # Ray does some again whose result was on a lost machine.
                shard, outcome = rest.pop(row["shard"]), pickle.loads(row["outcome"])
                if isinstance(outcome, Exception):
                    raise outcome
                _refuse_unseen(shard, outcome, worker.folder)
                progress(shard.stop - shard.start)
                yield shard, outcome


def _planned(shards: Sequence[Shard], worker: Worker, count: int, gpus: int, *, ships: bool) -> Any:
    """Plan with Ray Data what is to be done."""
    import ray.data
    from datasets import Dataset

    # A block of its own for each shard, so that whichever actor is free takes the next one.
    rows: Any = ray.data.from_items(
        [{"shard": shard.name, "which": pickle.dumps(shard)} for shard in shards],
        override_num_blocks=len(shards),
    )
    here = {name: split for name, split in worker.splits.items() if isinstance(split, Dataset)}
    if ships and here:
        # Their files are on this machine, and others may be a part of the cluster, now or later:
        # they are read here, without a CPU of the cluster, and travel with the shard.
        node = ray.get_runtime_context().get_node_id()
        label = {"ray.io/node-id": node}
        rows = rows.map(partial(_load_rows, here), concurrency=1, num_cpus=0, label_selector=label)
        elsewhere = {name: split for name, split in worker.splits.items() if name not in here}
        worker = Worker(worker.folder, elsewhere, worker.work)
    return rows.map(
        _Actor,
        fn_constructor_args=(worker,),
        compute=ray.data.ActorPoolStrategy(size=count, max_tasks_in_flight_per_actor=1),
        num_cpus=1,
        num_gpus=gpus,
    )


def _load_rows(splits: "Mapping[str, Dataset]", row: dict[str, Any]) -> dict[str, Any]:
    """Add the rows to a shard, on the machine where they are."""
    shard = pickle.loads(row["which"])
    if shard.split in splits:
        part = splits[shard.split].select(range(shard.start, shard.stop))
        shard = shard._replace(rows=as_bytes(part.with_format("arrow")[:], part.features))
    return {**row, "which": pickle.dumps(shard)}


class _Actor:
    """Works through shards, in a process somewhere in the cluster."""

    def __init__(self, worker: Worker) -> None:
        """Take what works through them."""
        limit_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
        self.worker = worker

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Work through one; an error is returned, as it need not be tried again."""
        try:
            _count_try(row["shard"], self.worker.folder)
            outcome: Any = self.worker(pickle.loads(row["which"]), lambda rows: None)
        except Exception as error:
            outcome = picklable_error(error)
        return {"shard": row["shard"], "outcome": pickle.dumps(outcome)}


def _why_not_begun(address: str | None, error: Exception) -> str:
    """Return the sentence that there is no cluster to work on."""
    line = (str(error).strip() or type(error).__name__).partition("\n")[0].rstrip(".")
    if address:
        return (
            f"the Ray cluster that RAY_ADDRESS names ({address}) cannot be reached ({line}); start "
            "it, or unset RAY_ADDRESS for one on this machine"
        )
    return (
        f"no Ray cluster could be started on this machine ({line}); run the same again once it is "
        "less busy, or leave the engine out"
    )


def _count_try(name: str, folder: Path) -> None:
    """Note that a shard is begun, or raise that it was lost too often."""
    if not (folder / NOTES).is_dir():
        raise LostWorkerError(_unseen(folder))
    # It goes with what is half-written when the job begins, and with the notes when it ends.
    with (folder / NOTES / f"{name}.tries.partial").open("ab") as tries:
        tries.write(b".")
        if tries.tell() > _TRIES:
            raise LostWorkerError(
                f"a process was lost {_TRIES} times at {name}; if that was for want of memory, "
                "give a smaller shard_rows or num_proc"
            )


def _refuse_unseen(shard: Shard, record: Finished, folder: Path) -> None:
    """Raise if what an actor wrote is not here."""
    file = shard.file(folder)
    with suppress(FileNotFoundError):
        if file.stat().st_size == record.size:
            return
    raise LostWorkerError(_unseen(folder))


def _unseen(folder: Path) -> str:
    """Return the sentence that machines have to share a folder."""
    return (
        f"a machine of the cluster does not see {folder}; with several machines, the output has to "
        "lie on a file system that all of them share"
    )


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
        # Once the cluster is gone, a thread that still asks Ray for something would start another.
        os.environ.setdefault("RAY_ENABLE_AUTO_CONNECT", "0")
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
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        context.enable_progress_bars = before
        logger.setLevel(level)
