"""A job of Ray on two machines, as Ray knows them, of which one is killed while it is at work.

`two_machines.py FOLDER` writes it there, from a dataset whose files only the first one reads, and
prints one line of JSON: what ran on the second machine, and how many are left.
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from datasets import load_from_disk

from fair_datasets import CounterfactualSwap, run


def kill(machine: Any, notes: Path, seen: list[str]) -> None:
    """Kill all that runs on a machine, once two shards are finished."""
    while len(list(notes.glob("train-*.json"))) < 2:
        time.sleep(0.05)
    raylet = machine.all_processes["raylet"][0].process.pid
    found = Path(f"/proc/{raylet}/task/{raylet}/children").read_text().split()
    children = [int(child) for child in found]
    seen += [Path(f"/proc/{child}/cmdline").read_text().split("\0")[0] for child in children]
    for process in [raylet, *children]:
        os.kill(process, signal.SIGKILL)


def main(folder: Path) -> None:
    """Write it."""
    import ray
    from ray.cluster_utils import Cluster

    options = {"num_cpus": 1, "object_store_memory": 100_000_000}
    cluster = Cluster(initialize_head=True, head_node_args=options)
    machine = cluster.add_node(**options)
    ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
    seen: list[str] = []
    notes = folder / "out.work" / ".job"
    threading.Thread(target=kill, args=(machine, notes, seen), daemon=True).start()
    run(CounterfactualSwap(columns="text"), load_from_disk(str(folder / "rows")), folder / "out",
        shard_rows=1000, num_proc=2, engine="ray")  # fmt: skip
    left = sum(node["Alive"] for node in ray.nodes())
    ray.shutdown()
    cluster.shutdown()
    print(json.dumps({"seen": seen, "left": left}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
