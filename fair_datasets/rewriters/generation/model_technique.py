"""The techniques that have a model rewrite texts: `ModelRewrite`, and what they share.

Qian et al. (2022), "Perturbation Augmentation for Fairer NLP", sections 2 and 3: the perturber.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

from fair_datasets.cards.statements import (
    FAULT,
    JUDGE,
    LEFT,
    MENDED,
    OUTCOME,
    REASON,
    SILENT,
    STATUS,
    VERDICTS,
)
from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.rewriters.generation.chat import (
    INSTRUCTION,
    ChatModel,
    ChatWriter,
    LocalModel,
    counting,
    judged,
    load_chat_model,
)
from fair_datasets.rewriters.generation.controls import FORMATS, Control
from fair_datasets.rewriters.generation.decoding import Decoding
from fair_datasets.rewriters.generation.loading import load_writer, refuse_changed_model
from fair_datasets.rewriters.generation.served import CHAT, ChatSettings, Judge
from fair_datasets.rewriters.generation.writing import (
    Direction,
    ModelOutput,
    Request,
    RewriteRequest,
    Writer,
)
from fair_datasets.rows.row_texts import Row
from fair_datasets.scores.probes.probe import PRECISIONS
from fair_datasets.swap.counterfactual import CoreferenceOptions
from fair_datasets.swap.directions import check_directions, plan_targets
from fair_datasets.swap.rewriting import Counterfactual, Rewriter, Rows
from fair_datasets.swap.verification import restore, verify_all
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid, warn
from fair_datasets.system.pretrained import folder_files
from fair_datasets.system.validate import (
    Count,
    OneOf,
    PathOrName,
    Positive,
    Revision,
    validate_fields,
)

# How the texts of a row are put together to be verified: as paragraphs of one text.
_SEPARATOR = "\n\n"


class Judged(NamedTuple):
    """What is left of a rewrite.

    Attributes:
        texts: Its texts, with what was mended unasked restored; None where they do not hold.
        verdict: What a judge and the verification said; empty without a judge.
    """

    texts: tuple[str, ...] | None
    fault: str = ""
    reason: str = ""
    mended: int = 0
    verdict: str = ""


def judge(
    asks: Sequence[RewriteRequest],
    written: Sequence[ModelOutput],
    axes: Sequence[str],
    *,
    of_one: bool,
    targets_are_known: bool,
    **reading: Any,
) -> list[Judged]:
    """Restore and verify what a model wrote for rows; the texts of a row together.

    Args:
        of_one: Whether it was asked for one person of each row, not for everybody.
    """
    judged = [_restored(*pair) for pair in zip(asks, written, strict=True)]
    for axis in dict.fromkeys(axes):
        numbers = [k for k, own in enumerate(axes) if own == axis]
        holding = [k for k in numbers if judged[k].texts is not None]
        asked = [asks[k] for k in holding]
        verdicts = verify_all(
            [_SEPARATOR.join(ask.texts) for ask in asked],
            [_SEPARATOR.join(judged[k].texts or ()) for k in holding],
            axis,
            [ask.attribute if targets_are_known else None for ask in asked],
            words=[ask.word for ask in asked] if of_one else None,
            starts=[_start(ask) for ask in asked] if of_one else None,
            everyone=not of_one,
            **reading,
        )
        for k, verdict in zip(holding, verdicts, strict=True):
            if verdict.reason is not None:
                mended = judged[k].mended
                judged[k] = Judged(None, verdict.reason.value, verdict.sentence, mended)
    return judged


def _restored(ask: RewriteRequest, new: ModelOutput) -> Judged:
    """Restore what was mended unasked."""
    if new.texts is None:
        return Judged(None, new.fault, new.sentence)
    restored = list(map(restore, ask.texts, new.texts))
    return Judged(tuple(one.text for one in restored), mended=sum(one.mended for one in restored))


def _start(ask: RewriteRequest) -> int | None:
    """Return where the word that is asked for stands in the texts, put together."""
    if ask.where is None:
        return None
    place, start = ask.where
    return len(_SEPARATOR.join([*ask.texts[:place], ""])) + start


FALLBACKS = ("swap", "original", "null")
_SEVERAL = 5
"""From how many rows on it is told that all of them fell back; of fewer it may be chance."""


@dataclass(frozen=True, kw_only=True)
class ModelTechnique(ChatSettings, CoreferenceOptions):
    """A technique that has a model rewrite texts, and keeps only what holds.

    Attributes:
        model: The folder or Hub id of a model with its tokenizer; None for no model.
        revision: The branch, tag or commit on the Hub; None for the main branch.
        control: How the model is told what to do: see `Control`.
        beams: How many beams; 1 for greedy decoding.
        temperature: What the logits are divided by where tokens are drawn; None for no draws.
        max_length: How many tokens the model reads, and writes, at most.
        batch_size: How many texts the model reads at once at most.
        precision: `auto` for bfloat16 on a GPU that has it; `float32` for single precision always.
        verified: Whether what the model writes is restored and verified.
        fallback: What becomes of a text whose rewrite does not hold: one of `FALLBACKS`.

    The others are those of `ChatSettings`; the swap asks the model of `coreference` whose mention
    it is, or else takes everybody's of one attribute.
    """

    model: PathOrName | None
    revision: Revision | None = None
    control: str = "perturber"
    beams: Count = 1
    temperature: Positive | None = None
    max_length: Count = 512
    batch_size: Count = 16
    precision: Annotated[str, OneOf(PRECISIONS)] = "auto"
    verified: bool = True
    fallback: Annotated[str, OneOf(FALLBACKS)] = "swap"

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons and the model's files."""
        validate_fields(self)
        self.parsed_control()
        names = ("model", "control", "verified", "revision", "beams", "batch_size", "precision")
        self.check_chat({name: getattr(self, name) for name in names})
        if self.model is None:
            self._refuse_idle_settings()
        super().__post_init__()

    def _refuse_idle_settings(self) -> None:
        """Raise where something is said of a model, but there is none."""
        others = {"model", *(item.name for item in fields(CoreferenceOptions))}
        for item in fields(ModelTechnique):
            if item.name not in others and getattr(self, item.name) != item.default:
                raise invalid(
                    f"{item.name} is for a model, but model is None; leave it out, or name a model."
                )

    def resources(self) -> Mapping[str, Path]:
        """Name the lexicons, the reader, and the files of models that lie in folders."""
        return {**super().resources(), **self._model_files()}

    def parsed_control(self) -> Control:
        """Return how the model is told what to do."""
        formats = {**FORMATS, CHAT: INSTRUCTION.replace("{several}", "")}
        return Control.read(self.control, formats)

    def outcome_columns(self) -> Mapping[str, str]:
        """Name the columns that say what happened to a row, that of a judge among them."""
        return OUTCOME if self.judge is None else {**OUTCOME, JUDGE: "string"}

    def impurity(self) -> str:
        """Return why results may differ: a server answers anew, unless its answers are kept."""
        if not self.is_served or self.cache is not None:
            return ""
        return (
            "a server may answer differently the next time; give cache=FOLDER to keep its answers"
        )

    def ask(
        self, asks: Sequence[RewriteRequest], axes: Sequence[str], *, targets_are_known: bool = True
    ) -> list[Judged]:
        """Have the model rewrite texts, and restore and verify what it writes."""
        if not asks:
            return []
        control = self.parsed_control()
        writer = self._writer(control, several=any(len(ask.texts) > 1 for ask in asks))
        cost = counting.get()
        if cost is not None and isinstance(writer, ChatWriter):
            cost.add(writer, asks, has_judge=self.judge is not None)
            return [Judged(None, LEFT) for _ in asks]
        written = writer.write(asks)
        results = [Judged(new.texts, new.fault, new.sentence) for new in written]
        if self.verified:
            results = judge(
                asks,
                written,
                axes,
                of_one=control.asks_for_a_word,
                targets_are_known=targets_are_known,
                names=self.names,
                protect=tuple(self.protect),
                pipeline=self.pipeline,
                reader=self.reader,
            )
        results = self._with_verdicts(asks, written, results)
        if len(results) >= _SEVERAL and all(each.texts is None for each in results):
            usual = Counter(each.fault for each in results).most_common(1)[0][0]
            warn(
                f"nothing that {self.model!r} wrote for a batch could be "
                f"kept, so each row falls back (fallback={self.fallback!r}); most often {FAULT} "
                f"is {usual!r}."
            )
        return results

    def _with_verdicts(
        self,
        asks: Sequence[RewriteRequest],
        written: Sequence[ModelOutput],
        results: Sequence[Judged],
    ) -> list[Judged]:
        """Ask the judge, if there is one, of what was written; say whether it agrees."""
        judge = self.asked_judge()
        rows = [number for number, new in enumerate(written) if new.texts is not None]
        if judge is None or not rows:
            return list(results)
        texts = [written[number].texts or () for number in rows]
        answers = judged(self._chat_model(judge, None), [asks[number] for number in rows], texts)
        verdicts = {
            number: SILENT if right is None else VERDICTS[right, results[number].texts is not None]
            for number, right in zip(rows, answers, strict=True)
        }
        return [each._replace(verdict=verdicts.get(k, "")) for k, each in enumerate(results)]

    def outcome(self, result: Judged) -> dict[str, Any]:
        """Return what happened to a text: see `OUTCOME`."""
        outcome = {
            STATUS: self.fallback if result.texts is None else "model",
            FAULT: result.fault or None,
            REASON: result.reason or None,
            MENDED: result.mended,
        }
        return outcome if self.judge is None else {**outcome, JUDGE: result.verdict or None}

    def _model_files(self) -> Mapping[str, Path]:
        """Name the files of models that lie in folders."""
        judge = self.asked_judge()
        here = {self.model} if self.endpoint is None else set()
        here |= {judge.model} if judge is not None and judge.address is None else set()
        files: dict[str, Path] = {}
        for name in filter(None, here):
            files |= folder_files(str(name))
        return files

    def _chat_model(self, which: Judge, temperature: float | None) -> ChatModel:
        """Return a model that answers: on a server, or here."""
        name = which.model
        if which.address is not None:
            return self.served(which, temperature)
        refuse_changed_model(name, self.digests)
        is_own = name == str(self.model)
        loaded = load_chat_model(name, revision=self.revision if is_own else None)
        return LocalModel(loaded, self._decoding(temperature))

    def _decoding(self, temperature: float | None) -> Decoding:
        """Return how a model here decodes."""
        return Decoding(
            beams=self.beams,
            temperature=temperature,
            batch_size=self.batch_size,
            precision=self.precision,
        )

    def _writer(self, control: Control, *, several: bool) -> Writer | ChatWriter:
        """Load the model, and raise where it does not fit."""
        name = str(self.model)
        if self.control == CHAT:
            model = self._chat_model(Judge(self.endpoint, name), self.temperature)
            return ChatWriter(model, self.max_length, self.temperature is not None)
        if self.model is not None:
            refuse_changed_model(name, self.digests)
        loaded = load_writer(name, revision=self.revision)
        control.refuse_tokenizer(loaded.tokenizer, name, several=several)
        limit = min(self.max_length, loaded.limit or self.max_length)
        return Writer(loaded, control, limit, self._decoding(self.temperature))


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

    model: PathOrName
    source: tuple[str, ...] | str | None = None
    target: str | None = None

    counted: ClassVar[tuple[str, ...]] = (STATUS, FAULT, JUDGE)

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons and the model's files."""
        sources = checks.strings(self.source, parameter="source")
        object.__setattr__(
            self, "source", sources if isinstance(self.source, list) else self.source
        )
        super().__post_init__()
        targets = checks.strings(self.target, parameter="target")
        check_directions([self.lexicon(self.axes[0])], sources, targets)
        self.parsed_control().refuse_unknown(
            [name for names in self._plan.values() for name in names]
        )

    def log_columns(self) -> Mapping[str, str]:
        """Name the columns that say what happened to a row."""
        return self.outcome_columns()

    @property
    def _plan(self) -> Mapping[str, Sequence[str]]:
        """Each attribute that is rewritten, with those that it may become."""
        sources = checks.strings(self.source, parameter="source")
        targets = checks.strings(self.target, parameter="target")
        return plan_targets(load_lexicon(self.axes[0]), sources, targets)

    def rewrite(self, rows: Rows) -> Iterator[tuple[int, Counterfactual]]:
        """Have the model rewrite those rows that mention somebody.

        Yields:
            The number of each of them, with what was written, or what the row falls back to.

        Raises:
            InputError: The model cannot be read, does not fit the control, or has changed.
        """
        (axis,) = self.axes
        of_one = self.parsed_control().asks_for_a_word
        direction = Direction(
            self.table(axis), self.lexicon(axis), self._plan, self.seed, of_one, self.persons()
        )
        requests = []
        for request in direction.requests(rows):
            # The model may rewrite what ties a row to a group, but not what it is asked for.
            if request.skip_reason in (Reason.CONTRAST, Reason.GENDER):
                log = {
                    STATUS: "original",
                    FAULT: LEFT,
                    REASON: _skip_sentence(request.skip_reason),
                    MENDED: 0,
                }
                yield request.number, Counterfactual(rows.texts[request.number], log=log)
            else:
                requests.append(request)
        judged = self.ask(
            [request.ask for request in requests],
            [axis] * len(requests),
            targets_are_known=of_one or self.target is not None,
        )
        for request, result in zip(requests, judged, strict=True):
            yield request.number, self._counterfactual(rows.texts[request.number], request, result)

    def _counterfactual(self, row: Row, request: Request, result: Judged) -> Counterfactual:
        """Return what was written for a row, or what the row falls back to."""
        log = self.outcome(result)
        if request.skip_reason is not None and log[STATUS] == "swap":
            reason = f"{result.reason} {_skip_sentence(request.skip_reason)}"
            log |= {STATUS: "original", REASON: reason}
        texts = row
        if result.texts is not None:
            texts = request.written(row, result.texts)
        elif self.fallback != "original":
            texts = request.swapped if self.fallback == "swap" else (None,) * len(row)
        return Counterfactual(texts, axis=self.axes[0], attribute=request.ask.attribute, log=log)


def _skip_sentence(reason: Reason) -> str:
    """Return why the swap leaves a row as a whole."""
    return f"The swap leaves the row as a whole: {reason.value}."
