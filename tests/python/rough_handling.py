"""Clients that send rubbish, too much, too many or too late: each is told, and nobody else is
harmed."""

import base64
import http.client
import os
import random
import socket
import sys
from concurrent.futures import ThreadPoolExecutor

import grpc
from checks import Checks, same
from client import Client, Refusal, refusal_of
from example import CASE, alone, batch, fire, question, sight, step
from google.rpc import status_pb2
from stubs import v1

ADDRESS = sys.argv[1]
SERVICE = "/alamein.v1.AdjudicationService/"
SERVICES = {
    "AdjudicationService": [
        *("LineOfSight", "LineOfFire", "FireLane", "Movement"),
        *("BatchAdjudicate", "ExportCase"),
    ],
    "MapService": ["CreateMap", "GetMap", "ListMaps"],
    "PositionService": ["CreatePosition", "ApplyChanges", "GetPosition", "DiffPositions"],
    "RulesetService": ["GetRuleset", "ListRulesets"],
}
METHODS = [
    f"/alamein.v1.{service}/{method}" for service, methods in SERVICES.items() for method in methods
]
MIB = 1 << 20

client = Client(ADDRESS).loaded()
GOOD = alone(fire("H", "K"))
ANSWER = client.ask(GOOD)


def goes_on():
    """Checks that the service answers as before."""
    same(client.ask(GOOD), ANSWER, "the next answer")


def raw(path):
    """A method that takes and gives bytes."""
    return client.channel.unary_unary(path)


def outcome(path, message):
    """What comes of bytes: the name of a status code."""
    try:
        raw(path)(message, timeout=10)
    except grpc.RpcError as error:
        return error.code().name
    return "OK"


def rubbish():
    """Bytes that are no message are refused by every method."""
    texts = [b"\xff", b"\x0a\xff\xff\xff\xff\xff", b"\x0a\x05abc", b"\x00" * 9, b"\x0f", b"PRI * "]
    for path in METHODS:
        for text in texts:
            found = outcome(path, text)
            assert found in ("INVALID_ARGUMENT", "INTERNAL"), f"{path} {text}: {found}"
    goes_on()


def noise():
    """A thousand messages of noise, and as many good ones with a byte changed, harm nobody."""
    at_random = random.Random(4)
    good = batch([sight("J", "H"), step("P6", "O6")]).SerializeToString()
    codes = set()
    for _ in range(500):
        noisy = at_random.randbytes(at_random.randrange(1, 200))
        broken = bytearray(good)
        broken[at_random.randrange(len(broken))] = at_random.randrange(256)
        codes |= {outcome(SERVICE + "LineOfSight", noisy)}
        codes |= {outcome(SERVICE + "BatchAdjudicate", bytes(broken))}
    bad = codes - {"OK", "INVALID_ARGUMENT", "INTERNAL", "NOT_FOUND", "UNIMPLEMENTED"}
    assert not bad, bad
    goes_on()


def deep():
    """A message of one field within another a hundred thousand deep ends no stack."""
    message = b""
    for _ in range(200):
        message = b"\x0a" + varint(len(message)) + message
    for _ in range(3):
        assert outcome(SERVICE + "LineOfSight", b"\x0b" * 100_000) in (
            "INTERNAL",
            "INVALID_ARGUMENT",
        )
        outcome(SERVICE + "LineOfSight", message)
    goes_on()


def varint(number):
    """A number as protobuf writes it."""
    digits = b""
    while number > 0x7F:
        digits += bytes([number & 0x7F | 0x80])
        number >>= 7
    return digits + bytes([number])


def no_such_method():
    """A method or a service that there is not is UNIMPLEMENTED."""
    same(outcome(SERVICE + "Nothing", b""), "UNIMPLEMENTED")
    same(outcome("/alamein.v1.NoService/LineOfSight", b""), "UNIMPLEMENTED")
    goes_on()


def too_large():
    """A message of 5 MB is RESOURCE_EXHAUSTED, by every method."""
    padding = b"\xfa\x7f" + varint(5 * MIB) + b"x" * (5 * MIB)
    for path in METHODS:
        refusal = refusal_of(lambda path=path: raw(path)(padding, timeout=20)).check()
        same((refusal.code, refusal.reason), ("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE"), path)
        same(refusal.metadata["max"], str(4 * MIB))
    large = alone(fire("H", "K"))
    large.subject.position.map.base_level = 0
    large.subject.position.counters[0].id = "x" * (5 * MIB)
    same(client.refused(large).check().reason, "MESSAGE_TOO_LARGE")
    goes_on()


def large_answer():
    """An answer that would be too large is RESOURCE_EXHAUSTED, and none is given in part."""
    asked = [fire("H", "K")] * 2000
    refusal = client.refused(batch(asked, view=v1.VIEW_EXPLAIN)).check()
    same((refusal.code, refusal.reason), ("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE"))
    answers = client.ask(batch(asked, view=v1.VIEW_VERDICT)).answers
    same(len({answer.ruling.ruling_id for answer in answers}), 1)
    same(len(answers), 2000)


def no_time():
    """A deadline of a microsecond is DEADLINE_EXCEEDED."""
    for _ in range(20):
        same(client.refused(GOOD, timeout=1e-6).code, "DEADLINE_EXCEEDED")
    goes_on()


def web(message, **headers):
    """What a call of LineOfFire by gRPC-Web comes to: its trailers."""
    connection = http.client.HTTPConnection(ADDRESS, timeout=10)
    body = b"\0" + len(message).to_bytes(4, "big") + message
    headers |= {"content-type": "application/grpc-web+proto", "x-grpc-web": "1"}
    connection.request("POST", SERVICE + "LineOfFire", body, headers)
    answer = connection.getresponse()
    trailers = {name.lower(): value for name, value in answer.getheaders()}
    content = answer.read()
    connection.close()
    while content:
        flag, length = content[0], int.from_bytes(content[1:5], "big")
        if flag & 0x80:
            for line in content[5 : 5 + length].decode().split("\r\n"):
                name, _, value = line.partition(":")
                trailers[name.strip().lower()] = value.strip()
        content = content[5 + length :]
    return trailers


def no_time_left_to_the_server():
    """The same where the client itself does not watch the clock: the server says so."""
    message = GOOD.SerializeToString()
    same(web(message)["grpc-status"], "0")
    for timeout in ("1u", "1n", "0m"):
        trailers = web(message, **{"grpc-timeout": timeout})
        same(trailers["grpc-status"], "4", f"the status with a timeout of {timeout}")
        packed = trailers["grpc-status-details-bin"]
        packed += "=" * (-len(packed) % 4)
        status = status_pb2.Status.FromString(base64.b64decode(packed))
        refusal = Refusal.of_status(status).check()
        same((refusal.reason, refusal.metadata["set_by"]), ("DEADLINE", "client"))
    trailers = web(message, **{"grpc-timeout": "soon"})
    same(trailers["grpc-status"], "3")
    goes_on()


def given_up():
    """Work that the client gave up on, mid-way, does not wear the service out."""
    asked = batch([question(each) for each in CASE["questions"]] * 20, view=v1.VIEW_EXPLAIN)
    for _ in range(8):
        # A fast server has the answer in time, and it is too large.
        code = client.refused(asked, timeout=0.05).code
        assert code in ("DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED"), code
        call = client.adjudication.BatchAdjudicate.future(asked)
        call.cancel()
    goes_on()


def many():
    """200 requests at once, over four connections, are all answered and all the same."""
    connections = [Client(ADDRESS) for _ in range(4)]

    def ask(at):
        return connections[at % 4].patiently(GOOD, timeout=60)

    with ThreadPoolExecutor(200) as pool:
        answers = list(pool.map(ask, range(200)))
    assert all(answer == ANSWER for answer in answers)
    for connection in connections:
        connection.close()
    goes_on()


def many_positions():
    """200 clients at once, each with a position of its own, get their own answers."""

    def given(at):
        changed = alone(fire("H", "K"))
        changed.subject.position.counters.add(id=f"n{at}", hex=f"A{at % 10 + 1}", side="x")
        setattr(changed.subject.position.counters[-1], "class", v1.COUNTER_CLASS_SQUAD)
        return changed

    alone_answers = [client.ask(given(at)) for at in range(200)]
    connections = [Client(ADDRESS) for _ in range(4)]
    with ThreadPoolExecutor(100) as pool:
        asked = pool.map(lambda at: connections[at % 4].patiently(given(at), timeout=60), range(200))
        same(list(asked), alone_answers)
    same(len({answer.ruling.position_id for answer in alone_answers}), 200)
    for connection in connections:
        connection.close()


def cut_off():
    """Clients that hang up in the middle of a request harm nobody."""
    host, port = ADDRESS.split(":")
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    for start in (
        b"",
        preface,
        preface + b"\0\0\0\4\0\0\0\0\0",
        os.urandom(500),
        b"GET / HTTP/1.1\r\n",
    ):
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            connection.sendall(start)
    goes_on()


checks = Checks()
checks.run_all(
    [
        rubbish,
        noise,
        deep,
        no_such_method,
        too_large,
        large_answer,
        no_time,
        no_time_left_to_the_server,
        given_up,
        many,
        many_positions,
        cut_off,
    ]
)
checks.end()
