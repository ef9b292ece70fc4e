"""Calls over gRPC-Web, of bodies as they stand: grpcio does not speak it."""

import base64
import http.client
import re
import struct

from checks import same
from client import TIMEOUT, Refusal
from google.rpc import status_pb2


def web(address, path, body, text=False, tls=None, **headers):
    """A call over gRPC-Web. Gives how it ended: a refusal, or one that says OK."""
    host, port = address.rsplit(":", 1)
    if tls:
        connection = http.client.HTTPSConnection(host, int(port), timeout=TIMEOUT, context=tls)
    else:
        connection = http.client.HTTPConnection(host, int(port), timeout=TIMEOUT)
    kind = "application/grpc-web-text+proto" if text else "application/grpc-web+proto"
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    told = {"content-type": kind, "accept": kind, **told}
    connection.request("POST", "/" + path, body=body, headers=told)
    response = connection.getresponse()
    same(response.status, 200, "the HTTP status")
    found = {name.lower(): value for name, value in response.getheaders()}
    content = response.read()
    connection.close()
    if text:
        # Each piece is packed by itself, and padded where it ends.
        pieces = re.findall(rb"[A-Za-z0-9+/]+={0,2}", content)
        content = b"".join(base64.b64decode(piece) for piece in pieces)
    while content:
        flag, length = struct.unpack(">BI", content[:5])
        if flag & 0x80:
            lines = content[5 : 5 + length].decode().splitlines()
            found.update(line.split(":", 1) for line in lines)
        content = content[5 + length :]
    details = found.get("grpc-status-details-bin", "").strip()
    status = status_pb2.Status(code=int(found["grpc-status"]))
    if details:
        status.ParseFromString(base64.b64decode(details + "=" * (-len(details) % 4)))
        same(status.code, int(found["grpc-status"]))
    return Refusal.of_status(status)
