"""A spaCy component that marks the terms of demographic axes: `fair_datasets_terms`.

spaCy finds it by its entry point, so that `nlp.add_pipe("fair_datasets_terms")` needs no import.
"""

from typing import Any

from fair_datasets.reader.matching.find import TermFinder, finder_of
from fair_datasets.system import checks
from fair_datasets.system.checks import require

NAME = "fair_datasets_terms"
require("spacy", owner=NAME)

from spacy.language import Language  # noqa: E402
from spacy.tokens import Doc, Span, SpanGroup  # noqa: E402


@Language.factory(
    NAME,
    assigns=["doc.spans"],
    default_config={"axis": "gender", "names": None, "reader": None, "spans_key": "fair_datasets"},
)
class TermSpans:
    """Put the spans that `find_terms` finds on a Doc.

    `doc.spans[spans_key]` holds the terms, each with its attribute as label and its axis as id.
    `doc.spans[spans_key + "_left"]` holds the candidates that are left alone, with the reason as
    label. The tags, entities and parse that the Doc has already are used in place of our own
    guesses, so add it behind the components that give them. Components that merge or split tokens
    stand before it, as spans do not follow them.

    Args:
        axis: A shipped lexicon's name, the path of a user's own `.tsv` file, or several of them.
        names: Whether names are read that have the axis's attributes; None for first names of men
            and women alone.
        reader: What tells names and pronouns where the Doc has no annotations; see `find_terms`.

    Example:
        >>> import spacy
        >>> nlp = spacy.blank("en")
        >>> _ = nlp.add_pipe("fair_datasets_terms", config={"axis": ["gender", "age"]})
        >>> doc = nlp("She met an elderly driver.")
        >>> [(span.text, span.label_, span.id_) for span in doc.spans["fair_datasets"]]
        [('She', 'woman', 'gender'), ('elderly', 'senior', 'age')]
    """

    def __init__(
        self,
        nlp: Language,
        name: str,
        axis: str | list[str],
        names: bool | None,
        reader: str | None,
        spans_key: str,
    ) -> None:
        """Check the settings, and look the terms up."""
        self._doc: Doc | None = None
        self._nlp: Language | None = nlp
        with checks.error_context(name):
            axes = checks.strings(axis, parameter="axis")
            if not axes:
                raise checks.invalid(f"axis must name at least one axis, but it is {axis!r}.")
            (self._spans_key,) = checks.strings(spans_key, parameter="spans_key")
            self._settings = name, axes, names, reader
            self._finders = self._made()

    def _made(self) -> list[TermFinder]:
        """Return what finds the terms, and asks the Doc at hand."""
        _, axes, names, reader = self._settings
        finders = [finder_of(axis, names=names, reader=reader) for axis in axes]
        return [finder.asking(self._annotated) for finder in finders]

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: the settings, from which the rules are made anew."""
        self._refuse_retokenizing()
        return {"_spans_key": self._spans_key, "_settings": self._settings}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Look the terms up again."""
        self.__dict__ |= state
        self._doc = self._nlp = None
        self._finders = self._made()

    def __call__(self, doc: Doc) -> Doc:
        """Put the spans on a Doc.

        Args:
            doc: Any text, with or without annotations.

        Returns:
            The same Doc.

        Raises:
            InputError: A component behind it merges or splits tokens.
        """
        self._refuse_retokenizing()
        self._doc = doc
        terms: list[Span] = []
        skipped: list[Span] = []
        for finder in self._finders:
            for term in finder.find(doc.text):
                span = doc.char_span(
                    term.start,
                    term.end,
                    label=term.attribute or term.reason,
                    alignment_mode="expand",
                    span_id=term.axis,
                )
                if span is not None:
                    (terms if term.attribute else skipped).append(span)
        for key, spans in ((self._spans_key, terms), (f"{self._spans_key}_left", skipped)):
            doc.spans[key] = SpanGroup(doc, name=key, spans=spans)
        return doc

    def _refuse_retokenizing(self) -> None:
        """Raise if a component behind this one merges or splits tokens."""
        name = self._settings[0]
        pipes = self._nlp.pipe_names if self._nlp is not None else []
        later = pipes[pipes.index(name) + 1 :] if name in pipes else []
        for pipe in later:
            if self._nlp is not None and self._nlp.get_pipe_meta(pipe).retokenizes:
                raise checks.InputError(
                    f"{name}: the component {pipe!r} behind it merges or splits tokens, and the "
                    f"spans of a Doc do not follow; add {name!r} behind it, such as with last=True."
                )

    def _annotated(self, text: str) -> Doc:
        assert self._doc is not None
        return self._doc
