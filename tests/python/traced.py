"""A client that names its trace and its request by headers of its own making."""

import json
import sys

import grpc
from client import Refusal
from example import fire, position
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from stubs import v1


def main(address, told):
    headers = (
        ("traceparent", told["traceparent"]),
        ("alamein-request-id", "from-python"),
    )
    with grpc.insecure_channel(address) as channel:
        stub = v1.AdjudicationServiceStub(channel)
        subject = v1.Subject(position=position())
        request = v1.LineOfFireRequest(subject=subject, question=fire("H", "K"))
        ruling, call = stub.LineOfFire.with_call(request, timeout=20, metadata=headers)
        assert ruling.ruling.ruling_id, ruling
        given = dict(call.initial_metadata())
        assert given["alamein-request-id"] == "from-python", given
        request.question.CopyFrom(fire("H", "nobody"))
        try:
            stub.LineOfFire(request, timeout=20, metadata=headers[1:])
        except grpc.RpcError as error:
            refusal = Refusal.of_error(error)
            assert refusal.reason == "UNKNOWN_COUNTER", refusal
            details = rpc_status.from_call(error).details
            named = [it for it in details if it.TypeName() == "google.rpc.RequestInfo"]
            info = error_details_pb2.RequestInfo()
            assert len(named) == 1 and named[0].Unpack(info), details
            assert info.request_id == "from-python", info
        else:
            raise AssertionError("nobody is nobody's counter")


if __name__ == "__main__":
    main(sys.argv[1], json.load(sys.stdin))
