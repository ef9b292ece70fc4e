//! Words that the API and the domain both have.

use alamein_terrain::{
    Attack, Concealment, CounterClass, CounterFlags, Emplacement, EnvironmentCondition, FieldKind,
    Fortification, GrazingPolicy, GroundPressure, LaneMover, LosResult, MovementUnit, Munition,
    ReportAs, Way,
};

use crate::v1;

/// A word of the domain that the API has as an enum. The API's zero says that none was chosen.
pub(crate) trait Word: Sized {
    /// The number that the API has for it.
    fn number(self) -> i32;

    /// The word of a number; nothing for zero and for numbers that mean nothing.
    fn of_number(number: i32) -> Option<Self>;
}

macro_rules! words {
    ($($word:ident = $wire:ident { $($name:ident)* })*) => {$(
        impl Word for $word {
            fn number(self) -> i32 {
                match self {
                    $(Self::$name => v1::$wire::$name as i32,)*
                }
            }

            fn of_number(number: i32) -> Option<Self> {
                match v1::$wire::try_from(number).ok()? {
                    v1::$wire::Unspecified => None,
                    $(v1::$wire::$name => Some(Self::$name),)*
                }
            }
        }
    )*};
}

words! {
    CounterClass = CounterClass {
        Squad HalfSquad Leader Crew Gun Cavalry Wagon Motorcycle ArmoredCar Tank Halftrack Truck
        Wreck
    }
    EnvironmentCondition = EnvironmentCondition { Dry Moist Wet Mud Snow }
    GrazingPolicy = GrazingPolicy { Either Both NeitherIfGrazing }
    Attack = AttackKind { Direct Mortar Oba }
    LaneMover = LaneMover { Infantry Cavalry Vehicle VulnerablePrc }
    GroundPressure = GroundPressure { Low Normal High }
    LosResult = LineOfSightResult { Clear Hindered Blocked }
    MovementUnit = MovementUnit { Mf Mp }
    ReportAs = ReportValue { Flag Best Item Unknown Check }
    FieldKind = LayerFieldKind { Hexes Hexsides HexValues HexsideValues }
    Fortification = Fortification { Foxhole Trench Pillbox Sangar Wire Mines }
    Emplacement = Emplacement { NotEmplaced Emplaced UnlessRecorded }
}

/// A way is open where the API says none.
impl Word for Way {
    fn number(self) -> i32 {
        let way = match self {
            Self::Open => v1::Way::Unspecified,
            Self::Track => v1::Way::Track,
            Self::Road => v1::Way::Road,
        };
        way.into()
    }

    fn of_number(number: i32) -> Option<Self> {
        match v1::Way::try_from(number).ok()? {
            v1::Way::Unspecified => None,
            v1::Way::Track => Some(Self::Track),
            v1::Way::Road => Some(Self::Road),
        }
    }
}

/// A shot is made of nothing that terrain asks about where the API says none.
impl Word for Munition {
    fn number(self) -> i32 {
        let munition = match self {
            Self::Other => v1::Munition::Unspecified,
            Self::He => v1::Munition::He,
            Self::Bombardment => v1::Munition::Bombardment,
        };
        munition.into()
    }

    fn of_number(number: i32) -> Option<Self> {
        match v1::Munition::try_from(number).ok()? {
            v1::Munition::Unspecified => None,
            v1::Munition::He => Some(Self::He),
            v1::Munition::Bombardment => Some(Self::Bombardment),
        }
    }
}

/// A unit is seen as it is where the API says nothing else.
impl Word for Concealment {
    fn number(self) -> i32 {
        let concealment = match self {
            Self::Unconcealed => v1::Concealment::Unspecified,
            Self::Concealed => v1::Concealment::Concealed,
            Self::Hidden => v1::Concealment::Hidden,
        };
        concealment.into()
    }

    fn of_number(number: i32) -> Option<Self> {
        match v1::Concealment::try_from(number).ok()? {
            v1::Concealment::Unspecified => None,
            v1::Concealment::Concealed => Some(Self::Concealed),
            v1::Concealment::Hidden => Some(Self::Hidden),
        }
    }
}

/// The flags of a counter.
pub(crate) const FLAGS: [(v1::CounterFlag, CounterFlags); 8] = [
    (v1::CounterFlag::Entrenched, CounterFlags::ENTRENCHED),
    (v1::CounterFlag::Emplaced, CounterFlags::EMPLACED),
    (v1::CounterFlag::CrewExposed, CounterFlags::CREW_EXPOSED),
    (v1::CounterFlag::Burning, CounterFlags::BURNING),
    (v1::CounterFlag::InMotion, CounterFlags::IN_MOTION),
    (v1::CounterFlag::Abandoned, CounterFlags::ABANDONED),
    (v1::CounterFlag::DugIn, CounterFlags::DUG_IN),
    (v1::CounterFlag::Unarmored, CounterFlags::UNARMORED),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_of_either_side_is_there() {
        let mut all = CounterFlags::none();
        for (_, flag) in FLAGS {
            all = all.and(flag);
        }
        assert_eq!(all, CounterFlags::from_bits(u32::MAX));
        for number in 1..=64 {
            if let Ok(flag) = v1::CounterFlag::try_from(number) {
                assert!(FLAGS.iter().any(|(known, _)| *known == flag), "{flag:?}");
            }
        }
    }
}
