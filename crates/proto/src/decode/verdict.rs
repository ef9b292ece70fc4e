//! Verdicts.

use alamein_terrain::{
    Cited, LaneVerdict, LosVerdict, MovementCheck, MovementItem, MovementVerdict, SetUpVerdict,
    TemVerdict, Verdict,
};

use super::ruling::{DecodeError, cited, cost_part, names, number, optional_number, place, word};
use crate::v1::{self, verdict::Verdict as Given};
use crate::within::{Within, each};

type Result<T> = std::result::Result<T, DecodeError>;

pub(crate) fn verdict(given: &v1::Verdict) -> Result<Verdict> {
    match given.verdict.as_ref() {
        None => Err(DecodeError::missing("verdict")),
        Some(Given::LineOfSight(los)) => {
            let los = self::los(los).within(|| "line_of_sight.".into())?;
            Ok(Verdict::LineOfSight(los))
        }
        Some(Given::LineOfFire(fire)) => fire_verdict(fire).within(|| "line_of_fire.".into()),
        Some(Given::FireLane(lane)) => lane_verdict(lane).within(|| "fire_lane.".into()),
        Some(Given::Movement(step)) => {
            let step = movement(step).within(|| "movement.".into())?;
            Ok(Verdict::Movement(step))
        }
        Some(Given::SetUp(given)) => {
            let verdict = setup(given).within(|| "set_up.".into())?;
            Ok(Verdict::SetUp(verdict))
        }
    }
}

fn los(given: &v1::LineOfSightVerdict) -> Result<LosVerdict> {
    Ok(LosVerdict {
        result: word(given.result, "result")?,
        hindrance: optional_number(given.hindrance, "hindrance")?,
        hindering: names(&given.hindering_counter_ids),
        blocked_by: names(&given.blocked_by),
        grazing: given.grazing,
        range: number(given.range, "range")?,
    })
}

fn line(given: Option<&v1::LineOfSightVerdict>) -> Result<LosVerdict> {
    let given = given.ok_or_else(|| DecodeError::missing("line"))?;
    los(given).within(|| "line.".into())
}

fn fire_verdict(given: &v1::LineOfFireVerdict) -> Result<Verdict> {
    let tem = TemVerdict {
        tem: optional_number(given.tem, "tem")?,
        hull_down: given.hull_down,
        open_ground: given.open_ground,
        total_drm: optional_number(given.total_drm, "total_drm")?,
        halved: given.halved,
        morale_drm: optional_number(given.morale_drm, "morale_drm")?,
    };
    Ok(Verdict::LineOfFire(line(given.line.as_ref())?, tem))
}

fn lane_verdict(given: &v1::FireLaneVerdict) -> Result<Verdict> {
    let lane = LaneVerdict {
        on_lane: given.on_lane,
        immune: given.immune,
        attacked: given.attacked,
    };
    Ok(Verdict::FireLane(line(given.line.as_ref())?, lane))
}

fn movement(given: &v1::MovementVerdict) -> Result<MovementVerdict> {
    Ok(MovementVerdict {
        unit: word(given.unit, "unit")?,
        total: optional_number(given.total, "total")?,
        items: each(&given.items, "items", ".", item)?,
        prohibited_by: citations(&given.prohibited_by, "prohibited_by")?,
        checks: each(&given.checks, "checks", ".", check)?,
    })
}

fn setup(given: &v1::SetUpVerdict) -> Result<SetUpVerdict> {
    Ok(SetUpVerdict {
        allowed: given.allowed,
        prohibited_by: citations(&given.prohibited_by, "prohibited_by")?,
        emplacement: match given.emplacement {
            0 => None,
            emplacement => Some(word(emplacement, "emplacement")?),
        },
        emplacement_by: citations(&given.emplacement_by, "emplacement_by")?,
    })
}

fn citations(given: &[v1::Citation], field: &str) -> Result<Vec<Cited>> {
    each(given, field, ".", |by| {
        cited(&by.plugin_id, by.rule.as_ref())
    })
}

pub(crate) fn check(given: &v1::MovementCheck) -> Result<MovementCheck> {
    Ok(MovementCheck {
        by: cited(&given.plugin_id, given.rule.as_ref())?,
        kind: given.what.as_str().into(),
        place: place(given.r#where.as_ref()),
        times: number(given.times, "times")?,
        fails_at: number(given.fails_at_final_dr, "fails_at_final_dr")?,
        drm: optional_number(given.drm, "drm")?,
        modifiers: each(&given.modifiers, "modifiers", ".", |modifier| {
            let by = cited(&modifier.plugin_id, modifier.rule.as_ref())?;
            Ok((by, number(modifier.drm, "drm")?))
        })?,
        fails_at_original: optional_number(given.fails_at_original_dr, "fails_at_original_dr")?,
    })
}

fn item(given: &v1::MovementItem) -> Result<MovementItem> {
    Ok(MovementItem {
        by: cited(&given.plugin_id, given.rule.as_ref())?,
        part: cost_part(given.part, given.floor, "part")?,
        amount: number(given.amount, "amount")?,
        spent_in: place(given.spent_in.as_ref()),
    })
}
