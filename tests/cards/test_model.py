"""Model cards."""

from typing import Any

import pytest
from huggingface_hub import ModelCard
from markdown_it import MarkdownIt

from fair_datasets import CounterfactualSwap
from fair_datasets.cards import Measured, model_card
from fair_datasets.technique import reproduce


def test_measures_are_results_that_the_hub_reads() -> None:
    """The values after are the model's; those before stand in the text alone."""
    card = ModelCard(
        model_card(
            title="me/toxicity",
            base_model="google/bert_uncased_L-2",
            training_data="me/comments, configuration cda",
            metadata={"license": "mit", "datasets": ["me/comments"], "tags": ["toxicity"]},
            measured=[
                Measured("accuracy", 0.91, before=0.9, data="me/comments, test"),
                Measured("demographic_parity", 0.04, before=0.2, detail="by gender"),
                Measured("equalized_odds", float("nan"), before=0.3),
            ],
        )
    )
    results = card.data.eval_results
    assert results is not None
    assert [(r.metric_type, r.metric_value) for r in results] == [("accuracy", 0.91),
        ("demographic_parity", 0.04)]  # fmt: skip
    assert results[0].dataset_name == "me/comments, test"
    assert results[1].metric_name == "demographic_parity (by gender)"
    assert (card.data.license, card.data.pipeline_tag) == ("mit", "text-classification")
    assert card.data.tags == ["fair_datasets", "toxicity"]
    assert "| equalized\\_odds | 0.3 | not defined |  |  |" in card.text
    assert "0.2" not in str(card.data.to_dict())


@pytest.mark.parametrize("name", ["a: b", "<script>alert(1)</script>", "x\n---\nlicense: mit", "`"])
def test_names_are_no_markup(name: str) -> None:
    """Hostile names of models, data and measures stay names."""
    card = ModelCard(model_card(title=name, base_model=name, training_data=name, command=name,
        measured=[Measured(name, 1.0, data=name, detail=name)]))  # fmt: skip
    assert card.data.license is None
    tokens = MarkdownIt("commonmark").parse(card.text)
    kinds = [child.type for token in tokens for child in [token, *(token.children or [])]]
    assert not {"html_block", "html_inline", "hr", "link_open"} & set(kinds)
    assert [token.tag for token in tokens if token.type == "heading_open"].count("h1") == 1


def test_the_techniques_of_its_training_data_are_rebuilt() -> None:
    """A model's card leads back to the data that it was trained on."""
    swap = CounterfactualSwap(columns="text", seed=3)
    card = model_card(title="m", base_model="b", training_data="d", config=swap.config())
    assert reproduce(card) == (swap,)
    assert "## Citation" in card


@pytest.mark.parametrize(("options", "line"), [
    ({}, 'model = pipeline("text-classification", model="me/m")  # this model'),
    ({"task": "fill-mask"}, 'model = pipeline("fill-mask", model="me/m")  # this model'),
    ({"task": "text2text-generation"}, ""),
    ({"metadata": {"library_name": "sklearn"}}, ""),
])  # fmt: skip
def test_how_to_load_stands_first(options: dict[str, Any], line: str) -> None:
    """Three lines where transformers has a pipeline for the task; none that would not run."""
    card = ModelCard(model_card(title="me/m", base_model="b", training_data="d", **options))
    start = card.text.lstrip().partition("Trained from")[0]
    code = f"```python\nfrom transformers import pipeline\n\n{line}\n```\n\n" if line else ""
    assert start == f"# me/m\n\n{code}"


def test_without_techniques_nothing_is_said_of_them() -> None:
    """A model of one's own data has limits, too."""
    card = model_card(title="m", base_model="b", training_data="d")
    assert "## Techniques" not in card
    assert "## How to make it again" not in card
    assert "- One value is one run" in card
