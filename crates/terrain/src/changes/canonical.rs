//! The canonical form of changes, as entries of games hold them.

use super::Change;
use crate::canon::{Canon, CanonError, CanonReader, Canonical, FromCanonical};
use crate::counter::CounterFlags;

impl Canonical for Change {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::Place(counter) => canon.int(1).put(counter),
            Self::Remove { id } => canon.int(2).text(id),
            Self::Move {
                id,
                hex,
                height,
                aboard,
            } => canon
                .int(3)
                .text(id)
                .put(hex)
                .option(*height)
                .option(aboard.as_ref()),
            Self::Board { id, carrier } => canon.int(4).text(id).text(carrier),
            Self::Dismount { id } => canon.int(5).text(id),
            Self::Turn { id, facing } => canon.int(6).text(id).option(*facing),
            Self::Flags { id, set, clear } => {
                canon.int(7).text(id).int(set.bits()).int(clear.bits())
            }
            Self::Wreck { id, burning } => canon.int(8).text(id).put(*burning),
            Self::Attribute { id, name, value } => canon.int(9).text(id).text(name).option(*value),
            Self::Side { id, side } => canon.int(10).text(id).option(side.as_ref()),
            Self::KnownTo { id, sides } => canon.int(11).text(id).list(sides.iter()),
            Self::LayFireLane(lane) => canon.int(12).put(lane),
            Self::LiftFireLane { mg } => canon.int(13).text(mg),
            Self::Ec(ec) => canon.int(14).int(*ec as u32),
        };
    }
}

impl FromCanonical for Change {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        Ok(match reader.get::<i64>()? {
            1 => Self::Place(reader.get()?),
            2 => Self::Remove { id: reader.get()? },
            3 => Self::Move {
                id: reader.get()?,
                hex: reader.get()?,
                height: reader.get()?,
                aboard: reader.get()?,
            },
            4 => Self::Board {
                id: reader.get()?,
                carrier: reader.get()?,
            },
            5 => Self::Dismount { id: reader.get()? },
            6 => Self::Turn {
                id: reader.get()?,
                facing: reader.get()?,
            },
            7 => Self::Flags {
                id: reader.get()?,
                set: CounterFlags::from_bits(reader.get()?),
                clear: CounterFlags::from_bits(reader.get()?),
            },
            8 => Self::Wreck {
                id: reader.get()?,
                burning: reader.get()?,
            },
            9 => Self::Attribute {
                id: reader.get()?,
                name: reader.get()?,
                value: reader.get()?,
            },
            10 => Self::Side {
                id: reader.get()?,
                side: reader.get()?,
            },
            11 => Self::KnownTo {
                id: reader.get()?,
                sides: reader.get()?,
            },
            12 => Self::LayFireLane(reader.get()?),
            13 => Self::LiftFireLane { mg: reader.get()? },
            14 => Self::Ec(reader.get()?),
            other => return Err(CanonError::new(format!("no change is of kind {other}"))),
        })
    }
}
