//! What manifests say of rules: titles, templates, the names of items.

use std::collections::BTreeMap;

use alamein_terrain::{Cited, Manifest, PlaceName, ReportAs, RuleSpec};

use crate::v1::{self, message_param::Value};

/// The rules of a ruleset, as their manifests have them. Rulings name rules by their ids; this
/// knows the rest. A rule that it does not know is sent with its id alone.
#[derive(Clone, Debug, Default)]
pub struct RuleBook {
    plugins: BTreeMap<String, BTreeMap<String, Page>>,
}

/// A rule, and what its message is filled with.
#[derive(Clone, Debug)]
struct Page {
    rule: RuleSpec,
    params: Vec<String>,
}

impl Page {
    fn of(rule: &RuleSpec) -> Self {
        Self {
            params: names(&rule.message)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            rule: rule.clone(),
        }
    }
}

impl RuleBook {
    /// The book of these plugins' rules.
    #[must_use]
    pub fn new<'a>(manifests: impl Iterator<Item = &'a Manifest>) -> Self {
        let rule = |rule: &RuleSpec| (rule.id.clone(), Page::of(rule));
        let plugin = |manifest: &Manifest| {
            let rules = manifest.rules.iter().map(rule).collect();
            (manifest.id.clone(), rules)
        };
        Self {
            plugins: manifests.map(plugin).collect(),
        }
    }

    fn page(&self, by: &Cited) -> Option<&Page> {
        self.plugins.get(&*by.plugin)?.get(&*by.rule)
    }

    fn rule(&self, by: &Cited) -> Option<&RuleSpec> {
        self.page(by).map(|page| &page.rule)
    }

    /// What is said of a rule where it is cited.
    pub(crate) fn reference(&self, by: &Cited) -> v1::RuleRef {
        let rule = self.rule(by);
        let keys = rule.map(|rule| rule.reports.iter().map(|report| report.key.clone()));
        v1::RuleRef {
            id: by.rule.as_str().to_owned(),
            number: by.number().to_owned(),
            title: rule.map(|rule| rule.title.clone()).unwrap_or_default(),
            report_keys: keys.map(Iterator::collect).unwrap_or_default(),
        }
    }

    /// The name of an item of a step's cost: that by which reports file it, or the name of the
    /// effect in its rule's id.
    pub(crate) fn item(&self, by: &Cited) -> String {
        let reports = self.rule(by).map(|rule| rule.reports.as_slice());
        let mut reports = reports.unwrap_or_default().iter();
        match reports.find(|report| report.how == ReportAs::Item) {
            Some(report) => report.key.clone(),
            None => {
                let id = &by.rule;
                id.split_once('/')
                    .map_or(&**id, |(_, name)| name)
                    .to_owned()
            }
        }
    }

    /// What a rule says, with what fills its template.
    pub(crate) fn message(
        &self,
        by: &Cited,
        place: &PlaceName,
        subject: Option<&str>,
        value: Option<Value>,
        text: &str,
    ) -> v1::Message {
        let page = self.page(by);
        let fill = |name: &str| match name {
            "place" => place_value(place),
            "subject" => subject.map(|subject| Value::CounterId(subject.to_owned())),
            "value" => value.clone(),
            _ => None,
        };
        let param = |name: &String| {
            let value = fill(name)?;
            Some(v1::MessageParam {
                name: name.clone(),
                value: Some(value),
            })
        };
        let params = page.map(|page| page.params.iter().filter_map(param).collect());
        v1::Message {
            params: params.unwrap_or_default(),
            template: page.map_or_else(String::new, |page| page.rule.message.clone()),
            text: text.to_owned(),
        }
    }

    /// What a rule says as it sets something aside. Rulings only cite it, so the words are made
    /// here.
    pub(crate) fn objection(
        &self,
        by: &Cited,
        place: &PlaceName,
        subject: Option<&str>,
    ) -> v1::Message {
        let place_text = match place {
            PlaceName::Whole => "",
            PlaceName::Hex(name) | PlaceName::Hexside(name) => name,
        };
        let text = self
            .template(by)
            .replace("{place}", place_text)
            .replace("{subject}", subject.unwrap_or("the unit"))
            .replace("{value}", "");
        self.message(by, place, subject, None, &text)
    }

    fn template(&self, by: &Cited) -> &str {
        self.rule(by).map_or("", |rule| &rule.message)
    }
}

fn place_value(place: &PlaceName) -> Option<Value> {
    match place {
        PlaceName::Whole => None,
        PlaceName::Hex(name) => Some(Value::Hex(name.as_str().to_owned())),
        PlaceName::Hexside(name) => Some(Value::Hexside(name.as_str().to_owned())),
    }
}

/// The names between the braces of a template, each once, in the order in which they first stand.
fn names(template: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for part in template.split('{').skip(1) {
        if let Some((name, _)) = part.split_once('}')
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_in_the_order_of_the_template() {
        assert_eq!(names("{value} in {place}: {value}, {"), ["value", "place"]);
        assert!(names("nothing to fill } in").is_empty());
    }

    #[test]
    fn an_unknown_rule_is_sent_with_its_id_alone() {
        let by = Cited {
            plugin: "fog".into(),
            rule: "X9.1/name".into(),
        };
        let book = RuleBook::default();
        let reference = book.reference(&by);
        assert_eq!((&*reference.id, &*reference.number), ("X9.1/name", "X9.1"));
        assert_eq!(book.item(&by), "name");
        let message = book.message(&by, &PlaceName::Whole, None, None, "said");
        assert_eq!((&*message.template, &*message.text), ("", "said"));
    }
}
