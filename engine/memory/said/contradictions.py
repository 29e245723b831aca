"""Whether what somebody tells in one breath says two things of the same, so that neither can be kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from engine.language.meanings.context import Context
from engine.memory.kept.facts import matter_of
from engine.memory.said.words import Sentence, read
from engine.model.fact import Fact
from engine.model.intent import Intent
from engine.model.vocabulary import Form

_GOES_ON = frozenset({"with", "at"})
_OPENED = {"i'm": "I", "we're": "we"}
_JOINTS = frozenset({"and", "but", ",", ";", "or", "while", "though"})


def contradicts_itself(several: Sequence[Fact], context: Context) -> bool:
    """Whether facts that were told in one breath want two values of one property of the same things, like and dislike
    one class, or say two things of one matter."""
    liked = {cls for one in several for cls in one.liked}
    disliked = {cls for one in several for cls in one.disliked}
    goals = [goal for one in several for goal in one.goals]
    return bool(liked & disliked) or _disagree(goals, context) or _are_two(one.text for one in several)


def _disagree(goals: Iterable[Intent], context: Context) -> bool:
    """Whether two goals want different values of the same kind of property of the same selection."""
    wanted: dict[object, object] = {}
    for goal in goals:
        for kind, value in _aims(goal, context):
            if wanted.setdefault((goal.selection, kind), value) != value:
                return True
    return False


def _aims(goal: Intent, context: Context) -> Iterator[tuple[str, object]]:
    """Which kinds of property a goal wants to have which value."""
    if goal.property is not None and goal.amount is not None:
        yield goal.property, goal.amount.value
    for effect in context.effects(goal.command):
        if effect.form is Form.TO:
            yield effect.kind, effect.value


def _are_two(texts: Iterable[str]) -> bool:
    """Whether sentences say of one matter that it is this and that: "my team is …", "my team is …"."""
    told = [(matter, text) for text in texts if (matter := matter_of(text)) is not None]
    return any(a == b and one != other for (a, one), (b, other) in combinations(told, 2))


def pieces(text: str, context: Context) -> list[str]:
    """The parts of a sentence between the words that join them."""
    sentence = read(text, context)
    cuts = [n for n in range(len(sentence.tokens)) if sentence.word(n) in _JOINTS]
    bounds = [-1, *cuts, len(sentence.tokens)]
    found = [sentence.said(begin + 1, end) for begin, end in pairwise(bounds)]
    return [one for one in found if one]


def comforts(several: Sequence[str], context: Context) -> list[str]:
    """The parts of a sentence, where one that goes on with "with" or "at" has its beginning from the one before:
    "I feel comfortable at 25 degrees" and "with a low fan"."""
    found: list[str] = []
    for one in several:
        before = read(found[-1], context) if found else None
        end = _comfort(before) if before is not None else 0
        goes_on = bool(end) and read(one, context).word(0) in _GOES_ON
        found.append(f"{before.said(0, end)} {one}" if before is not None and goes_on else one)
    return found


def as_usual(text: str, context: Context) -> str | None:
    """A statement of comfort as one of habit ("… usually have …"); None for any other text, and for a number, which is
    a liking: "I feel comfortable with a low fan", "our Ada sleeps better with the blinds shut"."""
    sentence = read(text, context)
    begin, end = _named_from(sentence), _comfort(sentence)
    rest = sentence.tokens[end + 1 :]
    if not end or sentence.word(end) != "with" or not rest or rest[0].number is not None:
        return None
    who = _OPENED.get(sentence.word(0)) or sentence.said(begin, begin + 1)
    return f"{who} usually have {text[rest[0].start :]}"


def _named_from(sentence: Sentence) -> int:
    """Where the name of somebody begins: behind "our" or "my", which belong to it."""
    return 1 if sentence.word(0) in ("my", "our") and len(sentence.tokens) > 1 else 0


def _comfort(sentence: Sentence) -> int:
    """Where it ends that somebody is comfortable, with which a sentence begins; 0 where nobody is."""
    begin = _named_from(sentence)
    token = sentence.tokens[begin] if sentence.tokens else None
    named = token is not None and (
        sentence.text[token.start].isupper() or (begin > 0 and sentence.here("hg:KinWord", begin) is not None)
    )
    speaks = begin == 0 and sentence.here("hg:SelfWord", 0) is not None
    comfort = sentence.here("hg:ComfortWord", begin + 1) if named or speaks else None
    return comfort.end if comfort is not None else 0
