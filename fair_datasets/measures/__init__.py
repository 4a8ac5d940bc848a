"""Fairness measures: functions of predictions, references and groups, of vectors, or of texts.

Names say the orientation of a value: of a `score` or `ratio` higher is fairer, of a `difference`
lower is. A value that is not defined is NaN with a warning, unless `undefined` says otherwise.
"""

from lazy_loader import attach_stub

# Of these names, the functions are meant and not their modules.
from fair_datasets.measures.bbq import bbq as bbq
from fair_datasets.measures.bias_distribution import bias_distribution as bias_distribution
from fair_datasets.measures.crows_pairs import crows_pairs as crows_pairs
from fair_datasets.measures.group_metric import group_metric as group_metric
from fair_datasets.measures.representation import representation as representation
from fair_datasets.measures.weat import weat as weat

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
