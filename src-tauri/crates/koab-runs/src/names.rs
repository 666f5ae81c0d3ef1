//! Display names of models: a model at an address has the same name everywhere in the program.

use crate::Library;
use crate::wire::{JudgeEstimate, ReportRow, WireError};
use koab_core::run_record::RunManifest;
use koab_store::runs;
use koab_workspace::connections::{self, Connection};

/// Names a model by the connection with its address. The address stays only where no connection has
/// it.
pub(crate) fn name(connections: &[Connection], model: &mut String, address: &mut Option<String>) {
    let display_name = connections::named(connections, model, address.as_deref());
    if display_name != *model {
        (*model, *address) = (display_name, None);
    }
}

/// Names judges like [`name`]. The address stays where a judge has no connection.
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
    /// Returns the user's connections, which name models. Empty where they cannot be read, so that
    /// lists are still shown.
    pub(crate) fn connections(&self) -> Vec<Connection> {
        self.workspace.connections().unwrap_or_default()
    }

    /// Returns the display name of a model at an address ([`connections::named`]).
    pub fn model_name(&self, model: &str, base_url: Option<&str>) -> String {
        match base_url {
            Some(_) => connections::named(&self.connections(), model, base_url),
            None => model.to_owned(),
        }
    }

    /// Returns the display name of the model of this run, if the workspace has the run.
    pub fn model_name_in(&self, model: &str, run: Option<&str>) -> String {
        let manifest = run.and_then(|run| self.manifest_of(run));
        self.model_name(model, manifest.and_then(|manifest| manifest.spec.base_url).as_deref())
    }

    /// Whether a report of the library was judged by these judges, as the user names them.
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

    /// Names the judges of an estimate, who are at this address.
    pub(crate) fn name_judges_of(&self, judges: &mut [JudgeEstimate], base_url: Option<&str>) {
        for estimate in judges {
            estimate.judge = self.model_name(&estimate.judge, base_url);
        }
    }

    /// Returns the id behind a name from [`Library::model_name`], or from the user.
    pub fn model_id(&self, name: &str) -> String {
        connections::id_of(&self.connections(), name)
    }

    /// Returns the manifest of a run of the workspace.
    pub(crate) fn manifest_of(&self, run: &str) -> Option<RunManifest> {
        let entry = runs::find(&self.workspace.home().logs(), run).ok()?;
        entry.run.manifest().ok().flatten()
    }
}
