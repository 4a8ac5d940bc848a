"""Loading a model that writes: an encoder-decoder with its tokenizer."""

from functools import lru_cache
from typing import Any

from fair_datasets.checks import InputError
from fair_datasets.digests import file_digests
from fair_datasets.extras import require
from fair_datasets.pretrained import folder_files, read_pretrained
from fair_datasets.scores.probes.transformer import fit_tokenizer, use_one_thread_in_a_worker
from fair_datasets.scores.scoring_model import ScoringModel

KIND = "AutoModelForSeq2SeqLM"


def load_writer(name: str, *, revision: str | None = None, owner: str) -> ScoringModel:
    """Load an encoder-decoder model with its tokenizer, once per process.

    Weights are read as safetensors alone, and no code of the model's own is run. The model lies on
    a GPU if there is one. It is kept in memory, and read anew if the files of its folder change.

    Args:
        name: A Hub id or a folder.
        revision: The branch, tag or commit on the Hub; None for the main branch.
        owner: The class or function that needs it, for errors.

    Returns:
        The model and its tokenizer.

    Raises:
        InputError: There is no such model, it has no decoder, it cannot be read, or its tokenizer
            does not fit it.
        MissingExtraError: torch or transformers is not installed.

    Example:
        >>> load_writer("./no-such-folder", owner="demonstration")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: demonstration: there is no folder './no-such-folder'.
    """
    digests = file_digests(folder_files(name, owner=owner))
    if digests and revision is not None:
        raise InputError(
            f"{owner}: revision {revision!r} is for a model of the Hub, but {name!r} is a folder "
            "here; leave it out."
        )
    require("models", owner=owner)
    use_one_thread_in_a_worker()
    _refuse_lost_gpu(owner)
    return _loaded(name, revision, digests, owner)


# A model can fill the memory of a machine: only the last two are kept.
@lru_cache(maxsize=2)
def _loaded(
    name: str, revision: str | None, digests: tuple[tuple[str, str], ...], owner: str
) -> ScoringModel:
    """Load a model; the digests make an edited folder another one."""
    network, tokenizer = read_pretrained(
        name, KIND, what="encoder-decoder", owner=owner, revision=revision
    )
    if not network.can_generate() or not network.config.is_encoder_decoder:
        raise InputError(f"{owner}: {name!r} has no decoder that writes; choose another model.")
    loaded = ScoringModel(_placed(network, name, owner).eval(), tokenizer, owner)
    fit_tokenizer(loaded, name)
    return loaded


def _placed(network: Any, name: str, owner: str) -> Any:
    """Put a model on the GPU, if there is one."""
    import torch

    if not torch.cuda.is_available():
        return network
    try:
        return network.to("cuda")
    except torch.cuda.OutOfMemoryError as error:
        raise InputError(
            f"{owner}: the GPU has no memory for {name!r}; free some, or hide the GPU with "
            "CUDA_VISIBLE_DEVICES= to run it on the CPU."
        ) from error


def _refuse_lost_gpu(owner: str) -> None:
    """Raise in a process that cannot use the GPU, as one that was forked from one that had."""
    import torch

    if not torch.cuda.is_available():
        return
    try:
        torch.empty(1, device="cuda")
    except (RuntimeError, AssertionError) as error:
        why = str(error).strip().partition("\n")[0][:200]
        raise InputError(
            f"{owner}: the GPU cannot be used in this process ({why}); leave num_proc out, as one "
            "process gives the GPU whole batches."
        ) from error
