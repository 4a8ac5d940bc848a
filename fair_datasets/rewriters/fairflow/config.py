"""How a lexicon is made from pairs of words and a corpus, as data."""

import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from fair_datasets.rows.column_checks import ColumnNames
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid, require
from fair_datasets.system.validate import (
    Count,
    Natural,
    OneOf,
    PathOrName,
    Positive,
    Share,
    ShareBelowOne,
    Strings,
    validate_fields,
)

DETAILS = ("kind", "inflection", "note")


def are_attributes(names: Sequence[str]) -> bool:
    """Whether names can be the header of a lexicon of two attributes.

    Returns:
        Whether they are two, can be printed, and differ from each other and from other columns.

    Example:
        >>> are_attributes(["woman", "man"]), are_attributes(["woman", "kind"])
        (True, False)
    """
    is_clean = all(name and name == name.strip() and name.isprintable() for name in names)
    return is_clean and len(names) == len({*names} - {*DETAILS}) == 2


DECODERS = ("auto", "head", "nearest")
CANDIDATES = ("opposite", "all")


@dataclass(frozen=True, kw_only=True)
class FairFlowConfig:
    """The settings of `build_lexicon`.

    The defaults are those of the paper's code, but for `share`, of which that asks nothing, and for
    the epochs: there the classifier sees each place three times as often, and the flow sees the
    places of a far larger corpus five times.

    Attributes:
        work: The folder in which the states and what is trained are kept, so that a run that was
            interrupted goes on, and another one with other settings uses what it can.
        columns: The text column or columns.
        pairs: The pairs of words to start from, such as ("she", "he"); the first words share one
            attribute, and the second ones the other.
        model: The Hub id or folder of an encoder with its tokenizer, such as "bert-base-uncased".
        attributes: The names of the two attributes, the header of the lexicon; none for the words
            of the first pair. With "woman" and "man", `CounterfactualSwap` swaps names too.
        roles: Whose texts of a conversation are read; none for everybody's.
        max_length: How many tokens of a text are read.
        fewest: How often a word has to occur.
        pair_occurrences: How many places of each word of the pairs the classifier is trained on at
            most; the same number for both sides.
        candidates_per_word: How many places of any other word the classifier looks at, at most.
        kept_per_word: How many places of a word the flow is trained on and vote, at most.
        classifier_epochs: How often the classifier sees each place.
        classifier_rate: Its learning rate.
        threshold: A place is kept if the classifier's logit is further from 0; none for 3, as in
            the paper's code, or for the quantile 0.1, where that is nearer: of a pair with few
            places the classifier is never so sure.
        quantile: In the place of a threshold: the quantile of the logits of the words of the pairs,
            without their sign, that is the threshold.
        carried: At what share of its places a word has to pass the threshold on one side, from 0
            to 1.
        flow_epochs: How often the flow sees each place; none for as often as it takes 5,000
            batches, at most 50 times.
        flow_rate: Its learning rate.
        batch_size: How many pairs of places a step of it has.
        blocks: How many blocks it has.
        hidden_units: The width of the networks in it.
        hidden_layers: How many layers they have beside the first and the last.
        factors: How many factors of one size there are; the first is the attribute's.
        estimate_factor_dims: Whether there are two factors instead, whose sizes are estimated.
        rho: How much two places of one attribute have in common in its factor, in [0, 1).
        decoder: How a state becomes a word: by the `head` of a masked language model, which knows
            words of one token; by the `nearest` mean state of a word, whose words may have several;
            `auto` for the head where the model has one.
        candidates: What words may stand in for a word: `all` words of the corpus, so that one
            without a counterpart stands for itself; or the `opposite` ones, which were kept on the
            other side, so that more words get a counterpart, right or wrong.
        mutual: Whether a pair needs a vote in both directions.
        share: What share of a word's places has to propose its counterpart, in [0, 1]. A pair with
            less is a proposal in the review, and in the lexicon where people accept it.
        rounds: How often pairs are looked for. In a later round the surest that were found join
            the given ones, the classifier learns from the other words what is of neither attribute,
            and the threshold is half the median logit of the pairs; the paper's code does none of
            this.
        seed: It draws places, weights and orders.

    Raises:
        InputError: A setting is not what it must be.
        MissingExtraError: torch or transformers is not installed.

    Example:
        >>> FairFlowConfig(work="w", columns="text", pairs=("she", "he"), model="bert-base-uncased"
        ... ).pairs
        (('she', 'he'),)

    Source:
        Tokpo and Calders (2024), FairFlow: An Automated Approach to Model-based Counterfactual
        Data Augmentation for NLP.
    """

    work: PathOrName
    columns: ColumnNames
    pairs: Sequence[Any]
    model: PathOrName
    attributes: Sequence[str] = ()
    roles: Strings = ()
    max_length: Count = 150
    fewest: Count = 10
    pair_occurrences: Count = 3000
    candidates_per_word: Count = 100
    kept_per_word: Count = 30
    classifier_epochs: Count = 12
    classifier_rate: Positive = 2e-5
    threshold: Positive | None = None
    quantile: Share | None = None
    carried: Share = 0.0
    flow_epochs: Count | None = None
    flow_rate: Positive = 1e-3
    batch_size: Count = 32
    blocks: Count = 6
    hidden_units: Count = 100
    hidden_layers: Count = 2
    factors: Count = 10
    estimate_factor_dims: bool = False
    rho: ShareBelowOne = 0.98
    decoder: Annotated[str, OneOf(DECODERS)] = "auto"
    candidates: Annotated[str, OneOf(CANDIDATES)] = "all"
    mutual: bool = True
    share: Share = 0.3  # Measured on planted corpora with words that have no counterpart.
    rounds: Count = 1
    seed: Natural = 0

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        validate_fields(self)
        object.__setattr__(self, "pairs", _pairs(self.pairs))
        object.__setattr__(self, "attributes", self._attributes())
        if self.quantile is not None and self.threshold is not None:
            raise invalid(
                f"quantile takes the place of threshold, but threshold is "
                f"{self.threshold!r}; leave one of them out."
            )
        require("models")

    def _attributes(self) -> tuple[str, str]:
        names = checks.strings(self.attributes, parameter="attributes")
        names = names or self.pairs[0]
        if not are_attributes(names):
            raise invalid(
                f"attributes must name two different attributes, without tabs and other "
                f"than {', '.join(DETAILS)}, but it is {self.attributes!r}."
            )
        return names[0], names[1]

    def settings(self) -> dict[str, Any]:
        """Return all that a lexicon depends on, as JSON data: everything but the folder."""
        settings = asdict(self)
        del settings["work"]
        return settings


def _pairs(value: Any) -> tuple[tuple[str, str], ...]:
    """Return one pair of words or several, in lower case, or raise."""
    given = list(value) if isinstance(value, list | tuple) else [value]
    if given and isinstance(given[0], str):
        given = [value]
    pairs = []
    for pair in given:
        words = list(pair) if isinstance(pair, list | tuple) else []
        if len(words) != 2 or not all(isinstance(word, str) for word in words):
            raise invalid(
                f"each of pairs must be two words, such as ('she', 'he') (--pair she,he), "
                f"but it is {pair!r}."
            )
        for word in words:
            if any(unicodedata.category(letter).startswith("M") for letter in word):
                raise invalid(
                    f"{word!r} in pairs has combining marks, as scripts such as "
                    "Devanagari write them, and words with such marks are not read yet; choose "
                    "another, or write it and the texts with composed letters (NFC)."
                )
            if not word.isalpha():
                raise invalid(
                    f"{word!r} in pairs must be one word of letters alone; choose another."
                )
        pairs.append((words[0].lower(), words[1].lower()))
    if not pairs:
        raise invalid("pairs must hold a pair of words, such as ('she', 'he').")
    for word in {word for pair in pairs for word in pair}:
        sides = {place for pair in pairs for place in (0, 1) if pair[place] == word}
        if len(sides) == 2:
            raise invalid(
                f"{word!r} is on both sides of pairs, so it cannot tell them apart; give "
                "two different words, always in one order."
            )
    return tuple(pairs)
