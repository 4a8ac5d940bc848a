"""Fairness measures: functions of predictions, references and groups, of vectors, or of texts.

Names say the orientation of a value: of a `score` or `ratio` higher is fairer, of a `difference`
lower is. A value that is not defined is NaN with a warning, unless `undefined` says otherwise.
"""

from fair_datasets.measures.bbq import BbqResult, BbqScore, bbq
from fair_datasets.measures.bbq_items import load_bbq
from fair_datasets.measures.benchmarks import (
    BenchmarkFaultWarning,
    load_stereoset,
    load_winobias,
)
from fair_datasets.measures.bias_distribution import (
    AttributeBias,
    BiasDistribution,
    bias_distribution,
)
from fair_datasets.measures.confidence import ConfidenceInterval, confidence_interval
from fair_datasets.measures.controls import (
    FlipRateControl,
    ScoreShiftControl,
    flip_rate_control,
    holm,
    max_t,
    score_shift_control,
)
from fair_datasets.measures.counterfactual_parity import (
    CounterfactualParity,
    counterfactual_demographic_parity,
    counterfactual_equal_opportunity,
    counterfactual_equalized_odds,
)
from fair_datasets.measures.crows_pairs import CrowsPairsResult, crows_pairs, load_crows_pairs
from fair_datasets.measures.error_rates import (
    ErrorRateEquality,
    RateDifference,
    SubgroupAUC,
    SubgroupAUCs,
    error_rate_equality,
    rate_difference,
    subgroup_auc,
)
from fair_datasets.measures.flip_rate import (
    CounterfactualFlipRate,
    Fairscore,
    PreferenceFlipRate,
    changed_texts,
    counterfactual_flip_rate,
    fairscore,
    preference_flip_rate,
)
from fair_datasets.measures.group_labels import intersections
from fair_datasets.measures.group_metric import GroupMetric, MetricValue, group_metric
from fair_datasets.measures.group_table import GroupRates, group_rates
from fair_datasets.measures.holistic_bias import LikelihoodBias, likelihood_bias
from fair_datasets.measures.holistic_sentences import (
    below_median,
    build_holistic_sentences,
    love_minus_hate,
)
from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.load import available_metrics
from fair_datasets.measures.parity import (
    Parity,
    demographic_parity,
    equal_opportunity,
    equalized_odds,
    predictive_parity,
)
from fair_datasets.measures.representation import (
    Association,
    Representation,
    label_association,
    representation,
)
from fair_datasets.measures.rewrites import (
    CounterfactualPerplexity,
    Perplexity,
    TextOverlap,
    TransferAccuracy,
    counterfactual_perplexity,
    perplexity,
    text_overlap,
    transfer_accuracy,
)
from fair_datasets.measures.weat import (
    WeatResult,
    WeatTest,
    load_seat_sentences,
    seat_sentences,
    weat,
    weat_from_vectors,
    weat_test,
    weat_tests,
)

__all__ = [
    "Association",
    "AttributeBias",
    "BbqResult",
    "BbqScore",
    "BenchmarkFaultWarning",
    "BiasDistribution",
    "ConfidenceInterval",
    "CounterfactualFlipRate",
    "CounterfactualParity",
    "CounterfactualPerplexity",
    "CrowsPairsResult",
    "ErrorRateEquality",
    "Fairscore",
    "FlipRateControl",
    "GroupMetric",
    "GroupRates",
    "LikelihoodBias",
    "MetricValue",
    "Parity",
    "Perplexity",
    "PreferenceFlipRate",
    "RateDifference",
    "Representation",
    "ScoreShiftControl",
    "SubgroupAUC",
    "SubgroupAUCs",
    "TextOverlap",
    "TransferAccuracy",
    "UndefinedMeasureWarning",
    "WeatResult",
    "WeatTest",
    "available_metrics",
    "bbq",
    "below_median",
    "bias_distribution",
    "build_holistic_sentences",
    "changed_texts",
    "confidence_interval",
    "counterfactual_demographic_parity",
    "counterfactual_equal_opportunity",
    "counterfactual_equalized_odds",
    "counterfactual_flip_rate",
    "counterfactual_perplexity",
    "crows_pairs",
    "demographic_parity",
    "equal_opportunity",
    "equalized_odds",
    "error_rate_equality",
    "fairscore",
    "flip_rate_control",
    "group_metric",
    "group_rates",
    "holm",
    "intersections",
    "label_association",
    "likelihood_bias",
    "load_bbq",
    "load_crows_pairs",
    "load_seat_sentences",
    "load_stereoset",
    "load_winobias",
    "love_minus_hate",
    "max_t",
    "perplexity",
    "predictive_parity",
    "preference_flip_rate",
    "rate_difference",
    "representation",
    "score_shift_control",
    "seat_sentences",
    "subgroup_auc",
    "text_overlap",
    "transfer_accuracy",
    "weat",
    "weat_from_vectors",
    "weat_test",
    "weat_tests",
]
