"""What neighbouring clauses say of one another: what selects, what is left alone, narrowed or asked again."""

from __future__ import annotations

from collections.abc import Sequence

from engine.language.chart.joining.attach import DEVICE
from engine.language.chart.joining.frames import Clause, Phrase
from engine.language.phrases.slots import HowMuch
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.language.words.spans import Restriction, Span
from engine.model.intent import Asks

POINTING = ("it", "them")


def with_conditions(clauses: Sequence[Clause], features: list[str]) -> list[Clause]:
    """ "If a speaker is louder than 50, bring it down", "two lights are the brightest, take these down", "which room is
    over 26, in there put the fan on": what is said in one clause of what the next one means by a pronoun, restricts it.
    """
    found: list[Clause] = []
    number = 0
    while number < len(clauses):
        clause = clauses[number]
        after = clauses[number + 1] if number + 1 < len(clauses) else None
        merged = _selected(clause, after, features) if after is not None else None
        if merged is None and after is not None:
            merged = _asked_again(clause, after, features)
        if merged is not None:
            merged = replace(merged, now=merged.now or clause.now)
            rest = with_conditions([merged, *clauses[number + 2 :]], features)
            return [*found, *rest]
        found.append(clause)
        number += 1
    return found


def left(clause: Clause) -> tuple[Restriction, ...]:
    """What a clause says is left alone, as exceptions: "leave the hallway out of it", "not the hallway"."""
    rejects = clause.negated and not (clause.verbs or clause.asks or clause.amounts or clause.unwanted)
    if not (clause.leave or rejects) or clause.condition:
        return ()
    found = []
    for phrase in clause.phrases:
        if phrase.entries and not phrase.other:
            where = next((Span(p.text, 0, 0, p.entries) for p in phrase.places), None)
            about = Span(" ".join(phrase.modifiers), 0, 0) if phrase.modifiers else None
            host = Span(phrase.text, 0, 0, phrase.entries, restrictions=phrase.restrictions)
            found.append(Restriction("except", host=host, where=where, about=about))
        elif phrase.pronoun and phrase.places and not phrase.restrictions:  # "not the ones in the study"
            found += [Restriction("except", where=Span(p.text, 0, 0, p.entries)) for p in phrase.places]
    places = () if found else clause.places
    return (*found, *(Restriction("except", where=Span(p.text, 0, 0, p.entries)) for p in places))


def staying(clauses: Sequence[Clause], features: list[str]) -> list[Clause]:
    """Clauses, those that say of some that these stay as they are as exceptions of the order before: "all lights to 40.
    *Those that are off stay off*."."""
    found: list[Clause] = []
    for clause in clauses:
        left_alone = _as_they_are(clause, found)
        if left_alone is None:
            found.append(clause)
        else:
            features.append("goal:left")
            found[-1] = replace(found[-1], exceptions=(*found[-1].exceptions, left_alone))
    return found


def _as_they_are(clause: Clause, before: Sequence[Clause]) -> Restriction | None:
    """The exception that a clause makes of those of which it says twice how they are; None for another clause."""
    kind = next((p for c in reversed(before) for p in c.phrases if p.entries), None)
    if kind is None or clause.tells_what or not before[-1].tells_what or len(clause.phrases) != 1:
        return None
    phrase = clause.phrases[0]
    if len(phrase.restrictions) != 2 or not _is_same(*phrase.restrictions):
        return None
    host = Span(phrase.text, 0, 0, phrase.entries or kind.head or kind.entries, restrictions=phrase.restrictions[:1])
    return Restriction("except", host=host)


def _is_same(first: Restriction, second: Restriction) -> bool:
    """Whether two restrictions say the same state."""
    if first.amount is None or second.amount is None or first.negated or second.negated:
        return False
    both = {e.iri for e in first.amount.entries} & {e.iri for e in second.amount.entries}
    return bool(both) and first.comparison == second.comparison


def _selected(clause: Clause, after: Clause, features: list[str]) -> Clause | None:
    """The second of two clauses, with what the first says as a selection; None where it selects nothing for it."""
    plain = bool(clause.predicate) and not (clause.direction or clause.leave or clause.unwanted or clause.times)
    says = clause.told or clause.asks is not None or clause.condition == "if" or plain
    if clause.verbs or clause.amounts or clause.leave or after.asks is not None or not says:
        return None
    sort = "if" if clause.condition else "asked" if clause.asks else "told"
    refers = bool(after.phrases) and after.phrases[0].pronoun in POINTING
    hole = not (after.phrases or clause.asks) and bool(
        after.amounts or after.verbs or after.direction or after.unwanted
    )
    clause = _as_one(clause)
    if len(clause.phrases) == 1 and (clause.predicate or clause.phrases[0].restrictions) and (refers or hole):
        phrase = clause.phrases[0]
        if clause.condition and phrase.determined and not phrase.quantity:
            return None
        told = tuple(replace(r, host=None) for r in clause.predicate)
        if phrase.count is not None:
            told = tuple(
                replace(r, count=r.count or phrase.count) if r.comparison in ("most", "least") else r for r in told
            )
        own = after.phrases[0].restrictions if refers else ()
        said = with_own((*phrase.restrictions, *told), own)
        meant = replace(phrase, restrictions=said, quantity=phrase.quantity or "any")
        features.append(f"selects:{sort}")
        return replace(after, phrases=(meant, *after.phrases[1:]), places=(*clause.places, *after.places))
    named = [p for p in clause.places if p.restrictions] or (list(clause.places[-1:]) if clause.predicate else [])
    if named and not clause.phrases and (after.there or owned(after)):
        name = replace(named[-1], restrictions=(*named[-1].restrictions, *clause.predicate), plural=True)
        features.append(f"selects:room-{sort}")
        phrases = tuple(replace(p, pronoun="" if p.pronoun == "its" else p.pronoun) for p in after.phrases)
        return replace(after, phrases=phrases, places=(name, *after.places), there=False)
    return None


def _as_one(clause: Clause) -> Clause:
    """The clause with classes of which one thing is said as one: "whichever speaker or screen is loudest"."""
    first, *others = clause.phrases or (Phrase(),)
    if not others or not all(_is_of_class(p, one=True) for p in clause.phrases) or not all(map(_goes_on, others)):
        return clause
    definite = first.determined and not (first.quantity or first.plural)
    if definite or any(p.restrictions for p in others[:-1]):
        return clause
    last = others[-1]
    whole = replace(
        first,
        entries=_classes(clause.phrases),
        text=last.text,
        quantity=first.quantity or "any",
        restrictions=(*first.restrictions, *last.restrictions),
        places=first.places or last.places,
    )
    return replace(clause, phrases=(whole,))


def with_own(before: tuple[Restriction, ...], said: tuple[Restriction, ...]) -> tuple[Restriction, ...]:
    """The restrictions of those that are pointed to, with those said now: "the lamps that are off",
    "the ones that are on"."""
    instead = any(map(_is_state, said))
    return (*(one for one in before if not (instead and _is_state(one))), *said)


def _is_state(one: Restriction) -> bool:
    """Whether a restriction says by a word how something is."""
    return one.comparison == "=" and one.amount is not None and one.amount.number is None


def _asked_again(clause: Clause, after: Clause, features: list[str]) -> Clause | None:
    """The question that two clauses make: "any doors open, and which?", "the hall is warmer than the study: by how
    much?", "what's the difference between them, how much hotter is the hall?"; None where they are two."""
    bare = not after.phrases or (after.phrases[0].pronoun in POINTING and not after.phrases[0].entries)
    if clause.told and clause.versus and after.asks in (Asks.DIFFERENCE, Asks.VALUE) and bare and not after.places:
        features.append("asked:told")
        return replace(clause, asks=Asks.DIFFERENCE, told=False, copula=False)
    if clause.asks is None or after.asks is None:
        return None
    said = after.predicate or after.qualities or after.relation or after.places
    if bare and not said and after.asks in (Asks.LIST, Asks.COUNT, Asks.PLACE) and clause.predicate:
        features.append("asked:which-too")
        return replace(clause, asks=after.asks, head=after.head)
    named = [p.entries for p in clause.places]
    within = not after.phrases and all(p.entries in named for p in after.places)
    if clause.asks in (Asks.MEAN, Asks.TOTAL, Asks.DIFFERENCE) and after.asks is Asks.VALUE and bare and not said:
        features.append("asked:again")
        return clause
    if clause.asks is Asks.DIFFERENCE and clause.relation is None and after.relation is not None and within:
        features.append("asked:again")
        return replace(clause, relation=after.relation)
    return None


def owned(clause: Clause) -> bool:
    """Whether it is about what belongs to what was spoken of: "its fan"."""
    return any(p.pronoun == "its" and p.entries for p in clause.phrases)


def narrowed(clauses: Sequence[Clause], features: list[str]) -> list[Clause]:
    """ "…, only the fan of it", "…, but only those that are on", "…, the whole lot": what was named before is meant in
    that part, or as is said of it."""
    found: list[Clause] = []
    for clause in clauses:
        bare = not (clause.verbs or clause.amounts or clause.asks or clause.direction or clause.condition)
        if clause.including and found and not (clause.verbs or clause.amounts or clause.asks):
            found[-1] = _included(found[-1], clause)
            features.append("includes")
            continue
        if bare and found and clause.more and clause.phrases and clause.phrases[0].pronoun:
            features.append("includes")  # "all the lights to 70, the ones that are off too"
            continue
        if bare and found and (of_class := _of_their_class(found[-1], clause)) is not None:
            features.append("narrows:class")
            found[-1] = of_class
            continue
        named = bare and found and found[-1].phrases and len(clause.phrases) == 1 and not clause.predicate
        again = _narrower(found[-1], clause, features) if named and found else None
        if again is not None:
            found[-1] = again
        else:
            found.append(clause)
    return found


def _of_their_class(before: Clause, clause: Clause) -> Clause | None:
    """ "Mute whatever is playing, telly or speaker": the classes of things that a ranking or a test alone had named."""
    last = before.phrases[-1] if before.phrases and _only_names(clause) and not clause.places else None
    one = _one_of_several(last, clause.phrases) if last is not None and DEVICE in last.entries else None
    return replace(before, phrases=(*before.phrases[:-1], one)) if one is not None else None


def _included(before: Clause, clause: Clause) -> Clause:
    """The clause before with the rooms that are counted in; what else is counted in, all such things are already."""
    if before.phrases and before.phrases[-1].places and clause.places:
        last = before.phrases[-1]
        wider = replace(last, places=(*last.places, *clause.places))
        return replace(before, phrases=(*before.phrases[:-1], wider))
    return replace(before, places=(*before.places, *clause.places))


def _narrower(before: Clause, clause: Clause, features: list[str]) -> Clause | None:
    """The clause before with its last noun as the next clause says; None where that says something of its own."""
    part, last = clause.phrases[0], before.phrases[-1]
    if part.entries and not part.pronoun:
        if not clause.only:
            return None
        whole = last if last.entries and last.entries != part.entries else last.whole
        meant = replace(part, whole=whole, places=last.places, quantity=last.quantity)
        features.append("narrows")
    elif part.pronoun and (part.restrictions or part.count or part.quantity == "all") and not clause.told:
        said = (*last.restrictions, *part.restrictions)
        quantity = "all" if part.quantity else last.quantity
        places = (*last.places, *clause.places)
        meant = replace(last, restrictions=said, quantity=quantity, count=part.count or last.count, places=places)
        features.append("narrows:told" if part.restrictions else "narrows:quantity")
    else:
        return None
    everywhere = before.everywhere or clause.everywhere
    return replace(before, phrases=(*before.phrases[:-1], meant), everywhere=everywhere)


def paired(clauses: Sequence[Clause], features: list[str]) -> list[Clause]:
    """Clauses, each thing with its own number where as many follow: "the lamp and the fan to 20 and 30", "… at 5 and 95
    respectively"."""
    found: list[Clause] = []
    for clause in clauses:
        found.append(clause)
        start = len(found)
        while start and _only_values(found[start - 1]) and found[start - 1].joint in _LISTING:
            start -= 1
        values = [how for one in found[max(0, start - 1) :] for _, how in one.amounts]
        made = _each_with_its_own(found[:start], values) if start < len(found) else None
        if made is not None:
            features.append("amount:paired")
            found = made
    return found


_LISTING = ("and", ",and", ",")


def _each_with_its_own(clauses: Sequence[Clause], values: Sequence[HowMuch]) -> list[Clause] | None:
    """Clauses whose last things have a number each; None where that does not come out even, or the numbers measure
    different things."""
    units = {how.unit for how in values if how.unit}
    if len(values) < 2 or len(units) > 1 or any(how.number is None for how in values):
        return None
    unit, leads = next(iter(units), None), values[0].preposition
    rest = [replace(how, preposition=how.preposition or leads, unit=how.unit or unit) for how in values]
    made = list(clauses)
    for place in reversed(range(len(clauses))):
        clause = clauses[place]
        is_last, things = place == len(clauses) - 1, len(clause.phrases)
        trails = all(n == things for n, _ in clause.amounts) if is_last else not clause.amounts
        if not (things and trails and things <= len(rest)) or clause.asks or clause.condition or clause.qualities:
            return None
        rest, own = rest[:-things], rest[-things:]
        made[place] = replace(clause, amounts=tuple(enumerate(own, start=1)))
        if not rest:
            return made
        if clause.joint not in _LISTING:
            return None
    return None


def joined(clauses: Sequence[Clause]) -> list[Clause]:
    """Clauses, a list of nouns as one where its pauses parted it: "every blind, drape or awning that is open …"."""
    found: list[Clause] = []
    for clause in clauses:
        before = found[-1] if found else None
        if before is not None and _only_names(before) and not before.places and _lists_on(before, clause):
            more = len(before.phrases)
            found[-1] = replace(
                clause,
                joint=before.joint,
                start=before.start,
                phrases=(*before.phrases, *clause.phrases),
                amounts=tuple((n + more, how) for n, how in clause.amounts),
                qualities=tuple((n + more, quality) for n, quality in clause.qualities),
            )
        else:
            found[-1:] = [_asked_of(found[-1], clause)] if found else []
            found.append(clause)
    return found


def _asked_of(before: Clause, clause: Clause) -> Clause:
    """A question without its subject as one of the next that has one: "*how warm* and how humid is it in the hall?"."""
    bare = before.relation and not (before.phrases or before.places or before.qualities or before.predicate)
    if not (bare and clause.joint == "and" and before.asks is clause.asks is Asks.VALUE and before.head == clause.head):
        return before
    return replace(before, phrases=clause.phrases, places=clause.places)


def _lists_on(before: Clause, clause: Clause) -> bool:
    """Whether a clause begins with one more noun of the list that the one before it is."""
    if not (before.phrases and clause.phrases) or clause.joint == "." or clause.condition or clause.asks:
        return False
    first, next_one = before.phrases[0], clause.phrases[0]
    begins = next_one.start == clause.start and _goes_on(next_one) and bool(first.entries) and not first.restrictions
    return begins and (len(clause.phrases) > 1 or first.none or first.quantity in ("all", "any"))


def listed(clause: Clause, features: list[str]) -> Clause:
    """ "Every blind, drape or awning that is open", "no fan or heater upstairs": how many and which ones is said of all
    that are listed; those of which one thing is said are meant as one set."""
    breaks = {n for n, _ in (*clause.amounts, *clause.qualities)}
    runs: list[list[Phrase]] = []
    for number, phrase in enumerate(clause.phrases):
        if runs and number not in breaks and _goes_on(phrase) and runs[-1][0].entries:
            runs[-1].append(phrase)
        else:
            runs.append([phrase])
    shared = [_alike(run) if len(run) > 1 else run for run in runs]
    if shared == runs:
        return clause
    features.append("list:shared")
    counts = [0]
    for run, made in zip(runs, shared, strict=True):
        counts += [counts[-1] + min(n, len(made)) for n in range(1, len(run) + 1)]
    return replace(
        clause,
        phrases=tuple(phrase for run in shared for phrase in run),
        amounts=tuple((counts[n], how) for n, how in clause.amounts),
        qualities=tuple((counts[n], quality) for n, quality in clause.qualities),
    )


def _goes_on(phrase: Phrase) -> bool:
    """Whether a noun has nothing before it, so that it may only be one more of a list."""
    bare = not (phrase.determined or phrase.count or phrase.pronoun or phrase.other or phrase.none or phrase.modifiers)
    return bare and bool(phrase.entries) and phrase.quantity in ("", "plural")


def _alike(phrases: list[Phrase]) -> list[Phrase]:
    """The nouns of a list, with what the first says of how many and the last of where; one of all of them where the
    last says which ones."""
    first, last = phrases[0], phrases[-1]
    if (one := _one_of_several(first, phrases[1:])) is not None:
        return [one]
    counted = first.quantity in ("all", "any") or first.none
    if not counted and any(p.quantity != "plural" or p.determined for p in phrases):
        return phrases
    where = last.places if not any(p.places for p in phrases[:-1]) else ()
    said = last.restrictions if not any(p.restrictions for p in phrases[:-1]) else ()
    if said and len({any(e.role is Role.DEVICE for e in p.entries) for p in phrases}) == 1:
        meant = replace(first, entries=_classes(phrases), restrictions=said, places=first.places or where)
        return [replace(meant, plural=True, quantity="all", none=first.none, end=last.end)]
    quantity = first.quantity if counted else "plural"
    spread = [replace(p, restrictions=p.restrictions or said, places=p.places or where) for p in phrases]
    return [replace(p, quantity=quantity, none=first.none, plural=p.plural or counted) for p in spread]


def _one_of_several(first: Phrase, others: Sequence[Phrase]) -> Phrase | None:
    """ "The loudest speaker or screen" is ranked among all of them, "whatever is playing, telly or speaker" of any of
    their classes; None where several are meant."""
    if not first.restrictions or not all(_is_of_class(p, one=True) and not p.restrictions for p in others):
        return None
    anything = DEVICE in first.entries
    if anything and len(others) < 2:
        return None
    ranked = replace(first, count=None)  # "the two loudest speakers and screens"
    if not (anything or (_ranks(first) and _is_of_class(ranked, one=True))):
        return None
    kinds = others if anything else (first, *others)
    places = next((p.places for p in (first, *others) if p.places), ())
    return replace(first, entries=_classes(kinds), text=others[-1].text, places=places, end=others[-1].end)


def _ranks(phrase: Phrase) -> bool:
    return any(r.comparison in ("most", "least") for r in phrase.restrictions)


def among(clause: Clause, features: list[str]) -> Clause:
    """ "Of those lights, put out the faintest", "mute the loudest one of the screen and the speakers": a ranking
    without a noun is among what was named beside it."""
    first = clause.phrases[0] if clause.phrases else None
    if first is not None and first.among and len(clause.phrases) > 1 and all(p.entries for p in clause.phrases):
        features.append("among:list")
        return replace(clause, phrases=(replace(first, entries=_classes(clause.phrases)),))
    ranked = next((p for p in clause.phrases if _is_ranked(p)), None)
    kinds = [p for p in clause.phrases if p.entries and p is not ranked]
    if ranked is None or not kinds or len(kinds) + 1 != len(clause.phrases):
        return clause
    features.append("among" if len(kinds) == 1 else "among:several")
    return replace(
        clause, phrases=(_ranked_among(kinds, ranked),), amounts=tuple((1, how) for _, how in clause.amounts)
    )


def united(clause: Clause, features: list[str]) -> Clause:
    """A question about several classes at once as one about all of them: "how many speakers and screens are muted?"."""
    first, *others = clause.phrases or (Phrase(),)
    if clause.asks not in _OF_ALL or not others or clause.versus or not all(map(_is_of_class, clause.phrases)):
        return clause
    said = {p.restrictions for p in clause.phrases if p.restrictions}
    places = {p.places for p in clause.phrases if p.places}
    if len(said) > 1 or len(places) > 1:
        return clause
    features.append("list:united")
    whole = replace(
        first, entries=_classes(clause.phrases), text=others[-1].text, plural=True,
        quantity=first.quantity or others[-1].quantity, restrictions=next(iter(said), ()),
        places=next(iter(places), ()),
    )  # fmt: skip
    return replace(clause, phrases=(whole,))


def _told_by(pointer: Phrase, kinds: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """The nouns before a pronoun, as it says which of them: "the lights and fans, *those that are on*", or the one of
    all: "the screen and the speakers, *the one which is loudest*"."""
    if len(kinds) > 1 and _ranks(pointer) and all(p.entries for p in kinds):
        return (_ranked_among(kinds, pointer),)
    told = pointer.restrictions
    return tuple(replace(p, restrictions=(*p.restrictions, *told), quantity="all") for p in kinds)


def _is_of_class(phrase: Phrase, *, one: bool = False) -> bool:
    """Whether a phrase names several things by their class alone, or also `one`."""
    named = bool(phrase.entries) and all(e.role is Role.DEVICE for e in phrase.entries)
    return named and (one or phrase.plural) and not (phrase.modifiers or phrase.pronoun or phrase.count or phrase.whole)


_OF_ALL = (Asks.COUNT, Asks.LIST, Asks.MEAN, Asks.TOTAL)


def _is_ranked(phrase: Phrase) -> bool:
    """Whether it says only by a ranking or a test which is meant: "the faintest", "whatever is open"."""
    anything = phrase.text == "anything"
    return (anything and bool(phrase.restrictions)) or (not phrase.entries and not phrase.pronoun and _ranks(phrase))


def _classes(phrases: Sequence[Phrase]) -> tuple[Entry, ...]:
    """The classes that several nouns name, as those of one."""
    named = [tuple(e for e in p.entries if e.role is Role.DEVICE) or p.entries for p in phrases]
    return tuple(dict.fromkeys(e for entries in named for e in entries))


def _ranked_among(kinds: Sequence[Phrase], ranked: Phrase) -> Phrase:
    """The nouns as one, ranked, or all of them that are as is said."""
    first = kinds[-1]
    ranks = _ranks(ranked)
    entries = first.entries if len(kinds) == 1 else _classes(kinds)
    return replace(
        first,
        entries=entries,
        places=tuple(dict.fromkeys((*(n for p in kinds for n in p.places), *ranked.places))),
        restrictions=(*first.restrictions, *ranked.restrictions),
        quantity="all" if not ranks else "" if ranked.quantity == "any" else ranked.quantity,
        count=ranked.count or first.count,
        plural=(first.plural and len(kinds) == 1) or not ranks,
    )


def with_topics(clauses: Sequence[Clause], features: list[str]) -> list[Clause]:
    """A clause that only names something is about what its neighbour says; one that only says how it shall be ("dry
    mode, please, for …") is of what the next one names."""
    found: list[Clause] = []
    pending: Clause | None = None
    whole: Clause | None = None
    last = clauses[-1] if clauses else None
    for clause in clauses:
        is_last = clause is last
        clause = among(clause, features) if len(clause.phrases) > 1 else clause
        if pending is not None:
            told = _with_more(clause, pending, features) or _about(clause, pending, features)
            whole = pending if told.phrases and told.phrases[0].whole is not None else None
            clause, pending = told, None
        elif whole is not None and clause.phrases and all(p.entries and not p.whole for p in clause.phrases):
            clause = _about(clause, whole, features)
        if _only_names(clause) and found and _only_values(found[-1]):
            features.append("topic:value-first")
            found[-1] = _valued(found[-1], clause)
        elif _only_names(clause) and clause.corrects and not found and not is_last:
            features.append("topic:correction")  # "sorry, I meant the counter light, turn the main one back on"
            found.append(clause)
        elif _only_names(clause) and not is_last:
            pending = clause
        else:
            found.append(clause)
    if pending is not None:
        found.append(pending)
    return found


def _only_names(clause: Clause) -> bool:
    """Whether it names something and says nothing of it."""
    says = clause.tells_what or clause.condition or clause.predicate or clause.told or clause.qualities or clause.same
    denies = clause.modal and any(p.none for p in clause.phrases)  # "no speaker should be over 50"
    return bool(clause.phrases or clause.places) and not (says or clause.unwanted or denies)


def _only_values(clause: Clause) -> bool:
    """Whether it says how something shall be, and not what."""
    bare = not (clause.phrases or clause.places or clause.asks or clause.condition or clause.told)
    return bare and bool(clause.amounts or clause.verbs or clause.direction)


def _valued(values: Clause, named: Clause) -> Clause:
    """The clause that names something, with the values that were said before it."""
    index = len(named.phrases)
    return replace(
        named,
        verbs=values.verbs,
        verb=values.verb,
        amounts=tuple((index, how) for _, how in values.amounts),
        qualities=tuple((index, quality) for _, quality in values.qualities),
        direction=values.direction,
        slight=values.slight,
        request=values.request,
        start=values.start,
    )


def _with_more(clause: Clause, topic: Clause, features: list[str]) -> Clause | None:
    """ "All of the curtains, and the blind too, at half", "every heater, including the heat pump, …": all that
    both clauses name, as the second says; None where that does not name more of a list."""
    lists = clause.more or clause.including or clause.joint in ("and", ",and")
    if not lists or clause.asks or not topic.phrases or not clause.phrases or clause.phrases[0].pronoun:
        return None
    if not all(p.entries and not _is_ranked(p) for p in (*topic.phrases, *clause.phrases)) or len(clause.phrases) > 1:
        return None
    features.append("topic:list")
    phrases = (*topic.phrases, *clause.phrases)
    amounts = tuple((len(phrases), how) for _, how in clause.amounts)
    return replace(clause, phrases=phrases, amounts=amounts, places=(*topic.places, *clause.places), including=False)


def _about(clause: Clause, topic: Clause, features: list[str]) -> Clause:
    """A clause with the one before it, that only named something, as what it is about."""
    if clause.asks and clause.qualities and clause.predicate and not clause.phrases:
        features.append("topic:dropped")
        return clause
    features.append("topic")
    clause = replace(clause, now=clause.now or topic.now)
    if not clause.phrases or clause.phrases[0].pronoun:
        meant = topic.phrases or clause.phrases
        if clause.phrases and clause.phrases[0].restrictions and topic.phrases:
            meant = _told_by(clause.phrases[0], topic.phrases)
        return replace(clause, phrases=meant, places=(*topic.places, *clause.places))
    if topic.places and not topic.phrases:
        return replace(clause, places=(*topic.places, *clause.places))
    if len(clause.phrases) == 1 and _is_ranked(clause.phrases[0]):
        features.append("among" if len(topic.phrases) == 1 else "among:several")
        return replace(clause, phrases=(_ranked_among(topic.phrases, clause.phrases[0]),))
    whole = topic.phrases[0]
    if all(p.entries and not p.whole for p in clause.phrases) and whole.entries:
        features.append("topic:whole")
        phrases = tuple(replace(p, whole=whole, places=p.places or whole.places, pronoun="") for p in clause.phrases)
        return replace(clause, phrases=phrases, places=clause.places or topic.places)
    features.append("topic:dropped")
    return clause
