"""Infers the classes of things, kinds of properties and commands from names, units and schemas, by the vocabulary's
words.

Classes given by the author are kept. A class unknown to the vocabulary is kept, too, and its name is a hint like
others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.graph.terms import Json, expand
from engine.model import thing_rdf as rdf
from engine.model.place import Place
from engine.model.thing import Action, Part, Property, Schema, Thing
from engine.model.vocabulary import Form, Vocabulary
from engine.things.description.dialects import local_name
from engine.things.ontology.definitions import Recogniser
from engine.things.ontology.identifiers import WordIndex, tokens

DEVICE, SENSOR, PLACE = expand("hg:Device"), expand("hg:Sensor"), expand("hg:Place")
WRITE = expand("td:writeProperty")
_NUMBERS = ("number", "integer")


class Classifier:
    """Adds to things and places the classes, kinds and commands that their names tell."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._v = vocabulary
        labels = vocabulary.labels
        named = [iri for iri in vocabulary.ancestors if iri in labels]
        defined = {definition.cls for definition in vocabulary.definitions}  # recognised by more than their names
        self._devices = WordIndex((i for i in named if vocabulary.is_a(i, DEVICE) and i not in defined), labels)
        self._rooms = WordIndex((iri for iri in named if vocabulary.is_a(iri, PLACE)), labels)
        self._kinds = WordIndex(vocabulary.kinds, labels)
        self._commands = WordIndex(vocabulary.commands, labels)
        self._units = {label: unit for unit in vocabulary.units for label in (unit, *labels.get(unit, ()))}
        self._recogniser = Recogniser(vocabulary)
        self._affected: dict[str, int] = {}
        for command in vocabulary.commands.values():
            for effect in command.effects:
                self._affected[effect.kind] = self._affected.get(effect.kind, 0) + 1

    def thing(self, thing: Thing) -> Thing:
        """The thing with every part, property, action and input member classified, in a fixed order."""
        parts: list[Part] = []
        properties: list[Property] = []
        actions: list[Action] = []
        for part in thing.parts:
            view = _PartView(self._v, part, thing)
            classes = self._known(part.classes, DEVICE) or self._named_classes(part, thing)
            found = [self._property(p, classes, view) for p in view.properties]
            if not classes:
                classes = self._classes_by_kinds(found, view)
            kinds = frozenset(kind for p in found for kind in p.kinds)
            parts.append(replace(part, classes=part.classes | classes))
            properties += found
            actions += [self._action(self._still(a, thing.iri), classes, kinds, found) for a in view.actions]
        classified = replace(
            thing,
            parts=(parts[0], *sorted(parts[1:], key=lambda part: part.path)),
            properties=tuple(sorted(properties, key=lambda p: p.name)),
            actions=tuple(sorted(actions, key=lambda a: a.name)),
        )
        return self._recogniser.thing(classified)

    def place(self, place: Place) -> Place:
        """The place with the class that its name tells, where it has none that is known."""
        if self._known(place.classes, PLACE):
            return place
        for name in (place.name, *place.aliases, local_name(place.iri)):
            for named in self._rooms.head(tokens(name)):
                best = min(named, key=lambda iri: (named[iri], iri))
                return replace(place, classes=place.classes | {best})
        return replace(place, classes=place.classes | {PLACE})

    # Devices

    def _known(self, classes: Iterable[str], root: str) -> frozenset[str]:
        return frozenset(cls for cls in classes if self._v.is_a(cls, root))

    def _named_classes(self, part: Part, thing: Thing) -> frozenset[str]:
        if whole := self._wholly_named(part.classes):
            return whole
        own = [part.title, part.path.rpartition(".")[2]] if part.path else [thing.title, *thing.aliases]
        for name in (*map(local_name, sorted(part.classes)), *own, local_name(part.iri)):
            for named in self._devices.head(tokens(name)):
                specific = {iri: rank for iri, rank in named.items() if iri not in (DEVICE, SENSOR)}
                if specific:
                    return frozenset((min(specific, key=lambda iri: (specific[iri], iri)),))
        return frozenset()

    def _wholly_named(self, classes: Iterable[str]) -> frozenset[str]:
        """The device classes whose very names others use for classes of theirs: `td:Light` beside `BinarySwitch`."""
        named = (self._devices.whole(tokens(local_name(cls))) for cls in classes)
        specific = ({iri: rank for iri, rank in one.items() if iri not in (DEVICE, SENSOR)} for one in named)
        return frozenset(min(one, key=lambda iri: (one[iri], iri)) for one in specific if one)

    def _classes_by_kinds(self, properties: list[Property], view: _PartView) -> frozenset[str]:
        """The class whose main kinds the properties have; of several, the one that is above most of the others."""
        kinds = frozenset(kind for p in properties for kind in p.kinds)
        readings = all(not self._v.kinds[kind].settable for kind in kinds if kind in self._v.kinds)
        plain = SENSOR if kinds and readings and not view.actions else DEVICE
        fits = {
            cls: (len(kinds.intersection(main)), -len(main))
            for cls, main in self._v.main_kinds.items()
            if kinds.intersection(main) and (plain == DEVICE or self._v.is_a(cls, SENSOR))
        }
        best = [cls for cls, fit in fits.items() if fit == max(fits.values())]
        below = {cls: sum(self._v.is_a(other, cls) for other in best) for cls in best}
        chosen = max(best, key=lambda cls: (below[cls], cls), default=plain)
        return frozenset((chosen if 2 * below.get(chosen, 0) > len(best) else plain,))

    # Properties

    def _property(self, prop: Property, classes: frozenset[str], view: _PartView) -> Property:
        kinds = prop.kinds | prop.schema.kinds
        if not kinds & self._v.kinds.keys():
            hints = (*map(local_name, sorted(kinds)), prop.name.rpartition(".")[2], prop.title or "")
            written = WRITE in {op for form in prop.forms for op in form.operations}
            found = self._kind(hints, prop.schema, classes, view.effects(self._commands), written)
            kinds = kinds | {found} if found else kinds
        return replace(prop, kinds=kinds, schema=replace(_with_member_names(prop.schema), kinds=kinds))

    def _kind(
        self, hints: Iterable[str], schema: Schema, classes: frozenset[str], expected: frozenset[str], written: bool
    ) -> str | None:
        """The kind that a name tells, or else the unit, or else the options.

        `expected` are the kinds that are likely here, for actions bear on them; `written` says that this is a value
        which a device is given.
        """

        def order(iri: str, rank: int) -> tuple[object, ...]:
            return (
                not self._spells(iri, schema.enum),
                self._confinement(iri, classes),
                self._standing(iri, expected, written),
                self._misfit(iri, schema),
                rank,
                -self._affected.get(iri, 0),
                iri,
            )

        for hint in hints:
            words = tokens(hint)
            for named in (self._kinds.whole(words), *self._kinds.head(words)):
                if named:
                    best = min(named, key=lambda iri: order(iri, named[iri]))
                    return self._measured(best, schema) or self._refined(best, classes)
        likely = self._by_unit(schema) or self._by_options(schema)
        return min(likely, key=lambda iri: order(iri, 0)) if likely else None

    def _standing(self, iri: str, expected: frozenset[str], written: bool) -> int:
        """Rank of a kind (0 is best): 0 where it is settable and the device is expected to have it, 1 where it is
        settable exactly if the property can be written, else 2."""
        settable = self._v.kinds[iri].settable
        if settable and self._meets(iri, expected):
            return 0
        return 1 if settable is written else 2

    def _measured(self, iri: str, schema: Schema) -> str | None:
        """A number in watts is no "power" that is on or off: the one reading in that unit, where the kind has none."""
        readings = self._by_unit(schema) if self._v.kinds[iri].unit is None and schema.type in _NUMBERS else []
        return readings[0] if len(readings) == 1 else None

    def _refined(self, iri: str, classes: frozenset[str]) -> str:
        """The most special kind or command below `iri` that is confined to devices of these classes, else `iri`. On an
        alarm panel, a mode is an alarm mode."""
        special = [one for one in self._v.confined if self._v.is_a(one, iri) and not self._confinement(one, classes)]
        return min(special, key=lambda one: (-len(self._v.ancestors[one]), one), default=iri)

    def _by_unit(self, schema: Schema) -> list[str]:
        unit = self._units.get(schema.unit or "")
        return [iri for iri, kind in self._v.kinds.items() if unit and kind.unit == unit and not kind.settable]

    def _by_options(self, schema: Schema) -> list[str]:
        if schema.type == "boolean":
            return [iri for iri, kind in self._v.kinds.items() if "true" in kind.high and not kind.unit]
        return [iri for iri in self._v.kinds if schema.enum and self._spells(iri, schema.enum)]

    def _spells(self, iri: str, options: tuple[Json, ...]) -> bool:
        """Whether the options are the two ends of a kind."""
        kind = self._v.kinds[iri]
        words = {str(option).lower() for option in options}
        return len(words) > 1 and bool(words & kind.high) and bool(words & kind.low) and words <= kind.high | kind.low

    def _misfit(self, iri: str, schema: Schema) -> int:
        """How badly a kind suits a schema: 0 well, 1 perhaps, 2 hardly."""
        kind = self._v.kinds[iri]
        if schema.type in _NUMBERS:
            same_unit = schema.unit is None or kind.unit is None or self._units.get(schema.unit) == kind.unit
            return 0 if kind.unit and same_unit else 1 if same_unit else 2
        if schema.type == "boolean":
            return 0 if "true" in kind.high else 2 if kind.unit else 1
        if schema.enum:
            return 0 if self._spells(iri, schema.enum) or self._has_values(iri, schema.enum) else 1
        return 1

    def _has_values(self, iri: str, options: tuple[Json, ...]) -> bool:
        """Whether one of the options is a named value that belongs to this kind alone."""
        words = {str(option).lower() for option in options}
        return any(iri in value.kinds and words & value.notations for value in self._v.values.values())

    def _confinement(self, iri: str, classes: frozenset[str]) -> int:
        """Rank of a kind by the device classes it is confined to: 0 where these are among them, 1 where it is confined
        to none, 2 where it is confined to others."""
        only = self._v.confined.get(iri)
        if only is None:
            return 1
        return 0 if any(self._v.is_a(cls, of) for cls in classes for of in only) else 2

    def _meets(self, kind: str, others: Iterable[str]) -> bool:
        return any(self._v.is_a(kind, other) or self._v.is_a(other, kind) for other in others)

    # Actions

    def _action(
        self, action: Action, classes: frozenset[str], kinds: frozenset[str], properties: list[Property]
    ) -> Action:
        commands = action.commands
        if not commands & self._v.commands.keys() and not action.effects:
            commands = commands | self._command(action, classes, kinds)
        effects = [
            effect
            for own in (action.effects, *(self._v.commands[c].effects for c in commands if c in self._v.commands))
            for effect in own
        ]
        copied = [str(effect.value) for effect in effects if effect.form is Form.TO_INPUT]
        schema = action.input
        if schema is not None:
            schema = self._input(_with_member_names(schema), copied, classes, kinds, properties)
        output = None if action.output is None else _with_member_names(action.output)
        return replace(action, commands=commands, input=schema, output=output)

    def _still(self, action: Action, thing: str) -> Action:
        """The action without the words of its thing's own that it had, and has no more."""
        own = rdf.below(thing, "commands", "")
        gone = frozenset(c for c in action.commands if c.startswith(own) and c not in self._v.commands)
        return replace(action, commands=action.commands - gone) if gone else action

    def _command(self, action: Action, classes: frozenset[str], kinds: frozenset[str]) -> frozenset[str]:
        def order(iri: str, rank: int) -> tuple[object, ...]:
            effects = self._v.commands[iri].effects
            takes = any(effect.form is Form.TO_INPUT for effect in effects)
            met = sum(self._meets(effect.kind, kinds) for effect in effects)
            return (takes != (action.input is not None), self._confinement(iri, classes), not met, rank, -met, iri)

        for hint in (*map(local_name, sorted(action.commands)), action.name.rpartition(".")[2], action.title or ""):
            words = tokens(hint)
            named = self._commands.whole(words) or self._commands_of_kind(words, action, classes, kinds)
            named = named or self._commands.start(words)
            if named:
                best = min(named, key=lambda iri: order(iri, named[iri]))
                return frozenset((self._refined(best, classes),))
        return frozenset()

    def _commands_of_kind(
        self, words: tuple[str, ...], action: Action, classes: frozenset[str], kinds: frozenset[str]
    ) -> dict[str, int]:
        """The commands that copy an input into the kind of which an action's name speaks (`set_brightness`)."""
        if action.input is None:
            return {}
        members = [name for name, _ in action.input.properties]
        kind = self._kind((" ".join(words), *members), action.input, classes, kinds, written=True)
        found = {iri: 0 for iri in self._v.commands if kind and self._copies_into(iri, kind)}
        return found or {iri: 1 for iri in self._v.commands if kind and self._copies_above(iri, kind)}

    def _copies_into(self, command: str, kind: str) -> bool:
        return any(e.form is Form.TO_INPUT and e.kind == kind for e in self._v.commands[command].effects)

    def _copies_above(self, command: str, kind: str) -> bool:
        return any(e.form is Form.TO_INPUT and self._v.is_a(kind, e.kind) for e in self._v.commands[command].effects)

    def _input(
        self,
        schema: Schema,
        copied: list[str],
        classes: frozenset[str],
        kinds: frozenset[str],
        properties: list[Property],
    ) -> Schema:
        """The input with the kinds of its members: as the property of that name, as the name tells, as is needed."""
        if not schema.properties:
            known = self._knows(schema) or not copied
            return schema if known else replace(schema, kinds=schema.kinds | {copied[0]})
        members: list[tuple[str, Schema]] = []
        for name, member in schema.properties:
            if not self._knows(member):
                twin = next((p for p in properties if p.name.rpartition(".")[2] == name and p.kinds), None)
                kind = next(iter(sorted(twin.kinds)), None) if twin else None
                kind = kind or self._kind((name, member.title or ""), member, classes, frozenset(copied) or kinds, True)
                if len(schema.properties) == 1 and len(set(copied)) == 1 and not (kind and self._meets(kind, copied)):
                    kind = copied[0]
                member = replace(member, kinds=member.kinds | {kind}) if kind else member
            members.append((name, member))
        return replace(schema, properties=tuple(members))

    def _knows(self, schema: Schema) -> bool:
        return bool(schema.kinds & self._v.kinds.keys())


def _with_member_names(schema: Schema) -> Schema:
    """A schema whose members know their names, as they do when they are read from the store."""
    if not schema.properties:
        return schema
    return replace(
        schema, properties=tuple((name, replace(_with_member_names(m), name=name)) for name, m in schema.properties)
    )


class _PartView:
    """A part of a thing with its own properties and actions."""

    def __init__(self, vocabulary: Vocabulary, part: Part, thing: Thing) -> None:
        self._v = vocabulary
        self.properties = [p for p in thing.properties if p.part == part.iri]
        self.actions = [a for a in thing.actions if a.part == part.iri]
        self._effects: frozenset[str] | None = None

    def effects(self, commands: WordIndex) -> frozenset[str]:
        """The kinds that the actions bear on as far as their classes or whole names tell."""
        if self._effects is None:
            found = {c for a in self.actions for c in (*a.commands, *commands.whole(tokens(a.name)))}
            known = [self._v.commands[c] for c in found if c in self._v.commands]
            self._effects = frozenset(effect.kind for command in known for effect in command.effects)
        return self._effects
