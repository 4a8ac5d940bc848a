"""Measures of columns from the shell."""

import inspect
import json
import math
from pathlib import Path
from typing import Any

import pytest

from fair_datasets import load_metric
from fair_datasets.cli.measures import FLAGS, is_column, parameters
from fair_datasets.measures import available_metrics

COLUMNS: dict[str, list[Any]] = {
    "yhat": [1, 0, 1, 1, 0, 1], "other": [1, 1, 1, 1, 0, 0], "y": [1, 1, 0, 1, 0, 0],
    "g": ["a", "a", "b", "b", "a", "b"], "share": [0.9, 0.2, 0.8, 0.7, 0.1, 0.6],
    "text": ["He left.", "She left.", "It rains.", "He saw her.", "She rows.", "Rain."],
    "kind": ["out", "out", "in", "out", "in", "in"], "changed": [1, 1, 0, 1, 1, 0],
}  # fmt: skip
OF = {"predictions": "yhat", "references": "y", "groups": "g", "data": "text", "labels": "kind",
      "counterfactual_predictions": "other", "changed": "changed"}  # fmt: skip
WITHOUT_MODEL = (
    "counterfactual_flip_rate", "demographic_parity", "equal_opportunity", "equalized_odds",
    "error_rate_equality", "fairscore", "label_association", "rate_difference", "representation",
    "subgroup_auc",
)  # fmt: skip


@pytest.fixture
def rows(here: Path) -> list[dict[str, Any]]:
    """Write the rows as CSV, and return them."""
    values = zip(*COLUMNS.values(), strict=True)
    found = [dict(zip(COLUMNS, row, strict=True)) for row in values]
    lines = [",".join(COLUMNS), *(",".join(map(str, row.values())) for row in found)]
    (here / "in.csv").write_text("\n".join(lines) + "\n")
    return found


def needed(name: str) -> dict[str, str]:
    """Return the columns that a measure needs, and those that it can do with."""
    names = {"predictions": "share"} if name == "subgroup_auc" else {}
    return {
        key: names.get(key, OF[key])
        for key, each in parameters(name).items()
        if is_column(each) and key in OF
    }


def option_of(name: str) -> str:
    """Return how a shell calls a parameter."""
    return FLAGS.get(name, f"--{name.replace('_', '-')}")


def words_of(name: str) -> list[str]:
    """Write those columns as options."""
    options = {key: option_of(key) for key in parameters(name)}
    return [word for key, column in needed(name).items() for word in (options[key], column)]


def test_names_are_those_that_a_reader_tells(run: Any, here: Path, nameless: str) -> None:
    """The option is told in the result."""
    (here / "names.csv").write_text("text\nMary left.\nHe left.\n")
    words = ["measure", "representation", "names.csv", "--text", "text", "--json"]
    plain, asked = (json.loads(run(*words, *more).out) for more in ([], ["--reader", nameless]))
    assert [each["result"]["mentions"]["woman"] for each in (plain, asked)] == [1, 0]
    assert (plain["options"], asked["options"]) == ({}, {"reader": nameless})


@pytest.mark.usefixtures("rows")
def test_models_are_loaded_without_a_bar(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody watches, also once transformers is imported."""
    from transformers.utils import logging

    monkeypatch.setattr(logging, "_tqdm_active", True)
    assert run("measure", "representation", "in.csv", "--text", "text").code == 0
    assert not logging.is_progress_bar_enabled()


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("name", WITHOUT_MODEL)
def test_the_shell_gives_what_python_gives(run: Any, name: str) -> None:
    """The result is that of the module, number by number; where one is undefined it is null."""
    outcome = run("measure", name, "in.csv", *words_of(name), "--json").done()
    found = json.loads(outcome.out)
    given = {key: COLUMNS[column] for key, column in needed(name).items()}
    expected = load_metric(name).compute(**given, undefined="zero")
    assert found["measure"] == name
    assert found["rows"] == 6
    assert found["columns"] == {key: [column] for key, column in needed(name).items()}
    assert_like(found["result"], json.loads(json.dumps(expected)), bool(found["warnings"]))


def assert_like(found: Any, expected: Any, has_undefined: bool) -> None:
    """Compare results, of which undefined numbers are null on the one side and 0 on the other."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key in expected:
            # Of rates that are not compared nobody is warned.
            is_beside = key in ("false_discovery_rate", "false_omission_rate")
            assert_like(found[key], expected[key], has_undefined or is_beside)
    elif isinstance(expected, list):
        for one, other in zip(found, expected, strict=True):
            assert_like(one, other, has_undefined)
    elif found is None and expected is not None:
        assert has_undefined
    elif isinstance(expected, float):
        assert math.isclose(found, expected)
    else:
        assert found == expected


@pytest.mark.usefixtures("rows")
def test_a_table_is_read(run: Any) -> None:
    """Single values stand first, then a line for each group, in columns."""
    words = ("--predictions", "yhat", "--groups", "g")
    outcome = run("measure", "demographic_parity", "in.csv", *words).quiet()
    assert outcome.out == (
        "demographic_parity of 6 rows of in.csv\n\n"
        "score       0.3333\n"
        "difference  0.6667\n"
        "ratio       0.3333\n\n"
        "groups\n"
        "group  count  predicted_positives  selection_rate\n"
        "a          3                    1          0.3333\n"
        "b          3                    3          1.0000\n"
    )


def test_an_undefined_value_is_shown_with_its_reason(run: Any, here: Path) -> None:
    """The warning goes to the standard error, and into the JSON."""
    (here / "in.csv").write_text("p,y,g\n1,1,a\n1,0,b\n0,1,b\n")
    words = ("equal_opportunity", "in.csv", "--predictions", "p", "--references", "y",
             "--groups", "g", "--outcome", "0")  # fmt: skip
    outcome = run("measure", *words).done()
    assert "difference  undefined" in outcome.out
    assert outcome.err.count("group 'a' has no rows with reference 0") == 1
    found = json.loads(run("measure", *words, "--json").out)
    assert found["result"]["difference"] is None
    assert found["options"] == {"outcome": 0}
    assert "group 'a' has no rows with reference 0" in found["warnings"][0]


@pytest.mark.usefixtures("rows")
def test_options_are_those_of_the_signature(run: Any) -> None:
    """Choices, numbers, switches, labels and shares are read as Python would have them."""
    words = ("--predictions", "yhat", "--references", "y", "--groups", "changed", "--json")
    order = ("--order", 1, "--order", 0)
    found = json.loads(run("measure", "rate_difference", "in.csv", *words, *order).out)
    assert found["result"]["order"] == [1, 0]
    shares = [f"--reference={name}={share}" for name, share in
              {"man": 0.5, "woman": 0.5, "non-binary": 0}.items()]  # fmt: skip
    text = ("measure", "representation", "in.csv", "--text", "text", "--json")
    found = json.loads(run(*text, *shares, "--no-names").out)
    assert found["options"] == {
        "names": False, "reference": {"man": 0.5, "woman": 0.5, "non-binary": 0.0},
    }  # fmt: skip
    assert found["result"]["reference"] == {"man": 0.5, "woman": 0.5, "non-binary": 0.0}


def test_texts_inside_columns(run: Any, here: Path) -> None:
    """A row of a conversation is one text; where nobody of the role speaks, nobody is mentioned."""
    talks = [
        [{"role": "user", "content": "Is he in?"}, {"role": "assistant", "content": "She is."}],
        [{"role": "assistant", "content": "Her too."}],
    ]
    (here / "in.jsonl").write_text("".join(json.dumps({"messages": talk}) + "\n" for talk in talks))
    words = ("measure", "representation", "in.jsonl", "--json", "--text", "messages[].content")
    assert json.loads(run(*words).out)["result"]["mentions"] == {
        "man": 1, "woman": 2, "non-binary": 0,
    }  # fmt: skip
    found = json.loads(run(*words, "--role", "user").out)
    assert found["result"]["mentions"] == {"man": 1, "woman": 0, "non-binary": 0}
    assert found["result"]["rows"] == 2
    (here / "in.jsonl").write_text('{"a": "He left.", "b": "She left."}\n')
    found = json.loads(run("measure", "representation", "in.jsonl", "--json", "--text", "a",
                           "--text", "b").out)  # fmt: skip
    assert found["result"]["mentions"] == {"man": 1, "woman": 1, "non-binary": 0}


def test_text_classes_and_several_columns_of_groups(run: Any, here: Path) -> None:
    """One class counts against the rest; a group is one for each combination of the labels."""
    (here / "in.csv").write_text(
        "p,y,sex,age\nspam,spam,w,1\nspam,ham,w,2\nham,ham,m,1\nspam,spam,m,2\nham,spam,m,2\n"
    )
    words = ("in.csv", "--predictions", "p", "--references", "y", "--groups", "sex", "--groups",
             "age", "--json")  # fmt: skip
    parity = ("--positive", "spam", "--method", "to_overall", "--undefined", "zero")
    found = json.loads(run("measure", "predictive_parity", *words, *parity).out)
    assert found["columns"]["groups"] == ["sex", "age"]
    assert [row["group"] for row in found["result"]["groups"]] == [
        ["m", 1], ["m", 2], ["w", 1], ["w", 2],
    ]  # fmt: skip
    assert found["result"]["difference"] == pytest.approx(2 / 3)
    f1 = ("--metric", "f1_score", "--metric-options", "average=micro", "--metric-options",
          "zero_division=0")  # fmt: skip
    found = json.loads(run("measure", "group_metric", *words, *f1).out)
    assert found["options"]["metric_options"] == {"average": "micro", "zero_division": 0}
    assert (found["result"]["worst_group"], found["result"]["worst"]) == (["w", 2], 0)
    assert found["result"]["overall"] == pytest.approx(0.6)


def test_the_positive_class_is_the_one_of_the_column(run: Any, here: Path) -> None:
    """A number is a number also where a group is called by the same sign."""
    (here / "in.jsonl").write_text('{"p": 2, "g": "2"}\n{"p": 0, "g": "2"}\n{"p": 1, "g": "3"}\n')
    words = ("in.jsonl", "--predictions", "p", "--groups", "g", "--positive", "2", "--json")
    found = json.loads(run("measure", "demographic_parity", *words).out)
    assert found["options"] == {"positive": 2}
    assert found["result"]["difference"] == 0.5


def test_every_measure_is_listed(run: Any) -> None:
    """The help has one line for each, and each has a help of its own."""
    told = run("measure", "--help").out
    assert all(name in told for name in available_metrics())
    for name in available_metrics():
        helped = run("measure", name, "--help").quiet()
        assert all(option_of(each) in helped.out for each in parameters(name))


def test_numbers_that_are_kept_as_text(run: Any, tmp_path: Path) -> None:
    """A column in which a zero is written at the end is one of numbers to a measure."""
    file = tmp_path / "scores.csv"
    file.write_text("label,group,score\n1,a,0.90\n0,a,.25\n0,b,7.5e-1\n1,b,0.80\n")
    outcome = run(
        "measure", "subgroup_auc", file, "--predictions", "score", "--references", "label",
        "--groups", "group", "--json",
    ).done()  # fmt: skip
    found = load_metric("subgroup_auc").compute(
        predictions=[0.9, 0.25, 0.75, 0.8], references=[1, 0, 0, 1], groups=["a", "a", "b", "b"]
    )
    assert json.loads(outcome.out)["result"] == found
    file.write_text("label,group,score\n1,a,0.90\n0,a,high\n")
    told = run(
        "measure", "subgroup_auc", file, "--predictions", "score", "--references", "label",
        "--groups", "group",
    )  # fmt: skip
    assert "predictions must be numbers, but row 0 is '0.90'" in told.err


@pytest.mark.parametrize("name", available_metrics())
def test_what_a_shell_takes_is_what_python_takes(name: str) -> None:
    """Though the module is not loaded for it: the same parameters, columns and defaults."""
    module = load_metric(name)
    python = inspect.signature(module._compute).parameters
    found = parameters(name)
    assert list(found) == list(module.ARGUMENTS) == list(python)
    for key, each in found.items():
        assert each.text.removeprefix("A column: ")[1:].startswith(
            module.ARGUMENTS[key].partition(" (default: ")[0].rstrip(".")[1:]
        )
        if not is_column(each):
            assert each.default == python[key].default
