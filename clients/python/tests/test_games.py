"""Games: their history, watches, and what a service that goes away does to them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from alamein import AsyncClient, Client, Retries, build, errors, v1
from tests import example
from tests.service import Service, free_port


def turned(facing: int) -> list[v1.Change]:
    """The tank of the example faces elsewhere."""
    return [v1.Change(turn=v1.TurnChange(counter_id="tank", facing=facing))]


def test_a_game_from_its_beginning_to_its_end(client: Client, deir: v1.Position) -> None:
    game = client.create_game(deir, owner="club", title="At the deir", by="allied", note="begins")
    assert game.head.number == 1
    checked = client.advance_game(game, turned(3), validate_only=True)
    assert checked.etag == game.etag
    second = client.advance_game(game, turned(3), by="allied")
    with pytest.raises(errors.Aborted) as stale:
        client.advance_game(game, turned(4))
    assert stale.value.reason == "ETAG_STALE"
    assert stale.value.metadata["etag"] == second.etag
    third = client.advance_game(second, deir)
    assert third.head.position_id == game.head.position_id
    undone = client.undo_game(third, to_number=2)
    assert undone.head.position_id == second.head.position_id
    assert [entry.number for entry in client.list_entries(game.game_id)] == [1, 2, 3, 4]
    assert game.game_id in [other.game_id for other in client.list_games(owner="club")]
    client.delete_game(undone)
    with pytest.raises(errors.NotFound) as gone:
        client.get_game(game.game_id)
    assert gone.value.reason == "GAME_NOT_FOUND"


def test_a_request_that_is_sent_again_counts_once(client: Client, deir: v1.Position) -> None:
    game = client.create_game(deir, game_id="sent-again", request_id="begin-1")
    again = client.create_game(deir, game_id="sent-again", request_id="begin-1")
    assert again.game_id == game.game_id
    one = client.advance_game(game, turned(1), request_id="turn-1")
    two = client.advance_game(game, turned(1), request_id="turn-1")
    assert one.head.number == two.head.number == 2


def test_a_watch_is_ended_from_another_thread(client: Client, deir: v1.Position) -> None:
    game = client.create_game(deir)
    watch = client.watch_game(game.game_id)
    assert next(watch).number == 1
    threading.Timer(0.2, watch.cancel).start()
    assert list(watch) == []
    assert list(watch) == []
    with client.watch_game(game.game_id, after=1) as nothing_yet:
        nothing_yet.cancel()
        assert list(nothing_yet) == []


def test_each_side_watches_what_it_may_see(client: Client) -> None:
    hidden = build.counter("gun", v1.COUNTER_CLASS_GUN, "Q6", "axis", known_to=["axis"])
    position = build.position(None, [hidden, build.counter("sq", v1.COUNTER_CLASS_SQUAD, "P3", "allied")])
    game = client.create_game(position)
    moved = [v1.Change(turn=v1.TurnChange(counter_id="gun", facing=1))]
    client.advance_game(game, moved)
    for side, changes in (("axis", 1), ("allied", 0)):
        watch = client.using(as_side=side).watch_game(game.game_id)
        entries = [next(watch), next(watch)]
        watch.cancel()
        assert [entry.number for entry in entries] == [1, 2]
        assert len(entries[1].advanced.changes) == changes, side


@pytest.fixture(scope="module")
def kept(service: Service) -> Iterator[Service]:
    """A service that keeps what it is told, at a port that stays."""
    assert service.port  # That there is one at all.
    kept = Service(store="kept", port=free_port())
    yield kept
    kept.close()


@pytest.fixture
def mortal(kept: Service) -> Service:
    """The same, running, however the last test left it."""
    kept.start()
    # The first game is kept with its rules, which a build for developers takes its time for.
    with Client(kept.address, timeout=60) as client:
        client.create_game(example.position(), game_id="the-first", request_id="the-first")
    return kept


def test_a_watch_goes_on_after_the_service_was_killed(mortal: Service) -> None:
    with Client(mortal.address) as client:
        game = client.create_game(example.position())
        watch = client.watch_game(game.game_id)
        assert next(watch).number == 1
        game = client.advance_game(game, turned(1))
        mortal.kill()

        def later() -> None:
            time.sleep(0.5)
            mortal.start()

        starting = threading.Thread(target=later)
        starting.start()
        # Asked while nobody is there: it is tried until the service is back, and counts once.
        with Client(mortal.address, timeout=60, retries=Retries(tries=200, longest_wait=0.5)) as patient:
            game = patient.advance_game(game, turned(2))
        starting.join()
        assert game.head.number == 3
        assert [next(watch).number, next(watch).number] == [2, 3]
        assert watch.last == 3
        watch.cancel()
        assert [entry.number for entry in client.list_entries(game.game_id)] == [1, 2, 3]


async def test_so_does_one_with_asyncio_after_a_stop_in_order(mortal: Service) -> None:
    async with AsyncClient(mortal.address, timeout=60) as client:
        game = await client.create_game(example.position())
        watch = client.watch_game(game.game_id)
        assert (await anext(watch)).number == 1
        mortal.stop()
        mortal.start()
        game = await client.advance_game(await client.get_game(game.game_id), turned(1))
        assert (await anext(watch)).number == 2


def test_a_watch_gives_up_when_its_patience_ends(mortal: Service) -> None:
    with Client(mortal.address) as client:
        game = client.create_game(example.position())
        watch = client.watch_game(game.game_id, patience=0.5)
        assert next(watch).number == 1
        mortal.kill()
        with pytest.raises(errors.Unavailable):
            next(watch)
