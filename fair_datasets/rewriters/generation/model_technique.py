"""What the techniques share that have a model rewrite texts: its settings, and how it is asked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.cards.evidence import (
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
from fair_datasets.rewriters.generation.chat.edits import INSTRUCTION
from fair_datasets.rewriters.generation.chat.settings import CHAT, ChatSettings, Judge
from fair_datasets.rewriters.generation.chat.writer import (
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
from fair_datasets.rewriters.generation.writing import Ask, Writer, Written
from fair_datasets.rows import column_checks
from fair_datasets.scores.probes.probe import PRECISIONS
from fair_datasets.swap.coreference import AsksCoreference
from fair_datasets.swap.verification import restore, verify_all
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, warn
from fair_datasets.system.pretrained import folder_files

# How the texts of a row are put together to be verified: as paragraphs of one text.
_APART = "\n\n"


class Judged(NamedTuple):
    """What is left of a rewrite.

    Attributes:
        texts: Its texts, with what was mended unasked restored; None where they do not hold.
        fault: Why, in a word or two; empty where they hold.
        reason: The same in a sentence.
        mended: How many words, signs and spaces were restored.
        verdict: What a judge and the verification said; empty without a judge.
    """

    texts: tuple[str, ...] | None
    fault: str = ""
    reason: str = ""
    mended: int = 0
    verdict: str = ""


def judge(
    asks: Sequence[Ask],
    written: Sequence[Written],
    axes: Sequence[str],
    *,
    of_one: bool,
    targets_are_known: bool,
    **reading: Any,
) -> list[Judged]:
    """Restore and verify what a model wrote for rows; the texts of a row together.

    Args:
        of_one: Whether it was asked for one person of each row, not for everybody.
        **reading: How texts are read: `names`, `protect`, `pipeline` and `reader` of `verify_all`.
    """
    judged = [_restored(*pair) for pair in zip(asks, written, strict=True)]
    for axis in dict.fromkeys(axes):
        numbers = [k for k, own in enumerate(axes) if own == axis]
        holding = [k for k in numbers if judged[k].texts is not None]
        asked = [asks[k] for k in holding]
        verdicts = verify_all(
            [_APART.join(ask.texts) for ask in asked],
            [_APART.join(judged[k].texts or ()) for k in holding],
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


def _restored(ask: Ask, new: Written) -> Judged:
    """Restore what was mended unasked."""
    if new.texts is None:
        return Judged(None, new.fault, new.sentence)
    found = list(map(restore, ask.texts, new.texts))
    return Judged(tuple(one.text for one in found), mended=sum(one.mended for one in found))


def _start(ask: Ask) -> int | None:
    """Return where the word that is asked for stands in the texts, put together."""
    if ask.where is None:
        return None
    place, start = ask.where
    return len(_APART.join([*ask.texts[:place], ""])) + start


FALLBACKS = ("swap", "original", "null")
_SEVERAL = 5
"""From how many rows on it is told that all of them fell back; of fewer it may be chance."""


@dataclass(frozen=True, kw_only=True)
class ModelTechnique(ChatSettings, AsksCoreference):
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

    model: str | PathLike[str] | None
    revision: str | None = None
    control: str = "perturber"
    beams: int = 1
    temperature: float | None = None
    max_length: int = 512
    batch_size: int = 16
    precision: str = "auto"
    verified: bool = True
    fallback: str = "swap"

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons and the model's files."""
        owner = type(self).__name__
        if self.model is not None:
            object.__setattr__(self, "model", _model_name(self.model, owner))
        if self.revision is not None:
            column_checks.column_name(self.revision, owner=owner, parameter="revision")
        checks.settle(self, checks.positive_whole_number, "beams", "max_length", "batch_size")
        object.__setattr__(self, "temperature", _temperature(self.temperature, owner))
        checks.one_of(self.precision, PRECISIONS, owner=owner, parameter="precision")
        checks.one_of(self.fallback, FALLBACKS, owner=owner, parameter="fallback")
        checks.settle(self, checks.switch, "verified")
        self.told()
        names = ("model", "control", "verified", "revision", "beams", "batch_size", "precision")
        self.check_chat({name: getattr(self, name) for name in names}, owner=owner)
        if self.model is None:
            self._refuse_idle_settings(owner)
        super().__post_init__()

    def _refuse_idle_settings(self, owner: str) -> None:
        """Raise where something is said of a model, but there is none."""
        others = {"model", *(item.name for item in fields(AsksCoreference))}
        for item in fields(ModelTechnique):
            if item.name not in others and getattr(self, item.name) != item.default:
                raise InputError(
                    f"{owner}: {item.name} is for a model, but model is None; leave it out, or "
                    "name a model."
                )

    def resources(self) -> Mapping[str, Path]:
        """Name the lexicons, the reader, and the files of models that lie in folders."""
        return {**super().resources(), **self._model_files()}

    def told(self) -> Control:
        """Return how the model is told what to do.

        Raises:
            InputError: There is no such format, or the template has other fields.
        """
        formats = {**FORMATS, CHAT: INSTRUCTION.replace("{several}", "")}
        return Control.read(self.control, formats, owner=type(self).__name__)

    def outcome_columns(self) -> Mapping[str, str]:
        """Name the columns that say what happened to a row, that of a judge among them."""
        return OUTCOME if self.judge is None else {**OUTCOME, JUDGE: "string"}

    def impurity(self) -> str:
        """Say that a server may answer otherwise the next time, unless its answers are kept."""
        if not self.is_served or self.cache is not None:
            return ""
        return (
            "a server may answer differently the next time; give cache=FOLDER to keep its answers"
        )

    def ask(
        self, asks: Sequence[Ask], axes: Sequence[str], *, targets_are_known: bool = True
    ) -> list[Judged]:
        """Have the model rewrite texts, and restore and verify what it writes.

        Args:
            asks: What is asked for each row, or part of one.
            axes: On which axis each is asked.

        Returns:
            What holds, and why the others do not.

        Raises:
            InputError: The model cannot be read, does not fit the control, or has changed.
        """
        if not asks:
            return []
        control = self.told()
        writer = self._writer(control, several=any(len(ask.texts) > 1 for ask in asks))
        cost = counting.get()
        if cost is not None and isinstance(writer, ChatWriter):
            cost.add(writer, asks, has_judge=self.judge is not None)
            return [Judged(None, LEFT) for _ in asks]
        written = writer.write(asks)
        found = [Judged(new.texts, new.fault, new.sentence) for new in written]
        if self.verified:
            found = judge(
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
        found = self._with_verdicts(asks, written, found)
        if len(found) >= _SEVERAL and all(each.texts is None for each in found):
            usual = Counter(each.fault for each in found).most_common(1)[0][0]
            warn(
                f"{type(self).__name__}: nothing that {self.model!r} wrote for a batch could be "
                f"kept, so each row falls back (fallback={self.fallback!r}); most often {FAULT} "
                f"is {usual!r}.",
            )
        return found

    def _with_verdicts(
        self, asks: Sequence[Ask], written: Sequence[Written], found: Sequence[Judged]
    ) -> list[Judged]:
        """Ask the judge, if there is one, of what was written; say whether it agrees."""
        owner = type(self).__name__
        judge = self.asked_judge(owner=owner)
        rows = [number for number, new in enumerate(written) if new.texts is not None]
        if judge is None or not rows:
            return list(found)
        texts = [written[number].texts or () for number in rows]
        said = judged(self._chat_model(judge, None), [asks[number] for number in rows], texts)
        verdicts = {
            number: SILENT if right is None else VERDICTS[right, found[number].texts is not None]
            for number, right in zip(rows, said, strict=True)
        }
        return [each._replace(verdict=verdicts.get(k, "")) for k, each in enumerate(found)]

    def outcome(self, found: Judged) -> dict[str, Any]:
        """Say what happened to a text: see `OUTCOME`."""
        told = {
            STATUS: self.fallback if found.texts is None else "model",
            FAULT: found.fault or None,
            REASON: found.reason or None,
            MENDED: found.mended,
        }
        return told if self.judge is None else {**told, JUDGE: found.verdict or None}

    def _model_files(self) -> Mapping[str, Path]:
        """Name the files of models that lie in folders."""
        owner = type(self).__name__
        judge = self.asked_judge(owner=owner)
        here = {self.model} if self.endpoint is None else set()
        here |= {judge.model} if judge is not None and judge.address is None else set()
        files: dict[str, Path] = {}
        for name in filter(None, here):
            files |= folder_files(str(name), owner=owner)
        return files

    def _chat_model(self, which: Judge, temperature: float | None) -> ChatModel:
        """Return a model that answers: on a server, or here."""
        owner, name = type(self).__name__, which.model
        if which.address is not None:
            return self.served(which, temperature, owner=owner)
        refuse_changed_model(name, self.digests, owner=owner)
        is_own = name == str(self.model)
        loaded = load_chat_model(name, revision=self.revision if is_own else None, owner=owner)
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
        owner, name = type(self).__name__, str(self.model)
        if self.control == CHAT:
            model = self._chat_model(Judge(self.endpoint, name), self.temperature)
            return ChatWriter(model, self.max_length, self.temperature is not None)
        if self.model is not None:
            refuse_changed_model(name, self.digests, owner=owner)
        loaded = load_writer(name, revision=self.revision, owner=owner)
        control.refuse_tokenizer(loaded.tokenizer, name, several=several)
        limit = min(self.max_length, loaded.limit or self.max_length)
        return Writer(loaded, control, limit, self._decoding(self.temperature))


def _model_name(value: Any, owner: str) -> str:
    """Return the name of a model, or raise."""
    if not isinstance(value, str | PathLike) or not fspath(value):
        raise InputError(f"{owner}: model must be a folder or a Hub id, but it is {value!r}.")
    return str(fspath(value))


def _temperature(value: Any, owner: str) -> float | None:
    """Return a temperature, or raise."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
        raise InputError(
            f"{owner}: temperature must be a number above 0, or None for no draws, but it is "
            f"{value!r}."
        )
    return float(value)
