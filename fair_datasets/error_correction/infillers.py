"""Loading a model that fills slots, of whichever kind it is."""

from fair_datasets.error_correction.masked_infiller import MaskedInfiller
from fair_datasets.error_correction.parts import Infiller
from fair_datasets.error_correction.writing_infiller import WritingInfiller
from fair_datasets.generation.decoding import Decoding
from fair_datasets.generation.loading import load_config, load_kept, load_writer
from fair_datasets.scores.scoring_model import ScoringModel
from fair_datasets.system.checks import InputError

KINDS = ("auto", "seq2seq", "masked")


def load_infiller(
    name: str,
    kind: str,
    *,
    revision: str | None,
    max_length: int,
    tokens: int,
    decoding: Decoding,
    owner: str,
) -> Infiller:
    """Load a model that fills slots.

    Args:
        name: A Hub id or a folder.
        kind: One of `KINDS`.
        revision: The branch, tag or commit on the Hub; None for the main branch.
        max_length: How many tokens it reads, and writes, at most; fewer where it says so.
        tokens: How many tokens a masked language model may write for a mask.
        decoding: How an encoder-decoder decodes; a masked model takes its sizes alone.
        owner: The class that needs it.

    Returns:
        The model.

    Raises:
        InputError: There is no such model, it is of another kind, or its tokenizer has no mask.

    Example:
        >>> load_infiller("./no-such-folder", "auto", revision=None, max_length=64, tokens=1,
        ...               decoding=Decoding(), owner="Infill")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: Infill: there is no folder './no-such-folder';
        check the path.
    """
    if kind == "auto":
        config = load_config(name, what="model that fills masks", revision=revision, owner=owner)
        kind = "seq2seq" if config.is_encoder_decoder else "masked"
    refuse_other_settings(name, kind, beams=decoding.beams, tokens=tokens, owner=owner)
    if kind == "seq2seq":
        loaded = load_writer(name, revision=revision, owner=owner)
    else:
        loaded = load_kept(
            name, "AutoModelForMaskedLM", what="masked language", revision=revision, owner=owner
        )
    _refuse_without_mask(loaded, name, owner)
    limit = min(max_length, loaded.limit or max_length)
    if kind == "seq2seq":
        return WritingInfiller(loaded, limit, decoding)
    return MaskedInfiller(loaded, limit, tokens, decoding.batch_size, decoding.precision)


def refuse_other_settings(name: str, kind: str, *, beams: int, tokens: int, owner: str) -> None:
    """Raise where a setting is of models of the other kind.

    Args:
        name: The model.
        kind: `seq2seq` or `masked`.
        beams: Those of an encoder-decoder.
        tokens: Those of a masked language model.
        owner: The class that has the settings.

    Raises:
        InputError: One of them has no meaning.

    Example:
        >>> refuse_other_settings("ada/bert", "masked", beams=2, tokens=1, owner="Infill")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: Infill: beams is for encoder-decoders, but 'ada/bert' is
        read as a masked language model; leave it out.
    """
    if kind == "masked" and beams > 1:
        raise InputError(
            f"{owner}: beams is for encoder-decoders, but {name!r} is read as a masked language "
            "model; leave it out."
        )
    if kind == "seq2seq" and tokens > 1:
        raise InputError(
            f"{owner}: tokens is for masked language models, but {name!r} is read as an "
            "encoder-decoder, which writes as many as it likes; leave it out."
        )


def _refuse_without_mask(loaded: ScoringModel, name: str, owner: str) -> None:
    """Raise if a tokenizer has no mask."""
    tokenizer = loaded.tokenizer
    if tokenizer.mask_token_id in (None, tokenizer.unk_token_id):
        raise InputError(
            f"{owner}: the tokenizer of {name!r} has no mask token, so that the model cannot be "
            "asked what stands in a gap; choose one that was trained to fill masks, such as "
            "facebook/bart-base or bert-base-cased."
        )
