"""Whom to ask for predictions, a named model or a probe trained on the spot; placebos and chance.

Of placebos: a placebo changes a few words of a row. The words that stay are counted once; those
that are written are added for each draw, and the features are weighed as those of whole texts are.
For chance, the attributes of the training rows are dealt out anew among them, each row is written
for the one that it is dealt, and the probe is fitted again.
"""

import itertools
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.audit_input import AuditInput, families, split_pairs
from fair_datasets.auditing.classes import Classes
from fair_datasets.auditing.findings import counted, format_list
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.scores.probes import load_probe
from fair_datasets.scores.probes.probe import InferenceOptions, LinearProbe
from fair_datasets.scores.probes.probe import joined as text_of
from fair_datasets.scores.probes.train import ProbeTrainer
from fair_datasets.swap.placebos import Placebos, Version
from fair_datasets.system.checks import InputError, invalid

if TYPE_CHECKING:
    pass


TextRows = Sequence[tuple[str, ...]]
Places = NDArray[np.int64]
Scores = Callable[[TextRows], NDArray[np.float64]]

_TRAINED = 20_000
"""How many rows a probe is trained on at most."""
_TOKENS = 512
_HELD_OUT = 3, 10
"""Which share of the rows is held out where there is one split."""


class Trained(NamedTuple):
    """What a probe is made of."""

    linear: LinearProbe
    texts: TextRows
    labels: Places
    numbers: Places
    classes: int

    def spread(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give each class its logit, and those that the probe never saw none. Shape (..., C)."""
        all_logits = np.full((*logits.shape[:-1], self.classes), -np.inf)
        all_logits[..., self.numbers] = logits
        return all_logits


class Classifier(NamedTuple):
    """A classifier of the rows.

    Attributes:
        scores: The score of each class for each row, by its position in `classes`: a logit.
        references: The label of each row as such a position, -1 where there is none; None where
            the labels are not its classes. Shape (N,).
    """

    name: str
    note: str
    classes: tuple[str, ...]
    scores: Scores
    references: Places | None
    asked: NDArray[np.bool_]
    caution: str
    lacking: str = ""
    probe: Trained | None = None

    def predict(self, rows: TextRows) -> Places:
        """Return the most likely class of each row. Shape (N,)."""
        places: Places = self.scores(rows).argmax(axis=1)
        return places


class Side(NamedTuple):
    """What one audit asked about, so that the classifier of another is asked about the same."""

    title: str
    material: AuditInput
    settings: AuditSettings
    asked: NDArray[np.bool_] | None = None


class NoClassifierError(Exception):
    """There is nobody to ask; the sentence says why."""


def classifier_of(side: Side, before: Side | None = None) -> Classifier:
    """Return the model that is named, or train a probe.

    Args:
        before: Whose rows it is asked about in place of these, of which it learns nothing.
    """
    asked = before or side
    if side.settings.model is not None:
        classifier = _model(str(side.settings.model), asked.material)
    else:
        classifier = _probe(side, before)
    return classifier if asked.asked is None else classifier._replace(asked=asked.asked)


def _model(name: str, data: AuditInput) -> Classifier:
    probe = load_probe(name)
    loaded = getattr(probe, "loaded", None)
    listed = getattr(loaded and loaded.model.config, "id2label", None) or {}
    own = tuple(str(listed.get(number, number)) for number in range(probe.classes))
    if len(own) < 2:
        raise invalid(
            f"the model {name!r} has one output and no classes; give a classifier with "
            "two or more classes."
        )
    # In half precision, rounding alone would change predictions.
    reading = InferenceOptions(
        max_length=_TOKENS, precision="float32", description="Asking the model"
    )

    classes, references, lacking = _matched(own, data.labels)
    return Classifier(
        name=f"The model {name}",
        note=(
            f"The model {name} was asked for its most likely class. It reads up to {_TOKENS} "
            "tokens of each text."
        ),
        classes=classes,
        scores=_asked_once(lambda rows: probe.logits(rows, reading)),
        references=references,
        asked=data.has_text,
        caution="Its answers to these rows say little about its answers to other texts.",
        lacking=lacking,
    )


def _asked_once(ask: Callable[[TextRows], NDArray[np.float64]]) -> Scores:
    """Ask about equal rows once: versions of rows are among those that were asked before."""
    known: dict[tuple[str, ...], NDArray[np.float64]] = {}

    def scores(rows: TextRows) -> NDArray[np.float64]:
        if new := list(dict.fromkeys(row for row in rows if row not in known)):
            known.update(zip(new, ask(new), strict=True))
        return np.stack([known[row] for row in rows]) if rows else ask(rows)

    return scores


def _matched(
    own: tuple[str, ...], labels: Classes | None
) -> tuple[tuple[str, ...], Places | None, str]:
    """Find the labels among the classes of a model: by their names, else by their numbers."""
    if labels is None:
        return own, None, "no column of labels is named (--label)"
    by_name = {name.casefold(): place for place, name in enumerate(own)}
    places = [by_name.get(name.casefold(), -1) for name in labels.names]
    if -1 in places:
        places = [number if number < len(own) else -1 for number in labels.numbers]
        is_generic = all(name.startswith("LABEL_") or name.isdigit() for name in own)
        if -1 in places or not (is_generic or labels.are_numbers):
            reason = (
                f"the labels are {format_list(labels.names[:5])}, but the classes of the model are "
                f"{format_list(own[:5])}"
            )
            return own, None, reason
    names = list(own)
    for place, name in zip(places, labels.names, strict=True):
        names[place] = name
    return tuple(names), np.array([*places, -1], np.int64)[labels.codes], ""


def _probe(side: Side, before: Side | None) -> Classifier:
    """Train a probe on a part of the rows, of which it is not asked then."""
    data, seed = side.material, side.settings.seed
    labels, wanted = data.labels, (before or side).material.labels
    if labels is None or wanted is None:
        raise NoClassifierError(
            "there are neither predictions, nor a model, nor labels to train a probe on "
            "(--predictions, --model or --label)"
        )
    usable = data.has_text & (labels.codes >= 0)
    training, asked, where = _division(data) if before is None else _held_back(data, before)
    drawn = drawn_rows(usable & training, _TRAINED, seed)
    texts = data.texts(drawn, side.settings)
    codes = labels.codes[drawn]
    whole = np.array([all(map(str.strip, row)) for row in texts], np.bool_)
    learned, places = np.unique(codes[whole], return_inverse=True)
    if len(learned) < 2:
        label = f"the one label {labels.names[int(learned[0])]!r}" if len(learned) else "no label"
        raise NoClassifierError(f"the rows {where[0]} that a probe would learn from have {label}")
    if not (asked & (wanted.codes >= 0)).any():
        raise NoClassifierError(f"no labelled rows {where[1]} are there to ask a probe about")
    whole_rows = [row for row, is_whole in zip(texts, whole, strict=True) if is_whole]
    # On both sides a class has the same number.
    classes = (*wanted.names, *(name for name in labels.names if name not in wanted.names))
    numbers = np.array([classes.index(labels.names[code]) for code in learned])
    trained = Trained(_trained(whole_rows, places, seed), whole_rows, places, numbers, len(classes))
    note = (
        f"A probe, logistic regression on TF-IDF features, was trained on "
        f"{counted(len(places), 'row')} {where[0]} and asked about rows {where[1]}."
    )
    return Classifier(
        name="A probe trained on other rows of these data",
        note=note,
        classes=classes,
        scores=_asked_once(lambda rows: trained.spread(trained.linear.logits(rows))),
        references=wanted.codes,
        asked=asked,
        caution=(
            "A probe shows what a simple classifier learns from these rows, not what yours does. "
            "A weak probe may change its answers less often, or by chance."
        ),
        probe=trained,
    )


def _trained(texts: TextRows, places: Places, seed: int) -> LinearProbe:
    """Train a probe, or say why none can be."""
    from datasets import Dataset

    names = tuple(f"text_{number}" for number in range(len(texts[0])))
    columns = dict(zip(names, map(list, zip(*texts, strict=True)), strict=True))
    rows = Dataset.from_dict({**columns, "label": places.tolist()})
    try:
        probe = ProbeTrainer(columns=names).trained(rows, seed)
    except InputError as error:  # Such as texts without a word of two letters.
        raise NoClassifierError(str(error).rstrip(".")) from error
    assert isinstance(probe, LinearProbe)
    return probe


def _division(data: AuditInput) -> tuple[NDArray[np.bool_], NDArray[np.bool_], tuple[str, str]]:
    """Return which rows a probe is trained on, which it is asked about, and words for both."""
    hashes = families(data.family_keys, data.family_links())
    if len(data.splits) > 1:
        first = next(iter(split_pairs(list(data.splits))))[0]
        training = data.rows_of(first)
        # A probe that has learnt the counterfactual of a row knows its label already.
        asked = ~training & ~np.isin(hashes, hashes[training])
        return training, asked, (f"of {first}", "of the other splits that are not in it as well")
    share, whole = _HELD_OUT
    training = hashes % whole >= share
    return training, ~training, ("of the split", "that were held out")


def _held_back(
    data: AuditInput, before: Side
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], tuple[str, str]]:
    """Keep what a classifier before was asked about from one that is trained on other rows."""
    asked = before.material.has_text if before.asked is None else before.asked
    size = len(asked)
    keys = np.concatenate([before.material.family_keys, data.family_keys])
    hashes = families(keys, [*before.material.family_links(), *data.family_links(size)])
    training = ~np.isin(hashes[size:], hashes[:size][asked])
    which = "that it is not asked about"
    if len(data.splits) > 1:
        first = next(iter(split_pairs(list(data.splits))))[0]
        training &= data.rows_of(first)
        which = f"of {first} {which}"
    where = f"of {before.title}, as the classifier before was; right is what their labels say"
    return training, asked, (which, where)


def drawn_rows(selected: NDArray[np.bool_], most: int, seed: int) -> Places:
    """Draw some of the rows that are kept, in ascending order."""
    rows = np.flatnonzero(selected)
    if len(rows) > most:
        rows = np.sort(np.random.default_rng(seed).choice(rows, most, replace=False))
    return rows


_WORD_CHARACTER = re.compile(r"\w")


def linear_logits(placebos: Placebos, probe: LinearProbe) -> NDArray[np.float64]:
    """Return the logits of a probe for the placebo versions of the rows that have them.

    Returns:
        The logits, equal to those of the written texts but for rounding. Shape (M, 2, K, C).

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> from fair_datasets.swap import placebos_of
        >>> found = placebos_of([("John ran.",)], CounterfactualSwap(columns="text"), count=3)
        >>> weights = np.array([[0.0, 0.0], [1.0, 2.0]])
        >>> probe = LinearProbe(["james", "ran"], np.ones(2), weights, np.zeros(2))
        >>> linear_logits(found, probe).shape
        (1, 2, 3, 2)
    """
    rows = [row for row, has in zip(placebos.rows, placebos.controlled, strict=True) if has]
    words, drawn = np.unique(placebos.drawn, return_inverse=True)
    written = _Counted(words.tolist(), probe)
    sides = [[row.versions[side] for row in rows] for side in (0, 1)]
    # Of most rows the same stays in both.
    unchanged = [list(map(_staying, versions)) for versions in sides]
    places = {text: place for place, text in enumerate(dict.fromkeys(unchanged[0] + unchanged[1]))}
    staying = _Counted(list(places), probe)
    several = [
        _side_logits(
            versions, np.array([places[text] for text in texts], np.int64), staying, drawn, written
        )
        for versions, texts in zip(sides, unchanged, strict=True)
    ]
    return np.stack(several, axis=1)


class _Counted:
    """Texts as features that are not scaled yet, and what the probe says of them."""

    def __init__(self, texts: Sequence[str], probe: LinearProbe) -> None:
        """Count the words."""
        from scipy.sparse import csr_array
        from sklearn.feature_extraction.text import CountVectorizer

        self.texts, self.probe = texts, probe
        counts = csr_array(CountVectorizer(vocabulary=probe.terms).transform(texts))
        self.features = counts.multiply(probe.frequencies[None, :]).tocsr()
        self.sums = self.features @ probe.weights.T
        self.squares = self.features.multiply(self.features).sum(axis=1)


_ENTRIES = 1_000_000
"""How many placebos are written at once."""


def _side_logits(
    versions: Sequence[Version],
    numbers: Places,
    staying: _Counted,
    drawn: NDArray[np.intp],
    written: _Counted,
) -> NDArray[np.float64]:
    """Return the logits of one version of rows with the words of each draw. Shape (M, K, C).

    Args:
        numbers: Which of the texts that stay is that of each. Shape (M,).
        drawn: The text that stands for each slot in each draw. Shape (S, K).
    """
    from scipy.sparse import csr_array

    probe, rows = written.probe, len(versions)
    shared = csr_array(staying.features @ written.features.T)
    slots = [version.slots for version in versions]
    owners = np.repeat(np.arange(rows), list(map(len, slots)))
    texts = drawn[list(itertools.chain.from_iterable(slots))]
    blocks = []
    for some in np.array_split(texts, -(-texts.size // _ENTRIES) or 1, axis=1):
        draws = some.shape[1]
        places = np.arange(draws) + draws * owners[:, None]
        picks = csr_array(
            (np.ones(some.size), (places.ravel(), some.ravel())), (rows * draws, len(written.texts))
        )
        added = picks @ written.features
        both = shared[np.repeat(numbers[owners], draws), some.ravel()]
        squares = added.multiply(added).sum(axis=1)
        squares += 2 * np.bincount(places.ravel(), both, minlength=len(squares))
        lengths = np.sqrt(staying.squares[numbers, None] + squares.reshape(rows, draws))
        lengths[lengths == 0] = 1
        sums = staying.sums[numbers, None] + (picks @ written.sums).reshape(rows, draws, -1)
        blocks.append(sums / lengths[..., None] + probe.biases)
    logits: NDArray[np.float64] = np.concatenate(blocks, axis=1)
    # A placebo that touches a letter is no word of its own.
    for row in [row for row, version in enumerate(versions) if _touches(version)]:
        placebos = np.array(written.texts)[drawn.T].tolist()
        logits[row] = probe.logits([versions[row].written(words) for words in placebos])
    return logits


def _staying(version: Version) -> str:
    """Return what stays of a version as one text."""
    return text_of(tuple(" ".join(parts[::2]) for parts in version.texts))


def _touches(version: Version) -> bool:
    """Whether a letter, a digit or an underscore stands directly beside a placebo."""
    return any(
        _WORD_CHARACTER.fullmatch(beside)
        for parts in version.texts
        for before, after in itertools.pairwise(parts[::2])
        for beside in (before[-1:], after[:1])
    )
