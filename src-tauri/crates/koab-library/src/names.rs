//! Display names of models. A model at an address has the same name everywhere in the program.

use crate::Library;
use crate::wire::{JudgeEstimate, ReportRow};
use koab_core::run_record::RunManifest;
use koab_store::runs;
use koab_workspace::WireError;
use koab_workspace::connections::{self, Connection};

/// Replaces a model id by the model's display name. If a connection has the model's address, the
/// name contains the connection, and the address is removed.
pub(crate) fn name(connections: &[Connection], model: &mut String, address: &mut Option<String>) {
    let display_name = connections::named(connections, model, address.as_deref());
    if display_name != *model {
        (*model, *address) = (display_name, None);
    }
}

/// Replaces the ids of judges by display names, like [`name`]. The address remains if a judge has
/// no connection.
pub(crate) fn name_judges(connections: &[Connection], judges: &mut [String], address: &mut Option<String>) {
    let mut are_named = !judges.is_empty();
    for judge in judges {
        let display_name = connections::named(connections, judge, address.as_deref());
        are_named &= display_name != *judge;
        *judge = display_name;
    }
    if are_named {
        *address = None;
    }
}

impl Library {
    /// Returns the user's connections, which are part of display names. If they cannot be read,
    /// returns none, so that lists are still shown.
    pub fn connections(&self) -> Vec<Connection> {
        self.workspace.connections().unwrap_or_default()
    }

    /// Returns the display name of a model at an address, see [`connections::named`].
    pub fn model_name(&self, model: &str, base_url: Option<&str>) -> String {
        match base_url {
            Some(_) => connections::named(&self.connections(), model, base_url),
            None => model.to_owned(),
        }
    }

    /// Returns the display name of a run's model. If the workspace does not have the run, the
    /// address is unknown.
    pub fn model_name_in(&self, model: &str, run: Option<&str>) -> String {
        let manifest = run.and_then(|run| self.manifest_of(run));
        self.model_name(model, manifest.and_then(|manifest| manifest.spec.base_url).as_deref())
    }

    /// Whether a report of the library was judged by these judges. `judges` are names or ids.
    ///
    /// # Errors
    /// When the judges are at different addresses, or the connections cannot be read.
    pub fn is_judged_by(
        &self,
        row: &ReportRow,
        judges: &[String],
        base_url: Option<&str>,
    ) -> Result<bool, WireError> {
        let (ids, address) = self.models.resolve_judges(judges, base_url)?;
        let names = ids.iter().map(|id| self.model_name(id, address.as_deref()));
        // A report of an earlier version contains no address.
        let report_judges = row.judges.as_deref().unwrap_or_default();
        Ok(row.judges.is_some() && (names.eq(report_judges.iter().cloned()) || ids == report_judges))
    }

    /// Replaces the judges' ids in estimates by display names. `base_url` is the address of the
    /// server of all these judges.
    pub fn name_judges_of(&self, judges: &mut [JudgeEstimate], base_url: Option<&str>) {
        for estimate in judges {
            estimate.judge = self.model_name(&estimate.judge, base_url);
        }
    }

    /// Returns the model id for a display name of [`Library::model_name`], or for a name that the
    /// user typed.
    pub fn model_id(&self, name: &str) -> String {
        connections::id_of(&self.connections(), name)
    }

    /// Returns the manifest of a run of the workspace.
    pub(crate) fn manifest_of(&self, run: &str) -> Option<RunManifest> {
        let entry = runs::find(&self.workspace.home().logs(), run).ok()?;
        entry.run.manifest().ok().flatten()
    }
}
