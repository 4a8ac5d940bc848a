"""Processes that work through shards side by side, and that end when their parent does."""

import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence, Sized
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from itertools import islice
from typing import Any, NamedTuple

from fair_datasets.jobs.shards import Finished, Progress, Shard
from fair_datasets.system import interrupts
from fair_datasets.system.checks import caller_name, in_error_context, require, warn
from fair_datasets.technique.contract import Technique

Perform = Callable[[Shard, Progress], Finished]
Engine = Callable[[Iterable[Shard], Any, Progress], Generator[tuple[Shard, Finished], None, None]]
"""What takes shards, what works through one, and what is told how many more rows are done."""
ENGINES = ("local", "ray")
"""The names of the engines."""

_PR_SET_PDEATHSIG = 1
"""What tells Linux to end a process with its parent."""
_SIGBUS = getattr(signal, "SIGBUS", None)
"""What ends a process that reads a file that is in its memory no more, where there is such."""


class LostWorkerError(Exception):
    """A process ended before its work did; the text says where and why."""


def run_serial(
    shards: Iterable[Shard], perform: Perform, progress: Progress
) -> Generator[tuple[Shard, Finished], None, None]:
    """Work through shards in this process."""
    for shard in shards:
        interrupts.raise_if_interrupted()
        yield shard, perform(shard, progress)


def run_pool(
    shards: Iterable[Shard], perform: Perform, progress: Progress, *, count: int
) -> Generator[tuple[Shard, Finished], None, None]:
    """Work through shards in several processes.

    Args:
        count: The number of processes; no more are started than there are shards, if that is known.
    """
    waiting, at_work, done = iter(shards), dict[Future[Finished], Shard](), 0
    with _pool(perform, min(count, len(shards)) if isinstance(shards, Sized) else count) as pool:
        try:
            while True:
                for shard in islice(waiting, count - len(at_work)):
                    at_work[pool.submit(shard)] = shard
                if not at_work:
                    return
                ready, _ = wait(at_work, interrupts.LOOK, FIRST_COMPLETED)
                done, before = pool.rows_done, done
                progress(done - before)
                for future in ready:
                    record = future.result()
                    yield at_work.pop(future), record
        except BrokenProcessPool as error:
            raise LostWorkerError(_why_lost(pool.exit_codes(), [*at_work.values()])) from error


class _Pool(NamedTuple):
    """Processes of an executor.

    Attributes:
        rows: How many rows they have done, together.
        others: The processes that were there before.
    """

    executor: ProcessPoolExecutor
    rows: Any
    others: frozenset[Any]
    processes: set[Any]

    @property
    def rows_done(self) -> int:
        """How many rows are done; without the lock, which one that was killed may hold."""
        return int(self.rows.get_obj().value)

    def submit(self, shard: Shard) -> "Future[Finished]":
        """Hand out a shard; the first ones start the processes."""
        with warnings.catch_warnings(), interrupts.block_signals():
            # Threads of pyarrow are told of, which copes with being forked.
            warnings.simplefilter("ignore", DeprecationWarning)
            future = self.executor.submit(in_error_context(_perform), shard)
            self.processes.update(set(multiprocessing.active_children()) - self.others)
        return future

    def exit_codes(self) -> set[int]:
        """Return how those ended that the executor did not end itself, once all have."""
        self.executor.shutdown()
        codes = {process.exitcode for process in self.processes}
        return codes - {None, 0, -signal.SIGTERM}

    def kill(self) -> None:
        """End what is at work."""
        for process in self.processes:
            process.kill()


@contextmanager
def _pool(perform: Perform, count: int) -> Iterator[_Pool]:
    """Have processes; they end in the end, whatever happens."""
    context = multiprocessing.get_context(_method())
    rows = context.Value("q", 0)
    given = (perform, rows, os.getpid(), count)
    with ProcessPoolExecutor(max(1, count), context, _begin, given) as executor:
        pool = _Pool(executor, rows, frozenset(multiprocessing.active_children()), set())
        try:
            yield pool
        except BaseException:
            pool.kill()
            raise


def _why_lost(codes: set[int], shards: Sequence[Shard]) -> str:
    """Return why a process ended, by the exit codes, and at which shards."""
    where = " or ".join(shard.name for shard in shards) or "a shard"
    if 1 in codes and _method() == "spawn":
        return (
            f"a process for {where} could not start; a script has to call it under `if __name__ == "
            "'__main__':`, and a technique of your own has to lie in a script or a module"
        )
    if -(_SIGBUS or 0) in codes:
        return (
            f"a process ended at {where}, as a file that it read was cut meanwhile; restore what "
            "is read, and let nobody write to it"
        )
    how = [f"by signal {-code}" if code < 0 else f"with code {code}" for code in sorted(codes)]
    return (
        f"a process ended {', '.join(how) or 'early'} at {where}; if that was for want of memory, "
        "give a smaller --num-proc or --shard-rows"
    )


def _method() -> str:
    """Choose how processes are started."""
    # A fork is at hand at once, but the locks that threads of torch or of tokenizers hold would
    # stay closed in it for ever.
    has_threads = {"torch", "tokenizers", "spacy", "ray"} & set(sys.modules)
    is_usual = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    return "fork" if is_usual and not has_threads else "spawn"


_given: dict[str, Any] = {}
"""In a process of its own, what works through shards, and where the rows are counted."""


def _begin(perform: Perform, rows: Any, parent: int, count: int) -> None:
    """Get ready for shards, in a process of its own."""
    # Ctrl-C is the parent's, which tells this process to end.
    interrupts.leave_to_parent()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    limit_threads(max(1, (os.cpu_count() or 1) // count))
    _have_own_lock_of_bars()
    _given.update(perform=perform, rows=rows)


def _perform(shard: Shard) -> Finished:
    """Work through a shard, in a process of its own."""
    record: Finished = _given["perform"](shard, _count)
    return record


def _count(rows: int) -> None:
    """Count rows that are done, for the parent to see."""
    counter = _given["rows"]
    with counter.get_lock():
        counter.value += rows


def picklable_error(error: Exception) -> Exception:
    """Return an error as another process can read it.

    Returns:
        The same, or one that holds its kind and its message where pickle fails on it.

    Example:
        >>> picklable_error(ValueError("no"))
        ValueError('no')
    """
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # Pickle calls the error's own code, which may fail in any way.
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _end_with(parent: int) -> None:
    """End this process once its parent has ended, however that did."""
    if sys.platform == "linux":
        # A technique that is in the middle of a long search may let no other thread run.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    while os.getppid() == parent:
        time.sleep(interrupts.LOOK)
    os._exit(1)


def _have_own_lock_of_bars() -> None:
    """Share no lock with the parent, which would wait for ever if this one is killed with it."""
    # Every bar takes it, also one that is not shown.
    from datasets.utils import tqdm

    lock = threading.RLock()
    for kind in tqdm.mro():
        if hasattr(kind, "set_lock"):
            kind.set_lock(lock)


def limit_threads(threads: int) -> None:
    """Let the libraries that are loaded from now on use some threads only."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(threads)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(threads)


def engine_named(name: str, num_proc: int, techniques: Sequence[Technique]) -> Engine:
    """Return an engine.

    Args:
        techniques: What is applied: with models, each actor gets a GPU if the cluster has any.
    """
    if name == "local":
        _warn_of_shared_gpu(techniques, num_proc)
        return local(num_proc)
    require("ray", owner=f"{caller_name()}: engine='ray'")
    from fair_datasets.jobs.on_ray import run_on_ray

    return partial(run_on_ray, count=num_proc, on_gpus=any(map(uses_models, techniques)))


def local(num_proc: int) -> Engine:
    """Return what works through shards on this machine."""
    return run_serial if num_proc < 2 else partial(run_pool, count=num_proc)


_MODELS = ("model", "models", "encoder")


def uses_models(technique: Technique) -> bool:
    """Whether a technique runs a model."""
    if getattr(technique, "endpoint", None):
        return False
    return any(getattr(technique, name, None) for name in _MODELS)


def _warn_of_shared_gpu(techniques: Iterable[Technique], num_proc: int) -> None:
    """Warn where several processes would each load a model onto the same GPU."""
    if num_proc < 2 or not any(map(uses_models, techniques)) or find_spec("torch") is None:
        return
    import torch

    if torch.cuda.device_count():
        warn(
            f"each of {num_proc} processes loads the model onto the same GPU, where they "
            "share its memory and take turns; with num_proc=1 the GPU is just as busy, and with "
            "engine='ray' each process has a GPU of its own."
        )
