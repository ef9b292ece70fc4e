"""Who is turned away, and what he is told: by grpcio over TLS, and over gRPC-Web in both of its forms.

From standard input it reads the certificate's file, and tokens by their names: one that may ask, one that
may ask once, one that is past its time, and one that nobody knows.
"""

import base64
import json
import ssl
import struct
import sys
import time

import grpc
from checks import Checks, same
from client import TIMEOUT, refusal_of
from grpc_health.v1 import health_pb2
from stubs import v1
from web import web

ADDRESS = "localhost:" + sys.argv[1].rsplit(":", 1)[1]
GIVEN = json.load(sys.stdin)
TOKENS = GIVEN["tokens"]
TLS = ssl.create_default_context(cafile=GIVEN["certificate"])
RULESET = "alamein.v1.RulesetService/GetRuleset"
POSITION = "alamein.v1.PositionService/CreatePosition"
HEALTH = "grpc.health.v1.Health/Check"
REFLECTION = "grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
EMPTY = struct.pack(">BI", 0, 0)
OK = "OK"


def open_channel():
    """A channel over TLS, with a connection of its own."""
    with open(GIVEN["certificate"], "rb") as file:
        trusted = grpc.ssl_channel_credentials(file.read())
    options = [("grpc.enable_retries", 0), ("grpc.use_local_subchannel_pool", 1)]
    return grpc.secure_channel(ADDRESS, trusted, options=options)


CHANNEL = open_channel()


def by_grpc(path, *headers):
    """A call of an empty message over HTTP/2. Gives how it ended, and what `RetryInfo` says."""
    method = CHANNEL.unary_unary("/" + path)
    metadata = [("authorization", header) for header in headers]
    try:
        method(b"", metadata=metadata, timeout=TIMEOUT)
    except grpc.RpcError as error:
        return refusal_of(lambda: raise_again(error))
    return None


def raise_again(error):
    """Raises what a call raised."""
    raise error


def over_web(text):
    """Calls over gRPC-Web, as `by_grpc` makes them."""
    body = base64.b64encode(EMPTY) if text else EMPTY

    def call(path, *headers):
        assert len(headers) < 2, "http.client has each header once"
        given = {"authorization": headers[0]} if headers else {}
        ended = web(ADDRESS, path, body, text=text, tls=TLS, **given)
        return None if ended.code == OK else ended

    return call


WAYS = {"gRPC": by_grpc, "gRPC-Web": over_web(text=False), "gRPC-Web in text": over_web(text=True)}


def bearing(name):
    """The header of a token."""
    return "Bearer " + TOKENS[name]


def turned_away(refusal, code, reason):
    """Checks that somebody was turned away, and told so as `errors.proto` promises."""
    assert refusal is not None, f"it was answered, and not {reason}"
    same((refusal.code, refusal.reason), (code, reason), str(refusal))
    refusal.check()
    assert "RequestInfo" in refusal.details, f"it does not name the request: {refusal}"
    for token in TOKENS.values():
        assert token not in str(refusal), "it repeats a token"


def loaded():
    """Waits until the rules are loaded."""
    end = time.monotonic() + 60
    while (refusal := by_grpc(RULESET, bearing("asker"))) is not None:
        assert refusal.code == "UNAVAILABLE" and time.monotonic() < end, refusal
        time.sleep(0.05)


def who_says_nothing(call):
    """Who says nothing is told to."""
    for path in (RULESET, POSITION, REFLECTION, "alamein.v1.MapService/Nothing"):
        turned_away(call(path), "UNAUTHENTICATED", "CREDENTIALS_MISSING")


def who_is_not_known(call):
    """Who bears what nobody knows is turned away, whatever it looks like."""
    secret = TOKENS["asker"]
    other = "0" if secret[-1] != "0" else "1"
    for header in (
        bearing("nobody"),
        "Bearer " + secret[:-1] + other,
        "Bearer " + secret + "0",
        "Bearer ",
        "Basic " + secret,
        secret,
        "Bearer e30.e30.",
    ):
        turned_away(call(RULESET, header), "UNAUTHENTICATED", "TOKEN_INVALID")


def who_is_late(call):
    """Who bears a token that is past its time is told so."""
    turned_away(call(RULESET, bearing("late")), "UNAUTHENTICATED", "TOKEN_EXPIRED")


def who_may_not(call):
    """Who may not is told which scope he lacks, and for what."""
    refusal = call(POSITION, bearing("asker"))
    turned_away(refusal, "PERMISSION_DENIED", "SCOPE_MISSING")
    same(refusal.metadata["scope"], "positions:write")
    same(refusal.metadata["method"], POSITION)


def who_asks_too_often(call):
    """Who asks too often is told how often he may, and when to come back."""
    while (refusal := call(RULESET, bearing("once"))) is None:
        pass
    turned_away(refusal, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")
    same(refusal.metadata["quota"], "requests_per_second")
    assert {"QuotaFailure", "RetryInfo"} <= set(refusal.details), refusal


def who_is_let_in(call):
    """Whoever may is let in, and health is open to everybody."""
    same(call(RULESET, bearing("asker")), None)
    same(call(HEALTH), None)
    same(call(HEALTH, "Bearer nothing"), None)


def two_headers():
    """Two tokens in one request are none, though both are good."""
    refusal = by_grpc(RULESET, bearing("asker"), bearing("asker"))
    turned_away(refusal, "UNAUTHENTICATED", "TOKEN_INVALID")


def a_stream():
    """A stream is turned away as other calls are."""
    stub = v1.GameServiceStub(CHANNEL)
    refusal = refusal_of(lambda: list(stub.WatchGame(v1.WatchGameRequest(), timeout=TIMEOUT)))
    turned_away(refusal, "UNAUTHENTICATED", "CREDENTIALS_MISSING")


def without_tls():
    """Who speaks no TLS is not spoken to."""
    with grpc.insecure_channel(ADDRESS, options=[("grpc.enable_retries", 0)]) as channel:
        method = channel.unary_unary("/" + HEALTH)
        request = health_pb2.HealthCheckRequest().SerializeToString()
        same(refusal_of(lambda: method(request, timeout=TIMEOUT)).code, "UNAVAILABLE")


loaded()
checks = Checks()
for way, made in WAYS.items():
    for check in (
        who_says_nothing,
        who_is_not_known,
        who_is_late,
        who_may_not,
        who_asks_too_often,
        who_is_let_in,
    ):
        checks.run(f"{way}: {check.__doc__}", lambda made=made, check=check: check(made))
checks.run_all([two_headers, a_stream, without_tls])
checks.end()
