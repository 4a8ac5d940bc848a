"""The command `demo`: the main job on a sample that ships with the package, offline."""

import re
from pathlib import Path

from fair_datasets.cli.augment import augment
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.option_types import DIR
from fair_datasets.cli.options import Options
from fair_datasets.cli.outputs import Output
from fair_datasets.cli.preview import show_changes
from fair_datasets.cli.tasks import Task
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import InputError

SAMPLE = Path(__file__).parent / "demo_reviews.csv"
_COMMAND = "fair-datasets demo"
_READING = (
    "from fair_datasets.cli.demo import SAMPLE",
    "from fair_datasets.cli.inputs import load_input",
    "",
    'dataset = load_input(str(SAMPLE), ["text"], None)',
)
_OURS = re.compile(r"README\.md|\.manifest\.json|data(/train-\d{5}-of-\d{5}\.parquet)?")


class Demo(Options):
    """Augment a sample that ships with the package.

    It has short comments, written for this package; nothing is downloaded.

    Attributes:
        out: The folder to write; an earlier demo's is replaced.
    """

    out: DIR = Path("fair-datasets-demo")

    def run(self) -> None:
        """Run the command."""
        out = self.out
        _refuse_foreign(out)
        place = Output(out, replace=True)
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


def _refuse_foreign(out: Path) -> None:
    """Raise unless all that lies in a folder is what an earlier demo left there."""
    if not out.exists():
        return
    paths = sorted(out.rglob("*")) if out.is_dir() else [out]
    foreign = [path for path in paths if not _OURS.fullmatch(path.relative_to(out).as_posix())]
    card = out / "README.md"
    if paths and not foreign and not (card.is_file() and _COMMAND in card.read_text("utf-8")):
        # Another dataset's folder may hold files of the same names.
        foreign = paths
    if foreign:
        raise InputError(
            f"demo: {foreign[0]} was not written by the demo and would be lost; choose another "
            "--out."
        )
