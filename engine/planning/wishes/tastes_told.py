"""Tells a person's stated preferences in words; finds those that are taken back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.graph.store import GraphStore
from engine.language.replies.replies import MOST_QUOTED
from engine.language.tastes.tastes import FORGET
from engine.language.words.lexicon import SIGNS
from engine.memory.kept import facts
from engine.model.fact import Fact, Statement
from engine.model.intent import Intent, Operation
from engine.model.outcome import Answer, IntentOutcome, Status
from engine.model.vocabulary import Vocabulary
from engine.planning.site import Site
from engine.planning.wishes import tastes
from engine.planning.wishes.aims import aims_of

LIKING = Statement.LIKING
NOTHING = "You have not told me of anything that you prefer."


def meant(intent: Intent, store: GraphStore, user: str | None, vocabulary: Vocabulary) -> tuple[Fact, ...]:
    """The preferences of a person that an intent is about; all of them where it names nothing."""
    known = (one for one in facts.about(store, user) if one.person.casefold() == (user or "").casefold())
    return tuple(one for one in known if _is_meant(one, intent, vocabulary))


def _is_meant(one: Fact, intent: Intent, vocabulary: Vocabulary) -> bool:
    wanted = intent.selection.classes
    if intent.situation is not None:
        return intent.situation in one.occasion.kinds
    if wanted:
        own = (*one.liked, *one.disliked)
        near = any(vocabulary.is_a(a, b) or vocabulary.is_a(b, a) for a in wanted for b in own)
        return near and (intent.variable is None or one.variable in (None, intent.variable))
    if intent.variable is not None and one.variable != intent.variable:
        return False
    return intent.amount is None or one.number == intent.amount.value


def of_taste(intent: Intent, site: Site) -> IntentOutcome:
    """The outcome of talk about preferences: told, taken back, or kept; the last two when it is known that the request
    holds."""
    if intent.operation is Operation.CHECK:
        return IntentOutcome(intent, Status.ANSWERED, answer=Answer(told(intent, site)))
    if intent.command == FORGET:
        found = meant(intent, site.store, site.user, site.vocabulary)
        return IntentOutcome(intent, Status.DONE, answer=Answer(forgotten(found)))
    if intent.situation is not None:
        if not aims_of(intent, site.store, site.vocabulary):
            return IntentOutcome(intent, Status.REFUSED, "not_supported_yet", intent.text[:200])
        name = site.vocabulary.name(intent.situation)
        return IntentOutcome(
            intent, Status.DONE, answer=Answer(f"I will keep that in mind for “{name}”: {quoted(intent.text)}.")
        )
    return IntentOutcome(intent, Status.DONE, answer=Answer(f"I will keep that in mind: {quoted(intent.text)}."))


def settle(intents: Sequence[Intent], site: Site, request: str) -> None:
    """Stores the preferences of one request's intents, or forgets those that they take back."""
    for one in intents:
        if one.command == FORGET:
            facts.forget(site.store, [fact.iri for fact in meant(one, site.store, site.user, site.vocabulary)])
    stated = [one for one in intents if one.command != FORGET and one.operation is not Operation.CHECK]
    together = {one.situation: [o for o in stated if o.situation == one.situation] for one in stated if one.situation}
    alone = [[one] for one in stated if one.situation is None]
    for several in (*together.values(), *alone):
        facts.keep(site.store, [tastes.fact_of(several, site.user, site.clock.now(), request)])


def told(intent: Intent, site: Site) -> str:
    """The answer on a person's preferences, from the graph; only on the subject of the question, where it has one."""
    plain = intent.situation is None
    sentences = [*_liked(intent, site), *_comfortable(intent, site)] if plain else []
    sentences += _standing(intent, site)
    if sentences:
        return " ".join(sentences)
    return (
        NOTHING
        if not (intent.selection.classes or intent.variable or intent.situation)
        else "You have not told me that."
    )


def _liked(intent: Intent, site: Site) -> list[str]:
    """One sentence on liked devices, one on disliked ones."""
    names = _means(site.store)
    found = []
    for among, says in (
        (site.tastes.liked, "You prefer {}."),
        (site.tastes.disliked, "You would rather not have {} used."),
    ):
        told = [names.get(pair) or _plain(pair[0], site.vocabulary) for pair in among if _asked(pair, intent, site)]
        if told:
            found.append(says.format(_listed(dict.fromkeys(told))))
    return found


def _asked(pair: tuple[str, str], intent: Intent, site: Site) -> bool:
    cls, variable = pair
    wanted = intent.selection.classes
    if intent.variable is not None and variable not in ("", intent.variable):
        return False
    return not wanted or any(site.vocabulary.is_a(cls, one) or site.vocabulary.is_a(one, cls) for one in wanted)


def _comfortable(intent: Intent, site: Site) -> list[str]:
    found = []
    for variable, value in site.tastes.values.items():
        if not intent.selection.classes and intent.variable in (None, variable):
            units = [k.unit for k in site.vocabulary.kinds.values() if k.measures == variable and k.unit]
            unit = f" {_sign(units[0], site.vocabulary)}" if units else ""
            found.append(f"You are comfortable at a {site.vocabulary.name(variable).lower()} of {value:g}{unit}.")
    return found


def _standing(intent: Intent, site: Site) -> list[str]:
    """The stated goals for situations, in the words in which they were stated."""
    if intent.selection.classes or intent.variable:
        return []
    known = [one for one in facts.about(site.store, site.user, site.clock.now()) if one.statement is not LIKING]
    said = [quoted(one.text) for one in known if intent.situation in (None, *one.occasion.kinds)]
    return [f"You said {_listed(dict.fromkeys(said))}."] if said else []


def forgotten(found: Sequence[Fact]) -> str:
    """The reply to preferences that are taken back."""
    if not found:
        return "There was nothing of that kind to forget."
    return f"I have forgotten that you said {_listed(dict.fromkeys(quoted(one.text) for one in found))}."


def quoted(text: str) -> str:
    """Words of a person, not more than are read."""
    short = text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}…"
    return f"“{short.strip().rstrip('.')}”"


def _means(store: GraphStore) -> dict[tuple[str, str], str]:
    rows = store.select("planning/means_named")
    return {(a.value, b.value): c.value for a, b, c in rows if a is not None and b is not None and c is not None}


def _plain(cls: str, vocabulary: Vocabulary) -> str:
    name = vocabulary.name(cls).lower()
    return name if name.endswith("s") else f"{name}s"


def _sign(unit: str, vocabulary: Vocabulary) -> str:
    """How a unit is written after a number: by its sign, where it has one."""
    labels = vocabulary.labels.get(unit, ())
    signs = [label for label in labels if any(sign in label for sign in SIGNS)]
    return min(signs, key=len, default=labels[0] if labels else "")


def _listed(words: Iterable[str]) -> str:
    several = list(words)
    return f"{', '.join(several[:-1])} and {several[-1]}" if len(several) > 1 else "".join(several)
