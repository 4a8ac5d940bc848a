"""How much the axes weigh in the draws of Algorithm 1, by how rare their words are in a dataset."""

from dataclasses import replace
from typing import TYPE_CHECKING

from fair_datasets.rewriters.perturber.augmentation import PerturbationAugmentation
from fair_datasets.rewriters.perturber.pairs import candidate_pairs
from fair_datasets.rows.given import batches, refuse_absent_roles
from fair_datasets.system import checks

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict


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
