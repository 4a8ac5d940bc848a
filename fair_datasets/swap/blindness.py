"""Blindness: the texts without the terms of an axis, a baseline to compare a swap with.

Zayed et al. (2023), "Deep Learning on a Healthy Data Diet", call it gender blindness. Whole tokens
are removed, never parts of words.
"""

from dataclasses import dataclass
from typing import Any

from fair_datasets.reader.matching.rows import found_in_rows
from fair_datasets.swap.rewrite import remove_mentions
from fair_datasets.swap.rewriting.counterfactuals import Counterfactual, apply_edits
from fair_datasets.swap.rewriting.rewriter import lay_out, replaced_rows
from fair_datasets.system import checks
from fair_datasets.technique.contract import Batch
from fair_datasets.technique.lexical import LexicalTechnique

MODES = ("remove", "neutralise")


@dataclass(frozen=True, kw_only=True)
class Blindness(LexicalTechnique):
    """Remove or neutralise the terms of a demographic axis, for `datasets.map`.

    Attributes:
        mode: `remove` deletes each term. `neutralise` writes its neutral form ("person"), and
            deletes the terms that have none.

    The others are those of `LexicalTechnique`.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> blind = Blindness(columns="text", mode="neutralise")
        >>> blind({"text": ["The waitress called Mary's husband."]})
        {'text': ['The server called spouse.']}
        >>> Blindness(columns="text")({"text": ["It was her own idea."]})
        {'text': ['It was own idea.']}
    """

    mode: str = "remove"

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        super().__post_init__()
        owner = type(self).__name__
        checks.one_of(self.mode, MODES, owner=owner, parameter="mode")
        if self.mode == "neutralise" and not self.lexicon(self.axes[0]).neutral:
            raise checks.InputError(
                f"{owner}: the axis {self.axis!r} has no neutral attribute, so there is nothing to "
                "neutralise its terms to; use mode='remove'."
            )

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Remove or neutralise the terms in a batch."""
        lexicon = self.lexicon(self.axes[0])
        attributes = tuple(name for name in lexicon.attributes if name != lexicon.neutral)
        neutral = lexicon.neutral if self.mode == "neutralise" else ""
        table = self.table(self.axes[0])
        texts = self.texts(batch)
        blind: dict[int, list[Counterfactual]] = {}
        for number, readings in found_in_rows(texts.rows, [table]):
            row = tuple(
                apply_edits(text, remove_mentions(reading, attributes, neutral))
                if text and reading
                else text
                for text, reading in zip(texts.rows[number], readings, strict=True)
            )
            blind[number] = [Counterfactual(row)]
        return lay_out(batch, texts, *replaced_rows(texts.rows, blind))
