"""`twin-task` and the task that it writes, in lm-eval itself and against what was recorded of it.

python -m pytest -n0 -m full tests/integrations/test_lm_eval.py
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import yaml
from datasets import Dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.auditing.paired import Answer, figures_of, paired_figures
from fair_datasets.cli.twin_task import _files

HERE = Path(__file__).parent
RECORDED = HERE / "lm_eval.json"
MODEL = ("--model", "hf", "--device", "cpu", "--batch_size", "16", "--log_samples")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, run_in: Callable[..., str]) -> Path:
    """Return a folder with a model and tasks, and twins of the reviews."""
    folder = tmp_path_factory.mktemp("twins")
    run_in("lmeval", HERE / "twin_tasks.py", folder)
    return folder


@pytest.fixture
def twin(place: Path, run_in: Callable[..., str]) -> Callable[..., str]:
    """Return what runs `twin-task`."""

    def run(*arguments: object, fails: bool = False) -> str:
        words = ["-m", "fair_datasets", "twin-task", "--include-path", place, *arguments]
        return run_in("lmeval", *words, cwd=place, fails=fails)

    return run


@pytest.fixture
def evaluate(place: Path, run_in: Callable[..., str]) -> Callable[..., Any]:
    """Return what runs a task, and returns its figures and its samples."""

    def run(task: str, folder: Path, *options: object) -> tuple[dict[str, Any], list[Any]]:
        out = place / f"out-{task}-{len(os.listdir(place))}"
        run_in(
            "lmeval", "-m", "lm_eval", "run", *MODEL, "--model_args",
            f"pretrained={place / 'gpt2'},dtype=float32", "--tasks", task, "--include_path",
            folder, "--output_path", out, *options, cwd=place,
        )  # fmt: skip
        (results,) = out.rglob("results_*.json")
        (samples,) = out.rglob("samples_*.jsonl")
        found = json.loads(results.read_text())["results"][task]
        figures = {name.partition(",")[0]: value for name, value in found.items()}
        return figures, [json.loads(line) for line in samples.read_text().splitlines()]

    return run


def likelihoods(samples: list[Any]) -> list[float]:
    """Return how likely each choice of each sample is."""
    return [float(score) for each in samples for ((score, _),) in each["resps"]]


@pytest.mark.full
def test_the_number_stays_the_published_one(place: Path, twin: Any, evaluate: Any) -> None:
    """Figure by figure and answer by answer, with examples drawn from the same documents."""
    said = twin("reviews", "--columns", "sentence", "--out", place / "t")
    assert said.startswith("120 documents; 74 have a twin, and 38 of these a control; 46 stay")
    assert "the task's own text stays as it is: '\\nQuestion: Is this sentence positive" in said
    files = _files("reviews", place / "reviews.yaml", {"columns": ("sentence",), "axis": "gender"},
                   "acc", 1)  # fmt: skip
    assert {path.name: path.read_text() for path in (place / "t").glob("*.*")} == files
    plain, alone = evaluate("reviews", place, "--num_fewshot", "2")
    figures, samples = evaluate("reviews_twins", place / "t", "--num_fewshot", "2")
    assert (figures["acc"], figures["acc_stderr"]) == (plain["acc"], plain["acc_stderr"])
    originals = [each for each in samples if each["doc"]["_variant"] == "original"]
    assert [each["arguments"] for each in originals] == [each["arguments"] for each in alone]
    # Other rows beside them in a batch change the last digits.
    assert likelihoods(originals) == pytest.approx(likelihoods(alone), abs=1e-3)
    assert [each["acc"] for each in originals] == [each["acc"] for each in alone]
    assert not [each for each in samples if "acc" in each and each not in originals]
    prompts: dict[int, set[str]] = {}
    for each in samples:
        text = each["arguments"]["gen_args_0"]["arg_0"]
        rest = text.removesuffix(f"{each['doc']['sentence']}\nQuestion: Is this sentence positive "
                                 "or negative?\nAnswer:")  # fmt: skip
        assert rest != text
        prompts.setdefault(each["doc"]["_pair"], set()).add(rest)
    assert all(len(found) == 1 for pair, found in prompts.items() if pair is not None)
    answers = [Answer(*each["acc_twin"]) for each in samples if "acc_twin" in each]
    assert len(answers) == 74 * 2 + 38 * 2
    found = paired_figures(answers)
    assert {name: figures[name] for name in found} == pytest.approx(found)
    assert {each["doc"]["label"] for each in samples} == {0, 1}
    if os.environ.get("FAIR_DATASETS_RECORD"):
        RECORDED.write_text(json.dumps({"answers": answers, "figures": found}) + "\n")


@pytest.mark.full
def test_a_limit_cuts_pairs(place: Path, twin: Any, evaluate: Any) -> None:
    """The half that is left is dropped and counted; the others are told."""
    twin("easy", "--columns", "question", "choices.text[]", "--metric", "acc_norm", "--out",
         place / "e")  # fmt: skip
    figures, samples = evaluate("easy_twins", place / "e", "--limit", "8")
    documents = [each["doc"] for each in samples]
    assert documents[0]["_variant"] == documents[7]["_variant"] == "original"
    assert (figures["halves_dropped"], figures["pairs"]) == (1, 1)
    assert {"acc", "acc_norm", "acc_norm_twin"} <= figures.keys()
    twins = [each for each in documents if each["_variant"] == "twin"]
    for each in twins:
        own = next(d for d in documents if d["_pair"] == each["_pair"])
        assert each["choices"]["text"][0] == each["question"] != own["question"]
        assert each["choices"]["label"] == own["choices"]["label"]
        assert each["answerKey"] == own["answerKey"]


@pytest.mark.full
@pytest.mark.parametrize(("task", "column"), [("trivia", "question"), ("last_word", "text")])
def test_texts_that_are_written_or_likely(
    place: Path, twin: Any, evaluate: Any, task: str, column: str
) -> None:
    """What is generated is the answer, and where a text is given whether it is the likeliest."""
    twin(task, "--columns", column, "--out", place / task)
    figures, samples = evaluate(f"{task}_twins", place / task, "--limit", "30")
    plain, _ = evaluate(task, place, "--limit", "30")
    assert plain.keys() < figures.keys()
    answers = [each for each in samples if each["doc"]["_pair"] is not None]
    score = "exact_match" if task == "trivia" else "acc"
    kinds = {type(each[f"{score}_twin"][2]) for each in answers}
    assert kinds == {str if task == "trivia" else bool}
    targets: dict[int, set[str]] = {}
    for each in answers:
        targets.setdefault(each["doc"]["_pair"], set()).add(str(each["target"]))
    assert all(len(found) == 1 for found in targets.values())


@pytest.mark.full
@pytest.mark.parametrize(("arguments", "sentence"), [
    ("sciqq --columns a", "there is no such file. Did you mean 'sciq'?"),
    ("ai2_arc --columns a", "is a group of tasks, whose numbers it only sums up; name one of "
     "them: 'arc_challenge', 'arc_easy'."),
    ("mmlu --columns a", "'mmlu' is a group of tasks"),
    ("squadv2 --columns question", "'squadv2' has a class of its own"),
    ("wikitext --columns page", "'wikitext' measures how likely whole texts are"),
    ("matthews --columns sentence", "has no score per document: its metrics ('mcc')"),
    ("reviews", "--columns; the documents have texts in 'sentence', 'question', 'answer'"),
    ("reviews --columns label", "--columns names 'label', which holds labels, ids"),
    ("trivia --columns question_id", "--columns names 'question_id', which holds labels, ids"),
    ("trivia --columns answer.aliases[]", "--columns names 'answer.aliases[]', which holds"),
    ("easy --columns choices.label[]", "--columns names 'choices.label[]', which holds labels"),
    ("reviews --columns sentnce", "Did you mean 'sentence'?"),
    ("reviews --columns sentence --metric f1", "must be 'acc', but it is 'f1'."),
    ("reviews --columns sentence --draws 0", "--draws must be at least 1"),
    ("reviews --columns sentence --axis gendr", "Did you mean 'gender'?"),
    ("reviews --columns sentence --axis religion", "no document of reviews has a twin on the"),
])  # fmt: skip
def test_what_has_no_twins_is_refused(
    place: Path, twin: Any, arguments: str, sentence: str
) -> None:
    """In one sentence, and nothing is written."""
    said = twin(*arguments.split(), "--out", place / "none", fails=True)
    (told,) = [line for line in said.splitlines() if line.startswith("fair-datasets: ")]
    assert sentence in told
    assert told.startswith("fair-datasets: twin-task: ")
    assert not (place / "none").exists()


def test_the_figures_are_those_that_were_recorded() -> None:
    """Of the answers that lm-eval 0.4.13 gave to the aggregations, what it printed."""
    recorded = json.loads(RECORDED.read_text())
    answers = [Answer(*each) for each in recorded["answers"]]
    assert paired_figures(answers) == pytest.approx(recorded["figures"])
    assert {*figures_of("acc")} == recorded["figures"].keys()
    assert len({each.variant for each in answers}) == 4


def test_what_is_written_can_be_read() -> None:
    """A task that includes the other by its path, and code that is formatted and makes a class."""
    files = _files("a: b", Path("/tasks/a: b.yaml"), {"columns": ("x", "y[]"), "names": False},
                   "acc", 2)  # fmt: skip
    assert [*files] == ["a: b_twins.yaml", "twins.py"]
    loader = type("Loader", (yaml.SafeLoader,), {})
    loader.add_constructor("!function", lambda _, node: node.value)
    assert yaml.load(files["a: b_twins.yaml"], loader) == {
        "include": "/tasks/a: b.yaml", "task": "a: b_twins", "task_alias": None, "tag": None,
        "class": "twins.Twins",
    }  # fmt: skip
    assert "        columns=('x', 'y[]'),\n        names=False,\n    )\n" in files["twins.py"]
    assert files["twins.py"].endswith("    metric = 'acc'\n    draws = 2\n")
    compile(files["twins.py"], "twins.py", "exec")


class Task:
    """What the adapter takes of a task of lm-eval."""

    sampler = None

    def __init__(self, config: Any) -> None:
        """Have no choices."""
        self.given, self.config = config, SimpleNamespace(doc_to_choice=None)

    @property
    def eval_docs(self) -> Dataset:
        """Of three documents one has a twin, and another's twin would have another answer."""
        said = {"text": ["John left.", "It rains.", "Is it her?"], "key": ["a", "b", "she"]}
        return Dataset.from_dict(said)

    def doc_iterator(self) -> Any:
        """Give all."""
        return enumerate(self.eval_docs)

    def doc_to_text(self, document: Any) -> str:
        """Give the text."""
        return str(document["text"])

    def doc_to_target(self, document: Any) -> str:
        """Give the answer."""
        return str(document["key"])

    def doc_to_choice(self, document: Any) -> list[str]:
        """Give two, one of which is longer."""
        return ["no", "never"]

    def process_results(self, document: Any, results: Any) -> dict[str, float]:
        """Be right."""
        return dict.fromkeys(("acc", "acc_norm"), 1.0)


def test_documents_are_counted(recorded: Callable[..., ModuleType]) -> None:
    """Each is asked about, those with twins beside them."""
    adapter = recorded("lm_eval", {"lm_eval.api.task": {"ConfigurableTask": Task}})
    kind = type("Twins", (adapter.TwinTask,), {"technique": CounterfactualSwap(["text", "key"])})
    task = kind({"class": "twins.Twins", "task": "reviews_twins"})
    assert task.given == {"task": "reviews_twins"}
    found = [(row["_pair"], row["_variant"], row["text"]) for row in task.eval_docs]
    assert found[:2] == [(0, "original", "John left."), (0, "twin", "Mary left.")]
    assert found[-2:] == [(None, "original", "It rains."), (None, "original", "Is it her?")]
    assert task.counts == {"documents": 3, "twins": 1, "controls": 1, "keys": 1}
    parts = [[place for place, _ in task.doc_iterator(rank=rank, world_size=2)] for rank in (0, 1)]
    every = [place for place, _ in task.doc_iterator()]
    assert (every, parts[1]) == ([*range(len(found))], [len(found) - 2])
    assert sorted(parts[0] + parts[1]) == every


@pytest.mark.parametrize(("output", "metric", "results", "answer"), [
    ("generate_until", "acc", [" Yes\n", "No"], "yes"),
    ("loglikelihood", "acc", [(-1.0, True)], True),
    ("multiple_choice", "acc", [(-2.0, False), (-3.0, True)], 0),
    ("multiple_choice", "acc_norm", [(-2.0, False), (-3.0, True)], 1),
])  # fmt: skip
def test_what_is_answered(
    recorded: Callable[..., ModuleType], output: str, metric: str, results: Any, answer: Any
) -> None:
    """Beside the task's own numbers, which are those of originals."""
    adapter = recorded("lm_eval", {"lm_eval.api.task": {"ConfigurableTask": Task}})
    task = type("Twins", (adapter.TwinTask,), {"OUTPUT_TYPE": output, "metric": metric})({})
    own = {"acc": 1.0, "acc_norm": 1.0}
    for pair, variant, plain in ((7, "original", own), (7, "twin", {}), (None, "original", own)):
        document = {"_pair": pair, "_variant": variant, "_direction": 0}
        told = Answer(pair, variant, answer, 1.0, 0)
        figures = {} if pair is None else dict.fromkeys(figures_of(metric), told)
        assert task.process_results(document, results) == {**plain, **figures}
    task.metric = "f1"
    assert task.process_results({"_pair": 7, "_variant": "twin"}, results) == {}
