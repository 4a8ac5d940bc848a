"""The command `push-twin`: a benchmark and its twin as a dataset of the Hub, run by inspect-ai."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

import yaml
from datasets import Dataset

from fair_datasets.cards.dataset import plain_card
from fair_datasets.cards.statements import limit_lines, technique_lines
from fair_datasets.cli.groups import Axis, Input, Licence, Protect, Seed
from fair_datasets.cli.option_types import COL, INPUT, REPOSITORY
from fair_datasets.cli.outputs import HubOutput, uploading
from fair_datasets.cli.sources import read_rows, refuse_replacing
from fair_datasets.evaluation.twin_benchmark import (
    CONTROLS,
    SCORERS,
    SOLVERS,
    Fields,
    TwinBenchmark,
    check_fields,
    tasks_of,
    twin_benchmark,
)
from fair_datasets.evaluation.versions import ORIGINAL, TWIN
from fair_datasets.hub import push_dataset
from fair_datasets.hub.dataset import EVAL
from fair_datasets.hub.repositories import (
    Upload,
    find_for_writing,
    translate_hub_errors,
    writable_id,
)
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import InputError, format_choices, invalid
from fair_datasets.system.files import temporary_folder
from fair_datasets.system.validate import OneOf


class PushTwin(Input, Axis, Protect, Seed, Licence):
    """Publish a benchmark and its counterfactual twin, which inspect-ai runs.

    The dataset on the Hub has the configurations `original` and `twin`, a card, and an eval.yaml,
    so that `inspect eval hf/USER/NAME` asks a model for both. Questions and their twins share
    `pair` and `family_id`.

    Example: fair-datasets push-twin jobs.csv ada/jobs-twin --question text --answer key

    Attributes:
        repo_id: The dataset to push to.
        split: The split with the questions (default: the only one, or test).
        question: The column with the question.
        answer: The column with the right answer: a text, or with --choices its letter or number.
        choices: The column with the list of choices; or repeat it for several columns with a
            choice each.
        control: Also publish the control, in which other words are swapped, as two more splits
            and tasks; without it nobody can tell whether a flip is due to the group.
        solver: How inspect-ai asks (default: multiple_choice with --choices, else generate); all
            are {SOLVERS}.
        scorer: How inspect-ai scores (default: choice with --choices, else match); all are
            {SCORERS}.
        title: The name of the benchmark (default: that of the repository).
        description: What the benchmark asks for.
        private: Make a new repository private; an existing one has to be private already.
        overwrite: Replace other data, or an eval.yaml with other tasks, that the repository has.
        dry_run: List what would be sent, show eval.yaml, and send nothing.
    """

    ARGUMENTS = "inputs repo_id"
    COMMON = "question answer choices axis control dry_run"

    inputs: tuple[INPUT, ...]
    repo_id: REPOSITORY
    split: Annotated[str, "SPLIT"] | None = None
    question: COL
    answer: COL
    choices: tuple[COL, ...] = ()
    control: bool = False
    solver: tuple[Annotated[str, OneOf(SOLVERS), "NAME"], ...] = ()
    scorer: tuple[Annotated[str, OneOf(SCORERS), "NAME"], ...] = ()
    title: Annotated[str, "TEXT"] | None = None
    description: Annotated[str, "TEXT"] | None = None
    private: bool = False
    overwrite: bool = False
    dry_run: bool = False

    def run(self) -> None:
        """Run the command."""
        target = writable_id(self.repo_id, "dataset", None)
        out = HubOutput(
            path=None, replace=self.overwrite, target=target, config_name=ORIGINAL,
            private=self.private or None,
        )  # fmt: skip
        both = [out, replace(out, config_name=TWIN)]
        fields = Fields(self.question, self.answer, self.choices)
        source, config, splits = read_rows(self, out, (self.question,), split=self.split)
        for each in both:
            refuse_replacing(source, config, each)
        split = self._split(splits)
        check_fields(splits[split], fields)
        swap = self._swap(fields, splits[split])
        made = twin_benchmark(splits[split], split, fields, swap, control=self.control)
        solvers = self.solver or ("multiple_choice" if fields.choices else "generate",)
        scorers = self.scorer or ("choice" if fields.choices else "match",)
        tasks = tasks_of(made, fields.spec(splits[split].features), solvers, scorers)
        name = self.title or target.name.split("/")[-1]
        about = f"Questions, and their counterfactual twins on the axis {swap.axes[0]}."
        content = {"name": name, "description": self.description or about,
                "evaluation_framework": "inspect-ai", "tasks": tasks}  # fmt: skip
        file = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
        if not self.dry_run:
            for each in both:
                each.refuse_taken()
            if not self.overwrite:
                _refuse_other_tasks(target, tasks)
        again = self.again(source.name, config)
        cards = {
            each.config_name: plain_card(
                name, source.shown, out.metadata(source.metadata), again,
                *_notes(each.config_name, made, swap),
            )
            for each in both
        }  # fmt: skip
        for line in self._push(made, cards, {**swap.own_files(), EVAL: file}):
            print(line)
        print("\n".join(["", *_counted(made), "", f"inspect eval hf/{target.name} --model ..."]))

    def _split(self, splits: Mapping[str, Dataset]) -> str:
        """Return the split with the questions."""
        names = list(splits)
        if len(names) > 1 and "test" not in names:
            raise invalid(
                f"there are several splits, {format_choices(names)}; name one by --split."
            )
        split = names[0] if len(names) == 1 else "test"
        if split in CONTROLS:
            raise invalid(f"the split must not be called {split!r}, as those of twins are.")
        return split

    def _swap(self, fields: Fields, rows: Dataset) -> CounterfactualSwap:
        """Return what writes the twins."""
        given = self.settings_for(CounterfactualSwap, columns=fields.swapped(rows.features))
        return CounterfactualSwap(**given | self.protecting)

    def _push(
        self, made: TwinBenchmark, cards: Mapping[str, str], files: Mapping[str, Any]
    ) -> list[str]:
        """Send the originals, then the twins with the files, of which eval.yaml names both."""
        lines = []
        with temporary_folder() as folder, uploading():
            (folder / EVAL).write_text(files[EVAL], "utf-8")
            for config, splits in made.configurations.items():
                upload: Upload = push_dataset(
                    splits, self.repo_id, config_name=config, card=cards[config],
                    files={**files, EVAL: folder / EVAL} if config == TWIN else {},
                    private=self.private or None, overwrite=self.overwrite, dry_run=self.dry_run,
                    commit_message=f"Upload {config} with fair_datasets",
                )  # fmt: skip
                lines.append(upload.describe())
        return [*lines, "", files[EVAL].rstrip("\n")] if self.dry_run else lines


def _refuse_other_tasks(target: Any, tasks: list[dict[str, Any]]) -> None:
    """Raise where a repository has an eval.yaml with tasks that would be lost."""
    with translate_hub_errors(target, writes=True):
        repository = find_for_writing(target, private=None, create_pr=False)
        if repository is None or EVAL not in repository.paths:
            return
        known = yaml.safe_load(repository.download(EVAL).read_text("utf-8"))
    ids = {each.get("id") for each in (known or {}).get("tasks") or ()}
    if lost := ids - {each["id"] for each in tasks}:
        raise InputError(
            f"The eval.yaml of {target.name} has other tasks "
            f"({format_choices(sorted(map(str, lost)))}), which would be lost; choose another "
            "repository, or add --overwrite."
        )


def _counted(made: TwinBenchmark) -> list[str]:
    """Return how many questions have twins and controls."""
    questions, twins, controls, answers = made.counts.values()
    are_in = "included" if CONTROLS[0] in made.configurations[TWIN] else "left out"
    lines = [
        f"{questions:,} questions; {twins:,} have a twin; {controls:,} of these have a control; "
        f"controls are {are_in}"
    ]
    more = f"{answers:,} have no twin, as only their answers would change, and not the question"
    return [*lines, *([more] if answers else [])]


def _notes(config: str, made: TwinBenchmark, swap: CounterfactualSwap) -> list[str]:
    """Return the lines of a card that say what a configuration holds."""
    families = (
        "Questions and their twins share `pair`, the number of the question; those of one template "
        "or id also share `family_id`."
    )
    if config == ORIGINAL:
        return ["The questions as they are; their score is that of the benchmark.", families]
    return [
        f"{'; '.join(_counted(made))}.", families,
        "The twins are the same questions about other people. A model that answers otherwise may "
        "do so because of the group or of any other word, which only the splits `control` and "
        "`control_twin` tell apart, where they are there.",
        "\n".join(technique_lines([swap.config()])), "\n".join(limit_lines([swap.config()])),
    ]  # fmt: skip
