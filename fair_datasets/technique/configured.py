"""What makes a technique a configuration: its fields, their JSON, and the way back from it."""

import inspect
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from fair_datasets.system.checks import (
    FEW,
    InputError,
    format_choices,
    invalid,
    one_of,
    parse_docstring_params,
    suggestion,
)
from fair_datasets.system.portable import (
    EXTERNAL,
    Allowed,
    external_names,
    file_digests,
    is_published,
    located,
    moved,
    portable_names,
    refuse_malformed,
    refuse_other_parameters,
    renamed,
)
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from fair_datasets.hub.repositories import Upload


@dataclass(frozen=True, kw_only=True)
class Configured:
    """A frozen dataclass that JSON rebuilds: the base of `Technique`, which says what it does."""

    external: ClassVar[tuple[str, ...]] = EXTERNAL
    former_names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Names that parameters had before, to those of today, for one release."""

    version: str = field(init=False, repr=False, default_factory=lambda: __version__)
    digests: tuple[tuple[str, str], ...] = field(init=False, repr=False, default=())

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Refuse, in one sentence, what a class does not take."""
        refuse_other_arguments(cls, given, named)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Take the digests of the files that the technique refers to."""
        object.__setattr__(self, "digests", file_digests(self.resources()))

    def resources(self) -> Mapping[str, Path]:
        """Name the files that the result depends on.

        Returns:
            Resource name (as it appears in `config`) to the file's path.
        """
        return {}

    def config(self) -> dict[str, Any]:
        """Return the configuration as JSON data, from which `from_config` rebuilds the technique.

        Returns:
            The keys `technique`, `version`, `parameters` and `digests`.
        """
        parameters = {
            item.name: _as_json(getattr(self, item.name))
            for item in fields(self)
            if _is_stated(item)
        }
        return {
            "technique": type(self).__name__,
            "version": self.version,
            "parameters": parameters,
            "digests": dict(self.digests),
        }

    def own_files(self) -> dict[str, Path]:
        """Name the lexicons and weights of one's own, which are published with what it made.

        Returns:
            Path in the folder that is published, to the file's path here.

        Example:
            >>> from fair_datasets import CounterfactualSwap
            >>> CounterfactualSwap(columns="text").own_files()
            {}
        """
        names = portable_names(self.external_names(self.config()["parameters"]), dict(self.digests))
        return {
            f"{new.rpartition('/')[0]}/{path.name}": path
            for old, new in names.items()
            if is_published(new)
            for resource, path in self.resources().items()
            if resource in (old, f"{old}.exceptions")
        }

    @classmethod
    def external_names(cls, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        """List the files, folders, models and pipelines that the parameters name.

        Returns:
            The names, each once; a lexicon that ships with the package is none of them.

        Example:
            >>> from fair_datasets import CounterfactualSwap
            >>> CounterfactualSwap.external_names({"axis": ["gender", "team.tsv"]})
            ('team.tsv',)
        """
        return external_names(parameters, cls.external)

    @classmethod
    def from_config(
        cls, config: Mapping[str, Any], *, allow: Allowed = (), folder: str | Path | None = None
    ) -> Self:
        """Rebuild a technique from what `config` returned.

        Args:
            allow: The files, models and pipelines that it may use, by the names that it gives
                them; a mapping says as well where each lies here. Without leave, a configuration
                that comes from elsewhere reads no file and runs neither model nor pipeline.
            folder: The folder that the configuration comes from. A lexicon or weights that lie in
                it need no leave.

        Returns:
            A technique that is equal to the one whose configuration it is, but for the places of
            its files.

        Raises:
            InputError: The configuration is none, is of another technique, has other parameters,
                was made by another version of the library, names something that is not allowed,
                or a file that it refers to has changed.
        """
        refuse_malformed(config)
        one_of(config["technique"], [cls.__name__], parameter="technique")
        if config["version"] != __version__:
            raise invalid(
                f"version {config['version']} of fair_datasets made the configuration, "
                f"and version {__version__} may give other rows; install that version to repeat "
                f"the work, or create it again with {cls.__name__}(**config['parameters'])."
            )
        given = {cls.former_names.get(name, name): value
                 for name, value in config["parameters"].items()}  # fmt: skip
        names = [item.name for item in fields(cls) if _is_stated(item)]
        refuse_other_parameters(given, names)
        places = located(
            cls.external_names(given), allow=allow, folder=None if folder is None else Path(folder)
        )
        parameters = moved(given, places, cls.external)
        technique = cls(**{name: as_tuples(item) for name, item in parameters.items()})
        digests = renamed(dict(technique.digests), {place: name for name, place in places.items()})
        expected = config["digests"]
        for name in sorted(digests.keys() | expected.keys(), key=str):
            if digests.get(name) != expected.get(name):
                raise invalid(
                    f"{name!r} is not the file that the configuration was made "
                    f"with (its SHA-256 is {digests.get(name)}, expected {expected.get(name)})."
                )
        return technique

    def save_pretrained(self, folder: str | Path) -> None:
        """Save the technique into a folder, with the lexicons and weights of one's own.

        Args:
            folder: The folder; it is made if it is not there. A card that lies in it stays.

        Raises:
            InputError: It names a folder of a model or a pipeline, which only lies here.

        Example:
            >>> from tempfile import TemporaryDirectory
            >>> from fair_datasets import CounterfactualSwap
            >>> swap = CounterfactualSwap(columns="text", mode="replace")
            >>> with TemporaryDirectory() as folder:
            ...     swap.save_pretrained(folder)
            ...     CounterfactualSwap.from_pretrained(folder) == swap
            True
        """
        from fair_datasets.technique.saved import save_technique

        save_technique(self, folder)

    def push_to_hub(self, repo_id: str, **options: Any) -> "Upload":
        """Publish the technique as a model repository of the Hub, with its files and a card.

        Args:
            repo_id: "user/name"; created if it is not there.
            **options: What `fair_datasets.hub.push_model` takes: `private`, `revision`,
                `create_pr`, `commit_message`, `card`, `overwrite` and `dry_run`.

        Returns:
            The page and the files.

        Raises:
            InputError: The Hub refused, or the technique names a folder that only lies here.

        Example:
            >>> from fair_datasets import CounterfactualSwap
            >>> swap = CounterfactualSwap(columns="text")
            >>> [file.path for file in swap.push_to_hub("ada/swap", dry_run=True).files]
            ['README.md', 'technique.json']
        """
        from fair_datasets.technique.saved import push_technique

        return push_technique(self, repo_id, **options)

    @classmethod
    def from_pretrained(
        cls, name: str | Path, *, revision: str | None = None, allow: Allowed = ()
    ) -> Self:
        """Load a technique that `push_to_hub` or `save_pretrained` wrote.

        Args:
            name: "user/name" of the Hub, or a folder here, which goes before.
            revision: The branch, tag or commit on the Hub; None for the main branch.
            allow: As for `from_config`: the models and pipelines that it may use.

        Returns:
            The technique; of any class where this is called on `Technique`.

        Raises:
            InputError: There is no such technique, it is of another class, or `from_config`
                refuses.

        Example:
            >>> from fair_datasets import CounterfactualSwap
            >>> CounterfactualSwap.from_pretrained("./no-such-folder")
            Traceback (most recent call last):
            ...
            fair_datasets.InputError: There is no folder './no-such-folder'; check the path.
        """
        from fair_datasets.technique.saved import pull_technique

        technique: Self = pull_technique(name, kind=cls, revision=revision, allow=allow)
        return technique

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as one canonical string, so that equal techniques have equal fingerprints.

        `datasets` hashes the pickle of a technique; in a plain pickle a tuple that is shared by
        two fields and two equal tuples differ.
        """
        state = {item.name: getattr(self, item.name) for item in fields(self)}
        return _restore, (type(self), json.dumps(state, sort_keys=True))


def _is_stated(item: Field[Any]) -> bool:
    """Whether a field is part of the configuration: what is not compared changes no result."""
    return item.init and item.compare


def _restore(technique_class: type[Configured], state: str) -> Configured:
    """Rebuild a pickled technique with the digests that were taken when it was made."""
    technique = object.__new__(technique_class)
    for name, value in json.loads(state).items():
        object.__setattr__(technique, name, as_tuples(value))
    return technique


def _as_json(value: Any) -> Any:
    """Turn tuples into lists, all the way down."""
    return [_as_json(item) for item in value] if isinstance(value, tuple) else value


def as_tuples(value: Any) -> Any:
    """Turn lists into tuples, all the way down."""
    return tuple(as_tuples(item) for item in value) if isinstance(value, list) else value


# What other libraries call a parameter, where its own name is not near.
_ELSEWHERE = {
    "language": ("axis", "Leave it out: the lexicon that axis names says the language."),
    "random_state": ("seed", "Did you mean 'seed'?"),
    "text": ("columns", "Did you mean 'columns'?"),
    "text_column": ("columns", "Did you mean 'columns'?"),
}


def refuse_other_arguments(kind: type, given: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Raise unless a class takes some arguments."""
    parameters = inspect.signature(kind).parameters.values()
    names = [parameter.name for parameter in parameters]
    placed = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    needed = [each.name for each in parameters if each.default is each.empty]
    if given and (isinstance(given[0], Mapping) or hasattr(given[0], "column_names")):
        fault = (
            "it was given rows, but first needs its parameters: write "
            f"`{kind.__name__}({names[0]}=...)` and apply that to the rows."
        )
    elif unknown := [name for name in named if name not in names]:
        fault = f"there is no parameter {unknown[0]!r}.{_meant(unknown[0], names)}"
    elif len(given) > len(placed):
        others = [name for name in names if name not in placed]
        fault = (
            f"{format_choices(placed) or 'nothing'} alone may be given without its name, but "
            f"{len(given)} values are; name the others: {format_choices(others)}."
        )
    elif missing := [name for name in needed if name not in {*placed[: len(given)], *named}]:
        wanted = " and ".join(f"{name} ({_meaning(kind, name)})" for name in missing)
        verb = "are" if missing[1:] else "is"
        fault = f"{' and '.join(missing)} {verb} missing; give {wanted}."
    elif twice := [name for name in placed[: len(given)] if name in named]:
        fault = f"{twice[0]} is given twice; give it once."
    else:
        return
    raise InputError(f"{kind.__name__}: {fault}")


def _meant(name: str, names: Sequence[str]) -> str:
    meant, advice = _ELSEWHERE.get(name, ("", ""))
    if meant in names:
        return f" {advice}"
    return suggestion(name, names) or f" The parameters are {format_choices(names, FEW)}."


def _meaning(kind: type, name: str) -> str:
    """Return the first words of what a docstring says of a parameter."""
    words = re.split(r"[.;:]\s|[.]$", parse_docstring_params(kind).get(name, "its value"))[0]
    return words[0].lower() + words[1:]
