"""What the scripts share: a client that sends bytes, and the richer error model."""

import sys
import time

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

SERVICE = "/alamein.v1.AdjudicationService/"
ADDRESS = sys.argv[1]


def channel():
    """A channel without retries, and without limits of its own."""
    return grpc.insecure_channel(
        ADDRESS,
        options=[
            ("grpc.enable_retries", 0),
            ("grpc.max_receive_message_length", -1),
            ("grpc.max_send_message_length", -1),
        ],
    )


def method(open_channel, name):
    """A unary method that takes and gives bytes."""
    return open_channel.unary_unary(SERVICE + name)


def order(text):
    """Metadata that tell the server what to do."""
    return (("x-do", text),)


def cue(text):
    """Asks the test for something, and waits until it is done."""
    print("cue: " + text, flush=True)
    sys.stdin.readline()


def details(error):
    """The details of an error, by type name."""
    status = rpc_status.from_call(error)
    assert status is not None, f"no details: {error}"
    found = {}
    for packed in status.details:
        name = packed.TypeName().rsplit(".", 1)[-1]
        message = getattr(error_details_pb2, name)()
        assert packed.Unpack(message)
        found[name] = message
    return found


def fails(code, reason, call, *args, **kwargs):
    """Makes a call that must fail so. Gives the details, the error and how long it took."""
    start = time.monotonic()
    try:
        call(*args, **kwargs)
    except grpc.RpcError as error:
        took = time.monotonic() - start
        assert error.code() == code, f"{error.code()} and not {code}: {error.details()}"
        found = details(error)
        info = found["ErrorInfo"]
        assert info.domain == "alamein", info
        assert info.reason == reason, info
        return found, error, took
    raise AssertionError(f"it did not fail with {code}")
