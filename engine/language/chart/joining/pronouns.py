"""How a word that stands for what was spoken of joins a reading: "it", "the lot", "one", "the other", "there"."""

from __future__ import annotations

from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.joining.attach import DEVICE, Ways, begun, flushed, in_clause, on_settled, ready_for, took
from engine.language.chart.joining.excepted import with_kind_excepted
from engine.language.chart.joining.frames import Before, Phrase, State
from engine.language.chart.joining.nouns import on_it, phrase_of
from engine.language.chart.joining.sentence import Sentence
from engine.language.phrases.slots import HowMuch
from engine.language.words.records import replace
from engine.language.words.spans import Restriction, Span
from engine.model.intent import Asks


def pronoun(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "it", "them", "the lot", "one", "the other": what was spoken of."""
    of_them = item.length > 1 and item.end - 1 in sentence.several
    for ready in [one for one, _ in ready_for(state, item)] if state.joint else [state]:
        if ready.preposition == "to" and item.sort is Sort.PronounOne:
            yield from _value_that_refers(ready, item)
        if item.sort is Sort.One and ready.before is not None:
            yield from _one(ready, ready.before, item)
        elif ready.before is None or not ready.before.values:
            yield from _pronoun(ready, item, on_it(ready, sentence), of_them=of_them)
        elif (settled := flushed(ready)) is not None:  # "three quarters open it should be"
            yield from _pronoun(settled, item, (), of_them=of_them)


def _value_that_refers(state: State, item: Item) -> Ways:
    """ "Any above fifty should come down to it"."""
    bound = _bound(state)
    if bound is not None:
        how = HowMuch("to", bound.text, bound.entries, bound.number, bound.unit)
        clause = in_clause(state, amounts=(*state.clause.amounts, (len(state.clause.phrases), how)))
        yield took(state, item, "value", "value:refers", clause=clause, preposition="", joint="")


def _one(state: State, held: Before, item: Item) -> Ways:
    """ "The kitchen one", "the brightest one": a phrase of its own, or what tells the one before."""
    clause = state.clause
    phrase, kept = phrase_of(held, replace(item, entries=()))
    phrase = replace(phrase, text=item.text, pronoun="")
    last = clause.phrases[-1] if clause.phrases else None
    if state.target == "except" and last is not None:
        if held.order is not None:
            order = replace(held.order, count=held.order.count or held.count)
            left = with_kind_excepted(clause, (*held.restrictions, order))
            yield took(state, item, "except", "except:one", clause=left, before=None, joint="", preposition="")
            return
        about = Span(" ".join(held.modifiers), 0, 0) if held.modifiers else None
        where = next((Span(n.text, 0, 0, n.entries) for n in held.places), None)
        host = Span(last.text, 0, 0, last.head or last.entries)
        left = replace(
            clause, exceptions=(*clause.exceptions, Restriction("except", None, about, None, host, where=where))
        )
        yield took(state, item, "except", "except:one", clause=left, before=None, joint="", preposition="", target="")
        return
    if last is not None and (last.entries or last.text) and (phrase.places or phrase.modifiers or phrase.restrictions):
        told = _instead(last, phrase) if state.repair else _further(last, phrase)
        feature = "repair:one" if state.repair else "one:respecifies"
        again = replace(clause, phrases=(*clause.phrases[:-1], told))
        yield took(
            state, item, "noun", feature, *kept, clause=again, before=None, joint="", preposition="", repair=False
        )
    more = replace(clause, phrases=(*clause.phrases, phrase))
    yield took(state, item, "noun", "noun:one", *kept, clause=more, before=None, joint="", preposition="")


def _further(last: Phrase, phrase: Phrase) -> Phrase:
    """What was named before, with what else is said of it."""
    return replace(
        last,
        places=phrase.places or last.places,
        modifiers=(*last.modifiers, *phrase.modifiers),
        restrictions=(*last.restrictions, *phrase.restrictions),
    )


def _instead(last: Phrase, phrase: Phrase) -> Phrase:
    """One of the same kind as was named before, told by other words."""
    return replace(
        last,
        entries=last.head or last.entries,
        places=phrase.places or last.places,
        modifiers=phrase.modifiers,
        restrictions=phrase.restrictions or last.restrictions,
    )


_MEANT = {
    Sort.PronounOne: "it",
    Sort.PronounSeveral: "them",
    Sort.Everything: "them",
    Sort.Anything: "them",
    Sort.FormerOne: "former",
    Sort.LatterOne: "latter",
}


def _pronoun(state: State, item: Item, on: tuple[Restriction, ...], *, of_them: bool) -> Ways:
    """The things that were spoken of, or everything; "all *of them*" is never everything in the home."""
    clause = replace(state.clause, predicate=(*state.clause.predicate, *on))
    common: dict[str, object] = {"before": None, "joint": "", "preposition": ""}
    last = clause.phrases[-1] if clause.phrases else None
    if state.target == "except" and item.sort is Sort.PronounSeveral and last is not None and last.entries:
        yield took(state, item, "except", "except:one", **{**common, "clause": with_kind_excepted(clause)})
    text = _MEANT.get(item.sort, item.text)
    every = item.sort in (Sort.Everything, Sort.Anything) and not of_them
    any_of_all = item.sort is Sort.Anything and clause.asks is Asks.WHETHER  # "is anything still on?"
    quantity = "any" if any_of_all else "all" if every else "plural" if text == "them" else ""
    bare = ["pronoun:that"] if item.text in ("that", "this") else []
    bare += ["pronoun:after-noun"] if state.last == Sort.NOUN.value and not state.joint else []
    phrase = Phrase(pronoun=text, quantity=quantity, text=item.text, start=item.start, end=item.end)
    if every and not clause.phrases:
        thing = Phrase(entries=(DEVICE,), text="anything", plural=True, quantity=quantity, start=item.start)
        anything = replace(clause, phrases=(thing,))
        yield took(state, item, "noun", "pronoun:anything", **{**common, "open": "phrase", "clause": anything})
    if every:
        everything = replace(clause, phrases=(*clause.phrases, replace(phrase, pronoun="everything")))
        yield took(state, item, "noun", "pronoun:everything", **{**common, "clause": everything})
    if any(p.entries or p.places or p.modifiers for p in clause.phrases):  # "the curtain, close it"
        yield took(state, item, "pronoun", "pronoun:resumes", *bare, **{**common, "clause": clause})
    elif not (every and item.length == 1):  # "the lot" may be what was spoken of; "anything" is anything
        more = replace(clause, phrases=(*clause.phrases, phrase))
        yield took(state, item, "pronoun", "pronoun", *bare, **{**common, "clause": more})


def _bound(state: State) -> Span | None:
    """The number that was last compared with: "any above fifty should come down to it"."""
    for clause in (state.clause, *reversed(state.clauses)):
        said = (*clause.predicate, *(r for p in clause.phrases for r in p.restrictions))
        said = (
            *said,
            *(r for n in (*clause.places, *(x for p in clause.phrases for x in p.places)) for r in n.restrictions),
        )
        for one in reversed(said):
            if one.amount is not None and one.amount.number is not None:
                return one.amount
    return None


def plain(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "The ordinary washing machine": the one that is called just so."""
    if sentence.names_at(item.end):
        yield from begun(state, item, "word:plain", plain=True)


def other(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "the other", "the other lamp"."""
    yield from begun(state, item, other=True, modifiers=("other",), determined=True)


@on_settled
def here(state: State, item: Item, sentence: Sentence) -> Ways:
    """ "here", "there", "everywhere"."""
    changes = {Sort.Here: "here", Sort.There: "there", Sort.Everywhere: "everywhere"}[item.sort]
    clause = replace(state.clause, **{changes: True})  # type: ignore[arg-type]
    yield took(state, item, "place", f"where:{changes}", clause=clause, preposition="")
