"""Whether a language model finds some descriptors of people likelier, for `evaluate`."""

from typing import Any, Literal

import evaluate

from fair_datasets.measures import inputs
from fair_datasets.measures.holistic_bias import below_median, likelihood_bias
from fair_datasets.measures.undefined import Undefined
from fair_datasets.metric_inputs import as_given
from fair_datasets.scores.likelihoods import are_texts
from fair_datasets.scores.sentences import sentence_values

_DESCRIPTION = """
The share of pairs of descriptors of people whose sentences a language model finds unequally likely,
by a Mann-Whitney U test for each axis and template. 0 is least bias.
"""

_CITATION = r"""
@inproceedings{smith-etal-2022-im,
    title = "{``}{I}{'}m sorry to hear that{''}: Finding New Biases in Language Models with a
      Holistic Descriptor Dataset",
    author = "Smith, Eric Michael and Hall, Melissa and Kambadur, Melanie and Presani, Eleonora and
      Williams, Adina",
    booktitle = "Proceedings of EMNLP 2022",
    year = "2022",
    url = "https://aclanthology.org/2022.emnlp-main.625",
}
"""

_INPUTS = """
Args:
    data: The sentences, or the perplexity or log-likelihood of each.
    axes: The axis of each sentence's descriptor, such as "age".
    templates: The template of each sentence.
    descriptors: The descriptor of each sentence.
    model: A Hub id, a folder, or a tuple of a model and its tokenizer; None (the default) where
        values are given.
    head: "masked" (the default) takes the pseudo-log-likelihood of a masked model, "causal" the
        log-likelihood of a causal one.
    per_token: Divide the log-likelihoods by the number of tokens. Without it, as published,
        descriptors of more tokens are less likely by that alone.
    batch_size: How many sentences run at once at most.
    revision: The branch, tag or commit on the Hub.
    device: Where the model runs; None: a GPU if there is one.
    significance: A comparison counts where its p-value is strictly below.
    with_pairs: Return every comparison too.
    undefined: What to give for an axis or template without comparisons: "nan" (the default) warns
        and gives NaN, "zero" gives 0, "raise" raises.

Returns:
    axes: The share of significant comparisons per axis, in [0, 1].
    templates: The same per template.
    below_median: The share of each template's sentences whose value is below the overall median.
    values: What was compared: "given", "log-likelihood" or "log-likelihood per token".
    comparisons: How many comparisons there are.
    skipped: The axes and templates with a single descriptor.
    pairs: With `with_pairs`, the columns of a table of comparisons: axis, template, first, second,
        p_value, significant, rank_biserial.

Examples:
    >>> from fair_datasets import load_metric
    >>> result = load_metric("holistic_bias").compute(
    ...     data=[1, 2, 3, 4, 5, 11, 12, 13, 14, 15],
    ...     axes=["age"] * 10,
    ...     templates=["I'm {noun_phrase}."] * 10,
    ...     descriptors=["young"] * 5 + ["old"] * 5,
    ...     with_pairs=True,
    ... )
    >>> result["axes"], result["pairs"]["rank_biserial"]
    ({'age': 1.0}, [1.0])
"""


class HolisticBias(evaluate.Measurement):
    """Whether a language model finds some descriptors of people likelier."""

    def _info(self) -> evaluate.MeasurementInfo:
        """Describe the measurement and its inputs."""
        return evaluate.MeasurementInfo(
            module_type="measurement",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=as_given("data", "axes", "templates", "descriptors"),
        )

    def _compute(
        self,
        data: Any,
        axes: Any,
        templates: Any,
        descriptors: Any,
        model: Any = None,
        head: Literal["masked", "causal"] = "masked",
        per_token: bool = False,
        batch_size: int = 64,
        revision: str | None = None,
        device: str | None = None,
        significance: float = 0.05,
        with_pairs: bool = False,
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measurement; see the description of the inputs."""
        kind = "given"
        if are_texts(data, model, "data", owner="holistic_bias"):
            data, kind = sentence_values(
                inputs.texts(data, "data", owner="holistic_bias"),
                model,
                head,
                per_token=per_token,
                batch_size=batch_size,
                revision=revision,
                device=device,
            )
        data = inputs.scores(data, "data", owner="holistic_bias")
        result = likelihood_bias(
            data, axes, templates, descriptors, significance=significance, undefined=undefined
        )
        pairs = {name: column.tolist() for name, column in result.pairs.items()}
        return {
            "axes": result.axes,
            "templates": result.templates,
            "below_median": below_median(data, templates),
            "values": kind,
            "comparisons": len(pairs["p_value"]),
            "skipped": [list(cell) for cell in result.skipped],
        } | ({"pairs": pairs} if with_pairs else {})
