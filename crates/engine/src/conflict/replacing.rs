//! Which rule replaces which.

use std::collections::BTreeMap;

use alamein_terrain::{Cited, Replaced, Replacements};

use super::find::Candidate;
use super::{Conflict, circle, nearest};

/// Reads out of the manifests which rules are replaced, with all that is wrong with that.
pub(crate) fn read(plugins: &[Candidate<'_>]) -> (Vec<Conflict>, Replacements) {
    let mut reader = Reader {
        plugins,
        replaced: BTreeMap::new(),
        conflicts: Vec::new(),
    };
    for (feature, plugin) in plugins.iter().enumerate() {
        for (rule, id) in plugin.rules.iter().enumerate() {
            let spec = plugin.manifest.rule(id);
            for replaced in spec.into_iter().flat_map(|spec| &spec.replaces) {
                reader.read((feature, rule), replaced);
            }
        }
    }
    reader.done()
}

/// A rule by the places of its plugin and of itself.
type At = (usize, usize);

struct Reader<'a> {
    plugins: &'a [Candidate<'a>],
    /// For each rule that is replaced, those that replace it.
    replaced: BTreeMap<At, Vec<At>>,
    conflicts: Vec<Conflict>,
}

impl Reader<'_> {
    fn read(&mut self, by: At, replaced: &Replaced) {
        let named = self.named(by, replaced);
        if named.is_empty() {
            let conflict = Conflict::UnknownRule {
                by: self.cite(by),
                replaces: replaced.to_string(),
                did_you_mean: self.like(by, replaced),
            };
            self.conflicts.push(conflict);
        }
        let mut plugins: Vec<&str> = named.iter().map(|rule| self.id(rule.0)).collect();
        plugins.sort_unstable();
        plugins.dedup();
        if plugins.len() > 1 && !replaced.is_number() {
            let conflict = Conflict::AmbiguousRule {
                by: self.cite(by),
                replaces: replaced.to_string(),
                plugins: plugins.into_iter().map(str::to_owned).collect(),
            };
            return self.conflicts.push(conflict);
        }
        for rule in named {
            let those = self.replaced.entry(rule).or_default();
            if !those.contains(&by) {
                those.push(by);
            }
        }
    }

    /// The rules that are meant: those of other plugins, and only where none has one so called, its
    /// own plugin's.
    fn named(&self, by: At, replaced: &Replaced) -> Vec<At> {
        let all = |own: bool| -> Vec<At> {
            let plugins = self.plugins.iter().enumerate();
            let plugins = plugins.filter(|(_, plugin)| match &replaced.plugin {
                Some(id) => *id == plugin.manifest.id,
                None => (plugin.manifest.id == self.id(by.0)) == own,
            });
            let rules = plugins.flat_map(|(feature, plugin)| {
                let rules = plugin.rules.iter().enumerate();
                let named = rules.filter(|(_, rule)| replaced.names(rule));
                named.map(move |(rule, _)| (feature, rule))
            });
            rules.collect()
        };
        let others = all(false);
        if others.is_empty() { all(true) } else { others }
    }

    /// A rule that may be meant.
    fn like(&self, by: At, replaced: &Replaced) -> Option<String> {
        let others = self
            .plugins
            .iter()
            .filter(|p| p.manifest.id != self.id(by.0));
        let names: Vec<String> = others
            .flat_map(|plugin| {
                plugin.rules.iter().map(|rule| {
                    let number = rule.split('/').next().unwrap_or(rule);
                    let rule = if replaced.is_number() { number } else { rule };
                    match &replaced.plugin {
                        Some(_) => format!("{}:{rule}", plugin.manifest.id),
                        None => rule.to_owned(),
                    }
                })
            })
            .collect();
        let names = names.iter().map(String::as_str);
        nearest(&replaced.to_string(), names).map(str::to_owned)
    }

    fn id(&self, plugin: usize) -> &str {
        &self.plugins[plugin].manifest.id
    }

    fn cite(&self, (plugin, rule): At) -> Cited {
        Cited {
            plugin: self.id(plugin).into(),
            rule: self.plugins[plugin].rules[rule].as_str().into(),
        }
    }

    fn done(mut self) -> (Vec<Conflict>, Replacements) {
        for (rule, by) in &self.replaced {
            let mut by: Vec<Cited> = by.iter().map(|by| self.cite(*by)).collect();
            by.sort();
            by.dedup();
            for pair in by.windows(2) {
                self.conflicts.push(Conflict::ReplacedTwice {
                    replaced: self.cite(*rule),
                    one: pair[0].clone(),
                    other: pair[1].clone(),
                });
            }
        }
        for circle in circle::all(&self.replaced) {
            let mut rules: Vec<Cited> = circle.into_iter().map(|rule| self.cite(rule)).collect();
            // It is told from the same rule in whichever order the plugins come.
            let first = (0..rules.len()).min_by_key(|at| &rules[*at]);
            rules.rotate_left(first.unwrap_or_default());
            self.conflicts.push(Conflict::Circle { rules });
        }
        let small =
            |(plugin, rule): At| Some((u16::try_from(plugin).ok()?, u16::try_from(rule).ok()?));
        let one = |(rule, by): (&At, &Vec<At>)| Some((small(*rule)?, small(*by.first()?)?));
        let replacements = self.replaced.iter().filter_map(one).collect();
        (self.conflicts, replacements)
    }
}
