"""How tests end a training before it is done."""

from typing import Any

import pytest

from fair_datasets.system import interrupts


def kill_at(patch: pytest.MonkeyPatch, step: int) -> list[int]:
    """End the work at a step, as Ctrl-C does; return a list with as many items as steps."""
    steps: list[int] = []

    def interrupted() -> None:
        steps.append(1)
        if len(steps) == step:
            raise KeyboardInterrupt(2)

    patch.setattr(interrupts, "raise_if_interrupted", interrupted)
    return steps


def fail(*_: Any, **__: Any) -> None:
    """End the work."""
    raise RuntimeError("killed")
