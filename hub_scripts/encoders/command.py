"""The command `evaluate-encoders`: associations and probes of encoders beside each other."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from datasets import Dataset

from fair_datasets.cards.report import encoder_plot, save_picture, text_table
from fair_datasets.cli.columns import as_numbers, check_text_columns
from fair_datasets.cli.groups import Dialect
from fair_datasets.cli.inputs import load_input, refuse_dialect
from fair_datasets.cli.option_types import DIR, FILE, NAMED
from fair_datasets.cli.outputs import Output, write_parquet
from fair_datasets.jobs.file_outputs import new_folder, refuse_taken_folder
from fair_datasets.measures.weat import load_seat_sentences
from fair_datasets.system.checks import (
    InputError,
    caller_name,
    error_context,
    format_choices,
    invalid,
    one_of,
    require,
)
from fair_datasets.system.files import finite, indented
from fair_datasets.system.portable import strip_folders
from hub_scripts.encoders.encoder_tasks import (
    KINDS,
    SENTENCE_TESTS,
    SPLITS,
    EncoderTask,
    Sentences,
)
from hub_scripts.encoders.encoders import (
    ASSOCIATIONS,
    LEGEND,
    TASKS,
    EncoderEvaluation,
    comparison_rows,
    evaluate_encoders,
    evaluation_report,
    missing_lines,
    plain_evaluation,
)

_PICTURE = "encoders.svg"
FORM = """\
The file of --tasks is TOML, a table for each task; kind is text, pair or similarity:

  [STS-B]
  kind = "similarity"
  columns = ["sentence1", "sentence2"]
  label = "score"
  train = "stsb/train.csv"
  validation = "stsb/dev.csv"
  test = "stsb/test.csv"

In place of the three files, data = "stsb" names a folder or a Hub id with the splits train,
validation and test. Paths begin where the file lies.
"""


class EvaluateEncoders(Dialect):
    """Compare sentence encoders: their associations, and the accuracy of linear models on them.

    The associations of each encoder are measured by SEAT, linear probes learn tasks on its vectors,
    and the encoders are put beside each other, with means over the seeds.

    Attributes:
        encoders: An encoder: a folder or a Hub id of a model, or a file of word vectors, whose mean
            is the vector of a sentence; give the same NAME again for another seed of it.
        test: An association test, C1 to C10 or a variant such as C6b; with =FILE, its sentences are
            read from a file as May et al. publish them; repeat it for several (default:
            {SENTENCE_TESTS}).
        tasks: The tasks of the probes (see below).
        pooling: How the states of a model become one vector; auto: as its folder says, else the
            mean.
        seed: Chooses the partitions that p-values are computed from; nothing else is random.
        json: Print the rows and their means as JSON.
        out: A folder to write: README.md with the tables, encoders.svg, encoders.json, and the rows
            as a dataset.
    """

    ARGUMENTS = "encoders"
    COMMON = "test tasks pooling seed json out"
    EPILOG = FORM

    encoders: tuple[NAMED, ...]
    test: tuple[Annotated[str, "NAME[=FILE]"], ...] = ()
    tasks: FILE | None = None
    pooling: Literal["auto", "cls", "last", "max", "mean"] = "auto"
    seed: int = 0
    json: bool = False
    out: DIR | None = None

    def run(self) -> None:
        """Run the command."""
        if self.out is not None:
            # The picture is drawn when all else is done.
            require("plots")
            refuse_taken_folder(self.out)
        dialect = self.dialect
        if self.tasks is None:
            refuse_dialect(dialect, "a command without --tasks")
        encoders: dict[str, Any] = {}
        for name, place in self.encoders:
            encoders.setdefault(name, []).append(place)
        settings: Any = {
            "tests": _tests(self.test),
            "tasks": read_tasks(self.tasks, **dialect) if self.tasks else [],
            "pooling": self.pooling,
            "seed": self.seed,
        }
        if self.out is None:
            _print_tables(evaluate_encoders(encoders, **settings), self)
            return
        with new_folder(self.out) as folder:
            evaluation = evaluate_encoders(encoders, **settings)
            _write(evaluation, folder, self)
        _print_tables(evaluation, self)


def _tests(given: Sequence[str]) -> dict[str, Sentences | None]:
    """Return the tests that are asked for, with the sentences of files."""
    tests: dict[str, Sentences | None] = {}
    for word in given or SENTENCE_TESTS:
        name, equals, file = word.partition("=")
        if name in tests:
            raise InputError(f"evaluate-encoders: --test {name} is given twice; name it once.")
        tests[name] = load_seat_sentences(file) if equals else None
    return tests


def _write(evaluation: EncoderEvaluation, folder: Path, options: EvaluateEncoders) -> None:
    """Write the report, the picture, the data for others and the rows."""
    tests = ["=".join(map(strip_folders, test.split("=", 1))) for test in options.test or []]
    has_value = any(row["mean"] is not None for row in evaluation.means)
    if has_value:
        save_picture(encoder_plot(evaluation), folder / _PICTURE)
    report = evaluation_report(
        evaluation, command=options.again(test=tests), picture=_PICTURE if has_value else None
    )
    (folder / "README.md").write_text(report, encoding="utf-8", errors="backslashreplace")
    (folder / "encoders.json").write_text(_json(evaluation), encoding="utf-8")
    write_parquet(evaluation.rows, folder, "train")


def _print_tables(evaluation: EncoderEvaluation, options: EvaluateEncoders) -> None:
    """Print the tables, or the data."""
    if options.json:
        print(_json(evaluation), end="")
        return
    for kind, legend in (("association", ASSOCIATIONS), ("task", TASKS)):
        if rows := comparison_rows(evaluation, kind):
            print(f"{text_table(rows)}\n\n{legend}\n")
    print(LEGEND)
    if missing := missing_lines(evaluation):
        print("\n" + "\n".join(missing))
    if options.out is not None:
        print(f"\n{Output(options.out).written()}")


def _json(evaluation: EncoderEvaluation) -> str:
    """Write the rows and means as JSON."""
    return indented(finite(plain_evaluation(evaluation))) + "\n"


_NEEDED = ("kind", "columns", "label")
_KEYS = (*_NEEDED, "data", *SPLITS)


def read_tasks(file: Path, **dialect: Any) -> list[EncoderTask]:
    """Read the tasks that a file names.

    Args:
        **dialect: How the files of the tasks are read, as `load_input` takes it.

    Example:
        >>> read_tasks(Path("no.toml"))
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: --tasks: 'no.toml' cannot be read (No such file or
        directory); check the path.
    """
    try:
        named = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(
            f"--tasks: {str(file)!r} cannot be read ({error.strerror}); check the path."
        ) from error
    except ValueError as error:
        raise InputError(
            f"--tasks: {file.name!r} is not valid TOML ({error}); correct it."
        ) from error
    if not named:
        raise InputError(f"--tasks: {file.name!r} names no task; add a table such as [STS-B].")
    tasks = []
    for name, settings in named.items():
        with error_context(f"--tasks, task {name!r}"):
            tasks.append(_task(name, settings, file, dialect))
    return tasks


def _task(name: str, settings: Any, file: Path, dialect: Mapping[str, Any]) -> EncoderTask:
    if not isinstance(settings, Mapping):
        raise invalid(
            f"a task must be a table, but {name!r} is {settings!r}; write [{name}] above its keys."
        )
    for key in settings:
        one_of(key, _KEYS, parameter="each key")
    places = ("data",) if "data" in settings else SPLITS
    if missing := [key for key in (*_NEEDED, *places) if key not in settings]:
        raise invalid(
            f"{missing[0]!r} is missing; give {format_choices(_NEEDED)}, and "
            f"{format_choices(SPLITS)} or 'data'."
        )
    if "data" in settings and (other := [split for split in SPLITS if split in settings]):
        raise invalid(f"'data' stands for all splits; leave out {other[0]!r}.")
    columns = settings["columns"]
    texts = [columns] if isinstance(columns, str) else columns
    one_of(settings["kind"], KINDS, parameter="kind")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise invalid(f"columns must be a list of column names, not {columns!r}.")
    splits: dict[str, Dataset] = {}
    for key in places:
        splits |= _load_splits(settings[key], key, texts, file.parent, dialect)
    if settings["kind"] == "similarity":
        splits = {key: _with_numbers(rows, settings["label"]) for key, rows in splits.items()}
    return EncoderTask(name=name, kind=settings["kind"], columns=tuple(texts),
                       label=settings["label"], splits=splits)  # fmt: skip


def _load_splits(
    place: Any, key: str, texts: list[str], folder: Path, dialect: Mapping[str, Any]
) -> dict[str, Dataset]:
    if not isinstance(place, str) or not place:
        raise invalid(f"{key} must be a path or a Hub id, but it is {place!r}.")
    source = str(folder / place) if (folder / place).exists() else place
    splits = dict(load_input(source, texts, None, **dialect))
    if key != "data" and len(splits) > 1:
        raise invalid(
            f"{key} = {place!r} has the splits {format_choices(splits)}, but this key takes one "
            "file; name the place as 'data'."
        )
    named = splits if key == "data" else dict(zip([key], splits.values(), strict=True))
    for split, rows in named.items():
        check_text_columns(rows, texts, f"{caller_name()}, {split}")
    return named


def _with_numbers(rows: Dataset, label: Any) -> Dataset:
    """Return rows whose scores are numbers, where they were kept as text."""
    if label not in rows.column_names:
        return rows
    values = rows[label][:]
    read = as_numbers(values)
    if read is values:
        return rows
    return rows.remove_columns(label).add_column(label, read)
