"""One thread with an event loop for everything that waits for devices."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from engine.errors import BindingError

T = TypeVar("T")


class LoopThread:
    """The thread begins with the first coroutine that is handed to it, and ends with `close`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Runs the coroutine; cancelling the future cancels it. Raises BindingError once closed."""
        with self._lock:
            if self._closed:
                work.close()
                raise BindingError("The way to the devices is closed.", reason="unavailable")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name=self._name, daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self, last: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        """Cancels running tasks, waits for them, runs `last`, and ends the thread."""
        with self._lock:
            closed, self._closed = self._closed, True
        if closed or self._loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(_end(last), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


async def _end(last: Callable[[], Coroutine[Any, Any, None]] | None) -> None:
    while others := asyncio.all_tasks() - {asyncio.current_task()}:  # what ends may begin something to end well
        begun = [task for task in others if _has_begun(task)]
        for task in begun:
            task.cancel()
        await asyncio.gather(*begun, asyncio.sleep(0), return_exceptions=True)
    if last is not None:
        await last()
    await asyncio.get_running_loop().shutdown_default_executor()


def _has_begun(task: asyncio.Task[Any]) -> bool:
    """Whether a task has run at all. One that is cancelled before that never awaits its coroutine."""
    work = task.get_coro()
    return not inspect.iscoroutine(work) or inspect.getcoroutinestate(work) != inspect.CORO_CREATED
