"""What works through the shards of a job: processes here, or the machines of a Ray cluster."""

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from importlib.util import find_spec

from fair_datasets.jobs.processes import Told, beside, here
from fair_datasets.jobs.shards import Finished, Shard, Worker
from fair_datasets.system.checks import warn
from fair_datasets.system.extras import require
from fair_datasets.technique.contract import Technique

Engine = Callable[[Iterable[Shard], Worker, Told], Generator[tuple[Shard, Finished], None, None]]
"""What takes shards, what works through one, and what is told of the rows."""
ENGINES = ("local", "ray")
"""The names of the engines."""


def engine_named(
    name: str, num_proc: int, techniques: Sequence[Technique], *, owner: str
) -> Engine:
    """Return an engine.

    Args:
        name: One of `ENGINES`.
        num_proc: The number of processes; with "ray", of actors.
        techniques: What is applied: with models, each actor gets a GPU if the cluster has any.
    """
    if name == "local":
        warn_of_shared_gpu(techniques, num_proc, owner=owner)
        return local(num_proc)
    require("ray", owner=f"{owner}: engine='ray'")
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


def warn_of_shared_gpu(techniques: Iterable[Technique], num_proc: int, *, owner: str) -> None:
    """Warn where several processes would each load a model onto the same GPU."""
    if num_proc < 2 or not any(map(uses_models, techniques)) or find_spec("torch") is None:
        return
    import torch

    if torch.cuda.device_count():
        warn(
            f"{owner}: each of {num_proc} processes loads the model onto the same GPU, where they "
            "share its memory and take turns; with num_proc=1 the GPU is just as busy, and with "
            "engine='ray' each process has a GPU of its own."
        )
