"""The first tab: a text, its counterfactual, the reasons, a classifier's scores and the code."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import gradio as gr
from choices import PRIVATE, Choices, filled
from counterfactuals import Rewriting, rewrite
from display import POINTER, note_html, scores_html, verdicts_html
from examples import EXAMPLES
from scores import NO_MODEL, offered_models, score
from settings import Settings, checked_settings
from snippets import text_snippet

from fair_datasets import InputError

_FIRST = next(iter(EXAMPLES.values()))
_NOTHING = "Nothing was rewritten; the list says why, where there was a candidate."


def build_text_tab() -> None:
    """Lay the tab out, with an example and its result."""
    chosen = Choices(_FIRST[1], _FIRST[2], "text")
    with gr.Row(elem_id="page-text"):
        with gr.Column(elem_classes="given"):
            text = gr.Textbox(_FIRST[0], label="Text", lines=4, elem_id="text")
            chosen.axes.render()
            button = gr.Button("Show the counterfactual", variant="primary", elem_id="rewrite")
            gr.HTML(POINTER.format("text-others"), elem_classes="pointer")
        inputs = [text, *chosen.inputs]
        with gr.Column(elem_classes="found"):
            outputs = _show_results(*_FIRST)
            _show_classifier(inputs, outputs[2])
        with gr.Column(elem_classes="chosen", elem_id="text-others"):
            chosen.show_others()
            gr.Markdown("**More examples**")
            with gr.Row():
                examples = [gr.Button(label, size="sm", min_width=140) for label in EXAMPLES]
    gr.on([button.click, text.submit], answer, inputs, outputs, **PRIVATE)
    chosen.on_change(answer, inputs, outputs)
    for each, example in zip(examples, EXAMPLES.values(), strict=True):
        event = each.click(partial(filled, *example), None, inputs, **PRIVATE)
        event.then(answer, inputs, outputs, **PRIVATE)


def answer(text: str, *chosen: Any) -> tuple[Any, ...]:
    """Show a counterfactual, or the sentence that says what is wrong.

    Args:
        text: The text.
        chosen: The values of the settings.

    Returns:
        What is shown: a message, the marked and the plain counterfactual, the reasons, the code.
    """
    try:
        rewriting, settings = _rewritten(text, *chosen)
    except InputError as error:
        return gr.update(value=str(error), visible=True), [], "", "", ""
    message = gr.update(value=_NOTHING, visible=rewriting.before == rewriting.after)
    code = text_snippet(rewriting.before, settings)
    return message, rewriting.pieces, rewriting.after, verdicts_html(rewriting), code


def _rewritten(text: str, *chosen: Any) -> tuple[Rewriting, Settings]:
    """Return a text's counterfactual and the settings, or raise."""
    settings = checked_settings(*chosen)
    return rewrite(text, settings), settings


def _show_results(*example: Any) -> Sequence[Any]:
    """Put what is found on the page, for an example."""
    _, pieces, after, verdicts, code = answer(*example)
    message = gr.Textbox(visible=False, label="Message", elem_id="message")
    marked = gr.HighlightedText(
        pieces, label="Counterfactual, with what stood there before", elem_id="after"
    )
    plain = gr.Textbox(
        after, label="The same, to copy", lines=2, interactive=False, buttons=["copy"],
        elem_id="plain",
    )  # fmt: skip
    with gr.Accordion("What was done, where and why"):
        reasons = gr.HTML(verdicts, elem_id="verdicts")
    with gr.Accordion("Copy as Python"):
        python = gr.Code(
            code, language="python", show_label=False, interactive=False, elem_id="code",
            show_line_numbers=False, wrap_lines=True, buttons=["copy"],
        )  # fmt: skip
    return message, marked, plain, reasons, python


def _show_classifier(inputs: Sequence[Any], after: Any) -> None:
    """Offer the scores of the models that the owner named."""
    models = offered_models()
    with gr.Accordion("What does a classifier make of both?"):
        if not models:
            gr.HTML(note_html(NO_MODEL), elem_id="scores")
            return
        model = gr.Dropdown(
            models, value=models[0], label="Classifier", elem_id="model",
            info="The probability of each label; of a long text only the beginning is read.",
        )  # fmt: skip
        button = gr.Button("Score both texts", elem_id="score")
        scores = gr.HTML("", elem_id="scores")
    button.click(_on_score, [model, *inputs], scores, api_visibility="private")
    # Scores of another text than the one that is shown would mislead.
    after.change(lambda: "", None, scores, **PRIVATE)


def _on_score(model: str, text: str, *chosen: Any) -> str:
    """Show a classifier's scores, or the sentence that says what is wrong."""
    try:
        rewriting, _ = _rewritten(text, *chosen)
        return scores_html(score(model, rewriting.before, rewriting.after))
    except InputError as error:
        return note_html(str(error))
