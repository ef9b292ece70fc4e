"""Watching a game without asyncio."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

import grpc
from typing_extensions import Self

from alamein import v1
from alamein._base import Patience, ended, follows
from alamein.errors import AlameinError

if TYPE_CHECKING:
    from alamein.client import Client


class _Entries(Protocol):
    """A call of ``WatchGame`` that is under way."""

    def __next__(self) -> v1.WatchGameResponse: ...

    def cancel(self) -> object: ...


class Watch(Iterator[v1.GameEntry]):
    """The entries of a game as they come. Made by ``Client.watch_game``."""

    last: int
    """The number of the last entry that came: where to go on later."""

    def __init__(self, client: Client, game_id: str, after: int, patience: float | None) -> None:
        self.last = after
        self._newest = ""
        self._client = client
        self._game_id = game_id
        self._patience = Patience(client._retries, patience)
        self._call: _Entries | None = None
        self._cancelled = threading.Event()
        self._lock = threading.Lock()

    def __next__(self) -> v1.GameEntry:
        while not self._cancelled.is_set():
            try:
                entry = next(self._under_way()).entry
            except StopIteration:
                error, cause = ended(), None
            except grpc.RpcError as failure:
                error, cause = AlameinError.of_call(failure), failure
            else:
                self._patience.heard()
                self._newest = follows(entry, self._newest)
                self.last = entry.number
                return entry
            self._call = None
            if self._cancelled.is_set():
                break
            wait = self._patience.failed(error)
            if wait is None:
                raise error from cause
            self._cancelled.wait(wait)
        raise StopIteration

    def _under_way(self) -> _Entries:
        with self._lock:
            if self._call is None:
                request = v1.WatchGameRequest(
                    game_id=self._game_id, after_number=self.last, as_side=self._client._terms.as_side
                )
                self._call = self._client.games.WatchGame(request)
                if self._cancelled.is_set():
                    self._call.cancel()
            return self._call

    def cancel(self) -> None:
        """Ends the watch: whoever waits for an entry is told that there are no more."""
        self._cancelled.set()
        with self._lock:
            if self._call is not None:
                self._call.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cancel()
