"""How a client connects, how long it waits and how often it tries."""

from __future__ import annotations

import ipaddress
import random
import threading
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from urllib.parse import urlsplit

import grpc

from alamein.errors import SettingError

__all__ = ["Retries", "Tls"]

_LONGEST_ANSWER = 64 << 20


@dataclass(frozen=True)
class Retries:
    """How often a call is tried that may be made twice, and how long to wait in between.

    All tries and waits stay within the call's deadline. Of all calls of a client only a part is tried again,
    so that a service in trouble is not asked several times as much.
    """

    tries: int = 6
    """How often a call is tried at most; 1 means never again."""
    first_wait: float = 0.1
    """How many seconds to wait before the second try, about. Each wait after that is twice as long."""
    longest_wait: float = 2.0
    """The longest wait between two tries in seconds, unless the service asks for a longer one."""
    per_hundred: int = 20
    """How many calls of a hundred are tried again, all calls of a client together. Ten retries are always in
    reserve, or as many as a call has tries."""

    def __post_init__(self) -> None:
        if self.tries < 1 or self.first_wait < 0 or self.longest_wait < 0 or self.per_hundred < 0:
            raise SettingError(f"no retries are like this: {self}")

    def wait(self, tries: int, asked: float | None = None) -> float | None:
        """How many seconds to wait after so many tries, or None if that was the last.

        ``asked`` is what the service asked for.
        """
        if tries >= self.tries:
            return None
        most = min(self.first_wait * 2 ** min(tries - 1, 20), self.longest_wait)
        # Clients that were turned away together should not come back together.
        wait: float = most * random.uniform(0.5, 1.0)  # noqa: S311 - nothing secret is in it
        return wait if asked is None else asked + min(wait, asked)


NEVER = Retries(tries=1)


class Budget:
    """Retries that may yet be made. Each call adds a part of one."""

    _RESERVE = 10

    def __init__(self, retries: Retries) -> None:
        # One call alone always has all of its tries.
        self._most = 100 * max(self._RESERVE, retries.tries)
        self._each = retries.per_hundred
        self._left = self._most
        self._lock = threading.Lock()

    def add(self) -> None:
        """A call was made."""
        with self._lock:
            self._left = min(self._left + self._each, self._most)

    def take(self) -> bool:
        """Whether another retry may be made."""
        with self._lock:
            if self._left < 100:
                return False
            self._left -= 100
            return True


@dataclass(frozen=True)
class Tls:
    """Whom a client takes for the service, and who it is itself. All in PEM."""

    trusted: bytes | None = None
    """The certificates that vouch for the service's own. Without them those that gRPC brings do."""
    certificate: bytes | None = None
    """A certificate of the client's own, where the service asks for one."""
    key: bytes | None = field(default=None, repr=False)
    """Its private key."""

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise SettingError("a certificate of one's own needs its key, and a key its certificate")


@dataclass(frozen=True)
class Address:
    """Where a service is, and whether to speak TLS with it."""

    target: str
    tls: Tls | None

    @staticmethod
    def of(address: str, tls: Tls | bool | None, token: str | None) -> Address:
        """Reads ``host:port``, ``http://host:port``, ``https://host`` or ``unix:/path``."""
        if not address.strip():
            raise SettingError("the address is empty: write host:port")
        scheme, _, rest = address.partition("://")
        if not rest:
            scheme, rest = "", address
        secure = tls if isinstance(tls, Tls) else Tls() if tls else None
        if scheme == "https" and secure is None:
            if tls is False:
                raise SettingError(f"{address} asks for TLS, and tls=False forbids it")
            secure = Tls()
        elif scheme == "http" and secure is not None:
            raise SettingError(f"{address} is without TLS: write https://, or leave the scheme out")
        elif scheme not in ("", "http", "https", "unix", "dns"):
            raise SettingError(f"{address}: no address begins with {scheme}://")
        if scheme in ("http", "https"):
            parts = urlsplit(address)
            if parts.path.strip("/") or parts.query or parts.fragment:
                raise SettingError(f"{address}: a service is at a host and a port, not at a path")
            port = _port(address) or (443 if scheme == "https" else 80)
            host = parts.hostname or ""
            target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        else:
            target = address
        if token is not None and secure is None and not _is_here(target):
            raise SettingError(
                f"the token would go to {address} in plain text, and everybody on the way could use it: "
                "write https://, or give tls"
            )
        return Address(target, secure)

    def credentials(self) -> grpc.ChannelCredentials | None:
        """What a channel to a service with TLS is made with."""
        if self.tls is None:
            return None
        return grpc.ssl_channel_credentials(self.tls.trusted, self.tls.key, self.tls.certificate)


def _port(address: str) -> int | None:
    try:
        port: int | None = urlsplit(address).port
        return port
    except ValueError as error:
        raise SettingError(f"{address}: {error}") from error


def _is_here(target: str) -> bool:
    """Whether a target is this machine."""
    if target.startswith("unix:"):
        return True
    host = urlsplit(f"//{target.removeprefix('dns:').lstrip('/')}").hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bearer(token: str | None) -> tuple[tuple[str, str], ...]:
    """The headers of a request that bears a token."""
    if token is None:
        return ()
    token = token.strip()
    if not token or not token.isascii() or not token.isprintable():
        raise SettingError("the token is empty, or has signs that fit into no header")
    return (("authorization", f"Bearer {token}"),)


def own_version() -> str:
    """The version of this package."""
    try:
        return version("alamein")
    except PackageNotFoundError:  # It is used from its sources.
        return "0"


def channel_options(address: Address) -> list[tuple[str, int | str]]:
    """How channels are set up."""
    options: list[tuple[str, int | str]] = [
        ("grpc.max_receive_message_length", _LONGEST_ANSWER),
        ("grpc.max_send_message_length", -1),
        ("grpc.primary_user_agent", f"alamein-python/{own_version()}"),
        # A service that was started again is found again at once: the waits are this client's own.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 5000),  # How long an attempt may take.
        ("grpc.max_reconnect_backoff_ms", 2000),
        # A connection that is dead without having said so is noticed while somebody waits on it.
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.max_pings_without_data", 0),
    ]
    if _is_here(address.target):
        # No proxy leads to this machine.
        options.append(("grpc.enable_http_proxy", 0))
    return options
