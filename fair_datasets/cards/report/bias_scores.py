"""A picture of how bias scores are distributed, as a matplotlib figure."""

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = ("#0072B2", "#D55E00")


def bias_score_plot(result: Any, before: Any = None) -> "Figure":
    """Draw the histogram of bias scores, with their percentiles and the threshold.

    Args:
        result: What `bias_distribution` or the `evaluate` module `bias_score` returned.
        before: The same of the corpus before it was corrected, drawn behind it.

    Returns:
        The figure; `figure.savefig("bias.png")` writes it.

    Raises:
        InputError: It is something else, or has no rows.

    Example:
        >>> from fair_datasets.measures import bias_distribution
        >>> figure = bias_score_plot(bias_distribution([0.1, 0.2, 0.4], percentiles=(50, 95)))
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['50%', '95%']
    """
    require("plots", owner="bias_score_plot")
    from matplotlib.figure import Figure

    drawn = _read(result)
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    if before is not None:
        first = _read(before)
        axes.stairs(
            first["counts"], first["edges"], color="0.6", fill=True, label=_label("before", first)
        )
    axes.stairs(
        drawn["counts"], drawn["edges"], color=_COLOURS[0], fill=before is None,
        label=_label("all rows" if before is None else "after", drawn),
    )  # fmt: skip
    for percentile, score in drawn["percentiles"].items():
        axes.axvline(score, color="0.3", linestyle=":", linewidth=1)
        axes.text(
            score, 1.01, f"{float(percentile):g}%", transform=axes.get_xaxis_transform(),
            rotation=60, fontsize="small",
        )  # fmt: skip
    share = f"{drawn['share_above']:.1%} above {drawn['threshold']:.4g}"
    axes.axvline(drawn["threshold"], color=_COLOURS[1], label=share)
    axes.set_yscale("symlog")
    axes.set_xlim(left=0)
    name = (drawn.get("name") or "bias_score").replace("_", " ")
    axes.set_xlabel(f"{name} (lower is less biased)")
    axes.set_ylabel("rows")
    axes.legend(loc="upper right")
    return figure


def _label(name: str, found: Mapping[str, Any]) -> str:
    """Name a histogram, with its number of rows and its mean."""
    return f"{name}: {found['rows']:,}, mean {found['mean']:.4f}"


def _read(result: Any) -> dict[str, Any]:
    """Return the figures of a distribution by name, whatever holds them."""
    is_data = is_dataclass(result) and not isinstance(result, type)
    found = asdict(result) if is_data else result
    if isinstance(found, Mapping) and isinstance(found.get("histogram"), Mapping):
        found = {**found, **found["histogram"]}
    needed = ("rows", "mean", "percentiles", "threshold", "share_above", "counts", "edges")
    if not isinstance(found, Mapping) or any(name not in found for name in needed):
        raise InputError(
            "bias_score_plot: result must be what bias_distribution or the module 'bias_score' "
            f"returned, but it is a {type(result).__name__}."
        )
    if not found["rows"]:
        raise InputError("bias_score_plot: there are no rows; give the scores of at least one.")
    return dict(found)
