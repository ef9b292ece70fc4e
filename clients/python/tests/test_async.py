"""The asyncio client, asked of the same service: it says the same as the other one."""

from __future__ import annotations

import asyncio

import pytest

from alamein import AsyncClient, Client, ask, build, errors, v1


async def test_both_clients_say_the_same(aclient: AsyncClient, client: Client, deir: v1.Position) -> None:
    question = ask.line_of_fire("P3", ask.unit("sq"))
    assert await aclient.adjudicate(deir, question) == client.adjudicate(deir, question)
    bad = [question, ask.line_of_sight("P3", "ZZ99")]
    _, error = await aclient.batch(deir, bad)
    assert isinstance(error, errors.InvalidArgument)
    assert error.reason == "HEX_OFF_MAP"
    assert (await aclient.get_ruleset()).fingerprint == client.get_ruleset().fingerprint
    assert await aclient.is_serving()
    squad = ask.mover(v1.COUNTER_CLASS_SQUAD)
    path, reach = ask.path(squad, ["P6", "P5", "P4"]), ask.reach(squad, "P6", 2)
    assert await aclient.price_path(deir, path) == client.price_path(deir, path)
    assert await aclient.reachable(deir, reach) == client.reachable(deir, reach)
    assert (await aclient.export_case(deir, [question])).case_file


async def test_a_field_of_view(aclient: AsyncClient, client: Client, deir: v1.Position) -> None:
    field = await aclient.field_of_view(deir, ask.unit("sq"), range=3)
    assert dict(field) == dict(client.field_of_view(deir, ask.unit("sq"), range=3))
    judged = [hex async for hex in aclient.look(deir, ask.unit("sq"), range=3)]
    assert [hex.hex for hex in judged] == list(field)


async def test_many_at_once(aclient: AsyncClient, deir: v1.Position) -> None:
    asked = [aclient.adjudicate(deir, ask.line_of_sight("Q7", f"P{row}")) for row in range(1, 10)]
    answers = await asyncio.gather(*asked)
    assert [answer.question.line_of_sight.to.hex for answer in answers] == [f"P{row}" for row in range(1, 10)]


async def test_streams_keep_their_order_and_end_early(aclient: AsyncClient, deir: v1.Position) -> None:
    hexes = [f"{column}{row}" for column in "ABCDEFGH" for row in range(1, 10)]
    questions = [ask.line_of_sight("Q7", hex, tag=hex) for hex in hexes]
    stream = aclient.stream(deir, questions, size=7, ahead=3)
    told = [(question.tag, answer) async for question, answer in stream]
    assert [tag for tag, _ in told] == hexes
    assert all(isinstance(answer, v1.Ruling) for _, answer in told)
    early = aclient.stream(deir, questions, size=7, ahead=3)
    async for question, _ in early:
        assert question.tag == "A1"
        break
    await early.aclose()  # type: ignore[attr-defined]


async def test_maps_positions_and_games(aclient: AsyncClient, deir: v1.Position) -> None:
    map_id = (await aclient.create_map(deir.map)).map_id
    assert [layer.name for layer in (await aclient.get_map(map_id)).layers] == ["deir"]
    assert map_id in [summary.map_id async for summary in aclient.list_maps()]
    composed = await aclient.compose_map('title = "Flat"\n[[board]]\nhalf = "west"\n')
    assert composed.title == "Flat"
    kept = (await aclient.create_position(build.position(map_id, deir.counters))).position_id
    moved = [v1.Change(move=v1.MoveChange(counter_id="sq", hex="P7"))]
    there = (await aclient.apply_changes(kept, moved)).position_id
    assert len((await aclient.get_position(there)).counters) == 3

    game = await aclient.create_game(kept, owner="async")
    game = await aclient.advance_game(game, moved, by="axis")
    assert game.head.position_id == there
    assert (await aclient.get_game(game.game_id)).etag == game.etag
    assert game.game_id in [other.game_id async for other in aclient.list_games(owner="async")]
    undone = await aclient.undo_game(game)
    assert undone.head.position_id == kept
    assert [entry.number async for entry in aclient.list_entries(game.game_id, newest_first=True)] == [
        3,
        2,
        1,
    ]
    with pytest.raises(errors.Aborted):
        await aclient.delete_game(game)
    await aclient.delete_game(undone)
    with pytest.raises(errors.NotFound):
        await aclient.get_game(game.game_id)


async def test_a_watch_ends_with_its_task(aclient: AsyncClient, deir: v1.Position) -> None:
    game = await aclient.create_game(deir)
    seen: list[int] = []
    came = asyncio.Event()

    async def listen() -> None:
        async for entry in aclient.watch_game(game.game_id):
            seen.append(entry.number)
            came.set()

    listening = asyncio.create_task(listen())
    await asyncio.wait_for(came.wait(), 30)
    came.clear()
    await aclient.advance_game(game, [v1.Change(turn=v1.TurnChange(counter_id="tank", facing=2))])
    await asyncio.wait_for(came.wait(), 30)
    assert seen == [1, 2]
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    with pytest.raises(errors.NotFound):
        async for _ in aclient.watch_game("no-such-game"):
            pass
