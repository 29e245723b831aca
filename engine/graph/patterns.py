"""Queries put together from smaller ones: groups nested side by side, their private variables kept apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from engine.graph import queries
from engine.graph.queries import Bound, Query

_VARIABLE = re.compile(r"\?(\w+)")
_EMPTY = re.compile(r"\{\s*\}")


@cache
def _apart(name: str, shared: str, number: int) -> Query:
    """The group of a query file as a text of its own, every variable but `shared` numbered."""
    text = queries.load(name).text
    body = text[text.index("{") : text.rindex("}") + 1]
    renamed = _VARIABLE.sub(lambda m: m.group() if m[1] == shared else f"?{m[1]}__{number}", body)
    return queries.read(f"{name} ({number})", renamed)


def group(name: str, shared: str, number: int, **values: Bound) -> str:
    """The group of the query `name` with `values` bound as `queries` says, `shared` being the variable that it has in
    common with the others. Raises QueryError."""
    apart = _apart(name, shared, number)
    plain = {re.sub(rf"__{number}(?=_|$)", "", slot): slot for slot in apart.names}
    unknown = values.keys() - plain.keys()
    if unknown:
        return queries.load(name).bind(**values)  # says what is wrong
    return apart.bind(**{plain[key]: value for key, value in values.items()})


def around(name: str, groups: Sequence[str], without: Sequence[str] = (), **values: Bound) -> Query:
    """The query `name` whose empty group holds that all of `groups` are so and none of `without`. Raises QueryError."""
    taken = [f"MINUS {one}" for one in without]
    inner = f"{{ {' '.join([*groups, *taken])} }}"
    text = _EMPTY.sub(lambda _: inner, queries.load(name).bind(**values), count=1)
    return Query(name, text, frozenset(), (text,))
