"""Counterfactual augmentation and fairness measures for text, native to Hugging Face Datasets.

The public names are resolved when they are first used, so that ``import fair_datasets`` loads
neither torch, transformers nor spaCy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fair_datasets.version import __version__

if TYPE_CHECKING:
    from fair_datasets.auditing import Audit, audit
    from fair_datasets.cards import reproduce
    from fair_datasets.evaluation.counterfactuals import WordAssociation, evaluate_counterfactuals
    from fair_datasets.evaluation.encoders import EncoderTask, evaluate_encoders
    from fair_datasets.evaluation.templates.identity import identity_templates
    from fair_datasets.jobs.run import run
    from fair_datasets.lexicons import Lexicon, available_lexicons, load_lexicon, save_people
    from fair_datasets.measures.load import available_metrics, load_metric
    from fair_datasets.models.vectors import (
        DemographicDirection,
        WordVectors,
        load_word_vectors,
        word_direction,
    )
    from fair_datasets.reader.matching.find import FoundTerm, find_terms
    from fair_datasets.rewriters.error_correction import AttributeFilter, Infill, MaskErratic
    from fair_datasets.rewriters.generation.model_rewrite import ModelRewrite
    from fair_datasets.rewriters.mbcda import DiscriminatorConfig, MbcdaConfig, train_mbcda
    from fair_datasets.rewriters.perturber import PerturbationAugmentation, fit_axis_weights
    from fair_datasets.rewriters.perturber.training import (
        PerturberConfig,
        perturber_quality,
        swap_perturbations,
        train_perturber,
        two_person_perturbations,
    )
    from fair_datasets.rewriters.training.parallel import ParallelConfig
    from fair_datasets.rows.given import texts_of
    from fair_datasets.scores.bias.bias_score import BiasScore
    from fair_datasets.scores.bias.sentence_pairs import sentence_direction
    from fair_datasets.scores.bilstm import SentenceEncoderConfig, train_sentence_encoder
    from fair_datasets.scores.el2n import EL2N
    from fair_datasets.scores.equity import EquityScore
    from fair_datasets.scores.forgetting import Forgetting
    from fair_datasets.scores.grand import GraNd
    from fair_datasets.scores.perturbability import Perturbability
    from fair_datasets.scores.probes import ProbeConfig, train_probes
    from fair_datasets.scores.random_score import RandomScore
    from fair_datasets.selection.correction import KeepLabelled, KeepWordsBelow, SwapAbove, correct
    from fair_datasets.selection.diet import DietConfig, healthy_diet
    from fair_datasets.selection.search import grid_search
    from fair_datasets.selection.select import select
    from fair_datasets.selection.splits import pair_split
    from fair_datasets.selection.thresholds import KeepAbove, KeepBelow, fit_threshold
    from fair_datasets.swap.balancing import MentionedAttribute, balance_groups, negatives_lacking
    from fair_datasets.swap.blindness import Blindness
    from fair_datasets.swap.counterfactual import CounterfactualSwap
    from fair_datasets.swap.counts import count_mentions
    from fair_datasets.swap.person_swap import PersonSwap
    from fair_datasets.swap.placebos import Placebos, placebos_of
    from fair_datasets.swap.preferences import PreferenceTwins
    from fair_datasets.swap.rewriting.counterfactuals import undo
    from fair_datasets.swap.verification import Fault, Verdict, restore, verify, verify_all
    from fair_datasets.system.checks import InputError
    from fair_datasets.technique.contract import Technique, load_technique

_HOMES = {
    "AttributeFilter": "fair_datasets.rewriters.error_correction",
    "Audit": "fair_datasets.auditing",
    "BiasScore": "fair_datasets.scores.bias.bias_score",
    "Blindness": "fair_datasets.swap.blindness",
    "CounterfactualSwap": "fair_datasets.swap.counterfactual",
    "DemographicDirection": "fair_datasets.models.vectors",
    "DietConfig": "fair_datasets.selection.diet",
    "DiscriminatorConfig": "fair_datasets.rewriters.mbcda",
    "EL2N": "fair_datasets.scores.el2n",
    "EncoderTask": "fair_datasets.evaluation.encoders",
    "EquityScore": "fair_datasets.scores.equity",
    "Fault": "fair_datasets.swap.verification",
    "Forgetting": "fair_datasets.scores.forgetting",
    "FoundTerm": "fair_datasets.reader.matching.find",
    "GraNd": "fair_datasets.scores.grand",
    "Infill": "fair_datasets.rewriters.error_correction",
    "InputError": "fair_datasets.system.checks",
    "KeepAbove": "fair_datasets.selection.thresholds",
    "KeepBelow": "fair_datasets.selection.thresholds",
    "KeepLabelled": "fair_datasets.selection.correction",
    "KeepWordsBelow": "fair_datasets.selection.correction",
    "Lexicon": "fair_datasets.lexicons",
    "MaskErratic": "fair_datasets.rewriters.error_correction",
    "MbcdaConfig": "fair_datasets.rewriters.mbcda",
    "MentionedAttribute": "fair_datasets.swap.balancing",
    "ModelRewrite": "fair_datasets.rewriters.generation.model_rewrite",
    "ParallelConfig": "fair_datasets.rewriters.training.parallel",
    "PersonSwap": "fair_datasets.swap.person_swap",
    "Perturbability": "fair_datasets.scores.perturbability",
    "PerturbationAugmentation": "fair_datasets.rewriters.perturber",
    "PerturberConfig": "fair_datasets.rewriters.perturber.training",
    "Placebos": "fair_datasets.swap.placebos",
    "PreferenceTwins": "fair_datasets.swap.preferences",
    "ProbeConfig": "fair_datasets.scores.probes",
    "RandomScore": "fair_datasets.scores.random_score",
    "SentenceEncoderConfig": "fair_datasets.scores.bilstm",
    "SwapAbove": "fair_datasets.selection.correction",
    "Technique": "fair_datasets.technique.contract",
    "Verdict": "fair_datasets.swap.verification",
    "WordAssociation": "fair_datasets.evaluation.counterfactuals",
    "WordVectors": "fair_datasets.models.vectors",
    "audit": "fair_datasets.auditing",
    "available_lexicons": "fair_datasets.lexicons",
    "available_metrics": "fair_datasets.measures.load",
    "balance_groups": "fair_datasets.swap.balancing",
    "correct": "fair_datasets.selection.correction",
    "count_mentions": "fair_datasets.swap.counts",
    "evaluate_counterfactuals": "fair_datasets.evaluation.counterfactuals",
    "evaluate_encoders": "fair_datasets.evaluation.encoders",
    "find_terms": "fair_datasets.reader.matching.find",
    "fit_axis_weights": "fair_datasets.rewriters.perturber",
    "fit_threshold": "fair_datasets.selection.thresholds",
    "grid_search": "fair_datasets.selection.search",
    "healthy_diet": "fair_datasets.selection.diet",
    "identity_templates": "fair_datasets.evaluation.templates.identity",
    "load_lexicon": "fair_datasets.lexicons",
    "load_metric": "fair_datasets.measures.load",
    "load_technique": "fair_datasets.technique.contract",
    "load_word_vectors": "fair_datasets.models.vectors",
    "negatives_lacking": "fair_datasets.swap.balancing",
    "pair_split": "fair_datasets.selection.splits",
    "perturber_quality": "fair_datasets.rewriters.perturber.training",
    "placebos_of": "fair_datasets.swap.placebos",
    "reproduce": "fair_datasets.cards",
    "restore": "fair_datasets.swap.verification",
    "run": "fair_datasets.jobs.run",
    "save_people": "fair_datasets.lexicons",
    "select": "fair_datasets.selection.select",
    "sentence_direction": "fair_datasets.scores.bias.sentence_pairs",
    "swap_perturbations": "fair_datasets.rewriters.perturber.training",
    "texts_of": "fair_datasets.rows.given",
    "train_mbcda": "fair_datasets.rewriters.mbcda",
    "train_perturber": "fair_datasets.rewriters.perturber.training",
    "train_probes": "fair_datasets.scores.probes",
    "train_sentence_encoder": "fair_datasets.scores.bilstm",
    "two_person_perturbations": "fair_datasets.rewriters.perturber.training",
    "undo": "fair_datasets.swap.rewriting.counterfactuals",
    "verify": "fair_datasets.swap.verification",
    "verify_all": "fair_datasets.swap.verification",
    "word_direction": "fair_datasets.models.vectors",
}

__all__ = [
    "EL2N",
    "AttributeFilter",
    "Audit",
    "BiasScore",
    "Blindness",
    "CounterfactualSwap",
    "DemographicDirection",
    "DietConfig",
    "DiscriminatorConfig",
    "EncoderTask",
    "EquityScore",
    "Fault",
    "Forgetting",
    "FoundTerm",
    "GraNd",
    "Infill",
    "InputError",
    "KeepAbove",
    "KeepBelow",
    "KeepLabelled",
    "KeepWordsBelow",
    "Lexicon",
    "MaskErratic",
    "MbcdaConfig",
    "MentionedAttribute",
    "ModelRewrite",
    "ParallelConfig",
    "PersonSwap",
    "Perturbability",
    "PerturbationAugmentation",
    "PerturberConfig",
    "Placebos",
    "PreferenceTwins",
    "ProbeConfig",
    "RandomScore",
    "SentenceEncoderConfig",
    "SwapAbove",
    "Technique",
    "Verdict",
    "WordAssociation",
    "WordVectors",
    "__version__",
    "audit",
    "available_lexicons",
    "available_metrics",
    "balance_groups",
    "correct",
    "count_mentions",
    "evaluate_counterfactuals",
    "evaluate_encoders",
    "find_terms",
    "fit_axis_weights",
    "fit_threshold",
    "grid_search",
    "healthy_diet",
    "identity_templates",
    "load_lexicon",
    "load_metric",
    "load_technique",
    "load_word_vectors",
    "negatives_lacking",
    "pair_split",
    "perturber_quality",
    "placebos_of",
    "reproduce",
    "restore",
    "run",
    "save_people",
    "select",
    "sentence_direction",
    "swap_perturbations",
    "texts_of",
    "train_mbcda",
    "train_perturber",
    "train_probes",
    "train_sentence_encoder",
    "two_person_perturbations",
    "undo",
    "verify",
    "verify_all",
    "word_direction",
]


def __getattr__(name: str) -> Any:
    """Import the module of a public name the first time that the name is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'fair_datasets' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
