"""What a checkout of the project has and an installed package does not."""

from importlib import import_module
from types import ModuleType

from fair_datasets.system.checks import InputError


def of_checkout(module: str, what: str) -> ModuleType:
    """Import a module of `hub_scripts`, which lies beside the package in a checkout.

    Args:
        module: Its name below `hub_scripts`.
        what: What is done there, which begins the error.

    Raises:
        InputError: This is no checkout.

    Example:
        >>> of_checkout("nowhere", "Encoders are evaluated")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: Encoders are evaluated in a checkout of the project: clone ...
    """
    name = f"hub_scripts.{module}"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):
            raise
        raise InputError(
            f"{what} in a checkout of the project: clone the repository, type `pip install -e .` "
            "in it, and then the same command there."
        ) from error
