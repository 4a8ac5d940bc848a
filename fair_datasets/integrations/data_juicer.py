"""What Data-Juicer finds by the entry point `data_juicer.ops`: `fair_counterfactual_swap_mapper`.

An operator takes the parameters of its technique, and those of every operator, by name. A sample
that cannot be read is kept. Any other error ends the job, whatever `skip_op_error` says, as
Data-Juicer would drop the whole batch.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from inspect import Parameter, Signature
from typing import Any

from data_juicer.ops.base_op import OPERATORS, TAGGING_OPS, Mapper
from data_juicer.utils.constant import Fields
from data_juicer.utils.ray_utils import is_ray_mode
from loguru import logger

from fair_datasets import CounterfactualSwap
from fair_datasets.swap.row_results import label_of, rewrite_rows

Samples = dict[str, list[Any]]


def operator(name: str, technique: Any, *left_out: str) -> Callable[[Any], Any]:
    """Register an operator that takes the parameters of a technique.

    Args:
        technique: The class; `text_key` stands in for its `columns` where these are not given.
    """
    own = {f.name: f for f in fields(technique) if f.init and f.name not in left_out}

    def registered(kind: Any) -> Any:
        # Data-Juicer looks for names and types here and in the signature; unions it cannot print.
        kind._BASE_PARAMS = kind._BASE_PARAMS | {
            key: (each.type if isinstance(each.type, type) else None, each.default)
            for key, each in own.items()
        }
        kind._BASE_PARAMS["columns"] = (None, None)
        named = [
            Parameter(key, Parameter.KEYWORD_ONLY, default=default, annotation=of or Any)
            for key, (of, default) in kind._BASE_PARAMS.items()
        ]

        def __init__(self: Any, **given: Any) -> None:  # noqa: N807
            Signature(named).bind(**given)
            self.options = {key: value for key, value in given.items() if value is not None}
            super(kind, self).__init__(**(given | {"skip_op_error": False}))
            options = {key: value for key, value in self.options.items() if key in own}
            self.technique = technique(**{"columns": self.text_key} | options)
            getattr(self, "check", bool)()

        me = Parameter("self", Parameter.POSITIONAL_ONLY)
        __init__.__signature__ = Signature([me, *named])  # type: ignore[attr-defined]
        kind.__init__ = __init__
        return OPERATORS.register_module(name)(kind)

    return registered


@TAGGING_OPS.register_module("fair_counterfactual_swap_mapper")
@operator("fair_counterfactual_swap_mapper", CounterfactualSwap)
class FairCounterfactualSwapMapper(Mapper):
    """Rewrite samples; the meta says which are `rewritten`, and the `reason` why one is left.

    Of `augment`, the originals of a batch stand before its counterfactuals, as the tracer compares
    the first ones with what came in.
    """

    _batched_op = True

    def process_batched(self, samples: Samples) -> Samples:
        """Rewrite a batch."""
        columns, origins, rewritten, reasons = results = rewrite_rows(self.technique, samples)
        if is_ray_mode():
            logger.info(f"{self._name}: {results.counts()}")
        is_copy = [k > 0 and origins[k - 1] == origins[k] for k in range(len(origins))]
        metas = columns.get(Fields.meta, [{}] * len(origins))
        columns[Fields.meta] = [
            (each or {}) | {"rewritten": rewritten[k] or is_copy[k], "reason": reasons[k]}
            for k, each in enumerate(metas)
        ]
        order = sorted(range(len(origins)), key=is_copy.__getitem__)
        return {name: [values[k] for k in order] for name, values in columns.items()}

    def run(self, dataset: Any, **named: Any) -> Any:
        """Rewrite a dataset, and log the counts."""
        made, counts = super().run(dataset, **named), Counter[str]()
        for meta in made[Fields.meta] if len(made) else []:
            # Of augment, each sample stands there once as it was; of no samples, there is no meta.
            if self.technique.mode != "augment" or not meta["rewritten"]:
                counts[label_of(meta["reason"])] += 1
        logger.info(f"{self._name}: {dict(counts)}")
        return made
