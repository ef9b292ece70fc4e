"""Messages of more than 4 MiB are refused both ways, packed or not."""

import grpc
from common import SERVICE, channel, fails, method, order

MIB = 1 << 20


def text_field(number, size):
    """A length-delimited field of so many bytes, as protobuf writes it."""
    length, digits = size, b""
    while True:
        byte, length = length & 0x7F, length >> 7
        digits += bytes([byte | (0x80 if length else 0)])
        if not length:
            break
    return bytes([number << 3 | 2]) + digits + b"y" * size


open_channel = channel()
line_of_sight = method(open_channel, "LineOfSight")
export_case = method(open_channel, "ExportCase")

# A field that the server does not know is skipped, so that size alone matters.
line_of_sight(text_field(15, 3 * MIB), timeout=10)
found, _, _ = fails(
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    "MESSAGE_TOO_LARGE",
    line_of_sight,
    text_field(15, 5 * MIB),
    timeout=10,
)
assert found["ErrorInfo"].metadata["max"] == str(4 * MIB), found

# A small message that unpacks to a large one.
fails(
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    "MESSAGE_TOO_LARGE",
    line_of_sight,
    text_field(15, 64 * MIB),
    timeout=20,
    compression=grpc.Compression.Gzip,
)

assert len(export_case(b"", timeout=10, metadata=order(f"give {3 * MIB}"))) > 3 * MIB
_, error, _ = fails(
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    "MESSAGE_TOO_LARGE",
    export_case,
    b"",
    timeout=10,
    metadata=order(f"give {5 * MIB}"),
)
assert "answer" in error.details(), error

# A method that there is not is still told as such.
try:
    open_channel.unary_unary(SERVICE + "Nothing")(b"", timeout=5)
    raise AssertionError("there is no such method")
except grpc.RpcError as error:
    assert error.code() == grpc.StatusCode.UNIMPLEMENTED, error
