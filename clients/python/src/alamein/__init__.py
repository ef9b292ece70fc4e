"""A client of Alamein, a rules service for the board wargame Advanced Squad Leader.

``Client`` and ``AsyncClient`` connect to a service; ``build`` makes maps and positions, ``ask`` makes
questions, ``explain`` puts rulings into words. ``v1`` has the messages, enums and stubs of the API as they
were generated.
"""

from alamein import ask, build, errors, explain, v1
from alamein.aio import AsyncClient
from alamein.client import Client, Watch
from alamein.errors import AlameinError, FieldViolation, SettingError
from alamein.settings import Retries, Tls, own_version
from alamein.sight import FieldOfView, Seen

__all__ = [
    "AlameinError",
    "AsyncClient",
    "Client",
    "FieldOfView",
    "FieldViolation",
    "Retries",
    "Seen",
    "SettingError",
    "Tls",
    "Watch",
    "ask",
    "build",
    "errors",
    "explain",
    "v1",
]

__version__ = own_version()
