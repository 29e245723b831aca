"""Where the folders of knowledge lie (ontology, shapes, queries, data), in a checkout and in an installed wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


@cache
def folder(name: str) -> Path:
    """The directory `name`, one of `ontology`, `shapes`, `queries`, `data`.

    A wheel has it inside the package (a folder beside it in site-packages is somebody else's), a checkout beside it.
    Raises FileNotFoundError where there is neither: then the installation is incomplete.
    """
    for candidate in (_PACKAGE / "_resources" / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"Hearthgraph's folder '{name}' is missing; install Hearthgraph again")
