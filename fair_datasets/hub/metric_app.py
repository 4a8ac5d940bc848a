"""The page of a measure's Space: its inputs and its result as JSON.

This file is sent as `app.py` beside the module of each measure, and finds the module there.
"""

import ast
import doctest
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluate import EvaluationModule


def find_module(folder: Path) -> Path:
    """Return the module that lies beside the app.

    Args:
        folder: The folder of the Space.

    Returns:
        The path of the module.
    """
    return next(path for path in sorted(folder.glob("*.py")) if path.name != "app.py")


def example_of(module: "EvaluationModule") -> dict[str, Any]:
    """Return the inputs of the first call of `compute` in a module's own examples.

    Args:
        module: The module.

    Returns:
        Parameter to value; an empty list for each column where no example can be read.
    """
    known: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(module.inputs_description):
        for node in ast.walk(ast.parse(example.source)):
            try:
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    known[node.targets[0].id] = _literal(node.value, known)
                elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".compute"):
                    return {word.arg or "": _literal(word.value, known) for word in node.keywords}
            except ValueError:
                continue
    features = module.features[0] if isinstance(module.features, list) else module.features
    return {column: [] for column in features}


def compute(module: "EvaluationModule", text: str) -> str:
    """Compute the measure.

    Args:
        module: The measure's module.
        text: Its inputs: JSON of parameter to value.

    Returns:
        The result as JSON; what was wrong, under "error", where there is none.
    """
    try:
        inputs = json.loads(text)
        if not isinstance(inputs, dict):
            raise TypeError('write an object, such as {"predictions": [1, 0], ...}')
        result = module.compute(**inputs)
    except Exception as error:
        result = {"error": f"{type(error).__name__}: {error}"}
    return json.dumps(result, indent=2, ensure_ascii=False, default=_plain)


def main() -> None:
    """Show the page."""
    import evaluate
    import gradio

    module = evaluate.load(str(find_module(Path(__file__).parent)))
    example = json.dumps(example_of(module), indent=2, ensure_ascii=False)
    with gradio.Blocks(title=module.name) as page:
        gradio.Markdown(f"# {module.name}\n\n{module.description}")
        inputs = gradio.Code(example, language="json", label="Inputs", interactive=True)
        button = gradio.Button("Compute", variant="primary")
        result = gradio.Code(language="json", label="Result", interactive=False)
        gradio.Code(module.inputs_description.strip(), label="What it takes", interactive=False)
        button.click(lambda text: compute(module, text), inputs, result, api_name="compute")
    page.launch()


def _literal(node: ast.expr, known: dict[str, Any]) -> Any:
    """Read a value that is written out, or named before."""
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    return ast.literal_eval(node)


def _plain(value: Any) -> Any:
    """Turn what JSON cannot write, such as NumPy's numbers, into what it can."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


if __name__ == "__main__":
    main()
