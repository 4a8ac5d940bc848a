"""Algorithm 1 of PANDA: each text becomes one about a person of another attribute.

Qian et al. (2022), "Perturbation Augmentation for Fairer NLP", section 4.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

from fair_datasets import checks
from fair_datasets.given import batches, refuse_absent_roles
from fair_datasets.matching.candidates import CANDIDATES, candidates_in_rows
from fair_datasets.matching.lexical import LexicalTechnique
from fair_datasets.matching.mentions import Reading
from fair_datasets.perturber.by_swap import perturb_by_swap
from fair_datasets.perturber.pairs import Pair, candidate_pairs, draw_pair
from fair_datasets.perturber.rows import CandidateRow, Drawn
from fair_datasets.perturber.snippets import snippets_of
from fair_datasets.rewriting import Counterfactual, Edit, Rewriter, Rows
from fair_datasets.rewriting.edits import apply_edits
from fair_datasets.row_texts import Row
from fair_datasets.swap.pronoun_sets import check_pronoun_set

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

WEIGHTS = ("uniform", "inverse_axis_frequency")
_OF_SNIPPET = {"word": "string", "axis": "string", "source_attribute": "string",
               "target_attribute": "string", "changed": "bool"}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PerturbationAugmentation(Rewriter, LexicalTechnique):
    """Rewrite one person of each text for a drawn attribute, for `datasets.map`.

    Algorithm 1: of all pairs of a word that names an attribute and another attribute of its axis,
    one is drawn for each snippet, and the snippet is written so that the word's person has that
    attribute. A text without such a word stays. The number of rows, their order and their labels
    stay too, so the result takes the place of a training set ("fairtuning").

    The rewriting is that of the swap, which needs no model and knows no persons: all words of the
    snippet with the drawn word's attribute move with it. As nobody who is drawn keeps their
    attribute, what went with one attribute in the corpus goes with another in the result, and less
    so where there are many; to have both, use `mode="augment"`, and measure what comes of it.

    Attributes:
        columns: The text column or columns; those of one row are rewritten together.
        roles: Whose texts of a conversation are rewritten; none for everybody's.
        axis: The axes whose words are candidates: shipped lexicons, or paths of `.tsv` files.
        names: Whether names are candidates, on the axes whose attributes they have; a name may
            become what its list has names for. None for first names of men and women alone.
        protect: Names of people who are left alone.
        pipeline: A trained spaCy pipeline, by its name or path, that is asked in place of our own
            guesses.
        candidates: `mentions` for the words that are read as mentions of people; `lexicon` for
            each word of the list, as in the paper, "white" in "a white shirt" included.
        weights: `uniform`: each pair is drawn with the same probability, so that a word with five
            targets outweighs one with two. `inverse_axis_frequency`: a pair of an axis weighs
            1 / (number of snippets with a candidate of the axis); see `fit_axis_weights`.
        axis_snippets: Pairs of an axis and that number, as `fit_axis_weights` counts them. An axis
            that is missing or has none weighs as if it had one.
        snippet_words: How many words a snippet has at most. A longer row is divided, where
            sentences begin if it can be, and each part has a draw of its own.
        pronouns: Which pronouns are written for people who are neither men nor women.
        mode: `replace` for Algorithm 1. The others are those of `CounterfactualSwap`.
        rate: The probability of `substitute`.
        seed: The seed of the draws, which are keyed by the row.
        id_column: A column that identifies the row; None to key the draws by the texts.
        provenance: Whether to add the columns of provenance, and of Algorithm 1: `perturbed` (bool)
            and `perturbations` (for each snippet with candidates the word, its axis, the source
            and the target attribute, and whether the text changed).
        keep_unchanged: Whether `augment` duplicates rows in which nothing changes.

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
    candidates: str = "mentions"
    weights: str = "uniform"
    axis_snippets: tuple[tuple[str, int], ...] = ()
    snippet_words: int = 256
    pronouns: str = "they"

    takes_several_axes: ClassVar[bool] = True
    counted: ClassVar[tuple[str, ...]] = ("perturbed",)

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        super().__post_init__()
        owner = type(self).__name__
        checks.one_of(self.candidates, CANDIDATES, owner=owner, parameter="candidates")
        checks.one_of(self.weights, WEIGHTS, owner=owner, parameter="weights")
        check_pronoun_set(self.pronouns, owner=owner)
        words = checks.whole_number(self.snippet_words, owner=owner, parameter="snippet_words")
        if words < 1:
            raise checks.InputError(
                f"{owner}: snippet_words must be at least 1, but it is {words}."
            )
        object.__setattr__(self, "snippet_words", words)
        object.__setattr__(self, "axis_snippets", self._checked_counts(owner))

    def _checked_counts(self, owner: str) -> tuple[tuple[str, int], ...]:
        """Return the numbers of snippets as pairs of plain values, or raise."""
        if self.axis_snippets and self.weights == "uniform":
            raise checks.InputError(
                f"{owner}: axis_snippets is for weights='inverse_axis_frequency', but weights is "
                "'uniform'; leave it out, or choose those weights."
            )
        known, counts = [self.lexicon(axis).name for axis in self.axes], []
        for axis, number in self.axis_snippets:
            checks.one_of(axis, known, owner=owner, parameter="an axis of axis_snippets")
            parameter = f"the number of {axis!r} in axis_snippets"
            counts.append((axis, checks.whole_number(number, owner=owner, parameter=parameter)))
        return tuple(counts)

    def log_columns(self) -> Mapping[str, Any]:
        """Name the columns of Algorithm 1, which are part of provenance."""
        return {"perturbed": "bool", "perturbations": [_OF_SNIPPET]} if self.provenance else {}

    def rewrite(self, rows: Rows) -> Iterator[tuple[int, Counterfactual]]:
        """Perturb the snippets of rows.

        Args:
            rows: Their texts, and the keys of their draws.

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
        said: dict[int, list[dict[str, Any]]] = {}
        edits: dict[int, list[list[Edit]]] = {}
        found = self.perturb([each for _, each in drawn])
        for (number, each), changes in zip(drawn, found, strict=True):
            stated = {**_stated(each.pair), "changed": any(changes)}
            said.setdefault(number, []).append(stated)
            own = edits.setdefault(number, [[] for _ in each.row])
            edits[number] = [before + new for before, new in zip(own, changes, strict=True)]
        for number, row in enumerate(rows.texts):
            made = list(map(_in_order, edits.get(number) or [[] for _ in row]))
            texts = (text and apply_edits(text, own) for text, own in zip(row, made, strict=True))
            log = {"perturbed": any(made), "perturbations": said.get(number, [])}
            yield number, Counterfactual(tuple(texts), made, log=log)

    def perturb(self, drawn: Sequence[Drawn]) -> Iterable[list[list[Edit]]]:
        """Rewrite snippets, each for the attribute that was drawn: here, by the swap.

        This is the perturber of Algorithm 1, and the one place that rewrites: whatever knows the
        persons of a text better may do so here, for all snippets of a batch at once.

        Args:
            drawn: The snippets, each with its word and attribute.

        Returns:
            For each of them, and each text of its row, the edits in the order of the text.
        """
        return (perturb_by_swap(each, self.pronouns) for each in drawn)

    def candidate_rows(self, rows: Sequence[Row]) -> dict[int, CandidateRow]:
        """Find the rows that have candidates.

        Args:
            rows: The texts of each row, nulls among them.

        Returns:
            The number of each, in order, to the row.
        """
        readings: dict[int, dict[str, Sequence[Reading | None]]] = {}
        attributes = {}
        for axis in self.axes:
            table, name = self.table(axis), self.lexicon(axis).name
            attributes[name] = self.lexicon(axis).attributes
            found = candidates_in_rows(rows, table, self.digests_of(axis), self.candidates)
            for number, own in found:
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
        for place, snippet in enumerate(row.snippets):
            if pairs := candidate_pairs(row.candidates(snippet)):
                purpose = f"perturbation of snippet {place}"
                pair = draw_pair(pairs, self.seed, key, purpose, weights)
                yield Drawn(row.texts, snippet, pair, row.readings[pair.axis])

    def _axis_weights(self) -> dict[str, float]:
        """Return what a pair of each axis weighs, or raise if that is not known yet."""
        if self.weights != "uniform" and not self.axis_snippets:
            raise checks.InputError(
                f"{type(self).__name__}: weights={self.weights!r} goes by the numbers of snippets "
                "of a dataset; let fit_axis_weights(dataset, technique) count them, which returns "
                "the technique to use."
            )
        counts = dict(self.axis_snippets)
        names = [self.lexicon(axis).name for axis in self.axes]
        return {name: 1 / max(1, counts.get(name, 1)) for name in names}


def fit_axis_weights(
    dataset: "Dataset | DatasetDict | IterableDataset | IterableDatasetDict",
    technique: PerturbationAugmentation,
) -> PerturbationAugmentation:
    """Weigh the axes by how rare their words are in a dataset: that of the training, as a rule.

    Args:
        dataset: The rows; those of all splits are counted together. A stream is read once.
        technique: The technique that is to be mapped.

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
    owner = "fit_axis_weights"
    if not isinstance(technique, PerturbationAugmentation):
        raise checks.InputError(
            f"{owner}: it needs a PerturbationAugmentation, but it was given {technique!r}."
        )
    names, roles = tuple(technique.columns), tuple(technique.roles)
    refuse_absent_roles(dataset, names, roles, owner=owner)
    counts = {technique.lexicon(axis).name: 0 for axis in technique.axes}
    for batch in batches(dataset, names, owner=owner):
        for row in technique.candidate_rows(technique.texts(batch).rows).values():
            for snippet in row.snippets:
                for axis in {pair.axis for pair in candidate_pairs(row.candidates(snippet))}:
                    counts[axis] += 1
    fitted = tuple(counts.items())
    return replace(technique, weights="inverse_axis_frequency", axis_snippets=fitted)


def _stated(pair: Pair) -> dict[str, str]:
    """State what was drawn."""
    names = ("word", "axis", "source_attribute", "target_attribute")
    return dict(zip(names, pair, strict=True))


def _in_order(edits: Sequence[Edit]) -> list[Edit]:
    """Put the edits of several snippets in the order of the text, each place edited once.

    What agrees with a word (an article, a verb) may stand in the snippet beside its own.
    """
    kept: list[Edit] = []
    for edit in sorted(edits, key=attrgetter("start")):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept
