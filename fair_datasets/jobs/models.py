"""Techniques that run a model, which is where processes and GPUs meet."""

from collections.abc import Iterable
from importlib.util import find_spec

from fair_datasets.system.checks import warn
from fair_datasets.technique.contract import Technique

_MODELS = ("model", "models", "encoder")


def uses_models(technique: Technique) -> bool:
    """Tell whether a technique runs a model.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> uses_models(CounterfactualSwap(columns="text"))
        False
    """
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
            "share its memory and take turns; with num_proc=1 the GPU has as much to do, and "
            "engine='ray' gives each process a GPU of its own.",
        )
