"""The options that several commands have: a class of each group, of which commands are made."""

from pathlib import Path
from typing import Annotated, Any, Literal

from fair_datasets.cli.option_types import (
    CHARACTER,
    COL,
    ENCODING,
    FILE,
    INPUT,
    MODEL,
    NAME,
    PLACE,
    VECTORS,
)
from fair_datasets.cli.options import Options
from fair_datasets.scores.probes.config import HEADS
from fair_datasets.selection.diet import ProbeTrainer
from fair_datasets.selection.rankings import RANKINGS
from fair_datasets.system.checks import invalid, require
from fair_datasets.system.validate import Count, OneOf, Positive, Share

_SWAP = "fair_datasets.swap.counterfactual:CounterfactualSwap"


class Dialect(Options):
    """How files of text are read.

    Attributes:
        delimiter: What separates the cells of a CSV file that is read, such as ';' or tab (default:
            what its first lines show); --out NAME.csv is written with it too.
        encoding: How a CSV, JSON or text file that is read is encoded, such as cp1252 or utf-16
            (default: utf-8); what is written is UTF-8.
    """

    delimiter: CHARACTER | None = None
    encoding: ENCODING | None = None

    @property
    def dialect(self) -> dict[str, Any]:
        """How files are read, as `load_input` takes it."""
        return {"delimiter": self.delimiter, "encoding": self.encoding}


class Input(Dialect):
    """What is read.

    Attributes:
        inputs: A CSV, TSV, JSONL, Parquet or text file (also compressed), or several with the same
            columns, which are read as one; a folder of them, a save_to_disk folder, or a dataset of
            the Hub: user/name, user/name@revision, or hf://datasets/user/name/file.csv (a private
            one needs `hf auth login`); or - for the standard input; augment also takes patterns and
            addresses of Parquet files, which it reads in place, shard by shard:
            'hf://datasets/user/name/**/*.parquet', 's3://bucket/*.parquet'.
        format: The format of - as INPUT and as --out (default: jsonl).
        limit: Only the first N rows of each split.
        config: Which configuration of INPUT to read, if it has several.
    """

    ARGUMENTS = "inputs"

    inputs: tuple[INPUT, ...]
    format: Literal["jsonl", "csv", "tsv"] | None = None
    limit: Count | None = None
    config: NAME | None = None

    @property
    def input(self) -> str:
        """What is read, as sentences name it."""
        return ", ".join(self.inputs)


class Text(Options):
    """Where the texts are.

    Attributes:
        text: A text column, or a path to the texts inside one, such as 'messages[].content'; repeat
            it for several, which are read together.
    """

    text: tuple[COL, ...]


class Texts(Text):
    """Where the texts are, and whose they are.

    Attributes:
        roles: Read a conversation's texts of this role only, such as user; repeat it for several.
    """

    roles: tuple[Annotated[str, "ROLE"], ...] = ()


class ReaderOptions(Options):
    """How the terms of an axis are told from other words."""

    LIKE = _SWAP

    names: bool | None
    pipeline: NAME | None
    reader: NAME | None


class Axis(ReaderOptions):
    """The axis, and how its terms are read.

    Attributes:
        axis: A lexicon's name, or your own .tsv file.
    """

    axis: Annotated[str, "AXIS"] = "gender"


class Label(Options):
    """The classes of rows.

    Attributes:
        label: The column with the class; texts become classes in alphabetical order, and numbers
            such as 1 to 5 in numerical order.
    """

    ONCE = "label"

    label: COL = "label"


class Protect(Options):
    """Whose names are left alone.

    Attributes:
        protect: Names that stay ("Lily Allen"), with the rows in which a word would change that may
            be about their person; and .tsv files of your own with a column name, which leave alone
            all rows that name one of their people. The list that ships, known_people, is always
            among them, as a sentence about a known person becomes false; --no-protect for nobody.
        no_protect: Leave nobody's name alone, those of known people neither.
    """

    LIKE = _SWAP

    protect: tuple[NAME, ...] = ("known_people",)
    no_protect: bool = False

    @property
    def protecting(self) -> dict[str, tuple[str, ...]]:
        """Whose names are left alone, as a technique is told; nothing for what is usual."""
        return {} if self.protected is None else {"protect": self.protected}

    @property
    def protected(self) -> tuple[str, ...] | None:
        """Whose names are left alone; None for what is usual."""
        if self.no_protect and self.is_given("protect"):
            raise invalid("--no-protect leaves nobody alone; leave it out, or leave out --protect.")
        return () if self.no_protect else self.protect if self.is_given("protect") else None


class Family(Options):
    """The columns that say what was done."""

    LIKE = _SWAP

    provenance: bool
    family: bool | None


class Licence(Options):
    """The licence.

    Attributes:
        licence: The licence of INPUT for the card, such as cc-by-4.0; that of a dataset of the Hub
            is taken from its own card.
    """

    licence: Annotated[str, "ID"] | None = None


class Seed(Options):
    """The seed.

    Attributes:
        seed: The seed of the draws.
    """

    seed: int = 0


class Processes(Seed):
    """The seed, and how many processes there are.

    Attributes:
        num_proc: The number of processes.
    """

    num_proc: Count | None = None


class Trusted(Options):
    """How sure a row has to be."""

    LIKE = _SWAP

    min_confidence: Share | None


class Confidence(Trusted):
    """How sure a row has to be, and whether it is told.

    Attributes:
        confidence: Tell (augment: in a column) how likely it is, from 0 to 1, that a row is
            rewritten correctly.
    """

    confidence: bool = False


class Ranked(Options):
    """The orders in which rows are taken.

    Attributes:
        ranking: The orders in which rows are taken (default: healthy_random); healthy_random: any
            rows, and the counterfactuals that change the classifier's answer most; healthy_el2n:
            the rows that the classifier finds hardest, which keeps rare classes; random: what a
            ranking has to beat; unhealthy_random: a counter-check. All are {RANKINGS}.
    """

    ranking: tuple[Annotated[str, OneOf(RANKINGS), "NAME"], ...] = ()


_OF_MODELS = ("learning_rate", "batch_size", "max_length")


class Model(Texts, Label):
    """The classifier that is trained, and how.

    Attributes:
        model: Linear (the default): logistic regression on TF-IDF features, in seconds and without
            a download; or the Hub id or folder of a model, to fine-tune or to put a --head on.
        head: Leave the model as it is, compute the sentence vectors of its texts once, and train
            logistic regression (linear) or a small network (mlp) on them: minutes on a CPU.
        learning_rate: The learning rate of a model's training (default: 2e-5 in fine-tuning, 1e-2
            for a linear head, 1e-3 for mlp).
        batch_size: The batch size of a model's training (default: 32).
        max_length: How many tokens of a text a model reads (default: 128).
    """

    model: MODEL = "linear"
    head: Annotated[str, OneOf(HEADS)] | None = None
    learning_rate: Positive | None = None
    batch_size: Count | None = None
    max_length: Count | None = None

    def trainer(self, **others: Any) -> ProbeTrainer:
        """Return how the classifiers are trained, and state the defaults."""
        given = {name: getattr(self, name) for name in ("head", *_OF_MODELS)}
        given = {name: value for name, value in given.items() if value is not None}
        if self.model != "linear":
            require("models")
        elif given:
            raise invalid(
                f"--{next(iter(given)).replace('_', '-')} is for a model, and --model linear uses "
                "none; leave it out, or give --model the Hub id or folder of one."
            )
        trainer = ProbeTrainer(
            columns=self.text, roles=self.roles, label=self.label, model=self.model, **given,
            **others,
        )  # fmt: skip
        if self.model != "linear":
            settings = trainer.probes(Path("unused"), (0,), 1)
            vars(self).update({name: getattr(settings, name) for name in _OF_MODELS})
        return trainer


class Scoring(Options):
    """What scores words.

    Attributes:
        vectors: Word vectors that score the rows or find those whose words lean most: GloVe or
            word2vec text or binary, .npz, or a Hub id.
        encoder: The folder or Hub id of an encoder that weighs the words, beside --vectors or
            alone.
        direction: A saved direction (default: the one of the axis's own pairs of words).
        centred: Subtract the mean cosine of all words from each, which the paper does not do.
    """

    vectors: VECTORS | None = None
    encoder: MODEL | None = None
    direction: VECTORS | None = None
    centred: bool = False


class Shards(Options):
    """How the work is divided, and where it is told of.

    Attributes:
        shard_rows: How many rows are processed and written at once; an interrupted run repeats
            unfinished shards (default: 10,000 to 50,000, or fewer where rows are long).
        log_file: Write a line to the end of this file for each shard, with rows/s and the time
            left.
    """

    shard_rows: Count | None = None
    log_file: FILE | None = None


class Work(Options):
    """Where what is finished is kept.

    Attributes:
        work: Where what is finished is kept meanwhile (default: OUT.work).
    """

    work: Annotated[Path, "DIR"] | None = None


class Out(Options):
    """The place that is written.

    Attributes:
        out: The folder to write; or one file without a card, if its name ends in
            {fair_datasets.rows.exact_lines:ROW_FORMATS} (also with .gz, .bz2 or .xz); - for the
            standard output, while messages go to the standard error; or hf://datasets/user/name to
            publish on the Hub instead (a plain user/name is always a folder here, so that nothing
            is published by accident).
        config_name: With --out hf://...: which configuration to write, such as cda or cds (default:
            default); the others stay.
        private: With --out hf://...: make a new repository private; an existing one has to be
            private already.
    """

    out: PLACE | None = None
    config_name: NAME | None = None
    private: bool = False


class RequiredOut(Out):
    """The place that is written, which has to be named."""

    out: PLACE


class Replacing(Out):
    """The place that is written, which may be taken.

    Attributes:
        overwrite: Replace a folder that an earlier run wrote, or a file; on the Hub, also data of
            other columns or splits.
    """

    overwrite: bool = False
