"""What the sync and the asyncio client have in common."""

from __future__ import annotations

import copy
import time

import grpc
from typing_extensions import Self

from alamein import v1
from alamein._requests import Terms
from alamein.errors import AlameinError, SettingError
from alamein.settings import NEVER, Address, Budget, Retries, Tls, bearer

DEADLINE = 20.0
"""How many seconds a call may take unless something else is said."""


class Base:
    """Settings, and what derives one client of another."""

    _token: tuple[tuple[str, str], ...]
    _address: Address
    _timeout: float
    _retries: Retries
    _budget: Budget
    _terms: Terms

    def __init__(
        self,
        address: str,
        *,
        tls: Tls | bool | None,
        token: str | None,
        timeout: float,
        retries: Retries | int,
        terms: Terms,
    ) -> None:
        self._token = bearer(token)
        self._address = Address.of(address, tls, token)
        self._timeout = _positive(timeout)
        self._retries = Retries(tries=retries) if isinstance(retries, int) else retries
        self._budget = Budget(self._retries)
        self._terms = terms

    def using(
        self,
        *,
        ruleset: str | None = None,
        rules_fingerprint: str | None = None,
        as_side: str | None = None,
        timeout: float | None = None,
    ) -> Self:
        """The same client over the same connection, with something else said.

        ``ruleset`` is the name, a tag or the fingerprint of the rules to judge by, ``rules_fingerprint`` the
        one that they must have, ``as_side`` the side that asks: it is told nothing that it may not know.
        An empty text takes back what was said. ``timeout`` is in seconds. Only the client that
        connected closes the connection.
        """
        terms = self._terms
        derived = copy.copy(self)
        derived._terms = Terms(
            ruleset=terms.ruleset if ruleset is None else ruleset,
            rules_fingerprint=terms.rules_fingerprint if rules_fingerprint is None else rules_fingerprint,
            as_side=terms.as_side if as_side is None else as_side,
        )
        if timeout is not None:
            derived._timeout = _positive(timeout)
        return derived


def _positive(timeout: float) -> float:
    if not timeout > 0:
        raise SettingError(f"a deadline is after some time, not after {timeout} seconds")
    return timeout


class Attempts:
    """The tries of one call: how long each may take, and how long to wait after one that failed."""

    def __init__(self, base: Base, timeout: float | None, *, safe: bool) -> None:
        self._retries = base._retries if safe else NEVER
        self._budget = base._budget
        self._ends = time.monotonic() + (base._timeout if timeout is None else _positive(timeout))
        self._tries = 0
        self._budget.add()

    def begin(self) -> float:
        """Begins a try, and gives the seconds that are left for it."""
        self._tries += 1
        return max(self._ends - time.monotonic(), 0.0)

    def failed(self, error: AlameinError) -> float | None:
        """The seconds to wait before the next try, or None if there is none."""
        wait = self._retries.wait(self._tries, error.retry_after)
        if wait is None or not error.is_transient or time.monotonic() + wait >= self._ends:
            return None
        return wait if self._budget.take() else None


class Patience:
    """How long a watch goes on without hearing anything from a service that is not there."""

    def __init__(self, retries: Retries, seconds: float | None) -> None:
        self._retries = Retries(2**31, retries.first_wait, retries.longest_wait)
        self._seconds = seconds
        self._failures = 0
        self._since: float | None = None

    def heard(self) -> None:
        """The service said something."""
        self._failures, self._since = 0, None

    def failed(self, error: AlameinError) -> float | None:
        """The seconds to wait before asking again, or None if it is of no use."""
        if not error.is_transient:
            return None
        now = time.monotonic()
        if self._since is None:
            self._since = now
        self._failures += 1
        wait = self._retries.wait(self._failures, error.retry_after) or 0.0
        if self._seconds is not None and now + wait - self._since > self._seconds:
            return None
        return wait


def ended() -> AlameinError:
    """A watch that the service ended without an error: as if it had gone away."""
    return AlameinError.of_code(grpc.StatusCode.UNAVAILABLE, "the service ended the watch")


def follows(entry: v1.GameEntry, newest: str) -> str:
    """The id of an entry that came after the one with the id ``newest`` (empty: none came yet).

    Entries are chained by their ids: a game that was begun anew under the name goes on with another.
    """
    if newest and entry.parent_id and entry.parent_id != newest:
        what = f"entry {entry.number} does not follow the last one: there is another game of this name now"
        raise AlameinError.of_code(grpc.StatusCode.ABORTED, what)
    return entry.entry_id
