"""The services of an entity as actions: with the schemas of their fields and their effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.graph.terms import expand
from engine.model.thing import Action, Form, Property, Schema
from engine.model.vocabulary import Effect, Vocabulary
from engine.model.vocabulary import Form as EffectForm
from engine.origins.home_assistant import selectors
from engine.origins.home_assistant.entities import DETAIL, Entity
from engine.origins.home_assistant.mapping import Meanings, ServiceRule, text
from engine.origins.home_assistant.snapshot import Record

SPECIAL = expand("hg:SpecialOperation")
INVOKE = expand("td:invokeAction")
Services = Mapping[str, Mapping[str, Record]]


def applicable(entity: Entity, services: Services) -> Iterator[tuple[str, str, Record]]:
    """The services that are aimed at such entities and that its features allow: domain, name, description."""
    for domain, named in services.items():
        for name, service in named.items():
            if _is_aimed_at(service.get("target"), entity):
                yield domain, name, service


def _is_aimed_at(target: Any, entity: Entity) -> bool:
    """Whether a service targets the entity; one without a target, or for any target whatever, does not."""
    filters = target.get("entity") if isinstance(target, dict) else None
    found = [filters] if isinstance(filters, dict) else filters
    return isinstance(found, list) and any(_passes(one, entity) for one in found if isinstance(one, dict) and one)


def _passes(rule: Record, entity: Entity) -> bool:
    said = {"domain": entity.domain, "device_class": entity.device_class, "integration": entity.entry.get("platform")}
    for name, own in said.items():
        wanted = rule.get(name)
        if wanted is not None and own not in (wanted if isinstance(wanted, list) else [wanted]):
            return False
    features = rule.get("supported_features")
    return features is None or entity.supports(features)


def actions(
    entity: Entity,
    part: str,
    prefix: str,
    own: Sequence[Property],
    services: Services,
    known: tuple[Meanings, Vocabulary],
) -> list[Action]:
    """The action affordances of an entity, as those of `part`, their names behind `prefix`; `own`: its properties."""
    by_source = {prop.iri.rpartition("#properties/")[2]: prop for prop in own}
    found = [
        _action(entity, (domain, name), service, by_source, known)
        for domain, name, service in applicable(entity, services)
    ]
    return [replace(action, part=part, name=prefix + action.name) for action in found]


def _action(
    entity: Entity,
    called: tuple[str, str],
    service: Record,
    own: Mapping[str, Property],
    known: tuple[Meanings, Vocabulary],
) -> Action:
    meanings, vocabulary = known
    domain, plain = called
    name = plain if domain == entity.domain else f"{domain}.{plain}"
    rule = meanings.service(domain, plain)
    settable = {} if rule and rule.plain else own
    members, required, filled = _members(entity, f"{domain}.{plain}", service, settable, meanings)
    commands = rule.commands if rule else frozenset((SPECIAL,)) if meanings.listed(entity.domain) else frozenset()
    response = service.get("response")
    return Action(
        f"{entity.iri}#actions/{name}",
        name.replace(".", "_"),
        "",
        commands=commands,
        input=Schema("object", properties=tuple(members.items()), required=required) if members else None,
        output=Schema("object") if response else None,
        effects=tuple(_effects(rule or ServiceRule(commands), filled, own, vocabulary)),
        safe=isinstance(response, dict) and response.get("optional") is False,
        forms=(Form(f"{entity.target}/{name}", (INVOKE,)),),
        title=str(service.get("name") or plain.replace("_", " ")),
        description=str(service.get("description") or "") or None,
    )


def _members(
    entity: Entity, service_name: str, service: Record, own: Mapping[str, Property], meanings: Meanings
) -> tuple[dict[str, Schema], frozenset[str], dict[str, Property]]:
    """The members of the input, those that are required, and the properties that members fill, by member."""
    members: dict[str, Schema] = {}
    filled: dict[str, Property] = {}
    required: set[str] = set()
    listed = meanings.listed(entity.domain)
    for name, field in selectors.fields(service, entity):
        row = meanings.fields.get((service_name, name), {})
        prop = own.get(text(row, "fills", name))
        made = selectors.schema(field)
        if prop is not None and prop.schema.type:
            made = _as_property(made, prop)
            filled[name] = prop
        elif "kind" in row:
            made = replace(made, kinds=frozenset((text(row, "kind"),)))
        elif listed:
            made = replace(made, kinds=frozenset((DETAIL,)))
        members[name] = made
        if field.get("required") is True:
            required.add(name)
    return members, frozenset(required), filled


def _as_property(made: Schema, prop: Property) -> Schema:
    """The schema of a field that sets a property: as narrow as the property is, and of its kind."""
    like = prop.schema
    numeric = like.type in ("number", "integer")
    return replace(
        made,
        type=like.type,
        enum=like.enum or (made.enum if like.type == "string" else ()),
        minimum=like.minimum if like.minimum is not None or not numeric else made.minimum,
        maximum=like.maximum if like.maximum is not None or not numeric else made.maximum,
        multiple_of=like.multiple_of if numeric else None,
        items=like.items,
        min_items=like.min_items,
        max_items=like.max_items,
        unit=like.unit or (made.unit if numeric else None),
        kinds=prop.kinds | like.kinds,
    )


def _effects(
    rule: ServiceRule, filled: Mapping[str, Property], own: Mapping[str, Property], vocabulary: Vocabulary
) -> Iterator[Effect]:
    """The effects of a service: those of the mapping, else those of its commands, and those of its fields."""
    copied = [
        Effect(kind, EffectForm.TO_INPUT, kind, prop.iri)
        for prop in filled.values()
        for kind in sorted(prop.kinds)
        if kind != DETAIL
    ]
    if rule.effects:
        for effect in rule.effects:
            prop = own.get(effect.on)
            if effect.kind:
                yield effect.effect(effect.kind, None)
            elif prop is not None and prop.kinds:
                yield effect.effect(sorted(prop.kinds)[0], prop.iri)
    elif copied:
        commands = (vocabulary.commands[one] for one in sorted(rule.commands) if one in vocabulary.commands)
        yield from (
            effect for command in commands for effect in command.effects if effect.form is not EffectForm.TO_INPUT
        )
    yield from copied
