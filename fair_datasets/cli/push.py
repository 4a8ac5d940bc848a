"""The commands `push` and `pull`, and the jobs that the scripts under `hub_scripts/` share."""

import argparse
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.cards.markdown import card_of, card_parts
from fair_datasets.cli.dialects import add_dialect, dialect_of
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.outputs import croissant_in, own_files_in, uploading, write_parquet, written
from fair_datasets.cli.parsers import add_parameters, option
from fair_datasets.hub import pull_dataset, push_dataset, push_metrics, push_model, push_space
from fair_datasets.hub.repositories import find, hub_id, told
from fair_datasets.jobs.file_outputs import local_folder, new_folder
from fair_datasets.system.checks import InputError
from fair_datasets.system.portable import is_published

# What every push takes, to what stands in the help for its value.
_OPTIONS: dict[str, str | type[bool]] = {
    "private": bool, "revision": "BRANCH", "create_pr": bool, "commit_message": "TEXT",
    "overwrite": bool, "dry_run": bool,
}  # fmt: skip


_LOG_IN = (
    "Log in first with `hf auth login`, or set HF_TOKEN to a token that may write. If the upload "
    "is interrupted, run the same again: what the Hub has already is not sent twice."
)
# They name files of the repository, which lie elsewhere in a pulled folder.
_OF_THE_REPOSITORY = ("configs", "dataset_info")


class Job(NamedTuple):
    """Something that is pushed or pulled, by the command line and by a script."""

    summary: str
    example: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], str]

    def as_script(self, description: str | None) -> None:
        """Do it with the options of a script, and print what it returns; tell a mistake."""
        parser = argparse.ArgumentParser(
            description=description, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        self.add_arguments(parser)
        options = parser.parse_args()
        try:
            sys.stdout.write(f"{self.run(options)}\n")
        except (InputError, FileNotFoundError) as error:
            parser.exit(2, f"{parser.prog}: {error}\n")
        except KeyboardInterrupt:
            parser.exit(130, f"{parser.prog}: interrupted; run the same again to go on.\n")


def add_parsers(commands: Any) -> None:
    """Add the two commands to the command line."""
    parser = commands.add_parser(
        "push",
        help="publish a dataset, a model, the measures or the demo on the Hub",
        description="Publish on the Hugging Face Hub.",
        epilog=_LOG_IN,
    )
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="WHAT")
    for name, job in PUSHES.items():
        _add_job(kinds, name, job, f"Example: fair-datasets push {name} {job.example}. {_LOG_IN}")
    _add_job(commands, "pull", PULL, f"Example: fair-datasets pull {PULL.example}")


def _add_job(commands: Any, name: str, job: Job, epilog: str) -> None:
    description = f"{job.summary[0].upper()}{job.summary[1:]}."
    parser = commands.add_parser(name, help=job.summary, description=description, epilog=epilog)
    job.add_arguments(parser)
    parser.set_defaults(run=lambda options: print(job.run(options)))


def _add_target(parser: argparse.ArgumentParser) -> None:
    """Add the repository that is written."""
    parser.add_argument("repo_id", metavar="USER/NAME", help="the repository to push to")


def _add_card(parser: argparse.ArgumentParser) -> None:
    """Add the card that is pushed with a folder."""
    option(parser, "--card FILE", "the card (default: README.md in the folder)", Path)


def _shared(options: argparse.Namespace) -> dict[str, Any]:
    """Return what every push takes."""
    return {name: getattr(options, name) for name in _OPTIONS}


def _card(file: Path | None) -> str:
    """Read the card; nothing where there is none."""
    if file is None:
        return ""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"The card {file} cannot be read ({error}); check the path.") from error


def _add_dataset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="INPUT",
        help="a CSV, TSV, JSON Lines, Parquet or text file, a folder of them, or a saved dataset",
    )
    _add_target(parser)
    add_dialect(parser)
    option(parser, "--config-name NAME", "the configuration, such as original, cda or cds",
           usual="default")  # fmt: skip
    _add_card(parser)
    option(parser, "--max-shard-size SIZE", "how much of the data one file holds", usual="500MB")
    add_parameters(parser, push_dataset, **_OPTIONS)


def _push_dataset(options: argparse.Namespace) -> str:
    """Push what was read from a path, with its card."""
    source = Path(options.source)
    if not source.exists():
        raise InputError(
            f"There is no file or folder {options.source!r}; check the path, or get a dataset of "
            "the Hub with `fair-datasets pull` first."
        )
    beside = source / "README.md"
    is_card = beside.is_file() and not beside.is_symlink()
    card = _card(options.card or (beside if is_card else None))
    splits = load_input(options.source, (), None, **dialect_of(options))
    with uploading():
        upload = push_dataset(
            splits,
            options.repo_id,
            config_name=options.config_name,
            card=card,
            files=own_files_in(source),
            croissant=croissant_in(source),
            max_shard_size=options.max_shard_size,
            **_shared(options),
        )
    return upload.describe()


def _add_model(parser: argparse.ArgumentParser) -> None:
    told = "the folder that save_pretrained wrote, tokenizer included"
    parser.add_argument("model", metavar="FOLDER", help=told)
    _add_target(parser)
    _add_card(parser)
    add_parameters(parser, push_model, **_OPTIONS)


def _push_model(options: argparse.Namespace) -> str:
    """Push a folder, with its card."""
    card = _card(options.card)
    with uploading():
        return push_model(options.model, options.repo_id, card=card, **_shared(options)).describe()


def _add_metrics(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of pushed measures."""
    parser.add_argument("namespace", metavar="USER", help="the user or organisation to own them")
    parser.add_argument("names", metavar="MEASURE", nargs="*", help="which ones (default: all)")
    add_parameters(parser, push_model, **_OPTIONS)


def _push_metrics(options: argparse.Namespace) -> str:
    with uploading():
        pushed = push_metrics(options.namespace, options.names or None, **_shared(options))
    lines = [upload.describe() for upload in pushed.uploads.values()]
    lines += [f"They are collected at {pushed.collection}"] if pushed.collection else []
    return "\n".join(lines)


def _add_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("repo_id", metavar="USER/NAME", help="the Space to push to")
    add_parameters(parser, push_model, **_OPTIONS)


def _push_demo(options: argparse.Namespace) -> str:
    with uploading():
        return push_space(_demo_folder(), options.repo_id, **_shared(options)).describe()


def _demo_folder() -> Path:
    """Return the folder of the demo: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / "hub" / "demo"
    return inside if inside.is_dir() else package.parent / "hub_scripts" / "demo"


def _add_pull(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("repo_id", metavar="USER/NAME", help="the dataset, or hf://datasets/...")
    parser.add_argument(
        "out", type=local_folder, metavar="FOLDER", help="where to write; a new folder"
    )
    option(parser, "--config-name NAME", "the configuration, such as original, cda or cds")
    option(parser, "--revision", "a branch, a tag or a commit (default: main)")


def _pull_dataset(options: argparse.Namespace) -> str:
    """Pull a dataset and its card, both of one commit."""
    target = hub_id(options.repo_id)
    found = find(target._replace(revision=options.revision or target.revision))
    # The card first: one that cannot be read is told here more plainly than by datasets.
    with told(found.target):
        metadata, text = card_parts(found.card())
    kept = {key: value for key, value in metadata.items() if key not in _OF_THE_REPOSITORY}
    with new_folder(options.out) as folder:
        splits = pull_dataset(options.repo_id, options.config_name, revision=found.commit)
        for split, rows in splits.items():
            write_parquet(rows, folder, split)
        (folder / "README.md").write_text(card_of(kept, text), encoding="utf-8")
        with told(found.target):
            for path in filter(is_published, found.paths):
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(found.download(path), folder / path)
    counts = "\n".join(f"{rows.num_rows:>12,}  {split}" for split, rows in splits.items())
    return f"{counts}\n\n{written(options.out)}"


PUSHES = {
    "dataset": Job(
        "push a dataset as one configuration of a repository",
        "reviews-cda/ ada/reviews --config-name cda",
        _add_dataset,
        _push_dataset,
    ),
    "model": Job(
        "push the folder of a trained model", "my-model/ ada/fair-reviews", _add_model, _push_model
    ),
    "metrics": Job(
        "push measures, each as a Space that evaluate.load loads",
        "ada demographic_parity",
        _add_metrics,
        _push_metrics,
    ),
    "demo": Job("push the demo as a Space", "ada/counterfactuals", _add_demo, _push_demo),
}
PULL = Job(
    "pull a dataset of the Hub, with its card, into a folder of Parquet files",
    "ada/reviews reviews-cda/ --config-name cda",
    _add_pull,
    _pull_dataset,
)
