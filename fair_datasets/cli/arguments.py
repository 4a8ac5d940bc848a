"""Arguments that several commands share."""

import argparse
from typing import Any

from fair_datasets.diet import ProbeTrainer


def add_text(parser: argparse.ArgumentParser) -> None:
    """Add the text columns."""
    parser.add_argument(
        "--text",
        action="append",
        required=True,
        metavar="COL",
        help="a text column; repeat it for several, which are read together",
    )


def add_label(parser: argparse.ArgumentParser) -> None:
    """Add the label column."""
    parser.add_argument(
        "--label", default="label", metavar="COL", action=_Once,
        help="the column with the class (default: label)",
    )  # fmt: skip


def add_axis(parser: argparse.ArgumentParser) -> None:
    """Add the demographic axis, and whether names are read."""
    parser.add_argument(
        "--axis", default="gender", help="a lexicon's name, or your own .tsv file (default: gender)"
    )
    add_names(parser)


def add_names(parser: argparse.ArgumentParser) -> None:
    """Add whether names are read."""
    parser.add_argument(
        "--names",
        action=argparse.BooleanOptionalAction,
        help="swap names too (default: first names of men and women only)",
    )


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the classifier that is trained, and how."""
    parser.add_argument(
        "--model",
        default="linear",
        metavar="MODEL",
        help="linear: logistic regression on TF-IDF features, in seconds and without a download "
        "(the default); or the Hub id or folder of a model to fine-tune",
    )
    parser.add_argument(
        "--learning-rate", type=float, default=2e-5, help="of fine-tuning (default: 2e-5)"
    )
    parser.add_argument(
        "--batch-size", type=int, default=32, metavar="N", help="of fine-tuning (default: 32)"
    )
    parser.add_argument(
        "--max-length",
        type=int,
        default=128,
        metavar="N",
        help="how many tokens of a text a model reads (default: 128)",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the seed."""
    parser.add_argument("--seed", type=int, default=0, help="the seed of the draws (default: 0)")


def trainer_of(options: argparse.Namespace, **others: Any) -> ProbeTrainer:
    """Return how the classifiers are trained that `add_model` describes."""
    return ProbeTrainer(
        columns=tuple(options.text),
        label=options.label,
        model=options.model,
        learning_rate=options.learning_rate,
        batch_size=options.batch_size,
        max_length=options.max_length,
        **others,
    )


class _Once(argparse.Action):
    """Store an argument, and refuse a second one, of which the first would be lost in silence."""

    _is_given = False

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the value."""
        if self._is_given:
            parser.error(f"{option_string} names one column; run the command for each label apart.")
        self._is_given = True
        setattr(namespace, self.dest, values)
