"""The command `train`: what reads texts is trained on tagged ones, or taught some sentences."""

import argparse
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fair_datasets.cards.report import text_table
from fair_datasets.cli.file_outputs import local_folder, new_folder
from fair_datasets.cli.inputs import batches, load_input
from fair_datasets.cli.outputs import refuse_taken, work_folder
from fair_datasets.cli.parsers import option
from fair_datasets.cli.text_columns import check_text_columns
from fair_datasets.reader.student import Student, shipped
from fair_datasets.reader.training.gold import FILES
from fair_datasets.reader.training.taught import EXAMPLE, read_taught
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require

BASE = "sentence-transformers/all-MiniLM-L6-v2"
"""The encoder that becomes the teacher, unless another is named."""
SHIPPED = "shipped"
"""What `--from` calls the network that ships."""
_MOST = 5.0
_SHOWN = 5
_OF_DATA: dict[str, Any] = {
    "input": None, "base": BASE, "leave_out": [], "teacher_epochs": 2, "student_epochs": 5,
    "texts": 1.0, "work": None,
}  # fmt: skip
"""The arguments of a training from the start, and what they are if they are left out."""


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "train",
        help="train a model that reads texts",
        description="Train a model that the techniques read texts with. An interrupted run goes "
        "on where it was.",
    )
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="WHAT")
    reader = kinds.add_parser(
        "reader",
        help="the reader of names and pronouns: an encoder, and the small network that ships",
        description="Fine-tune an encoder on tagged texts, let it tag others, train the small "
        "network on what it says, and measure both on texts that neither has read. The folder has "
        "the network, the encoder and the figures. A run that was interrupted, or killed, goes on "
        "when the same command is run again. With --from and --gold, the small network is taught "
        "sentences of your own instead, which takes a minute and no data: see `fair-datasets docs "
        "mend`.",
    )
    _add_lessons(reader)
    _add_arguments(reader)
    reader.set_defaults(run=run)
    _add_person(kinds)


def _add_lessons(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a reader that is taught sentences."""
    option(
        parser, "--from", "teach this network sentences of your own: shipped, or a file of "
        "weights that this command wrote", dest="begin", metavar="READER",
    )  # fmt: skip
    option(
        parser, "--gold", "the sentences, one a line, in which words are marked with what they "
        f"are, such as '{EXAMPLE}'", Path, metavar="FILE",
    )  # fmt: skip
    option(
        parser, "--input", "your texts, which are to be read as before, except for what is "
        "taught: a file, a folder or a dataset of the Hub", dest="texts_to_keep", metavar="INPUT",
    )  # fmt: skip
    option(
        parser, "--text", "the column of --input with the texts; repeat it for several (default: "
        "text)", list, metavar="COL",
    )  # fmt: skip


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a reader."""
    option(
        parser, "--data", "the folder of the tagged and the untagged texts; its CATALOGUE.md "
        "names them", dest="input", metavar="DIR",
    )  # fmt: skip
    option(
        parser, "--base", "the encoder that is fine-tuned, a folder or a Hub id", usual=BASE,
        metavar="MODEL",
    )  # fmt: skip
    option(
        parser, "--leave-out", "train without these tagged texts, and measure on them: "
        f"{', '.join(FILES)}; repeat it for several", list, default=[], choices=tuple(FILES),
        metavar="SOURCE",
    )  # fmt: skip
    for name in ("teacher", "student"):
        count = _OF_DATA[f"{name}_epochs"]
        parser.add_argument(
            f"--{name}-epochs", type=int, default=count, metavar="N",
            help=f"how often the {name} sees each text (default: {count})",
        )  # fmt: skip
    option(
        parser, "--texts", "the share of the untagged texts that the teacher tags; 1 means some "
        "120,000",
        float, 1.0, metavar="SHARE",
    )  # fmt: skip
    option(parser, "--seed", "the seed of all draws", int, 0, metavar=None)
    option(parser, "--work", "where the training is kept (default: OUT.work)", Path, metavar="DIR")
    option(parser, "--out", "the folder to write", local_folder, required=True, metavar="DIR")


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Raises:
        InputError: An argument is wrong, the data lack a file, or what was taught is not learnt or
            makes other sentences read worse.
    """
    require("models", owner="train reader")
    _refuse_others(options)
    refuse_taken(options.out)
    if options.begin is None:
        print(_trained(options))
    else:
        print(_taught(options))


def _trained(options: argparse.Namespace) -> str:
    """Train a teacher and a student, and return what is told of them."""
    from fair_datasets.reader.training.train import ReaderConfig, train_reader

    _check(options)
    config = ReaderConfig(
        Path(options.input), options.base, tuple(sorted(set(options.leave_out))),
        options.teacher_epochs, options.student_epochs, options.texts, options.seed,
    )  # fmt: skip
    with work_folder(options, options.out) as work, new_folder(options.out) as folder:
        report = train_reader(config, work, folder)
    if options.work is None:
        shutil.rmtree(work, ignore_errors=True)
    return f"{told(report)}\n\nWritten to {options.out}."


def _taught(options: argparse.Namespace) -> str:
    """Teach a student sentences, and return what is told of it."""
    from fair_datasets.reader.training.going_on import go_on, write
    from fair_datasets.reader.training.train import STUDENT

    taught = read_taught(options.gold)
    if options.begin == SHIPPED:
        begin = shipped()
    else:
        begin = Student.load(Path(options.begin), owner="train reader: --from")
    texts = _texts(options)
    with new_folder(options.out) as folder:
        gone = go_on(begin, taught, texts, seed=options.seed)
        write(gone, folder)
    figures = [
        {"read rightly": name, "words": figure.words, "before": figure.right,
         "after": gone.after[name].right}
        for name, figure in gone.before.items()
    ]  # fmt: skip
    words = "1 marked word is" if gone.words == 1 else f"{gone.words} marked words are"
    lines = [f"{words} read as you say.", "", text_table(figures), ""]
    if texts:
        lines.append(
            f"Capitalised words and pronouns of your texts: {gone.asked:,}; read otherwise than "
            f"before: {len(gone.changed):,}{', such as' if gone.changed else '.'}"
        )
        for text, word, before, after in gone.changed[:_SHOWN]:
            lines += [f"    {text}", f"        {word}: {before}; now {after}"]
        lines.append("")
    return "\n".join(
        [*lines, f"Written to {options.out}. To read with it: {options.out / STUDENT}"]
    )


def _texts(options: argparse.Namespace) -> list[str]:
    """Read the texts that should be read as before."""
    if options.texts_to_keep is None:
        return []
    names = options.text or ["text"]
    source = options.texts_to_keep
    found: list[str] = []
    for split, rows in load_input(source, names, None).items():
        check_text_columns(rows, names, f"{source} (split {split})")
        for batch in batches(rows, names, source):
            several = RowTexts.read(batch, names, owner="train reader").rows
            found += [text for row in several for text in row if text]
    return found


def told(report: Mapping[str, Any]) -> str:
    """Write the figures of a training as text.

    Args:
        report: What `train_reader` returns.
    """
    names, cases = [], []
    for found in report["figures"]:
        where = {"reader": found["reader"], "texts": found["texts"]}
        names += [where | found["names"]] if "names" in found else []
        cases += [where | found["pronoun"]] if "pronoun" in found else []
    error = report["calibration error"]
    return "\n\n".join(
        [
            text_table(names),
            text_table(cases),
            f"temperature {report['temperature']:.2f}: calibration error {error['after']:.3f}, "
            f"{error['before']:.3f} without it.",
        ]
    )


def _refuse_others(options: argparse.Namespace) -> None:
    """Raise if arguments of both ways to train are given, or those of one are missing."""
    given = {name for name, usual in _OF_DATA.items() if getattr(options, name) != usual}
    if options.begin is None:
        lessons = {"gold": "--gold", "texts_to_keep": "--input", "text": "--text"}
        others = [option for name, option in lessons.items() if getattr(options, name) is not None]
        if others:
            raise InputError(
                f"train reader: {others[0]} is for teaching an existing network; say which with "
                f"--from {SHIPPED}."
            )
        if options.input is None:
            raise InputError(
                "train reader: give --data, the folder of the texts; or --from and --gold, to "
                "teach a network sentences of your own."
            )
    elif given:
        option = {"input": "--data"}.get(min(given), f"--{min(given).replace('_', '-')}")
        raise InputError(
            f"train reader: {option} is for a training from the start; leave it out, or leave out "
            "--from."
        )
    elif options.gold is None:
        raise InputError("train reader: --from needs --gold, the file of your sentences.")


def _check(options: argparse.Namespace) -> None:
    """Raise if an argument is out of its bounds."""
    _refuse_missing(options, "train reader")
    for name in ("teacher_epochs", "student_epochs"):
        if getattr(options, name) < 1:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"train reader: {option} must be 1 or more.")
    if not 0 <= options.texts <= _MOST:
        raise InputError(
            f"train reader: --texts must lie between 0 and {_MOST:.0f}, but it is {options.texts}."
        )


def _refuse_missing(options: argparse.Namespace, owner: str) -> None:
    """Raise unless the folder of the data is there."""
    if not Path(options.input).is_dir():
        raise InputError(f"{owner}: there is no folder {options.input!r}; check --data.")


def _add_person(kinds: Any) -> None:
    """Add `train person`: the model that tells whose mention it is."""
    parser = kinds.add_parser(
        "person",
        help="the model that tells whose mention it is, for PersonSwap",
        description="Fine-tune an encoder on texts with a pronoun and two names (GAP), and on the "
        "same texts with women for men, and measure it on pages that it never read.",
    )
    option(
        parser, "--data", "the folder with coreference/gap_development.tsv", dest="input",
        required=True, metavar="DIR",
    )  # fmt: skip
    option(
        parser, "--base", "the encoder that is fine-tuned, a folder or a Hub id", usual=BASE,
        metavar="MODEL",
    )  # fmt: skip
    option(
        parser, "--epochs", "how often each row of GAP is seen, every second time with women "
        "for men", int, 2,
    )  # fmt: skip
    option(parser, "--seed", "the seed of all draws", int, 0, metavar=None)
    option(parser, "--out", "the folder to write", local_folder, required=True, metavar="DIR")
    parser.set_defaults(run=_run_person)


def _run_person(options: argparse.Namespace) -> None:
    """Run `train person`."""
    require("models", owner="train person")
    refuse_taken(options.out)
    _refuse_missing(options, "train person")
    if options.epochs < 1:
        raise InputError("train person: --epochs must be 1 or more.")
    from fair_datasets.rewriters.training.person.train import PersonConfig, train_person

    config = PersonConfig(Path(options.input), options.base, options.epochs, options.seed)
    with new_folder(options.out) as folder:
        report = train_person(config, folder, _command(options))
    print(f"Trained on {report['rows']:,} texts.\n\n{text_table(report['figures'])}\n")
    print(f"Written to {options.out}, in {report['seconds']} seconds of CPU.")


def _command(options: argparse.Namespace) -> str:
    """Return the command, for the card."""
    parts = ["fair-datasets", "train", "person", "--data", "DATA", "--epochs", str(options.epochs)]
    return shlex.join([*parts, "--seed", str(options.seed), "--out", options.out.name])
