"""Opens so many connections of HTTP/2, keeps them, and says so; ends when its input does."""

import socket
import sys

host, port = sys.argv[1].rsplit(":", 1)
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])

connections = []
for _ in range(int(sys.argv[2])):
    connection = socket.create_connection((host, int(port)), timeout=60)
    connection.sendall(GREETING)
    connections.append(connection)
for connection in connections:
    # The server's own settings: it was accepted, and speaks.
    assert connection.recv(9), "the server has closed it"
print("open", flush=True)
sys.stdin.read()
