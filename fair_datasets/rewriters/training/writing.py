"""What a trained rewriter writes, before anything is verified."""

from collections.abc import Sequence

from fair_datasets.rewriters.generation.controls import Control
from fair_datasets.rewriters.generation.loading import load_writer
from fair_datasets.rewriters.generation.writing import Ask, Writer


def written(
    asks: Sequence[Ask], model: str, *, control: str, revision: str | None = None, owner: str
) -> list[str | None]:
    """Have a model rewrite texts, without a check of what it wrote.

    Args:
        asks: What is asked for each text.
        model: The Hub id or folder of the model.
        control: How it is told what to do; see `ModelRewrite`.
        owner: The function that needs it, for errors.

    Returns:
        The texts; None where the model wrote nothing to use.

    Raises:
        InputError: The model cannot be read, or does not know the control.
    """
    loaded = load_writer(model, revision=revision, owner=owner)
    how = Control.read(control, owner=owner)
    how.refuse_tokenizer(loaded.tokenizer, model, several=False)
    limit = loaded.limit or loaded.model.generation_config.max_length or 512
    found = Writer(loaded, how, limit).write(asks)
    return [None if each.texts is None else each.texts[0] for each in found]
