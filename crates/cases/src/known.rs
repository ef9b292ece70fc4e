//! What the manifests of the loaded plugins say about case files.

use std::collections::{BTreeMap, BTreeSet};

use alamein_terrain::{Cited, LayerSpec, Manifest, Report, ReportAs};

/// What is known of layers, and of the keys by which cases report what rules found.
#[derive(Clone, Debug, Default)]
pub struct Known {
    layers: BTreeMap<String, LayerSpec>,
    reports: BTreeMap<(String, String), Vec<Report>>,
    keys: BTreeMap<String, BTreeSet<How>>,
}

/// [`ReportAs`], in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum How {
    Flag,
    Best,
    Unknown,
    Check,
}

impl Known {
    /// What these manifests say. Their order means nothing.
    #[must_use]
    pub fn of<'a>(manifests: impl IntoIterator<Item = &'a Manifest>) -> Self {
        let mut known = Self::default();
        for manifest in manifests {
            for layer in &manifest.layers {
                known.layers.insert(layer.name.clone(), layer.clone());
            }
            for rule in &manifest.rules {
                for report in &rule.reports {
                    known.add_key(report);
                }
                let rule_of = (manifest.id.clone(), rule.id.clone());
                known.reports.insert(rule_of, rule.reports.clone());
            }
        }
        known
    }

    fn add_key(&mut self, report: &Report) {
        let how = match report.how {
            ReportAs::Flag => How::Flag,
            ReportAs::Best => How::Best,
            ReportAs::Unknown => How::Unknown,
            ReportAs::Check => How::Check,
            ReportAs::Item => return,
        };
        self.keys.entry(report.key.clone()).or_default().insert(how);
    }

    /// What is said of a layer, if a plugin owns it.
    #[must_use]
    pub fn layer(&self, name: &str) -> Option<&LayerSpec> {
        self.layers.get(name)
    }

    /// The layers that plugins own, by name.
    pub fn layers(&self) -> impl Iterator<Item = &LayerSpec> {
        self.layers.values()
    }

    /// The keys that some rule reports, items left out, and how its value comes about.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (&str, &BTreeSet<How>)> {
        self.keys.iter().map(|(key, how)| (key.as_str(), how))
    }

    /// What a rule reports.
    pub(crate) fn reports(&self, by: &Cited) -> &[Report] {
        let rule = (by.plugin.to_string(), by.rule.to_string());
        self.reports
            .get(&rule)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// What a rule calls an item of cost: its own word, or the rule's id if it has none.
    #[must_use]
    pub fn item<'a>(&'a self, by: &'a Cited) -> &'a str {
        let item = |report: &&Report| report.how == ReportAs::Item;
        let reported = self.reports(by).iter().find(item);
        reported.map_or(&*by.rule, |report| report.key.as_str())
    }
}
