//! LOS alone: on which lines a plugin speaks, and what it answers in short.

use alamein_plugin_abi::{
    self as abi, SIGHT_ASK, SIGHT_BLOCKED, SIGHT_CLEAR, SIGHT_EVERYTHING, SIGHT_HINDERS,
    SIGHT_HINDERS_ONLY, SIGHT_HINDRANCES_ONLY, SIGHT_JUDGES_HEXES, SIGHT_JUDGES_HEXSIDES,
    SIGHT_LEAVES_HEXSIDES, SIGHT_LIMIT, SIGHT_TELLS_ASIDE,
};
use alamein_terrain::{
    Budget, FeatureError, InShort, LineBatch, Outlook, SightAnswer, class_bit, mark,
};

use crate::batch::Lines;
use crate::call::Failure;
use crate::feature::Instance;
use crate::services;
use crate::texts::Texts;
use crate::watch::Doing;

/// What `survey_sight` fills in.
struct Filled {
    hexes: Vec<u8>,
    counters: u32,
    flags: u32,
}

/// Asks on which lines of sight the plugin speaks, on a map of that many hexes; nothing if it does not
/// say. `made` is what it made of the map.
pub(crate) fn survey(
    instance: &Instance,
    made: abi::Prepared,
    hexes: usize,
) -> Result<Option<Outlook>, FeatureError> {
    let Some(survey) = instance.plugin.table().survey_sight else {
        return Ok(None);
    };
    let texts = Texts::of_errors(&instance.marks);
    let mut filled = Filled {
        hexes: vec![0; hexes],
        counters: 0,
        flags: 0,
    };
    let doing = Doing::SurveySight;
    let status = services::during(&instance.marks, doing, Budget::default(), || {
        let Filled {
            hexes: marks,
            counters,
            flags,
        } = &mut filled;
        let marks = marks.as_mut_ptr();
        // SAFETY: the array has an element for each hex; it and the two places live as long as the call.
        texts.lent(|sink| unsafe { survey(made, marks, hexes, counters, flags, sink) })
    });
    let answers = instance.plugin.table().sight_lines.is_some();
    let (outlook, rubbish) = match outlook_of(filled, answers) {
        Ok(outlook) => (outlook, None),
        Err(rubbish) => (Outlook::default(), Some(rubbish)),
    };
    Failure::of(status, &mut texts.taken(), rubbish, Budget::default())
        .map_err(|failure| instance.failed(failure))?;
    Ok(Some(outlook))
}

/// What the plugin filled in, or what of it makes no sense.
fn outlook_of(filled: Filled, answers: bool) -> Result<Outlook, String> {
    let Filled {
        hexes,
        counters,
        flags,
    } = filled;
    let judges = SIGHT_JUDGES_HEXES | SIGHT_JUDGES_HEXSIDES;
    let known = judges | SIGHT_EVERYTHING | SIGHT_HINDRANCES_ONLY | SIGHT_TELLS_ASIDE;
    let known = known | SIGHT_HINDERS_ONLY | (u32::from(u8::MAX) * SIGHT_LIMIT);
    if flags & !known != 0 {
        return Err(format!("the unknown flags {flags:#x} of sight"));
    }
    let limit = u8::try_from(flags / SIGHT_LIMIT).unwrap_or(0);
    if let Some(marks) = hexes.iter().find(|marks| **marks & !mark::ALL != 0) {
        return Err(format!("the unknown marks {marks:#x} of a hex for sight"));
    }
    let classes = alamein_terrain::CounterClass::ALL;
    let known = classes.iter().fold(0, |all, class| all | class_bit(*class));
    if counters & !known != 0 {
        return Err(format!("the unknown classes {counters:#x} of counters"));
    }
    Ok(Outlook {
        hexes,
        counters,
        judges_hexes: flags & SIGHT_JUDGES_HEXES != 0,
        limit: (limit != 0).then_some(limit),
        judges_hexsides: flags & SIGHT_JUDGES_HEXSIDES != 0,
        everything: flags & SIGHT_EVERYTHING != 0,
        hindrances_only: flags & SIGHT_HINDRANCES_ONLY != 0,
        tells_aside: flags & SIGHT_TELLS_ASIDE != 0 && answers,
        hinders_only: flags & SIGHT_HINDERS_ONLY != 0 && answers,
        answers,
    })
}

/// Has the plugin answer the lines that the batch asks it about.
pub(crate) fn answer(
    instance: &Instance,
    made: abi::Prepared,
    batch: &LineBatch<'_>,
    budget: Budget,
) -> Result<Vec<SightAnswer>, FeatureError> {
    let asked = batch.ask.len();
    let sight_lines = instance.plugin.table().sight_lines;
    let Some(sight_lines) = sight_lines.filter(|_| asked > 0) else {
        return Ok(vec![SightAnswer::ASK; asked]);
    };
    instance.usable()?;
    if budget.exhausted() {
        return Err(instance.failed(Failure::OutOfTime));
    }
    let lines = Lines::new(batch);
    let texts = Texts::of_errors(&instance.marks);
    let mut answers = vec![UNANSWERED; asked];
    let status = services::during(&instance.marks, Doing::AnswerSights, budget, || {
        let answers = answers.as_mut_ptr();
        // SAFETY: there is a place for each line; all arguments live as long as the call.
        texts.lent(|sink| unsafe { sight_lines(made, &lines.view(), answers, sink) })
    });
    let rules = instance.plugin.rules().len();
    let read = |answer| answer_of(answer, rules);
    let read: Result<Vec<SightAnswer>, String> = answers.iter().map(read).collect();
    let (read, rubbish) = match read {
        Ok(read) => (read, None),
        Err(rubbish) => (Vec::new(), Some(rubbish)),
    };
    Failure::of(status, &mut texts.taken(), rubbish, budget)
        .map_err(|failure| instance.failed(failure))?;
    Ok(read)
}

/// What no plugin answers.
const UNANSWERED: abi::SightAnswer = abi::SightAnswer {
    verdict: u32::MAX,
    contested_by: 0,
    hinders: 0,
    sets_aside: 0,
    contested: 0,
};

/// What the plugin answered, which has so many rules; or what of it makes no sense.
fn answer_of(answer: &abi::SightAnswer, rules: usize) -> Result<SightAnswer, String> {
    let abi::SightAnswer {
        verdict,
        contested_by,
        hinders,
        sets_aside,
        contested,
    } = *answer;
    let in_short = match verdict & !SIGHT_LEAVES_HEXSIDES {
        SIGHT_CLEAR => InShort::Clear,
        SIGHT_BLOCKED => InShort::Blocked,
        SIGHT_ASK => InShort::Ask,
        SIGHT_HINDERS => InShort::Hinders,
        _ => return Err(format!("the unknown answer {verdict} of a line of sight")),
    };
    if hinders != 0 && in_short != InShort::Hinders {
        return Err(format!(
            "counters that Hinder a line of sight with the answer {verdict}"
        ));
    }
    let known = |rule: &u16| usize::from(*rule) < rules;
    let rule = u16::try_from(contested_by).ok().filter(known);
    let Some(contested_by) = rule.or((contested == 0).then_some(0)) else {
        return Err(format!(
            "counters on a line of sight that its rule {contested_by} is contested of, and it has {rules}"
        ));
    };
    Ok(SightAnswer {
        verdict: in_short,
        leaves_hexsides: verdict & SIGHT_LEAVES_HEXSIDES != 0,
        hinders,
        sets_aside,
        contested,
        contested_by,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_refused() {
        let of = |hexes: Vec<u8>, counters, flags| {
            outlook_of(
                Filled {
                    hexes,
                    counters,
                    flags,
                },
                true,
            )
        };
        assert!(of(vec![0, 31], 2, 63 | (6 * SIGHT_LIMIT)).is_ok());
        assert!(of(vec![0, 32], 0, 0).unwrap_err().contains("marks 0x20"));
        assert!(of(vec![], 1, 0).unwrap_err().contains("classes 0x1"));
        assert!(of(vec![], 0, 64).unwrap_err().contains("flags 0x40"));
    }

    #[test]
    fn an_answer_is_one_of_four_with_or_without_what_it_leaves() {
        let of = |verdict, hinders| {
            let answer = abi::SightAnswer {
                verdict,
                hinders,
                ..UNANSWERED
            };
            answer_of(&answer, 2)
        };
        let known = (0..=u8::MAX.into()).filter(|verdict| of(*verdict, 0).is_ok());
        assert_eq!(known.collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(answer_of(&UNANSWERED, 2).is_err());
        // Only where it Hinders are there counters that do.
        let hindering = (0..8).filter(|verdict| of(*verdict, 1).is_ok());
        assert_eq!(hindering.collect::<Vec<_>>(), [3, 7]);
        // And what is contested is so by one of its rules.
        let by = |contested_by, contested| {
            let answer = abi::SightAnswer {
                verdict: SIGHT_CLEAR,
                contested_by,
                contested,
                ..UNANSWERED
            };
            answer_of(&answer, 2).is_ok()
        };
        assert!(by(1, 4) && by(7, 0) && !by(2, 4));
    }
}
