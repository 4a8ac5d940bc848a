"""The second tab: a small CSV file, its counts before and after, and the file to download."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import gradio as gr
from choices import PRIVATE, Choices
from csv_files import MAX_BYTES, MAX_ROWS, augment_csv, read_csv
from display import POINTER, counts_html
from examples import ROWS
from settings import checked_settings
from snippets import csv_snippet

from fair_datasets import InputError

_AXES, _TARGETS = ["gender", "age"], ["young"]
_LIMIT = f"up to {MAX_BYTES / 1e6:.0f} MB and {MAX_ROWS:,} rows"
_REPORT = "Rows in: {rows:,}. Counterfactuals added: {added:,}."


def build_csv_tab() -> None:
    """Lay the tab out, with an example and its counts."""
    chosen = Choices(_AXES, _TARGETS, "csv")
    with gr.Row(elem_id="page-csv"):
        with gr.Column(elem_classes="given"):
            rows = gr.Textbox(
                ROWS, label=f"Rows of a CSV with a header, {_LIMIT}", lines=8, max_lines=12,
                elem_id="rows",
            )  # fmt: skip
            upload = gr.File(
                label="Or a file, which is read in place of the rows", type="binary", height=150,
                elem_id="upload",
            )  # fmt: skip
            column = gr.Dropdown(
                read_csv(ROWS.encode()).header, value="text", label="Text column",
                allow_custom_value=True, elem_id="column",
            )  # fmt: skip
            chosen.axes.render()
            button = gr.Button("Add the counterfactuals", variant="primary", elem_id="augment")
            gr.HTML(POINTER.format("csv-others"), elem_classes="pointer")
        with gr.Column(elem_classes="found"):
            outputs = _show_results(None, ROWS, "text", _AXES, _TARGETS, True, "they", "")
        with gr.Column(elem_classes="chosen", elem_id="csv-others"):
            chosen.show_others()
    given = [upload, rows]
    inputs = [*given, column, *chosen.inputs]
    gr.on([upload.change, rows.blur], _on_rows, [*given, column], [column, outputs[0]], **PRIVATE)
    button.click(answer, inputs, outputs, api_visibility="private")
    chosen.on_change(answer, inputs, outputs)


def answer(upload: bytes | None, rows: str, column: str, *chosen: Any) -> Iterator[tuple[Any, ...]]:
    """Give the counts and the augmented file, or the sentence that says what is wrong.

    Args:
        upload: The bytes of a file, which goes before the rows.
        rows: The rows as text.
        column: The text column.
        chosen: The values of the settings.

    Yields:
        What is shown: a report, the chart, the file, the code.
    """
    try:
        settings = checked_settings(*chosen)
        result = augment_csv(_content(upload, rows), column, settings)
    except InputError as error:
        yield str(error), "", gr.update(value=None, visible=False), ""
        return
    report = _REPORT.format(rows=result.rows, added=result.added)
    code = csv_snippet(column, result.delimiter, settings)
    # Gradio copies the file before it goes on, and deletes the copy later.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "augmented.csv")
        path.write_text(result.text, encoding="utf-8", newline="")
        yield report, counts_html(result.counts), gr.update(value=str(path), visible=True), code


def _show_results(*example: Any) -> Sequence[Any]:
    """Put what is found on the page, for an example; its file is made when it is asked for."""
    report, chart, _, code = next(answer(*example))
    summary = gr.Textbox(report, label="What was done", interactive=False, elem_id="report")
    with gr.Accordion("Mentions of each group, before and after"):
        counts = gr.HTML(chart, elem_id="counts")
    download = gr.File(
        label="The augmented file", interactive=False, visible=False, elem_id="download"
    )
    with gr.Accordion("Copy as Python"):
        python = gr.Code(
            code, language="python", show_label=False, interactive=False, elem_id="csv-code",
            show_line_numbers=False, wrap_lines=True, buttons=["copy"],
        )  # fmt: skip
    return summary, counts, download, python


def _content(upload: bytes | None, rows: str) -> bytes:
    """Return the bytes of the file, or of the rows where there is none."""
    return (rows or "").encode("utf-8", "replace") if upload is None else upload


def _on_rows(upload: bytes | None, rows: str, column: str) -> tuple[Any, str]:
    """Offer the columns of what was given, or say what is wrong."""
    try:
        header = read_csv(_content(upload, rows)).header
    except InputError as error:
        return gr.update(choices=[], value=None), str(error)
    names = [name for name in (column, "text", *header) if name in header]
    return gr.update(choices=header, value=names[0]), ""
