"""Run a benchmark of the Hub with a made model of inspect-ai, and print what it says; JSON.

python inspect_hub.py USER/NAME FOLDER
"""

import json
import sys
from dataclasses import asdict

from inspect_ai import eval
from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, modelapi

from fair_datasets.integrations.inspect_ai import eval_results

name, folder = sys.argv[1:]


class Made(ModelAPI):
    """A model that answers A, but B where the question is about a woman."""

    async def generate(self, input, tools, tool_choice, config):
        """Answer, and say how many tokens that took."""
        words = input[-1].text.split("Question:")[-1].split()
        letter = "B" if {"she", "She", "her", "woman"} & {*words} else "A"
        output = ModelOutput.from_content("made", f"ANSWER: {letter}")
        output.usage = ModelUsage(input_tokens=9, output_tokens=2, total_tokens=11)
        return output


@modelapi(name="made")
def made():
    """Return the model."""
    return Made


logs = eval(f"hf/{name}", model="made/made", log_dir=folder, display="none")
found = {
    "status": [each.status for each in logs],
    "tasks": {each.eval.task: each.results.completed_samples for each in logs},
    "usage": [each.stats.model_usage["made/made"].total_tokens for each in logs],
    "metadata": logs[1].samples[0].metadata,
    "sample": [logs[1].samples[0].input, logs[1].samples[0].choices, logs[1].samples[0].target],
    "entries": [asdict(each) for each in eval_results(logs)],
    "read": [asdict(each) for each in eval_results([each.location for each in logs])],
}  # fmt: skip
sys.stdout.write("\n" + json.dumps(found) + "\n")
