"""How deep statements within statements may go in a text of another's: the parser of a deep one ends the process."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from pyoxigraph import RdfFormat

from engine.errors import SyntaxFault

DEEPEST = 1000
"""Levels; the parser's own stack holds some ten thousand."""
_OPENS = b"<<"
_BY_LINE = (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS)
_IN_ONE = (RdfFormat.TURTLE, RdfFormat.TRIG, RdfFormat.N3)


def check_nesting(content: bytes, syntax: RdfFormat, source: str = "") -> None:
    """Raises SyntaxFault for a text that might nest deeper. In Turtle all statements within statements count together,
    for only a parser could tell which lie in which; in N-Triples those of one line."""
    if syntax is RdfFormat.RDF_XML:
        _check_elements(content, source)
    elif syntax in _BY_LINE:
        _check(content.splitlines() if content.count(_OPENS) > DEEPEST else (), source)
    elif syntax in _IN_ONE:
        _check((content,), source)


def check_file(path: Path, syntax: RdfFormat) -> None:
    """The same for a file, which may be as large as a home is. Raises SyntaxFault, OSError."""
    if syntax in _BY_LINE:
        with path.open("rb") as lines:
            _check(lines, str(path))
    else:
        check_nesting(path.read_bytes(), syntax, str(path))


def _check(parts: Iterable[bytes], source: str) -> None:
    if any(part.count(_OPENS) > DEEPEST for part in parts):
        remedy = f"Write no more than {DEEPEST} of them in one text of Turtle, or in one line of N-Quads."
        raise SyntaxFault("There are too many statements within statements.", source=source, remedy=remedy)


def _check_elements(content: bytes, source: str) -> None:
    """Raises SyntaxFault for XML that nests too deeply, and for what is no XML."""
    depth, parser = _Depth(source), expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = depth.begins, depth.ends
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        remedy = "Mend this line; nothing was loaded."
        raise SyntaxFault(
            f"{expat.ErrorString(error.code)}.", source=source, line=error.lineno, remedy=remedy
        ) from error


@dataclass(slots=True)
class _Depth:
    """How many elements are open."""

    source: str
    level: int = 0

    def begins(self, *_: object) -> None:
        """An element begins. Raises SyntaxFault for one too many."""
        self.level += 1
        if self.level > DEEPEST:
            raise SyntaxFault("Elements are nested too deeply.", source=self.source, remedy="Write it flatter.")

    def ends(self, *_: object) -> None:
        """An element ends."""
        self.level -= 1
