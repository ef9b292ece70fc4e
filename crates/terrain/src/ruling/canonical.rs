//! The canonical form of a ruling. Texts for people are left out: they follow from the rest.

use super::{
    Cited, ContestedOption, Crossed, FoundEffect, FoundFact, Grazing, IgnoredLayer, LosVerdict,
    MovementCheck, MovementItem, PlaceName, RuledFinding, RuledObservation, Ruling, Verdict,
};
use crate::canon::{Canon, Canonical};
use crate::counter::MovementUnit;
use crate::saying::CostPart;

impl Canonical for Cited {
    fn write(&self, canon: &mut Canon) {
        canon.text(&self.plugin).text(&self.rule);
    }
}

impl Canonical for PlaceName {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::Whole => canon.int(0),
            Self::Hex(name) => canon.int(1).text(name),
            Self::Hexside(name) => canon.int(2).text(name),
        };
    }
}

impl Canonical for CostPart {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::Cot => canon.int(1),
            Self::Surcharge => canon.int(2),
            Self::Reduction { floor } => canon.int(3).int(*floor),
        };
    }
}

impl Canonical for FoundFact {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::Obstacle {
                kind,
                height,
                inherent,
            } => canon.int(1).text(kind).int(*height).put(*inherent),
            Self::Hindrance { kind, drm } => canon.int(2).text(kind).int(*drm),
            Self::Mark { kind, value } => canon.int(3).text(kind).int(*value),
            Self::Cost { part, amount } => canon.int(4).put(part).int(*amount),
            Self::Check {
                kind,
                fails_at,
                times,
                order,
            } => canon
                .int(5)
                .text(kind)
                .int(*fails_at)
                .int(*times)
                .int(*order),
            Self::CheckDrm { kind, drm } => canon.int(6).text(kind).int(*drm),
        };
    }
}

impl Canonical for FoundEffect {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::Blocks => canon.int(1),
            Self::Tem { group, drm } => canon.int(2).text(group).int(*drm),
            Self::HullDown => canon.int(3),
            Self::OnLane => canon.int(4),
            Self::Immune => canon.int(5),
            Self::OpenGround => canon.int(6),
            Self::NotOpenGround => canon.int(7),
            Self::Cap { max } => canon.int(8).int(*max),
            Self::Limit { at } => canon.int(9).int(*at),
            Self::Prohibited => canon.int(10),
            Self::NotCovered => canon.int(11),
            Self::Considered => canon.int(12),
            Self::Halved => canon.int(13),
            Self::MoraleDrm { drm } => canon.int(14).int(*drm),
            Self::Allowed => canon.int(15),
            Self::Emplaced => canon.int(16),
            Self::MayBeUnemplaced => canon.int(17),
        };
    }
}

impl Canonical for RuledObservation {
    fn write(&self, canon: &mut Canon) {
        canon
            .put(&self.by)
            .put(&self.fact)
            .put(&self.place)
            .option(self.subject.as_ref())
            .put(self.hypothetical)
            .list(self.set_aside_by.iter());
    }
}

impl Canonical for RuledFinding {
    fn write(&self, canon: &mut Canon) {
        canon
            .put(&self.by)
            .put(&self.effect)
            .put(&self.place)
            .option(self.subject.as_ref())
            .put(self.standing)
            .option(self.replaced_by.as_ref())
            .list(self.cites.iter());
    }
}

impl Canonical for LosVerdict {
    fn write(&self, canon: &mut Canon) {
        canon
            .int(self.result as u8)
            .option(self.hindrance)
            .list(self.hindering.iter())
            .list(self.blocked_by.iter())
            .put(self.grazing)
            .int(self.range);
    }
}

impl Canonical for MovementItem {
    fn write(&self, canon: &mut Canon) {
        canon
            .put(&self.by)
            .put(self.part)
            .int(self.amount)
            .put(&self.spent_in);
    }
}

impl Canonical for MovementCheck {
    fn write(&self, canon: &mut Canon) {
        canon
            .put(&self.by)
            .text(&self.kind)
            .put(&self.place)
            .int(self.times)
            .int(self.fails_at)
            .option(self.drm)
            .list(self.modifiers.iter().map(|(by, drm)| (by, *drm)))
            .option(self.fails_at_original);
    }
}

impl Canonical for Verdict {
    fn write(&self, canon: &mut Canon) {
        match self {
            Self::LineOfSight(los) => canon.int(1).put(los),
            Self::LineOfFire(los, tem) => canon
                .int(2)
                .put(los)
                .option(tem.tem)
                .option(tem.hull_down)
                .option(tem.open_ground)
                .option(tem.total_drm)
                .option(tem.halved)
                .option(tem.morale_drm),
            Self::FireLane(los, lane) => canon
                .int(3)
                .put(los)
                .put(lane.on_lane)
                .put(lane.immune)
                .put(lane.attacked),
            Self::Movement(step) => canon
                .int(4)
                .put(step.unit == MovementUnit::Mp)
                .option(step.total)
                .list(step.items.iter())
                .list(step.checks.iter())
                .list(step.prohibited_by.iter()),
            Self::SetUp(setup) => canon
                .int(5)
                .option(setup.allowed)
                .list(setup.prohibited_by.iter())
                .option(setup.emplacement.map(|emplacement| emplacement as u8))
                .list(setup.emplacement_by.iter()),
        };
    }
}

impl Canonical for Crossed {
    fn write(&self, canon: &mut Canon) {
        canon.text(&self.from).text(&self.to);
    }
}

impl Canonical for Grazing {
    fn write(&self, canon: &mut Canon) {
        canon
            .put(self.grazes)
            .list(self.touched.iter())
            .list(self.along.iter())
            .list(self.through.iter());
        canon.int(self.readings.len() as i64);
        for reading in &self.readings {
            canon.list(reading.iter());
        }
    }
}

impl Canonical for ContestedOption {
    fn write(&self, canon: &mut Canon) {
        canon.put(&self.by).text(&self.option).text(&self.value);
    }
}

impl Canonical for IgnoredLayer {
    fn write(&self, canon: &mut Canon) {
        canon.text(&self.layer).put(self.met);
    }
}

impl Canonical for Ruling {
    fn write(&self, canon: &mut Canon) {
        canon
            .put(self.id)
            .put(self.rules)
            .put(self.position)
            .int(self.policy as u32)
            .put(&self.verdict)
            .list(self.observations.iter())
            .list(self.findings.iter())
            .list(self.considered.iter())
            .list(self.contested.iter())
            .put(&self.grazing)
            .list(self.ignored.iter());
    }
}
