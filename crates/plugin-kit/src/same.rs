//! The same questions, asked again and in other ways.

use alamein_plugin_host::NativePlugin;
use alamein_plugin_host::trial::{Conditions, Trial};

use crate::check::Check;
use crate::exam::{Examiner, Heard, Matter, Said, Scene, Style, Trouble};
use crate::notes::Note;
use crate::options::Set;
use crate::telling::{difference, told, which};
use crate::trials::Tests;

impl Tests<'_> {
    /// Faults the check where two accounts differ. Whether they agree.
    pub(crate) fn compare(&self, check: Check, when: &str, one: &[Heard], other: &[Heard]) -> bool {
        for ((one, other), scene) in one.iter().zip(other).zip(&self.scenes) {
            if let Some(what) = difference(scene, one, other, self.plugin.rules()) {
                self.notes
                    .fault(check, format!("{when} it answers otherwise. {what}"));
                return false;
            }
        }
        true
    }

    /// Asked again, anew, singly, and of everything.
    pub(crate) fn same(&self) {
        if let Err(trouble) = self.try_same() {
            self.notes.fault(Check::Determinism, trouble.to_string());
        }
    }

    fn try_same(&self) -> Result<(), Trouble> {
        let plain = Conditions::default();
        let trial = Trial::of(&self.plugin);
        for set in self.sets.iter().take(3) {
            let (instance, maps) = self.shown(&trial, set, plain)?;
            let first = self.all(&maps, set, Style::Together, plain)?;
            if set.name == self.sets[0].name {
                self.notes.write(&Note::Same(format!("{first:?}")));
            }
            let again = self.all(&maps, set, Style::Together, plain)?;
            let mut same =
                self.compare(Check::Determinism, "Asked the same again,", &first, &again);
            let (other, maps_too) = self.shown(&trial, set, plain)?;
            let anew = self.all(&maps_too, set, Style::Together, plain)?;
            let when = "Made a second time and asked the same,";
            same &= self.compare(Check::Determinism, when, &first, &anew);
            drop((maps_too, other));

            if set.name == self.sets[0].name {
                same &= self.second_load(set, &first)?;
            }
            // Where answers change anyway, no other comparison tells anything.
            if !same {
                return Ok(());
            }
            let back = self.all(&maps, set, Style::Backwards, plain)?;
            let when = "Asked the same in another order,";
            self.compare(Check::Batches, when, &first, &back);
            let single = self.all(&maps, set, Style::OneByOne, plain)?;
            let when = "Asked one by one instead of all at once,";
            self.compare(Check::Batches, when, &first, &single);

            // What it makes of kinds that it knows may be where no plugin would say them.
            let among_strangers = |style| -> Result<Vec<Heard>, Trouble> {
                let examiner = Examiner {
                    strangers: true,
                    ..self.examiner(set, plain)
                };
                let pairs = maps.iter().zip(&self.scenes);
                pairs
                    .map(|(map, scene)| examiner.ask(map, scene, style))
                    .collect()
            };
            let all = among_strangers(Style::Together)?;
            let concerned = among_strangers(Style::Concerned)?;
            self.mask(&all, &concerned);
            drop((maps, instance));
        }
        Ok(())
    }

    fn second_load(&self, set: &Set, first: &[Heard]) -> Result<bool, Trouble> {
        self.notes.doing("opening its library a second time");
        let Ok(plugin) = NativePlugin::load(self.folder) else {
            return Ok(true);
        };
        let trial = Trial::of(&plugin);
        let (_instance, maps) = self.shown(&trial, set, Conditions::default())?;
        let other = self.all(&maps, set, Style::Together, Conditions::default())?;
        let when = "Loaded a second time and asked the same,";
        Ok(self.compare(Check::Determinism, when, first, &other))
    }

    /// What it says where it is asked of everything, and where of what concerns it.
    fn mask(&self, all: &[Heard], concerned: &[Heard]) {
        for ((all, concerned), scene) in all.iter().zip(concerned).zip(&self.scenes) {
            for matter in Matter::BOTH {
                let pairs = all.of(matter).iter().zip(concerned.of(matter)).enumerate();
                let mut differing = pairs.filter(|(_, (one, other))| one != other);
                if let Some((at, (one, other))) = differing.next() {
                    let which = which(scene, matter, at);
                    return self.outside_of_mask(scene, &which, one, other);
                }
            }
        }
    }

    fn outside_of_mask(&self, scene: &Scene, which: &str, one: &Said, other: &Said) {
        let (map, rules) = (scene.shown.name, self.plugin.rules());
        let what = if other.is_nothing() {
            format!("of {which} it says {}", told(one, rules))
        } else {
            format!(
                "of {which} it says {} if it is asked about others too, else {}",
                told(one, rules),
                told(other, rules)
            )
        };
        self.notes.fault(
            Check::Mask,
            format!(
                "on the map `{map}`: {what}; but by its survey that does not concern it, so that the \
                 engine would not ask. Name more in `survey`, or say less"
            ),
        );
    }
}
