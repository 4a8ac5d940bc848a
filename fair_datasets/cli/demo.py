"""The command `demo`: the main job on a sample that ships with the package, offline."""

from pathlib import Path

from fair_datasets.cli.augment import augment
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.option_types import DIR
from fair_datasets.cli.options import Options
from fair_datasets.cli.outputs import Output
from fair_datasets.cli.preview import show_changes
from fair_datasets.cli.tasks import Task
from fair_datasets.jobs.job import manifest_of
from fair_datasets.swap.counterfactual import CounterfactualSwap

SAMPLE = Path(__file__).parent / "demo_reviews.csv"
_COMMAND = "fair-datasets demo"
_READING = (
    "from fair_datasets.cli.demo import SAMPLE",
    "from fair_datasets.cli.inputs import load_input",
    "",
    'dataset = load_input(str(SAMPLE), ["text"], None)',
)


class Demo(Options):
    """Augment a sample that ships with the package.

    It has short comments, written for this package; nothing is downloaded.

    Attributes:
        out: The folder to write; an earlier demo's is replaced.
    """

    out: DIR = Path("fair-datasets-demo")

    def run(self) -> None:
        """Run the command."""
        is_ours = (manifest_of(self.out) or {}).get("command") == _COMMAND
        place = Output(self.out, replace=is_ours)
        place.refuse_taken()
        technique = CounterfactualSwap(columns="text", id_column="id")
        splits = load_input(str(SAMPLE), technique.columns, None)
        print(
            f"{len(splits['train'])} short comments, of customers and others, written for this "
            "package. The first that\nthe swap of gender changes (rows are counted from 0):\n"
        )
        show_changes("train", splits["train"], technique, source=str(SAMPLE))
        augment(
            splits,
            technique,
            Task(out=place, identity={"command": _COMMAND}, folder=place.work),
            list(splits),
            source=SAMPLE.name,
            command=_COMMAND,
            reading=_READING,
        )
        print(
            "\nWhom do texts of your own mention?\n\n    fair-datasets audit your.csv --text COLUMN"
        )
