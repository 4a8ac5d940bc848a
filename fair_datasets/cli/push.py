"""The commands `push` and `pull`."""

import shutil
from pathlib import Path
from typing import Annotated, Any

from fair_datasets.cards.markdown import card_of, card_parts
from fair_datasets.cli.groups import Dialect
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.option_types import DIR, FILE, FOLDER, INPUT, NAME, REPOSITORY
from fair_datasets.cli.options import Options
from fair_datasets.cli.outputs import Output, croissant_in, own_files_in, uploading, write_parquet
from fair_datasets.cli.sources import card_in
from fair_datasets.hub import pull_dataset, push_dataset, push_metrics, push_model, push_space
from fair_datasets.hub.repositories import find, hub_id, translate_hub_errors
from fair_datasets.jobs.file_outputs import new_folder
from fair_datasets.system.checks import InputError
from fair_datasets.system.portable import is_published

# They name files of the repository, which lie elsewhere in a pulled folder.
_OF_THE_REPOSITORY = ("configs", "dataset_info")


class Push(Options):
    """What every push takes."""

    LIKE = "fair_datasets.hub.folders:push_model"
    ARGUMENTS = "repo_id"
    COMMON = "private revision overwrite create_pr commit_message dry_run"

    private: bool = False
    revision: Annotated[str, "BRANCH"] | None
    create_pr: bool
    commit_message: Annotated[str, "TEXT"] | None
    overwrite: bool
    dry_run: bool

    @property
    def shared(self) -> dict[str, Any]:
        """What every push takes, as Python takes it."""
        names = ("revision", "create_pr", "commit_message", "overwrite", "dry_run")
        return {"private": self.private or None} | {name: getattr(self, name) for name in names}


class Carded(Push):
    """What is pushed with a card.

    Attributes:
        card: The card (default: README.md in the folder).
    """

    card: FILE | None = None


class Dataset(Carded, Dialect):
    """Push a dataset as one configuration of a repository.

    Example: fair-datasets push dataset reviews-cda/ ada/reviews --config-name cda

    Attributes:
        source: A CSV, TSV, JSON Lines, Parquet or text file, a folder of them, or a saved dataset.
        repo_id: The repository to push to.
        config_name: The configuration, such as original, cda or cds.
        max_shard_size: How much of the data one file holds.
        overwrite: Whether data that the repository has, and that these do not replace row for row
            of the same columns, may be lost to its readers.
    """

    ARGUMENTS = "source repo_id"
    COMMON = "config_name private revision overwrite create_pr dry_run"

    source: INPUT
    repo_id: REPOSITORY
    config_name: NAME = "default"
    max_shard_size: Annotated[str, "SIZE"] = "500MB"
    overwrite: bool = False

    def run(self) -> None:
        """Push what is read from a path, with its card."""
        source = Path(self.source)
        if not source.exists():
            raise InputError(
                f"There is no file or folder {self.source!r}; check the path, or get a dataset of "
                "the Hub with `fair-datasets pull` first."
            )
        beside = source / "README.md"
        is_card = beside.is_file() and not beside.is_symlink()
        card = card_in(self.card or (beside if is_card else None))
        splits = load_input(self.source, (), None, **self.dialect)
        with uploading():
            upload = push_dataset(
                splits,
                self.repo_id,
                config_name=self.config_name,
                card=card,
                files=own_files_in(source),
                croissant=croissant_in(source),
                max_shard_size=self.max_shard_size,
                **self.shared,
            )
        print(upload.describe())


class Model(Carded):
    """Push the folder of a trained model.

    Example: fair-datasets push model my-model/ ada/fair-reviews

    Attributes:
        model: The folder that save_pretrained wrote, tokenizer included.
        repo_id: The repository to push to.
    """

    ARGUMENTS = "model repo_id"
    COMMON = "card private revision overwrite create_pr dry_run"

    model: FOLDER
    repo_id: REPOSITORY

    def run(self) -> None:
        """Push a folder, with its card."""
        card = card_in(self.card)
        with uploading():
            upload = push_model(self.model, self.repo_id, card=card, **self.shared)
        print(upload.describe())


class Metrics(Push):
    """Push measures, each as a Space that evaluate.load loads.

    Example: fair-datasets push metrics ada demographic_parity

    Attributes:
        namespace: The user or organisation to own them.
        names: Which ones (default: all).
    """

    ARGUMENTS = "namespace names"

    namespace: Annotated[str, "USER"]
    names: tuple[Annotated[str, "MEASURE"], ...] = ()

    def run(self) -> None:
        """Push measures."""
        with uploading():
            pushed = push_metrics(self.namespace, self.names or None, **self.shared)
        lines = [upload.describe() for upload in pushed.uploads.values()]
        lines += [f"They are collected at {pushed.collection}"] if pushed.collection else []
        print("\n".join(lines))


class Demo(Push):
    """Push the demo as a Space.

    Example: fair-datasets push demo ada/counterfactuals

    Attributes:
        repo_id: The Space to push to.
    """

    ARGUMENTS = "repo_id"

    repo_id: REPOSITORY

    def run(self) -> None:
        """Push the folder of the demo: inside an installed package, or beside it in a checkout."""
        package = Path(__file__).parents[1]
        inside = package / "hub" / "demo"
        demo = inside if inside.is_dir() else package.parent / "hub_scripts" / "demo"
        with uploading():
            print(push_space(demo, self.repo_id, **self.shared).describe())


class Pull(Options):
    """Pull a dataset of the Hub, with its card, into a folder of Parquet files.

    Example: fair-datasets pull ada/reviews reviews-cda/ --config-name cda

    Attributes:
        repo_id: The dataset, or hf://datasets/...
        out: Where to write; a new folder.
        config_name: The configuration, such as original, cda or cds.
        revision: A branch, a tag or a commit (default: main).
    """

    ARGUMENTS = "repo_id out"

    repo_id: REPOSITORY
    out: DIR
    config_name: NAME | None = None
    revision: Annotated[str, "REVISION"] | None = None

    def run(self) -> None:
        """Pull a dataset and its card, both of one commit."""
        target = hub_id(self.repo_id)
        repository = find(target._replace(revision=self.revision or target.revision))
        # The card first: one that cannot be read is told here more plainly than by datasets.
        with translate_hub_errors(repository.target):
            metadata, text = card_parts(repository.card())
        selected = {key: value for key, value in metadata.items() if key not in _OF_THE_REPOSITORY}
        with new_folder(self.out) as place:
            splits = pull_dataset(self.repo_id, self.config_name, revision=repository.commit)
            for split, rows in splits.items():
                write_parquet(rows, place, split)
            (place / "README.md").write_text(card_of(selected, text), encoding="utf-8")
            with translate_hub_errors(repository.target):
                for path in filter(is_published, repository.paths):
                    (place / path).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(repository.download(path), place / path)
        counts = "\n".join(f"{rows.num_rows:>12,}  {split}" for split, rows in splits.items())
        print(f"{counts}\n\n{Output(self.out).written()}")
