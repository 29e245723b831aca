"""Why something is done about a wish, in words: because it is bright outside and you prefer daylight."""

from __future__ import annotations

from engine.graph.terms import expand
from engine.planning.site import Site
from engine.planning.wishes.implicit import Remedy

_WAYS = {
    (expand("hg:Illuminance"), 1): "makes it brighter",
    (expand("hg:Illuminance"), -1): "makes it less bright",
    (expand("hg:Temperature"), 1): "makes it warmer",
    (expand("hg:Temperature"), -1): "makes it cooler",
}


def because_of_remedies(best: Remedy, variable: str, direction: int, site: Site) -> str:
    """The reason for a remedy: its effect, the condition outside, and the person's liking."""
    told = [f"it {_way(variable, direction, site)}"]
    if best.condition is not None:
        told.append(site.vocabulary.name(best.condition))
    if best.rank and best.rank[0] > 0:
        told.append("you prefer that")
    if site.tastes.chosen(variable) is not None:
        told.append(f"you are comfortable at {site.tastes.chosen(variable):g}")
    return f"because {', '.join(told[:-1])} and {told[-1]}" if len(told) > 1 else f"because {told[0]}"


def because_of_situation(situation: str, site: Site) -> str:
    """The reason for an act in a situation."""
    liked = ", as you like it" if site.tastes.wishes.get(situation) else ""
    return f"for “{site.vocabulary.name(situation)}”{liked}"


def _way(variable: str, direction: int, site: Site) -> str:
    known = _WAYS.get((variable, direction))
    more = "more" if direction > 0 else "less"
    return known or f"gives {more} {site.vocabulary.name(variable).lower()}"
