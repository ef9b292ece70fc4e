"""What both clients share: requests made of arguments, and answers read."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias, TypeVar

from alamein import v1
from alamein.errors import AlameinError

Subject: TypeAlias = "v1.Position | str | v1.Subject"
"""What a question is about: a position, or the id of one that is kept."""
Outcome: TypeAlias = "v1.Ruling | AlameinError"
"""What one question of several came to."""
Start: TypeAlias = "v1.Position | str"
"""A position, or the id of one that is kept."""

_T = TypeVar("_T")


@dataclass(frozen=True)
class Terms:
    """By what rules, and for whom, a client asks."""

    ruleset: str = ""
    rules_fingerprint: str = ""
    as_side: str = ""

    @property
    def rules(self) -> str:
        """What rules are asked for, in a field that takes a name, a tag or a fingerprint."""
        return self.ruleset or self.rules_fingerprint


def subject(it: Subject) -> v1.Subject:
    """The subject as a request carries it."""
    if isinstance(it, v1.Subject):
        return it
    if isinstance(it, str):
        return v1.Subject(position_id=it)
    return v1.Subject(position=it)


def request_id(given: str) -> str:
    """The id of a request: with one it may be sent again."""
    return given or str(uuid.uuid4())


def batch(
    terms: Terms, about: Subject, questions: Iterable[v1.Question], view: v1.View.ValueType
) -> v1.BatchAdjudicateRequest:
    """A request for rulings."""
    return v1.BatchAdjudicateRequest(
        subject=subject(about),
        questions=questions,
        view=view,
        rules_fingerprint=terms.rules_fingerprint,
        ruleset=terms.ruleset,
        as_side=terms.as_side,
    )


def outcomes(answer: v1.BatchAdjudicateResponse, asked: int) -> list[Outcome]:
    """The rulings and errors of an answer, one to each question."""
    if len(answer.answers) != asked:
        raise _nonsense(f"{len(answer.answers)} answers to {asked} questions")
    return [_outcome(one) for one in answer.answers]


def _outcome(answer: v1.Answer) -> Outcome:
    which = answer.WhichOneof("answer")
    if which == "ruling":
        return answer.ruling
    if which == "error":
        return AlameinError.of_status(answer.error)
    raise _nonsense("an answer that is neither a ruling nor an error")


def _nonsense(what: str) -> RuntimeError:
    return RuntimeError(f"the service's answer makes no sense, so it may be of another version: {what}")


def only(outcome: Outcome) -> v1.Ruling:
    """The ruling, or its error raised."""
    if isinstance(outcome, AlameinError):
        raise outcome
    return outcome


def chunks(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """The items in lists of so many."""
    if size < 1:
        raise ValueError(f"a batch of {size} questions holds none")
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


def price_path(
    terms: Terms,
    about: Subject,
    question: v1.PathQuestion,
    view: v1.View.ValueType,
    options: v1.QuestionOptions | None,
) -> v1.PricePathRequest:
    """A request for the price of a path."""
    return v1.PricePathRequest(
        subject=subject(about),
        question=question,
        options=options,
        view=view,
        rules_fingerprint=terms.rules_fingerprint,
        ruleset=terms.ruleset,
        as_side=terms.as_side,
    )


def reachable(
    terms: Terms, about: Subject, question: v1.ReachQuestion, options: v1.QuestionOptions | None
) -> v1.ReachableRequest:
    """A request for what an allowance reaches."""
    return v1.ReachableRequest(
        subject=subject(about),
        question=question,
        options=options,
        rules_fingerprint=terms.rules_fingerprint,
        ruleset=terms.ruleset,
        as_side=terms.as_side,
    )


def packed_view(
    terms: Terms,
    about: Subject,
    viewer: v1.End | str,
    range: int | None,
    options: v1.QuestionOptions | None,
) -> v1.PackedFieldOfViewRequest:
    """A request for what somebody sees, in one message."""
    return v1.PackedFieldOfViewRequest(
        subject=subject(about),
        question=_view(viewer, range),
        options=options,
        rules_fingerprint=terms.rules_fingerprint,
        ruleset=terms.ruleset,
        as_side=terms.as_side,
    )


def view(
    terms: Terms,
    about: Subject,
    viewer: v1.End | str,
    range: int | None,
    options: v1.QuestionOptions | None,
) -> v1.FieldOfViewRequest:
    """A request for what somebody sees, as it is judged."""
    return v1.FieldOfViewRequest(
        subject=subject(about),
        question=_view(viewer, range),
        options=options,
        rules_fingerprint=terms.rules_fingerprint,
        ruleset=terms.ruleset,
        as_side=terms.as_side,
    )


def _view(viewer: v1.End | str, range: int | None) -> v1.FieldOfViewQuestion:
    end = v1.End(hex=viewer) if isinstance(viewer, str) else viewer
    return v1.FieldOfViewQuestion(**{"from": end, "range": range})  # type: ignore[arg-type]


def export_case(
    terms: Terms, about: Subject, questions: Iterable[v1.Question], case_id: str
) -> v1.ExportCaseRequest:
    """A request for a case file."""
    return v1.ExportCaseRequest(
        subject=subject(about),
        questions=questions,
        case_id=case_id,
        rules_fingerprint=terms.rules_fingerprint,
        ruleset=terms.ruleset,
        as_side=terms.as_side,
    )


def create_game(
    terms: Terms,
    start: Start,
    *,
    game_id: str,
    owner: str,
    title: str,
    ignore_layers: Sequence[str],
    by: str,
    note: str,
    request: str,
) -> v1.CreateGameRequest:
    """A request to begin a game."""
    made = v1.CreateGameRequest(
        # An id that the service made would be another each time that the request is sent.
        game_id=game_id or f"g-{uuid.uuid4().hex}",
        owner=owner,
        title=title,
        ruleset=terms.rules,
        ignore_layers=ignore_layers,
        by=by,
        note=note,
        request_id=request_id(request),
    )
    if isinstance(start, str):
        made.position_id = start
    else:
        made.position.CopyFrom(start)
    return made


def advance_game(
    game: v1.Game,
    to: Iterable[v1.Change] | Start,
    *,
    ignore_layers: Sequence[str],
    by: str,
    note: str,
    request: str,
    validate_only: bool,
) -> v1.AdvanceGameRequest:
    """A request to advance a game."""
    made = v1.AdvanceGameRequest(
        game_id=game.game_id,
        etag=game.etag,
        ignore_layers=ignore_layers,
        by=by,
        note=note,
        request_id=request_id(request),
        validate_only=validate_only,
    )
    if isinstance(to, str):
        made.position_id = to
    elif isinstance(to, v1.Position):
        made.position.CopyFrom(to)
    else:
        made.changes.CopyFrom(v1.ChangeList(changes=to))
    return made
