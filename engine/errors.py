"""Every exception that Hearthgraph raises on purpose.

    HearthgraphError
    ├── SettingError            a setting is unknown or has a value that cannot be used
    ├── StoreError              the graph store
    │   ├── StoreInUseError     another process owns the directory
    │   ├── StoreCorruptError   what is read from its directory is not what was written
    │   ├── StoreVersionError   the store was written with another ontology version
    │   ├── StoreUnreachableError  a server that does not answer, or not as a store: what it did is not known
    │   └── QueryError          a SPARQL text that the store refuses
    ├── InputError              something from outside that cannot be accepted; nothing was changed
    │   ├── SyntaxFault         a file that does not parse (file, line)
    │   ├── ThingRefused        a Thing Description that cannot be used (node, shape, remedy)
    │   └── UnsupportedShape    a SHACL component outside the compiled subset
    ├── ValueFault              a value that a schema does not allow
    ├── PlanError               a plan that is not valid IR
    ├── ModelError              a language model that does not answer, or not as asked
    ├── ReasonerError           the offline reasoner (HermiT) is not there, or did not finish
    └── BindingError            a device that did not do as asked

Each carries `reason`, a code of the SKOS scheme in `ontology/reasons.ttl`, and `remedy`, what a person can do about it.
"""

from __future__ import annotations


class HearthgraphError(Exception):
    """The root of the tree. `str(error)` is one sentence for a person; no traceback is ever shown to one."""

    reason = "internal"

    def __init__(self, message: str, *, remedy: str = "", reason: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        if reason is not None:
            self.reason = reason

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class SettingError(HearthgraphError):
    reason = "bad_setting"


class StoreError(HearthgraphError):
    reason = "store_failed"


class StoreInUseError(StoreError):
    reason = "store_in_use"


class StoreCorruptError(StoreError):
    reason = "store_corrupt"


class StoreVersionError(StoreError):
    reason = "store_version"


class StoreUnreachableError(StoreError):
    """A store on a server that did not answer, or not as one: whether the request took effect is not known."""

    reason = "store_unreachable"


class QueryError(StoreError):
    reason = "bad_query"


class InputError(HearthgraphError):
    reason = "bad_input"


class SyntaxFault(InputError):
    """A text that does not parse. `source` names the file, `line` is counted from 1 (0: unknown)."""

    reason = "bad_syntax"

    def __init__(self, message: str, *, source: str = "", line: int = 0, remedy: str = "") -> None:
        place = f"{source}:{line}: " if source and line else f"{source}: " if source else ""
        super().__init__(place + message, remedy=remedy)
        self.source = source
        self.line = line


class ThingRefused(InputError):
    """A Thing Description that cannot be used. `node` is the focus node, `shape` the shape that it breaks."""

    reason = "bad_thing"

    def __init__(self, message: str, *, node: str = "", shape: str = "", remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.node = node
        self.shape = shape


class UnsupportedShape(InputError):
    """A SHACL component that the compiled subset does not cover; `component` is its name."""

    reason = "unsupported_shape"

    def __init__(self, message: str, *, component: str = "", remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.component = component


class ValueFault(HearthgraphError):
    """A value that a schema does not allow."""

    reason = "value_out_of_range"


class PlanError(HearthgraphError):
    """A plan that is not valid IR. `path` is the JSON path of the fault (`$.children[0].payload`)."""

    reason = "bad_plan"

    def __init__(self, message: str, *, path: str = "", remedy: str = "", reason: str | None = None) -> None:
        super().__init__(f"{path}: {message}" if path else message, remedy=remedy, reason=reason)
        self.path = path


class ReasonerError(HearthgraphError):
    """The offline reasoner is not installed, has no Java, or did not finish. Nothing is known of the ontology then."""

    reason = "no_reasoner"


class BindingError(HearthgraphError):
    reason = "device_failed"


class ModelError(HearthgraphError):
    reason = "model_unavailable"
