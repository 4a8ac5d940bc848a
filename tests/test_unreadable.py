"""Why a model cannot be read."""

from fair_datasets.unreadable import why_unreadable

PICKLED = OSError("x does not appear to have a file named model.safetensors or model.safe.index")


def test_the_revision_that_holds_safetensors_is_named_where_it_is_known() -> None:
    """The released perturber's main branch holds a pickle alone."""
    why = why_unreadable("facebook/perturber", PICKLED)
    assert why.endswith("is not read; its safetensors lie in the revision 'refs/pr/1': pass "
                        "revision='refs/pr/1'")  # fmt: skip


def test_of_another_model_of_the_hub_a_revision_is_asked_for() -> None:
    """Of a folder there is none."""
    assert "name a revision that holds safetensors, or load it" in why_unreadable("a/b", PICKLED)
    assert "name a revision" not in why_unreadable(".", PICKLED)
