"""The page of a measure's Space: its inputs and its result as JSON.

This file is sent as `app.py` beside the module of each measure, and finds the module there. Who
visits the page computes on somebody else's machine: a parameter is taken only if it is listed here,
so that no visitor has a file read, a model downloaded or hours computed that nobody meant.
"""

import ast
import doctest
import inspect
import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.lexicons import available_lexicons
from fair_datasets.system.checks import InputError, error_context, require
from fair_datasets.system.files import indented

if TYPE_CHECKING:
    from evaluate import EvaluationModule

MODELS = {
    "counterfactual_perplexity": ("distilbert/distilgpt2",),
    "crows_pairs": ("distilbert/distilbert-base-uncased",),
    "holistic_bias": ("distilbert/distilbert-base-uncased",),
    "seat": ("sentence-transformers/all-MiniLM-L6-v2",),
}
"""The models that a visitor may have downloaded, by measure; add small ones of your own."""

MOST = {
    "batch_size": 64, "bins": 1000, "max_tokens": 512, "n_resamples": 1000, "n_samples": 100_000,
}  # fmt: skip
"""How large the parameters may be that a visitor can make costly."""

MOST_LETTERS = 200_000
MOST_ROWS = 1000
MOST_TEXTS = 100
MOST_OF_A_TEXT = 2000
"""How much a visitor may have computed at once: letters and rows, texts that a model reads, and
letters of one text."""

OTHERS = (
    "agg", "attributes", "centred", "changed", "confidence", "control_counterfactual_differences",
    "control_counterfactual_predictions", "control_differences",
    "control_predictions", "control_scores",
    "counterfactual_scores", "decimals", "excluded", "families", "groups",
    "head", "labels", "level", "mapping", "method", "metric",
    "metric_options", "missing_group", "most", "names", "only_names", "order",
    "outcome", "per_token",
    "percentiles", "pooling", "positive", "reference", "scores", "scoring", "seed", "significance",
    "statistic", "threshold", "undefined", "with_pairs", "worst",
)  # fmt: skip
"""The other parameters, which name no file and cost little."""

NOT_TAKEN = ("device", "direction", "encoder", "pipeline", "reader", "revision", "vectors")
"""The parameters of the measures that a visitor does not choose."""

COSTLY = {"group_metric": ("confidence", "n_resamples")}
"""The parameters that cost little in other measures, by the measure in which they do not."""

EXAMPLES: dict[str, dict[str, Any]] = {
    "name_sensitivity": {
        "predictions": [0, 1, 1, 1, 0, 1, 1, 1] * 2,
        "rows": [0] * 8 + [1] * 8,
        "cultures": ["Igbo", "Igbo", "Polish", "Polish"] * 4,
        "genders": [*["man"] * 4, *["woman"] * 4] * 2,
        "names": ["Uche", "Emeka", "Marek", "Piotr", "Ngozi", "Nneka", "Ewa", "Zofia"] * 2,
    },
    "seat": {
        "texts": [
            "This is John.", "That is Paul.", "This is Amy.", "That is Joan.",
            "This is a career.", "That is an office.", "This is a family.", "That is a home.",
        ],
        "sets": ["X", "X", "Y", "Y", "A", "A", "B", "B"],
        "model": MODELS["seat"][0],
    }
}  # fmt: skip
"""Inputs to begin with, where those of the measure's own example cannot be typed."""


def find_module(folder: Path) -> Path:
    """Return the module that lies beside the app."""
    return next(path for path in sorted(folder.glob("*.py")) if path.name != "app.py")


def example_of(module: "EvaluationModule") -> dict[str, Any]:
    """Return the inputs of the first call of `compute` in a module's own examples.

    Returns:
        Parameter to value; an empty list for each column where no example can be read.
    """
    if module.name in EXAMPLES:
        return EXAMPLES[module.name]
    for example in doctest.DocTestParser().get_examples(module.inputs_description):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".compute"):
                return {word.arg or "": _literal(word.value) for word in node.keywords}
    return {column: [] for column in columns_of(module)}


def columns_of(module: "EvaluationModule") -> list[str]:
    """List the columns that a measure reads."""
    return list(module.features)


def compute(module: "EvaluationModule", text: str) -> str:
    """Compute the measure.

    Returns:
        The result as JSON, with what it warned of under "warnings"; what was wrong, under "error",
        where there is none.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with error_context(module.name):
                result = shown(module.compute(**checked(module, text)))
        except InputError as error:
            result = {"error": str(error)}
        except Exception as error:
            result = {"error": f"{type(error).__name__}: {error}"}
    if messages := [str(each.message) for each in caught if issubclass(each.category, UserWarning)]:
        result["warnings"] = list(dict.fromkeys(messages))
    written = indented(result, ensure_ascii=False, allow_nan=False)
    # Half of a letter, which a name may hold, is written as JSON can.
    return written.encode("utf-8", "backslashreplace").decode("utf-8")


def checked(module: "EvaluationModule", text: str) -> dict[str, Any]:
    """Read what a visitor typed, and refuse what is not meant for visitors."""
    if len(text) > MOST_LETTERS:
        raise InputError(f"This page takes {MOST_LETTERS:,} letters at most.{_ELSEWHERE}")
    try:
        inputs = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"The inputs are not JSON: {error}.") from error
    if not isinstance(inputs, dict):
        raise InputError('The inputs must be an object, such as {"predictions": [1, 0], ...}.')
    columns, costly = columns_of(module), COSTLY.get(module.name, ())
    for name, value in inputs.items():
        if name not in costly and (name in columns or name in OTHERS):
            _refuse_long(name, value)
        elif name == "axis":
            _refuse_other(name, value, available_lexicons())
        elif name == "model":
            _refuse_other(name, value, [None, *MODELS.get(module.name, ())])
        elif name not in costly and name in MOST:
            _refuse_large(name, value)
        else:
            raise InputError(
                f"This page does not take {name!r}, but {', '.join(map(repr, offered(module)))}."
                f"{_ELSEWHERE}"
            )
    if inputs.get("model") is not None and any(
        len(inputs.get(c, ())) > MOST_TEXTS for c in columns
    ):
        raise InputError(f"This page has a model read {MOST_TEXTS} texts at most.{_ELSEWHERE}")
    return inputs


def offered(module: "EvaluationModule") -> list[str]:
    """List the parameters of a measure that the page takes."""
    names = inspect.signature(module._compute).parameters
    known = {"axis", *MOST, *OTHERS, *(["model"] if module.name in MODELS else [])}
    known -= {*COSTLY.get(module.name, ()), *(columns := columns_of(module))}
    return [*columns, *(name for name in names if name in known)]


_NOT_FINITE = {"nan": "not defined", "inf": "infinite", "-inf": "minus infinite"}


def shown(value: Any) -> Any:
    """Turn a result into what JSON can write, and say of a value that it is not defined."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): shown(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [shown(item) for item in value]
    if isinstance(value, float):
        value = _NOT_FINITE.get(str(value), value)
    return value if value is None or isinstance(value, str | int | float) else str(value)


def main() -> None:
    """Show the page."""
    require("demo", owner="The page of a measure")
    import evaluate
    import gradio

    module = evaluate.load(str(find_module(Path(__file__).parent)))
    example = indented(example_of(module), ensure_ascii=False)
    with gradio.Blocks(title=module.name) as page:
        gradio.Markdown(f"# {module.name}\n\n{module.description}\n\n{_offer(module)}")
        inputs = gradio.Code(example, language="json", label="Inputs", interactive=True)
        button = gradio.Button("Compute", variant="primary")
        result = gradio.Code(language="json", label="Result", interactive=False)
        gradio.Code(module.inputs_description.strip(), label="What it takes", interactive=False)
        button.click(lambda text: compute(module, text), inputs, result, api_name="compute")
    # One visitor after the other; those who would wait for long are told so.
    page.queue(max_size=20, default_concurrency_limit=1)
    page.launch()


_ELSEWHERE = " For more, install fair-datasets and compute it on a machine of your own."


def _offer(module: "EvaluationModule") -> str:
    """Return what the page takes."""
    models = MODELS.get(module.name, ())
    sentences = [f"This page takes {', '.join(f'`{name}`' for name in offered(module))}"]
    sentences += [f"of models {', '.join(f'`{name}`' for name in models)}"] if models else []
    return f"{'; '.join(sentences)}; and {MOST_ROWS:,} rows at most.{_ELSEWHERE}"


def _refuse_long(name: str, value: Any) -> None:
    """Raise if a column has more rows, or a text more letters, than a visitor may have computed."""
    rows = value if isinstance(value, list) else [value]
    if len(rows) > MOST_ROWS:
        raise InputError(
            f"This page takes {MOST_ROWS:,} rows at most, but {name} has {len(rows):,}.{_ELSEWHERE}"
        )
    if any(isinstance(row, str) and len(row) > MOST_OF_A_TEXT for row in rows):
        raise InputError(
            f"This page takes texts of {MOST_OF_A_TEXT:,} letters at most, but {name} has a longer "
            f"one.{_ELSEWHERE}"
        )


def _refuse_other(name: str, value: Any, allowed: list[Any]) -> None:
    """Raise unless a value is one of those that the page offers."""
    if value not in allowed:
        listed = ", ".join(map(repr, [choice for choice in allowed if choice is not None]))
        raise InputError(f"Here, {name} must be one of {listed or 'none'}.{_ELSEWHERE}")


def _refuse_large(name: str, value: Any) -> None:
    """Raise if a number makes the result costly."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if value is not None and not (is_number and value <= MOST[name]):
        raise InputError(
            f"Here, {name} must be a whole number of {MOST[name]:,} at most.{_ELSEWHERE}"
        )


def _literal(node: ast.expr) -> Any:
    """Read a value that is written out, such as `["young"] * 5 + ["old"] * 5`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult):
        first, second = _literal(node.left), _literal(node.right)
        return first + second if isinstance(node.op, ast.Add) else first * second
    return ast.literal_eval(node)


if __name__ == "__main__":
    main()
