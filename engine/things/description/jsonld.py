"""Thing Descriptions in JSON-LD, 1.0 and 1.1: files in, documents out, nothing fetched.

https://www.w3.org/TR/wot-thing-description11/#sec-td-serialization
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from engine.errors import InputError, SyntaxFault, ThingRefused
from engine.graph.json_values import checked
from engine.graph.terms import Quad, Triple, expand
from engine.model import thing_rdf as rdf
from engine.model.thing import Thing
from engine.resources import folder
from engine.things.description import contexts, jsonld_reader, jsonld_writer, thing_models
from engine.things.description.thing_parts import Beside, whole
from engine.things.description.turtle import ORIGIN

if TYPE_CHECKING:  # it takes 50 ms to import, and most homes have no TD in JSON
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

SUFFIXES = (".jsonld", ".json")
LARGEST = 8 * 2**20
"""Bytes of one file. The largest TD that was met has 27,000."""

DEEPEST = 128
"""Levels of nesting in one file: 60 schemas within each other."""

LONGEST = 200
"""Characters of a message about a document that quotes it."""

Document = Mapping[str, Any]


def looks_like_one(path: Path) -> bool:
    """Whether a JSON file has a context, as every Thing Description and Thing Model has."""
    try:
        with path.open("rb") as file:
            return b'"@context"' in file.read(LARGEST)
    except OSError:
        return False


def parse_file(path: Path, taken: Mapping[str, str] | None = None) -> tuple[list[Triple], list[str]]:
    """The statements of a file with one TD or a list of them, and its warnings.

    `taken` has the things that came from other files, by IRI: a thing of the same id then gets an address of its own.
    Raises SyntaxFault (file and line) for text that is no JSON, ThingRefused (node, remedy) for JSON that is no TD.
    """
    content = _whole(parse_text(read_file(path), source=path.name), path)
    return statements(content, name=path.name.split(".td.")[0].split(".jsonld")[0], source=path.name, taken=taken)


def _whole(content: Any, path: Path) -> Any:
    """The content of a file; a Thing Model's with the models beside it that it extends or refers to."""
    if not isinstance(content, dict) or not thing_models.is_model(content):
        return content
    beside = Beside(path.parent, lambda other: parse_text(read_file(other), source=other.name), (path.resolve(),))
    return whole(content, beside)


def read_file(path: Path) -> bytes:
    """The bytes of a file. Raises InputError for one that cannot be read or is too large."""
    try:
        if path.stat().st_size > LARGEST:
            raise ThingRefused(
                f"{path.name} is larger than {LARGEST // 2**20} MB.",
                shape=expand("hg:SizeShape"),
                remedy="A Thing Description has some thousand characters; take out what does not belong in it.",
            )
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", remedy="Name a file that exists.") from error


def parse_text(content: bytes | str, *, source: str = "") -> Any:
    """The JSON value of a text. Raises SyntaxFault (line), ThingRefused for too deep nesting."""
    remedy = "Mend this line; nothing was loaded."
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        found = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise SyntaxFault(f"{error.msg}.", source=source, line=error.lineno, remedy=remedy) from error
    except UnicodeDecodeError as error:
        raise SyntaxFault("This is no UTF-8.", source=source, remedy="Save the file as UTF-8.") from error
    except RecursionError:
        raise _too_deep(source) from None
    _refuse_depth(found, source)
    _refuse_halves(text, found, source)
    return checked(found)


def statements(
    content: Any, *, name: str = "", source: str = "", taken: Mapping[str, str] | None = None
) -> tuple[list[Triple], list[str]]:
    """The statements of a parsed TD or a list of them, and warnings; `name` is the basis of an address for a thing
    without `id`."""
    found: list[Triple] = []
    warnings: list[str] = []
    known = dict(taken or {})
    documents = content if isinstance(content, list) else [content]
    for index, document in enumerate(documents):
        own = f"{name}-{index}" if isinstance(content, list) else name
        check(document, source)
        _refuse_misleading(document)
        iri, said = _address(document, own, known, source)
        model, instantiated = thing_models.instance(document)
        context, unknown = contexts.read(model["@context"])
        found += jsonld_reader.statements(model, iri, context)
        warnings += [*said, *instantiated, *map(_unknown_context, unknown), *_undefined_schemes(model)]
    return found, warnings


def check(document: Any, source: str = "") -> None:
    """Raises ThingRefused, with the place and the reason, for a document that is no valid TD 1.0 or 1.1."""
    if not isinstance(document, dict):
        raise ThingRefused(
            f"{source}: a Thing Description is a JSON object, and this is {_kind(document)}.",
            node="$",
            shape=expand("hg:DocumentShape"),
            remedy="Give a TD, or a list of TDs.",
        )
    thing_models.refuse_incomplete(document)
    model, _ = thing_models.instance(document)
    from jsonschema.exceptions import best_match

    error = best_match(_validator().iter_errors(model))
    if error is not None:
        raise _refusal(error, source)


def faults(document: Any, *, most: int) -> list[tuple[str, str]]:
    """At most `most` violations of the schema of TDs by a document: the JSON path of each member, and a sentence. For a
    Thing Model there are none: `check` refuses it."""
    if not isinstance(document, dict):
        return [("$", f"A Thing Description is a JSON object, and this is {_kind(document)}.")]
    if thing_models.is_model(document):
        return []
    from jsonschema.exceptions import best_match

    errors = [best_match([error]) for error in islice(_validator().iter_errors(document), most)]
    return [(error.json_path, f"{_told(error)}.") for error in errors]


def emit(thing: Thing, extension: Iterable[Quad] = ()) -> dict[str, Any]:
    """A Thing as a TD in JSON-LD, with the further statements of its document."""
    return jsonld_writer.document(rdf.published([*rdf.describe(thing), *extension]))


def document(quads: Iterable[Quad]) -> dict[str, Any]:
    """The quads of a thing's document graph as a TD in JSON-LD."""
    return jsonld_writer.document(rdf.published(quads))


# Addresses


def _address(document: Document, name: str, known: dict[str, str], source: str) -> tuple[str, list[str]]:
    """The IRI of a thing, and a sentence where it is not the one that its author gave."""
    given = document.get("id", document.get("@id"))
    made = rdf.below(ORIGIN, name)[len(ORIGIN) + 1 :]
    fallback = ORIGIN + made
    warnings: list[str] = []
    iri = given if isinstance(given, str) and rdf.is_iri(given) else fallback
    if given is None:
        warnings.append(f"'{document['title']}' has no id; its address is made of the name of its file: {iri}.")
    elif iri != given:
        warnings.append(f"The id {given!r} is no IRI; the address of the thing is {iri}.")
    if iri in known:
        if known[iri] == source:
            raise ThingRefused(
                f"{source}: two things have the id {iri}.",
                node=iri,
                shape=expand("hg:OneThingShape"),
                remedy="Give each thing an id of its own.",
            )
        warnings.append(f"{known[iri]} has the id {iri}, too; here the address of the thing is {fallback}.")
        iri = fallback
    known[iri] = source
    return iri, warnings


# Messages


@cache
def _validator() -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads((folder("shapes") / "td.schema.json").read_text(encoding="utf-8")))


def _refusal(error: ValidationError, source: str) -> ThingRefused:
    place, message = error.json_path, _told(error)
    prefix = f"{source}: " if source else ""
    return ThingRefused(
        f"{prefix}{place}: {message}.",
        node=place,
        shape="https://w3id.org/hearthgraph/td.schema.json",
        remedy="Mend this member; W3C's TD 1.1, section 5.3, says what is allowed there.",
    )


def _told(error: ValidationError) -> str:
    """A schema error as a sentence without its full stop."""
    message = error.message if len(error.message) <= LONGEST else f"{error.message[: LONGEST - 1]}…"
    if error.json_path.startswith("$['@context']") or error.json_path == "$.@context":
        return f"{message} (the context of a TD is {contexts.TD_1_1} or {contexts.TD_1_0})"
    return message


def _unknown_context(address: str) -> str:
    return f"The context {address[:LONGEST]} was not fetched; its terms are kept as they stand."


def _refuse_misleading(document: Document) -> None:
    """Refuses a scheme that is called as if it were none: whoever reads the name alone would send no credentials."""
    scheme = document["securityDefinitions"].get(rdf.NO_SECURITY, {}).get("scheme", "nosec")
    if scheme != "nosec":
        raise ThingRefused(
            f"$.securityDefinitions.{rdf.NO_SECURITY}: it is the name of no security, and the scheme is {scheme!r}.",
            node=f"$.securityDefinitions.{rdf.NO_SECURITY}",
            shape=expand("hg:DocumentShape"),
            remedy="Call the scheme by another name.",
        )


def _undefined_schemes(document: Document) -> Iterator[str]:
    """Security that is asked for and defined nowhere."""
    asked = document["security"]
    for name in [asked] if isinstance(asked, str) else asked:
        if name not in document["securityDefinitions"]:
            yield f"The security '{name[:LONGEST]}' is not among the securityDefinitions."


def _no_constant(name: str) -> NoReturn:
    raise ThingRefused(f"{name} is no JSON number.", node=name, remedy="Write a number.")


def _refuse_depth(content: Any, source: str) -> None:
    level = [content]
    for _ in range(DEEPEST):
        level = [item for value in level if isinstance(value, (dict, list)) for item in _items(value)]
        if not level:
            return
    raise _too_deep(source)


def _refuse_halves(text: str, content: Any, source: str) -> None:
    """Refuses the escaped half of a character, which no text of RDF and no UTF-8 can hold."""
    if r"\u" in text:
        try:
            json.dumps(content, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise SyntaxFault(
                "It holds half of a surrogate pair.", source=source, remedy="Write the whole character."
            ) from None


def _items(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def _too_deep(source: str) -> ThingRefused:
    return ThingRefused(
        f"{source}: it is nested more than {DEEPEST} levels deep.".lstrip(": "),
        shape=expand("hg:SchemaTreeShape"),
        remedy="Write it as a tree that ends.",
    )


def _kind(value: object) -> str:
    return {list: "a list", str: "a text", type(None): "null", bool: "a truth value"}.get(type(value), "a number")
