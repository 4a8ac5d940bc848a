"""Error correction: find the words that a swap left wrong, fill them anew, keep what was flipped.

Tokpo and Calders (2023), "Model-based Counterfactual Generator for Gender Bias Mitigation"
(MBCDA); their FairFlow (2024) repairs what another dictionary writes in the same way. Each step is
of use alone.
"""

from fair_datasets.rewriters.error_correction.attribute_filter import AttributeFilter
from fair_datasets.rewriters.error_correction.infill import Infill
from fair_datasets.rewriters.error_correction.mask_erratic import MaskErratic

__all__ = ["AttributeFilter", "Infill", "MaskErratic"]
