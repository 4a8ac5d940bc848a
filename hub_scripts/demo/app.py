"""The demo: a text or a small CSV in; its counterfactual, the reasons, counts and code out."""

import sys

import datasets

from fair_datasets.system.checks import MissingExtraError, require

try:
    require("demo", owner="The demo")
except MissingExtraError as error:
    # This is a script, whose errors nobody but its reader meets.
    sys.exit(str(error))

import gradio as gr
from counterfactuals import rewrite
from csv_tab import build_csv_tab
from display import STYLE
from settings import Settings, offered_axes
from text_tab import build_text_tab

TITLE = "Counterfactuals of texts about people"
INTRODUCTION = """
A counterfactual is the same text with other words for the people in it: another gender, race, age,
religion, orientation or nationality. A model that is given both shows what it makes of such a word
alone; a dataset that holds both is balanced in it."""
LIMITS = """
### What this cannot show

- The rewriting goes by English word lists and by neighbouring words. Some terms are missed, and
  some are rewritten where they should not be; read the result before you use it.
- It does not show whether a text, a dataset or a model is fair. A classifier's two scores are one
  example, not a measurement.
- The groups are those of a census or of published word lists. People are more than these, and may
  describe themselves in words that are not here. A rewrite between man and woman says nothing about
  people who are neither; *non-binary* is a target of its own.
- One swapped word does not change what else a text says about a person or a group. Sentences about
  people and events become false; those that name one of 15,600 known people stay as they are.
- The texts are read on the machine that runs this page, and files are deleted within two hours.
  Upload nothing about people who would not want it."""


def build() -> gr.Blocks:
    """Lay out the page.

    Returns:
        The app, to be launched.
    """
    # Two hours at most: looked at each hour, deleted when older than one.
    app = gr.Blocks(title=TITLE, analytics_enabled=False, delete_cache=(3600, 3600))
    with app, gr.Column(elem_id="page"):
        gr.Markdown(f"# {TITLE}\n{INTRODUCTION}")
        with gr.Tab("Text"):
            build_text_tab()
        with gr.Tab("CSV file"):
            build_csv_tab()
        gr.Markdown(LIMITS)
    # One answer after the other, so that none to an older question comes last; those who would wait
    # for long are told so.
    return app.queue(max_size=20, default_concurrency_limit=1)


def main() -> None:
    """Run the app."""
    datasets.disable_progress_bars()
    # The lexicons are read before the first visitor comes.
    rewrite("She left.", Settings(tuple(offered_axes())))
    build().launch(
        css=STYLE,
        max_file_size="20mb",
        ssr_mode=False,
        run_history=False,
        footer_links=["gradio"],
    )


if __name__ == "__main__":
    main()
