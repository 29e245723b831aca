"""Words in, intents out: tokens, spans, segments, frames, goals, readings."""

from __future__ import annotations

from collections.abc import Sequence

from engine.language.meanings.context import Context
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.asides import without_remarks, without_statements
from engine.language.phrases.formerly import formerly
from engine.language.phrases.frames import read_frame
from engine.language.phrases.restrictions import restrict, with_persons
from engine.language.phrases.segments import Segment
from engine.language.phrases.separable import joined
from engine.language.phrases.temporal import extract
from engine.language.questions.questions import asked_segments
from engine.language.talk.asking import Asked, filled
from engine.language.talk.discourse import in_context, interpreted
from engine.language.talk.ellipsis import continues
from engine.language.talk.references import referred
from engine.language.talk.self_repair import repaired
from engine.language.tastes.preferences import stated
from engine.language.tastes.standing import standing
from engine.language.tastes.tastes import taste_talk
from engine.language.tastes.wishes import guess, is_told, wish_of
from engine.language.words.grammar import ASKING, QUESTION_WORDS
from engine.language.words.lexicon import Role
from engine.language.words.spans import read_spans
from engine.language.words.tokens import MAX_CHARACTERS
from engine.model.intent import Intent

_IN_WORDS = "/wish-"


def is_in_words(wish: Intent) -> bool:
    """Whether a wish was read from words that are known, and not guessed."""
    return _IN_WORDS in wish.iri


def understand(text: str, request: str, context: Context) -> tuple[Alternatives, ...]:
    """The readings of each goal of a text, likeliest first, each a tuple of intents whose IRIs begin with `request`.

    Complaints and wishes are understood where there are no orders; a wish that is put as an order ("make it cosy") is
    understood beside other orders. A text without content has one intent, not understood.
    """
    preference = taste_talk(text, f"{request}/intent-1", context) or stated(text, f"{request}/intent-1", context)
    if preference is not None:
        return (((preference,),),)
    wishes = standing(text, request, context, understand)
    if wishes is not None:
        return wishes
    lexicon = context.dictionary.lexicon
    spans = repaired(formerly(with_persons(read_spans(text[:MAX_CHARACTERS], lexicon))), lexicon, context.hearing)
    spans = referred(spans, context.hearing) if context.past.turns else spans
    said = asked_segments(restrict(joined(spans, lexicon)))
    if any(extract(segment)[1].conditional for segment in said if segment.inquiry is None and segment.spans):
        return (((Intent(f"{request}/intent-1", text, fault="not_supported_yet", subject=text[:200]),),),)
    wished = _wishes(said, text, request, context)
    rest = [s for place, s in enumerate(said) if place not in wished and not (wished and is_told(s))]
    orders = _orders(rest, text, request, context) if rest or not wished else ()
    vague = not (wished or context.hearing.retracted) and _is_vague(orders, said, context)
    if not vague and any(_is_understood(readings) for readings in orders):
        return (*orders, *(((wish,),) for place, wish in wished.items() if _is_ordered(said[place], context)))
    if wished:
        return tuple(((wish,),) for wish in wished.values())
    asks = text.rstrip().endswith("?") or any(_is_question(segment) for segment in said)
    guessed = guess(said, f"{request}/intent-1", text, context) if vague and not asks else None
    return orders if guessed is None else (((guessed,),),)


def reply(text: str, request: str, asked: Asked, context: Context) -> tuple[Alternatives, ...] | None:
    """The readings of a request that goes on after the question that it left open was answered; None for a text that is
    no reply to it."""
    items = filled(text, asked, context)
    if items is None:
        return None
    return tuple(interpreted(item, f"{request}/intent-{n}", context) for n, item in enumerate(items, start=1))


def _wishes(said: Sequence[Segment], text: str, request: str, context: Context) -> dict[int, Intent]:
    """The implicit intents among segments, each said once, by the place of the segment."""
    found: dict[int, Intent] = {}
    for place, segment in enumerate(said):
        if (segment.inquiry is not None and not is_told(segment)) or (context.hearing.corrects and context.past.turns):
            continue
        if segment.spans and not is_told(segment) and continues(segment, context):
            continue
        wish = wish_of(segment, f"{request}{_IN_WORDS}{place + 1}", text, context)
        if wish is not None and not any(_same(wish, other) or _is_second(wish, other) for other in found.values()):
            found[place] = wish
    return found


def _is_question(segment: Segment) -> bool:
    """A question never acts, not even one that nobody understands."""
    return bool(segment.spans) and segment.spans[0].text in QUESTION_WORDS | ASKING


def _same(one: Intent, other: Intent) -> bool:
    about = (other.variable, other.direction, other.situation)
    return (one.variable, one.direction, one.situation) == about and one.selection == other.selection


def _is_second(wish: Intent, other: Intent) -> bool:
    """Of two situations in one breath the first counts: "movie night, set the mood"."""
    return wish.situation is not None and other.situation is not None


def _is_ordered(segment: Segment, context: Context) -> bool:
    """Whether a wish is put as an order ("make it cosy"), and is no reason for one ("it's dark") and no greeting."""
    return not is_told(segment) and bool(read_frame(segment, context.dictionary.lexicon).verbs)


def _is_understood(readings: Alternatives) -> bool:
    return any(intent.fault != "not_understood" for intent in readings[0])


def _is_vague(orders: Sequence[Alternatives], said: Sequence[Segment], context: Context) -> bool:
    """Whether a text may be a wish in unknown words: it has no full verb, names nothing known, and was not understood,
    or only describes."""
    frames = [(read_frame(s, context.dictionary.lexicon), is_told(s)) for s in said if s.spans]
    ordered = any(e.role is not Role.LIGHT_VERB for frame, told in frames if not told for e in frame.verbs)
    named = any(noun.entries for frame, _ in frames for noun in frame.nouns)
    missed = all(intent.fault == "not_understood" for readings in orders for intent in readings[0])
    return not ordered and (missed or (not named and all(told for _, told in frames)))


def _orders(said: Sequence[Segment], text: str, request: str, context: Context) -> tuple[Alternatives, ...]:
    lexicon = context.dictionary.lexicon
    frames = without_remarks([read_frame(segment, lexicon) for segment in without_statements(said)])
    found = enumerate(in_context(frames, text, context), start=1)
    readings = tuple(interpreted(goal, f"{request}/intent-{number}", context) for number, goal in found)
    fault = "nothing_to_do" if context.hearing.retracted else "not_understood"
    return readings or (((Intent(f"{request}/intent-1", text, fault=fault, subject=text[:200]),),),)
