"""How often predictions change with the demographic terms of the texts, for `evaluate`."""

from dataclasses import asdict
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.flip_rate import fairscore
from fair_datasets.measures.inputs import Undefined


class Fairscore(base.Comparison):
    """The share of perturbed texts whose predicted class differs from that of the original text.

    Lower is fairer. The accuracy stands beside it, as a classifier that always says the same has
    fairscore 0.
    """

    CITATION = """
        @inproceedings{qian-etal-2022-perturbation,
            title = "Perturbation Augmentation for Fairer {NLP}",
            author = "Qian, Rebecca and Ross, Candace and Fernandes, Jude and Smith, Eric Michael
              and Kiela, Douwe and Williams, Adina",
            booktitle = "Proceedings of the 2022 Conference on Empirical Methods in Natural Language
              Processing",
            year = "2022",
        }
    """
    PARAMETERS = """
        predictions: The predicted class of each original text, a whole number or a text; no
            logits.
        counterfactual_predictions: The predicted class of each perturbed text.
        references: The right class of each text, the same before and after.
        changed: Which texts the perturbation changed, 0 or 1.
            `fair_datasets.measures.flip_rate.changed_texts` tells it from the texts.
        excluded: Rows to leave out, 0 or 1, such as those whose right class changes with the
            demographic terms. Given to `compute`, for all rows at once.
    """
    RETURNS = """
        fairscore_perturbed: Changed predictions by perturbed rows, in [0, 1].
        fairscore_all: Changed predictions by all rows, in [0, 1].
        flipped: How many perturbed rows change their prediction.
        perturbed: How many rows are perturbed.
        rows: How many rows there are.
        excluded: How many rows were left out.
        flipped_unperturbed: Changed predictions of texts that are the same; it should be 0.
        accuracy: The share of right predictions, in [0, 1].
        accuracy_of_perturbed: The same for the perturbed texts.
        both_correct: The share of perturbed rows with two right predictions.
        neither_correct: The share of perturbed rows with none.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> fairscore = load_metric("fairscore")
        >>> result = fairscore.compute(
        ...     predictions=[1, 0, 1, 1],
        ...     counterfactual_predictions=[0, 0, 1, 1],
        ...     references=[1, 0, 0, 1],
        ...     changed=[1, 1, 0, 0],
        ... )
        >>> result["fairscore_perturbed"], result["fairscore_all"], result["accuracy"]
        (0.5, 0.25, 0.75)
    """

    def _compute(
        self,
        predictions: Any,
        counterfactual_predictions: Any,
        references: Any,
        changed: Any,
        *,
        excluded: base.Rows = None,
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measure; see the description of the inputs."""
        result = fairscore(
            predictions,
            counterfactual_predictions,
            changed,
            references,
            excluded=excluded,
            undefined=undefined,
        )
        return asdict(result)
