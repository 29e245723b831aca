"""The server that owns the store, where one runs: the command line then talks to it instead of opening the store."""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from engine.errors import HearthgraphError, InputError, StoreError
from engine.settings import Settings

if TYPE_CHECKING:
    import httpx

ADDRESS, TOKEN = "address.json", "token"
PATIENCE = 120.0
TYPES = {".ttl": "text/turtle", ".nt": "application/n-triples", ".jsonld": "application/ld+json"}


def beside(store: Path) -> Path:
    """The directory of the server of a store; it need not exist."""
    store = store.resolve()
    return store.with_name(f"{store.name}.server")


def owner(settings: Settings) -> Owner | None:
    """The server that owns the store of the settings; None where none runs. Raises StoreError where its token cannot be
    read: then it is somebody else's."""
    if not isinstance(settings.store, Path):
        return None
    folder = beside(settings.store)
    if not (folder / ADDRESS).is_file():
        return None
    import httpx

    try:
        url = json.loads((folder / ADDRESS).read_text(encoding="utf-8"))["url"]
        token = (folder / TOKEN).read_text(encoding="utf-8").strip()
        httpx.get(f"{url}/health", timeout=2.0, trust_env=False).raise_for_status()
    except PermissionError as error:
        raise StoreError(f"The server's token in {folder} is not yours to read.", remedy="Ask its owner.") from error
    except (OSError, ValueError, KeyError, httpx.HTTPError):
        return None  # what it left behind when it was killed
    return Owner(url, token)


class Owner:
    """A server, asked as any client asks it."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self._token = url, token

    def ask(self, text: str, **more: Any) -> dict[str, Any]:
        """The result object of a request; None values are left out. A proposal is waited for, also where a language
        model takes its time. Raises HearthgraphError."""
        given = {name: value for name, value in more.items() if value is not None}
        headers = {"Prefer": "wait=60"} if "model" in (given.get("path"), given.get("summary")) else {}
        answer = self._call("POST", "/requests", json={"text": text, **given}, headers=headers)
        until = monotonic() + PATIENCE
        while answer.status_code == 202 and given.get("consent") == "ask" and monotonic() < until:
            sleep(0.5)
            answer = self._call("GET", answer.headers.get("Location") or str(answer.url.path))
        return self._result(answer)

    def decide(self, result: dict[str, Any], *, consent: bool) -> dict[str, Any]:
        """The result after a proposed plan was consented to, or declined."""
        address = f"/requests/{quote(result['id'], safe='')}/{'consent' if consent else 'decline'}"
        return self._result(self._call("POST", address, json={"plan_id": result["plan_id"]}))

    def load(self, path: Path) -> dict[str, Any]:
        """The report of a file that is taken in. Raises InputError."""
        kind = TYPES.get(path.suffix.lower())
        if kind is None:
            raise InputError(
                f"{path} cannot be loaded through the server.",
                remedy="Give Turtle or JSON-LD, or stop the server first.",
            )
        return self.send("POST", "/things", path, kind, name=path.name)

    def send(self, method: str, address: str, path: Path, kind: str, **parameters: str) -> dict[str, Any]:
        """The server's response to the content of a file, which is of this media type. Raises InputError."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}.", remedy="Check the path.") from error
        headers = {"Content-Type": kind}
        return self._result(self._call(method, address, params=parameters, content=content, headers=headers))

    def take_home(self, origin: str, **given: Any) -> dict[str, Any]:
        """The server's report on importing a home of another origin, all in `given`."""
        return self._result(self._call("POST", "/imports", json={"origin": origin, **given}))

    def give(self, path: str, content: Any) -> dict[str, Any]:
        """The server's response to posted JSON. Raises InputError."""
        return self._result(self._call("POST", path, json=content))

    def json(self, path: str, **parameters: Any) -> Any:
        """The server's response to GET, as JSON."""
        return json.loads(self.text(path, "application/json", **parameters))

    def delete(self, path: str, **parameters: Any) -> int:
        """How many things of a kind the server has taken away."""
        return int(self._call("DELETE", path, params=parameters).json()["removed"])

    def correct(self, fact: str, person: str) -> None:
        """Says whose a fact is. Raises InputError."""
        self._result(self._call("POST", f"/people/{quote(person, safe='')}", params={"iri": fact}))

    def explore(self, url: str, follow: bool, limits: dict[str, float]) -> dict[str, Any]:
        """An exploration that has been begun: its id, and how far it is. Raises InputError."""
        given = {"url": url, "follow": follow, "limits": limits}
        return self._result(self._call("POST", "/explorations", json=given))

    def exploration(self, name: str) -> dict[str, Any]:
        """The progress of an exploration, or its result. Raises InputError."""
        return self._result(self._call("GET", f"/explorations/{quote(name, safe='')}"))

    def text(self, path: str, accept: str, **parameters: Any) -> str:
        """The server's response to GET, as a text."""
        return self._call("GET", path, params=parameters, headers={"Accept": accept}).text

    def why(self, node: str | None) -> str:
        """The story of a request, a plan or a run; of the last request for None."""
        return str(self.json("/why", **({} if node is None else {"node": node}))["text"])

    def query(self, text: str) -> str:
        """The result of a query: a table as TSV, a graph as Turtle."""
        headers = {"Accept": "text/tab-separated-values, text/turtle"}
        return self._call("POST", "/sparql", data={"query": text}, headers=headers).text

    def dump(self, path: Path) -> None:
        """Writes the whole store to a file."""
        content = self._call("GET", "/dump").content
        try:
            path.write_bytes(content)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}.", remedy="Name another file.") from error

    def restore(self, path: Path) -> None:
        """Replaces the whole store by a dump."""
        headers = {"Content-Type": "application/n-quads", "Content-Length": str(path.stat().st_size)}
        with path.open("rb") as file:
            self._call("PUT", "/dump", content=file, headers=headers)

    def _result(self, answer: httpx.Response) -> dict[str, Any]:
        found: dict[str, Any] = answer.json()
        return found

    def _call(self, method: str, path: str, **more: Any) -> httpx.Response:
        import httpx

        headers = {"Authorization": f"Bearer {self._token}", **more.pop("headers", {})}
        try:
            answer = httpx.request(method, self.url + path, headers=headers, timeout=PATIENCE, trust_env=False, **more)
        except httpx.HTTPError as error:
            raise StoreError(f"The server at {self.url} does not answer: {error}.", remedy="Start it again.") from error
        if answer.is_success:
            return answer
        raise _fault(answer)


def _fault(answer: httpx.Response) -> HearthgraphError:
    try:
        told = answer.json()
        return InputError(told["message"], remedy=told["remedy"], reason=told["reason"])
    except (ValueError, KeyError, TypeError):
        return StoreError(f"The server answered with status {answer.status_code}.")
