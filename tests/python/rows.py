"""Rows of the table of bad requests."""

from dataclasses import dataclass, field

from example import alone, position, sight

INVALID = "INVALID_ARGUMENT"


@dataclass
class Row:
    """A request, and how it must be refused."""

    name: str
    request: object
    reason: str
    #: The path of the field at fault; of several, all.
    path: object = ""
    code: str = INVALID
    #: What the error's message must hold.
    says: str = ""
    #: What the metadata must hold, beside the keys that go with the reason.
    metadata: dict = field(default_factory=dict)
    #: What is known to be otherwise than the row has it, and why. It is told, and does not fail.
    known: str = ""

    @property
    def paths(self):
        """The paths of the fields at fault."""
        return [self.path] if isinstance(self.path, str) else list(self.path)


def with_position(change):
    """A request about the example, changed so."""
    changed = position()
    change(changed)
    return alone(sight("K", "L"), changed)


def with_counter(**changes):
    """A request about the example, whose first counter is changed so."""

    def change(given):
        for name, value in changes.items():
            if isinstance(value, list):
                getattr(given.counters[0], name).extend(value)
            else:
                setattr(given.counters[0], name, value)

    return with_position(change)


def with_layer(layer):
    """A request about the example with one more layer; it is the third."""
    return with_position(lambda given: given.map.layers.append(layer))
