"""The settings as a visitor chooses them: the same on both tabs."""

from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr
from settings import USUAL_PRONOUNS, offered_axes, target_choices

from fair_datasets.swap.agreement import available_pronoun_sets

PRIVATE: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
"""How what happens on the page is called: by the page alone."""


class Choices:
    """The components of the settings.

    Args:
        axes: The axes that are chosen at first.
        targets: What their terms are rewritten to at first.
        tab: What the components' ids begin with.

    Attributes:
        inputs: The components, in the order of `checked_settings`.
    """

    def __init__(self, axes: Sequence[str], targets: Sequence[str], tab: str) -> None:
        """Make the components; `show_axes` and `show_others` put them on the page."""
        self.axes = gr.CheckboxGroup(
            offered_axes(), value=list(axes), label="Axes, one or several",
            elem_id=f"{tab}-axes", render=False,
        )  # fmt: skip
        self.targets = gr.Dropdown(
            target_choices(axes), value=list(targets), multiselect=True, render=False,
            label="Rewrite to", elem_id=f"{tab}-targets",
            info="One group per axis; empty for each term's counterpart, or one that is drawn.",
        )  # fmt: skip
        self.names = gr.Checkbox(
            True, label="Swap names, too", elem_id=f"{tab}-names", render=False,
            info="First names of men and women, and names by race; other axes have none.",
        )  # fmt: skip
        self.pronouns = gr.Dropdown(
            available_pronoun_sets(), value=USUAL_PRONOUNS, label="Pronouns of non-binary people",
            elem_id=f"{tab}-pronouns", info="Used where “Rewrite to” is non-binary.", render=False,
        )  # fmt: skip
        self.protect = gr.Textbox(
            label="Leave alone", placeholder="Lily Novak, queen bee", elem_id=f"{tab}-protect",
            info="Names or words, with commas between them; press Enter.", render=False,
        )  # fmt: skip
        self.inputs = [self.axes, self.targets, self.names, self.pronouns, self.protect]

    def show_others(self) -> None:
        """Put all but the axes on the page."""
        for component in self.inputs[1:]:
            component.render()

    def on_change(self, answer: Callable[..., Any], inputs: Any, outputs: Any) -> None:
        """Answer when a setting was changed by hand; the groups follow the axes first."""
        axes, targets = self.axes, self.targets
        # A second click while the first is answered counts, too.
        last: Any = PRIVATE | {"trigger_mode": "always_last"}
        offered = axes.input(_offered_targets, [axes, targets], targets, **last)
        offered.then(answer, inputs, outputs, **last)
        events = [targets.input, self.names.input, self.pronouns.input, self.protect.submit]
        gr.on(events, answer, inputs, outputs, **last)


def filled(text: str, axes: Sequence[str], targets: Sequence[str], *others: Any) -> tuple[Any, ...]:
    """Return an example as the values of the components."""
    return text, axes, gr.update(choices=target_choices(axes), value=list(targets)), *others


def _offered_targets(axes: Sequence[str], targets: Sequence[str]) -> Any:
    """Offer the groups of the chosen axes, and keep those that are chosen already."""
    choices = target_choices(axes)
    offered = [name for name in targets if name in {value for _, value in choices}]
    return gr.update(choices=choices, value=offered)
