"""What the tests share: one service for all that do it no harm."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from alamein import AsyncClient, Client, v1
from tests import example
from tests.service import MissingError, Service


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """A service with all plugins, which keeps things in memory."""
    try:
        running = Service()
    except MissingError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"SKIPPED, AND NOTHING IS PROVED: {error}")
    yield running
    running.close()


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    """A client of it."""
    with Client(service.address) as client:
        yield client


@pytest_asyncio.fixture
async def aclient(service: Service) -> AsyncIterator[AsyncClient]:
    """An asyncio client of it."""
    async with AsyncClient(service.address) as client:
        yield client


@pytest.fixture
def deir() -> v1.Position:
    """A deir of three hexes with a squad in it, and a tank outside."""
    return example.position()
