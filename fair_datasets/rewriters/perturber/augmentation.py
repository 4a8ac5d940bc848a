"""Algorithm 1 of PANDA: each text becomes one about a person of another attribute.

Qian et al. (2022), "Perturbation Augmentation for Fairer NLP", section 4.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from fair_datasets.cards.statements import FAULT, JUDGE, STATUS
from fair_datasets.reader.matching.mentions import Annotation, Mention, Reason
from fair_datasets.reader.matching.rows import CANDIDATES, candidates_in_rows
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.rewriters.generation.model_technique import Judged, ModelTechnique
from fair_datasets.rewriters.perturber.rows import (
    CandidateRow,
    Drawn,
    Pair,
    Perturbed,
    ask_for,
    candidate_pairs,
    describe_snippet,
    draw_pair,
    edits_of,
    put_together,
    snippets_of,
)
from fair_datasets.rows.given import batches, refuse_absent_roles
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.agreement import check_pronoun_set
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.rewrite import swap_row
from fair_datasets.swap.rewriting import Counterfactual, Edit, Rewriter, Rows
from fair_datasets.swap.whole_rows import skipped_rows
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid
from fair_datasets.system.validate import Count, OneOf, PathOrName

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

WEIGHTS = ("uniform", "inverse_axis_frequency")


@dataclass(frozen=True, kw_only=True)
class PerturbationAugmentation(Rewriter, ModelTechnique):
    """Rewrite one person of each text for a drawn attribute, for `datasets.map`.

    Algorithm 1: of all pairs of a word that names an attribute and another attribute of its axis,
    one is drawn for each snippet, and the snippet is written so that the word's person has that
    attribute. A text without such a word stays. The number of rows, their order and their labels
    stay too, so the result takes the place of a training set ("fairtuning").

    Without a `model` the rewriting is that of the swap, which knows no persons: all words of the
    snippet with the drawn word's attribute move with it, unless `coreference` tells whose they are.
    A model is asked for the person of the drawn word; what it writes is verified, and falls back,
    as by `ModelRewrite`, whose four columns tell: of a row with several snippets the first that
    fell back.

    As nobody who is drawn keeps their attribute, what went with one attribute in the corpus goes
    with another in the result, and less so where there are many; to have both, use
    `mode="augment"`, and measure what comes of it.

    Attributes:
        columns: The text column or columns; those of one row are rewritten together.
        axis: The axes whose words are candidates: shipped lexicons, or paths of `.tsv` files.
        names: Whether names are candidates, on the axes whose attributes they have; a name may
            become what its list has names for. None for first names of men and women alone.
        protect: Names of people who are left alone, and lists of them; see `CounterfactualSwap`.
        pipeline: A trained spaCy pipeline, by its name or path, that is asked in place of our own
            guesses.
        reader: A token classifier that tells names and pronouns; see `CounterfactualSwap`.
        candidates: `mentions` for the words that are read as mentions of people; `lexicon` for
            each word of the list, as in the paper, "white" in "a white shirt" included.
        weights: `uniform`: each pair is drawn with the same probability, so that a word with five
            targets outweighs one with two. `inverse_axis_frequency`: a pair of an axis weighs
            1 / (number of snippets with a candidate of the axis); see `fit_axis_weights`.
        axis_snippets: Pairs of an axis and that number, as `fit_axis_weights` counts them. An axis
            that is missing or has none weighs as if it had one.
        snippet_words: How many words a snippet has at most. A longer row is divided, where
            sentences begin if it can be, and each part has a draw of its own.
        pronouns: Which pronouns the swap writes for people who are neither men nor women.
        model: The folder or Hub id of a model that rewrites the snippets; None for the swap. It and
            the parameters behind it are those of `ModelRewrite`.
        revision: The branch, tag or commit on the Hub.
        control: How the model is told the drawn word and attribute.
        beams: How many beams.
        temperature: What the logits are divided by where tokens are drawn.
        max_length: How many tokens the model reads, and writes, at most.
        batch_size: How many snippets the model reads at once at most.
        precision: In which precision the model computes.
        verified: Whether what the model writes is restored and verified.
        fallback: What becomes of a snippet whose rewrite does not hold: `swap`, `original`, or
            `null` for nulls in place of all texts of its row.
        coreference: The folder or Hub id of a model that `fair-datasets train person` wrote, which
            tells the swap whose mentions it rewrites.
        mode: `replace` for Algorithm 1. The others are those of `CounterfactualSwap`.
        provenance: Whether to add the columns of provenance, and of Algorithm 1: `perturbed` (bool)
            and `perturbations` (for each snippet with candidates the word, its axis, the source
            and the target attribute, whether the text changed, and in `left` why the swap leaves
            the row as a whole; with a model what happened).

    Raises:
        InputError: A parameter is not what it must be, or would do nothing beside the others.

    Example:
        >>> perturb = PerturbationAugmentation(columns="text", axis="gender", provenance=True)
        >>> row = perturb({"text": ["The king met his aunt."], "label": [1]})
        >>> row["text"], row["perturbations"][0][0]["target_attribute"]
        (['The monarch met their aunt.'], 'non-binary')
    """

    axis: tuple[str, ...] | str = ("gender", "race", "age")
    mode: str = "replace"
    model: PathOrName | None = None
    candidates: Annotated[str, OneOf(CANDIDATES)] = "mentions"
    weights: Annotated[str, OneOf(WEIGHTS)] = "uniform"
    axis_snippets: tuple[tuple[str, int], ...] = ()
    snippet_words: Count = 256
    pronouns: str = "they"

    takes_several_axes: ClassVar[bool] = True
    counted: ClassVar[tuple[str, ...]] = ("perturbed", STATUS, FAULT, JUDGE)

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        super().__post_init__()
        check_pronoun_set(self.pronouns)
        object.__setattr__(self, "axis_snippets", self._checked_counts())
        if self.model is not None:
            self._refuse_unfit_control()

    def _refuse_unfit_control(self) -> None:
        """Raise unless the model is told what was drawn, and was taught it."""
        for field in ("{word}", "{attribute}"):
            if field not in self.parsed_control().template:
                raise invalid(
                    f"control must tell the model the word and the attribute that were "
                    f"drawn, but {self.control!r} has no {field}; take 'perturber', or a template "
                    "with both, and a model that was taught that control."
                )
        names = [name for axis in self.axes for name in self.lexicon(axis).attributes]
        self.parsed_control().refuse_unknown(names)

    def _checked_counts(self) -> tuple[tuple[str, int], ...]:
        """Return the numbers of snippets as pairs of plain values, or raise."""
        if self.axis_snippets and self.weights == "uniform":
            raise invalid(
                "axis_snippets is for weights='inverse_axis_frequency', but weights is "
                "'uniform'; leave it out, or choose those weights."
            )
        known = [self.lexicon(axis).name for axis in self.axes]
        counts: dict[str, int] = {}
        given = self.axis_snippets
        for pair in given if isinstance(given, list | tuple) else [given]:
            if not isinstance(pair, list | tuple) or len(pair) != 2 or pair[0] in counts:
                raise invalid(
                    f"axis_snippets must be pairs of an axis and a number, one for each axis, such "
                    f"as [('gender', 3)], but it holds {pair!r}."
                )
            checks.one_of(pair[0], known, parameter="an axis of axis_snippets")
            parameter = f"the number of {pair[0]!r} in axis_snippets"
            counts[pair[0]] = checks.whole_number(pair[1], parameter=parameter, least=0)
        return tuple(counts.items())

    def log_columns(self) -> Mapping[str, Any]:
        """Name the columns of Algorithm 1, which are part of provenance, and those of a model."""
        columns = {} if self.model is None else self.outcome_columns()
        if not self.provenance:
            return columns
        return {"perturbed": "bool", "perturbations": [describe_snippet(columns)], **columns}

    def rewrite(self, rows: Rows) -> Iterator[tuple[int, Counterfactual]]:
        """Perturb the snippets of rows.

        Yields:
            The number of each row, with its counterfactual; where nothing changes, its own texts.

        Raises:
            InputError: The weights are not fitted, or a lexicon has changed since the technique was
                made.
        """
        weights = self._axis_weights()
        drawn = [
            (number, each)
            for number, row in self.candidate_rows(rows.texts).items()
            for each in self._drawn(row, rows.key(number), weights)
        ]
        snippets: dict[int, list[tuple[Pair, Perturbed]]] = {}
        made = self.perturb([each for _, each in drawn])
        for (number, each), new in zip(drawn, made, strict=True):
            snippets.setdefault(number, []).append((each.pair, new))
        for number, row in enumerate(rows.texts):
            yield number, put_together(row, snippets.get(number, []))

    def perturb(self, drawn: Sequence[Drawn]) -> Iterable[Perturbed]:
        """Rewrite snippets, each for the attribute that was drawn: by the swap, or by the model.

        This is the perturber of Algorithm 1, and the one place that rewrites: whatever knows the
        persons of a text better may do so here, for all snippets of a batch at once.

        Args:
            drawn: The snippets, each with its word and attribute.
        """
        names = {self.lexicon(axis).name: axis for axis in self.axes}
        skipped = self._skipped(drawn, names)
        theirs = self._theirs(drawn)
        swapped: list[list[list[Edit]]] = [
            [[] for _ in each.row]
            if number in skipped
            else perturb_by_swap(each, self.pronouns, theirs.get(number))
            for number, each in enumerate(drawn)
        ]
        if self.model is None:
            return [
                Perturbed(edits, skip_reason=skipped[number].value if number in skipped else None)
                for number, edits in enumerate(swapped)
            ]
        axes = [names[each.pair.axis] for each in drawn]
        asks = [ask_for(*pair, self.seed) for pair in zip(drawn, swapped, strict=True)]
        outcomes = map(self._outcome, drawn, axes, swapped, self.ask(asks, axes))
        return [
            new._replace(skip_reason=skipped[number].value)
            if number in skipped and new.outcome[STATUS] == "swap"
            else new
            for number, new in enumerate(outcomes)
        ]

    def _theirs(self, drawn: Sequence[Drawn]) -> dict[int, list[list[Mention]]]:
        """Ask the model of coreference, if there is one, for the mentions of the drawn people."""
        model = self.persons()
        if model is None:
            return {}
        several = {k: each.person() for k, each in enumerate(drawn)}
        asked = {k: person for k, person in several.items() if person is not None}
        return dict(zip(asked, model.mentions_in_rows([*asked.values()]), strict=True))

    def _skipped(self, drawn: Sequence[Drawn], names: Mapping[str, str]) -> dict[int, Reason]:
        """Return which snippets the swap leaves, as their rows can only be left as a whole."""
        # A plain list of words is written as the list has it, whatever else a row says. A model is
        # asked all the same: it may rewrite what ties a row to a group.
        skipped: dict[int, Reason] = {}
        for name, axis in names.items() if self.candidates == "mentions" else ():
            table = self.table(axis)
            own = [number for number, each in enumerate(drawn) if each.pair.axis == name]

            def targets(place: int, table: TermTable = table, own: list[int] = own) -> Targets:
                pair = drawn[own[place]].pair
                return {(table.axis, pair.source): pair.target}

            reasons = skipped_rows([drawn[number].row for number in own], targets, table)
            skipped |= {own[place]: reason for place, reason in reasons.items()}
        return skipped

    def _outcome(
        self, drawn: Drawn, axis: str, swapped: list[list[Edit]], result: Judged
    ) -> Perturbed:
        """Return what a model made of a snippet, or what the snippet falls back to."""
        edits: list[list[Edit]] | None
        if result.texts is not None:
            edits = edits_of(drawn, result.texts, axis)
        elif self.fallback == "original":
            edits = [[] for _ in drawn.row]
        else:
            edits = swapped if self.fallback == "swap" else None
        return Perturbed(edits, self.outcome(result))

    def candidate_rows(self, rows: Sequence[Row]) -> dict[int, CandidateRow]:
        """Find the rows that have candidates."""
        readings: dict[int, dict[str, Sequence[Annotation | None]]] = {}
        attributes = {}
        for axis in self.axes:
            table, name = self.table(axis), self.lexicon(axis).name
            attributes[name] = self.lexicon(axis).attributes
            candidates = candidates_in_rows(rows, table, self.digests_of(axis), self.candidates)
            for number, own in candidates:
                readings.setdefault(number, {})[name] = own
        return {
            number: CandidateRow(
                rows[number],
                snippets_of(rows[number], self.snippet_words),
                readings[number],
                attributes,
            )
            for number in sorted(readings)
        }

    def _drawn(self, row: CandidateRow, key: str, weights: Mapping[str, float]) -> Iterator[Drawn]:
        """Draw a pair for each snippet of a row that has any."""
        for number, snippet in enumerate(row.snippets):
            if pairs := candidate_pairs(row.candidates(snippet)):
                purpose = f"perturbation of snippet {number}"
                pair = draw_pair(pairs, self.seed, key, purpose, weights)
                yield Drawn(row.texts, snippet, pair, row.readings[pair.axis], key, number)

    def _axis_weights(self) -> dict[str, float]:
        """Return what a pair of each axis weighs, or raise if that is not known yet."""
        if self.weights != "uniform" and not self.axis_snippets:
            raise invalid(
                f"weights={self.weights!r} needs the numbers of snippets "
                "in a dataset; call fit_axis_weights(dataset, technique), which counts them and "
                "returns the technique to use."
            )
        counts = dict(self.axis_snippets)
        names = [self.lexicon(axis).name for axis in self.axes]
        return {name: 1 / (counts.get(name) or 1) for name in names}


def perturb_by_swap(
    drawn: Drawn, pronouns: str, chain: Sequence[Sequence[Mention]] | None = None
) -> list[list[Edit]]:
    """Write the chain of the drawn word for the drawn attribute, in its snippet alone.

    Without a model that tells people apart, the chain is taken to be all candidates of the snippet
    with the word's attribute: another person of that attribute moves along.

    Returns:
        For each text of the row its edits, in the order of the text; none where the drawn word
        itself has no form for the attribute.
    """
    pair = drawn.pair
    pieces = {piece.place: piece for piece in drawn.snippet}
    theirs = [
        reading
        and reading._replace(
            mentions=_of_one_attribute(drawn.mentions(pieces[place]), pair.source)
            if place in pieces
            else []
        )
        for place, reading in enumerate(drawn.readings)
    ]
    if chain is not None:
        theirs = [
            reading and reading._replace(mentions=[m for m in reading.mentions if m in own])
            for reading, own in zip(theirs, chain, strict=True)
        ]
    mentions = [m for reading in theirs if reading for m in reading.mentions]
    targets = {(m.term.axis, pair.source): pair.target for m in mentions}
    edits = swap_row(theirs, targets, pronouns)
    is_moved = any(
        _is_moved(mention, reading, own, pair)
        for reading, own in zip(theirs, edits, strict=True)
        if reading
        for mention in reading.mentions
    )
    return edits if is_moved else [[] for _ in drawn.row]


def _is_moved(mention: Mention, annotation: Annotation, edits: Sequence[Edit], pair: Pair) -> bool:
    """Whether a mention is by the drawn word, and rewritten."""
    tokens = annotation.tokens
    first, last = tokens.starts[mention.first], tokens.end(mention.last)
    is_drawn = (
        mention.term.attribute == pair.source and tokens.text[first:last].lower() == pair.word
    )
    return is_drawn and any(edit.start <= first and last <= edit.end for edit in edits)


def _of_one_attribute(mentions: Sequence[Mention], attribute: str) -> list[Mention]:
    """Leave out what else a plain list says of the words that it has for an attribute."""
    taken = {mention.first for mention in mentions if mention.term.attribute == attribute}
    return [m for m in mentions if m.term.attribute == attribute or m.first not in taken]


def fit_axis_weights(
    dataset: "Dataset | DatasetDict | IterableDataset | IterableDatasetDict",
    technique: PerturbationAugmentation,
) -> PerturbationAugmentation:
    """Weigh the axes by how rare their words are in a dataset, usually the training data.

    Returns:
        The same with `weights="inverse_axis_frequency"` and the numbers of snippets that have a
        candidate of each axis.

    Raises:
        InputError: A column is missing or holds something else than text.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He left.", "She left.", "An Asian woman."]})
        >>> perturb = PerturbationAugmentation(columns="text", axis=("gender", "race"))
        >>> fit_axis_weights(rows, perturb).axis_snippets
        (('gender', 3), ('race', 1))
    """
    if not isinstance(technique, PerturbationAugmentation):
        raise invalid(f"it needs a PerturbationAugmentation, but it was given {technique!r}.")
    names, roles = tuple(technique.columns), tuple(technique.roles)
    refuse_absent_roles(dataset, names, roles)
    counts = {technique.lexicon(axis).name: 0 for axis in technique.axes}
    for batch in batches(dataset, names):
        for row in technique.candidate_rows(technique.texts(batch).rows).values():
            for snippet in row.snippets:
                for axis in {pair.axis for pair in candidate_pairs(row.candidates(snippet))}:
                    counts[axis] += 1
    fitted = tuple(counts.items())
    return replace(technique, weights="inverse_axis_frequency", axis_snippets=fitted)
