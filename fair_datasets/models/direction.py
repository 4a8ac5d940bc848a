"""The direction of two demographic attributes in a space of vectors, saved as one small file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.cards.markdown import code, code_block, escaped, front_matter, json_block, table
from fair_datasets.system.checks import InputError, invalid
from fair_datasets.system.files import regular_file, temporary_folder
from fair_datasets.system.portable import is_path
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from fair_datasets.hub.repositories import Upload

FILE = "direction.safetensors"
"""How the file is called in a folder and on the Hub."""

_LARGEST = 50_000_000
_TEXTS = ("axis", "poles", "explained_variance", "offset", "baseline", "provenance")


@dataclass(frozen=True, eq=False)
class DemographicDirection:
    """A direction from one demographic attribute to another, and how it was found.

    Attributes:
        poles: The attribute at its negative end, and the one at its positive end.
        explained_variance: The share of the variance of the pairs that it explains, in (0, 1].
        offset: The mean cosine of all words with it. Where it is not near 0, words lean to one
            attribute whatever they mean; `BiasScore(centred=True)` subtracts it.
        baseline: What share random pairs of words explain, as many as it was taken from; None
            where it was not taken from words.
        provenance: What it was made of: the pairs, the missing ones, and the vectors or the
            encoder, as JSON data.

    Raises:
        InputError: The vector is not of length 1, or the poles are not two.

    Example:
        >>> direction = DemographicDirection([0.0, 1.0], axis="gender", poles=("man", "woman"))
        >>> direction.cosines([[3.0, 4.0], [0.0, 0.0]])
        array([0.8, nan])
    """

    vector: NDArray[np.float64]
    axis: str
    poles: tuple[str, str]
    explained_variance: float = float("nan")
    offset: float = 0.0
    baseline: float | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check what was given."""
        vector = np.asarray(self.vector, dtype=np.float64)
        if vector.ndim != 1 or not abs(float(np.linalg.norm(vector)) - 1) < 1e-3:
            raise invalid(
                f"vector must be one vector of length 1, but its shape is {vector.shape} and its "
                f"length {np.linalg.norm(vector):g}; divide it by its length."
            )
        poles = tuple(self.poles) if isinstance(self.poles, list | tuple) else ()
        if len(set(poles)) != 2 or not all(isinstance(pole, str) and pole for pole in poles):
            raise invalid(
                "poles must name the attributes at its negative and at its "
                f"positive end, but it is {self.poles!r}."
            )
        object.__setattr__(self, "vector", vector)
        object.__setattr__(self, "poles", poles)

    @property
    def width(self) -> int:
        """How many numbers the vectors have that it is for."""
        return len(self.vector)

    def cosines(self, vectors: ArrayLike) -> NDArray[np.float64]:
        """Return the cosine of each vector with the direction.

        Returns:
            The cosines, NaN for a vector that is zero. Shape (N,).

        Raises:
            InputError: The vectors have another number of numbers.
        """
        rows = np.asarray(vectors, dtype=np.float64)
        self.refuse_width(rows.shape[-1], "the vectors")
        lengths = np.sqrt((rows * rows).sum(axis=-1))
        # Not a product of matrices, of which a row's last digits depend on the other rows.
        along = (rows * self.vector).sum(axis=-1)
        unknown: NDArray[np.float64] = np.full(along.shape, np.nan)
        np.divide(along, lengths, out=unknown, where=lengths > 0)
        return unknown

    def refuse_width(self, width: int, what: str) -> None:
        """Raise unless vectors have as many numbers as the direction.

        Args:
            what: What they are, for the error.

        Raises:
            InputError: It is another number.
        """
        if width != self.width:
            raise InputError(
                f"The direction has {self.width} numbers, but {what} have {width}; make the "
                "direction from the same vectors or encoder."
            )

    def save(self, path: str | PathLike[str]) -> None:
        """Save the direction as one file of safetensors, with its provenance in the metadata.

        Raises:
            InputError: It cannot be written.

        Example:
            >>> from tempfile import TemporaryDirectory
            >>> direction = DemographicDirection([0.0, 1.0], axis="gender", poles=("man", "woman"))
            >>> with TemporaryDirectory() as folder:
            ...     direction.save(Path(folder, "gender.safetensors"))
            ...     DemographicDirection.load(Path(folder, "gender.safetensors")).poles
            ('man', 'woman')
        """
        from safetensors.numpy import save

        fields = {name: getattr(self, name) for name in _TEXTS}
        # One entry, as the order of several differs from run to run, and the digest with it.
        metadata = {"direction": json.dumps({**fields, "version": __version__}, sort_keys=True)}
        try:
            Path(path).write_bytes(save({"direction": self.vector}, metadata=metadata))
        except OSError as error:
            raise InputError(
                f"The direction cannot be saved in {fspath(path)} ({error.strerror}); choose "
                "another file."
            ) from error

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "DemographicDirection":
        """Load a direction that `save` wrote.

        Raises:
            InputError: It cannot be read, or is no direction, or does not say where it points.
        """
        vector, metadata = _load_direction(Path(path))
        try:
            fields = json.loads(metadata["direction"])
            return cls(vector, **{name: fields[name] for name in _TEXTS})
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{path} does not say which attribute its direction leads from, and which it "
                "leads to; make one with word_direction or sentence_direction, and save it."
            ) from error

    def save_pretrained(self, folder: str | Path) -> None:
        """Save the direction into a folder, with a card.

        Raises:
            InputError: The folder cannot be written.
        """
        place = Path(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
            if not (place / "README.md").exists():
                card = direction_card(self, name=place.absolute().name)
                (place / "README.md").write_text(card, encoding="utf-8")
        except OSError as error:
            raise InputError(
                f"The direction cannot be saved in {place} ({error.strerror}); choose another "
                "folder."
            ) from error
        self.save(place / FILE)

    def push_to_hub(self, repo_id: str, **options: Any) -> "Upload":
        """Publish the direction as a model repository of the Hub, with a card.

        Raises:
            InputError: The Hub refused.

        Example:
            >>> direction = DemographicDirection([0.0, 1.0], axis="gender", poles=("man", "woman"))
            >>> upload = direction.push_to_hub("ada/gender", dry_run=True)
            >>> [file.path for file in upload.files]
            ['README.md', 'direction.safetensors']
        """
        from fair_datasets.hub.folders import push_model

        options = {"commit_message": "Upload direction with fair_datasets", **options}
        with temporary_folder() as folder:
            self.save(folder / FILE)
            card = direction_card(self, name=repo_id.removeprefix("hf://"))
            return push_model(folder, repo_id, **{"card": card, **options})

    @classmethod
    def from_pretrained(cls, name: str | PathLike[str]) -> "DemographicDirection":
        """Load a direction from a file, a folder or the Hub.

        Args:
            name: The file that `save` wrote, the folder that `save_pretrained` wrote, or
                "user/name" or "user/name@revision" of the Hub.

        Raises:
            InputError: There is none.
        """
        return cls.load(direction_file(str(fspath(name))))


def direction_file(name: str) -> Path:
    """Return the file of a direction here, which is downloaded where it is on the Hub."""
    if Path(name).is_dir():
        return Path(name) / FILE
    if is_path(name) or name.endswith(".safetensors"):
        return Path(name)
    from fair_datasets.hub.reading import pull_file

    return pull_file(name, endings=(FILE,), what="direction")


def _load_direction(path: Path) -> tuple[NDArray[np.float64], dict[str, str]]:
    """Read the vector of a file, and what the file says of it."""
    from safetensors import SafetensorError, safe_open

    regular_file(path, largest=_LARGEST)
    try:
        with safe_open(path, framework="numpy") as file:
            return file.get_tensor("direction"), file.metadata() or {}
    except SafetensorError as error:
        raise InputError(
            f"{path} holds no direction as safetensors ({error}); give a file that "
            "DemographicDirection.save wrote."
        ) from error


def direction_card(direction: "DemographicDirection", *, name: str) -> str:
    """Write the card of a direction."""
    negative, positive = direction.poles
    figures = {
        "axis": direction.axis,
        "negative end": negative,
        "positive end": positive,
        "numbers": str(direction.width),
        "variance of the pairs that it explains": f"{direction.explained_variance:.1%}",
        "mean cosine of all words with it": f"{direction.offset:+.3f}",
    }
    if direction.baseline is not None:
        figures["variance that random pairs explain"] = f"{direction.baseline:.1%}"
    loading = [
        "from fair_datasets import BiasScore",
        "from fair_datasets.models import DemographicDirection",
        "",
        f'direction = DemographicDirection.from_pretrained("{name}")',
    ]
    tags = ["fair_datasets", "bias-score"]
    lines = [
        front_matter({"library_name": "fair_datasets", "tags": tags}),
        f"# {escaped(name)}",
        "",
        *code_block(loading, "python"),
        "",
        f"A direction from {code(negative)} to {code(positive)} in a space of vectors, for the "
        f"{code('BiasScore')} of the Python package {code('fair-datasets')}. It holds no code.",
        "",
        "## Figures",
        "",
        *table(["figure", "value"], [[key, escaped(value)] for key, value in figures.items()]),
        "",
        "## Limits, and what not to conclude",
        "",
        "- It works only with the vectors or the encoder that it was made from.",
        "- It says what pairs of words or sentences have in common in one space of vectors, and "
        "has two ends; people are not on a line between them.",
        "- If random pairs explain nearly as much, or the mean cosine is far from 0, scores say "
        "more about the vectors than about the texts.",
        "",
        "## Provenance",
        "",
        *json_block(dict(direction.provenance)),
        "",
    ]
    return "\n".join(lines)


# How far from 0 the mean must be to have a sign, beside the largest of its terms.
_SIGN = 1e-9


class Principal(NamedTuple):
    """The first principal component of pairs."""

    vector: NDArray[np.float64]
    explained: float


def pair_direction(
    first: ArrayLike, second: ArrayLike, oriented: ArrayLike | None = None
) -> Principal:
    """Take the direction of pairs: the first principal component of the pair-centred vectors.

    The mean of each pair is subtracted from both of its members; the rows that remain already have
    the mean 0, so that nothing else is centred. The sign of a principal component is arbitrary, so
    it is turned to where the second members are, on average.

    Args:
        first: The vectors of the pairs' first members. Shape (N, d).
        second: Those of their second members. Shape (N, d).
        oriented: Which pairs say where the second members are. Shape (N,). None for all.

    Source:
        Bolukbasi et al. (2016), Man is to Computer Programmer as Woman is to Homemaker?
    """
    lhs, rhs = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if lhs.ndim != 2 or lhs.shape != rhs.shape:
        raise invalid(
            f"both members of each pair need a vector of one length, but the shapes are "
            f"{lhs.shape} and {rhs.shape}."
        )
    if len(lhs) < 2:
        raise invalid(
            f"there {'is 1 pair' if len(lhs) else 'are no pairs'}, but a direction needs "
            "at least 2; give more pairs, or vectors that have their words."
        )
    halves = (rhs - lhs) / 2
    # The two halves of a pair are one another's negatives, and weigh alike.
    values, vectors = np.linalg.eigh(halves.T @ halves)
    if not values[-1] > 0:
        raise invalid("the members of each pair are alike; give pairs that differ.")
    vector, explained = vectors[:, -1], float(values[-1] / np.maximum(values, 0).sum())
    chosen = np.ones(len(halves), bool) if oriented is None else np.asarray(oriented, bool)
    sides = halves[chosen] @ vector
    if not sides.size or abs(sides.mean()) <= _SIGN * np.abs(halves @ vector).max():
        raise invalid(
            "the pairs do not say which end of the direction is which; give them all in "
            "the order of the poles, and some that mention only one attribute."
        )
    # Without the sign of a zero.
    return Principal(vector * np.sign(sides.mean()) + 0.0, explained)
