"""The demo: a text or a small CSV file in, its counterfactual and the reasons out."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from counterfactuals import rewrite, target_choices
from csv_files import MAX_BYTES, MAX_ROWS, augment_csv, read_csv

from fair_datasets import InputError, available_lexicons
from fair_datasets.extras import MissingExtraError, require

try:
    require("demo", owner="The demo")
except MissingExtraError as error:
    # This is a script, whose errors nobody but its reader meets.
    sys.exit(str(error))

import gradio as gr

TITLE = "Counterfactuals of texts about people"
INTRODUCTION = """
A counterfactual is the same text with other words for the people in it: another gender, race, age,
religion, orientation or nationality. A model that is given both shows what it makes of such a word
alone; a dataset that holds both is balanced in it."""
# One colour for all edits, as none is better than another; and letters as they are written.
STYLE = """
#after .highlighted { background: #e0e7ff !important; }
#after .label { background: #3730a3 !important; text-transform: none; }"""
LIMITS = """
### What this cannot show

- The rewriting goes by English word lists and by neighbouring words. Some terms are missed, and
  some are rewritten where they should not be; read the result before you use it.
- It does not show whether a text, a dataset or a model is fair. What a model does has to be
  measured on the model.
- The groups are those of a census or of published word lists. People are more than these, and may
  describe themselves in words that are not here. A rewrite between man and woman says nothing about
  people who are neither; *non-binary* is a target of its own.
- One swapped word does not change what else a text says about a person or a group. Sentences about
  known people and events become false.
- The texts are read on the machine that runs this page, and files are deleted within two hours.
  Upload nothing about people who would not want it."""
EXAMPLES = [
    ["The waitress told Mary that her husband was an actor.", "gender"],
    ["Her white neighbours poured white wine.", "race"],
    ["The elderly driver, a 70-year-old, crossed the old bridge.", "age"],
]


def build() -> gr.Blocks:
    """Lay out the page.

    Returns:
        The app, to be launched.
    """
    axes = sorted(available_lexicons(), key=lambda axis: (axis != "gender", axis))
    # Two hours at most: looked at each hour, deleted when older than one.
    app = gr.Blocks(title=TITLE, analytics_enabled=False, delete_cache=(3600, 3600))
    with app:
        gr.Markdown(f"# {TITLE}\n{INTRODUCTION}")
        with gr.Row():
            axis = gr.Dropdown(axes, value="gender", label="Axis", elem_id="axis")
            target = gr.Dropdown(
                target_choices("gender"), value="", label="Rewrite to", elem_id="target"
            )
        with gr.Tab("Text"):
            text = gr.Textbox(label="Text", lines=4, elem_id="text")
            button = gr.Button("Show the counterfactual", variant="primary", elem_id="rewrite")
            message = gr.Textbox(label="Message", visible=False, elem_id="message")
            after = gr.HighlightedText(
                label="Counterfactual, with what stood there before", elem_id="after"
            )
            verdicts = gr.Dataframe(
                headers=["words", "read as", "what was done, or why they were left alone"],
                datatype="str",
                label="Terms and candidates",
                interactive=False,
                wrap=True,
                elem_id="verdicts",
            )
            gr.Examples(EXAMPLES, [text, axis])
        with gr.Tab("CSV file"):
            limit = f"up to {MAX_BYTES / 1e6:.0f} MB and {MAX_ROWS:,} rows"
            upload = gr.File(
                label=f"A CSV file with a header, {limit}", type="binary", elem_id="upload"
            )
            column = gr.Dropdown([], label="Text column", allow_custom_value=True, elem_id="column")
            augment = gr.Button("Augment the file", variant="primary", elem_id="augment")
            report = gr.Textbox(label="Message", interactive=False, elem_id="report")
            download = gr.File(label="The augmented file", interactive=False, elem_id="download")
        gr.Markdown(LIMITS)
        outputs = [after, verdicts, message]
        axis.change(_on_axis, axis, target)
        button.click(_on_text, [text, axis, target], outputs)
        text.submit(_on_text, [text, axis, target], outputs)
        upload.change(_on_upload, upload, [column, report, download])
        augment.click(_on_augment, [upload, column, axis, target], [download, report])
    return app


def _on_axis(axis: str) -> Any:
    """Offer the targets of the chosen axis."""
    return gr.Dropdown(target_choices(axis), value="")


def _on_text(text: str, axis: str, target: str) -> tuple[Any, Any, Any]:
    """Show a counterfactual, or the sentence that says what is wrong."""
    try:
        pieces, verdicts = rewrite(text, axis, target)
    except InputError as error:
        return [], [], gr.Textbox(str(error), visible=True)
    same = all(before is None for _, before in pieces)
    note = "Nothing was rewritten; the table says why, where there was a candidate."
    return pieces, verdicts, gr.Textbox(note, visible=same)


def _on_upload(content: bytes | None) -> tuple[Any, str, None]:
    """Offer the columns of an uploaded file."""
    if content is None:
        return gr.Dropdown([], value=None), "", None
    try:
        header = read_csv(content).header
    except InputError as error:
        return gr.Dropdown([], value=None), str(error), None
    return gr.Dropdown(header, value="text" if "text" in header else header[0]), "", None


def _on_augment(
    content: bytes | None, column: str, axis: str, target: str
) -> Iterator[tuple[str | None, str]]:
    """Give the augmented file, or the sentence that says what is wrong."""
    if content is None:
        yield None, "There is no file yet; upload a CSV file."
        return
    try:
        augmented, report = augment_csv(content, column, axis, target)
    except InputError as error:
        yield None, str(error)
        return
    # Gradio copies the file before it goes on, and deletes the copy later.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "augmented.csv")
        path.write_text(augmented, encoding="utf-8", newline="")
        yield str(path), report


def main() -> None:
    """Run the app."""
    build().launch(
        css=STYLE,
        max_file_size="20mb",
        ssr_mode=False,
        run_history=False,
        footer_links=["gradio"],
    )


if __name__ == "__main__":
    main()
