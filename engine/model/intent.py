"""A structured intent: one sub-goal of a request in terms of the graph (AmI HMAS, section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from engine.graph.terms import Json
from engine.model.amount import Amount as Amount
from engine.model.amount import Measure as Measure
from engine.model.selection import Select, Test


class Category(Enum):
    """The four categories of sub-goal (AmI HMAS, section 3.3), and talk of rules."""

    EXPLICIT = "explicit"
    IMPLICIT = "implicit"
    CHECK = "check"
    PREFERENCE = "preference"
    RULE = "rule"


class Operation(Enum):
    """The action semantics of a sub-goal (AmI HMAS, section 3.3); `invoke` is a command that sets no named property.
    From `make` on they are operations on rules; `carry_out`: what a
    rule does is to be done now, if what it names is so now."""

    CHECK = "check"
    SET = "set"
    MODIFY = "modify"
    INVOKE = "invoke"
    MAKE = "make"
    CARRY_OUT = "carry_out"
    LIST = "list"
    EXPLAIN = "explain"
    CHANGE = "change"
    PAUSE = "pause"
    RESUME = "resume"
    DELETE = "delete"
    EXCEPT = "except"
    FORETELL = "foretell"


@dataclass(frozen=True, slots=True)
class Moment:
    """A point to wait for: seconds from the start, a time of day (`HH:MM[:SS]`), or a state of the graph.

    A state is that `property` (kind) of `selection` is at `amount`.
    """

    after: float | None = None
    at: str | None = None
    selection: Select | None = None
    property: str | None = None
    amount: Amount | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """The start of an intent, its duration (seconds; then it is undone), or the moment that ends it."""

    start: Moment | None = None
    duration: float | None = None
    end: Moment | None = None


class Asks(Enum):
    """The form of a question's answer."""

    VALUE = "value"  # how it is: a reading, a setting, a state
    WHETHER = "whether"  # whether any is so
    EVERY = "every"  # whether all are so
    COUNT = "count"
    LIST = "list"
    MEAN = "mean"
    TOTAL = "total"
    DIFFERENCE = "difference"
    COMPARE = "compare"  # whether one is more than the other
    WHICH = "which"  # which of two is more
    REACHED = "reached"  # whether a reading has come to its target
    REMAINING = "remaining"  # how far a reading is from its target
    PLACE = "place"  # where it is
    SINCE = "since"  # for how long it has been so
    LAST = "last"  # when it last changed


@dataclass(frozen=True, slots=True)
class Query:
    """A question about the parts that the intent selects, or about rooms; `tests` are the states in question.

    `versus` is the selection to compare with, `direction` +1 for more of the kind, -1 for less, 0 for
    whichever. `also` are further kinds of property that belong to the answer. `either`: which of two states is so.
    """

    asks: Asks
    tests: tuple[Test, ...] = ()
    rooms: bool = False
    versus: Select | None = None
    direction: int = 1
    also: tuple[str, ...] = ()
    either: bool = False


class OfRules:
    """The subject of an intent of the category `rule`: `engine.model.rule.Rule` or `Managing`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Intent:
    """One sub-goal. `iri` names it in `hg:graph/requests`; `text` are the words that it came from.

    `command` is the verb as a class (`hg:TurnOn`), or None where property and amount alone define the action. `inputs`
    are further members of the payload by kind ("bake at 180 for 20 minutes"). `fault` is a reason code found while
    understanding (`no_such_room`, `missing_value`, …), `subject` the words or terms that it concerns. An implicit
    intent names no device: it has the `variable` of the environment and the `direction` that it shall go, or the
    `situation` that the place shall be made ready for. `mentions` are the words of it that name nothing, but may be of
    a thing's name ("my desk"). Where a program asks, it may name the action itself: `affordance` is its IRI, `payload`
    its input.

    An intent of the category `rule` has `rule`: the Rule that is to be made (operation `make`), or for every other
    operation on rules a Managing, which selects rules and their changes.
    """

    iri: str
    text: str
    category: Category = Category.EXPLICIT
    operation: Operation = Operation.SET
    selection: Select = field(default_factory=Select)
    command: str | None = None
    property: str | None = None
    amount: Amount | None = None
    inputs: tuple[tuple[str, Amount], ...] = ()
    timing: Timing | None = None
    fault: str | None = None
    subject: str | None = None
    query: Query | None = None
    variable: str | None = None
    direction: int = 0
    situation: str | None = None
    mentions: tuple[str, ...] = ()
    affordance: str | None = None
    payload: Json = None
    rule: OfRules | None = None
