"""What every module under `metrics/` keeps, so that it is documentation, Space card and code."""

import ast
import doctest
import inspect
import re
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import evaluate
import pytest
import yaml

from fair_datasets import InputError, load_metric
from fair_datasets.measures import available_metrics
from fair_datasets.models import load_word_vectors

FOLDER = Path(__file__).parents[2] / "metrics"
NAMES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and path.name[0] not in "._")
KINDS = {evaluate.Metric: "metric", evaluate.Comparison: "comparison",
    evaluate.Measurement: "measurement"}  # fmt: skip
SECTIONS = ["What it says", "What it cannot say", "Formula", "Range and direction", "Inputs",
            "Example", "Limits", "Citation"]  # fmt: skip


def front_matter(name: str) -> dict[str, Any]:
    """Return the metadata of a card."""
    text = (FOLDER / name / "README.md").read_text(encoding="utf-8")
    match = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    assert match, "the card opens with its metadata"
    return dict(yaml.safe_load(match.group(1)))


def kind_of(module: evaluate.EvaluationModule) -> str:
    """Return what evaluate calls a module."""
    return next(kind for parent, kind in KINDS.items() if isinstance(module, parent))


def test_all_are_found() -> None:
    """What lies in the checkout is what an installed package offers."""
    assert available_metrics() == NAMES
    assert len(NAMES) >= 17


@pytest.mark.parametrize("name", NAMES)
def test_a_checkout_loads_it_by_its_path(name: str) -> None:
    """`evaluate.load("metrics/<name>")` gives the module, of the same kind as the installed one."""
    module = evaluate.load(str(FOLDER / name))
    assert module.name == name
    assert kind_of(module) == kind_of(load_metric(name))


@pytest.mark.parametrize("name", NAMES)
def test_the_card_is_a_space_card(name: str) -> None:
    """The metadata name the kind, as the Hub's search needs it."""
    metadata = front_matter(name)
    assert metadata["tags"] == ["evaluate", kind_of(load_metric(name))]
    assert metadata["sdk"] == "gradio"
    assert metadata["license"] == "apache-2.0"
    assert metadata["app_file"] == "app.py"
    assert metadata["title"]
    assert metadata["description"].strip().endswith(".")
    assert "fair-datasets" in (FOLDER / name / "requirements.txt").read_text().split()


@pytest.mark.parametrize("name", NAMES)
def test_the_card_says_what_it_has_to(name: str) -> None:
    """Every card has the same sections, in the same order."""
    text = (FOLDER / name / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == SECTIONS
    assert ">>>" in text.split("## Example")[1].split("## Limits")[0]


def test_whatever_reads_texts_takes_a_reader(nameless: str, tmp_path: Path) -> None:
    """A measure with the option `names` has `pipeline` and `reader`, and asks what it is given."""
    words = {"he": [1, 0], "she": [0, 1], "man": [1, 0.5], "woman": [0.5, 1], "Mary": [0, 1]}
    load_word_vectors(words).save(tmp_path / "v.npz")
    columns = {"bias_score": {"vectors": str(tmp_path / "v.npz")},
        "label_association": {"labels": [1, 0]}, "representation": {}}  # fmt: skip
    modules = {name: load_metric(name) for name in NAMES}
    assert columns.keys() == {
        name
        for name, module in modules.items()
        if "names" in module.ARGUMENTS.keys() - module.features.keys()
    }
    for name, more in columns.items():
        ask = partial(modules[name].compute, data=["Mary left.", "It rained."], **more)
        assert ask(undefined="zero") != ask(undefined="zero", reader=nameless)
        with pytest.raises(InputError, match="'en_no_such' is neither an installed spaCy pipeline"):
            ask(pipeline="en_no_such")


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_the_module_run(name: str) -> None:
    """The module has the example of its card, which is true, and the citation."""
    module = load_metric(name)
    assert module.info.citation.startswith("@")
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(
        optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )  # fmt: skip
    examples = parser.get_doctest(module.info.inputs_description, {}, name, None, None)
    assert examples.examples
    assert runner.run(examples).failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_parameters_are_explicit(name: str) -> None:
    """A misspelt parameter is an error, so no module swallows what it does not know."""
    parameters = inspect.signature(load_metric(name)._compute).parameters.values()
    assert all(parameter.kind is not parameter.VAR_KEYWORD for parameter in parameters)


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_documented(name: str) -> None:
    """In the module's own documentation, in their order, and among the inputs of its card."""
    module = load_metric(name)
    known = list(inspect.signature(module._compute).parameters)
    arguments = module.inputs_description.split("Args:")[1].split("Returns:")[0]
    assert re.findall(r"^    (\w+): ", arguments, re.MULTILINE) == known
    card = (FOLDER / name / "README.md").read_text(encoding="utf-8")
    inputs = card.split("## Inputs")[1].split("## Example")[0]
    assert [parameter for parameter in known if f"`{parameter}`" not in inputs] == []


@pytest.mark.parametrize("name", NAMES)
def test_evaluate_finds_the_module_alone(name: str) -> None:
    """It takes the first class of a file that is a module, so that the base must not be one."""
    found = type(load_metric(name))
    inside = [
        each for each in vars(sys.modules[found.__module__]).values() if isinstance(each, type)
    ]
    assert [each for each in inside if issubclass(each, evaluate.EvaluationModule)] == [found]


@pytest.mark.parametrize("name", NAMES)
def test_it_holds_no_mathematics(name: str) -> None:
    """The module calls the package; arithmetic in it would be a second place to look."""
    tree = ast.parse((FOLDER / name / f"{name}.py").read_text(encoding="utf-8"))
    arithmetic = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.Mod)
    found = [node for node in ast.walk(tree) if isinstance(node, arithmetic)]
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert not found
    assert not any("numpy" in ast.unparse(node) for node in imports)


@pytest.mark.parametrize("name", NAMES)
def test_no_rows(name: str) -> None:
    """No module stumbles over an empty list: it gives a result, or a sentence of its own."""
    module = load_metric(name)
    columns: dict[str, list[Any]] = {column: [] for column in module.features}
    options: dict[str, Any] = {"model": lambda texts: [[1.0] for _ in texts]}
    with suppress(InputError):
        result = module.compute(**columns, undefined="zero", **(options if name == "seat" else {}))
        assert isinstance(result, dict)


@pytest.mark.parametrize("name", NAMES)
def test_every_choice_is_checked(name: str) -> None:
    """Also where every value is defined, or none is asked for."""
    module = load_metric(name)
    columns: dict[str, list[Any]] = {column: [] for column in module.features}
    options: dict[str, Any] = {"undefined": "none"}
    if name == "seat":
        options["model"] = lambda texts: [[1.0] for _ in texts]
    with pytest.raises(InputError, match="undefined must be one of 'nan', 'zero', 'raise'"):
        module.compute(**columns, **options)
