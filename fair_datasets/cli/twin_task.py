"""The command `twin-task`: a task of lm-eval that asks about documents and their twins."""

import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from fair_datasets.cli.groups import Axis, Protect, Seed
from fair_datasets.cli.option_types import COL, DIR
from fair_datasets.jobs.file_outputs import new_folder, refuse_taken_folder
from fair_datasets.reader.matching.find import find_terms
from fair_datasets.rows.text_fields import check_path, text_field
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import (
    format_allowed,
    format_choices,
    format_first,
    invalid,
    require,
    suggestion,
)
from fair_datasets.system.validate import Count

_KEYS = re.compile(r"(?i)(.*_)?(id|ids|idx|ind|uid|uuid|label|labels|gold|answer_?key)")
"""Names of columns that hold no text of the document."""
_PREFERRED = ("acc", "acc_norm", "exact_match")
_YAML = """\
# Written by `fair-datasets twin-task`; it needs fair-datasets where it runs.
include: {path}
task: {task}
task_alias: null
tag: null
class: !function twins.Twins
"""
_CODE = '''\
"""The twins of {task}, as `fair-datasets twin-task` writes them."""

from fair_datasets import CounterfactualSwap
from fair_datasets.integrations.lm_eval import TwinTask


class Twins(TwinTask):
    technique = CounterfactualSwap(
{settings}
    )
    metric = {metric!r}
    draws = {draws}
'''


class TwinTask(Axis, Protect, Seed):
    """Write a task of lm-eval that asks about each document and its twin in one run.

    The task, for lm-eval 0.4.13, asks about each document of a task, about its twin (an attribute
    is swapped) and about its control (other words are swapped). The metrics of the task are still
    those of the originals. The new task also reports how often answers flip.

    Attributes:
        task: The name of a task of lm-eval, or its .yaml.
        columns: The columns of the documents whose texts are swapped together, choices too; for
            texts inside a column, give a path, such as 'choices.text[]'.
        source: Swap only terms of this attribute.
        target: Write all terms as this attribute.
        metric: The score that twins are compared by (default: acc, where there is one).
        draws: How many controls each document has.
        include_path: A folder with tasks of your own, as for lm_eval.
        out: The folder to write.
    """

    ARGUMENTS = "task"
    SEVERAL = "columns"
    COMMON = "columns axis target metric draws out"

    task: Annotated[str, "TASK"]
    columns: tuple[COL, ...] = ()
    source: Annotated[str, "ATTRIBUTE"] | None = None
    target: Annotated[str, "ATTRIBUTE"] | None = None
    metric: Annotated[str, "METRIC"] | None = None
    draws: Count = 1
    include_path: Annotated[str, "DIR"] | None = None
    out: DIR

    def run(self) -> None:
        """Run the command."""
        require("lm-eval")
        from lm_eval.tasks import TaskManager

        seed = self.seed or None
        settings = self.settings_for(CounterfactualSwap, columns=self.columns, seed=seed)
        settings |= self.protecting
        # What is wrong in them is told before tasks are looked through, which takes a while.
        CounterfactualSwap(**settings | {"columns": self.columns or "text"})
        refuse_taken_folder(self.out)
        logging.getLogger("lm_eval").setLevel(logging.ERROR)
        manager = TaskManager(include_path=self.include_path)
        entry = _entry(self.task, manager)
        (task,) = manager.load([self.task])["tasks"].values()
        _check_columns(self.columns, task)
        metric, name = _metric(self.metric, task), f"{entry.name}_twins"
        with new_folder(self.out) as folder:
            files = _files(entry.name, entry.yaml_path.resolve(), settings, metric, self.draws)
            for file, text in files.items():
                (folder / file).write_text(text, "utf-8")
            # As lm_eval will read it: what cannot run is told now.
            written = TaskManager(include_path=str(folder), include_defaults=False).load([name])
            counts = written["tasks"][name].counts
            if not counts["twins"]:
                raise invalid(
                    f"no document of {entry.name} has a twin on the axis {self.axis}: "
                    f"{format_choices(self.columns)} hold no word that is swapped."
                )
        print(*_summary(task, self, counts), sep="\n")
        print(f"\nlm_eval run --include_path {self.out} --tasks {name} --model ...")


def _files(
    task: str, path: Path, settings: Mapping[str, Any], metric: str, draws: int
) -> dict[str, str]:
    """Return what is written: the name of each file to its text."""
    name = f"{task}_twins"
    given = "\n".join(f"        {key}={value!r}," for key, value in settings.items())
    code = _CODE.format(task=task, name=name, settings=given, metric=metric, draws=draws)
    return {
        f"{name}.yaml": _YAML.format(path=json.dumps(str(path)), task=json.dumps(name)),
        "twins.py": code,
    }


def _entry(name: str, manager: Any) -> Any:
    """Find a task, or say in a sentence why there are no twins of it."""
    from lm_eval.tasks._index import Kind, TaskIndex
    from lm_eval.tasks._yaml_loader import load_yaml

    entry = manager.task_index.get(name) or TaskIndex.entry_from_path(Path(name))
    if entry is None:
        raise invalid(
            f"lm-eval has no task {name!r}, and there is no such file."
            + suggestion(name, manager.all_subtasks)
        )
    if entry.kind in (Kind.GROUP, Kind.TAG):
        given = (
            each if isinstance(each, str) else str(each.get("task", each.get("group")))
            for each in entry.cfg.get("task", ())
        )
        members = entry.tags if entry.kind is Kind.TAG else given
        raise invalid(
            f"{name!r} is a group of tasks, whose numbers it only sums up; name one of "
            f"them: {format_first(sorted(members))}."
        )
    config = load_yaml(entry.yaml_path, resolve_func=False) if entry.yaml_path else {"class": ""}
    if entry.kind is Kind.PY_TASK or "class" in config:
        raise invalid(
            f"{name!r} has a class of its own, which twins cannot extend; choose a task "
            "that is written in YAML alone."
        )
    if config.get("output_type") == "loglikelihood_rolling":
        raise invalid(
            f"{name!r} measures how likely whole texts are (loglikelihood_rolling), so "
            "that there is no answer that could flip; choose a task with answers."
        )
    return entry


def _check_columns(columns: Sequence[str], task: Any) -> None:
    """Raise unless columns hold texts of documents, and no labels, ids or keys."""
    features = task.eval_docs.features
    if not columns:
        texts = [name for name, kind in features.items() if not _KEYS.fullmatch(name)
                 and "string" in repr(kind)]  # fmt: skip
        raise invalid(
            f"name the columns to swap by --columns; the documents have texts in "
            f"{format_choices(texts) or 'no column'}."
        )
    keys = _keys(task.config)
    for name in columns:
        field = text_field(name, features)
        check_path(name, features)
        last = next((step for step in reversed(field.steps) if step != "[]"), field.column)
        if _KEYS.fullmatch(last) or field.column in keys:
            raise invalid(
                f"--columns names {name!r}, which holds labels, ids or the right "
                "answers; they stay as they are, so leave it out."
            )


def _keys(config: Any) -> set[str]:
    """Return the columns that only say what is right: the task shows them to no model."""
    if callable(config.doc_to_text) or callable(config.doc_to_choice):
        return set()
    shown = _parse_template(config.doc_to_text)[1] | _parse_template(config.doc_to_choice)[1]
    return _parse_template(config.doc_to_target)[1] - shown


def _metric(given: str | None, task: Any) -> str:
    """Return the score that twins are compared by: a mean over documents."""
    from lm_eval.api.metrics import mean

    every = task.aggregation()
    scores = [name for name, function in every.items() if function is mean]
    if not scores:
        raise invalid(
            f"{task.task_name!r} has no score per document: its metrics ({format_choices(every)}) "
            "are taken of all documents together; choose a task with a score such as acc."
        )
    if given is not None and given not in scores:
        raise invalid(
            f"--metric must be {format_allowed(scores)}, but it is {given!r}."
            + suggestion(given, scores)
        )
    return given or next((name for name in _PREFERRED if name in scores), scores[0])


def _summary(task: Any, options: TwinTask, counts: dict[str, int]) -> Iterator[str]:
    """Yield how many documents have twins, and what stays as it is in them."""
    alone = counts["documents"] - counts["twins"]
    yield (
        f"{counts['documents']:,} documents; {counts['twins']:,} have a twin, and "
        f"{counts['controls']:,} of these a control; {alone:,} stay alone"
    )
    if counts["keys"]:
        yield f"{counts['keys']:,} of these stay alone, as a twin would have another right answer"
    parts = ("description", "doc_to_text", "doc_to_choice", "doc_to_target", "gen_prefix")
    contents = [_parse_template(getattr(task.config, name)) for name in parts]
    read = set[str]().union(*(names for _, names in contents))
    swapped = {text_field(name, task.features).column for name in options.columns}
    if columns := [name for name in task.features if name in read and name not in swapped]:
        yield f"columns of the task that stay as they are: {', '.join(columns)}"
    for text in (text for texts, _ in contents for text in texts):
        every = find_terms(
            text, options.axis, names=options.names, pipeline=options.pipeline,
            reader=options.reader,
        )  # fmt: skip
        terms = [each.text for each in every if each.attribute]
        words = f", with words of the axis: {', '.join(terms)}" if terms else ""
        yield f"the task's own text stays as it is{words}: {text!r}"
    if any(callable(getattr(task.config, name)) for name in parts):
        yield "what the code of the task writes beside the columns stays as it is, and is not shown"


def _parse_template(template: Any) -> tuple[list[str], set[str]]:
    """Return the texts that a part of a task writes itself, and the columns that it reads."""
    from jinja2 import Environment, meta, nodes

    if isinstance(template, list | dict):
        return [*map(str, template.values() if isinstance(template, dict) else template)], set()
    if not isinstance(template, str):
        return [], set()
    if re.fullmatch(r"\w+", template):
        return [], {template}
    tree = Environment().parse(template)
    texts = [node.data for node in tree.find_all(nodes.TemplateData)]
    texts += [each.value for each in tree.find_all(nodes.Const) if isinstance(each.value, str)]
    return [text for text in texts if re.search(r"\w", text)], meta.find_undeclared_variables(tree)
