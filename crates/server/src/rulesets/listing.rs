//! Rulesets as they are listed: the house's that are held, then those that are kept.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use alamein_proto::v1;
use alamein_rulesets::{Revision, RulesetSpec};
use alamein_store::Tenant;
use alamein_terrain::Digest;

use super::telling;
use crate::fault::Fault;
use crate::pins::{Kept, Labels};
use crate::service::{Service, page_after};

/// Where a list goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    /// Behind the house's revision of this number.
    Held(u64),
    /// Behind this one of the tenant's.
    Own(Option<Digest>),
    /// Behind this one that is kept of the house's.
    House(Option<Digest>),
}

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, of) = match self {
            Self::Held(number) => return write!(f, "{number}"),
            Self::Own(of) => ("own", of),
            Self::House(of) => ("house", of),
        };
        let of = of.map(|of| of.to_string()).unwrap_or_default();
        write!(f, "{word}-{of}")
    }
}

impl FromStr for After {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let Some((word, of)) = text.split_once('-') else {
            return text.parse().map(Self::Held).map_err(drop);
        };
        let of = match of {
            "" => None,
            of => Some(of.parse().map_err(drop)?),
        };
        match word {
            "own" => Ok(Self::Own(of)),
            "house" => Ok(Self::House(of)),
            _ => Err(()),
        }
    }
}

impl Service {
    /// A page of the revisions that a tenant may ask for.
    pub(super) async fn list(
        &self,
        tenant: &Tenant,
        request: &v1::ListRulesetsRequest,
    ) -> Result<v1::ListRulesetsResponse, Fault> {
        let (size, after) = page_after::<After>(request.page_size, &request.page_token)?;
        let labels = self.pins.labels(tenant).await?;
        let mut rulesets = Vec::new();
        let mut at = Some(after.unwrap_or(After::Held(0)));
        while let Some(now) = at.filter(|_| rulesets.len() < size) {
            let most = size - rulesets.len();
            at = match now {
                After::Held(number) => {
                    self.held(tenant, &labels, number, most, &mut rulesets)
                        .await?
                }
                After::Own(after) => {
                    let kept = self.pins.kept_of(tenant, after, most).await?;
                    let last = kept.last().filter(|_| kept.len() == most);
                    let next =
                        last.map_or(After::House(None), |it| After::Own(Some(it.fingerprint)));
                    self.kept(tenant, &labels, kept, &mut rulesets).await?;
                    Some(next)
                }
                After::House(after) => {
                    let mut kept = self.pins.kept_of(&Tenant::house(), after, most).await?;
                    let last = kept.last().filter(|_| kept.len() == most);
                    let next = last.map(|it| After::House(Some(it.fingerprint)));
                    // What is the tenant's too was told.
                    let mut own = Vec::new();
                    for it in &kept {
                        own.push(self.pins.has(tenant, it.fingerprint).await?);
                    }
                    let mut own = own.into_iter();
                    kept.retain(|_| !own.next().unwrap_or_default());
                    self.kept(tenant, &labels, kept, &mut rulesets).await?;
                    next
                }
            };
        }
        Ok(v1::ListRulesetsResponse {
            rulesets,
            next_page_token: at.map(|at| at.to_string()).unwrap_or_default(),
        })
    }

    /// Those of the house that are held, in the order in which names came to mean them.
    async fn held(
        &self,
        tenant: &Tenant,
        labels: &Labels,
        after: u64,
        most: usize,
        rulesets: &mut Vec<v1::RulesetSummary>,
    ) -> Result<Option<After>, Fault> {
        let snapshot = &labels.snapshot;
        let all = snapshot.revisions().values();
        let numbered = all.filter_map(|revision| {
            let number = snapshot.named_number(revision.fingerprint())?;
            (number > after).then_some((number, revision))
        });
        let mut all: Vec<(u64, &Arc<Revision>)> = numbered.collect();
        all.sort_by_key(|(number, _)| *number);
        let more = all.len() > most;
        all.truncate(most);
        let last = all.last().map(|(number, _)| *number);
        for (_, revision) in all {
            let title = self
                .title_of(tenant, labels, revision.fingerprint())
                .await?;
            let origin = telling::origin(revision);
            rulesets.push(telling::summary(labels, revision, title, origin));
        }
        Ok(Some(match last.filter(|_| more) {
            Some(last) => After::Held(last),
            None => After::Own(None),
        }))
    }

    /// Those that are kept, but for what was told of the house's.
    async fn kept(
        &self,
        tenant: &Tenant,
        labels: &Labels,
        kept: Vec<Kept>,
        rulesets: &mut Vec<v1::RulesetSummary>,
    ) -> Result<(), Fault> {
        for kept in kept {
            let held = labels.snapshot.revisions().get(&kept.fingerprint);
            if held.is_some() && labels.snapshot.was_named(kept.fingerprint) {
                continue;
            }
            let title = self.title_of(tenant, labels, kept.fingerprint).await?;
            rulesets.push(match held {
                Some(revision) => {
                    telling::summary(labels, revision, title, telling::origin(revision))
                }
                None => telling::summary_of_kept(labels, &kept, title),
            });
        }
        Ok(())
    }

    /// The title of the name that stands for a revision.
    pub(super) async fn title_of(
        &self,
        tenant: &Tenant,
        labels: &Labels,
        fingerprint: Digest,
    ) -> Result<String, Fault> {
        let spec = self.named_spec(tenant, labels, fingerprint, "").await?;
        Ok(spec.map(|spec| spec.title).unwrap_or_default())
    }

    /// A revision with its names, tags and what it is made of.
    pub(super) async fn told(
        &self,
        tenant: &Tenant,
        revision: &Revision,
        asked: &str,
    ) -> Result<v1::Ruleset, Fault> {
        let labels = self.pins.labels(tenant).await?;
        let named = self.named_spec(tenant, &labels, revision.fingerprint(), asked);
        let spec = named.await?.unwrap_or_else(|| revision.pinned(""));
        let origin = telling::origin(revision);
        Ok(telling::ruleset(&labels, revision, &spec, origin))
    }

    /// What a revision is made of: what the name says that was asked for, or the first that stands for it; or
    /// else each plugin in its very version and build.
    pub(super) async fn spec_of(
        &self,
        tenant: &Tenant,
        revision: &Revision,
        asked: &str,
    ) -> Result<RulesetSpec, Fault> {
        let labels = self.pins.labels(tenant).await?;
        let named = self.named_spec(tenant, &labels, revision.fingerprint(), asked);
        Ok(named.await?.unwrap_or_else(|| revision.pinned("")))
    }

    async fn named_spec(
        &self,
        tenant: &Tenant,
        labels: &Labels,
        fingerprint: Digest,
        asked: &str,
    ) -> Result<Option<RulesetSpec>, Fault> {
        let Some(name) = telling::name_of(labels, fingerprint, asked) else {
            return Ok(None);
        };
        if let Some(id) = labels.spec_of(&name) {
            return self.pins.spec(tenant, id).await;
        }
        let named = labels.snapshot.names().get(&name);
        Ok(named.map(|named| (*named.spec).clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_goes_on_where_it_was() {
        let some = Some(Digest::of(b"rules"));
        for after in [
            After::Held(7),
            After::Own(None),
            After::Own(some),
            After::House(None),
            After::House(some),
        ] {
            assert_eq!(after.to_string().parse(), Ok(after));
        }
        for wrong in ["x", "own", "own-x", "tag-", "-1"] {
            assert_eq!(wrong.parse::<After>(), Err(()), "{wrong}");
        }
    }
}
