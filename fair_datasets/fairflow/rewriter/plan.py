"""What a training is told by a TOML file: the settings, and where its rows are from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.fairflow.config import FairFlowConfig
from fair_datasets.fairflow.rewriter.config import FairFlowRewriterConfig
from fair_datasets.rewriter_training.parallel import ParallelConfig
from fair_datasets.rewriter_training.settings_file import RowsSource, read_settings
from fair_datasets.rewriter_training.work import work_of
from fair_datasets.system.checks import InputError


class FairFlowPlan(NamedTuple):
    """What is trained on what.

    Attributes:
        config: The settings.
        rows: Where the rows are from.
        corpus: Where the texts are from in which words are found; None for the training rows.
    """

    config: FairFlowRewriterConfig
    rows: RowsSource
    corpus: RowsSource | None


def read_fairflow_plan(file: str | Path) -> FairFlowPlan:
    r"""Read what a TOML file says of a training.

    Its keys are the settings of `FairFlowRewriterConfig`; `preset = "small"` begins with those for
    a laptop. The table `[rows]` has those of `RowsSource`, `[parallel]` those of `ParallelConfig`,
    `[dictionary]` those of `FairFlowConfig` (its `columns` are those of `[parallel]` and its `work`
    is with the rest, unless it says so), and `[corpus]`, whose texts are read for the dictionary,
    those of `RowsSource` again.

    Args:
        file: The file.

    Returns:
        The settings, and where rows and texts are from.

    Raises:
        InputError: It cannot be read, is no TOML, or says something else.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder, "fairflow.toml")
        ...     _ = file.write_text('out = "g"\n[rows]\nsource = "a.csv"\n[parallel]\n'
        ...         'attribute = "sex"\n[dictionary]\npairs = ["she", "he"]\nmodel = "bert"')
        ...     read_fairflow_plan(file).config.dictionary.pairs
        (('she', 'he'),)
    """
    given, tables = read_settings(
        file, FairFlowRewriterConfig,
        {"rows": RowsSource, "parallel": ParallelConfig, "dictionary": FairFlowConfig,
         "corpus": RowsSource},
    )  # fmt: skip
    parallel = ParallelConfig(**tables["parallel"])
    owner = Path(file).name
    config = FairFlowRewriterConfig(
        parallel=parallel, dictionary=_dictionary(tables["dictionary"], given, parallel, owner),
        **given,
    )  # fmt: skip
    corpus = tables["corpus"]
    if corpus and (not corpus.get("source") or config.dictionary is None):
        raise InputError(
            f"{owner}, [corpus]: it says whose texts [dictionary] reads; name a source, and give "
            "that table, or leave this one out."
        )
    return FairFlowPlan(
        config, RowsSource(**tables["rows"]), RowsSource(**corpus) if corpus else None
    )


def _dictionary(
    table: dict[str, Any], given: Mapping[str, Any], parallel: ParallelConfig, owner: str
) -> FairFlowConfig | None:
    """Return how words are found, if the file says so."""
    if not table:
        return None
    for name, example in (("pairs", '["she", "he"]'), ("model", '"bert-base-uncased"')):
        if name not in table:
            raise InputError(
                f"{owner}, [dictionary]: {name} is missing; add {name} = {example}, or the like."
            )
    work = work_of(Path(given["out"])) / "dictionary"
    return FairFlowConfig(**{"work": work, "columns": parallel.text, **table})
