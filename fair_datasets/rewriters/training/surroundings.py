"""What a training leaves as it was: everybody's draws, and what transformers tells."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def undisturbed(seed: int) -> Iterator[None]:
    """Seed all draws and quieten transformers, and have both as they were in the end.

    Yields:
        Nothing.
    """
    import torch

    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        with torch.random.fork_rng(), _quiet_transformers():
            torch.manual_seed(seed)
            yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002


@contextmanager
def _quiet_transformers() -> Iterator[None]:
    """Keep transformers from telling what it saves and loads."""
    from transformers.utils import logging

    verbosity, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if has_bars:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
