"""Data sets of inspect-ai with twins and controls, and what the answers to both say."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from huggingface_hub import EvalResultEntry
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    grouped,
    metric,
    scorer,
    value_to_float,
)
from inspect_ai.solver import TaskState

from fair_datasets.auditing.paired import Answer, paired_figures
from fair_datasets.evaluation.twin_benchmark import CONTROLS, PAIR
from fair_datasets.evaluation.versions import ORIGINAL, TWIN, Version, Versions, twins_of
from fair_datasets.rows.draws import FAMILY
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.system.checks import format_choices, invalid


def twin_dataset(
    dataset: Sequence[Sample], technique: Rewriter, *, draws: int = 1, seed: int = 0
) -> MemoryDataset:
    """Return a data set that holds each sample, its twin and its controls.

    Input (text or messages) and choices are rewritten together, and so is a target that is text,
    as it is where there are no choices. Shuffle choices before, as a pair shares their order.

    Returns:
        The data set. The metadata of its samples say `pair`, the number of the sample, null where
        it has no twin, `variant`, and `direction`, as in `fair_datasets`' other adapters.
    """
    rows = [tuple(_get(*place) for place in _places(sample)) for sample in dataset]
    twins = twins_of(rows, technique, draws=draws, seed=seed)
    samples = []
    for number, sample in enumerate(dataset):
        alone = Versions(0, [Version(ORIGINAL, rows[number])])
        for variant, texts in twins.get(number, alone).versions:
            new = sample.model_copy(deep=True)
            for place, text in zip(_places(new), texts, strict=True):
                _set(*place, text)
            own = number + 1 if sample.id is None else sample.id
            new.id = own if variant == ORIGINAL else f"{own}/{variant}"
            new.metadata = {**(sample.metadata or {}), "variant": variant,
                            "pair": number if number in twins else None,
                            "direction": twins.get(number, alone).direction}  # fmt: skip
            samples.append(new)
    return MemoryDataset(samples, name=getattr(dataset, "name", None))


def _places(sample: Sample) -> Iterator[tuple[Any, Any]]:
    """Yield where the texts of a sample are: an object and an attribute, or a list and a number."""
    if isinstance(sample.input, str):
        yield sample, "input"
    for message in () if isinstance(sample.input, str) else sample.input:
        if isinstance(message.content, str):
            yield message, "content"
        else:
            yield from ((part, "text") for part in message.content if part.type == "text")
    yield from ((sample.choices, number) for number in range(len(sample.choices or ())))
    if sample.choices is None and isinstance(sample.target, str):
        yield sample, "target"
    elif sample.choices is None:
        yield from ((sample.target, number) for number in range(len(sample.target)))


def _get(holder: Any, place: Any) -> Any:
    return getattr(holder, place) if isinstance(place, str) else holder[place]


def _set(holder: Any, place: Any, text: Any) -> None:
    if isinstance(place, str):
        setattr(holder, place, text)
    else:
        holder[place] = text


@metric(scores="unreduced")
def twin_figures() -> Metric:
    """Compare the answers of pairs: of several epochs, whether most of a sample's are right."""

    def figures(scores: list[SampleScore]) -> Any:
        several = defaultdict[tuple[Any, str, int, Any], list[Score]](list)
        for each in scores:
            metadata = each.sample_metadata or {}
            if metadata.get("pair") is not None:
                key = (
                    metadata["pair"],
                    metadata["variant"],
                    metadata["direction"],
                    metadata.get(FAMILY),
                )
                several[key].append(each.score)
        is_repeated = any(len(epochs) > 1 for epochs in several.values())
        worth = value_to_float()
        answers = []
        for (pair, variant, direction, family), epochs in several.items():
            right = float(np.mean([worth(score.value) for score in epochs]))
            first = epochs[0]
            value = first.value if first.answer is None else first.answer
            answer = right > 0.5 if is_repeated else str(value).strip().lower()
            answers.append(Answer(pair, variant, answer, right, direction, family))
        return paired_figures(answers)

    return figures


@scorer(metrics=[grouped(accuracy(), "variant", all=False), twin_figures()])
def paired(scorer: Scorer) -> Scorer:
    """Score as another scorer does, and compare twins: `original` stays the published accuracy."""

    async def score(state: TaskState, target: Target) -> Score | None:
        return await scorer(state, target)

    return score


def eval_results(logs: Sequence[EvalLog | str]) -> list[EvalResultEntry]:
    """Return what a model's repository states of a benchmark that `push-twin` published.

    Args:
        logs: The logs of its tasks for one model, or where they lie: of `original` and `twin`,
            and of both halves of the control where there is one.

    Returns:
        An entry for each of `original` and `twin`, with the accuracy; the notes of `twin` state
        the share of answers that its pairs have in common, and that of the control. What
        `huggingface_hub.eval_result_entries_to_yaml` makes of them is a file of `.eval_results/`.

    Raises:
        InputError: A log is of another task or model, or did not end well.
    """
    read = [read_eval_log(each) if isinstance(each, str) else each for each in logs]
    tasks = {each.eval.task.rpartition("/")[2]: each for each in read}
    models = {each.eval.model for each in read}
    benchmarks = {each.eval.task.rpartition("/")[0].removeprefix("hf/") for each in read}
    unfinished = [each.eval.task for each in read if each.status != "success"]
    if len(tasks) < len(read) or not {ORIGINAL, TWIN} <= tasks.keys() <= {
        ORIGINAL,
        TWIN,
        *CONTROLS,
    }:
        raise invalid(
            f"the logs must be of {ORIGINAL!r}, {TWIN!r} and maybe both of the control, each once, "
            f"but they are of {format_choices(each.eval.task for each in read)}."
        )
    if len(models) > 1 or len(benchmarks) > 1 or unfinished:
        raise invalid(
            "the logs must be of one model and one benchmark, and all have ended well, but they "
            f"are of {format_choices(sorted(models))} and {format_choices(sorted(benchmarks))}"
            + (f", and {format_choices(unfinished)} did not." if unfinished else ".")
        )
    figures = paired_figures(each for name, log in tasks.items() for each in _answers(name, log))
    return [
        EvalResultEntry(
            benchmarks.copy().pop(), name, _accuracy(tasks[name]), date=tasks[name].eval.created,
            notes=_consistency(figures) if name == TWIN else None,
        )
        for name in (ORIGINAL, TWIN)
    ]  # fmt: skip


def _answers(variant: str, log: EvalLog) -> Iterator[Answer]:
    """Yield the answers of a log; of several epochs the first."""
    worth = value_to_float()
    for sample in log.samples or ():
        if sample.epoch == 1:
            (score, *_), metadata = (sample.scores or {}).values(), sample.metadata
            answer = str(score.value if score.answer is None else score.answer).strip().lower()
            yield Answer(metadata[PAIR], variant, answer, worth(score.value), 0, metadata[FAMILY])


def _accuracy(log: EvalLog) -> float:
    """Return the first metric of the first scorer, which is the accuracy of all of ours."""
    scores = log.results.scores if log.results else []
    return float(next(iter(scores[0].metrics.values())).value)


def _consistency(figures: dict[str, float]) -> str:
    """Return how many answers stay the same, and how many do so where other words are swapped."""
    same, low, high = (1 - figures[f"flip_rate{end}"] for end in ("", "_high", "_low"))
    summary = f"consistency {same:.3f} [{low:.3f}, {high:.3f}] of {figures['pairs']} pairs"
    if not figures["pairs_with_control"]:
        return f"{summary}; no control"
    excess = [figures[f"flip_rate_excess{end}"] for end in ("", "_low", "_high")]
    return (
        f"{summary}; consistency of the control {1 - figures['flip_rate_control']:.3f} of "
        f"{figures['pairs_with_control']} pairs; excess of flips {excess[0]:.3f} "
        f"[{excess[1]:.3f}, {excess[2]:.3f}]"
    )
