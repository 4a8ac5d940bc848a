"""Twins in inspect-ai: what a local model is asked, and what is printed of it."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.auditing.paired_answers import figures_of

HERE = Path(__file__).parent


@pytest.mark.full
def test_twins_are_asked_beside_their_originals(run_in: Callable[..., str], tmp_path: Path) -> None:
    """The number of the originals stays, and flips are told of one epoch and of several."""
    run_in("inspect", HERE / "twin_tasks.py", tmp_path)
    said = run_in("inspect", HERE / "inspect_twins.py", tmp_path, cwd=tmp_path)
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    twins, several = found["twins"], found["several"]
    assert twins["original"] == found["plain"]["accuracy"]
    assert twins.keys() >= {"twin", *figures_of("acc")}
    assert twins["acc_twin"] == pytest.approx(twins["twin"])
    before, after = found["sizes"]
    assert after - before == twins["pairs"] + 2 * twins["pairs_with_control"]
    assert 0 < twins["flip_rate"] < 1
    assert several["halves_dropped"] in (0, 1)
    assert not math.isnan(several["flip_rate"])
    original, twin = found["chat"][:2]
    assert original == ["Answer him.", "Is John in?", "John is.", "She is.", "A"]
    assert twin == ["Answer her.", "Is Mary in?", "Mary is.", "He is.", "A"]
    assert found["chat_left"] == ["John is.", "She is."]
    assert found["ids"][:2] == ["chat", "chat/twin"]
    assert found["metadata"] == {"kept": 1, "pair": 0, "variant": "twin", "direction": 0}
    assert ["twin", "She"] in found["targets"]
