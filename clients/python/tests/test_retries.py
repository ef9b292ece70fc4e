"""When a call is tried again, and when it is given up."""

from __future__ import annotations

import time
from typing import Any

import grpc
import pytest

from alamein import AsyncClient, Client, Retries, SettingError, ask, build, errors, v1
from tests.scripted import Trouble, scripted
from tests.service import free_port

QUICK = Retries(tries=4, first_wait=0.01, longest_wait=0.05)
GONE = Trouble(grpc.StatusCode.UNAVAILABLE)
SIGHT = ask.line_of_sight("P3", "P6")


def question(client: Client) -> v1.Ruling:
    """Asks something."""
    return client.adjudicate(build.position(), SIGHT)


def test_what_passes_is_tried_again() -> None:
    busy = Trouble(grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", retry_after=0.02)
    with (
        scripted([GONE, Trouble(GONE.code, "RULESET_NOT_READY"), busy]) as (server, at),
        Client(at, retries=QUICK) as client,
    ):
        question(client)
        assert len(server.times) == 4
        assert server.times[3] - server.times[2] >= 0.02


def test_an_answer_that_breaks_off_on_its_way_is_asked_for_again() -> None:
    # As gRPC and proxies say it where the service behind them is lost after its answer began.
    broken = [Trouble(grpc.StatusCode.INTERNAL), Trouble(grpc.StatusCode.UNKNOWN)]
    with scripted(broken) as (server, at), Client(at, retries=QUICK) as client:
        question(client)
        assert len(server.times) == 3


async def test_so_it_is_with_asyncio() -> None:
    with scripted([GONE, GONE]) as (server, at):
        async with AsyncClient(at, retries=QUICK, token="secret") as client:
            await client.adjudicate(build.position(), SIGHT)
        assert len(server.times) == 3
        assert server.headers[-1]["authorization"] == "Bearer secret"
        assert str(server.headers[-1]["user-agent"]).startswith("alamein-python/")


class Recording(grpc.UnaryUnaryClientInterceptor):
    """Keeps which methods are called, as a tracer does."""

    def __init__(self) -> None:
        self.methods: list[str] = []

    def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        self.methods.append(details.method)
        return continuation(details, request)


class AsyncRecording(grpc.aio.UnaryUnaryClientInterceptor):
    """The same with asyncio."""

    def __init__(self) -> None:
        self.methods: list[str] = []

    async def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        self.methods.append(str(details.method))
        return await continuation(details, request)


async def test_interceptors_see_every_try_beside_the_token() -> None:
    seen, seen_too = Recording(), AsyncRecording()
    with (
        scripted([GONE]) as (server, at),
        Client(at, retries=QUICK, token="t", interceptors=[seen]) as client,
    ):
        question(client)
        assert seen.methods == ["/alamein.v1.AdjudicationService/BatchAdjudicate"] * 2
        assert server.headers[1]["authorization"] == "Bearer t"
    with scripted([GONE]) as (server, at):
        async with AsyncClient(at, retries=QUICK, token="t", interceptors=[seen_too]) as client_too:
            await client_too.adjudicate(build.position(), SIGHT)
        assert len(seen_too.methods) == 2
        assert server.headers[1]["authorization"] == "Bearer t"


def test_the_tries_have_an_end() -> None:
    with scripted([GONE] * 9) as (server, at), Client(at, retries=QUICK) as client:
        with pytest.raises(errors.Unavailable):
            question(client)
        assert len(server.times) == 4
    with scripted([GONE] * 9) as (server, at), Client(at, retries=1) as client:
        with pytest.raises(errors.Unavailable):
            question(client)
        assert len(server.times) == 1


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        ("INVALID_ARGUMENT", "HEX_OFF_MAP", errors.InvalidArgument),
        ("RESOURCE_EXHAUSTED", "STORE_FULL", errors.ResourceExhausted),
        ("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE", errors.ResourceExhausted),
        ("FAILED_PRECONDITION", "RULESET_NOT_AVAILABLE", errors.PreconditionFailed),
        ("ABORTED", "ETAG_STALE", errors.Aborted),
        ("UNIMPLEMENTED", "RULE_NOT_IMPLEMENTED", errors.Unimplemented),
        ("INTERNAL", "PLUGIN_FAILED", errors.AlameinError),
        ("DEADLINE_EXCEEDED", "DEADLINE", errors.DeadlineExceeded),
        ("PERMISSION_DENIED", "SCOPE_MISSING", errors.PermissionDenied),
        ("UNAUTHENTICATED", "TOKEN_EXPIRED", errors.Unauthenticated),
        ("ALREADY_EXISTS", "GAME_EXISTS", errors.AlreadyExists),
    ],
)
def test_what_stays_is_told_at_once(code: str, reason: str, kind: type[errors.AlameinError]) -> None:
    trouble = Trouble(grpc.StatusCode[code], reason)
    with scripted([trouble]) as (server, at), Client(at, retries=QUICK) as client:
        with pytest.raises(kind) as caught:
            question(client)
        assert type(caught.value) is kind
        assert caught.value.reason == reason
        assert caught.value.metadata == {"max": "1"}
        assert len(server.times) == 1


def test_what_changes_something_is_tried_again_only_with_a_request_id() -> None:
    with scripted([GONE, GONE]) as (server, at), Client(at, retries=QUICK) as client:
        client.advance_game(v1.Game(game_id="g", etag="e"), [])
        ids = {request.request_id for request in server.requests}  # type: ignore[attr-defined]
        assert len(server.requests) == 3
        assert len(ids) == 1
        assert ids != {""}
    with scripted([GONE]) as (server, at), Client(at, retries=QUICK) as client:
        with pytest.raises(errors.Unavailable):
            client.delete_game(v1.Game(game_id="g", etag="e"))
        assert len(server.requests) == 1


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    hour = Trouble(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN", retry_after=3600)
    with scripted([hour]) as (_, at), Client(at) as client:
        started = time.monotonic()
        with pytest.raises(errors.Unavailable) as caught:
            question(client)
        assert caught.value.retry_after == 3600
        assert time.monotonic() - started < 10


def test_a_deadline_holds_and_the_server_is_told_of_it() -> None:
    slow = Trouble(grpc.StatusCode.OK, slow=4)
    with scripted([slow]) as (server, at), Client(at, timeout=0.3) as client:
        started = time.monotonic()
        with pytest.raises(errors.DeadlineExceeded):
            question(client)
        assert 0.3 <= time.monotonic() - started < 4
        assert 0 < server.left[0] < 1
        assert client.using(timeout=30).adjudicate(build.position(), SIGHT) == v1.Ruling()
        assert 20 < server.left[-1] < 31


def test_calls_have_a_deadline_unasked() -> None:
    with scripted() as (server, at), Client(at) as client:
        question(client)
        assert 10 < server.left[0] < 21


def test_of_all_calls_only_a_part_is_tried_again() -> None:
    calls = 20
    with scripted([GONE] * 1000) as (server, at), Client(at, retries=QUICK) as client:
        for _ in range(calls):
            with pytest.raises(errors.Unavailable):
                question(client)
        # Ten retries are in reserve, and each call but the first adds a fifth of one.
        assert len(server.times) == calls + 10 + (calls - 1) // 5


def test_nobody_there_is_unavailable() -> None:
    with (
        Client(f"127.0.0.1:{free_port()}", retries=QUICK, timeout=10) as client,
        pytest.raises(errors.Unavailable),
    ):
        question(client)


def test_waits_grow_to_their_bound_and_end() -> None:
    retries = Retries(tries=8)
    for tries in range(1, 8):
        most = min(0.1 * 2 ** (tries - 1), 2.0)
        wait = retries.wait(tries)
        assert wait is not None
        assert most / 2 <= wait <= most
    assert retries.wait(8) is None
    asked = retries.wait(1, 60.0)
    assert asked is not None
    assert 60.0 <= asked <= 60.1
    with pytest.raises(SettingError):
        Retries(tries=0)
