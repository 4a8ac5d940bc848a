"""Counterfactuals that a model writes, kept only where they hold what was asked for.

Qian et al. (2022), "Perturbation Augmentation for Fairer NLP", sections 2 and 3: the perturber.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import ClassVar

from fair_datasets.cards.evidence import FAULT, JUDGE, LEFT, MENDED, REASON, STATUS
from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.found import Reason
from fair_datasets.rewriters.generation.model_technique import Judged, ModelTechnique
from fair_datasets.rewriters.generation.writing import Direction, Request
from fair_datasets.rows.text_fields import Row
from fair_datasets.swap.directions import check_directions, plan_targets
from fair_datasets.swap.rewriting import Counterfactual, Rewriter, Rows
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError


@dataclass(frozen=True, kw_only=True)
class ModelRewrite(Rewriter, ModelTechnique):
    """Have a model rewrite rows to another attribute, for `datasets.map`.

    In each row one person is asked for, by the first mention that may be rewritten; a model whose
    control has no word is asked for everybody. Rows without a mention never reach the model, nor
    do those in which two groups would become one. What it writes is restored where it mended
    something unasked, and verified: see `verify`. Where it does not hold, the row falls back, but
    not to a swap where the swap leaves the row as a whole. Four columns say what happened:
    `rewrite_status` (`model`, `swap`, `original` or `null`), `rewrite_fault` and `rewrite_reason`
    (why the row fell back, in a word or two and in a sentence) and `rewrite_mended` (how much was
    restored); a card counts the first two.

    A chat model (`control="chat"`), here or on a server (`endpoint`), is asked for edits and not
    for the text; articles and verbs are made to agree here. With a server the technique is pure
    only through its `cache`. The key of a server is read from the environment variable
    FAIR_DATASETS_API_KEY and kept nowhere.

    Greedy decoding writes what it would write for each row alone. In bfloat16, which a GPU computes
    in, two tokens that are nearly equal may change places with the rows beside; `precision` says.

    Attributes:
        columns: The text column or columns; those of one row are rewritten together, joined by the
            sign `<SEP>`.
        model: The folder or Hub id of a model with its tokenizer: an encoder-decoder, or with
            `control="chat"` a causal one. Its weights are read as safetensors alone, and no code of
            its own is run. With `endpoint` the name by which the server knows it.
        revision: The branch, tag or commit on the Hub, such as `refs/pr/1` of facebook/perturber;
            None for the main branch.
        control: How the model is told what to do: `perturber` ("word, attribute <PERT_SEP> text"),
            `perturbers` ("word<SEP> attribute<PERT_SEP> text"), `plain` (the text alone), `chat`
            (asked for edits), or a template of its own with the fields {word}, {attribute} and
            {text}.
        endpoint: The address of an OpenAI-compatible server that runs the model, such as
            `http://localhost:8000/v1`; None to run it here.
        judge: A model that is asked, too, whether each rewrite is right, which is told in the
            column `rewrite_judge` and decides nothing: another one of the endpoint, or else a
            folder or Hub id; or `ADDRESS#MODEL` for one of another server.
        cache: A folder in which answers of servers are kept, so that none is paid twice. It and
            the four behind it are no part of the configuration.
        timeout: How many seconds a server may take for one try; None for 60.
        max_wait: For how many seconds a request is tried again; None for 300.
        concurrency: How many requests a process sends at once at most; None for 8.
        max_tokens_total: How many tokens may be spent in all, as the server counts them; what is
            under way when they are reached is paid as well. None for any number.
        source: The attribute or attributes of those who are rewritten; None for all that have a
            counterpart.
        target: The attribute that they become; None for the counterpart, or one drawn per row where
            the attributes are not paired.
        beams: How many beams; 1 for greedy decoding.
        temperature: What the logits are divided by where tokens are drawn, each row by a seed of
            its own; None for no draws. Beams and draws take one row at a time.
        max_length: How many tokens the model reads, and writes, at most; fewer where it says so.
            Longer texts are split at the borders of sentences. Of a chat model the answer alone is
            limited, and a text that it cannot read falls back.
        batch_size: How many rows the model reads at once at most; long ones share a batch with
            fewer, and one that does not fit into the memory of a GPU is halved.
        precision: `auto` for bfloat16 on a GPU that has it; `float32` for single precision always.
        verified: Whether what the model writes is restored and verified.
        fallback: What becomes of a row whose rewrite does not hold: `swap` for what the swap of
            those of the same attribute writes, `original` for the row as it is (no counterfactual),
            `null` for nulls in place of its texts.
        coreference: The folder or Hub id of a model that `fair-datasets train person` wrote, which
            tells whose mentions that swap rewrites; None for all of the same attribute.

    The others are those of `CounterfactualSwap`.

    Raises:
        InputError: A parameter is not what it must be, or there is no such folder.

    Example:
        >>> rewrite = ModelRewrite(columns="text", model="facebook/perturber", revision="refs/pr/1")
        >>> rewrite({"text": ["It rains."]})["rewrite_status"]  # Asks for no model.
        [None]
    """

    model: str | PathLike[str]
    source: tuple[str, ...] | str | None = None
    target: str | None = None

    counted: ClassVar[tuple[str, ...]] = (STATUS, FAULT, JUDGE)

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons and the model's files."""
        owner = type(self).__name__
        if self.model is None:
            raise InputError(f"{owner}: model must be the folder or Hub id of a model, not None.")
        sources = checks.strings(self.source, owner=owner, parameter="source")
        object.__setattr__(
            self, "source", sources if isinstance(self.source, list) else self.source
        )
        super().__post_init__()
        targets = checks.strings(self.target, owner=owner, parameter="target")
        check_directions([self.lexicon(self.axes[0])], sources, targets, owner)
        self.told().refuse_unknown([name for names in self._plan.values() for name in names])

    def log_columns(self) -> Mapping[str, str]:
        """Name the columns that say what happened to a row."""
        return self.outcome_columns()

    @property
    def _plan(self) -> Mapping[str, Sequence[str]]:
        """Each attribute that is rewritten, with those that it may become."""
        owner = type(self).__name__
        sources = checks.strings(self.source, owner=owner, parameter="source")
        targets = checks.strings(self.target, owner=owner, parameter="target")
        return plan_targets(load_lexicon(self.axes[0]), sources, targets)

    def rewrite(self, rows: Rows) -> Iterator[tuple[int, Counterfactual]]:
        """Have the model rewrite those rows that mention somebody.

        Args:
            rows: Their texts, and the keys by which targets and tokens are drawn.

        Yields:
            The number of each of them, with what was written, or what the row falls back to.

        Raises:
            InputError: The model cannot be read, does not fit the control, or has changed.
        """
        (axis,) = self.axes
        of_one = self.told().asks_for_a_word
        direction = Direction(
            self.table(axis), self.lexicon(axis), self._plan, self.seed, of_one, self.persons()
        )
        requests = []
        for request in direction.requests(rows):
            # The model may rewrite what ties a row to a group, but not what it is asked for.
            if request.left in (Reason.CONTRAST, Reason.GENDER):
                log = {STATUS: "original", FAULT: LEFT, REASON: _left(request.left), MENDED: 0}
                yield request.number, Counterfactual(rows.texts[request.number], log=log)
            else:
                requests.append(request)
        judged = self.ask(
            [request.ask for request in requests],
            [axis] * len(requests),
            targets_are_known=of_one or self.target is not None,
        )
        for request, found in zip(requests, judged, strict=True):
            yield request.number, self._counterfactual(rows.texts[request.number], request, found)

    def _counterfactual(self, row: Row, request: Request, found: Judged) -> Counterfactual:
        """Return what was written for a row, or what the row falls back to."""
        log = self.outcome(found)
        if request.left is not None and log[STATUS] == "swap":
            log |= {STATUS: "original", REASON: f"{found.reason} {_left(request.left)}"}
        texts = row
        if found.texts is not None:
            texts = request.written(row, found.texts)
        elif self.fallback != "original":
            texts = request.swapped if self.fallback == "swap" else (None,) * len(row)
        return Counterfactual(texts, axis=self.axes[0], attribute=request.ask.attribute, log=log)


def _left(reason: Reason) -> str:
    """Say why the swap leaves a row as a whole."""
    return f"The swap leaves the row as a whole: {reason.value}."
