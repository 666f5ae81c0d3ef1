//! Names of judges in the lab. A model on two servers counts as two judges.

use koab_core::judge::{Verdict, Verdicts};
use koab_library::questions::prompt_version;
use koab_store::verdicts::VerdictRow;
use koab_workspace::connections::{self, Connection};
use std::collections::BTreeMap;

/// Names judges by the user's connections ([`connections::named`]), for one run and one scorer.
pub(super) struct JudgeNames<'a> {
    connections: &'a [Connection],
    /// Addresses of the connections, by [`prompt_version`]: the hash of prompts and address under
    /// which answers from the address are stored.
    addresses: BTreeMap<String, &'a str>,
}

impl<'a> JudgeNames<'a> {
    /// Creates the names. `prompts` is the text of the judge prompts for the run.
    pub(super) fn new(connections: &'a [Connection], prompts: &str) -> Self {
        let addresses = connections.iter().filter_map(|one| one.base_url.as_deref());
        Self {
            connections,
            addresses: addresses.map(|address| (prompt_version(prompts, Some(address)), address)).collect(),
        }
    }

    /// Names the judge of a stored answer. A judge at an address without a connection keeps its id.
    pub(super) fn name_stored(&self, row: &mut VerdictRow) {
        let address = self.addresses.get(row.version().0).copied();
        row.judge = connections::named(self.connections, &row.judge, address);
    }

    /// Returns the verdicts of a report under the names of its judges, which are at this address.
    pub(super) fn of_report(&self, verdicts: &Verdicts, address: Option<&str>) -> Verdicts {
        verdicts.map(|verdict| Verdict {
            judge: connections::named(self.connections, &verdict.judge, address),
            ..verdict.clone()
        })
    }

    /// Returns the names that belong to the id of a judge. Overrides, and reports without an
    /// address, contain only the id.
    pub(super) fn behind<'n>(&self, id: &str, names: impl Iterator<Item = &'n String>) -> Vec<&'n String> {
        names.filter(|name| connections::id_of(self.connections, name) == id).collect()
    }
}

/// Renames the judges of the lab's verdicts for a scoring, which finds the verdicts of a judge by
/// its model id.
///
/// Verdicts under `name` get `id`, so that the scoring uses them. Verdicts under `id` are from the
/// same model on another server. They get `name`, so that the scoring does not use them.
pub(super) fn as_asked(verdicts: &Verdicts, id: &str, name: &str) -> Verdicts {
    verdicts.map(|verdict| Verdict {
        judge: match verdict.judge.as_str() {
            judge if judge == name => id.to_owned(),
            judge if judge == id => name.to_owned(),
            other => other.to_owned(),
        },
        ..verdict.clone()
    })
}
