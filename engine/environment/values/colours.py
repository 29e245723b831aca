"""Colours in the many shapes in which devices take them: lists, hexadecimal text, objects of channels, names."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterable
from functools import lru_cache

import webcolors

from engine.environment.values.ranges import fit, range_of
from engine.environment.values.schemas import validate
from engine.environment.values.spelling import fold, spellings
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.thing import Schema
from engine.model.vocabulary import Vocabulary

RGB = tuple[int, int, int]
_FULL = {"red": 255.0, "green": 255.0, "blue": 255.0, "hue": 360.0}  # others, which are shares, end at 100
_MODELS = (
    ({"red", "green", "blue"}, {name: full for full in ("red", "green", "blue") for name in (full, full[0])}),
    (
        {"hue", "saturation"},
        {name: full for full in ("hue", "saturation", "value") for name in (full, full[0])}
        | {"brightness": "value", "b": "value"},
    ),
)
MOST_DISTANT = 40_000.0
"""How different, by `_distance`, two colours may look that people call by one name: some 65 in each channel."""
_WHOLE = 0xFFFFFF
_TEXT = re.compile(r"#?([0-9a-f]{6})(?:[0-9a-f]{2})?", re.IGNORECASE)
_NUMBERS = re.compile(r"\d+")


def takes_colour(schema: Schema) -> bool:
    """Whether a schema has one of the shapes of a colour: channels, a list of two to four, text, or one big number."""
    if schema.enum:
        return False
    if schema.type == "object" or schema.properties:
        return _model(schema) is not None
    if schema.type == "array":
        return _length(schema) in (2, 3, 4)
    if schema.type == "string":
        return True
    return schema.maximum in (_WHOLE, 360)


def named(text: str, vocabulary: Vocabulary) -> RGB | None:
    """The colour that a word means: by the vocabulary, else by CSS; hexadecimal text too. None: no colour."""
    for value in spellings(vocabulary).values.get(fold(text), ()):
        if value.rgb:
            return value.rgb
    return _css(fold(text)) or _from_text(text)


def nearest(rgb: RGB, options: Iterable[Json], vocabulary: Vocabulary) -> Json:
    """The option whose name is the colour nearest to `rgb`; None where no option is a colour so near that people would
    call it the same."""
    found = [(named(option, vocabulary), option) for option in options if isinstance(option, str)]
    colours = [(_distance(rgb, colour), option) for colour, option in found if colour]
    best = min(colours, key=lambda pair: pair[0], default=None)
    return best[1] if best is not None and best[0] <= MOST_DISTANT else None


def paint(rgb: RGB, schema: Schema) -> Json:
    """The colour as the schema takes it. Raises ValueFault where it takes none."""
    if schema.type == "object" or schema.properties:
        return _channels(rgb, schema)
    if schema.type == "array":
        return _list(rgb, schema)
    if schema.type == "string":
        return _written(rgb, schema)
    if schema.maximum == _WHOLE:
        return rgb[0] << 16 | rgb[1] << 8 | rgb[2]
    if schema.maximum == 360:
        return _scaled(_parts(rgb)["hue"], 360.0, schema)
    raise ValueFault("No colour can be set here.", reason="wrong_type")


def rgb_of(value: Json, schema: Schema, vocabulary: Vocabulary) -> RGB | None:
    """The colour that a value in the schema's own shape is, or None."""
    if isinstance(value, str):
        return named(value, vocabulary)
    if isinstance(value, list):
        return _from_list([float(number) for number in value if isinstance(number, int | float)], schema)
    if isinstance(value, dict):
        return _from_channels(value, schema)
    if isinstance(value, int) and not isinstance(value, bool) and schema.maximum == _WHOLE:
        return value >> 16 & 255, value >> 8 & 255, value & 255
    return None


@lru_cache(maxsize=1024)
def _css(name: str) -> RGB | None:
    try:
        found = webcolors.name_to_rgb(name)
    except ValueError:
        return None
    return found.red, found.green, found.blue


def _from_text(text: str) -> RGB | None:
    if found := _TEXT.fullmatch(text.strip()):
        red, green, blue = bytes.fromhex(found.group(1))
        return red, green, blue
    numbers = [int(number) for number in _NUMBERS.findall(text)]
    if len(numbers) == 3 and max(numbers) <= 255:
        return numbers[0], numbers[1], numbers[2]
    return None


def _distance(one: RGB, other: RGB) -> float:
    """How different two colours look, roughly: the "redmean" of their channels' differences."""
    mean = (one[0] + other[0]) / 2
    red, green, blue = (a - b for a, b in zip(one, other, strict=True))
    return (2 + mean / 256) * red**2 + 4 * green**2 + (2 + (255 - mean) / 256) * blue**2


def _parts(rgb: RGB) -> dict[str, float]:
    """Every channel by name, as a share of its full."""
    red, green, blue = (channel / 255 for channel in rgb)
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    return {"red": red, "green": green, "blue": blue, "hue": hue, "saturation": saturation, "value": value}


def _model(schema: Schema) -> dict[str, str] | None:
    """The channel that each member of an object is (`r` → red), or None where they make no colour."""
    names = {key: fold(key) for key, _ in schema.properties}
    for needed, channels in _MODELS:
        found = {key: channels[name] for key, name in names.items() if name in channels}
        if needed <= set(found.values()):
            return found
    return None


def _scaled(share: float, full: float, schema: Schema) -> int | float:
    limits = range_of(schema)
    top = full if limits.high is None else limits.high
    number = share * top
    return fit(number if schema.type == "number" and top <= 1 else round(number), schema, limits)


def _channels(rgb: RGB, schema: Schema) -> Json:
    model, parts = _model(schema), _parts(rgb)
    if model is None:
        raise ValueFault("No colour can be set here.", reason="wrong_type")
    return {
        key: _scaled(parts[model[key]], _FULL.get(model[key], 100.0), member)
        for key, member in schema.properties
        if key in model
    }


def _from_channels(value: dict[str, Json], schema: Schema) -> RGB | None:
    model = _model(schema) or {}
    shares = {"value": 1.0}
    for key, channel in model.items():
        member, number = schema.member(key), value.get(key)
        if member is None or not isinstance(number, int | float):
            continue
        top = member.maximum if member.maximum is not None else _FULL.get(channel, 100.0)
        shares[channel] = number / top
    if {"red", "green", "blue"} <= shares.keys():
        return _bytes(shares["red"], shares["green"], shares["blue"])
    if {"hue", "saturation"} <= shares.keys():
        return _bytes(*colorsys.hsv_to_rgb(shares["hue"], shares["saturation"], shares["value"]))
    return None


def _bytes(red: float, green: float, blue: float) -> RGB:
    return round(red * 255), round(green * 255), round(blue * 255)


def _length(schema: Schema) -> int:
    """How many items a list of channels has; three where nothing is said."""
    if len(schema.items) > 1:
        return len(schema.items)
    return schema.max_items or schema.min_items or 3


def _items(schema: Schema) -> list[Schema]:
    """A schema for each item of a list of channels."""
    one = schema.items[0] if schema.items else Schema(type="integer")
    return list(schema.items) if len(schema.items) > 1 else [one] * _length(schema)


def _list(rgb: RGB, schema: Schema) -> Json:
    """[red, green, blue], [hue, saturation], [hue, saturation, value] or, with a white channel, [r, g, b, 0]."""
    parts, items = _parts(rgb), _items(schema)
    return [
        _scaled(parts[name], _FULL.get(name, 100.0), item) if name else 0
        for name, item in zip(_names(items), items, strict=True)
    ]


def _names(items: list[Schema]) -> list[str]:
    """The channels of a list: hue comes first where there are two, or where the first goes up to 360."""
    if len(items) == 2 or items[0].maximum == 360:
        return ["hue", "saturation", "value", ""][: len(items)]
    return ["red", "green", "blue", ""][: len(items)]


def _from_list(numbers: list[float], schema: Schema) -> RGB | None:
    items = _items(schema)
    if len(numbers) != len(items):
        return None
    shares = {"value": 1.0}
    for name, item, number in zip(_names(items), items, numbers, strict=True):
        shares[name] = number / (item.maximum if item.maximum is not None else _FULL.get(name, 100.0))
    if "red" in shares:
        return _bytes(shares["red"], shares["green"], shares["blue"])
    return _bytes(*colorsys.hsv_to_rgb(shares["hue"], shares["saturation"], shares["value"]))


def _written(rgb: RGB, schema: Schema) -> str:
    """The first way of writing a colour that the schema allows."""
    red, green, blue = rgb
    plain = f"{red:02x}{green:02x}{blue:02x}"
    for way in (f"#{plain}", plain, f"rgb({red},{green},{blue})", f"{red},{green},{blue}", _name(rgb)):
        try:
            validate(way, schema)
        except ValueFault:
            continue
        return way
    raise ValueFault("No way of writing a colour fits here.", reason="invalid_value")


def _name(rgb: RGB) -> str:
    try:
        return str(webcolors.rgb_to_name(rgb))
    except ValueError:
        return ""
