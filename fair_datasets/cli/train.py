"""The command `train`: models that read texts, weigh their words, or rewrite them."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fair_datasets.cards.report import text_table
from fair_datasets.cli.columns import check_text_columns
from fair_datasets.cli.groups import Dialect, Input, Text
from fair_datasets.cli.inputs import batches, load_input
from fair_datasets.cli.option_types import COL, DIR, FILE, INPUT, MODEL, VECTORS
from fair_datasets.cli.options import Options
from fair_datasets.cli.outputs import Output, work_folder
from fair_datasets.cli.sources import read_rows
from fair_datasets.jobs.file_outputs import new_folder
from fair_datasets.reader.student import Student, shipped
from fair_datasets.reader.training.gold import FILES, ReaderConfig
from fair_datasets.reader.training.rehearsal import read_marked_sentences
from fair_datasets.rewriters.training.config import CoreferenceConfig
from fair_datasets.rows.draws import FAMILY, joined
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.scores.bilstm.train import (
    SentenceEncoderConfig,
    pair_accuracy,
    train_sentence_encoder,
)
from fair_datasets.selection.splits import three_splits
from fair_datasets.system.checks import counted, error_context, invalid, one_of, require
from fair_datasets.system.validate import Count

if TYPE_CHECKING:
    from datasets import Dataset

SHIPPED = "shipped"
"""What `--from` calls the network that ships."""
_MOST = 5.0
_SHOWN = 5
# The options of one of the two ways to train a reader: from the start, and from a network.
_OF_DATA = ("data", "base", "leave_out", "teacher_epochs", "student_epochs", "texts", "work")
_OF_LESSONS = ("gold", "texts_to_keep", "text", "delimiter", "encoding")


class Trained(Options):
    """A training.

    Attributes:
        out: The folder to write.
        seed: The seed of all draws.
        work: Where the training is kept (default: OUT.work).
    """

    out: DIR
    seed: int = 0
    work: Annotated[Path, "DIR"] | None = None


def _refuse_vain(options: Trained) -> None:
    """Raise if a package is missing, or the folder of the model cannot be written."""
    require("models")
    Output(options.out).refuse_taken()


@contextmanager
def _folders(options: Trained, source: str) -> Iterator[tuple[Path, Path]]:
    """Give the folder of what is kept meanwhile, which goes when all is done, and the model's."""
    with (
        work_folder(options.work, Output(options.out), source) as work,
        new_folder(options.out) as folder,
    ):
        yield work, folder
    if options.work is None:
        shutil.rmtree(work, ignore_errors=True)


class Reader(Trained, Dialect):
    """Train the reader of names and pronouns: an encoder, and the small network of the package.

    An encoder is fine-tuned on tagged texts and tags others, the small network is trained on what
    it says, and both are measured on texts that neither has read. The folder has the network, the
    encoder and the figures. A run that was interrupted, or killed, goes on when the same command is
    run again. With --from and --gold, the small network is taught sentences of your own instead,
    which takes a minute and no data, and is not resumed: see `fair-datasets docs find`.

    Attributes:
        begin: Teach this network sentences of your own: shipped, or a file of weights that this
            command wrote.
        gold: The sentences, one in each line, in which words are marked with their tags, such as
            '{fair_datasets.reader.training.rehearsal:EXAMPLE}'.
        texts_to_keep: Your texts: the training keeps how their words are read, except for the words
            that you teach; a file, a folder or a dataset of the Hub.
        text: The column of --input with the texts; repeat it for several (default: text).
        data: The folder of the tagged and the untagged texts; its CATALOGUE.md names them.
        leave_out: Train without these tagged texts, and measure on them: tweets, ewt or others that
            the catalogue names; repeat it for several.
    """

    LIKE = "fair_datasets.reader.training.gold:ReaderConfig"
    COMMON = "begin gold texts_to_keep data base out"
    USAGE = "--data DIR --out DIR\n--from READER --gold FILE --out DIR"

    begin: Annotated[str, "READER"] | None = None
    gold: FILE | None = None
    texts_to_keep: INPUT | None = None
    text: tuple[COL, ...] = ()
    data: Annotated[str, "DIR"] | None = None
    base: MODEL
    leave_out: tuple[Annotated[str, "SOURCE"], ...] = ()
    teacher_epochs: Count
    student_epochs: Count
    texts: Annotated[float, "SHARE"]

    def run(self) -> None:
        """Run the command."""
        _refuse_others(self)
        _refuse_vain(self)
        print(_trained(self) if self.begin is None else _fine_tuned(self))


def _trained(options: Reader) -> str:
    """Train a teacher and a student, and return what is told of them."""
    from fair_datasets.reader.training.train import train_reader

    _refuse_missing(options.data)
    if not 0 <= options.texts <= _MOST:
        raise invalid(f"--texts must lie between 0 and {_MOST:.0f}, but it is {options.texts}.")
    for source in options.leave_out:
        one_of(source, FILES, parameter="leave_out")
    config = ReaderConfig(
        Path(str(options.data)), options.base, tuple(sorted(set(options.leave_out))),
        options.teacher_epochs, options.student_epochs, options.texts, options.seed,
    )  # fmt: skip
    with _folders(options, options.data or "") as (work, folder):
        report = train_reader(config, work, folder)
    return f"{format_report(report)}\n\nWritten to {options.out}."


def _fine_tuned(options: Reader) -> str:
    """Teach a student sentences, and return what is told of it."""
    from fair_datasets.reader.training.train import STUDENT, fine_tune, write

    taught = read_marked_sentences(Path(str(options.gold)))
    if options.begin == SHIPPED:
        begin = shipped()
    else:
        with error_context("train reader: --from"):
            begin = Student.load(Path(str(options.begin)))
    texts = _texts(options)
    with new_folder(options.out) as folder:
        gone = fine_tune(begin, taught, texts, seed=options.seed)
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


def _texts(options: Reader) -> list[str]:
    """Read the texts that should be read as before."""
    if options.texts_to_keep is None:
        return []
    names = options.text or ["text"]
    source = options.texts_to_keep
    texts: list[str] = []
    for split, rows in load_input(source, names, None, **options.dialect).items():
        check_text_columns(rows, names, f"{source} (split {split})")
        for batch in batches(rows, names, source):
            several = RowTexts.read(batch, names).rows
            texts += [text for row in several for text in row if text]
    return texts


def format_report(report: Mapping[str, Any]) -> str:
    """Write the figures of a training as text."""
    names, cases = [], []
    for figure in report["figures"]:
        where = {"reader": figure["reader"], "texts": figure["texts"]}
        names += [where | figure["names"]] if "names" in figure else []
        cases += [where | figure["pronoun"]] if "pronoun" in figure else []
    error = report["calibration error"]
    return "\n\n".join(
        [
            text_table(names),
            text_table(cases),
            f"temperature {report['temperature']:.2f}: calibration error {error['after']:.3f}, "
            f"{error['before']:.3f} without it.",
        ]
    )


def _refuse_others(options: Reader) -> None:
    """Raise if arguments of both ways to train are given, or those of one are missing."""
    if options.begin is None:
        if others := options.given(*_OF_LESSONS):
            raise invalid(
                f"{others[0]} is for teaching an existing network; say which with --from {SHIPPED}."
            )
        if options.data is None:
            raise invalid(
                "give --data, the folder of the texts; or --from and --gold, to "
                "teach a network sentences of your own."
            )
    elif others := options.given(*_OF_DATA):
        raise invalid(
            f"{others[0]} is for a training from the start; leave it out, or leave out --from."
        )
    elif options.gold is None:
        raise invalid("--from needs --gold, the file of your sentences.")


def _refuse_missing(folder: str | None) -> None:
    """Raise unless the folder of the data is there."""
    if not Path(folder or "").is_dir():
        raise invalid(f"there is no folder {folder!r}; check --data.")


class Encoder(Input, Text, Trained):
    """Train a sentence encoder (BiLSTM with max-pooling) on labelled pairs.

    It learns on word vectors to tell the classes of pairs of sentences, such as those of SNLI, and
    is written as a folder that sentence_vectors, BiasScore and push model take. An interrupted run,
    also one that was killed, goes on when the same command is run again. INPUT has the splits
    train, validation and test; one split is divided 8:1:1 by the first text.

    Attributes:
        label: The column with the class of each pair; rows with -, -1 or nothing in it are left
            out.
        vectors: The word vectors: a file of GloVe or word2vec, an .npz, or a Hub id.
        preset: Infersent: the published size and schedule, days on a CPU (the default); small: a
            minute for some thousand pairs.
        epochs: How often the pairs are seen at most (default: that of the preset).
    """

    LIKE = "fair_datasets.scores.bilstm.train:SentenceEncoderConfig"
    COMMON = "text label vectors preset epochs out"

    label: COL = "label"
    vectors: VECTORS
    preset: Literal["infersent", "small"] = "infersent"
    epochs: Count | None = None
    seed: int

    def run(self) -> None:
        """Run the command."""
        _refuse_vain(self)
        out: Path = self.out
        if len(self.text) != 2:
            raise invalid(
                "a pair has two sentences; give --text twice, such as --text premise --text "
                "hypothesis."
            )
        source, read, loaded = read_rows(self, Output(out), self.text)
        for split, dataset in loaded.items():
            check_text_columns(dataset, self.text, f"{self.input} (split {split})")
        with error_context(self.input):
            splits = three_splits(loaded, partial(_families, options=self), seed=self.seed)
        command = self.again(source.name, read)
        with _folders(self, self.input) as (work, folder):
            summary = _encoder(self, splits, work, folder, source.name, command)
        print(
            f"{summary}\n\nWritten to {out}. To use it:\n\n"
            "    from fair_datasets.scores.embeddings import sentence_vectors\n"
            f"    vectors = sentence_vectors(['It rained.'], {str(out)!r})"
        )


def _families(rows: "Dataset", options: Encoder) -> Sequence[int]:
    """Return which rows belong together: of one family, or with the same first text."""
    keys = [rows[options.text[0]][:]]
    keys += [rows[FAMILY][:]] if FAMILY in rows.column_names else []
    families: list[int] = joined(*keys).tolist()
    return families


def _encoder(
    options: Encoder,
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
    record = encoder.provenance
    lines = [
        f"train: {record['read_pairs']:,} of {record['pairs'] + record['unlabelled']:,} rows, "
        f"{counted(len(record['epochs_trained']), 'epoch')}; epoch {record['best_epoch']} was best."
    ]
    for name in ("validation", "test"):
        stats = pair_accuracy(encoder, config, splits[name])
        lines.append(
            f"{name}: accuracy {stats.accuracy:.1%} of {stats.pairs:,} pairs; the most frequent "
            f"class has {stats.majority:.1%}."
        )
    return "\n".join(lines)


class Person(Trained):
    """Train the model that tells to whom a pronoun refers, for PersonSwap.

    An encoder is fine-tuned on texts with a pronoun and two names (GAP), and on the same texts with
    women in place of men, and measured on pages that it never read. An interrupted run, also one
    that was killed, goes on when the same command is run again.

    Attributes:
        data: The folder with coreference/gap_development.tsv.
    """

    LIKE = "fair_datasets.rewriters.training.config:CoreferenceConfig"

    data: Annotated[str, "DIR"]
    base: MODEL
    epochs: Count

    def run(self) -> None:
        """Run the command."""
        _refuse_vain(self)
        _refuse_missing(self.data)
        from fair_datasets.rewriters.training.coreference import train_coreference

        config = CoreferenceConfig(Path(self.data), self.base, self.epochs, self.seed)
        with _folders(self, self.data) as (work, folder):
            report = train_coreference(config, work, folder, self.again(data="DATA"))
        print(f"Trained on {report['rows']:,} texts.\n\n{text_table(report['figures'])}\n")
        print(f"Written to {self.out}, in {report['seconds']} seconds of CPU.")
