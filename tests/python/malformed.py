"""Bytes that are no messages, to every method of the API: each is the client's fault, and says so.

The address of the administration is read from standard input. What is within a message is sent by
grpcio, over HTTP/2; what is around it, which grpcio would not send amiss, over gRPC-Web.
"""

import json
import sys
from functools import partial

import grpc
from checks import Checks, same
from client import TIMEOUT, Client, refusal_of
from example import alone, sight
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FieldDescriptor
from stubs import PROTO, v1
from web import web

ADDRESS, ADMIN = sys.argv[1], json.load(sys.stdin)
GROUP, UNGROUP = b"\xfb\x7d", b"\xfc\x7d"  # Field 2015, which no message has.


def varint(number):
    """A number as protobuf writes it."""
    digits = b""
    while number > 0x7F:
        digits += bytes([number & 0x7F | 0x80])
        number >>= 7
    return digits + bytes([number])


def tag(number, wire):
    """The tag of a field."""
    return varint(number << 3 | wire)


def within(number, content):
    """A field of bytes, text or a message."""
    return tag(number, 2) + varint(len(content)) + content


def wire_type(field):
    """How a field lies on the wire."""
    kinds = FieldDescriptor
    if field.type in (kinds.TYPE_STRING, kinds.TYPE_BYTES, kinds.TYPE_MESSAGE):
        return 2
    if field.type in (kinds.TYPE_DOUBLE, kinds.TYPE_FIXED64, kinds.TYPE_SFIXED64):
        return 1
    if field.type in (kinds.TYPE_FLOAT, kinds.TYPE_FIXED32, kinds.TYPE_SFIXED32):
        return 5
    return 0


def bad_text(message, seen=()):
    """Bytes in which a text, however deep, is not UTF-8; and the text's name."""
    for field in message.fields:
        if field.type == FieldDescriptor.TYPE_STRING:
            return within(field.number, b"a\xff\xfe"), field.name
    for field in message.fields:
        inner = field.message_type
        if inner is not None and inner.full_name not in seen:
            found = bad_text(inner, (*seen, message.full_name))
            if found:
                return within(field.number, found[0]), found[1]
    return None


def messages(method):
    """What is no message of the method, each with a name and the field that is at fault, if known."""
    yield "cut short", tag(2000, 2) + b"\x05ab", None
    yield "a huge length", tag(2000, 2) + varint(2**62), None
    yield "a number that does not end", tag(2000, 0) + b"\xff" * 11, None
    yield "field 0", b"\x00\x00", None
    yield "a wire type that there is not", b"\x0f", None
    yield "the end of nothing", UNGROUP, None
    yield "1000 deep", GROUP * 1000 + UNGROUP * 1000, None
    for field in method.input_type.fields:
        wrong = tag(field.number, 5) + b"\0\0\0\0"
        if wire_type(field) == 5:
            wrong = tag(field.number, 1) + b"\0" * 8
        name = field.containing_oneof.name if field.containing_oneof else field.name
        if field.containing_oneof and len(field.containing_oneof.fields) == 1:
            name = field.name  # `optional` makes a oneof of one.
        yield f"{field.name} of another wire type", wrong, name
    text = bad_text(method.input_type)
    if text:
        yield "text that is not UTF-8", *text


def methods():
    """Every method of every service of the API."""
    pool = descriptor_pool.Default()
    for file in sorted(PROTO.glob("alamein/v1/*_service.proto")):
        services = pool.FindFileByName(str(file.relative_to(PROTO))).services_by_name
        for service in services.values():
            yield from service.methods


def path_of(method):
    """How a method is called."""
    return f"{method.containing_service.full_name}/{method.name}"


def address_of(method):
    """Where a method is served."""
    return ADMIN if method.containing_service.name == "PluginAdminService" else ADDRESS


def is_malformed(refusal, method):
    """Checks that it is the client's fault, and says of what."""
    same((refusal.code, refusal.reason), ("INVALID_ARGUMENT", "MALFORMED_MESSAGE"), str(refusal))
    same(refusal.domain, "alamein")
    same(refusal.metadata["method"], path_of(method))
    assert path_of(method) in refusal.message, refusal


def refuses(channel, method, content, field):
    """Sends bytes as a message, over HTTP/2."""
    kind = ("stream" if method.client_streaming else "unary") + "_"
    kind += "stream" if method.server_streaming else "unary"
    call = getattr(channel, kind)("/" + path_of(method))
    sent = iter([content]) if method.client_streaming else content

    def ask():
        answer = call(sent, timeout=TIMEOUT)
        return list(answer) if method.server_streaming else answer

    refusal = refusal_of(ask)
    is_malformed(refusal, method)
    if field:
        told = refusal.metadata.get("field", "").split(".")[-1]
        assert field == told or told in oneofs(), f"{field} is at fault, and not {told}: {refusal}"
        same(list(refusal.fields), [refusal.metadata["field"]])


def oneofs():
    """The names of all oneofs: of what stands in one, no more than its name is known."""
    kinds = [it.DESCRIPTOR for it in vars(v1).values() if hasattr(it, "SerializeToString")]
    return {oneof.name for kind in kinds for oneof in kind.oneofs}


#: What is around messages, and no good: a name, the body, the headers.
FRAMES = [
    ("half a frame's head", b"\0\0\0", {}),
    ("less than the frame says", b"\0\0\0\0\x64abc", {}),
    ("packed, and not said how", b"\x01\0\0\0\0", {}),
    ("packed as nobody packs", b"\x02\0\0\0\0", {}),
    ("not what it says it is", b"\x01\0\0\0\x03abc", {"grpc_encoding": "gzip"}),
    ("no message", b"\0\0\0\0\x01\x0a", {}),
]


def frames(method):
    """Bodies that hold no messages."""
    call = partial(web, address_of(method), path_of(method))
    for name, body, headers in FRAMES:
        try:
            is_malformed(call(body, **headers), method)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    if not method.client_streaming:
        is_malformed(call(b""), method)
    is_malformed(call(b"!!!!", text=True), method)
    refusal = call(b"\0\xff\xff\xff\xff")
    same((refusal.code, refusal.reason), ("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE"))
    refusal = call(b"\x01\0\0\0\0", grpc_encoding="br")
    same((refusal.code, refusal.reason), ("UNIMPLEMENTED", "ENCODING_UNKNOWN"))
    same(refusal.metadata["value"], "br")


def no_such_method():
    """A method that there is not is told by its reason, and by its name."""
    for path in ("alamein.v1.MapService/Fold", "alamein.v2.MapService/GetMap"):
        refusal = web(ADDRESS, path, b"\0\0\0\0\0")
        same((refusal.code, refusal.reason), ("UNIMPLEMENTED", "UNKNOWN_METHOD"), str(refusal))
        same(refusal.metadata["method"], path)


client = Client(ADDRESS).loaded()
GOOD = alone(sight("H", "K"))
ANSWER = client.ask(GOOD)
channels = {address: grpc.insecure_channel(address) for address in (ADDRESS, ADMIN)}
checks = Checks()
count = 0
for each in methods():
    count += 1
    for name, content, field in messages(each):
        channel = channels[address_of(each)]
        checks.run(f"{each.name}: {name}", partial(refuses, channel, each, content, field))
    if address_of(each) == ADDRESS:  # The administration speaks no gRPC-Web.
        checks.run(f"{each.name}: frames", partial(frames, each))
checks.run("there are methods", lambda: same(count > 20, True))
checks.run_all([no_such_method])
checks.run("the next answer", lambda: same(client.ask(GOOD), ANSWER))
checks.run("the service's health", lambda: same(client.health(), "SERVING"))
checks.end()
