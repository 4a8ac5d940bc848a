"""From which attribute to which: the targets of a swap, drawn where several are possible."""

from collections.abc import Mapping, Sequence

from fair_datasets import checks, draws
from fair_datasets.lexicons import Lexicon
from fair_datasets.swap.pronoun_sets import THEY

Targets = Mapping[tuple[str, str], str]


def plan_targets(
    lexicon: Lexicon, source: Sequence[str], target: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return each attribute of an axis that is rewritten, with the attributes it may become.

    Args:
        lexicon: The axis.
        source: The attributes that are rewritten; those of other axes are passed over. None of
            this axis: all of them are.
        target: The attributes that they are rewritten to; none of this axis: each one's
            counterpart, or any other where the attributes are not paired.

    Returns:
        Attribute to its possible targets, in the lexicon's order.

    Example:
        >>> from fair_datasets import load_lexicon
        >>> plan_targets(load_lexicon("gender"), (), ())
        {'man': ('woman',), 'woman': ('man',)}
    """
    sources = [name for name in lexicon.attributes if name in source] or lexicon.attributes
    wanted = tuple(name for name in lexicon.attributes if name in target)
    plan: dict[str, tuple[str, ...]] = {}
    for attribute in sources:
        if wanted:
            targets = wanted
        elif lexicon.counterparts:
            paired = lexicon.counterparts.get(attribute)
            targets = (paired,) if paired else ()
        else:
            targets = lexicon.attributes
        if others := tuple(name for name in targets if name != attribute):
            plan[attribute] = others
    return plan


def draw_targets(
    axis: str, lexicon: Lexicon, plan: Mapping[str, Sequence[str]], seed: int, key: str
) -> Targets:
    """Choose one target for each attribute of a row.

    Where all others are possible, the attributes are moved on by one drawn number of places, so
    that two groups of a row never become one. A lexicon draws the same wherever its file lies.

    Args:
        axis: The axis.
        lexicon: Its lexicon.
        plan: What `plan_targets` returned.
        seed: The seed.
        key: The row's key.

    Returns:
        Axis and attribute to the attribute that its terms are rewritten to.
    """
    if steps := _steps(lexicon, plan):
        step = draws.choice(steps, seed, key, _purpose(lexicon))
        return _moved(axis, lexicon, plan, step)
    return {
        (axis, name): draws.choice(targets, seed, key, _purpose(lexicon, name))
        for name, targets in plan.items()
    }


def other_targets(
    axis: str, lexicon: Lexicon, plan: Mapping[str, Sequence[str]], seed: int, key: str
) -> list[Targets]:
    """Choose further targets for each attribute of a row, for those that do not fit it.

    Args:
        axis: As for `draw_targets`.
        lexicon: As for `draw_targets`.
        plan: As for `draw_targets`.
        seed: As for `draw_targets`.
        key: As for `draw_targets`.

    Returns:
        All targets behind the ones that `draw_targets` chooses, in the order of their draws.
    """
    if steps := _steps(lexicon, plan):
        drawn = draws.order(steps, seed, key, _purpose(lexicon))
        return [_moved(axis, lexicon, plan, step) for step in drawn[1:]]
    orders = {
        (axis, name): draws.order(targets, seed, key, _purpose(lexicon, name))
        for name, targets in plan.items()
    }
    attempts = range(1, max(map(len, orders.values()), default=0))
    return [{name: own[k % len(own)] for name, own in orders.items()} for k in attempts]


def _steps(lexicon: Lexicon, plan: Mapping[str, Sequence[str]]) -> range:
    """Return by how many places attributes may be moved on; none where not all may become all."""
    many = len(lexicon.attributes)
    is_any = many > 2 and all(len(targets) == many - 1 for targets in plan.values())
    return range(1, many) if is_any else range(0)


def _moved(
    axis: str, lexicon: Lexicon, plan: Mapping[str, Sequence[str]], step: int
) -> dict[tuple[str, str], str]:
    """Move attributes on by some places."""
    names = lexicon.attributes
    moved = {name: names[(k + step) % len(names)] for k, name in enumerate(names)}
    return {(axis, attribute): moved[attribute] for attribute in plan}


def _purpose(lexicon: Lexicon, attribute: str = "") -> str:
    """Name the draw of a target, of one attribute or of all together."""
    return f"target of {attribute} on {lexicon.name}" if attribute else f"target on {lexicon.name}"


def check_directions(
    lexicons: Sequence[Lexicon], source: Sequence[str], target: Sequence[str], owner: str
) -> None:
    """Raise unless source and target are attributes of the axes that lead somewhere.

    Args:
        lexicons: The axes.
        source: The attributes that are to be rewritten; none for all.
        target: The attributes that they are to become; none for their counterparts.
        owner: The class whose parameters they are.

    Raises:
        InputError: An attribute is unknown, or an axis has nothing to rewrite.
    """
    names = [name for lexicon in lexicons for name in lexicon.attributes]
    for parameter, values in (("source", source), ("target", target)):
        for value in values:
            meant = _attribute_of(value, lexicons)
            checks.one_of(value, names, owner=owner, parameter=parameter, meant=meant)
    for lexicon in lexicons:
        if plan_targets(lexicon, source, target):
            continue
        same = [name for name in source if name in target]
        if same:
            raise checks.InputError(
                f"{owner}: source and target are both {same[0]!r}; choose two different attributes."
            )
        given = next(name for name in source if name in lexicon.attributes)
        raise checks.InputError(
            f"{owner}: {given!r} has no counterpart of its own on the axis {lexicon.name!r}; "
            f"give a target: {', '.join(map(repr, lexicon.counterparts))}."
        )


def _attribute_of(term: str, lexicons: Sequence[Lexicon]) -> str:
    """Return the attribute of a term, such as that of "female"; nothing where there is none."""
    for lexicon in lexicons:
        for entry in lexicon.entries:
            for attribute, forms in entry.forms.items():
                if term.casefold() in (form.text.casefold() for form in forms):
                    return attribute
    return ""


def check_pronouns_written(
    pronouns: str,
    lexicons: Sequence[Lexicon],
    source: Sequence[str],
    target: Sequence[str],
    owner: str,
) -> None:
    """Raise if pronouns for people who are neither men nor women would never be written.

    Args:
        pronouns: The set that is asked for.
        lexicons: The axes.
        source: The attributes that are rewritten; none for all.
        target: The attributes that they become; none for their counterparts.
        owner: The class whose parameters they are.

    Raises:
        InputError: Nobody becomes such a person.
    """
    for lexicon in lexicons:
        plan = plan_targets(lexicon, source, target)
        written = {name for targets in plan.values() for name in targets}
        for entry in lexicon.entries:
            forms = [form.text for name in written for form in entry.forms.get(name, ())]
            if entry.kind == "pronoun" and THEY.intersection(forms):
                return
    raise checks.InputError(
        f"{owner}: pronouns={pronouns!r} would never be written, as nobody becomes neither man nor "
        "woman; add target='non-binary', or leave it out."
    )
