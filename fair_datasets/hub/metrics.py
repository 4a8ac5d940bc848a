"""Pushing the package's measures to the Hub as Spaces, and pulling measures from Spaces."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.hub import merging, repositories
from fair_datasets.hub.errors import told
from fair_datasets.hub.folders import files_of, pinned, pull_space, push_files
from fair_datasets.hub.ids import HubId, hub_id, writable_id
from fair_datasets.hub.repositories import Upload
from fair_datasets.system.checks import InputError, one_of

if TYPE_CHECKING:
    from evaluate import EvaluationModule

_APP = Path(__file__).with_name("metric_app.py")
_TITLE = "Fairness measures of fair_datasets"
_ABOUT = "Fairness measures of text data and models, each loaded by evaluate.load."
# Spaces run Python 3.10 unless their card says otherwise; the package needs a later one.
_NEEDS = '---\npython_version: "3.11"\n---\n'


class PushedMetrics(NamedTuple):
    """The Spaces of measures that were pushed.

    Attributes:
        uploads: The measure's name to its page and files.
        collection: The page of the collection that they stand in; empty where none was made.
    """

    uploads: dict[str, Upload]
    collection: str


def push_metric(
    name: str,
    namespace: str,
    *,
    private: bool | None = None,
    revision: str | None = None,
    create_pr: bool = False,
    commit_message: str | None = None,
    overwrite: bool = False,
    dry_run: bool = False,
) -> Upload:
    """Push one of the package's measures to the Hub, as a Space that `evaluate.load` loads.

    The Space has the measure's name, since evaluate looks for a module of the Space's own name.

    Args:
        private, create_pr, overwrite, dry_run: As for `push_model`.
        revision: As for `push_model`; a Space runs its main branch.

    Raises:
        InputError: There is no such measure, or the Hub refused.

    Example:
        >>> upload = push_metric("demographic_parity", "ada", dry_run=True)
        >>> "demographic_parity.py" in [file.path for file in upload.files]
        True
    """
    from fair_datasets.measures.load import available_metrics, metrics_folder

    one_of(name, available_metrics(), owner="push_metric", parameter="name")
    folder = metrics_folder() / name
    files = pinned({"app.py": _APP, **files_of(folder).files})
    readme = (folder / repositories.CARD).read_text(encoding="utf-8")
    return push_files(
        writable_id(f"{namespace}/{name}", "space", revision),
        files,
        merging.merge_card(readme, _NEEDS, "card"),
        private=private,
        create_pr=create_pr,
        message=commit_message or f"Upload {name} with fair_datasets",
        overwrite=overwrite,
        dry_run=dry_run,
    )


def push_metrics(
    namespace: str, names: Iterable[str] | None = None, **options: Any
) -> PushedMetrics:
    """Push the package's measures to the Hub, each as a Space, and collect them under one title.

    Args:
        **options: What `push_metric` takes.

    Raises:
        InputError: There is no such measure, or the Hub refused.

    Example:
        >>> list(push_metrics("ada", ["demographic_parity"], dry_run=True).uploads)
        ['demographic_parity']
    """
    from fair_datasets.measures.load import available_metrics

    asked = [names] if isinstance(names, str) else names
    chosen = available_metrics() if asked is None else list(asked)
    for name in chosen:
        one_of(name, available_metrics(), owner="push_metrics", parameter="names")
    uploads = {name: push_metric(name, namespace, **options) for name in chosen}
    # A pull request or a branch is no Space yet.
    elsewhere = options.get("create_pr") or options.get("revision")
    if options.get("dry_run") or elsewhere or not chosen:
        return PushedMetrics(uploads, "")
    return PushedMetrics(uploads, _collect(namespace, chosen, bool(options.get("private"))))


def _collect(namespace: str, names: Iterable[str], private: bool) -> str:
    """Put Spaces into the collection of measures, and return its page."""
    client = repositories.api()
    with told(HubId("collection", f"{_TITLE!r} of {namespace}"), writes=True):
        found = client.create_collection(
            _TITLE, namespace=namespace, description=_ABOUT, private=private, exists_ok=True
        )
        for name in names:
            client.add_collection_item(found.slug, f"{namespace}/{name}", "space", exists_ok=True)
    return found.url


def pull_metric(repo_id: str, *, revision: str | None = None, **options: Any) -> "EvaluationModule":
    """Load a measure from a Space of the Hub. This runs the code of its owner.

    Args:
        repo_id: "user/name", "user/name@revision" or "hf://spaces/user/name".
        revision: The branch, tag or commit; None for the one in `repo_id`, or the main branch.
        **options: What `evaluate.load` takes.

    Returns:
        The module: a metric, comparison or measurement.

    Raises:
        InputError: There is no such Space or revision, it may not be read, or it holds no measure.

    Example:
        >>> pull_metric("hf://datasets/ada/reviews")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: 'hf://datasets/ada/reviews' names a dataset, but a space is
        meant here.
    """
    import evaluate

    # By its path, since evaluate would take a folder of that name here, or an older copy.
    folder = pull_space(repo_id, revision=revision)
    name = hub_id(repo_id, "space").name
    module = folder / f"{name.split('/')[-1]}.py"
    if not module.exists():
        raise InputError(f"The space {name} is not a measure: it holds no {module.name}.")
    return evaluate.load(str(module), **options)
