"""Health says when the server is fit to serve; reflection shows all of the API, old way and new."""

import grpc
from common import channel, cue
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

ADJUDICATION = "alamein.v1.AdjudicationService"
STATUS = health_pb2.HealthCheckResponse

open_channel = channel()
health = health_pb2_grpc.HealthStub(open_channel)


def check(service):
    """The health of a service."""
    return health.Check(health_pb2.HealthCheckRequest(service=service), timeout=5).status


watched = health.Watch(health_pb2.HealthCheckRequest(service=ADJUDICATION), timeout=30)
assert next(watched).status == STATUS.NOT_SERVING
for name in ("", ADJUDICATION):
    assert check(name) == STATUS.NOT_SERVING, name

cue("ready")
assert next(watched).status == STATUS.SERVING
for name in ("", ADJUDICATION):
    assert check(name) == STATUS.SERVING, name

cue("not ready")
assert next(watched).status == STATUS.NOT_SERVING
assert check("") == STATUS.NOT_SERVING
try:
    check("alamein.v1.NoSuchService")
    raise AssertionError("there is no such service")
except grpc.RpcError as error:
    assert error.code() == grpc.StatusCode.NOT_FOUND, error
watched.cancel()


def reflect(version, **request):
    """One question of reflection. Both versions have the same messages."""
    call = open_channel.stream_stream(
        f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )
    answers = list(call(iter([reflection_pb2.ServerReflectionRequest(**request)]), timeout=5))
    assert len(answers) == 1
    assert answers[0].WhichOneof("message_response") != "error_response", answers[0]
    return answers[0]


def files(answer):
    """The files of an answer."""
    for raw in answer.file_descriptor_response.file_descriptor_proto:
        yield descriptor_pb2.FileDescriptorProto.FromString(raw)


for version in ("v1", "v1alpha"):
    listed = reflect(version, list_services="").list_services_response.service
    assert {service.name for service in listed} == {
        ADJUDICATION,
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
    }, listed
    for service in listed:
        known, wanted = set(), set()
        for file in files(reflect(version, file_containing_symbol=service.name)):
            known.add(file.name)
            wanted.update(file.dependency)
        while wanted - known:
            name = sorted(wanted - known)[0]
            for file in files(reflect(version, file_by_filename=name)):
                known.add(file.name)
                wanted.update(file.dependency)
        if service.name == ADJUDICATION:
            assert "google/rpc/status.proto" in known, known
            assert "google/protobuf/any.proto" in known, known
