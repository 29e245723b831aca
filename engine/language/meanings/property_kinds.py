"""Which kinds of property words are about: those named, those of the verb or a value, those meant by a device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.graph.terms import expand
from engine.language.meanings.amounts import Meaning
from engine.language.meanings.context import Context
from engine.language.phrases.slots import Quality
from engine.language.words.dictionary import Relation
from engine.model.intent import Measure
from engine.model.vocabulary import Form

DEVICE = expand("hg:Device")
MODE = expand("hg:WorkMode")
_FREE, _PERCENT = expand("hg:Degree"), expand("hg:Percent")
_COMPARABLE = (
    frozenset({_FREE, expand("hg:Celsius"), expand("hg:Fahrenheit")}),
    frozenset({_FREE, expand("hg:AngularDegree")}),
    frozenset({expand("hg:Second"), expand("hg:Minute"), expand("hg:Hour")}),
)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a goal, sorted: commands of its verb, relations of its words for more and less, kinds that are
    named, classes of the device, and which way a particle points (+1, -1 or 0)."""

    commands: tuple[str, ...]
    relations: tuple[Relation, ...]
    kinds: tuple[str, ...]
    classes: tuple[str, ...]
    direction: int

    def relation(self, kind: str, context: Context) -> Relation | None:
        """The relation that is about a kind: one that says so, else one that is about any."""
        own = [r for r in self.relations if r.about is not None and akin(kind, r.about, context)]
        free = [r for r in self.relations if r.about is None]
        return next(iter([*own, *free, *self.relations]), None)

    def way(self, kind: str, context: Context) -> int:
        """+1 for more of a kind, -1 for less."""
        relation = self.relation(kind, context)
        return relation.direction if relation is not None else self.direction or 1


def akin(one: str, other: str, context: Context) -> bool:
    """Whether one kind is, or is above, the other."""
    return context.vocabulary.is_a(one, other) or context.vocabulary.is_a(other, one)


def at_home(kind: str, classes: Sequence[str], context: Context) -> bool:
    """Whether something here of one of these classes (none: of any) has a property of this kind."""
    held = context.dictionary.held
    return any(kind in held.get(cls, ()) for cls in classes or (DEVICE,))


def concerns(term: str, classes: Sequence[str], context: Context) -> bool:
    """Whether a kind or command that is confined to classes can be of these; where none are known, it can."""
    confined = context.vocabulary.confined.get(term)
    if confined is None or not classes or DEVICE in classes:
        return True
    return any(context.vocabulary.is_a(c, cls) for c in classes for cls in confined)


def named(qualities: Sequence[Quality], classes: Sequence[str], context: Context) -> tuple[str, ...]:
    """The kinds that are named; "mode" beside a more telling word ("auto swing mode") counts for nothing."""
    found = [[e.iri for e in q.entries] for q in qualities]
    if len(found) > 1:
        found = [kinds for kinds in found if kinds != [MODE]] or found
    kinds = [k for k in (found[0] if found else ()) if concerns(k, classes, context)] or (found[0] if found else [])
    return tuple(sorted(kinds, key=lambda k: (not at_home(k, classes, context), k not in context.vocabulary.confined)))


def of_verbs(words: Words, context: Context) -> Iterator[str]:
    """The kinds that the verb is about."""
    yield from (r.about for r in words.relations if r.about is not None)
    for command in words.commands:
        for effect in context.effects(command):
            if effect.form in (Form.TO_INPUT, Form.TO_BOUND, Form.BY):
                yield effect.kind


def main(classes: Sequence[str], context: Context) -> list[str]:
    """The kinds that are meant by a device alone, in their order."""
    return list(dict.fromkeys(k for cls in classes for k in context.vocabulary.main_kinds.get(cls, ())))


def of_relations(words: Words, context: Context) -> list[str]:
    """The main kinds of the device that its words for more or less can be about: nobody dims a fan."""
    order = main(words.classes, context)
    abouts = [r.about for r in words.relations]
    if words.direction or not abouts or None in abouts:
        return order
    return [k for k in order if any(_is_like(k, about, context) for about in abouts if about is not None)]


def _is_like(kind: str, about: str, context: Context) -> bool:
    """Whether two kinds are of one sort, or are measured in one unit that is more than a share of the whole."""
    units = [context.vocabulary.kinds[k].unit for k in (kind, about) if k in context.vocabulary.kinds]
    return akin(kind, about, context) or (len(units) == 2 and units[0] == units[1] not in (None, _PERCENT))


def candidates(words: Words, meaning: Meaning, context: Context) -> list[str]:
    """The kinds that an amount may be of, likeliest first."""
    own = sorted(meaning.kinds, key=lambda k: _rank(k, words, context))
    if words.kinds:
        said = [k for k in words.kinds if fits(k, meaning, context)]
        if meaning.amount.measure is Measure.TRUTH and not any(at_home(k, (), context) for k in words.kinds):
            return list(words.kinds)  # "the oven's child lock on", where it has none: the oven is not meant
        found = [*(said or own), *_wider(words, meaning, context)]
        switches = all(k not in context.dictionary.graded for k in words.kinds)
        return found or (_by_device(words, meaning, context) if switches else []) or list(words.kinds)
    verbal = [k for k in of_verbs(words, context) if fits(k, meaning, context)]
    device = [] if own else [*_with_option(words, meaning, context), *_by_device(words, meaning, context)]
    return list(dict.fromkeys([*verbal, *own, *device]))


def _with_option(words: Words, meaning: Meaning, context: Context) -> list[str]:
    """The kinds that a level is an option of by its name, where such a device has some: "the aircon on high" is about
    how it blows, and not about three quarters of its temperature."""
    if meaning.amount.measure is not Measure.NAMED or not words.classes:
        return []
    value = str(meaning.amount.value)
    spelt = context.dictionary.spelt.get(value, frozenset())
    by_name = context.dictionary.options.get(context.vocabulary.name(value), frozenset())  # "medium", and not "normal"
    here = (k for k in spelt if at_home(k, words.classes, context))
    return sorted(here, key=lambda k: (k not in by_name, *_rank(k, words, context)))


def further(words: Words, meaning: Meaning, context: Context) -> list[str]:
    """The kinds that a second amount may be of: its own, or those of the device."""
    own = sorted(meaning.kinds, key=lambda k: _rank(k, words, context)) or _with_option(words, meaning, context)
    return own or _by_device(words, meaning, context)


def fits(kind: str, meaning: Meaning, context: Context) -> bool:
    """Whether an amount can be one of a kind."""
    switch = kind not in context.dictionary.graded and at_home(kind, (), context)
    if meaning.amount.measure in (Measure.NUMBER, Measure.FRACTION) or _is_level(meaning, context):
        if switch or kind in context.dictionary.textual or kind in context.dictionary.placed:
            return False
    elif meaning.amount.measure is Measure.TRUTH and switch:
        return True
    return not meaning.kinds or any(akin(kind, k, context) for k in meaning.kinds)


def _is_level(meaning: Meaning, context: Context) -> bool:
    """A named place in a range that is neither end of it: no switch can be half on."""
    if meaning.amount.measure is not Measure.NAMED:
        return False
    value = context.vocabulary.values.get(str(meaning.amount.value))
    return value is not None and value.level is not None and 0 < value.level < 1


def _rank(kind: str, words: Words, context: Context) -> tuple[bool, bool, int, str]:
    """The sort key of a kind: those at home first; modes before all else; then the main kinds of the device in their
    order, and by name, so that each process has one order."""
    order = main(words.classes, context)
    away = not at_home(kind, words.classes, context)
    return away, not context.vocabulary.is_a(kind, MODE), order.index(kind) if kind in order else len(order), kind


def _wider(words: Words, meaning: Meaning, context: Context) -> list[str]:
    """Further kinds for the name of a mode: any mode; and for "mode" or "setting" alone, those of the device."""
    if words.kinds == (MODE,):
        return _by_device(words, meaning, context)
    return [MODE] if any(context.vocabulary.is_a(k, MODE) for k in words.kinds) else []


def _by_device(words: Words, meaning: Meaning, context: Context) -> list[str]:
    """The kinds of an amount for such a device: its main kinds, with a unit only those that have it."""
    unit = meaning.amount.unit
    meant = main(words.classes, context) if unit not in (None, _PERCENT) else of_relations(words, context)
    order = [k for k in meant if fits(k, meaning, context)]
    if not order:
        return _with_unit(unit, context, named=bool(words.classes))
    if meaning.amount.measure is not Measure.NUMBER:
        return order
    numeric = [k for k in order if context.vocabulary.kinds[k].unit is not None] or order
    return [k for k in numeric if _compares(unit, k, context)] or _with_unit(unit, context, named=True) or numeric


def _compares(unit: str | None, kind: str, context: Context) -> bool:
    own = context.vocabulary.kinds[kind].unit
    return unit in (None, own) or any({own, unit} <= group for group in _COMPARABLE)


def _with_unit(unit: str | None, context: Context, *, named: bool) -> list[str]:
    """The settable kinds of this unit that something in the home has; where nothing is named, those of most things
    first."""
    if unit is None:
        return []
    kinds = context.vocabulary.kinds
    here = context.store.derived("language/kinds_here", lambda: _kinds_here(context))
    found = [k for k in here if k in kinds and kinds[k].settable and _compares(unit, k, context)]
    return sorted(found) if named else found


def _kinds_here(context: Context) -> tuple[str, ...]:
    """The kinds of property in the home, those of most properties first."""
    several = Counter(k for p in context.registry.properties.values() for k in p.kinds)
    return tuple(sorted(several, key=lambda kind: (-several[kind], kind)))
