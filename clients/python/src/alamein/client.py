"""The client for programs without asyncio."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from typing_extensions import Self

from alamein import _requests as requests
from alamein import v1
from alamein._base import DEADLINE, Attempts, Base
from alamein._requests import Outcome, Start, Subject, Terms
from alamein._token import intercepted
from alamein._watch import Watch
from alamein.errors import AlameinError
from alamein.settings import Retries, Tls, channel_options
from alamein.sight import FieldOfView

__all__ = ["Client", "Watch"]

_Req = TypeVar("_Req")
_Res = TypeVar("_Res")


class Client(Base):
    """A connection to a rules service. Threads may share it.

    Every call has a deadline. One that only reads, or that changes nothing more when it is made twice, is
    tried again with growing waits while the service is not there, or is at its limits and says when to come
    back. What goes wrong is an ``AlameinError``.

        with Client("localhost:50051") as client:
            ruling = client.adjudicate(position, ask.line_of_sight("P3", "P6"))

    What has no method here is reached by the generated stubs (``maps`` and the like) and ``call``.
    """

    adjudication: v1.AdjudicationServiceStub
    """The stub of the adjudication service: it bears the token, and has no deadlines and no retries."""
    games: v1.GameServiceStub
    """The stub of the game service, likewise."""
    maps: v1.MapServiceStub
    """The stub of the map service, likewise."""
    positions: v1.PositionServiceStub
    """The stub of the position service, likewise."""
    rulesets: v1.RulesetServiceStub
    """The stub of the ruleset service, likewise."""

    def __init__(
        self,
        address: str = "localhost:50051",
        *,
        tls: Tls | bool | None = None,
        token: str | None = None,
        timeout: float = DEADLINE,
        retries: Retries | int = Retries(),  # noqa: B008 - it cannot be changed
        ruleset: str = "",
        rules_fingerprint: str = "",
        as_side: str = "",
        interceptors: Sequence[Any] = (),
    ) -> None:
        """Makes a client; it connects when it is first used.

        ``address`` is ``host:port``, ``http://...``, ``https://...`` or ``unix:/path``. ``timeout`` is in
        seconds, all tries included. ``ruleset``, ``rules_fingerprint`` and ``as_side`` are as in ``using``.
        ``interceptors`` are gRPC's, for tracing and the like.
        """
        terms = Terms(ruleset, rules_fingerprint, as_side)
        super().__init__(address, tls=tls, token=token, timeout=timeout, retries=retries, terms=terms)
        credentials, options = self._address.credentials(), channel_options(self._address)
        if credentials is None:
            self._channel = grpc.insecure_channel(self._address.target, options=options)
        else:
            self._channel = grpc.secure_channel(self._address.target, credentials, options=options)
        calls = intercepted(self._channel, self._token, interceptors)
        self.adjudication = v1.AdjudicationServiceStub(calls)
        self.games = v1.GameServiceStub(calls)
        self.maps = v1.MapServiceStub(calls)
        self.positions = v1.PositionServiceStub(calls)
        self.rulesets = v1.RulesetServiceStub(calls)
        self._health = health_pb2_grpc.HealthStub(calls)

    def close(self) -> None:
        """Closes the connection."""
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def call(
        self,
        method: grpc.UnaryUnaryMultiCallable[_Req, _Res],
        request: _Req,
        *,
        timeout: float | None = None,
        safe: bool = True,
    ) -> _Res:
        """Calls a method of a stub, with the deadline and the retries of this client.

        ``safe`` says that the call may be made twice: it reads, or has a ``request_id``, or does nothing
        more the second time.
        """
        attempts = Attempts(self, timeout, safe=safe)
        while True:
            try:
                return method(request, timeout=attempts.begin())
            except grpc.RpcError as failure:
                error = AlameinError.of_call(failure)
                wait = attempts.failed(error)
                if wait is None:
                    raise error from failure
                time.sleep(wait)

    # Questions.

    def adjudicate(
        self,
        subject: Subject,
        question: v1.Question,
        *,
        view: v1.View.ValueType = v1.VIEW_FULL,
        timeout: float | None = None,
    ) -> v1.Ruling:
        """Asks one question about a position, or about the id of one that is kept."""
        return requests.only(self.batch(subject, [question], view=view, timeout=timeout)[0])

    def batch(
        self,
        subject: Subject,
        questions: Sequence[v1.Question],
        *,
        view: v1.View.ValueType = v1.VIEW_FULL,
        timeout: float | None = None,
    ) -> list[Outcome]:
        """Asks questions about one position under one ruleset. The answers come in their order.

        An error in one question is that question's answer.
        """
        if not questions:
            return []
        request = requests.batch(self._terms, subject, questions, view)
        answer = self.call(self.adjudication.BatchAdjudicate, request, timeout=timeout)
        return requests.outcomes(answer, len(questions))

    def stream(
        self,
        subject: Subject,
        questions: Iterable[v1.Question],
        *,
        view: v1.View.ValueType = v1.VIEW_FULL,
        size: int = 256,
        ahead: int = 2,
    ) -> Iterator[tuple[v1.Question, Outcome]]:
        """Asks any number of questions, and gives each with its answer as they come, in their order.

        They are asked in batches of ``size``, of which ``ahead`` are under way at a time. Each has the
        deadline and the retries of a call. Where the position is large, keep it first and give its id.
        """
        waiting: deque[tuple[list[v1.Question], Future[list[Outcome]]]] = deque()
        pool = ThreadPoolExecutor(max(ahead, 1), "alamein-stream")
        try:
            for chunk in requests.chunks(questions, size):
                waiting.append((chunk, pool.submit(self.batch, subject, chunk, view=view)))
                if len(waiting) >= max(ahead, 1):
                    asked, answers = waiting.popleft()
                    yield from zip(asked, answers.result(), strict=True)
            while waiting:
                asked, answers = waiting.popleft()
                yield from zip(asked, answers.result(), strict=True)
        finally:
            # Whoever stops listening is not made to wait for what was not begun.
            pool.shutdown(wait=False, cancel_futures=True)

    def price_path(
        self,
        subject: Subject,
        question: v1.PathQuestion,
        *,
        view: v1.View.ValueType = v1.VIEW_FULL,
        options: v1.QuestionOptions | None = None,
    ) -> v1.PricedPath:
        """Asks what a move of several steps costs."""
        request = requests.price_path(self._terms, subject, question, view, options)
        return self.call(self.adjudication.PricePath, request).path

    def reachable(
        self, subject: Subject, question: v1.ReachQuestion, *, options: v1.QuestionOptions | None = None
    ) -> v1.Reach:
        """Asks for every hex that an allowance reaches."""
        request = requests.reachable(self._terms, subject, question, options)
        return self.call(self.adjudication.Reachable, request).reach

    def field_of_view(
        self,
        subject: Subject,
        viewer: v1.End | str,
        *,
        range: int | None = None,
        options: v1.QuestionOptions | None = None,
        timeout: float | None = None,
    ) -> FieldOfView:
        """Asks what somebody sees of every hex within a range, or of the whole map.

        ``viewer`` is an end (``ask.unit``, ``ask.at``) or the name of a hex.
        """
        request = requests.packed_view(self._terms, subject, viewer, range, options)
        return FieldOfView(self.call(self.adjudication.PackedFieldOfView, request, timeout=timeout).field)

    def look(
        self,
        subject: Subject,
        viewer: v1.End | str,
        *,
        range: int | None = None,
        options: v1.QuestionOptions | None = None,
        timeout: float | None = None,
    ) -> Iterator[v1.SightedHex]:
        """Asks the same, and gives the hexes as the service judges them. It is not tried again."""
        request = requests.view(self._terms, subject, viewer, range, options)
        answers = self.adjudication.FieldOfView(request, timeout=timeout or self._timeout)
        try:
            for part in answers:
                yield from part.hexes.hexes
        except grpc.RpcError as failure:
            raise AlameinError.of_call(failure) from failure
        finally:
            answers.cancel()

    def export_case(
        self, subject: Subject, questions: Iterable[v1.Question], *, case_id: str = ""
    ) -> v1.ExportCaseResponse:
        """Asks questions, and gives them and their answers as a case file: ``alamein check`` replays it."""
        request = requests.export_case(self._terms, subject, questions, case_id)
        return self.call(self.adjudication.ExportCase, request)

    # Maps and positions.

    def create_map(self, map: v1.Map, *, ignore_layers: Sequence[str] = ()) -> v1.CreateMapResponse:
        """Lets the service keep a map, and gives its id. The same map again is the same id."""
        request = v1.CreateMapRequest(map=map, ignore_layers=ignore_layers, ruleset=self._terms.rules)
        return self.call(self.maps.CreateMap, request)

    def get_map(self, map_id: str) -> v1.Map:
        """Gives a map that is kept."""
        return self.call(self.maps.GetMap, v1.GetMapRequest(map_id=map_id)).map

    def list_maps(self) -> Iterator[v1.MapSummary]:
        """Gives the maps that are kept, page by page, in the order of their ids."""
        request = v1.ListMapsRequest()
        while True:
            page = self.call(self.maps.ListMaps, request)
            yield from page.maps
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def compose_map(self, toml: str, *, include_names: bool = False) -> v1.ComposeMapResponse:
        """Makes a map of the text of a map file in TOML. Nothing is kept."""
        request = v1.ComposeMapRequest(toml=toml, include_names=include_names)
        return self.call(self.maps.ComposeMap, request)

    def create_position(
        self, position: v1.Position, *, ignore_layers: Sequence[str] = ()
    ) -> v1.CreatePositionResponse:
        """Lets the service keep a position, so that questions about it need only name its id."""
        request = v1.CreatePositionRequest(
            position=position, ignore_layers=ignore_layers, ruleset=self._terms.rules
        )
        return self.call(self.positions.CreatePosition, request)

    def get_position(self, position_id: str) -> v1.Position:
        """Gives a position that is kept, as far as the side that asks knows it."""
        request = v1.GetPositionRequest(position_id=position_id, as_side=self._terms.as_side)
        return self.call(self.positions.GetPosition, request).position

    def apply_changes(
        self,
        subject: Subject,
        changes: Iterable[v1.Change],
        *,
        ignore_layers: Sequence[str] = (),
        validate_only: bool = False,
    ) -> v1.ApplyChangesResponse:
        """Makes changes of a position, all or none, and keeps the position that comes of it."""
        request = v1.ApplyChangesRequest(
            subject=requests.subject(subject),
            changes=changes,
            ignore_layers=ignore_layers,
            ruleset=self._terms.rules,
            validate_only=validate_only,
        )
        return self.call(self.positions.ApplyChanges, request)

    # Games.

    def create_game(
        self,
        start: Start,
        *,
        game_id: str = "",
        owner: str = "",
        title: str = "",
        ignore_layers: Sequence[str] = (),
        by: str = "",
        note: str = "",
        request_id: str = "",
    ) -> v1.Game:
        """Begins a game at a position. It pins the rules that this client asks for."""
        request = requests.create_game(
            self._terms,
            start,
            game_id=game_id,
            owner=owner,
            title=title,
            ignore_layers=ignore_layers,
            by=by,
            note=note,
            request=request_id,
        )
        return self.call(self.games.CreateGame, request).game

    def get_game(self, game_id: str) -> v1.Game:
        """Gives a game, as far as the side that asks knows it."""
        request = v1.GetGameRequest(game_id=game_id, as_side=self._terms.as_side)
        return self.call(self.games.GetGame, request).game

    def list_games(self, *, owner: str = "") -> Iterator[v1.Game]:
        """Gives the games, page by page, in the order of their ids; of one owner, if one is named."""
        request = v1.ListGamesRequest(owner=owner, as_side=self._terms.as_side)
        while True:
            page = self.call(self.games.ListGames, request)
            yield from page.games
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def list_entries(self, game_id: str, *, newest_first: bool = False) -> Iterator[v1.GameEntry]:
        """Gives the history of a game, page by page."""
        request = v1.ListEntriesRequest(
            game_id=game_id, newest_first=newest_first, as_side=self._terms.as_side
        )
        while True:
            page = self.call(self.games.ListEntries, request)
            yield from page.entries
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def advance_game(
        self,
        game: v1.Game,
        to: Iterable[v1.Change] | Start,
        *,
        ignore_layers: Sequence[str] = (),
        by: str = "",
        note: str = "",
        request_id: str = "",
        validate_only: bool = False,
    ) -> v1.Game:
        """Advances a game by changes, or to a position, and gives it as it then is.

        If it has moved on since ``game`` was read, that is ``Aborted`` (``ETAG_STALE``).
        """
        request = requests.advance_game(
            game,
            to,
            ignore_layers=ignore_layers,
            by=by,
            note=note,
            request=request_id,
            validate_only=validate_only,
        )
        return self.call(self.games.AdvanceGame, request).game

    def undo_game(
        self, game: v1.Game, *, to_number: int = 0, by: str = "", note: str = "", request_id: str = ""
    ) -> v1.Game:
        """Takes a game back to the position of an older entry; 0 is the one before its head."""
        request = v1.UndoGameRequest(
            game_id=game.game_id,
            etag=game.etag,
            to_number=to_number,
            by=by,
            note=note,
            request_id=requests.request_id(request_id),
        )
        return self.call(self.games.UndoGame, request).game

    def delete_game(self, game: v1.Game) -> None:
        """Forgets a game and its history. This is tried once: sent again, it would not find the game."""
        request = v1.DeleteGameRequest(game_id=game.game_id, etag=game.etag)
        self.call(self.games.DeleteGame, request, safe=False)

    def watch_game(self, game_id: str, *, after: int = 0, patience: float | None = 60.0) -> Watch:
        """Gives the entries of a game after a number, and every further one as soon as it is there.

        Where the service goes away it is asked again from the last entry on, so that none is left out and
        none comes twice; after ``patience`` seconds without it (None: never) its error is raised.
        ``Watch.cancel`` ends it from any thread.
        """
        return Watch(self, game_id, after, patience)

    # Rulesets and the service itself.

    def get_ruleset(self, ruleset: str | None = None) -> v1.Ruleset:
        """Gives a ruleset with its plugins: by name, tag or fingerprint, or else this client's own."""
        request = v1.GetRulesetRequest(ruleset_id=self._terms.rules if ruleset is None else ruleset)
        return self.call(self.rulesets.GetRuleset, request).ruleset

    def create_ruleset(
        self, spec: v1.RulesetSpec, *, tags: Sequence[str] = (), validate_only: bool = False
    ) -> v1.CreateRulesetResponse:
        """Makes a ruleset of plugins that the service has. This is tried once: its name may have moved on."""
        request = v1.CreateRulesetRequest(spec=spec, tags=tags, validate_only=validate_only)
        return self.call(self.rulesets.CreateRuleset, request, safe=False)

    def is_serving(self) -> bool:
        """Whether the service says that it serves: one that loads its rules, or stops, does not."""
        answer = self.call(self._health.Check, health_pb2.HealthCheckRequest())
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
