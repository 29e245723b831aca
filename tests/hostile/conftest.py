"""The demo house, served to all tests of a module that try to harm it."""

from __future__ import annotations

from tests.server.conftest import house, house_store

__all__ = ["house", "house_store"]
