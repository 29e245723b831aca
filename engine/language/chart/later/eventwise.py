"""Sentences that say several rules by events ("on above 27 and off again once it's under 24", "until it is
21"), and those of which one clause takes up another again ("it mustn't go over 14; warn me if it does")."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.graph.terms import expand
from engine.language.chart.goals.prepared import tokens_of
from engine.language.chart.heard.items import Sort
from engine.language.chart.heard.rule_lexicon import rule_words
from engine.language.chart.later.parting import MARKERS, says_nothing
from engine.language.chart.later.sentence import JOINTS, LEADING, MARKS, Sentence, is_goal, is_joint
from engine.language.chart.later.timewise import names, subject, until
from engine.language.chart.later.told import is_so
from engine.language.chart.later.unmarked import SAYS
from engine.language.meanings.context import Context

_MARKERS = MARKERS - {"Meanwhile"}
_UNTIL = frozenset({"until", "till", "til"})
_BANS = frozenset({"Forbidding", "Disallowing", "Demanding", "Limiting", "Jointly"})
_MUST_NOT = frozenset({"Forbidding", "Disallowing"})
_ENDS = frozenset({".", ";", ",", "?", ":", "-", "–", "—"})
_TELLING = (Sort.Being, Sort.Copula, Sort.Modal, Sort.PastMark, Sort.What, Sort.Which, Sort.How, Sort.Where)
_UNDONE = {
    expand("hg:TurnOn"): "turn off", expand("hg:IsOn"): "turn off", expand("hg:Start"): "turn off",
    expand("hg:TurnOff"): "turn on", expand("hg:IsOff"): "turn on",
    expand("hg:Open"): "close", expand("hg:IsOpen"): "close", expand("hg:Close"): "open", expand("hg:IsClosed"): "open",
}  # fmt: skip


def told_by_events(sentence: Sentence) -> tuple[str, ...]:
    """The sentences that one is which says two orders, each with its event; none for others."""
    marks = [p for p in range(len(sentence.tokens)) if _is_mark(sentence, p)]
    ended = _ended(sentence, marks)
    if ended or len(marks) < 2:
        return ended
    last = marks[-1]
    joint = next((p for p in range(last - 1, marks[0], -1) if is_joint(sentence, p)), None)
    if joint is None or not _joins(sentence, joint):
        return ()
    second = [p for p in range(joint + 1, last) if not is_joint(sentence, p)]
    begun = (
        bool(second) and sentence.is_at(second[0], Sort.VERB, Sort.VALUE, Sort.PARTICLE, Sort.Requesting) is not None
    )
    first = _order(sentence, marks[0], joint)
    if not begun or any(sentence.is_at(p, Sort.Being) is not None for p in second) or not is_goal(sentence, first):
        return ()
    named = names(sentence, second)
    about = [] if named else subject(sentence, first)
    if not named and not about:
        return ()
    own = [sentence.word(p) for p in second] if named else _joined([sentence.word(p) for p in second], about)
    return _said(sentence, range(_past(sentence, joint))), " ".join([*own, *_condition(sentence, marks[0], last)])


def _condition(sentence: Sentence, first: int, last: int) -> list[str]:
    """The words of a last condition, "it" in the words of the first: "… until it's below 55" is of the humidity."""
    rest = [sentence.word(p) for p in range(last, len(sentence.tokens))]
    about = _measured(sentence, first)
    return [word for one in rest for word in (_IT[one](about) if about and one in _IT else [one])]


def _measured(sentence: Sentence, mark: int) -> list[str]:
    """The words for the subject of a condition."""
    found: list[str] = []
    for place in range(mark + 1, len(sentence.tokens)):
        term = sentence.term(place)
        says = term is not None and term[1] in SAYS
        if says or sentence.is_at(place, Sort.Being, Sort.Copula) is not None or sentence.tokens[place].text in _IT:
            return found
        if sentence.is_at(place, Sort.VERB) is not None and sentence.is_at(place, Sort.NOUN, Sort.PLACE) is None:
            return found
        found.append(sentence.word(place))
    return []


def _joined(order: Sequence[str], about: Sequence[str]) -> list[str]:
    """An order that leaves out its device, with that: "it" is that."""
    words = [word for word in order if word not in ("it", "them", "again")]
    return [*words, *about] if words and words[0] in _VERBS else [*about, *words]


_IT: dict[str, Callable[[list[str]], list[str]]] = {"it": lambda about: about, "it's": lambda about: [*about, "is"]}
_VERBS = frozenset({"turn", "switch", "put", "set", "shut", "open", "close", "lock", "unlock", "stop", "start"})


def _ended(sentence: Sentence, marks: Sequence[int]) -> tuple[str, ...]:
    """An order, and another that undoes it after an event: "heat the study until it reaches 21"."""
    at = next((p for p, token in enumerate(sentence.tokens) if token.text in _UNTIL and p), None)
    timed = {p for one in sentence.times for p in range(one.start, one.end)}
    if at is None or at in timed or until(sentence, [at]) is not None or any(p > at for p in marks):
        return ()
    rest = list(range(at + 1, len(sentence.tokens)))
    order = _order(sentence, marks[0], at) if marks else list(range(at))
    about, undone = subject(sentence, order), _undone(sentence, order)
    if not about or undone is None or timed & set(rest) or sentence.teller.told(rest) is None:
        return ()
    ends = _condition(sentence, marks[0], at + 1) if marks else [_said(sentence, rest)]
    return _said(sentence, range(at)), " ".join([undone, *about, "once", *ends])


def _undone(sentence: Sentence, order: Sequence[int]) -> str | None:
    """The order that undoes one."""
    meant = (e.iri for p in order for i in sentence.items[p] if i.sort in (Sort.VERB, Sort.VALUE) for e in i.entries)
    return next((_UNDONE[iri] for iri in meant if iri in _UNDONE), None)


def _is_mark(sentence: Sentence, place: int) -> bool:
    """Whether a condition begins at a token."""
    if any(one.start <= place < one.end for one in sentence.times) or says_nothing(sentence, place):
        return False
    if sentence.tokens[place].text in _UNTIL or (sentence.is_at(place, Sort.Modal) and not _leads(sentence, place)):
        return False
    term = sentence.term(place)
    inside = any(t[0] > place and t[1] in _MARKERS for p in range(max(0, place - 3), place) if (t := sentence.term(p)))
    return not inside and ((term is not None and term[1] in _MARKERS) or sentence.is_at(place, *MARKS) is not None)


def _leads(sentence: Sentence, place: int) -> bool:
    return place == 0 or sentence.tokens[place - 1].text in LEADING


def _joins(sentence: Sentence, joint: int) -> bool:
    """Whether a joint goes on to another order, and not to another condition."""
    near = range(max(0, joint - 1), joint + 1)
    return any(sentence.is_at(p, Sort.And) is not None or sentence.tokens[p].text in ("then", ";", ".") for p in near)


def _past(sentence: Sentence, joint: int) -> int:
    """The end of the words before a joint."""
    return joint - 1 if joint and sentence.tokens[joint - 1].text in JOINTS else joint


def _order(sentence: Sentence, mark: int, end: int) -> list[int]:
    """The places of an order beside the condition whose mark is at a place: before it, else behind its break."""
    if any(sentence.tokens[p].text not in LEADING for p in range(mark)):
        return list(range(mark))
    ahead = range(mark + 1, end)
    breaks = (p + 1 for p in ahead if sentence.tokens[p].text in (",", ":", "then") and p + 1 < end)
    verbs = (p for p in ahead if sentence.tokens[p].text in _VERBS)
    return list(range(next(breaks, next(verbs, end)), end))


def _said(sentence: Sentence, places: Sequence[int]) -> str:
    """The words at these places, as they were said."""
    if not places:
        return ""
    return sentence.text[sentence.tokens[places[0]].start : sentence.tokens[places[-1]].end]


# One clause that takes up another


def as_one(text: str, context: Context, sentence: Callable[[], Sentence]) -> str:
    """A text whose condition is said apart, as one sentence; an order alone, where it is to hold while something is so
    that is so now; others as they are."""
    tokens, words = tokens_of(text, context), rule_words(context.store)
    terms = {term[1] for p in range(len(tokens)) if (term := words.at(tokens, p)) is not None}
    if "Meanwhile" in terms and not terms & _BANS and (now := _now(sentence(), context)):
        return now
    if "IfSo" not in terms and not any(t.text == "?" for t in tokens[:-1]):
        return text
    return in_one(sentence()) or text


def _now(sentence: Sentence, context: Context) -> str:
    """The order of a sentence that is to be done while something is so, where that is so now; else nothing."""
    places = range(len(sentence.tokens))
    at, start = next((p, t[0]) for p in places if (t := sentence.term(p)) is not None and t[1] == "Meanwhile")
    end = next((p for p in places[start:] if sentence.tokens[p].text in JOINTS), len(places))
    order = places[:at] if at else places[end + 1 :]
    told = sentence.teller.told(places[start:end])
    if sentence.times or told is None or not is_goal(sentence, order):
        return ""
    return _said(sentence, order) if all(is_so(fact, context) for fact in told.facts) else ""


def in_one(sentence: Sentence) -> str | None:
    """A sentence with a condition for a ban, or for a question that is none, and an order that takes it up; None for
    others."""
    for place in range(1, len(sentence.tokens) - 1):
        if sentence.tokens[place].text not in _ENDS:
            continue
        first, rest = list(range(place)), list(range(place + 1, len(sentence.tokens)))
        found = _taken_up(sentence, first, rest)
        if found is None and sentence.tokens[place].text == "?":
            found = _asked(sentence, first, rest)
        if found is not None:
            return found
    return None


def _taken_up(sentence: Sentence, first: Sequence[int], rest: Sequence[int]) -> str | None:
    must = next(((p, t) for p in first if p and (t := sentence.term(p)) is not None and t[1] in _MUST_NOT), None)
    so = next(((p, t[0]) for p in rest if (t := sentence.term(p)) is not None and t[1] == "IfSo"), None)
    if must is None or so is None or not says_nothing(sentence, so[0]):
        return None
    condition = [sentence.word(p) for p in first if not must[0] <= p < must[1][0]]
    order = [sentence.word(p) for p in rest if not so[0] <= p < so[1]]
    while order and order[0] in LEADING:
        order.pop(0)
    return f"if {' '.join(condition)}, {' '.join(order)}" if order else None


def _asked(sentence: Sentence, first: Sequence[int], rest: Sequence[int]) -> str | None:
    """A comparison, or who is there, that stands as a question without a verb: "battery under 5 percent? Tell me."."""
    if any(sentence.is_at(p, *_TELLING) is not None for p in first) or not _is_ordered(sentence, rest):
        return None
    compared = any(sentence.is_at(p, Sort.NUMBER, Sort.Somebody, Sort.Nobody) is not None for p in first)
    if not compared or sentence.is_at(first[0], Sort.VERB) is not None or sentence.teller.told(first) is None:
        return None
    return f"if {_said(sentence, first)}, {_said(sentence, rest)}"


def _is_ordered(sentence: Sentence, places: Sequence[int]) -> bool:
    reminds = any((t := sentence.term(p)) is not None and t[1] == "Reminding" for p in places)
    return reminds or is_goal(sentence, places)
