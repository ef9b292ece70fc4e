"""TLS, tokens, and addresses that make no sense."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from alamein import AsyncClient, Client, SettingError, Tls, ask, build, errors
from alamein.settings import Address
from tests.service import Service, binary

SIGHT = ask.line_of_sight("P3", "P6")


@dataclass
class Secured:
    """A service with TLS that asks who calls."""

    address: str
    tls: Tls
    writer: str
    reader: str


@pytest.fixture(scope="module")
def secured(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    assert service.port  # That there is one at all.
    folder = tmp_path_factory.mktemp("secured")
    certificate, key, tokens = folder / "cert.pem", folder / "key.pem", folder / "tokens.toml"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    writer = new_token(tokens, "adjudicate,positions:write,maps:write,games:write")
    reader = new_token(tokens, "adjudicate")
    running = Service("--tls-cert", str(certificate), "--tls-key", str(key), "--tokens", str(tokens))
    tls = Tls(trusted=certificate.read_bytes())
    yield Secured(f"https://localhost:{running.port}", tls, writer, reader)
    running.close()


def new_token(file: Path, scopes: str) -> str:
    """Makes a token."""
    words = ["token", "new", "--tenant", "club", "--scope", scopes, "--file", str(file)]
    return subprocess.run([binary(), *words], check=True, capture_output=True, text=True).stdout.strip()


def test_with_the_token_everything_is_as_without(secured: Secured) -> None:
    with Client(secured.address, tls=secured.tls, token=secured.writer) as client:
        kept = client.create_position(build.position()).position_id
        assert client.adjudicate(kept, SIGHT).ruling_id
        game = client.create_game(kept)
        # A stream bears the token too, and so does a raw stub.
        with client.watch_game(game.game_id) as watch:
            assert next(watch).number == 1
        assert client.get_map(client.create_map(build.map()).map_id).board.columns == 33


async def test_so_it_is_with_asyncio(secured: Secured) -> None:
    async with AsyncClient(secured.address, tls=secured.tls, token=secured.writer) as client:
        game = await client.create_game(build.position())
        watch = client.watch_game(game.game_id)
        assert (await anext(watch)).number == 1
        await watch.aclose()  # type: ignore[attr-defined]


def test_who_may_not_is_told_so(secured: Secured) -> None:
    with Client(secured.address, tls=secured.tls, token=secured.reader) as client:
        assert client.adjudicate(build.position(), SIGHT).ruling_id
        with pytest.raises(errors.PermissionDenied) as denied:
            client.create_position(build.position())
        assert denied.value.reason == "SCOPE_MISSING"
        assert denied.value.metadata["scope"] == "positions:write"
    for token, reason in ((None, "CREDENTIALS_MISSING"), ("alm_nobody", "TOKEN_INVALID")):
        with Client(secured.address, tls=secured.tls, token=token) as client:
            assert client.is_serving()
            with pytest.raises(errors.Unauthenticated) as unknown:
                client.adjudicate(build.position(), SIGHT)
            assert unknown.value.reason == reason


def test_a_stranger_is_not_taken_for_the_service(secured: Secured) -> None:
    with (
        Client(secured.address, token=secured.writer, retries=1) as client,
        pytest.raises(errors.Unavailable),
    ):
        client.adjudicate(build.position(), SIGHT)


@pytest.mark.parametrize(
    ("address", "target", "secure"),
    [
        ("localhost:50051", "localhost:50051", False),
        ("http://127.0.0.1:50051", "127.0.0.1:50051", False),
        ("http://[::1]:50051/", "[::1]:50051", False),
        ("https://rules.example.org", "rules.example.org:443", True),
        ("https://rules.example.org:8443", "rules.example.org:8443", True),
        ("unix:/run/alamein.sock", "unix:/run/alamein.sock", False),
    ],
)
def test_addresses_are_read(address: str, target: str, secure: bool) -> None:
    read = Address.of(address, None, None)
    assert read.target == target
    assert (read.tls is not None) is secure


def test_a_token_goes_to_other_machines_over_tls_alone() -> None:
    for fine in ("localhost:1", "http://127.0.0.1:1", "http://[::1]:1", "unix:/run/a", "dns:///localhost:1"):
        assert Address.of(fine, None, "secret").target
    for refused in ("http://rules.example.org:1", "10.0.0.1:1", "localhost.example.org:1"):
        with pytest.raises(SettingError, match="plain text"):
            Client(refused, token="secret")
        assert Address.of(refused, None, None).tls is None
    assert Address.of("10.0.0.1:1", True, "secret").tls is not None


@pytest.mark.parametrize(
    "nonsense",
    [
        {"address": ""},
        {"address": "ftp://localhost"},
        {"address": "http://localhost:50051/path"},
        {"address": "http://localhost:fifty"},
        {"address": "https://localhost", "tls": False},
        {"address": "http://localhost", "tls": True},
        {"token": "two\nlines"},
        {"token": " "},
        {"timeout": 0},
        {"retries": 0},
    ],
)
def test_settings_that_make_no_sense_are_refused_at_once(nonsense: dict[str, object]) -> None:
    with pytest.raises(SettingError):
        Client(**nonsense)  # type: ignore[arg-type]


def test_what_is_secret_is_not_shown() -> None:
    assert "private" not in repr(Tls(certificate=b"public", key=b"private"))
    with pytest.raises(SettingError, match="key"):
        Tls(certificate=b"public")
