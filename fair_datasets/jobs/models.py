"""Techniques that run a model, which is where processes and GPUs meet."""

from fair_datasets.technique import Technique

_MODELS = ("model", "models", "encoder")


def uses_models(technique: Technique) -> bool:
    """Tell whether a technique runs a model.

    Args:
        technique: The technique.

    Returns:
        Whether it names one.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> uses_models(CounterfactualSwap(columns="text"))
        False
    """
    return any(getattr(technique, name, None) for name in _MODELS)
