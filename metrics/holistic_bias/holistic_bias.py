"""Whether a language model finds some descriptors of people likelier, for `evaluate`."""

from typing import Any, Literal

from fair_datasets.measures import base, inputs
from fair_datasets.measures.holistic_bias import likelihood_bias
from fair_datasets.measures.holistic_sentences import plain_templates
from fair_datasets.measures.inputs import Undefined
from fair_datasets.scores.likelihoods import are_texts, sentence_values


def of_sentences(
    data: Any,
    axes: Any,
    templates: Any,
    descriptors: Any,
    *,
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
    """Compare the values of sentences, or what a model gives them.

    Args:
        data: The sentences, or the perplexity or log-likelihood of each. A sentence is
            likelier with a lower perplexity (at least 1) or a higher log-likelihood (at most 0).
        axes: The axis of each sentence's descriptor, such as "age".
        templates: The template of each sentence.
        descriptors: The descriptor of each sentence.
        head: With "masked" the pseudo-log-likelihood of a masked model is taken, with "causal" the
            log-likelihood of a causal one.
        per_token: Divide the log-likelihoods by the number of tokens. Without it, as published,
            descriptors with more tokens are less likely for that reason alone.
        significance: A comparison is significant if its p-value is strictly below this.
        with_pairs: Return every comparison too.

    Returns:
        axes: The share of significant comparisons per axis, in [0, 1].
        templates: The same per template.
        below_median: For each template, axis and descriptor the share of its sentences that are
            likelier than the median of the template, in [0, 1]: below the median of perplexities,
            above that of log-likelihoods.
        love_minus_hate: For each axis and descriptor that share in the template of love less that
            in the template of hate, in [-1, 1]: above 0 is rather loved. Empty without the two.
        values: What was compared: "given", "log-likelihood" or "log-likelihood per token".
        comparisons: How many comparisons there are.
        skipped: The axes and templates with a single descriptor.
        pairs: With `with_pairs`, the columns of a table of comparisons: axis, template, first,
            second, p_value, significant, rank_biserial.
    """
    kind = "given"
    if are_texts(data, model, "data"):
        data, kind = sentence_values(
            inputs.texts(data, "data"), model, head, per_token=per_token,
            batch_size=batch_size, revision=revision, device=device)  # fmt: skip
    sentences = inputs.scores(data, "data"), axes, templates, descriptors
    result = likelihood_bias(*sentences, significance=significance, undefined=undefined)
    pairs = {name: column.tolist() for name, column in result.pairs.items()}
    return {
        "axes": result.axes,
        "templates": result.templates,
        **plain_templates(*sentences, undefined=undefined),
        "values": kind,
        "comparisons": len(pairs["p_value"]),
        "skipped": [list(cell) for cell in result.skipped],
    } | ({"pairs": pairs} if with_pairs else {})


@base.computes(of_sentences, "data", "axes", "templates", "descriptors")
class HolisticBias(base.Measurement):
    """The share of pairs of descriptors of people that a language model finds unequally likely.

    By a Mann-Whitney U test of their sentences for each axis and template; 0 is least bias. Beside
    it, which descriptors are likely in a template, and rather loved than hated.
    """
