"""Records: frozen dataclasses that are hashed once and copied fast; a search makes thousands of them a sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING


class Record:
    """A base for frozen dataclasses without slots. Each says `__hash__ = Record.__hash__`, else it gets its own."""

    __slots__ = ("__dict__", "_hash")

    def __hash__(self) -> int:
        """The hash of the fields that are compared, apart from flags, which tell few records from others; kept, since
        a record never changes."""
        try:
            return self._hash  # type: ignore[attr-defined, no-any-return]
        except AttributeError:
            known = hash(_compared(type(self))(self))  # type: ignore[arg-type]
            object.__setattr__(self, "_hash", known)
            return known


@cache
def _compared(of: Hashable) -> attrgetter[object]:
    told = [one.name for one in dataclasses.fields(of) if one.compare and one.type != "bool"]  # type: ignore[arg-type]
    return attrgetter(*told)


if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(record, /, **changes):
        """The record with changes: as `dataclasses.replace`, which takes twenty times as long, without its checks."""
        if isinstance(record, Record):
            found = _new(type(record))
            _give_fields(found, record.__dict__ | changes)
            return found
        names = _given(type(record))
        if not names >= changes.keys():
            return dataclasses.replace(record, **changes)
        found = _new(type(record))
        for name in names:
            _give(found, name, changes[name] if name in changes else getattr(record, name))
        return found

    @cache
    def _given(of):
        """The fields of a class that all are given to it, and none worked out of them; none where some are."""
        fields = dataclasses.fields(of)
        worked_out = hasattr(of, "__post_init__") or not all(one.init for one in fields)
        return frozenset() if worked_out else frozenset(one.name for one in fields)


_new, _give = object.__new__, object.__setattr__
_give_fields = Record.__dict__["__dict__"].__set__
