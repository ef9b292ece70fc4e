"""gRPC-Web over HTTP/1.1, as a browser speaks it. Here the client keeps no deadline of its own."""

import http.client
import struct
import time

from common import ADDRESS, SERVICE

HEALTH = "/grpc.health.v1.Health/"


def frames(body):
    """The messages and the trailers of a body."""
    messages, trailers = [], {}
    while body:
        flag, length = struct.unpack(">BI", body[:5])
        content, body = body[5 : 5 + length], body[5 + length :]
        if flag & 0x80:
            for line in content.decode().splitlines():
                name, value = line.split(":", 1)
                trailers[name.strip().lower()] = value.strip()
        else:
            messages.append(content)
    return messages, trailers


def post(path, message=b"", **headers):
    """A call. Gives messages, status (from trailers or headers), headers, and how long it took."""
    connection = http.client.HTTPConnection(ADDRESS, timeout=20)
    start = time.monotonic()
    connection.request(
        "POST",
        path,
        body=struct.pack(">BI", 0, len(message)) + message,
        headers={
            "content-type": "application/grpc-web+proto",
            "x-grpc-web": "1",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        },
    )
    response = connection.getresponse()
    body = response.read()
    took = time.monotonic() - start
    assert response.status == 200, response.status
    messages, trailers = frames(body)
    head = {name.lower(): value for name, value in response.getheaders()}
    connection.close()
    return messages, {**head, **trailers}, took


# A plain call.
messages, told, _ = post(SERVICE + "LineOfSight")
assert messages == [b""] and told["grpc-status"] == "0", told

# The deadline of the client, kept by the server: 4, DEADLINE_EXCEEDED.
_, told, took = post(SERVICE + "LineOfSight", x_do="sleep 9000", grpc_timeout="300m")
assert told["grpc-status"] == "4", told
assert "grpc-status-details-bin" in told, told
assert 0.2 < took < 3, took

# The server's limit is 4 s.
_, told, took = post(SERVICE + "LineOfSight", x_do="sleep 9000", grpc_timeout="1H")
assert told["grpc-status"] == "4" and 3.5 < took < 8, (told, took)

# A stream is held to the client's deadline to its end, though its head is long sent...
messages, told, took = post(HEALTH + "Watch", grpc_timeout="500m")
assert len(messages) == 1 and told["grpc-status"] == "4", (messages, told)
assert 0.4 < took < 3, took

# ... and not to the server's limit for an answer.
messages, told, took = post(HEALTH + "Watch", grpc_timeout="5S")
assert told["grpc-status"] == "4" and took > 4.5, (told, took)

# A deadline that is none.
_, told, _ = post(SERVICE + "LineOfSight", grpc_timeout="soon")
assert told["grpc-status"] == "3", told

# A panic: 13, INTERNAL.
_, told, _ = post(SERVICE + "LineOfSight", x_do="panic")
assert told["grpc-status"] == "13", told


def preflight(origin):
    """What a browser is told before it lets a page call."""
    connection = http.client.HTTPConnection(ADDRESS, timeout=5)
    connection.request(
        "OPTIONS",
        SERVICE + "LineOfSight",
        headers={
            "origin": origin,
            "access-control-request-method": "POST",
            "access-control-request-headers": "content-type,x-grpc-web,grpc-timeout",
        },
    )
    response = connection.getresponse()
    response.read()
    return response


allowed = preflight("https://play.example.org")
assert allowed.status == 200, allowed.status
assert allowed.getheader("access-control-allow-origin") == "https://play.example.org"
assert "grpc-timeout" in allowed.getheader("access-control-allow-headers")
assert preflight("https://evil.example.org").getheader("access-control-allow-origin") is None

_, told, _ = post(SERVICE + "LineOfSight", origin="https://play.example.org")
assert told["access-control-allow-origin"] == "https://play.example.org", told
assert "grpc-status" in told["access-control-expose-headers"], told
