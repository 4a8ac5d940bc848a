"""The command `build-lexicon`: words of two attributes, from one pair or from a review."""

from pathlib import Path
from typing import Annotated, Any

from datasets import concatenate_datasets

from fair_datasets.cards.report import text_table
from fair_datasets.cli.columns import check_text_columns
from fair_datasets.cli.groups import Input, Seed, Texts, Work
from fair_datasets.cli.inputs import load_given
from fair_datasets.cli.option_types import COL, FILE, INPUT, MODEL, WORDS
from fair_datasets.cli.outputs import OneFile, work_folder
from fair_datasets.jobs.file_outputs import FileOutput, new_file, refuse_taken_file
from fair_datasets.rewriters.fairflow import (
    FairFlowConfig,
    FoundLexicon,
    build_lexicon,
    read_review,
)
from fair_datasets.rewriters.fairflow.config import CANDIDATES, DECODERS
from fair_datasets.rewriters.fairflow.review import two_way
from fair_datasets.system.checks import InputError, invalid, require
from fair_datasets.system.validate import Count, OneOf, Positive, Share

_SHOWN = 20
# What a review takes the place of, and what it goes with (of --format, the default is put in).
_NEEDED = {"inputs": "INPUT", "text": "--text", "pairs": "--pair", "model": "--model"}
_OF_REVIEW = ("review", "out", "overwrite", "format")


class BuildLexicon(Input, Texts, Seed, Work):
    """Find the words of two attributes in texts, from one pair of words or a review.

    The words and their counterparts are found starting from a pair of words such as she,he, with
    the states of an encoder (FairFlow). The lexicon is a draft: people write accept, reject or edit
    into the .review.csv beside it, and --review makes a lexicon of what they keep. Each step is
    kept, and an interrupted run resumes.

    Attributes:
        split: Read one split only (default: all).
        pairs: A word of one attribute and its counterpart, such as she,he; repeat it for several.
        attributes: The names of the two attributes (default: the words of the first pair); with
            those of the gender lexicon, woman,man, first names are swapped too.
        work: Where the steps are kept (default: OUT.work).
        review: Instead of texts, read what people kept in this .review.csv of an earlier run.
        out: The lexicon, a .tsv file.
        overwrite: Replace existing files.
    """

    LIKE = "fair_datasets.rewriters.fairflow.config:FairFlowConfig"
    COMMON = "text pairs attributes model review out"
    USAGE = "INPUT --text COL --pair A,B --model MODEL --out FILE\n--review FILE --out FILE"

    inputs: tuple[INPUT, ...] = ()
    text: tuple[COL, ...] = ()
    split: Annotated[str, "SPLIT"] | None = None
    pairs: tuple[WORDS, ...] = ()
    attributes: WORDS = ()
    model: MODEL | None = None
    decoder: Annotated[str, OneOf(DECODERS)]
    candidates: Annotated[str, OneOf(CANDIDATES)]
    threshold: Positive | None
    quantile: Share | None
    fewest: Count
    kept_per_word: Count
    rounds: Count
    flow_epochs: Count | None
    carried: Share
    share: Share
    mutual: bool
    estimate_factor_dims: bool
    work: Annotated[Path, "DIR"] | None = None
    review: FILE | None = None
    out: FILE
    overwrite: bool = False

    def run(self) -> None:
        """Run the command."""
        if self.review is not None:
            _run_review(self)
            return
        if missing := [option for name, option in _NEEDED.items() if not getattr(self, name)]:
            raise invalid(
                f"give {' and '.join(missing)}, to find words in texts; or --review "
                "instead, to read what people reviewed."
            )
        require("models")
        out, review = _outputs(self)
        with work_folder(self.work, OneFile(path=out.path, rows=out), self.input) as work:
            given = self.settings_for(FairFlowConfig, work=work, columns=self.text)
            config = FairFlowConfig(**given)
            read = []
            for split, rows in load_given(self, self.text, self.split).items():
                where = f"{self.input} (split {split})"
                columns = check_text_columns(rows, self.text, where, self.roles)
                read.append(rows.select_columns(columns))
            built = build_lexicon(config, concatenate_datasets(read))
            _write(review, built.lexicon.review())
            _write(out, built.lexicon.text())
        figures = built.figures.items()
        print(text_table([{"figure": name, "value": _written(value)} for name, value in figures]))
        print(
            f"\n{_summary(built.lexicon)}\n\nWritten to {out}, a draft; {review} is for people to "
            f"review.\nThe flow is in {built.folder}."
        )


def _run_review(options: BuildLexicon) -> None:
    """Make a lexicon of what people kept of a review."""
    others = (str(each.name) for each in options.context.command.params)
    if given := options.given(*(name for name in others if name not in _OF_REVIEW)):
        raise invalid(f"--review takes the place of texts; leave out {given[0]}, or --review.")
    out = _tsv(options.out, options.overwrite)
    lexicon = read_review(str(options.review))
    _write(out, lexicon.text())
    print(f"{_summary(lexicon)}\n\nWritten to {out}.")


def _outputs(options: BuildLexicon) -> tuple[FileOutput, FileOutput]:
    """Return the lexicon and the review that are written, or raise."""
    out = _tsv(options.out, options.overwrite)
    path = options.out.with_name(f"{options.out.stem}.review.csv")
    review = FileOutput(path, ".csv", options.overwrite)
    refuse_taken_file(review)
    return out, review


def _tsv(path: Path, replace: bool) -> FileOutput:
    """Return the lexicon that is written, or raise."""
    if path.suffix != ".tsv":
        raise InputError(f"--out {path}: a lexicon's name must end in .tsv; write {path.stem}.tsv.")
    out = FileOutput(path, ".tsv", replace)
    refuse_taken_file(out)
    return out


def _write(out: FileOutput, text: str) -> None:
    """Write a file that appears only when all is written."""
    with new_file(out) as folder:
        (folder / Path(str(out)).resolve().name).write_text(text, encoding="utf-8")


def _summary(lexicon: FoundLexicon) -> str:
    """Return how many pairs there are, and show the first."""
    both = two_way(lexicon.pairs)
    lines = [
        f"{len(lexicon.pairs)} words have a counterpart; {len(both)} pairs hold in both directions."
    ]
    if lexicon.proposals:
        lines.append(f"{len(lexicon.proposals)} more have too few votes: the review proposes them.")
    shown = [f"{pair.original} - {pair.counterfactual}" for pair, _ in both[:_SHOWN]]
    return "\n".join([*lines, *([", ".join(shown)] if shown else [])])


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_written, value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)
