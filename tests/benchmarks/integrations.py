"""An adapter beside `datasets.map`, in the environment of its tool: rows in and out, and rows/s.

    /path/to/datatrove/bin/python tests/benchmarks/integrations.py datatrove --rows 50000 --out DIR

The tool is `datatrove`, `data-juicer` or `nemo-curator`. Both read the same JSONL file and write
one, in one process; the seconds of the step alone are what the tool says of it.
"""

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from corpora import TEMPLATES
from datasets import load_dataset

from fair_datasets import CounterfactualSwap

SWAP = CounterfactualSwap(columns="text")


def main() -> None:
    """Run the tool and `map`."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tool", choices=sorted(TOOLS))
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    place = options.out.absolute() / options.tool
    (place / "in").mkdir(parents=True)
    with (place / "in" / "rows.jsonl").open("w") as file:
        for n in range(options.rows):
            row = {"id": str(n), "text": TEMPLATES[n % len(TEMPLATES)].format(n)}
            file.write(json.dumps(row) + "\n")
    SWAP({"text": ["He ran."]})
    print("| engine | rows in | rows out | the step, s | rows/s | whole, s |")
    print("|---|---|---|---|---|---|")
    made = []
    for name, run in (("datasets.map", with_map), (options.tool, TOOLS[options.tool])):
        began = time.monotonic()
        step = run(place)
        whole = time.monotonic() - began
        found = written(place / name)
        made.append(found)
        print(f"| {name} | {options.rows:,} | {len(found):,} | {step:.1f} | "
              f"{options.rows / step:,.0f} | {whole:.1f} |", flush=True)  # fmt: skip
    print(f"\nthe same rows: {made[0] == made[1]}")


def written(folder: Path) -> list[tuple[str, str, str]]:
    """Return the rows that were written: id, text and family, sorted."""
    files = [file for file in folder.glob("*.jsonl") if "stats" not in file.name]
    rows = [json.loads(line) for file in files for line in file.open()]
    return sorted(
        (row["id"].partition("/")[0], row["text"], row.get("metadata", row)["family_id"])
        for row in rows
    )


def with_map(place: Path) -> float:
    """Run `datasets.map`."""
    rows = load_dataset("json", data_files=str(place / "in" / "rows.jsonl"), split="train")
    began = time.monotonic()
    made = rows.map(SWAP, batched=True, features=SWAP.features(rows.features))
    step = time.monotonic() - began
    made.to_json(place / "datasets.map" / "rows.jsonl")
    return step


def with_datatrove(place: Path) -> float:
    """Run a pipeline of datatrove."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter

    from fair_datasets.integrations.datatrove import Counterfactuals

    step = Counterfactuals(SWAP)
    writer = JsonlWriter(str(place / "datatrove"), "${rank}.jsonl", compression=None)
    pipeline = [JsonlReader(str(place / "in")), step, writer]
    made = LocalPipelineExecutor(pipeline, logging_dir=str(place / "logs")).run()
    return float(made.stats[1].time_stats.total)


def with_data_juicer(place: Path) -> float:
    """Run a recipe of Data-Juicer."""
    from data_juicer.config import init_configs
    from data_juicer.core import DefaultExecutor

    from fair_datasets.integrations.data_juicer import FairCounterfactualSwapMapper

    recipe = {
        "dataset_path": str(place / "in" / "rows.jsonl"), "np": 1,
        "export_path": str(place / "data-juicer" / "rows.jsonl"),
        "process": [{"fair_counterfactual_swap_mapper": {"mode": "augment"}}],
    }  # fmt: skip
    (place / "recipe.yaml").write_text(json.dumps(recipe))
    seconds, run = [], FairCounterfactualSwapMapper.run

    def timed(*arguments: object, **named: object) -> object:
        began = time.monotonic()
        made = run(*arguments, **named)
        seconds.append(time.monotonic() - began)
        return made

    FairCounterfactualSwapMapper.run = timed
    DefaultExecutor(init_configs(["--config", str(place / "recipe.yaml")])).run()
    return seconds[0]


def with_nemo_curator(place: Path) -> float:
    """Run a pipeline of NeMo Curator on Ray Data."""
    from nemo_curator.backends.ray_data import RayDataExecutor
    from nemo_curator.pipeline import Pipeline
    from nemo_curator.stages.text.io.reader import JsonlReader
    from nemo_curator.stages.text.io.writer import JsonlWriter

    from fair_datasets.integrations.nemo_curator import CounterfactualStage

    stages = [
        JsonlReader(str(place / "in")),
        CounterfactualStage(),
        JsonlWriter(str(place / "nemo-curator")),
    ]
    tasks = Pipeline(name="rows", stages=stages).run(RayDataExecutor())
    return sum(perf.process_time for task in tasks for perf in task._stage_perf
               if perf.stage_name == "counterfactuals")  # fmt: skip


TOOLS: dict[str, Callable[[Path], float]] = {
    "datatrove": with_datatrove, "data-juicer": with_data_juicer, "nemo-curator": with_nemo_curator,
}  # fmt: skip

if __name__ == "__main__":
    os.environ |= {"HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "RAY_USAGE_STATS_ENABLED": "0"}
    main()
