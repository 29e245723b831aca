"""Monitoring for operators: a line a call in the log, metrics for Prometheus."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter

import structlog
from flask import Flask, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from werkzeug.wrappers import Response

from server.service import Service

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
EXTENSION = "hearthgraph-metrics"
_QUIET, _FREQUENT = frozenset(("status", "static")), frozenset(("sparql.sparql", "things.observe"))
"""What is called all the time is logged for whoever debugs alone, and so is reading that goes well."""


class _Gauges:
    """Figures of the moment."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        """As Prometheus has it."""
        service = self._service
        figures = {
            "things": ("Things in the home.", len(service.home.registry.things)),
            "properties_known": ("Properties whose value is known.", len(service.home.state)),
            "store_writes": ("Writes to the store since the start.", service.store.writes),
            "queries_running": ("Queries over HTTP that run just now.", service.pool.busy),
            "queries_stopped": ("Queries over HTTP that were stopped since the start.", service.pool.figures.stopped),
            "data_age_seconds": ("Age of the copy that the last query was answered from.", service.pool.figures.age),
        }
        for name, (said, value) in figures.items():
            gauge = GaugeMetricFamily(f"hearthgraph_{name}", said)
            gauge.add_metric([], float(value))
            yield gauge


def install(app: Flask, service: Service) -> None:
    """Has every call counted, timed and logged."""
    registry = CollectorRegistry()
    registry.register(_Gauges(service))
    labels = ("method", "endpoint", "status")
    calls = Counter("hearthgraph_calls", "Calls over HTTP.", labels, registry=registry)
    seconds = Histogram(
        "hearthgraph_call_seconds", "How long calls take.", ("endpoint",), registry=registry, buckets=BUCKETS
    )
    app.extensions[EXTENSION] = registry
    log = structlog.get_logger("hearthgraph.http")

    @app.before_request
    def _begin() -> None:
        g.began = perf_counter()

    @app.after_request
    def _end(response: Response) -> Response:
        taken = perf_counter() - g.get("began", perf_counter())
        endpoint = request.endpoint or "none"
        calls.labels(request.method, endpoint, response.status_code).inc()
        seconds.labels(endpoint).observe(taken)
        read = request.method in ("GET", "HEAD") or endpoint in _FREQUENT
        quiet = response.status_code < 400 and (read or endpoint.partition(".")[0] in _QUIET)
        level = logging.DEBUG if quiet else logging.INFO
        milliseconds = round(taken * 1000, 2)
        about = {"method": request.method, "path": request.path, "status": response.status_code, "ms": milliseconds}
        with suppress(OSError):  # where the disk of the log is full, calls are answered all the same
            log.log(level, "call", **about)
        return response


def configure_logs(level: int) -> None:
    """Structured logs on standard error: for people at a terminal, else one JSON object a line."""
    shown = structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, shown],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[shown], foreign_pre_chain=shared))
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(logging.WARNING)
