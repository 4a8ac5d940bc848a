"""What people look at: tables and differences as text, and pictures. Pure functions."""

from fair_datasets.cards.report.pictures import (
    before_after_plot,
    bias_score_plot,
    encoder_plot,
    group_rate_plot,
    save_picture,
)
from fair_datasets.cards.report.tables import (
    count_table,
    difference,
    markdown_table,
    result_tables,
    text_table,
)

__all__ = [
    "before_after_plot",
    "bias_score_plot",
    "count_table",
    "difference",
    "encoder_plot",
    "group_rate_plot",
    "markdown_table",
    "result_tables",
    "save_picture",
    "text_table",
]
