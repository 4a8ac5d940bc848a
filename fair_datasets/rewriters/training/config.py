"""The settings that the training of any rewriter has, and the files that they are read from."""

import dataclasses
import inspect
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, Self, TypeVar

from fair_datasets.reader.training.gold import BASE
from fair_datasets.scores.probes.config import plain_settings
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, error_context, invalid, require
from fair_datasets.system.files import regular_file
from fair_datasets.system.validate import (
    Count,
    Natural,
    PathOrName,
    Positive,
    ShareBelowOne,
    path_or_name,
    validate_fields,
)

PRESETS = ("paper", "small")


_LARGEST = 1_000_000


@dataclass(frozen=True, kw_only=True)
class RowsSource:
    """Where the rows of a training are from: the table `[rows]`.

    Attributes:
        source: A file, a folder, or a dataset of the Hub.
        config: Its configuration; None for the default.
        split: The one split that is read; None for all.
    """

    source: str = ""
    config: str | None = None
    split: str | None = None

    @error_context("[rows]")
    def __post_init__(self) -> None:
        """Check that there is a source."""
        if self.source == "":
            raise invalid("there are no rows; name a source.")
        path_or_name(self.source, parameter="source")


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """How an encoder-decoder is trained, and where it is saved: the base of each rewriter's own.

    Attributes:
        out: The folder of the trained model.
        model: The Hub id or folder of the encoder-decoder that is trained on. None for a new BART,
            with a tokenizer of its own that is trained on the rows.
        revision: Of the model on the Hub: a branch, a tag or a commit.
        encoder: The Hub id or folder of a model of the BERT family whose weights a new BART starts
            from: its encoder has the layers of that model, and each of its tokens the mean of
            the vectors that this model has for it.
        layers: How many layers the encoder and the decoder of a new BART have each; with `encoder`,
            the decoder.
        width: The size of its states; with `encoder`, that of this model.
        heads: How many heads its layers have; with `encoder`, as many as that model.
        vocabulary: How many tokens its tokenizer has.
        dropout: The share of its states that each step of training leaves out, in [0, 1).
        shares: The shares of the training, validation and test rows; rows of one text are in one
            split.
        epochs: How often the training rows are seen.
        batch_size: How many rows a step has.
        rows_at_once: How many of them are computed at once; what fits into memory.
        learning_rate: Of Adam; it falls linearly after the warm-up.
        warmup_steps: In how many steps it rises to that.
        gradient_clip: The greatest norm of a step's gradient.
        max_length: How many tokens a text may have; rows with longer ones are left out and counted.
        seed: The seed of the split, the new weights, the order and the dropout.
    """

    # What `small` changes, and the tables of a file of settings; what the card says of the method.
    small_settings: ClassVar[dict[str, Any]] = {}
    tables: ClassVar[dict[str, type]] = {"rows": RowsSource}
    tag: ClassVar[str] = "rewriter"
    citation: ClassVar[str] = ""
    limits: ClassVar[tuple[str, ...]] = ()

    out: PathOrName
    model: PathOrName | None = None
    revision: Annotated[str, path_or_name] | None = None
    encoder: PathOrName | None = None
    layers: Count = 3
    width: Count = 256
    heads: Count = 4
    vocabulary: Count = 8000
    dropout: ShareBelowOne = 0.1
    shares: tuple[float, float, float] = (0.7, 0.2, 0.1)
    epochs: Count = 10
    batch_size: Count = 64
    rows_at_once: Count = 8
    learning_rate: Positive = 1e-5
    warmup_steps: Natural = 0
    gradient_clip: Positive = 1.0
    max_length: Count = 512
    seed: Natural = 0

    @classmethod
    def small(cls, **changes: Any) -> Self:
        """Return settings for a laptop: a new BART of 2 + 2 layers."""
        refuse_unknown_settings(changes, of=cls)
        return cls(**cls.small_settings | changes)

    @classmethod
    def complete_tables(
        cls, tables: dict[str, dict[str, Any]], given: Mapping[str, Any]
    ) -> dict[str, dict[str, Any]]:
        """Return the tables of a file with what follows from its other settings, or raise."""
        return tables

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        validate_fields(self)
        self._check_tables()
        self._check_network()
        if self.batch_size % self.rows_at_once:
            raise invalid(
                f"batch_size must be a multiple of rows_at_once, but they are "
                f"{self.batch_size} and {self.rows_at_once}; change one of them."
            )
        object.__setattr__(self, "shares", _shares(self.shares))
        require("training")

    def _check_tables(self) -> None:
        """Raise unless each field that is a table of a file is of its class."""
        for field in dataclasses.fields(self):
            kind, value = self.tables.get(field.name), getattr(self, field.name)
            if kind is not None and not isinstance(value, kind) and value is not field.default:
                raise invalid(f"{field.name} must be a {kind.__name__}, but it is {value!r}.")

    def _check_network(self) -> None:
        """Raise where settings of a new model stand beside a model that is there already."""
        if self.model is not None and self.encoder is not None:
            raise invalid(
                f"encoder is where a new model starts, but model names an existing one, "
                f"{self.model!r}; leave one of them out (model=None)."
            )
        if self.model is None and self.revision is not None:
            raise invalid("revision is for a model of the Hub, but model is None; leave it out.")
        if self.width % self.heads:
            raise invalid(
                f"width must be a multiple of heads, but they are {self.width} and "
                f"{self.heads}; change one of them."
            )

    @property
    def sizes(self) -> dict[str, float]:
        """Split name to its share."""
        return dict(zip(("train", "validation", "test"), self.shares, strict=True))

    @property
    def base(self) -> str:
        """What the training begins with, in a few words."""
        if self.model is not None:
            return str(self.model)
        return str(self.encoder) if self.encoder is not None else "random weights (BART)"

    def method(self, trained: Any) -> list[str]:
        """Return the lines of the card about the method."""
        return []

    def settings(self) -> dict[str, Any]:
        """Return all that the model depends on, as JSON data: everything but the folder."""
        return plain_settings(self, "out")


def refuse_unknown_settings(given: Iterable[str], *, of: Any) -> None:
    """Raise if a name is not that of a setting."""
    known = [*inspect.signature(of).parameters]
    for name in given:
        if name not in known:
            hint = (
                checks.suggestion(name, known)
                or f" The settings are {checks.format_choices(known, checks.FEW)}."
            )
            raise invalid(f"there is no setting {name!r}.{hint}")


def _shares(given: Any) -> tuple[float, ...]:
    """Return the shares of the three splits, or raise."""
    shares = tuple(given) if isinstance(given, list | tuple) else ()
    for share in shares:
        checks.fraction(share, parameter="each of shares")
    if len(shares) != 3 or not all(shares) or abs(sum(shares) - 1) > 1e-9:
        raise invalid(
            f"shares must be three numbers above 0 that sum to 1, of the training, "
            f"validation and test rows, but it is {given!r}."
        )
    return shares


Settings = TypeVar("Settings", bound=TrainingConfig)


def read_plan(file: str | Path, kind: type[Settings]) -> tuple[Settings, dict[str, Any]]:
    """Read what a TOML file says of a training.

    Args:
        kind: The class of its settings, whose `tables` the file may have.

    Returns:
        The settings; and the tables that are none of these, by name, `rows` among them.

    Raises:
        InputError: The file cannot be read, or a setting is unknown or wrong.
    """
    path = Path(file)
    given = _load_toml(path)
    tables = {name: given.pop(name, {}) for name in kind.tables}
    with error_context(path.name):
        for name, table in tables.items():
            if not isinstance(table, Mapping):
                raise invalid(f"{name} must be a table ([{name}]), but it is {table!r}.")
            with error_context(f"{path.name}, [{name}]"):
                refuse_unknown_settings(table, of=kind.tables[name])
        preset = given.pop("preset", PRESETS[0])
        checks.one_of(preset, PRESETS, parameter="preset")
        if "out" not in given:
            raise invalid('it does not say where the model goes; add out = "model".')
        refuse_unknown_settings(given, of=kind)
        tables = kind.complete_tables(tables, given)
    # TOML has no null: a new model is named by what it starts from.
    if "encoder" in given:
        given = {"model": None, **given}
    given = {**(kind.small_settings if preset == "small" else {}), **given}
    fields = {field.name for field in dataclasses.fields(kind)}
    for name in fields & tables.keys():
        usual, table = given.get(name), tables.pop(name)
        made = kind.tables[name](**table) if usual is None else dataclasses.replace(usual, **table)
        given[name] = made
    return kind(**given), {name: kind.tables[name](**table) for name, table in tables.items()}


def _load_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file."""
    regular_file(path, largest=_LARGEST)
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The file {path} cannot be read ({error}); check it.") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"The file {path} is not TOML ({error}); correct it.") from error


class CoreferenceConfig(NamedTuple):
    """How the model that tells to whom a pronoun refers is trained.

    Attributes:
        data: The folder of the shared data.
        base: The encoder that is fine-tuned, a folder or a Hub id.
        epochs: How often each row of GAP is seen, every second time with women for men.
        seed: The seed of all draws.
    """

    data: Path
    base: str = BASE
    epochs: int = 2
    seed: int = 0
