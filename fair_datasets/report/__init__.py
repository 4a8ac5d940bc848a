"""What people look at: tables and differences as text, and pictures. Pure functions."""

from fair_datasets.report.bias_scores import bias_score_plot
from fair_datasets.report.encoders import encoder_plot
from fair_datasets.report.pictures import before_after_plot, group_rate_plot, save_picture
from fair_datasets.report.tables import (
    count_table,
    difference,
    markdown_table,
    result_tables,
    text_table,
)
from fair_datasets.report.trade_off import trade_off_plot

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
    "trade_off_plot",
]
