"""What is seen in a picture."""

from collections.abc import Iterator

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox


def shown_texts(figure: Figure) -> Iterator[tuple[str, Bbox]]:
    """Draw a figure, and give each text that is seen with the place that it takes."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    unseen: set[Text] = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if not low <= tick.get_loc() <= high:
                    unseen |= {tick.label1, tick.label2}
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        if text.get_text() and text.get_visible() and text not in unseen:
            # That of an annotation would reach to its dot.
            yield text.get_text(), Text.get_window_extent(text, canvas.get_renderer())
