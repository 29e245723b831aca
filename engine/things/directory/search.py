"""JSONPath over Thing Descriptions. It may take any time: run it where it can be stopped.

https://www.rfc-editor.org/rfc/rfc9535
"""

from __future__ import annotations

from typing import Any

from engine.errors import QueryError

LONGEST = 4_000
"""Characters of a path."""
REMEDY = "Write it as RFC 9535 has it, as $[?@.title=='lamp']."


def matches(path: str, documents: list[Any]) -> list[Any]:
    """The values that a path finds in the list of documents, in order. Raises QueryError."""
    from jsonpath import JSONPathEnvironment, JSONPathError

    if len(path) > LONGEST:
        raise QueryError(f"The path has more than {LONGEST} characters.", remedy=REMEDY)
    try:
        found: list[Any] = JSONPathEnvironment(strict=True).findall(path, documents)
    except RecursionError:
        raise QueryError("The path is nested too deeply.", remedy=REMEDY) from None
    except (JSONPathError, ValueError) as error:
        told = str(error.args[0]) if error.args else "it does not parse"
        raise QueryError(f"This is no JSONPath: {told.partition(chr(10))[0][:200]}.", remedy=REMEDY) from error
    return found
