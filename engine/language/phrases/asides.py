"""Recognises speech beside an order: statements ("I'm off for a shower", "it's dark") and remarks that name nothing.

A statement may be a complaint; here it only must not be taken for an order.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.language.phrases.segments import VERBS, Segment
from engine.language.phrases.slots import Frame
from engine.language.words.lexicon import Role

_SUBJECTS = frozenset(
    "i i'm i've i'll we we're we've he he's she she's they they're they've there's that's it's you're".split()  # noqa: SIM905
)
_WISHES = frozenset("want wanna need like love prefer would could can should must i'd we'd let's may might".split())  # noqa: SIM905
_SPARED = frozenset("leave leaves stay stays remain remains keep keeps left unchanged".split())  # noqa: SIM905
_BEING = frozenset("is are was were isn't aren't wasn't weren't am has hasn't had".split())  # noqa: SIM905
_WANTING = frozenset("want wants need needs like likes hate hates".split())  # noqa: SIM905
_NOUNS = (Role.DEVICE, Role.THING, Role.PLACE, Role.PLACE_CLASS, Role.PROPERTY)


def without_statements(segments: Sequence[Segment]) -> list[Segment]:
    """The segments that may be orders or questions; all of them where none may."""
    kept = [segment for segment in segments if not is_statement(segment)]
    return kept or list(segments)


def is_statement(segment: Segment) -> bool:
    """Whether a segment says how things are: it begins with a subject and wishes nothing, or something "is"."""
    texts = [span.text for span in segment.spans]
    first = next((i for i, text in enumerate(texts) if text not in ("well", "oh", "right", "so", "because", "as")), 0)
    if texts[first] in ("otherwise", "else") and _SPARED & set(texts[first + 1 :]):
        return True  # "otherwise leave it as it is"
    if texts[first : first + 2] in (["the", "rest"], ["the", "others"]) and _SPARED & set(texts[first + 2 :]):
        return True  # "the rest stay as they are"
    declines = bool({"don't", "didn't", "won't", "needn't", "doesn't"} & set(texts[first + 1 : first + 2]))
    wishes = bool(_WISHES & set(texts[first : first + 5])) and not declines  # "I don't need it yet"
    if texts[first] in _SUBJECTS or texts[first : first + 2] in (["it", "is"], ["it", "was"]):
        return not wishes
    if any(text in _WANTING for text in texts[first + 1 : first + 3]) and not segment.spans[first].can_be(*VERBS):
        return not wishes or texts[first] not in _SUBJECTS
    for place in range(first + 1, len(texts)):
        if segment.spans[place - 1].can_be(*VERBS) and place - 1 == first:
            return False
        if texts[place] in _BEING or _is_short_is(segment, place):
            return first == place - 1 or texts[first] not in _BEING
    return False


def _is_short_is(segment: Segment, place: int) -> bool:
    """ "The milk's gone off": an ending that is no possessive, for no noun follows."""
    if segment.spans[place].text != "'s":
        return False
    follower = segment.spans[place + 1] if place + 1 < len(segment.spans) else None
    if follower is None or follower.number is not None:
        return False
    return follower.text.endswith("ing") or not follower.can_be(*_NOUNS)


def without_remarks(frames: Sequence[Frame]) -> list[Frame]:
    """The frames without those that name nothing that is known here, where others do: "…, cheers mate"."""
    telling = [frame for frame in frames if not _is_remark(frame)]
    return telling if any(f.verbs or f.amounts or f.has_object for f in telling) else list(frames)


def _is_remark(frame: Frame) -> bool:
    if frame.inquiry is not None:
        return False
    full = any(e.role is not Role.LIGHT_VERB for e in frame.verbs)
    known = full or frame.nouns or frame.qualities or frame.places or frame.amounts or not frame.when.empty
    known = known or (frame.negated and frame.pronoun in ("one", "that", "this"))
    known = known or bool({"other", "others"} & set(frame.unknown))
    return not known and frame.joint in (",", ".") and not frame.imperative
