"""FairFlow: a lexicon of two attributes, from one pair of words and a corpus; a rewriter by it.

Tokpo and Calders (2024), "FairFlow: An Automated Approach to Model-based Counterfactual Data
Augmentation for NLP".
"""

from fair_datasets.rewriters.fairflow.attribute_flow import AttributeFlow
from fair_datasets.rewriters.fairflow.build import LexiconBuild, build_lexicon
from fair_datasets.rewriters.fairflow.config import FairFlowConfig
from fair_datasets.rewriters.fairflow.review import FoundLexicon, FoundPair, read_review
from fair_datasets.rewriters.fairflow.rewriter import (
    VARIANTS,
    FairFlowRewriterConfig,
    TrainedFairFlow,
    train_fairflow,
)

__all__ = [
    "VARIANTS",
    "AttributeFlow",
    "FairFlowConfig",
    "FairFlowRewriterConfig",
    "FoundLexicon",
    "FoundPair",
    "LexiconBuild",
    "TrainedFairFlow",
    "build_lexicon",
    "read_review",
    "train_fairflow",
]
