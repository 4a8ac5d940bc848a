"""What has to be known of bias scores before one believes them: their direction and words."""

from collections.abc import Iterator, Sequence

from fair_datasets.scores.bias.bias_score import BiasScore
from fair_datasets.scores.bias.parts import uniform_parts


def direction_notes(score: BiasScore) -> Iterator[str]:
    """Say which side is which, and how far the vectors know the axis at all.

    Yields:
        Sentences.
    """
    direction = score.scorer().direction
    negative, positive = direction.poles
    axis = direction.axis
    yield f"Along {axis}, words with + lean to {positive} and words with - to {negative}."
    if direction.baseline is not None:
        yield (
            f"The direction of {axis} explains {direction.explained_variance:.0%} of the "
            f"differences within its pairs of words; random pairs reach {direction.baseline:.0%}. "
            "The nearer the two are, the less the scores say."
        )
    does = "which is subtracted from each" if score.centred else "which --centred subtracts"
    yield (
        f"The mean cosine of all words along {axis} (offset) is {direction.offset:+.2f}, {does}: "
        "if it is far from 0, nearly every row leans to that side, whatever it says."
    )


def coverage_of(score: BiasScore, texts: Sequence[str]) -> tuple[float, int] | None:
    """Count how many words of texts have a vector or are listed.

    Returns:
        Their share, and how many words there are; None where there are none, and for an encoder.
    """
    cosines = score.scorer().cosines
    if cosines is None:
        return None
    parts = uniform_parts(texts, cosines, spans=False)
    return None if parts.coverage is None else (parts.coverage, parts.cosines.size)
