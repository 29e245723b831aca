"""Time words as the timing of an intent; a state that is waited for, in graph terms."""

from __future__ import annotations

from engine.language.meanings.amounts import meanings
from engine.language.meanings.context import Context
from engine.language.meanings.places import places_named
from engine.language.phrases.frames import read_frame
from engine.language.phrases.segments import Segment
from engine.language.phrases.slots import Frame
from engine.language.phrases.temporal import When
from engine.language.words.lexicon import Role
from engine.model.intent import Moment, Timing
from engine.model.selection import Quantity, Select


def timing(when: When, context: Context) -> Timing | None:
    """The timing, or None where nothing was said of time."""
    if when.empty or when.conditional:
        return None
    start = Moment(after=when.after, at=when.at) if when.after is not None or when.at else None
    if when.event:
        start = _state(read_frame(Segment(when.event, "."), context.dictionary.lexicon), context) or start
    return Timing(start, when.duration, Moment(at=when.until) if when.until else None)


def _state(frame: Frame, context: Context) -> Moment | None:
    """The state that a clause describes: a noun and a word for how it is."""
    for how in frame.amounts:
        for meaning in meanings(how, context, directed=False):
            for kind in sorted(meaning.kinds):
                return Moment(selection=_select(frame, context), property=kind, amount=meaning.amount)
    return None


def _select(frame: Frame, context: Context) -> Select:
    entries = frame.nouns[0].entries if frame.nouns else ()
    things = tuple(e.iri for e in entries if e.role is Role.THING)
    classes = tuple(e.iri for e in entries if e.role is Role.DEVICE)
    places = tuple(p for name in frame.places for p in places_named(name, context.registry))
    return Select(() if things else classes, things, places, Quantity.ONE)
