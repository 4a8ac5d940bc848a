"""Whom to ask for predictions, a named model or a probe trained on the spot; placebos and chance.

Of placebos: a placebo changes a few words of a row. The words that stay are counted once; those
that are written are added for each draw, and the features are weighed as those of whole texts are.
For chance, the attributes of the training rows are dealt out anew among them, each row is written
for the one that it is dealt, and the probe is fitted again.
"""

import itertools
import re
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.classes import Classes
from fair_datasets.auditing.findings import counted, joined
from fair_datasets.auditing.reading import Material, families, split_pairs
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.rows.draws import row_key
from fair_datasets.scores.probes import load_probe
from fair_datasets.scores.probes.probe import LinearProbe, Reading
from fair_datasets.scores.probes.probe import joined as text_of
from fair_datasets.scores.probes.train import ProbeTrainer
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.placebos import PlaceboRow, Placebos, Texts, Version, versions_of_one
from fair_datasets.system.checks import InputError, invalid

if TYPE_CHECKING:
    pass


TextRows = Sequence[tuple[str, ...]]
Places = NDArray[np.int64]

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
        found = np.full((*logits.shape[:-1], self.classes), -np.inf)
        found[..., self.numbers] = logits
        return found


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
    scores: Callable[[TextRows], NDArray[np.float64]]
    references: Places | None
    asked: NDArray[np.bool_]
    caution: str
    lacking: str = ""
    probe: Trained | None = None

    def predict(self, rows: TextRows) -> Places:
        """Return the most likely class of each row. Shape (N,)."""
        found: Places = self.scores(rows).argmax(axis=1)
        return found


class Side(NamedTuple):
    """What one audit asked about, so that the classifier of another is asked about the same."""

    title: str
    material: Material
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
        found = _model(str(side.settings.model), asked.material)
    else:
        found = _probe(side, before)
    return found if asked.asked is None else found._replace(asked=asked.asked)


def _model(name: str, material: Material) -> Classifier:
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
    reading = Reading(max_length=_TOKENS, precision="float32", description="Asking the model")

    classes, references, lacking = _matched(own, material.labels)
    return Classifier(
        name=f"The model {name}",
        note=(
            f"The model {name} was asked for its most likely class. It reads up to {_TOKENS} "
            "tokens of each text."
        ),
        classes=classes,
        scores=lambda rows: probe.logits(rows, reading),
        references=references,
        asked=material.has_text,
        caution="Its answers to these rows say little about its answers to other texts.",
        lacking=lacking,
    )


def _matched(
    own: tuple[str, ...], labels: Classes | None
) -> tuple[tuple[str, ...], Places | None, str]:
    """Find the labels among the classes of a model: by their names, else by their numbers."""
    if labels is None:
        return own, None, "no column of labels is named (--label)"
    by_name = {name.casefold(): place for place, name in enumerate(own)}
    found = [by_name.get(name.casefold(), -1) for name in labels.names]
    if -1 in found:
        found = [number if number < len(own) else -1 for number in labels.numbers]
        is_generic = all(name.startswith("LABEL_") or name.isdigit() for name in own)
        if -1 in found or not (is_generic or labels.are_numbers):
            reason = (
                f"the labels are {joined(labels.names[:5])}, but the classes of the model are "
                f"{joined(own[:5])}"
            )
            return own, None, reason
    names = list(own)
    for place, name in zip(found, labels.names, strict=True):
        names[place] = name
    return tuple(names), np.array([*found, -1], np.int64)[labels.codes], ""


def _probe(side: Side, before: Side | None) -> Classifier:
    """Train a probe on a part of the rows, of which it is not asked then."""
    material, seed = side.material, side.settings.seed
    labels, wanted = material.labels, (before or side).material.labels
    if labels is None or wanted is None:
        raise NoClassifierError(
            "there are neither predictions, nor a model, nor labels to train a probe on "
            "(--predictions, --model or --label)"
        )
    usable = material.has_text & (labels.codes >= 0)
    training, asked, where = _division(material) if before is None else _beside(material, before)
    drawn = drawn_rows(usable & training, _TRAINED, seed)
    texts = material.texts(drawn, side.settings)
    codes = labels.codes[drawn]
    whole = np.array([all(map(str.strip, row)) for row in texts], np.bool_)
    learned, places = np.unique(codes[whole], return_inverse=True)
    if len(learned) < 2:
        told = f"the one label {labels.names[int(learned[0])]!r}" if len(learned) else "no label"
        raise NoClassifierError(f"the rows {where[0]} that a probe would learn from have {told}")
    if not (asked & (wanted.codes >= 0)).any():
        raise NoClassifierError(f"no labelled rows {where[1]} are there to ask a probe about")
    kept = [row for row, is_whole in zip(texts, whole, strict=True) if is_whole]
    # On both sides a class has the same number.
    classes = (*wanted.names, *(name for name in labels.names if name not in wanted.names))
    numbers = np.array([classes.index(labels.names[code]) for code in learned])
    trained = Trained(_trained(kept, places, seed), kept, places, numbers, len(classes))
    note = (
        f"A probe, logistic regression on TF-IDF features, was trained on "
        f"{counted(len(places), 'row')} {where[0]} and asked about rows {where[1]}."
    )
    return Classifier(
        name="A probe trained on other rows of these data",
        note=note,
        classes=classes,
        scores=lambda rows: trained.spread(trained.linear.logits(rows)),
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


def _division(material: Material) -> tuple[NDArray[np.bool_], NDArray[np.bool_], tuple[str, str]]:
    """Return which rows a probe is trained on, which it is asked about, and words for both."""
    found = families(material.family_keys, material.together())
    if len(material.splits) > 1:
        first = next(iter(split_pairs(list(material.splits))))[0]
        training = material.rows_of(first)
        # A probe that has learnt the counterfactual of a row knows its label already.
        asked = ~training & ~np.isin(found, found[training])
        return training, asked, (f"of {first}", "of the other splits that are not in it as well")
    share, whole = _HELD_OUT
    training = found % whole >= share
    return training, ~training, ("of the split", "that were held out")


def _beside(
    material: Material, before: Side
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], tuple[str, str]]:
    """Keep what a classifier before was asked about from one that is trained on other rows."""
    asked = before.material.has_text if before.asked is None else before.asked
    size = len(asked)
    keys = np.concatenate([before.material.family_keys, material.family_keys])
    found = families(keys, [*before.material.together(), *material.together(size)])
    training = ~np.isin(found[size:], found[:size][asked])
    which = "that it is not asked about"
    if len(material.splits) > 1:
        first = next(iter(split_pairs(list(material.splits))))[0]
        training &= material.rows_of(first)
        which = f"of {first} {which}"
    where = f"of {before.title}, as the classifier before was; right is what their labels say"
    return training, asked, (which, where)


def drawn_rows(kept: NDArray[np.bool_], most: int, seed: int) -> Places:
    """Draw some of the rows that are kept, in ascending order."""
    rows = np.flatnonzero(kept)
    if len(rows) > most:
        rows = np.sort(np.random.default_rng(seed).choice(rows, most, replace=False))
    return rows


REFITS = 99
ENOUGH = 5
"""How many refits that reach a figure are enough to say that chance does."""
_TOLERANCE = 1e-12

Figures = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""What makes figures, shape (J,), of the logits of the versions of rows, shape (N, 2, C)."""


def chance_of(
    training: Sequence[Texts],
    labels: NDArray[np.int64],
    versions: tuple[Sequence[Texts], Sequence[Texts]],
    swap: CounterfactualSwap,
    figures: Figures,
    *,
    seed: int,
) -> NDArray[np.float64]:
    """Test figures of a probe by refits on permuted attributes.

    All fits share one TF-IDF, which is made of both versions of the training rows. It stops where
    each figure was reached often enough.

    Args:
        labels: The class of each, from 0 on. Shape (T,).
        figures: What makes figures of the logits of these versions; the larger, the further from
            none.

    Returns:
        The p-value of each figure: (1 + exceedances) / (R + 1); of one that was reached 5 times 5
        by the number of refits until then. 1 where no training row mentions one attribute alone.
        Shape (J,).

    Source:
        Besag and Clifford, Sequential Monte Carlo p-values, 1991, for the early stop.
    """
    fits = _Fits(training, labels, versions, swap)
    own = figures(fits.logits(fits.own))
    if not len(fits.own):
        return np.ones_like(own)
    generator = np.random.default_rng(int(row_key([seed, "attributes"])[:15], 16))
    reached, stopped = np.zeros(len(own), np.int64), np.zeros(len(own), np.int64)
    for number in range(1, REFITS + 1):
        open_ = stopped == 0
        found = figures(fits.logits(generator.permutation(fits.own)))
        reached += open_ & (found >= own - _TOLERANCE)
        stopped[open_ & (reached == ENOUGH)] = number
        if stopped.all():
            break
    early = reached / np.maximum(stopped, 1)
    return np.asarray(np.where(stopped > 0, early, (1 + reached) / (REFITS + 1)), np.float64)


class _Fits:
    """Probes on one TF-IDF, for training rows of which some are written for other attributes."""

    def __init__(
        self,
        training: Sequence[Texts],
        labels: NDArray[np.int64],
        versions: tuple[Sequence[Texts], Sequence[Texts]],
        swap: CounterfactualSwap,
    ) -> None:
        """Make the features."""
        from scipy.sparse import vstack
        from sklearn.feature_extraction.text import TfidfVectorizer

        numbers, self.own, first, second = versions_of_one(training, swap)
        texts = list(map(text_of, training))
        written = [list(map(text_of, each)) for each in (first, second)]
        others = [written[1 - own][row] for row, own in enumerate(self.own.tolist())]
        vectorizer = TfidfVectorizer().fit([*texts, *others])
        rest = np.delete(np.arange(len(texts)), numbers)
        parts = [[texts[row] for row in rest], *written]
        self.features = vstack([vectorizer.transform(part) for part in parts if part]).tocsr()
        self.labels = np.concatenate([labels[rest], labels[numbers]])
        self.rest = len(rest)
        self.asked = [vectorizer.transform(map(text_of, each)) for each in versions]

    def logits(self, attributes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Fit a probe, and return its logits of the versions. Shape (N, 2, C)."""
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression

        count = len(attributes)
        places = self.rest + count * attributes + np.arange(count)
        rows = np.concatenate([np.arange(self.rest), places])
        model = LogisticRegression(solver="newton-cg")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(self.features[rows], self.labels)
        return np.stack([_logits(model, features) for features in self.asked], axis=1)


def _logits(model: Any, features: Any) -> NDArray[np.float64]:
    """Return the logits of all classes; of two the first has none."""
    found = np.asarray(model.decision_function(features), np.float64)
    return np.column_stack([np.zeros_like(found), found]) if found.ndim == 1 else found


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
    sides = [_Side(rows, side, len(placebos.slots), probe) for side in (0, 1)]
    found = np.empty((len(rows), 2, placebos.draws, probe.classes))
    for draw in range(placebos.draws):
        words = placebos.drawn[:, draw].tolist()
        written = sides[0].counts(words)
        for side in (0, 1):
            found[:, side, draw] = sides[side].logits(written, words)
    return found


class _Side:
    """The first or the second versions of rows, as counts."""

    def __init__(
        self, rows: Sequence[PlaceboRow], side: int, slots: int, probe: LinearProbe
    ) -> None:
        """Count the words that stay, and the slots."""
        from scipy.sparse import csr_array
        from sklearn.feature_extraction.text import CountVectorizer

        self.versions = [row.versions[side] for row in rows]
        self.probe = probe
        self.counter = CountVectorizer(vocabulary=probe.terms)
        self.staying = csr_array(self.counter.transform(map(_staying, self.versions)))
        owners, numbers = [], []
        for owner, version in enumerate(self.versions):
            owners += [owner] * len(version.slots)
            numbers += version.slots
        ones = np.ones(len(owners))
        self.slots = csr_array((ones, (owners, numbers)), shape=(len(rows), slots))
        # A placebo that touches a letter is no word of its own.
        self.odd = [owner for owner, version in enumerate(self.versions) if _touches(version)]

    def counts(self, words: Sequence[str]) -> Any:
        """Count the words of placebos. A sparse matrix of shape (S, V)."""
        from scipy.sparse import csr_array

        return csr_array(self.counter.transform(words))

    def logits(self, written: Any, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the logits of the versions with placebos. Shape (M, C)."""
        counts = self.staying + self.slots @ written
        features = counts.multiply(self.probe.frequencies[None, :]).tocsr()
        lengths = np.sqrt(features.multiply(features).sum(axis=1))
        lengths[lengths == 0] = 1
        found = np.asarray(features @ self.probe.weights.T, np.float64) / lengths[:, None]
        found += self.probe.biases
        if self.odd:
            found[self.odd] = self.probe.logits([self.versions[k].written(words) for k in self.odd])
        return np.asarray(found, np.float64)


def _staying(version: Version) -> str:
    """Return what stays of a version as one text."""
    return text_of(tuple(" ".join(part for part, _ in parts[::2]) for parts in version.texts))


def _touches(version: Version) -> bool:
    """Tell whether a letter, a digit or an underscore stands directly beside a placebo."""
    return any(
        _WORD_CHARACTER.fullmatch(beside)
        for parts in version.texts
        for (before, _), (after, _) in itertools.pairwise(parts[::2])
        for beside in (before[-1:], after[:1])
    )
