"""What is done with a request in whatever language it is: English by all readers, any other by the chart alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from engine.language.chart import decide
from engine.language.chart.agreed import shapes_of
from engine.language.chart.alone import with_the_others_off
from engine.language.chart.around import Rest, rest_of, told_around
from engine.language.chart.corrected import restored, taken_back, takes_back, with_correction
from engine.language.chart.decide import nothing as nothing
from engine.language.chart.errands import with_errand
from engine.language.chart.exempted import with_exemption
from engine.language.chart.heard.tongues import language_of, speaking
from engine.language.chart.judging.confidence import acts
from engine.language.chart.judging.fits import passes_over_a_denial
from engine.language.chart.judging.heeded import heeds
from engine.language.chart.judging.ranking import ranked as ranked
from engine.language.chart.judging.reader import Candidate, heard
from engine.language.chart.later.timewise import is_done_early
from engine.language.chart.sentences import with_each_sentence
from engine.language.chart.somewhere import with_rooms_told
from engine.language.chart.those import with_things_told
from engine.language.meanings.context import Context
from engine.language.meanings.readings import Alternatives
from engine.model.intent import Intent

_UNREAD = ("skip", "aside")
_UNORDERED = ("tell", "told", "condition")
_ON_TIME = "time"


def decided(
    text: str,
    request: str,
    context: Context,
    past: Mapping[str, Sequence[Intent]] = MappingProxyType({}),
    *,
    by_words: bool = False,
) -> tuple[Alternatives, ...]:
    """For each goal of a text its readings, likeliest first; one that is not understood where that may not be done.

    With `by_words` the sense of the whole text is not weighed: the engine has written it."""
    language = language_of(text, context)
    if language is None:
        if by_words:
            return decide.decided(text, request, context, past, by_words=True)
        text = text.removeprefix(taken_back(text, context))
        said = text.removesuffix(restored(text, context))
        goals = decide.decided(said, request, context, past)
        if said != text and not takes_back(context):
            said, goals = text, decide.decided(text, request, context, past)
        text = said

        def read(part: str, own: Context) -> tuple[Alternatives, ...]:
            return decide.decided(part, request, own, past)

        def understood(part: str, own: Context) -> tuple[Alternatives, ...]:
            return around(part, own, read(part, own))

        def around(part: str, own: Context, found: tuple[Alternatives, ...]) -> tuple[Alternatives, ...]:
            found = with_each_sentence(part, request, own, found, understood)
            found = with_exemption(part, own, found, understood)
            found = with_rooms_told(part, request, own, found, understood)
            return told_around(part, own, with_things_told(part, request, own, found, understood), read)

        meant = around(text, context, goals)
        meant = with_correction(text, request, context, with_errand(text, request, context, meant))
        meant = with_the_others_off(text, context, meant)
        return nothing(text, request) if is_done_early(text, context, meant) else meant
    return _by_chart(text, request, speaking(context, language))


def spoken_around(text: str, request: str, context: Context) -> Rest | None:
    """The part of an English text that is read by itself, with the stories around it; None where the whole is read."""
    if language_of(text, context) is not None:
        return None
    goals = decide.decided(text, request, context)
    return rest_of(text, context, goals, lambda part, own: decide.decided(part, request, own))


def _by_chart(text: str, request: str, context: Context) -> tuple[Alternatives, ...]:
    """The likeliest that the chart reads, where it takes every word; asked about where others weigh as much."""
    found = heard(text, request, context)
    best = next(iter(found.candidates), None)
    if best is None or not best.goals or _has(best, _UNREAD):
        return nothing(text, request)
    does = acts(best)
    timed = any(part == _ON_TIME for _, _, part in best.account)
    heedless = not heeds(best, found) or passes_over_a_denial(best, found, context)
    if does and (timed or _has(best, _UNORDERED) or heedless):
        return nothing(text, request)
    others = (math.exp(one.score - best.score) for one in found.candidates if one.effect != best.effect)
    context.hearing.unsure = does and sum(others) > sum(
        math.exp(one.score - best.score) for one in found.candidates if one.effect == best.effect
    )
    context.hearing.shape = next(shapes_of(best, found)) if context.hearing.unsure else ""
    return best.goals


def _has(candidate: Candidate, features: tuple[str, ...]) -> bool:
    return any(name.startswith(features) for name, count in candidate.features.items() if count)
