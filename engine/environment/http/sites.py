"""The context of forms in the graph: security schemes and URI variables, read once a generation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.environment.http.content import JSON, media_type
from engine.environment.http.credentials import Scheme
from engine.environment.http.forms import READ_ALL, Site, Variable
from engine.errors import BindingError
from engine.graph.terms import Json, NamedNode, Term, expand, python
from engine.model.thing import Form, Property, Schema, Thing
from engine.model.thing_rdf import below
from engine.things.registry import Registry

_TYPES = {
    expand(f"wotsec:{name}SecurityScheme"): kind
    for name, kind in (
        *(("No", "nosec"), ("Basic", "basic"), ("Digest", "digest"), ("Bearer", "bearer"), ("APIKey", "apikey")),
        *(("OAuth2", "oauth2"), ("PSK", "psk"), ("Auto", "auto"), ("Combo", "combo")),
    )
}
_SCHEMAS = {
    expand(f"js:{name}Schema"): name.lower()
    for name in ("Boolean", "Integer", "Number", "String", "Array", "Object", "Null")
}


class Sites:
    """Sites by affordance."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def of(self, affordance: str) -> Site:
        """The site of an affordance. Raises BindingError (no_such_command, no_such_property) where there is none."""
        known = self._registry.store.derived("environment/sites", dict[str, Site])
        if affordance not in known:
            known[affordance] = self._read(affordance)
        return known[affordance]

    def all_of(self, thing: Thing) -> Site | None:
        """The context of a thing's form for all properties at once; None where it has none."""
        known = self._registry.store.derived("environment/sites_of_things", dict[str, Site | None])
        if thing.iri not in known:
            known[thing.iri] = self._read_all(thing)
        return known[thing.iri]

    def _reach(self, thing: Thing) -> frozenset[str] | None:
        """Where the forms of a thing may lead that was found elsewhere; None for one of this home's own."""
        rows = self._registry.store.select("environment/reach", thing=NamedNode(thing.iri))
        return frozenset(place.value for (place,) in rows if place is not None) if rows else None

    def _read_all(self, thing: Thing) -> Site | None:
        rows = self._registry.store.select("environment/thing_forms", thing=NamedNode(thing.iri))
        found: dict[str, Form] = {}
        for _, form, *said in rows:
            target, content, method, security = ("" if value is None else value.value for value in said)
            if form is not None:
                before = found[form.value].security if form.value in found else ()
                secured = tuple(filter(None, (*before, security)))
                kind = content or "application/json"
                found[form.value] = Form(target, (READ_ALL,), method or None, kind, security=secured)
        if not found:
            return None
        names = {*thing.security, *(name for form in found.values() for name in form.security)}
        forms = tuple(form for form in found.values() if media_type(form.content_type) == JSON)
        everything = Property(thing.iri, "all properties", thing.iri, Schema(type="object"), forms=forms)
        return Site(thing, everything, self._schemes(thing, names), reach=self._reach(thing))

    def _read(self, affordance: str) -> Site:
        known = self._registry
        found = known.properties.get(affordance) or known.actions.get(affordance) or known.events.get(affordance)
        if found is None:
            reason = "no_such_property" if "#properties/" in affordance else "no_such_command"
            raise BindingError(f"There is no <{affordance}>.", reason=reason)
        thing = self._registry.thing_of[affordance]
        names = {*thing.security, *(name for form in found.forms for name in form.security)}
        variables, reach = self._variables(affordance), self._reach(thing)
        return Site(thing, found, self._schemes(thing, names), variables, reach)

    def _schemes(self, thing: Thing, names: Iterable[str]) -> dict[str, Scheme]:
        """The schemes of these names, and those that they are made of."""
        rows = self._registry.store.select("environment/security_schemes", thing=NamedNode(thing.iri))
        found: dict[str, Scheme] = {}
        waiting = set(names)
        while waiting:
            nodes = {below(thing.document, "security", name): name for name in waiting}
            fresh = _read_schemes(rows, nodes)
            found |= fresh
            parts = {part for one in fresh.values() for part in (*one.all_of, *one.one_of)}
            waiting = parts - found.keys() - waiting
        return found

    def _variables(self, affordance: str) -> tuple[Variable, ...]:
        rows = self._registry.store.select("environment/uri_variables", affordance=NamedNode(affordance))
        found: dict[str, Schema] = {}
        for _, name, cls, initial in rows:
            if name is not None:
                value: Json = None if initial is None else python(initial)  # type: ignore[assignment]
                kind = _SCHEMAS.get(cls.value) if cls is not None else None
                found[name.value] = Schema(type=kind, default=value, has_default=initial is not None)
        return tuple(Variable(name, schema) for name, schema in sorted(found.items()))


def _read_schemes(rows: Iterable[tuple[Term | None, ...]], nodes: Mapping[str, str]) -> dict[str, Scheme]:
    """The schemes of the rows, by name; `nodes` are the names by the address of a scheme."""
    found: dict[str, Scheme] = {}
    for _, scheme, cls, *said in rows:
        name = nodes.get(scheme.value) if scheme is not None else None
        kind = _TYPES.get(cls.value) if cls is not None else None
        if name is not None and kind is not None:
            place, field, flow, token, *several = (value.value if value is not None else "" for value in said)
            place = place or ("query" if kind == "apikey" else "header")
            before = found.get(name, Scheme(name, kind))
            lists = zip((before.scopes, before.all_of, before.one_of), several, strict=True)
            scopes, every, one = (tuple(sorted({*had, *([value] if value else [])})) for had, value in lists)
            found[name] = Scheme(name, kind, place, field, flow, token, scopes, every, one)
    return found
