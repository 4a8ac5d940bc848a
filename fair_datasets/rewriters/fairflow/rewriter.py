"""Training FairFlow's rewriter, from texts to a folder with a model of counterfactuals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Self

from fair_datasets.cards.markdown import code, escaped
from fair_datasets.rewriters.fairflow.build import build_lexicon
from fair_datasets.rewriters.fairflow.config import FairFlowConfig
from fair_datasets.rewriters.fairflow.review import FoundLexicon, read_review, two_way
from fair_datasets.rewriters.training.config import RowsSource
from fair_datasets.rewriters.training.generator import (
    GeneratorConfig,
    GeneratorTraining,
    TrainedGenerator,
    train_generator,
)
from fair_datasets.rewriters.training.parallel import TEXT, ParallelConfig
from fair_datasets.rewriters.training.work import work_of, write_noted
from fair_datasets.rows import draws
from fair_datasets.rows.given import texts_of
from fair_datasets.system.checks import caller_name, error_context, invalid
from fair_datasets.system.files import write_file
from fair_datasets.system.validate import Count, OneOf, Positive

if TYPE_CHECKING:
    from datasets import Dataset

_LEXICON, _REVIEW = ".tsv", ".review.csv"
# Tables that a file need not have, and how many pairs a card shows.
_OPTIONAL, _SHOWN = ("dictionary", "corpus"), 20


class Variant(NamedTuple):
    """What a generator is trained on.

    Attributes:
        steps: The last step of the parallel data; see `parallel_rows`.
        is_learned: Whether its words were found by FairFlow; else people listed them.
    """

    steps: str
    is_learned: bool


VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        "V1": Variant("repair", is_learned=False),
        "V2": Variant("repair", is_learned=True),
        "Hall-M": Variant("swap", is_learned=False),
    }
)
"""The generators of the paper's tables 2 to 4."""


@dataclass(frozen=True, kw_only=True)
class FairFlowRewriterConfig(GeneratorConfig):
    """How FairFlow trains a generator of counterfactuals on texts, and where it is saved.

    The defaults are those of the paper's code: ELECTRA finds wrong words and BART-base fills them,
    a BART-base is trained for ten epochs at a learning rate of 5e-5. MBCDA's are two epochs and
    2e-5. There is neither a filter nor a discriminator. `FairFlowRewriterConfig.small` has a new,
    small generator, which learns to fill gaps first.

    It has the settings of `GeneratorConfig` (`fair_datasets.rewriters.training.generator`)
    as well.

    Attributes:
        variant: What it is trained on: `V2`, swaps by words that FairFlow finds, corrected; `V1`,
            swaps by the words of `parallel.axis`, corrected; or `Hall-M`, these as they are.
        dictionary: For `V2`, how the words are found; its folder `work` keeps the states. None
            where they were found before: then `parallel.axis` is the path of their `.tsv`.

    Raises:
        InputError: A setting is not what it must be.
        MissingExtraError: What trains a model is not installed.

    Example:
        >>> from fair_datasets.rewriters import ParallelConfig
        >>> rows = ParallelConfig(attribute="gender")
        >>> FairFlowRewriterConfig(out="generator", parallel=rows, variant="V1").epochs
        10

    Source:
        Tokpo and Calders (2024), FairFlow, sections 3.3 and 4.
    """

    tables: ClassVar = {
        **GeneratorConfig.tables, "dictionary": FairFlowConfig, "corpus": RowsSource
    }  # fmt: skip
    tag: ClassVar = "fairflow"
    citation: ClassVar = (
        "Tokpo, E. K., Calders, T. (2024). FairFlow: An Automated Approach to Model-based "
        "Counterfactual Data Augmentation for NLP."
    )

    epochs: Count = 10
    learning_rate: Positive = 5e-5
    variant: Annotated[str, OneOf(VARIANTS)] = "V2"
    dictionary: FairFlowConfig | None = None

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        super().__post_init__()
        is_file = self.parallel.axis.endswith(_LEXICON)
        if not VARIANTS[self.variant].is_learned:
            if self.dictionary is not None:
                raise invalid(
                    f"dictionary says how words are found, but {self.variant!r} takes "
                    "those of parallel.axis; leave it out, or choose variant 'V2'."
                )
        elif (self.dictionary is None) is not is_file:
            raise invalid(
                "'V2' takes its words from one place; give dictionary to find them, or "
                "parallel.axis, a .tsv file that lists them, but not both."
            )

    @property
    def steps(self) -> str:
        """The last step of the parallel data."""
        return VARIANTS[self.variant].steps

    def models(self) -> Iterator[str]:
        """Yield the Hub ids and folders of all models that are read."""
        yield from super().models()
        if self.dictionary is not None:
            yield str(self.dictionary.model)

    def settings(self) -> dict[str, Any]:
        """Return all that the model depends on, as JSON data: all but where things are saved."""
        settings = super().settings()
        if self.dictionary is not None:
            settings["dictionary"] = self.dictionary.settings()
            del settings["parallel"]["axis"]
        return settings

    @classmethod
    def complete_tables(
        cls, tables: dict[str, dict[str, Any]], given: Mapping[str, Any]
    ) -> dict[str, dict[str, Any]]:
        """Return the tables with the folder of the dictionary and its column, or raise."""
        words, corpus, completed = tables["dictionary"], tables["corpus"], dict(tables)
        for name, example in (("pairs", '["she", "he"]'), ("model", '"bert-base-uncased"')):
            if words and name not in words:
                with error_context(f"{caller_name()}, [dictionary]"):
                    raise invalid(f"{name} is missing; add {name} = {example}, or the like.")
        if corpus and not (corpus.get("source") and words):
            with error_context(f"{caller_name()}, [corpus]"):
                raise invalid(
                    "it names the texts that [dictionary] reads; name a source in it and add the "
                    "table [dictionary], or leave [corpus] out."
                )
        text = tables["parallel"].get("text", ParallelConfig.text)
        usual = {"work": work_of(Path(given["out"])) / "dictionary", "columns": text}
        completed["dictionary"] = usual | words if words else words
        return {name: each for name, each in completed.items() if each or name not in _OPTIONAL}

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that are written beside the model."""
        words = () if self.dictionary is None else Dictionary.next_to(Path(self.out))
        return (*super().files, *words)

    def prepare(self, training: GeneratorTraining[Self]) -> GeneratorTraining[Self]:
        """Find the words of the swap, unless people listed them."""
        if self.dictionary is None:
            return training
        dictionary = Dictionary.next_to(training.work / "words")
        find_words(self.dictionary, training.splits["train"], training.corpus, dictionary)
        parallel = replace(self.parallel, axis=str(dictionary.lexicon))
        return training.by(replace(self, parallel=parallel, dictionary=None))

    def conclude(
        self, trained: TrainedGenerator, training: GeneratorTraining[Self]
    ) -> "TrainedFairFlow":
        """Return what was trained with the words, which are put beside it."""
        if self.dictionary is None:
            return TrainedFairFlow(**vars(trained), dictionary=None)
        files = Dictionary.next_to(Path(self.out))
        for source, file in zip(Dictionary.next_to(training.work / "words"), files, strict=True):
            write_noted(training.work, file, source.read_bytes())
        return TrainedFairFlow(**vars(trained), dictionary=files)

    def method(self, trained: "TrainedFairFlow") -> list[str]:
        """Write whose words they are, and the first that were found."""
        whose = "FairFlow found" if VARIANTS[self.variant].is_learned else "people listed"
        lines = [f"FairFlow, {code(self.variant)}: the swap is by words that {whose}."]
        if trained.dictionary is None:
            return lines
        result = trained.dictionary.load()
        both = [
            f"{escaped(pair.original)} - {escaped(pair.counterfactual)}"
            for pair, _ in two_way(result.pairs)
        ]
        given = ", ".join(f"{one} and {other}" for one, other in result.given)
        return [
            *lines, "",
            f"From {escaped(given)}: {len(result.pairs):,} words with a counterpart, {len(both):,} "
            "pairs in both directions, which nobody reviewed.",
            *([f"The first are {', '.join(both[:_SHOWN])}."] if both else []),
            f"They are in {code(trained.dictionary.lexicon.name)}; give it to `ModelRewrite` as "
            "its `axis`, so that rewrites are verified by them.",
        ]  # fmt: skip


class Dictionary(NamedTuple):
    """A lexicon that was found, and its review for people."""

    lexicon: Path
    review: Path

    @classmethod
    def next_to(cls, folder: Path) -> "Dictionary":
        """Return the files that lie beside a folder, and are called after it."""
        name = folder.absolute().name
        return cls(folder.with_name(name + _LEXICON), folder.with_name(name + _REVIEW))

    def load(self) -> FoundLexicon:
        """Return what was found."""
        return read_review(self.review)

    def save(self, lexicon: FoundLexicon) -> None:
        """Write the files; the lexicon, which is read, comes last."""
        write_file(self.review, lexicon.review().encode())
        write_file(self.lexicon, lexicon.text().encode())


@dataclass(frozen=True)
class TrainedFairFlow(TrainedGenerator):
    """A generator of counterfactuals that FairFlow trained.

    Attributes:
        dictionary: The files of the words that were found; None where they were listed.
    """

    dictionary: Dictionary | None

    def lines(self) -> list[str]:
        """Return how many words were found and where they are, and what the generator does."""
        if self.dictionary is None:
            return super().lines()
        return [
            f"{len(self.dictionary.load().pairs):,} words have a counterpart. They are in "
            f"{self.dictionary.lexicon}, a draft; {self.dictionary.review} is for people to "
            "review.", "", *super().lines(),
        ]  # fmt: skip


def train_fairflow(
    config: FairFlowRewriterConfig,
    dataset: "Dataset",
    *,
    corpus: "Dataset | None" = None,
    source: str = "",
    command: str = "",
) -> TrainedFairFlow:
    """Train a model to write counterfactuals, on corrected swaps of words that FairFlow finds.

    The words and their counterparts are found in texts, from a pair of them; the swap by them
    writes counterfactuals, a detector masks what is wrong in these, and an infiller fills the
    masks. On the pairs of texts a generator is trained. It is asked by
    `ModelRewrite(control="plain")`, with the words as its `axis`.

    Rows are split by text. Each step is kept in `<out>.work`, whole or not at all, and the
    trainings keep checkpoints there; the same call goes on from the last. In the end that folder is
    removed; the words lie beside the model, in `<out>.tsv`, and with votes and examples in
    `<out>.review.csv`, for people.

    Args:
        corpus: The texts in which the words are found; None for the training rows.

    Raises:
        InputError: The rows cannot be used, a model cannot be read or does not suit, no words are
            found, no pair is left, the folder holds something already, or the work folder is of
            other settings or rows.

    Source:
        Tokpo and Calders (2024), "FairFlow: An Automated Approach to Model-based Counterfactual
        Data Augmentation for NLP".
    """
    if corpus is not None and config.dictionary is None:
        raise invalid(
            "corpus holds the texts in which words are found, but the settings have no "
            "dictionary; leave it out."
        )
    key = ""
    if config.dictionary is not None and corpus is not None:
        words = config.dictionary
        key = draws.row_key(texts_of(corpus, words.columns, roles=words.roles))
    trained: TrainedFairFlow = train_generator(
        config, dataset, corpus=corpus, key=key, source=source, command=command
    )
    return trained


def find_words(
    config: FairFlowConfig, train: "Dataset", corpus: "Dataset | None", files: Dictionary
) -> None:
    """Find the words of a dictionary, unless that was done."""
    if files.lexicon.is_file():
        return
    if corpus is None:
        corpus = train.select_columns([TEXT])
        config = replace(config, columns=TEXT, roles=())
    files.save(build_lexicon(config, corpus).lexicon)
