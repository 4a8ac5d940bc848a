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
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from fair_datasets.jobs.shards import Finished, Progress, Shard, Worker
from fair_datasets.system import interrupts
from fair_datasets.system.checks import called, require, warn
from fair_datasets.technique.contract import Technique

Perform = Callable[[Shard, Progress], Finished]
Told = Callable[[Shard, int], None]
"""What is told how many more rows of a shard are done."""

_PR_SET_PDEATHSIG = 1
"""What tells Linux to end a process with its parent."""


_SIGBUS = getattr(signal, "SIGBUS", None)
"""What ends a process that reads a file that is in its memory no more, where there is such."""


class LostWorkerError(Exception):
    """A process ended before its work did; the text says where and why."""


class _Process(NamedTuple):
    """A process, and the connection to it."""

    process: Any
    connection: Connection


def here(
    shards: Iterable[Shard], perform: Perform, told: Told
) -> Generator[tuple[Shard, Finished], None, None]:
    """Work through shards in this process."""
    for shard in shards:
        interrupts.obey()
        yield shard, perform(shard, partial(told, shard))


def beside(
    shards: Iterable[Shard], perform: Perform, told: Told, *, count: int
) -> Generator[tuple[Shard, Finished], None, None]:
    """Work through shards in several processes.

    Args:
        count: The number of processes; no more are started than there are shards, if that is known.
    """
    waiting = iter(shards)
    at_work: dict[int, Shard] = {}
    count = min(count, len(shards)) if isinstance(shards, Sized) else count
    with _started(perform, count) as processes:
        for number, each in enumerate(processes):
            _hand_out(number, each, waiting, at_work)
        while at_work:
            interrupts.obey()
            connections = [processes[number].connection for number in at_work]
            ready = wait(connections, timeout=interrupts.LOOK)
            for number in [n for n in at_work if processes[n].connection in ready]:
                shard = at_work[number]
                kind, value = _received(processes[number], shard)
                if kind == "rows":
                    told(shard, value)
                    continue
                if kind == "error":
                    raise value
                yield shard, value
                del at_work[number]
                _hand_out(number, processes[number], waiting, at_work)


def _hand_out(
    number: int, each: _Process, waiting: Iterator[Shard], at_work: dict[int, Shard]
) -> None:
    shard = next(waiting, None)
    if shard is None:
        return
    at_work[number] = shard
    with suppress(BrokenPipeError):  # It is told when its answer is asked for.
        each.connection.send(shard)


def _received(each: _Process, shard: Shard) -> tuple[str, Any]:
    try:
        found: tuple[str, Any] = each.connection.recv()
    except (EOFError, OSError):
        each.process.join(interrupts.PATIENCE)
        raise LostWorkerError(_why_lost(each.process.exitcode, shard)) from None
    return found


def _why_lost(code: int | None, shard: Shard) -> str:
    """Say why a process ended, by its exit code."""
    if code == 1 and _method() == "spawn":
        return (
            f"a process for {shard.name} could not start; a script has to call it under `if "
            "__name__ == '__main__':`, and a technique of your own has to lie in a script or a "
            "module"
        )
    if code is not None and -code == _SIGBUS:
        return (
            f"a process ended at {shard.name}, as a file that it read was cut meanwhile; restore "
            "what is read, and let nobody write to it"
        )
    why = f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"
    return (
        f"a process ended {why} at {shard.name}; if that was for want of memory, give a smaller "
        "--num-proc or --shard-rows"
    )


@contextmanager
def _started(perform: Perform, count: int) -> Iterator[list[_Process]]:
    """Start processes; end them in the end, whatever happens."""
    context = multiprocessing.get_context(_method())
    processes: list[_Process] = []
    try:
        for _ in range(count):
            ours, theirs = context.Pipe()
            # What a fork inherits of the others keeps their pipes open.
            others = [each.connection for each in processes] + [ours]
            inherited = others if _method() == "fork" else []
            process = context.Process(  # type: ignore[attr-defined]
                target=_main, args=(theirs, inherited, perform, os.getpid(), count), daemon=True
            )
            with warnings.catch_warnings(), interrupts.blocked():
                # Threads of pyarrow are told of, which copes with being forked.
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
            theirs.close()
            processes.append(_Process(process, ours))
        yield processes
        for each in processes:
            each.connection.close()
        for each in processes:
            each.process.join(interrupts.PATIENCE)
    finally:
        for each in processes:
            if each.process.is_alive():
                each.process.terminate()
        for each in processes:
            each.process.join(interrupts.PATIENCE)
            if each.process.is_alive():
                each.process.kill()
                each.process.join()


def _method() -> str:
    """Choose how processes are started."""
    # A fork is at hand at once, but the locks that threads of torch or of tokenizers hold would
    # stay closed in it for ever.
    has_threads = {"torch", "tokenizers", "spacy", "ray"} & set(sys.modules)
    is_usual = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    return "fork" if is_usual and not has_threads else "spawn"


def _main(
    connection: Connection, inherited: list[Connection], perform: Perform, parent: int, count: int
) -> None:
    """Work through the shards that are handed out, in a process of its own."""
    # Ctrl-C is the parent's, which tells this process to end.
    interrupts.leave_to_parent()
    for other in inherited:
        other.close()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    keep_to(max(1, (os.cpu_count() or 1) // count))
    _have_own_lock_of_bars()
    with suppress(EOFError, BrokenPipeError):
        while True:
            shard = connection.recv()
            try:
                found = perform(shard, lambda rows: connection.send(("rows", rows)))
            except Exception as error:
                connection.send(("error", sendable(error)))
                return
            connection.send(("finished", found))


def sendable(error: Exception) -> Exception:
    """Return an error as another process can read it.

    Returns:
        The same, or one that holds its kind and its message where pickle fails on it.

    Example:
        >>> sendable(ValueError("no"))
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


def keep_to(threads: int) -> None:
    """Let the libraries that are loaded from now on use some threads only."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(threads)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(threads)


Engine = Callable[[Iterable[Shard], Worker, Told], Generator[tuple[Shard, Finished], None, None]]
"""What takes shards, what works through one, and what is told of the rows."""
ENGINES = ("local", "ray")
"""The names of the engines."""


def engine_named(name: str, num_proc: int, techniques: Sequence[Technique]) -> Engine:
    """Return an engine.

    Args:
        techniques: What is applied: with models, each actor gets a GPU if the cluster has any.
    """
    if name == "local":
        _warn_of_shared_gpu(techniques, num_proc)
        return local(num_proc)
    require("ray", owner=f"{called()}: engine='ray'")
    from fair_datasets.jobs.on_ray import over_ray

    return partial(over_ray, count=num_proc, on_gpus=any(map(uses_models, techniques)))


def local(num_proc: int) -> Engine:
    """Return what works through shards on this machine."""
    return here if num_proc < 2 else partial(beside, count=num_proc)


_MODELS = ("model", "models", "encoder")


def uses_models(technique: Technique) -> bool:
    """Tell whether a technique runs a model."""
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
