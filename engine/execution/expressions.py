"""The expression language of `compute`, and how conditions compare: arithmetic on JSON values, and nothing else.

An expression is a number or truth (itself), a text (the variable of that name), `{"literal": anything}`, or a list: an
operator of `plan_ir.OPERATORS` and its operands. There is no `eval`, no attribute, no call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType
from typing import TypeAlias

from engine.errors import ValueFault
from engine.graph.terms import Json

Number: TypeAlias = "int | float"

LARGEST = 1e15
"""Beyond this a double no longer counts in ones, and no device has such a range."""


def evaluate(expression: Json, variables: Mapping[str, Json]) -> Json:
    """The value of an expression that `plan_ir.check` has accepted.

    Raises ValueFault: `wrong_type` for an operand of another type than the operator takes, `invalid_value` for a
    division by zero, an unknown variable or option, or a result beyond `LARGEST`.
    """
    if isinstance(expression, str):
        if expression not in variables:
            raise ValueFault(f"the variable '{expression}' has no value", reason="invalid_value")
        return variables[expression]
    if isinstance(expression, dict):
        return expression["literal"]
    if not isinstance(expression, list):
        return expression
    operator = str(expression[0])
    return FUNCTIONS[operator](operator, [evaluate(operand, variables) for operand in expression[1:]])


def resolve(value: Json, variables: Mapping[str, Json]) -> Json:
    """A payload with each `{"$": name}` replaced by the variable's value. Raises ValueFault for an unknown one."""
    if isinstance(value, dict):
        if len(value) == 1 and isinstance(name := value.get("$"), str):
            return evaluate(name, variables)
        return {name: resolve(member, variables) for name, member in value.items()}
    if isinstance(value, list):
        return [resolve(element, variables) for element in value]
    return value


def compare(left: Json, operator: str, right: Json) -> bool:
    """Whether `left operator right` holds, for = != < <= > >=.

    Numbers are compared as numbers (40 = 40.0), a truth is no number, and only two numbers or two texts have an order;
    a text that spells a number is one where the other side is a number. Raises ValueFault (`wrong_type`) for an order
    that does not exist.
    """
    left, right = _alike(left, right)
    if operator in ("=", "!="):
        return same(left, right) is (operator == "=")
    if (_is_number(left) and _is_number(right)) or (isinstance(left, str) and isinstance(right, str)):
        return _ORDER[operator](left, right)
    raise ValueFault(f"{left!r} and {right!r} cannot be ranked", reason="wrong_type")


def same(left: Json, right: Json) -> bool:
    """Equality of JSON: numbers up to rounding errors, a truth is no number, lists and objects member by member."""
    if _is_number(left) and _is_number(right):
        return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-9)  # type: ignore[arg-type]
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
    return type(left) is type(right) and left == right


def _alike(left: Json, right: Json) -> tuple[Json, Json]:
    if isinstance(left, str) and _is_number(right):
        return _spelt(left), right
    if isinstance(right, str) and _is_number(left):
        return left, _spelt(right)
    return left, right


def _spelt(text: str) -> Json:
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -1e300 <= value <= 1e300


def _numbers(operator: str, operands: Sequence[Json]) -> list[Number]:
    found: list[Number] = []
    for operand in operands:
        if isinstance(operand, bool) or not isinstance(operand, int | float) or operand != operand:
            raise ValueFault(f"'{operator}' needs numbers, not {operand!r}", reason="wrong_type")
        found.append(_bounded(operator, operand))
    return found


def _bounded(operator: str, result: Number) -> Number:
    if not -LARGEST <= result <= LARGEST:
        raise ValueFault(f"'{operator}' leads to too large a number", reason="invalid_value")
    return result


def _arithmetic(function: Callable[[list[Number]], Number]) -> _Function:
    """An operator on numbers. Whole results are integers, so that half of 40 suits an integer schema."""

    def apply(operator: str, operands: Sequence[Json]) -> Json:
        result = _bounded(operator, function(_numbers(operator, operands)))
        return int(result) if result == int(result) else result

    return apply


def _minus(numbers: list[Number]) -> Number:
    return -numbers[0] if len(numbers) == 1 else numbers[0] - sum(numbers[1:])


def _times(numbers: list[Number]) -> Number:
    product: Number = 1
    for number in numbers:
        product = _bounded("*", product * number)
    return product


def _divide(numbers: list[Number]) -> Number:
    if numbers[1] == 0:
        raise ValueFault("division by zero", reason="invalid_value")
    return numbers[0] / numbers[1]


def _clamp(numbers: list[Number]) -> Number:
    value, low, high = numbers
    if low > high:
        raise ValueFault(f"'clamp' from {low} to {high} leaves nothing", reason="invalid_value")
    return min(max(value, low), high)


def _round(numbers: list[Number]) -> Number:
    """Half away from zero, as people round; to a whole number, or to a multiple of the second operand."""
    step = abs(numbers[1]) if len(numbers) > 1 else 1
    if step == 0:
        raise ValueFault("'round' to a multiple of zero", reason="invalid_value")
    unit = Decimal(str(step))
    _bounded("round", numbers[0] / step)
    rounded = (Decimal(str(numbers[0])) / unit).quantize(Decimal(1), rounding=ROUND_HALF_UP) * unit
    return float(rounded)


def _not(operator: str, operands: Sequence[Json]) -> Json:
    if not isinstance(operands[0], bool):
        raise ValueFault(f"'{operator}' needs true or false, not {operands[0]!r}", reason="wrong_type")
    return not operands[0]


def _place(operator: str, operands: Sequence[Json]) -> tuple[int, int, list[Json]]:
    """Where the present option stands, how far to go, and the options: the operands of both option operators."""
    present, options = operands[0], operands[1]
    steps = operands[2] if len(operands) > 2 else 1
    if not isinstance(options, list) or not isinstance(steps, int) or isinstance(steps, bool):
        raise ValueFault(f"'{operator}' needs a value, a list of options and a whole number", reason="wrong_type")
    index = next((i for i, option in enumerate(options) if same(option, present)), None)
    if index is None:
        raise ValueFault(f"{present!r} is none of the options", reason="invalid_value")
    return index, steps, options


def _next_option(operator: str, operands: Sequence[Json]) -> Json:
    index, steps, options = _place(operator, operands)
    return options[(index + steps) % len(options)]


def _step_option(operator: str, operands: Sequence[Json]) -> Json:
    index, steps, options = _place(operator, operands)
    return options[min(max(index + steps, 0), len(options) - 1)]


_Function: TypeAlias = "Callable[[str, Sequence[Json]], Json]"

FUNCTIONS: Mapping[str, _Function] = MappingProxyType(
    {
        "+": _arithmetic(sum),
        "-": _arithmetic(_minus),
        "*": _arithmetic(_times),
        "/": _arithmetic(_divide),
        "min": _arithmetic(min),
        "max": _arithmetic(max),
        "clamp": _arithmetic(_clamp),
        "round": _arithmetic(_round),
        "floor": _arithmetic(lambda numbers: math.floor(numbers[0])),
        "ceil": _arithmetic(lambda numbers: math.ceil(numbers[0])),
        "abs": _arithmetic(lambda numbers: abs(numbers[0])),
        "not": _not,
        "next_option": _next_option,
        "step_option": _step_option,
    }
)

_ORDER: Mapping[str, Callable[[object, object], bool]] = MappingProxyType(
    {
        "<": lambda a, b: a < b,  # type: ignore[operator]
        "<=": lambda a, b: a <= b,  # type: ignore[operator]
        ">": lambda a, b: a > b,  # type: ignore[operator]
        ">=": lambda a, b: a >= b,  # type: ignore[operator]
    }
)
