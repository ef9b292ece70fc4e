"""A connection of some age is asked to finish, and calls go on over the next."""

import socket
import time

from common import ADDRESS, channel, method, order

GOAWAY = 7

# By hand: the preface, our settings, and then nothing. The server says GOAWAY and hangs up.
host, port = ADDRESS.rsplit(":", 1)
start = time.monotonic()
with socket.create_connection((host, int(port)), timeout=10) as connection:
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0\0\0\0\0")
    stream, kinds = connection.makefile("rb"), []
    while head := stream.read(9):
        length, kind = int.from_bytes(head[:3], "big"), head[3]
        content = stream.read(length)
        kinds.append(kind)
        if kind == 6 and not head[4] & 1:  # A ping is to be answered.
            connection.sendall(b"\0\0\x08\x06\x01\0\0\0\0" + content)
assert GOAWAY in kinds, kinds
assert 0.15 < time.monotonic() - start < 5

# A client that knows gRPC notices nothing: what is under way when the time comes is finished.
line_of_sight = method(channel(), "LineOfSight")
for _ in range(12):
    line_of_sight(b"", timeout=5, metadata=order("sleep 90"))
