"""What the page shows beside plain text, as HTML in which every visitor's letter is escaped."""

from collections.abc import Sequence
from html import escape

from counterfactuals import Rewriting
from csv_files import MentionCount
from scores import LabelScore

MOST_BARS = 12
"""How many attributes a chart shows; there are nearly two hundred nationalities."""

# One colour for all edits, as none is better than another; letters as they are written; and on a
# phone the result directly below the text, with the settings behind it.
STYLE = """
#page { max-width: 1200px; margin: 0 auto; }
#page-text, #page-csv {
  display: grid; gap: 16px 24px; align-items: start; grid-template-rows: auto 1fr;
  grid-template-columns: minmax(0, 5fr) minmax(0, 6fr);
  grid-template-areas: "given found" "chosen found";
}
.given { grid-area: given; } .chosen { grid-area: chosen; } .found { grid-area: found; }
.given, .chosen, .found { min-width: 0 !important; }
.pointer { display: none; }
@media (max-width: 760px) {
  #page-text, #page-csv {
    grid-template-rows: auto; grid-template-columns: minmax(0, 1fr);
    grid-template-areas: "given" "found" "chosen";
  }
  .pointer { display: block; }
}
#after .highlighted, .listing .changed {
  background: #e0e7ff !important; color: #1e1b4b !important;
}
#after .label { background: #3730a3 !important; color: #fff !important; text-transform: none; }
.listing { line-height: 1.45; }
.listing .entry { padding: 6px 0; border-top: 1px solid var(--border-color-primary); }
.listing .entry:first-of-type { border-top: 0; }
.listing .words {
  padding: 0 4px; border-radius: 4px; background: #e4e4e7; color: #18181b; overflow-wrap: anywhere;
}
.listing .quiet { opacity: 0.75; }
.listing .bar {
  display: grid; grid-template-columns: 5em minmax(0, 1fr); gap: 8px; align-items: center;
}
.listing .track { display: flex; align-items: center; gap: 6px; min-width: 0; }
.listing .fill { height: 12px; border-radius: 3px; background: #a5b4fc; flex: none; }
.listing .after .fill { background: #4f46e5; }
#page .info-text { color: var(--body-text-color); }
"""

POINTER = '<a href="#{}">More settings stand below the result ↓</a>'
"""Where the settings are on a phone."""


def verdicts_html(rewriting: Rewriting) -> str:
    """List what was done with each term and candidate.

    Args:
        rewriting: The counterfactual.

    Returns:
        HTML.
    """
    if not rewriting.verdicts:
        return _listing('<p class="quiet">No word of the text is a term of the chosen axes.</p>')
    entries = []
    for words, (start, end), axis, attribute, done, is_rewritten in rewriting.verdicts:
        kind = "words changed" if is_rewritten else "words"
        read = f"{axis}: {attribute}" if attribute else axis
        entries.append(
            f'<div class="entry"><span class="{kind}">{escape(words)}</span> '
            f"{escape(done)} "
            f'<span class="quiet">({escape(read)}; characters {start}–{end})</span></div>'
        )
    return _listing("".join(entries))


def scores_html(scores: Sequence[LabelScore]) -> str:
    """Show a classifier's scores side by side.

    Args:
        scores: The scores of each label.

    Returns:
        HTML.
    """
    entries = []
    for label, before, after in scores:
        difference = f"{after - before:+.3f}".replace("-", "−")
        bars = _bars((before, after), (f"{before:.3f}", f"{after:.3f}"), ("text", "rewritten"), 1)
        entries.append(
            f'<div class="entry"><span class="words">{escape(label)}</span> '
            f'<span class="quiet">difference {difference}</span>{bars}</div>'
        )
    return _listing("".join(entries))


def counts_html(counts: Sequence[MentionCount]) -> str:
    """Show how often each attribute is mentioned before and after, as a chart.

    Args:
        counts: The mentions of each attribute.

    Returns:
        HTML.
    """
    ranked = sorted((c for c in counts if c.before or c.after), key=lambda c: -c.before - c.after)
    if not ranked:
        return _listing('<p class="quiet">No text mentions any group of the chosen axes.</p>')
    most = max(max(count.before, count.after) for count in ranked)
    entries = [
        f'<div class="entry"><span class="words">{escape(name)}</span>'
        + _bars((before, after), (f"{before:,}", f"{after:,}"), ("before", "after"), most)
        + "</div>"
        for name, before, after in ranked[:MOST_BARS]
    ]
    rest = len(ranked) - MOST_BARS
    if rest > 0:
        entries.append(f'<p class="quiet">{rest} rarer ones are not shown.</p>')
    return _listing("".join(entries))


def note_html(sentence: str) -> str:
    """Show a sentence.

    Args:
        sentence: The sentence.

    Returns:
        HTML.
    """
    return _listing(f'<p class="quiet">{escape(sentence)}</p>')


def _bars(
    values: tuple[float, float], figures: tuple[str, str], names: tuple[str, str], most: float
) -> str:
    """Draw two bars, one below the other."""
    return "".join(
        f'<div class="bar {kind}"><span class="quiet">{name}</span><span class="track">'
        f'<span class="fill" style="width: {75 * value / most:.1f}%"></span>{figure}</span></div>'
        for kind, name, value, figure in zip(
            ("before", "after"), names, values, figures, strict=True
        )
    )


def _listing(content: str) -> str:
    """Wrap entries."""
    return f'<div class="listing">{content}</div>'
