"""A technique in Ray's `map_batches`, in processes of Ray's own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fair_datasets import CounterfactualSwap

pytestmark = pytest.mark.slow

CODE = """
import json, sys, tempfile
import ray
from fair_datasets import CounterfactualSwap

swap = CounterfactualSwap(columns="text", provenance=True)
# A socket's path may not be long.
with tempfile.TemporaryDirectory(dir="/tmp", prefix="ray-") as folder:
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, _temp_dir=folder,
             object_store_memory=100_000_000)
    rows = ray.data.from_items(json.loads(sys.argv[1]))
    found = [rows.map_batches(swap, batch_format=kind).take_all() for kind in sys.argv[2:]]
    ray.shutdown()
print(json.dumps(found))
"""
ROWS = [{"text": "He is a waiter.", "label": 1}, {"text": "It rains.", "label": 0}]
KINDS = ("numpy", "pandas", "pyarrow")


def test_map_batches_gives_what_map_gives() -> None:
    """In each of Ray's formats of a batch: rows, labels and provenance are the same."""
    process = subprocess.run(
        [sys.executable, "-c", CODE, json.dumps(ROWS), *KINDS],
        env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_DATA_DISABLE_PROGRESS_BARS": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    swap = CounterfactualSwap(columns="text", provenance=True)
    batch = swap({name: [row[name] for row in ROWS] for name in ROWS[0]})
    expected = [dict(zip(batch, row, strict=True)) for row in zip(*batch.values(), strict=True)]
    for kind, found in zip(KINDS, json.loads(process.stdout.splitlines()[-1]), strict=True):
        assert found == expected, kind
