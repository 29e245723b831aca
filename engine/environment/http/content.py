"""Values as devices write them: JSON, CBOR, text, forms and bytes, in requests and out of answers, by their schema."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import parse_qsl, urlencode

import cbor2

from engine.environment.values.schemas import check_type
from engine.errors import BindingError, ValueFault
from engine.graph.terms import Json
from engine.model.thing import Property, Schema

JSON, FORM, BYTES = "application/json", "application/x-www-form-urlencoded", "application/octet-stream"
CBOR = "application/cbor"
_TRUE, _FALSE = frozenset(("true", "on", "1", "yes")), frozenset(("false", "off", "0", "no"))
_CHARSET = re.compile(r"charset=\"?([\w\-]+)", re.IGNORECASE)
_FAILED = frozenset(("error", "fail", "failed", "failure"))
_SAID = ("description", "detail", "message", "error", "title", "reason")


def media_type(content_type: str) -> str:
    """`Application/JSON; charset=utf-8` → `application/json`, and every `…+json` is that too."""
    plain = content_type.partition(";")[0].strip().lower()
    if plain.endswith("+cbor"):
        return CBOR
    return JSON if plain.endswith("+json") or plain == "text/json" else plain


def rank(content_type: str) -> int | None:
    """How gladly a content type is used, 0 the most; None for one that is not understood."""
    kind = media_type(content_type)
    if kind.startswith("text/"):
        return 1
    return {JSON: 0, CBOR: 1, FORM: 2, BYTES: 3}.get(kind)


def write(payload: Json, content_type: str, schema: Schema | None, name: str) -> bytes:
    """The payload as the body of a request; `name` is the field's name in a form for a value that stands alone.

    Raises ValueFault where the content type cannot hold it.
    """
    kind = media_type(content_type)
    if kind == JSON:
        return json.dumps(payload, ensure_ascii=False, allow_nan=False).encode()
    if kind == CBOR:
        return cbor2.dumps(payload)
    if kind == FORM:
        members = payload if isinstance(payload, dict) else {name: payload}
        several = ((key, value if isinstance(value, list) else [value]) for key, value in members.items())
        return urlencode([(key, _plain(one)) for key, values in several for one in values]).encode()
    if kind == BYTES and _is_base64(schema) and isinstance(payload, str):
        try:
            return base64.b64decode(payload, validate=True)
        except binascii.Error as error:
            raise ValueFault(f'"{name}" is not valid base64.', reason="invalid_value") from error
    try:
        return _plain(payload).encode(_charset(content_type))
    except (UnicodeEncodeError, LookupError) as error:
        raise ValueFault(f'"{name}" cannot be written as {content_type}.', reason="invalid_value") from error


def read(body: bytes, said: str, expected: str, schema: Schema | None, name: str) -> Json:
    """The value in the body of an answer. `said` is the content type that the answer claims, `expected` the form's.

    A body that is not of the claimed type is tried as the expected one. Raises BindingError: device_failed where the
    body tells of an error, bad_answer where it is no value of the schema's type.
    """
    value = _parse(body, said or expected, expected, schema, name)
    if schema is None:
        return value
    value = _unwrapped(value, schema, name)
    if (failure := complaint(value)) is not None and not _fits(value, schema, name):
        raise BindingError(f"The device reported a failure{failure}.")
    if not _fits(value, schema, name):
        raise BindingError(f'The device answered something else than a value of "{name}".', reason="bad_answer")
    return int(value) if schema.type == "integer" and isinstance(value, float) else value


def members(body: bytes, said: str, properties: Iterable[Property]) -> dict[str, Json]:
    """The values of several properties out of one JSON object, by IRI; those that are not of their type are left out.

    Raises BindingError where the body is no JSON object, or tells of an error."""
    value = read(body, said, JSON, Schema(type="object"), "all properties")
    found: dict[str, Json] = {}
    for prop in properties:
        if isinstance(value, dict) and prop.name in value:
            with suppress(BindingError):
                found[prop.iri] = read(json.dumps(value[prop.name]).encode(), JSON, JSON, prop.schema, prop.name)
    return found


def complaint(value: Json) -> str | None:
    """The error that an answer reports, as the end of a sentence; None where it reports none.

    Devices answer 200 and mean otherwise: `{"error": …}`, `{"success": false}`, `[{"error": …}]`.
    """
    if isinstance(value, list) and value:
        return next((found for one in value[:100] if (found := complaint(one)) is not None), None)
    if not isinstance(value, dict):
        return None
    state = value.get("status")
    wrong = (
        any(value.get(name) not in (None, False, "", 0, [], {}) for name in ("error", "errors"))
        or any(value.get(name) is False for name in ("success", "ok"))
        or (isinstance(state, str) and state.lower() in _FAILED)
    )
    return _reported(value) if wrong else None


def failure(body: bytes) -> str:
    """The message in the body of an error answer, as the end of a sentence, or ""."""
    try:
        value = _json(body)
    except BindingError:
        return ""
    return _reported(value) if isinstance(value, dict) else complaint(value) or ""


def failure_within(body: bytes) -> str | None:
    """The error that a successful answer reports, as the end of a sentence; None where it reports none."""
    try:
        return complaint(_json(body))
    except BindingError:
        return None


def _reported(value: dict[str, Json]) -> str:
    for name in _SAID:
        said = value.get(name)
        if isinstance(said, dict):
            return _reported(said)
        if isinstance(said, str) and said.strip():
            return f": {''.join(c if c.isprintable() else ' ' for c in said.strip())[:200].rstrip('.')}"
    return ""


def _parse(body: bytes, said: str, expected: str, schema: Schema | None, name: str) -> Json:
    kinds = dict.fromkeys((media_type(said), media_type(expected)))
    if media_type(said) == CBOR:
        return _cbor(body)
    for kind in kinds:
        if kind == JSON:
            try:
                return _json(body)
            except BindingError:
                if len(kinds) == 1 or rank(said) is None:
                    raise
    kind = next(kind for kind in (media_type(expected), media_type(said), BYTES) if kind != JSON)
    if kind == FORM:
        return _from_form(_decoded(body, said), schema, name)
    if kind == BYTES and _is_base64(schema):
        return base64.b64encode(body).decode()
    return _from_text(_decoded(body, said), schema)


def _json(body: bytes) -> Json:
    try:
        value: Json = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BindingError("The device's answer is not valid JSON.", reason="bad_answer") from error
    return value


def _cbor(body: bytes) -> Json:
    """A JSON value from CBOR (RFC 8949). Raises BindingError (bad_answer) for values that JSON does not have."""
    try:
        return _json(json.dumps(cbor2.loads(body), allow_nan=False).encode())
    except (cbor2.CBORError, ValueError, TypeError, RecursionError, EOFError) as error:
        raise BindingError("The device's answer is not CBOR that JSON can say.", reason="bad_answer") from error


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON's.")


def _from_form(text: str, schema: Schema | None, name: str) -> Json:
    try:
        members = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=1000))
    except ValueError as error:
        raise BindingError("The device's answer is not a form.", reason="bad_answer") from error
    if schema is not None and schema.type not in (None, "object"):
        return _from_text(members.get(name, text), schema)
    return {key: _from_text(one, schema.member(key) if schema else None) for key, one in members.items()}


def _from_text(text: str, schema: Schema | None) -> Json:
    """A text as the type that is asked for; one that cannot be is left as it is, and found out by its type."""
    kind, plain = (schema.type if schema else None), text.strip()
    if kind == "boolean":
        return True if plain.lower() in _TRUE else False if plain.lower() in _FALSE else text
    if kind in ("integer", "number", "array", "object", "null"):
        try:
            return _json(plain.encode())
        except BindingError:
            return text
    return text


def _unwrapped(value: Json, schema: Schema, name: str) -> Json:
    """The value in `{"brightness": 40}` where a plain `brightness` was asked for (Mozilla's gateways answer so)."""
    own = name.rpartition(".")[2]
    alone = isinstance(value, dict) and value.keys() == {own} and schema.type not in (None, "object")
    return value[own] if alone and isinstance(value, dict) else value


def _fits(value: Json, schema: Schema, name: str) -> bool:
    try:
        check_type(value, schema, name)
    except ValueFault:
        return False
    return value is not None or schema.type in (None, "null")


def _decoded(body: bytes, content_type: str) -> str:
    try:
        return body.decode(_charset(content_type))
    except (UnicodeDecodeError, LookupError) as error:
        raise BindingError("The device's answer is not text.", reason="bad_answer") from error


def _charset(content_type: str) -> str:
    found = _CHARSET.search(content_type)
    return found.group(1) if found else "utf-8"


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)


def _is_base64(schema: Schema | None) -> bool:
    return schema is not None and schema.extra.get("contentEncoding") == "base64"
