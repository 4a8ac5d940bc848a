"""The command `train`: models that read texts, weigh their words, or rewrite them."""

import argparse
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.cards.report import text_table
from fair_datasets.cli import train_rewriter
from fair_datasets.cli.columns import check_text_columns
from fair_datasets.cli.dialects import add_dialect, dialect_of
from fair_datasets.cli.inputs import add_input, batches, load_input
from fair_datasets.cli.outputs import refuse_taken, work_folder
from fair_datasets.cli.parsers import Parser, add_parameters, add_shared, command_again, option
from fair_datasets.cli.sources import open_source
from fair_datasets.jobs.file_outputs import local_folder, new_folder
from fair_datasets.reader.student import Student, shipped
from fair_datasets.reader.training.gold import FILES, ReaderConfig
from fair_datasets.reader.training.lessons import EXAMPLE, read_taught
from fair_datasets.rewriters.training.config import PersonConfig
from fair_datasets.rows.draws import FAMILY, joined
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.scores.bilstm.train import (
    PRESETS,
    PairAccuracy,
    SentenceEncoderConfig,
    pair_accuracy,
    train_sentence_encoder,
)
from fair_datasets.selection.splits import three_splits
from fair_datasets.system.checks import called_as, invalid, require

if TYPE_CHECKING:
    from datasets import Dataset

SHIPPED = "shipped"
"""What `--from` calls the network that ships."""
_MOST = 5.0
_SHOWN = 5
# The options of one of the two ways to train a reader: from the start, and from a network.
_OF_DATA = ("input", "base", "leave_out", "teacher_epochs", "student_epochs", "texts", "work")
_OF_LESSONS = ("gold", "texts_to_keep", "text", "delimiter", "encoding")


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "train",
        help="train a model that reads, weighs or rewrites texts",
        description="Train a model, measure it on texts that it never read, and write its folder. "
        "An interrupted run goes on where it was.",
    )
    kinds = parser.add_subparsers(required=True, metavar="WHAT")
    _add_reader(kinds)
    _add_encoder(kinds)
    _add_person(kinds)
    train_rewriter.add_parsers(kinds)


def _add_trained(
    parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], None], config: type
) -> None:
    """Add the seed of a training and the folder of the model, and what trains it."""
    add_parameters(parser, config, seed="SEED")
    option(parser, "--out -o DIR", "the folder to write", local_folder, required=True)
    parser.set_defaults(run=run)


def _refuse_vain(options: argparse.Namespace) -> None:
    """Raise if a package is missing, or the folder of the model cannot be written."""
    require("models")
    refuse_taken(options.out)


@contextmanager
def _folders(options: argparse.Namespace) -> Iterator[tuple[Path, Path]]:
    """Give the folder of what is kept meanwhile, which goes when all is done, and the model's."""
    with work_folder(options, options.out) as work, new_folder(options.out) as folder:
        yield work, folder
    if options.work is None:
        shutil.rmtree(work, ignore_errors=True)


def _add_work(parser: argparse.ArgumentParser) -> None:
    """Add where a training is kept."""
    option(parser, "--work DIR", "where the training is kept (default: OUT.work)", Path)


def _add_reader(kinds: Any) -> None:
    parser = kinds.add_parser(
        "reader",
        help="the reader of names and pronouns: an encoder, and the small network that ships",
        description="Fine-tune an encoder on tagged texts, let it tag others, train the small "
        "network on what it says, and measure both on texts that neither has read. The folder has "
        "the network, the encoder and the figures. A run that was interrupted, or killed, goes on "
        "when the same command is run again. With --from and --gold, the small network is taught "
        "sentences of your own instead, which takes a minute and no data, and is not resumed: see "
        "`fair-datasets docs mend`.",
        usage="%(prog)s --data DIR --out DIR\n       %(prog)s --from READER --gold FILE --out DIR",
    )
    _add_lessons(parser)
    _add_arguments(parser)
    _add_trained(parser, _run_reader, ReaderConfig)


def _add_lessons(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a reader that is taught sentences."""
    option(parser, "--from READER", "teach this network sentences of your own: shipped, or a file "
           "of weights that this command wrote", dest="begin")  # fmt: skip
    option(parser, "--gold FILE", "the sentences, one in each line, in which words are marked with "
           f"their tags, such as '{EXAMPLE}'", Path)  # fmt: skip
    option(parser, "--input INPUT", "your texts: the training keeps how their words are read, "
           "except for the words that you teach; a file, a folder or a dataset of the Hub",
           dest="texts_to_keep")  # fmt: skip
    option(parser, "--text COL", "the column of --input with the texts; repeat it for several "
           "(default: text)", list)  # fmt: skip
    add_dialect(parser)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    option(parser, "--data DIR", "the folder of the tagged and the untagged texts; its "
           "CATALOGUE.md names them", dest="input")  # fmt: skip
    add_parameters(parser, ReaderConfig, base="MODEL")
    option(parser, "--leave-out SOURCE", "train without these tagged texts, and measure on them: "
           f"{', '.join(FILES)}; repeat it for several", list, default=[],
           choices=tuple(FILES))  # fmt: skip
    add_parameters(parser, ReaderConfig, teacher_epochs=None, student_epochs=None, texts="SHARE")
    _add_work(parser)


def _run_reader(options: argparse.Namespace) -> None:
    _refuse_others(options)
    _refuse_vain(options)
    if options.begin is None:
        print(_trained(options))
    else:
        print(_taught(options))


def _trained(options: argparse.Namespace) -> str:
    """Train a teacher and a student, and return what is told of them."""
    from fair_datasets.reader.training.train import train_reader

    _check(options)
    config = ReaderConfig(
        Path(options.input), options.base, tuple(sorted(set(options.leave_out))),
        options.teacher_epochs, options.student_epochs, options.texts, options.seed,
    )  # fmt: skip
    with _folders(options) as (work, folder):
        report = train_reader(config, work, folder)
    return f"{told(report)}\n\nWritten to {options.out}."


def _taught(options: argparse.Namespace) -> str:
    """Teach a student sentences, and return what is told of it."""
    from fair_datasets.reader.training.train import STUDENT, go_on, write

    taught = read_taught(options.gold)
    if options.begin == SHIPPED:
        begin = shipped()
    else:
        with called_as("train reader: --from"):
            begin = Student.load(Path(options.begin))
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
    for split, rows in load_input(source, names, None, **dialect_of(options)).items():
        check_text_columns(rows, names, f"{source} (split {split})")
        for batch in batches(rows, names, source):
            several = RowTexts.read(batch, names).rows
            found += [text for row in several for text in row if text]
    return found


def told(report: Mapping[str, Any]) -> str:
    """Write the figures of a training as text."""
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
    parser: Parser = options.parser
    if options.begin is None:
        if others := parser.given(options, _OF_LESSONS):
            raise invalid(
                f"{others[0]} is for teaching an existing network; say which with --from {SHIPPED}."
            )
        if options.input is None:
            raise invalid(
                "give --data, the folder of the texts; or --from and --gold, to "
                "teach a network sentences of your own."
            )
    elif others := parser.given(options, _OF_DATA):
        raise invalid(
            f"{others[0]} is for a training from the start; leave it out, or leave out --from."
        )
    elif options.gold is None:
        raise invalid("--from needs --gold, the file of your sentences.")


def _check(options: argparse.Namespace) -> None:
    """Raise if an argument is out of its bounds."""
    _refuse_missing(options)
    for name, epochs in (("teacher", options.teacher_epochs), ("student", options.student_epochs)):
        if epochs < 1:
            raise invalid(f"--{name}-epochs must be 1 or more.")
    if not 0 <= options.texts <= _MOST:
        raise invalid(f"--texts must lie between 0 and {_MOST:.0f}, but it is {options.texts}.")


def _refuse_missing(options: argparse.Namespace) -> None:
    """Raise unless the folder of the data is there."""
    if not Path(options.input).is_dir():
        raise invalid(f"there is no folder {options.input!r}; check --data.")


def _add_encoder(kinds: Any) -> None:
    parser = kinds.add_parser(
        "encoder",
        help="a sentence encoder (BiLSTM with max-pooling), on labelled pairs",
        description="Train an encoder on word vectors to tell the classes of pairs of sentences, "
        "such as those of SNLI, and write it as a folder that sentence_vectors, BiasScore and push "
        "model take. An interrupted run, also one that was killed, goes on when the same command "
        "is run again. INPUT has the splits train, validation and test; one split is divided 8:1:1 "
        "by the first text.",
    )
    add_input(parser)
    add_shared(parser, "text")
    option(parser, "--label COL", "the column with the class of each pair; rows with -, -1 or "
           "nothing in it are left out", usual="label")  # fmt: skip
    option(parser, "--vectors FILE", "the word vectors: a file of GloVe or word2vec, an .npz, or a "
           "Hub id", required=True)  # fmt: skip
    option(parser, "--preset", "infersent: the published size and schedule, days on a CPU (the "
           "default); small: a minute for some thousand pairs", choices=tuple(PRESETS),
           default="infersent")  # fmt: skip
    option(parser, "--epochs", "how often the pairs are seen at most (default: that of the preset)",
           int)  # fmt: skip
    _add_work(parser)
    _add_trained(parser, _run_encoder, SentenceEncoderConfig)


def _run_encoder(options: argparse.Namespace) -> None:
    _refuse_vain(options)
    out: Path = options.out
    if len(options.text) != 2:
        raise invalid(
            "a pair has two sentences; give --text twice, such as --text premise --text hypothesis."
        )
    source, read, loaded = open_source(options, out, options.text)
    for split, dataset in loaded.items():
        check_text_columns(dataset, options.text, f"{options.input} (split {split})")
    with called_as(options.input):
        splits = three_splits(loaded, partial(_families, options=options), seed=options.seed)
    command = command_again(options, source.name, read)
    with _folders(options) as (work, folder):
        told = _encoder(options, splits, work, folder, source.name, command)
    print(
        f"{told}\n\nWritten to {out}. To use it:\n\n"
        "    from fair_datasets.scores.embeddings import sentence_vectors\n"
        f"    vectors = sentence_vectors(['It rained.'], {str(out)!r})"
    )


def _families(rows: "Dataset", options: argparse.Namespace) -> Sequence[int]:
    """Say which rows belong together: those of one family, and those with the same first text."""
    keys = [rows[options.text[0]][:]]
    keys += [rows[FAMILY][:]] if FAMILY in rows.column_names else []
    found: list[int] = joined(*keys).tolist()
    return found


def _encoder(
    options: argparse.Namespace,
    splits: "dict[str, Dataset]",
    work: Path,
    folder: Path,
    source: str,
    command: str,
) -> str:
    """Train, save the encoder into a folder, and return what is told of it."""
    from fair_datasets.scores.bilstm.network import BiLSTMEncoder

    given = {} if options.epochs is None else {"epochs": options.epochs}
    config = SentenceEncoderConfig.preset(
        options.preset, out=work, vectors=options.vectors, columns=tuple(options.text),
        label=options.label, seed=options.seed, **given,
    )  # fmt: skip
    trained = train_sentence_encoder(
        config, splits["train"], splits["validation"], training_data=source, command=command
    )
    encoder = BiLSTMEncoder.from_pretrained(trained)
    encoder.save_pretrained(folder, model_card_kwargs={"title": options.out.absolute().name})
    told = encoder.provenance
    lines = [
        f"train: {told['read_pairs']:,} of {told['pairs'] + told['unlabelled']:,} rows, "
        f"{_number(told['epochs_trained'], 'epoch')}; epoch {told['best_epoch']} was best."
    ]
    lines += [
        _line(name, pair_accuracy(encoder, config, splits[name])) for name in ("validation", "test")
    ]
    return "\n".join(lines)


def _line(name: str, found: PairAccuracy) -> str:
    """Describe the accuracy on a split."""
    return (
        f"{name}: accuracy {found.accuracy:.1%} of {found.pairs:,} pairs; the most frequent class "
        f"has {found.majority:.1%}."
    )


def _number(things: Sized, word: str) -> str:
    return f"{len(things):,} {word}{'s' * (len(things) != 1)}"


def _add_person(kinds: Any) -> None:
    parser = kinds.add_parser(
        "person",
        help="the model that tells to whom a pronoun refers, for PersonSwap",
        description="Fine-tune an encoder on texts with a pronoun and two names (GAP), and on the "
        "same texts with women in place of men, and measure it on pages that it never read. An "
        "interrupted run, also one that was killed, goes on when the same command is run again.",
    )
    option(parser, "--data DIR", "the folder with coreference/gap_development.tsv", dest="input",
           required=True)  # fmt: skip
    add_parameters(parser, PersonConfig, base="MODEL", epochs=None)
    _add_work(parser)
    _add_trained(parser, _run_person, PersonConfig)


def _run_person(options: argparse.Namespace) -> None:
    _refuse_vain(options)
    _refuse_missing(options)
    if options.epochs < 1:
        raise invalid("--epochs must be 1 or more.")
    from fair_datasets.rewriters.training.person import train_person

    config = PersonConfig(Path(options.input), options.base, options.epochs, options.seed)
    with _folders(options) as (work, folder):
        report = train_person(config, work, folder, command_again(options, input="DATA"))
    print(f"Trained on {report['rows']:,} texts.\n\n{text_table(report['figures'])}\n")
    print(f"Written to {options.out}, in {report['seconds']} seconds of CPU.")
