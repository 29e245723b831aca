"""What people like: which devices they would rather have used, where they are comfortable; stored for each user."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from engine.errors import InputError
from engine.graph.store import GraphStore
from engine.graph.terms import PREFERENCES, RDF_TYPE, Literal, NamedNode, Quad, Term, literal, node
from engine.model.intent import Intent, Measure
from engine.model.request_rdf import amount_json
from engine.model.vocabulary import Vocabulary
from engine.planning.aims import Aim, aims_of, wishes

ANYTHING = (0.0, 100.0)


@dataclass(frozen=True, slots=True)
class Tastes:
    """One person's. `liked` and `disliked` are classes of devices, by the variable that they are liked for ("": any);
    `values` what a person is comfortable at, by variable; `comforts` where people in general are; `wishes` what this
    one wants in situations."""

    liked: tuple[tuple[str, str], ...] = ()
    disliked: tuple[tuple[str, str], ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    comforts: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    wishes: Mapping[str, tuple[Aim, ...]] = field(default_factory=dict)

    def liking(self, classes: Iterable[str], variable: str, vocabulary: Vocabulary) -> float:
        """1 for what is liked for this variable, -1 for what is not, else 0."""
        own = tuple(classes)

        def named(among: Iterable[tuple[str, str]]) -> bool:
            return any(v in ("", variable) and any(vocabulary.is_a(c, cls) for c in own) for cls, v in among)

        return float(named(self.liked)) - float(named(self.disliked))

    def comfortable(self, variable: str, value: float) -> Tastes:
        """The same person, who is comfortable at a value of a variable."""
        return replace(self, values={**self.values, variable: value})

    def liking_more(self, liked: Iterable[str], disliked: Iterable[str], variable: str) -> Tastes:
        """The same person, who likes and dislikes these classes for a variable, whatever was said of them before."""
        more, less = [(cls, variable) for cls in liked], [(cls, variable) for cls in disliked]
        kept = [one for one in self.liked if one not in less], [one for one in self.disliked if one not in more]
        return replace(self, liked=(*kept[0], *more), disliked=(*kept[1], *less))

    def comfort(self, variable: str) -> tuple[float, float]:
        """From where to where a person is comfortable, in the unit of the variable's reading."""
        chosen = self.values.get(variable)
        return (chosen, chosen) if chosen is not None else self.comforts.get(variable, ANYTHING)

    def chosen(self, variable: str) -> float | None:
        """The very value that a person has stated."""
        return self.values.get(variable)


def of(
    store: GraphStore, user: str | None, told: Iterable[Intent] = (), vocabulary: Vocabulary | None = None
) -> Tastes:
    """The tastes of a person, as they have been stated, and those that `told` states for this once. What was said later
    goes before what was said earlier."""
    tastes = Tastes(wishes=wishes(store, user))
    for _, _, prefers, avoids, variable, number in store.select("planning/preferences", user=Literal(user or "")):
        about = variable.value if variable is not None else ""
        if number is not None:
            tastes = tastes.comfortable(about, float(number.value))
        elif prefers is not None or avoids is not None:
            tastes = tastes.liking_more((prefers.value,) if prefers else (), (avoids.value,) if avoids else (), about)
    for intent in told:
        tastes = with_stated(tastes, intent)
        if intent.situation is not None and vocabulary is not None:
            own = (*aims_of(intent, store, vocabulary), *tastes.wishes.get(intent.situation, ()))
            tastes = replace(tastes, wishes={**tastes.wishes, intent.situation: own})
    return tastes


def with_stated(tastes: Tastes, intent: Intent) -> Tastes:
    """Tastes with what an intent of the kind PREFERENCE states."""
    about = intent.variable or ""
    if intent.situation is not None:
        return tastes
    if intent.amount is not None and isinstance(intent.amount.value, int | float):
        return tastes.comfortable(about, float(intent.amount.value))
    avoided = tuple(cls for minus in intent.selection.minus for cls in minus.classes)
    return tastes.liking_more(intent.selection.classes, avoided, about)


def remember(store: GraphStore, user: str | None, intent: Intent, at: datetime) -> None:
    """Keeps a stated preference of a person in hg:graph/preferences."""
    subject = NamedNode(f"{intent.iri}/preference")
    quads = [
        Quad(subject, RDF_TYPE, node("hg:Preference"), PREFERENCES),
        Quad(subject, node("hg:user"), Literal(user or ""), PREFERENCES),
        Quad(subject, node("hg:text"), Literal(intent.text), PREFERENCES),
        Quad(subject, node("prov:generatedAtTime"), literal(at), PREFERENCES),
    ]
    quads += [Quad(subject, node("hg:prefers"), NamedNode(cls), PREFERENCES) for cls in intent.selection.classes]
    avoided = [cls for minus in intent.selection.minus for cls in minus.classes]
    quads += [Quad(subject, node("hg:avoids"), NamedNode(cls), PREFERENCES) for cls in avoided]
    if intent.variable is not None:
        quads.append(Quad(subject, node("hg:variable"), NamedNode(intent.variable), PREFERENCES))
    if intent.amount is not None:
        quads.append(Quad(subject, node("hg:number"), literal(intent.amount.value), PREFERENCES))
    store.write(insert=quads)


def remember_wish(store: GraphStore, user: str | None, intent: Intent, aims: Iterable[Aim], at: datetime) -> None:
    """Keeps what a person wishes for in a situation, in the vocabulary of the ontology's scenes."""
    subject = NamedNode(f"{intent.iri}/preference")
    quads = [
        Quad(subject, RDF_TYPE, node("hg:Preference"), PREFERENCES),
        Quad(subject, RDF_TYPE, node("hg:StandingWish"), PREFERENCES),
        Quad(subject, node("hg:user"), Literal(user or ""), PREFERENCES),
        Quad(subject, node("hg:text"), Literal(intent.text), PREFERENCES),
        Quad(subject, node("hg:situation"), NamedNode(intent.situation or ""), PREFERENCES),
        Quad(subject, node("prov:generatedAtTime"), literal(at), PREFERENCES),
    ]
    for number, aim in enumerate(aims, start=1):
        goal = NamedNode(f"{subject.value}/goal-{number}")
        quads.append(Quad(subject, node("hg:goal"), goal, PREFERENCES))
        quads += [Quad(goal, predicate, term, PREFERENCES) for predicate, term in _goal(aim)]
    store.write(insert=quads)


def _goal(aim: Aim) -> Iterator[tuple[NamedNode, Term]]:
    """A goal as the ontology writes them; the amount as a whole, with its unit, is JSON beside it."""
    yield node("hg:kind"), NamedNode(aim.kind)
    yield node("hg:amount"), literal(amount_json(aim.amount))
    if aim.amount.measure is Measure.BOUND:
        yield node("hg:toBound"), node(f"js:{aim.amount.value}")
    elif aim.amount.measure is Measure.NAMED:
        yield node("hg:to"), NamedNode(str(aim.amount.value))
    elif aim.amount.measure in (Measure.NUMBER, Measure.TRUTH, Measure.TEXT):
        yield node("hg:to"), literal(aim.amount.value)
    links = [("hg:of", aim.cls), ("hg:quantity", aim.quantity)]
    links += [("hg:onThing", thing) for thing in aim.things] + [("hg:inPlace", place) for place in aim.places]
    for name, iri in links:
        if iri:
            yield node(name), NamedNode(iri)


@dataclass(frozen=True, slots=True)
class Stated:
    """A preference as it was stated: by whom (empty: by nobody in particular), in which words."""

    iri: str
    user: str
    text: str


def stated(store: GraphStore, user: str | None = None) -> tuple[Stated, ...]:
    """What has been stated, by one person or by all for None, in the order of time."""
    rows = store.select("planning/stated")
    found = [Stated(a.value, b.value, c.value) for a, b, c, _ in rows if a and b and c]
    return tuple(one for one in found if user is None or one.user == user)


def forget(store: GraphStore, iris: Iterable[str]) -> int:
    """Forgets preferences, by IRI; how many. Raises InputError where one is not here; then none is forgotten."""
    wanted = set(iris)
    if unknown := sorted(wanted - {one.iri for one in stated(store)}):
        raise InputError(f"There is no preference {unknown[0]}.", remedy="`hearthgraph preferences list` has them.")
    of = [(quad, str(quad.subject)[1:-1].partition("/preference/goal-")) for quad in store.graph(PREFERENCES)]
    store.write(delete=[q for q, (iri, goal, _) in of if (f"{iri}/preference" if goal else iri) in wanted])
    return len(wanted)


def comforts(store: GraphStore) -> dict[str, tuple[float, float]]:
    """Where people in general are comfortable, by variable."""
    return {
        variable.value: (float(low.value), float(high.value))
        for variable, low, high in store.select("planning/comforts")
        if variable is not None and low is not None and high is not None
    }
