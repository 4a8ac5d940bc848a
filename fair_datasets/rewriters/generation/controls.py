"""What a model is told: the word that stands for a person, the attribute, and the text.

The formats are those of the models of Qian et al. (2022), "Perturbation Augmentation for Fairer
NLP", and a template of one's own for any other model.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any

from fair_datasets.system.checks import format_choices, invalid, suggestion

SEPARATOR = "<SEP>"
"""What stands between the texts of several columns."""

FORMATS = {
    "perturber": "{word}, {attribute} <PERT_SEP> {text}",
    "perturbers": "{word}<SEP> {attribute}<PERT_SEP> {text}",
    "plain": "{text}",
}
"""The formats by their names: of facebook/perturber, of the smaller models after it, and of a model
that is given nothing but the text."""

ATTRIBUTES = (
    "man", "woman", "non-binary",
    "white", "black", "hispanic", "asian", "native-american", "pacific-islander",
    "child", "young", "middle-aged", "senior", "adult",
)  # fmt: skip
"""The attributes that the models of the paper were taught, as the lexicons of gender, race and age
name them, too."""

_FIELDS = ("word", "attribute", "text")
# What a template writes as a sign, which a model knows only as one token.
_SIGN = re.compile(r"<[^<>{}\s]+>")


@dataclass(frozen=True, slots=True)
class Control:
    """How a model is told what to do.

    Attributes:
        template: The text with the fields {word}, {attribute} and {text}.
        attributes: The attributes that the model was taught; none where that is not known.
    """

    template: str
    attributes: tuple[str, ...]

    @classmethod
    def read(cls, control: Any, formats: Mapping[str, str] = FORMATS) -> "Control":
        """Read the name of a format, or a template of one's own."""
        if isinstance(control, str) and control in formats:
            taught = ATTRIBUTES if control.startswith("perturber") else ()
            return cls(formats[control], taught)
        fields = _fields_of(control)
        if fields is None or (len(fields) < 1 or "text" not in fields):
            raise invalid(
                f"control must be one of {format_choices(formats)}, or a template with the field "
                f"{{text}} such as '{{word}}, {{attribute}}: {{text}}', but it is {control!r}."
                + (suggestion(control, formats) if isinstance(control, str) else "")
            )
        for field in fields:
            if field not in _FIELDS:
                raise invalid(
                    f"control has the field {field!r}; its fields are {format_choices(_FIELDS)}."
                    + suggestion(field, _FIELDS)
                )
        return cls(control, ())

    @property
    def asks_for_a_word(self) -> bool:
        """Whether the model is told which word stands for the person who is asked."""
        return "{word}" in self.template

    def refuse_unknown(self, attributes: Sequence[str]) -> None:
        """Raise if the model was not taught one of the attributes."""
        for attribute in attributes:
            if self.attributes and attribute not in self.attributes:
                raise invalid(
                    f"models of this control were not taught the attribute "
                    f"{attribute!r}, only {format_choices(self.attributes)}; choose another "
                    "target, or give a template of the model's own as control."
                )

    def signs(self, *, several: bool) -> tuple[str, ...]:
        """Return the signs that the model has to know as one token.

        Example:
            >>> Control.read("perturber").signs(several=True)
            ('<PERT_SEP>', '<SEP>')
        """
        signs = [*_SIGN.findall(self.template), *([SEPARATOR] if several else [])]
        return tuple(dict.fromkeys(signs))

    def refuse_tokenizer(self, tokenizer: Any, name: str, *, several: bool) -> None:
        """Raise unless a tokenizer knows the signs of the control as one token each."""
        vocabulary = tokenizer.get_vocab()
        for sign in self.signs(several=several):
            if sign not in vocabulary:
                joins = sign == SEPARATOR and sign not in self.template
                what = "which joins the texts of several columns" if joins else "of the control"
                advice = "name one column" if joins else "choose the control that it was taught"
                raise invalid(
                    f"the tokenizer of {name!r} lacks the token {sign!r} {what}; "
                    f"{advice}, or give the model that has it."
                )

    def written(self, word: str, attribute: str, texts: Sequence[str]) -> str:
        """Write what a model is given.

        Returns:
            The control with the texts, joined by " <SEP> ".
        """
        return self.template.format(word=word, attribute=attribute, text=joined(texts))


def joined(texts: Sequence[str]) -> str:
    """Join the texts of a row."""
    return f" {SEPARATOR} ".join(texts)


def parted(text: str) -> list[str]:
    """Part what a model wrote into the texts of a row.

    Returns:
        The texts, without the spaces around the sign between them.
    """
    parts = text.split(SEPARATOR)
    parts[1:] = [part.removeprefix(" ") for part in parts[1:]]
    parts[:-1] = [part.removesuffix(" ") for part in parts[:-1]]
    return parts


def _fields_of(control: Any) -> list[str] | None:
    """Return the fields of a template; None if it is none."""
    if not isinstance(control, str):
        return None
    try:
        parsed = list(Formatter().parse(control))
    except ValueError:
        return None
    if any(form or conversion for _, _, form, conversion in parsed):
        return None
    return [field for _, field, _, _ in parsed if field is not None]
