//! The names of judges in the lab: two servers that serve one model are two judges.

use crate::scoring::questions::prompt_version;
use koab_core::judge::{Verdict, Verdicts};
use koab_store::verdicts::VerdictRow;
use koab_workspace::connections::{self, Connection};
use std::collections::BTreeMap;

/// Names judges by the user's connections ([`connections::named`]), of one run under one scorer.
pub(super) struct JudgeNames<'a> {
    connections: &'a [Connection],
    /// The connections' addresses, by what answers from there are kept under.
    addresses: BTreeMap<String, &'a str>,
}

impl<'a> JudgeNames<'a> {
    /// `prompts` is the text of the prompts that the run's judges are asked with.
    pub(super) fn new(connections: &'a [Connection], prompts: &str) -> Self {
        let addresses = connections.iter().filter_map(|one| one.base_url.as_deref());
        Self {
            connections,
            addresses: addresses.map(|address| (prompt_version(prompts, Some(address)), address)).collect(),
        }
    }

    /// Names the judge of a stored answer; one from an address without a connection keeps its id.
    pub(super) fn name_stored(&self, row: &mut VerdictRow) {
        let version = row.prompt_version.rsplit_once('#');
        let version = version.map_or(row.prompt_version.as_str(), |(version, _vote)| version);
        let address = self.addresses.get(version).copied();
        row.judge = connections::named(self.connections, &row.judge, address);
    }

    /// The verdicts of a report whose judges answered at this address, under their names.
    pub(super) fn of_report(&self, said: &Verdicts, address: Option<&str>) -> Verdicts {
        said.map(|verdict| Verdict {
            judge: connections::named(self.connections, &verdict.judge, address),
            ..verdict.clone()
        })
    }

    /// Those of these names that stand for a judge's id, which is how people's word and reports
    /// without an address name it.
    pub(super) fn behind<'n>(&self, id: &str, names: impl Iterator<Item = &'n String>) -> Vec<&'n String> {
        names.filter(|name| connections::id_of(self.connections, name) == id).collect()
    }
}

/// Verdicts of the lab as a scoring of the judge with this id takes them, whose name is `name`:
/// what another server under the id said is not its.
pub(super) fn as_asked(said: &Verdicts, id: &str, name: &str) -> Verdicts {
    said.map(|verdict| Verdict {
        judge: match verdict.judge.as_str() {
            judge if judge == name => id.to_owned(),
            judge if judge == id => name.to_owned(),
            other => other.to_owned(),
        },
        ..verdict.clone()
    })
}
