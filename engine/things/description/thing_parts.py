"""Thing Models that are made of others: tm:extends and tm:ref are taken in from files beside the model.

Nothing is fetched: a model at an address is looked for by the last part of its address. No file outside the folder of
the model is read. https://www.w3.org/TR/wot-thing-description11/#thing-model-extension-import
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from engine.errors import HearthgraphError, ThingRefused
from engine.graph.terms import expand
from engine.things.directory.patch import merged

EXTENDS, SUBMODEL, REF = "tm:extends", "tm:submodel", "tm:ref"
DEEPEST = 16
"""Models that extend or refer to each other in a row."""


MOST_VALUES = 100_000
"""Values that are looked at for one model: references to references multiply."""


@dataclass(slots=True)
class Work:
    """The progress of resolving one model: how many values may still be visited, and the models that were read."""

    left: int = MOST_VALUES
    models: dict[Path, dict[str, Any]] = field(default_factory=dict)

    def spend(self) -> None:
        """Counts a value. Raises ThingRefused where there are too many."""
        self.left -= 1
        if self.left < 0:
            raise _refused("it refers to others too often", "Write the parts out.")


@dataclass(frozen=True, slots=True)
class Beside:
    """Where models are looked for: the folder of a model, how a file is parsed, and the files on the way here."""

    folder: Path
    parse: Callable[[Path], Any]
    seen: tuple[Path, ...] = ()
    work: Work = field(default_factory=Work)

    def find(self, href: str) -> Path:
        """The file of a model by its href. Raises ThingRefused where it is not in the folder, or leads in a circle."""
        parts = urlsplit(href)
        name = unquote(parts.path.rpartition("/")[2] if parts.scheme or parts.netloc else parts.path)
        folder = self.folder.resolve()
        path = (folder / name).resolve() if name and "\0" not in name else folder
        if not path.is_relative_to(folder) or not path.is_file():
            raise _refused(
                f"it needs the model {href[:120]}, which is not in its folder",
                "Put that model beside it, under the name that its address ends in; nothing is fetched.",
            )
        if path in self.seen or len(self.seen) >= DEEPEST:
            raise _refused(f"it leads in a circle at {path.name}", "Take one of the references out.")
        return path

    def model(self, href: str) -> dict[str, Any]:
        """The model behind a href, whole. Raises ThingRefused."""
        path = self.find(href)
        if path in self.work.models:
            return self.work.models[path]
        try:
            found = self.parse(path)
        except HearthgraphError as error:
            raise _refused(f"{path.name} cannot be read: {error.message}", error.remedy) from error
        if not isinstance(found, dict):
            raise _refused(f"{path.name} is no Thing Model", "Give one model a file.")
        taken = whole(found, self.below(path))
        self.work.models[path] = taken
        return taken

    def below(self, path: Path) -> Beside:
        """Where the models are looked for that a model in the file `path` names."""
        return replace(self, folder=path.parent, seen=(*self.seen, path))


def whole(model: dict[str, Any], beside: Beside) -> dict[str, Any]:
    """A model with the models that it extends and refers to merged in. Raises ThingRefused (a missing model, a
    circle)."""
    links = model.get("links")
    extended = [link for link in links if _relation(link) == EXTENDS] if isinstance(links, list) else []
    if len(extended) > 1:
        raise _refused("it extends several models, and W3C allows one", "Refer to the parts of others with tm:ref.")
    referring = _with_references(model, beside, model)
    if not extended:
        return dict(referring)
    base = beside.model(str(extended[0].get("href", "")))
    own = {**referring, "links": [link for link in referring["links"] if _relation(link) != EXTENDS]}
    if not own["links"]:
        del own["links"]
    found: dict[str, Any] = merged(base, own)
    found["@context"] = _contexts(base.get("@context"), model.get("@context"))
    return found


def submodels(model: dict[str, Any]) -> list[tuple[str, str]]:
    """The models that a model is made of, each as its name as a part and its href."""
    links = model.get("links")
    found: list[tuple[str, str]] = []
    for link in links if isinstance(links, list) else ():
        if _relation(link) == SUBMODEL:
            href = str(link.get("href", ""))
            name = str(link.get("instanceName") or urlsplit(href).path.rpartition("/")[2].split(".")[0])
            found.append((name, href))
    return found


def without_parts(model: dict[str, Any]) -> dict[str, Any]:
    """A model without its links to submodels."""
    if not submodels(model):
        return model
    links = [link for link in model["links"] if _relation(link) != SUBMODEL]
    return {**{key: value for key, value in model.items() if key != "links"}, **({"links": links} if links else {})}


def _relation(link: object) -> object:
    return link.get("rel") if isinstance(link, dict) else None


def _with_references(value: Any, beside: Beside, root: dict[str, Any], depth: int = 0) -> Any:
    """A value of `root` with each tm:ref resolved, and changed by the members that stand beside it."""
    beside.work.spend()
    if isinstance(value, list):
        return [_with_references(one, beside, root, depth) for one in value]
    if not isinstance(value, dict):
        return value
    own = {key: _with_references(one, beside, root, depth) for key, one in value.items() if key != REF}
    if REF not in value:
        return own
    if depth >= DEEPEST:
        raise _refused("its references lead in a circle", "Take one of them out.")
    reference = str(value[REF])
    file, _, pointer = reference.partition("#")
    source = beside.model(file) if file else root
    found = _at(source, pointer, reference)
    return merged(found if file else _with_references(found, beside, root, depth + 1), own)


def _at(document: Any, pointer: str, reference: str) -> Any:
    """The value behind a JSON Pointer (RFC 6901). Raises ThingRefused."""
    for step in pointer.split("/")[1:]:
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(document, list) and name.isdecimal() and int(name) < len(document):
            document = document[int(name)]
        elif isinstance(document, dict) and name in document:
            document = document[name]
        else:
            raise _refused(f"nothing stands at {reference[:120]}", "Mend the reference.")
    return document


def _contexts(base: Any, own: Any) -> Any:
    """The context of a model that extends another: its own, with the prefixes and terms of the other."""
    listed = own if isinstance(own, list) else [own]
    more = [one for one in (base if isinstance(base, list) else []) if isinstance(one, dict) and one not in listed]
    return own if not more else [*(one for one in listed if isinstance(one, str)), *more, *_objects(listed)]


def _objects(context: list[Any]) -> list[Any]:
    return [one for one in context if isinstance(one, dict)]


def _refused(why: str, remedy: str) -> ThingRefused:
    return ThingRefused(
        f"It is a Thing Model, not a thing, and {why}.",
        node="$['@type']",
        shape=expand("hg:ThingModelShape"),
        remedy=remedy,
    )
