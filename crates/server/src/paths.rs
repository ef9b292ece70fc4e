//! Where in a request is what the engine speaks of by its name.

use alamein_proto::v1::{self, position::MapSource, subject};

/// What of a request a position was made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given<'a> {
    /// A position that the request carries, and the path of its fields, dot included.
    Position(&'a v1::Position, &'static str),
    /// A map that the request carries.
    Map(&'a v1::Map),
    /// The id of a position.
    Id,
    /// A position of which only a part may be known.
    Known,
}

impl<'a> Given<'a> {
    /// What a subject gives.
    pub(crate) fn of(subject: Option<&'a v1::Subject>) -> Self {
        match subject.and_then(|subject| subject.subject.as_ref()) {
            Some(subject::Subject::Position(position)) => {
                Self::Position(position, "subject.position.")
            }
            Some(subject::Subject::PositionId(_)) | None => Self::Id,
        }
    }

    /// The path of a layer of the map.
    pub(crate) fn layer(self, name: &str) -> String {
        let (map, path) = self.map();
        let at = map.and_then(|map| map.layers.iter().position(|layer| layer.name == name));
        match at {
            Some(at) => format!("{path}.layers[{at}]"),
            None => path,
        }
    }

    /// The path of a field of a layer.
    pub(crate) fn field(self, layer: &str, name: &str) -> String {
        let path = self.layer(layer);
        let mut layers = self.map().0.into_iter().flat_map(|map| &map.layers);
        let fields = layers.find(|given| given.name == layer);
        let at = fields.and_then(|it| it.fields.iter().position(|field| field.name == name));
        match at {
            Some(at) => format!("{path}.fields[{at}]"),
            None => path,
        }
    }

    /// The path of an attribute's name.
    pub(crate) fn attribute(self, counter: &str, name: &str) -> String {
        let Self::Position(position, prefix) = self else {
            return self.map().1;
        };
        let mut counters = position.counters.iter().enumerate();
        let Some((index, counter)) = counters.find(|(_, it)| it.id == counter) else {
            return format!("{prefix}counters");
        };
        let path = format!("{prefix}counters[{index}].attributes");
        match counter.attributes.iter().position(|it| it.name == name) {
            Some(at) => format!("{path}[{at}].name"),
            None => path,
        }
    }

    /// The map, if the request carries it, and the path of what gives it.
    fn map(self) -> (Option<&'a v1::Map>, String) {
        match self {
            Self::Position(position, prefix) => match &position.map_source {
                Some(MapSource::MapId(_)) => (None, format!("{prefix}map_id")),
                Some(MapSource::Map(map)) => (Some(map), format!("{prefix}map")),
                None => (None, format!("{prefix}map")),
            },
            Self::Map(map) => (Some(map), "map".to_owned()),
            Self::Id => (None, "subject.position_id".to_owned()),
            Self::Known => (None, "subject".to_owned()),
        }
    }
}
