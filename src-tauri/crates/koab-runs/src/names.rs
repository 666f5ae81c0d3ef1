//! The name of a model that faces show: one for a model at an address, wherever it stands.

use crate::Library;
use crate::wire::{JudgeEstimate, ReportRow, WireError};
use koab_core::run_record::RunManifest;
use koab_store::runs;
use koab_workspace::connections::{self, Connection};

/// Names a model by the connection that leads to its address. The address stays only where none
/// does.
pub(crate) fn name(connections: &[Connection], model: &mut String, address: &mut Option<String>) {
    let named = connections::named(connections, model, address.as_deref());
    if named != *model {
        (*model, *address) = (named, None);
    }
}

/// Names judges as [`name`] names a model. The address stays where it is needed to tell one.
pub(crate) fn name_judges(connections: &[Connection], judges: &mut [String], address: &mut Option<String>) {
    let mut are_named = !judges.is_empty();
    for judge in judges {
        let named = connections::named(connections, judge, address.as_deref());
        are_named &= named != *judge;
        *judge = named;
    }
    if are_named {
        *address = None;
    }
}

impl Library {
    /// The user's connections, by which models are named; none where they cannot be read, since a
    /// list is shown all the same.
    pub(crate) fn connections(&self) -> Vec<Connection> {
        self.workspace.connections().unwrap_or_default()
    }

    /// A model's name at an address ([`connections::named`]).
    pub fn model_name(&self, model: &str, base_url: Option<&str>) -> String {
        match base_url {
            Some(_) => connections::named(&self.connections(), model, base_url),
            None => model.to_owned(),
        }
    }

    /// The name of a model whose run is this one, if the workspace has it.
    pub fn model_name_in(&self, model: &str, run: Option<&str>) -> String {
        let manifest = run.and_then(|run| self.manifest_of(run));
        self.model_name(model, manifest.and_then(|manifest| manifest.spec.base_url).as_deref())
    }

    /// Whether a report of the library was judged by these judges, as the user names them.
    ///
    /// # Errors
    /// When they are at different addresses, or the connections cannot be read.
    pub fn is_judged_by(
        &self,
        row: &ReportRow,
        judges: &[String],
        base_url: Option<&str>,
    ) -> Result<bool, WireError> {
        let (ids, address) = self.models.resolve_judges(judges, base_url)?;
        let names = ids.iter().map(|id| self.model_name(id, address.as_deref()));
        // A report of an earlier version says no address.
        let said = row.judges.as_deref().unwrap_or_default();
        Ok(row.judges.is_some() && (names.eq(said.iter().cloned()) || ids == said))
    }

    /// Names the judges of an estimate, who are asked at this address.
    pub(crate) fn name_judges_of(&self, judges: &mut [JudgeEstimate], base_url: Option<&str>) {
        for estimate in judges {
            estimate.judge = self.model_name(&estimate.judge, base_url);
        }
    }

    /// The id behind a name that [`Library::model_name`] gave, or that the user typed.
    pub fn model_id(&self, name: &str) -> String {
        connections::id_of(&self.connections(), name)
    }

    /// What a run of the workspace says of itself.
    pub(crate) fn manifest_of(&self, run: &str) -> Option<RunManifest> {
        let entry = runs::find(&self.workspace.home().logs(), run).ok()?;
        entry.run.manifest().ok().flatten()
    }
}
