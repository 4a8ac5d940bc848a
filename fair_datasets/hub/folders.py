"""Pushing folders to the Hub and pulling them: models, Spaces, and measures as Spaces."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.cards import markdown
from fair_datasets.cards.markdown import addressed_model
from fair_datasets.hub import repositories
from fair_datasets.hub.repositories import (
    CARD,
    Content,
    HubId,
    Repository,
    Upload,
    hub_id,
    sizes,
    translate_hub_errors,
    writable_id,
)
from fair_datasets.system.checks import InputError, format_first, invalid, one_of
from fair_datasets.system.files import indented, temporary_folder
from fair_datasets.system.portable import strip_folders
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from evaluate import EvaluationModule
    from transformers import PreTrainedModel
    from transformers.tokenization_utils_base import PreTrainedTokenizerBase


# What the Hub writes into the card of a new Space.
_HUBS_OWN = "Check out the configuration reference at"


def push_model(
    model: "str | Path | PreTrainedModel",
    repo_id: str,
    *,
    tokenizer: "PreTrainedTokenizerBase | None" = None,
    card: str = "",
    private: bool | None = None,
    revision: str | None = None,
    create_pr: bool = False,
    commit_message: str | None = None,
    overwrite: bool = False,
    dry_run: bool = False,
) -> Upload:
    """Push a model to the Hub.

    Only what loading it needs is sent: neither what training left in the folder, nor links, nor
    weights as a pickle. If the upload is interrupted, the same call goes on: files that the Hub
    has already are not sent again.

    Args:
        model: The folder that `save_pretrained` wrote, or the model itself.
        repo_id: "user/name" or "hf://user/name"; created if it is not there.
        tokenizer: The tokenizer, if the model is no folder.
        card: What to write in the card: Markdown, with or without metadata at the top; it stands
            in a section of its own, and says how to load the model from the Hub where it says how
            to load it. Empty for the folder's own README.md.
        private: Whether a new repository is private, and an existing one has to be; None for what
            is usual for its owner.
        revision: The branch to write, which is created if it is not there; None for main.
        create_pr: Whether to make a pull request instead of writing to the main branch.
        commit_message: What the history says about this push.
        overwrite: Whether files that this package did not put there may be replaced.
        dry_run: Whether to list what would be sent, with sizes in bytes, and send nothing; the Hub
            is not asked.

    Raises:
        InputError: The Hub refused, there is nothing to send, or files of others are there.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = (Path(folder) / "config.json").write_text("{}")
        ...     [file.path for file in push_model(folder, "ada/fair-reviews", dry_run=True).files]
        ['README.md', 'config.json']
    """
    target = writable_id(repo_id, "model", revision)
    with ExitStack() as stack:
        if isinstance(model, str | Path):
            if tokenizer is not None:
                raise invalid("with a folder, save the tokenizer into it as well.")
            folder = Path(model)
        else:
            folder = stack.enter_context(temporary_folder())
            model.save_pretrained(folder)
            if tokenizer is not None:
                tokenizer.save_pretrained(folder)
        files, left_out = model_files(folder)
        return push_files(
            target, files, card, overwrite=overwrite, dry_run=dry_run, private=private,
            create_pr=create_pr, message=commit_message or "Upload model with fair_datasets",
            left_out=left_out,
        )  # fmt: skip


def push_space(
    folder: str | Path,
    repo_id: str,
    *,
    card: str = "",
    private: bool | None = None,
    revision: str | None = None,
    create_pr: bool = False,
    commit_message: str | None = None,
    overwrite: bool = False,
    dry_run: bool = False,
) -> Upload:
    """Push the folder of a Gradio app to the Hub as a Space.

    Args:
        folder: The folder, with the app, its requirements and a README.md with the Space's
            metadata.
        repo_id: "user/name" or "hf://spaces/user/name"; created if it is not there.
        card, private, create_pr, overwrite, dry_run: As for `push_model`.
        revision: As for `push_model`; a Space runs its main branch.

    Raises:
        InputError: The Hub refused, there is nothing to send, or files of others are there.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = (Path(folder) / "app.py").write_text("{}")
        ...     [file.path for file in push_space(folder, "ada/demo", dry_run=True).files]
        ['README.md', 'app.py']
    """
    files, left_out = files_of(Path(folder))
    return push_files(
        writable_id(repo_id, "space", revision), pinned(files), card, private=private,
        create_pr=create_pr, message=commit_message or "Upload Space with fair_datasets",
        overwrite=overwrite, dry_run=dry_run, left_out=left_out,
    )  # fmt: skip


def pull_model(repo_id: str, *, revision: str | None = None) -> Path:
    """Download a model of the Hub, or find it in the cache of huggingface_hub.

    Args:
        repo_id: "user/name", "user/name@revision" or "hf://user/name".
        revision: The branch, tag or commit; None for the one in `repo_id`, or the main branch.

    Raises:
        InputError: There is no such model or revision, or it may not be read.

    Example:
        >>> pull_model("hf://datasets/ada/reviews")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: 'hf://datasets/ada/reviews' names a dataset, but a model is
        meant here.
    """
    return _pull(repo_id, "model", revision)


def pull_space(repo_id: str, *, revision: str | None = None) -> Path:
    """Download the files of a Space, or find them in the cache of huggingface_hub.

    Args:
        repo_id: "user/name", "user/name@revision" or "hf://spaces/user/name".
        revision: The branch, tag or commit; None for the one in `repo_id`, or the main branch.

    Raises:
        InputError: There is no such Space or revision, or it may not be read.

    Example:
        >>> pull_space("hf://datasets/ada/reviews")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: 'hf://datasets/ada/reviews' names a dataset, but a space is
        meant here.
    """
    return _pull(repo_id, "space", revision)


def _pull(repo_id: str, kind: str, revision: str | None) -> Path:
    """Download a repository."""
    target = hub_id(repo_id, kind)
    target = target._replace(revision=revision or target.revision)
    commit = repositories.find(target).commit
    with translate_hub_errors(target):
        return Path(
            repositories.api().snapshot_download(target.name, repo_type=kind, revision=commit)
        )


def push_files(
    target: HubId,
    files: Mapping[str, Content],
    card: str = "",
    *,
    private: bool | None,
    create_pr: bool,
    message: str,
    overwrite: bool,
    dry_run: bool,
    left_out: Sequence[str] = (),
) -> Upload:
    """Send files and the card in one commit."""
    others = {path: content for path, content in files.items() if path != CARD}
    own = _text(files[CARD], target.name) if CARD in files else ""
    card, own = addressed_model(card, target.name), addressed_model(own, target.name)
    markdown.card_parts(card or own)
    page = repositories.page(target)
    if dry_run:
        would_be = sizes({**others, CARD: (card or own).encode()})
        return Upload(page, would_be, sent=False, left_out=tuple(left_out))
    with translate_hub_errors(target, writes=True):
        repository = repositories.find_for_writing(target, private=private, create_pr=create_pr)
        existing = "" if repository is None or _is_new_space(repository) else repository.card()
        if repository is not None and not overwrite and not markdown.has_tag(existing):
            _refuse_foreign(repository, others)
        before = existing or (own if card else "")
        sent = {**others, CARD: markdown.merge_card(before, card or own, "card").encode()}
        if repository is None:
            sdk = "gradio" if target.kind == "space" else None
            repository = repositories.make(target, private=private, sdk=sdk)
        else:
            repositories.make_branch(target)
        commit = repositories.commit(
            repository, repositories.additions(sent), message=message, create_pr=create_pr
        )
    return Upload(commit.pr_url or page, sizes(sent), sent=True, left_out=tuple(left_out))


def _is_new_space(repository: Repository) -> bool:
    """Whether a Space holds nothing but what the Hub put into it when it was created."""
    # Where the connection broke before its first files were sent, it is as good as not there.
    is_empty = repository.paths <= {CARD, ".gitattributes"}
    return repository.target.kind == "space" and is_empty and _HUBS_OWN in repository.card()


def _text(content: Content, name: str) -> str:
    """Read a card that is among the files."""
    try:
        data = content if isinstance(content, bytes) else content.read_bytes()
        return data.decode("utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"The {CARD} for {name} cannot be read ({error}); repair it.") from error


def _refuse_foreign(repository: Repository, files: Iterable[str]) -> None:
    """Raise if files would be replaced, other than the card, into which ours is put."""
    if foreign := sorted(repository.paths & set(files)):
        raise InputError(
            f"The {repository.target.kind} {repository.target.name} exists and holds files that "
            f"fair_datasets did not put there ({format_first(foreign)}); choose another name, or "
            "pass overwrite=True (--overwrite) to replace them."
        )


# What transformers, PEFT, sentence-transformers and our own linear probes load, and what tells
# about it. What training leaves beside it (the state of the optimizer, its arguments, checkpoints,
# logs) holds texts, paths or pickles that are nobody's business.
_OF_A_MODEL = (
    "config.json", "generation_config.json", "adapter_config.json",
    "model.safetensors", "model-*.safetensors", "model.safetensors.index.json",
    "adapter_model*.safetensors", "adapter_model.safetensors.index.json",
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    "vocab.json", "vocab.txt", "merges.txt", "*.model", "*.tiktoken", "chat_template.*",
    "preprocessor_config.json", "processor_config.json",
    "modules.json", "config_sentence_transformers.json", "sentence_bert_config.json",
    "[0-9]_*/config.json", "[0-9]_*/model.safetensors",
    "linear_probe.json", "linear_probe.safetensors", "direction.safetensors",
    "technique.json", "lexicons/*/*.tsv", "weights/*/*.safetensors",
    "README.md", "LICENSE*", "LICENCE*", "NOTICE*",
)  # fmt: skip
_PICKLED_WEIGHTS = (
    "pytorch_model*.bin", "adapter_model*.bin", "model.pt", "model.pth",
    "*.ckpt", "*.joblib", "*.pickle", "*.pkl",
)  # fmt: skip
_LEFT_OUT = ("__pycache__",)
_UNPINNED = re.compile(rb"^fair[-_]datasets(\[[\w, -]*\])?[ \t]*(?=\r?$)", re.MULTILINE)


class Chosen(NamedTuple):
    """The files of a folder."""

    files: dict[str, Content]
    left_out: list[str]


def files_of(folder: Path) -> Chosen:
    """Choose the files of a folder that are sent.

    Hidden files are left out: they are settings of tools, or secrets. So are links, which lead to
    files that lie elsewhere.
    """
    if not folder.is_dir():
        raise InputError(f"There is no folder {str(folder)!r}; check the path.")
    files: dict[str, Content] = {}
    links: list[str] = []
    for path in sorted(_walk(folder)):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            links.append(name)
        elif path.is_file():
            files[name] = path
    if not files:
        links_only = f"; {format_first(links)} are links: copy what they lead to" if links else ""
        raise InputError(f"The folder {str(folder)!r} holds no files to send{links_only}.")
    return Chosen(files, links)


def model_files(folder: Path) -> Chosen:
    """Choose the files of a folder that loading a model needs.

    Returns:
        The files; paths of this machine in them are cut to their last part.
    """
    contents, links = files_of(folder)
    files = {name: content for name, content in contents.items() if _is_one_of(name, _OF_A_MODEL)}
    others = [name for name in contents if name not in files]
    pickles = [name for name in others if _is_one_of(name, _PICKLED_WEIGHTS)]
    if pickles and not any(name.endswith(".safetensors") for name in files):
        raise InputError(
            f"The folder {str(folder)!r} keeps its weights as a pickle ({pickles[0]!r}), which can "
            "run code when it is read; load the model and save it again with save_pretrained, "
            "which writes safetensors."
        )
    if not files:
        raise InputError(
            f"The folder {str(folder)!r} holds no files that a model is loaded from, such as "
            f"config.json, only {format_first(others)}; check the path."
        )
    sent = {name: _without_paths(name, content) for name, content in files.items()}
    return Chosen(sent, list(dict.fromkeys(map(_top, [*links, *others]))))


def pinned(files: dict[str, Content]) -> dict[str, Content]:
    r"""Fix the version of this package that a Space installs to the one that sends it.

    Returns:
        The files; a requirement of fair-datasets without a version gets one.
    """
    name = "requirements.txt"
    if name not in files:
        return files
    content = files[name]
    data = content if isinstance(content, bytes) else content.read_bytes()
    version = f"=={__version__}".encode()
    return {**files, name: _UNPINNED.sub(lambda matched: matched[0].rstrip() + version, data)}


def _walk(folder: Path) -> Iterator[Path]:
    """Walk the files of a folder, and the links in it, but what is hidden."""
    for place, folders, names in os.walk(folder):  # Links are not followed.
        names += [name for name in folders if Path(place, name).is_symlink()]
        folders[:] = [name for name in folders if name[0] != "." and name not in _LEFT_OUT]
        yield from (Path(place, name) for name in names if name[0] != ".")


def _is_one_of(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether the path of a file matches a pattern, folder by folder."""
    parts = PurePosixPath(name).parts
    return any(
        len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))
        for wanted in (PurePosixPath(pattern).parts for pattern in patterns)
    )


def _top(name: str) -> str:
    """Return the name of a file, or of the folder at the top in which it lies."""
    first, slash, _ = name.partition("/")
    return first + slash


def _without_paths(name: str, content: Content) -> Content:
    """Cut the paths of this machine that a settings file names to their last part."""
    if not name.endswith("config.json"):
        return content
    try:
        data = json.loads(content if isinstance(content, bytes) else content.read_bytes())
    except (OSError, ValueError):
        # It is sent as it is; what loads it will say what is wrong with it.
        return content
    changed = _cut(data)
    return content if changed == data else f"{indented(changed)}\n".encode()


def _cut(data: Any) -> Any:
    """Cut the paths in the settings of a model."""
    if isinstance(data, dict):
        return {
            key: strip_folders(value)
            if key.endswith("name_or_path") and isinstance(value, str)
            else _cut(value)
            for key, value in data.items()
        }
    return data


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
    from fair_datasets.measures.load import LISTING, available_metrics, metrics_folder

    one_of(name, available_metrics(), parameter="name", listing=LISTING)
    folder = metrics_folder() / name
    files = pinned({"app.py": _APP, **files_of(folder).files})
    readme = (folder / repositories.CARD).read_text(encoding="utf-8")
    return push_files(
        writable_id(f"{namespace}/{name}", "space", revision),
        files,
        markdown.merge_card(readme, _NEEDS, "card"),
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
    from fair_datasets.measures.load import LISTING, available_metrics

    asked = [names] if isinstance(names, str) else names
    chosen = available_metrics() if asked is None else list(asked)
    for name in chosen:
        one_of(name, available_metrics(), parameter="names", listing=LISTING)
    uploads = {name: push_metric(name, namespace, **options) for name in chosen}
    # A pull request or a branch is no Space yet.
    elsewhere = options.get("create_pr") or options.get("revision")
    if options.get("dry_run") or elsewhere or not chosen:
        return PushedMetrics(uploads, "")
    return PushedMetrics(uploads, _collect(namespace, chosen, bool(options.get("private"))))


def _collect(namespace: str, names: Iterable[str], private: bool) -> str:
    """Put Spaces into the collection of measures, and return its page."""
    client = repositories.api()
    with translate_hub_errors(HubId("collection", f"{_TITLE!r} of {namespace}"), writes=True):
        collection = client.create_collection(
            _TITLE, namespace=namespace, description=_ABOUT, private=private, exists_ok=True
        )
        for name in names:
            client.add_collection_item(
                collection.slug, f"{namespace}/{name}", "space", exists_ok=True
            )
    return collection.url


def pull_metric(repo_id: str, *, revision: str | None = None, **options: Any) -> "EvaluationModule":
    """Load a measure from a Space of the Hub. This runs the code of its owner.

    Args:
        repo_id: "user/name", "user/name@revision" or "hf://spaces/user/name".
        revision: The branch, tag or commit; None for the one in `repo_id`, or the main branch.
        **options: What `evaluate.load` takes.

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
