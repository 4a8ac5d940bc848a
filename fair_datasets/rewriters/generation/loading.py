"""Loading a model with its tokenizer, once per process: one that writes, or of another kind."""

from functools import cache, lru_cache
from typing import Any

from fair_datasets.scores.models import ScoringModel
from fair_datasets.scores.probes.transformer import fit_tokenizer, use_one_thread_in_a_worker
from fair_datasets.system.checks import invalid, require
from fair_datasets.system.portable import file_digests
from fair_datasets.system.pretrained import (
    folder_files,
    on_gpu,
    read_config,
    read_pretrained,
    refuse_revision_of_folder,
    translate_load_errors,
)

KIND = "AutoModelForSeq2SeqLM"


def load_writer(name: str, *, revision: str | None = None) -> ScoringModel:
    """Load an encoder-decoder model with its tokenizer: see `load_cached`."""
    loaded = load_cached(name, KIND, what="encoder-decoder", revision=revision)
    if not loaded.model.can_generate() or not loaded.model.config.is_encoder_decoder:
        raise invalid(f"{name!r} has no decoder; choose another model.")
    return loaded


def load_cached(name: str, kind: str, *, what: str, revision: str | None = None) -> ScoringModel:
    """Load a model with its tokenizer, once per process.

    Weights are read as safetensors alone, and no code of the model's own is run. The model lies on
    a GPU if there is one. It is kept in memory, and read anew if the files of its folder change.
    """
    digests = file_digests(folder_files(name))
    refuse_revision_of_folder(name, revision)
    require("models")
    use_one_thread_in_a_worker()
    return _loaded(name, kind, what, revision, digests)


def load_config(name: str, *, what: str, revision: str | None = None) -> Any:
    """Read what a model says of itself, once per process; parameters as of `load_cached`."""
    digests = file_digests(folder_files(name))
    refuse_revision_of_folder(name, revision)
    require("models")
    return _config(name, what, revision, digests)


def refuse_changed_model(name: str, digests: tuple[tuple[str, str], ...]) -> None:
    """Raise if a file of a model's folder is another one than when a technique was made.

    Example:
        >>> refuse_changed_model("facebook/perturber", ())
    """
    taken = dict(digests)
    for resource, digest in file_digests(folder_files(name)):
        if taken.get(resource) != digest:
            raise invalid(f"{resource!r} has changed since the technique was made; make a new one.")


# A model can fill the memory of a machine: only the last two are kept.
@lru_cache(maxsize=2)
def _loaded(
    name: str, kind: str, what: str, revision: str | None, digests: tuple[tuple[str, str], ...]
) -> ScoringModel:
    """Load a model; the digests make an edited folder another one."""
    network, tokenizer = read_pretrained(name, kind, what=what, revision=revision)
    loaded = ScoringModel(on_gpu(network, name).eval(), tokenizer)
    fit_tokenizer(loaded, name)
    return loaded


@cache
def _config(
    name: str, what: str, revision: str | None, digests: tuple[tuple[str, str], ...]
) -> Any:
    """Read a configuration; the digests make an edited folder another one."""
    with translate_load_errors(name, what=what):
        return read_config(name, revision=revision)


def check_mask(value: Any) -> None:
    """Raise unless a parameter is what can stand for a mask."""
    if not isinstance(value, str) or len(value.split()) != 1 or value != value.strip():
        raise invalid(
            f"mask must be a string without white space, such as '<mask>', but it is {value!r}."
        )
