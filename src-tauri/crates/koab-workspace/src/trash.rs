//! The workspace's trash: deleted runs, reports, forks and packs. The areas move things here; this
//! lists them, puts them back and removes them for good.

use crate::connections::named;
use crate::{WireError, Workspace, starter};
use koab_core::say;
use koab_store::{Deleted, Emptied, TRASH_DAYS, Trash, TrashKind, TrashPlaces, Trashed};
use serde::Serialize;
use ts_rs::TS;

/// Content of the trash.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct TrashView {
    /// Deleted things, the last deleted first.
    pub items: Vec<TrashItem>,
    /// Number of days that a thing stays.
    pub days: u64,
}

/// A deleted thing.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct TrashItem {
    /// Kind of the thing.
    pub kind: TrashKind,
    /// Name in the trash. Commands find the thing by it.
    pub key: String,
    /// Id that it had.
    pub id: String,
    /// Name of a fork, or title of a pack.
    pub name: Option<String>,
    /// Display name of its model.
    pub model: Option<String>,
    /// Time of the deletion, milliseconds since the Unix epoch. `None` if an earlier version
    /// deleted it; its days begin at the next deletion.
    pub deleted_ms: Option<u64>,
    /// Size in bytes.
    pub bytes: u64,
    /// Whether its days are over and it could not be removed yet.
    pub overdue: bool,
}

impl Workspace {
    /// Trash of the workspace. If the database cannot be opened, it contains no packs.
    pub fn trash(&self) -> Trash<'_> {
        let home = self.home();
        let places = TrashPlaces {
            trash: home.trash(),
            runs: home.logs().join(koab_store::runs::BY_MODEL),
            reports: home.reports(),
            forks: home.forks(),
        };
        Trash::new(places, self.store().ok())
    }

    /// Lists the deleted runs, reports, forks and packs.
    ///
    /// # Errors
    /// When the trash cannot be read.
    pub fn trash_list(&self) -> Result<TrashView, WireError> {
        let connections = self.connections().unwrap_or_default();
        let items = self.trash().list()?.into_iter().map(|trashed| {
            let overdue = trashed.is_overdue();
            let Trashed { kind, key, id, name, model, address, deleted, bytes } = trashed;
            let model = model.map(|model| named(&connections, &model, address.as_deref()));
            let deleted_ms = deleted.map(|seconds| seconds * 1000);
            TrashItem { kind, key, id, name, model, deleted_ms, bytes, overdue }
        });
        Ok(TrashView { items: items.collect(), days: TRASH_DAYS })
    }

    /// Puts a deleted thing back, and returns its id.
    ///
    /// # Errors
    /// When it is no longer in the trash, or another thing has its name by now.
    pub fn trash_restore(&self, kind: TrashKind, key: &str) -> Result<String, WireError> {
        let id = self.trash().restore(kind, key)?;
        if kind == TrashKind::Pack && id == starter::NAME {
            self.store()?.set_setting(starter::REMOVED, None)?;
        }
        Ok(id)
    }

    /// Puts back the thing of a kind that had this id and was deleted last, and returns its id.
    ///
    /// # Errors
    /// When the trash has no such thing, or another thing has its name by now.
    pub fn trash_restore_last(&self, kind: TrashKind, id: &str) -> Result<String, WireError> {
        let key = self.trash().last(kind, id)?;
        self.trash_restore(kind, &key)
    }

    /// Finds a deleted thing by its id or key: the one that was deleted last.
    ///
    /// # Errors
    /// When the trash has no such thing, or things of several kinds have this name.
    pub fn trash_find(&self, kind: Option<TrashKind>, word: &str) -> Result<TrashItem, WireError> {
        let is_of_kind = |item: &TrashItem| kind.is_none_or(|kind| item.kind == kind);
        let items = self.trash_list()?.items.into_iter().filter(is_of_kind);
        let matches: Vec<TrashItem> = items.filter(|item| item.key == word || item.id == word).collect();
        let first = matches.first().ok_or_else(|| {
            WireError::not_found(say!("the trash has no `{word}`; `koab trash list` lists what it has"))
        })?;
        if matches.iter().any(|item| item.kind != first.kind) {
            return Err(WireError::bad_request(say!(
                "things of several kinds were named `{word}`; name the kind with --kind"
            )));
        }
        Ok(first.clone())
    }

    /// Removes a deleted thing for good.
    ///
    /// # Errors
    /// When it is no longer in the trash, or the disk refuses.
    pub fn trash_delete(&self, kind: TrashKind, key: &str) -> Result<(), WireError> {
        Ok(self.trash().remove(kind, key)?)
    }

    /// Removes everything in the trash for good. Things that cannot be removed are named.
    ///
    /// # Errors
    /// When the trash cannot be read.
    pub fn trash_empty(&self) -> Result<Emptied, WireError> {
        Ok(self.trash().empty()?)
    }

    /// Moves a thing to the trash.
    ///
    /// # Errors
    /// When there is no such thing, or the disk refuses.
    pub fn trash_put(&self, kind: TrashKind, id: &str) -> Result<Deleted, WireError> {
        Ok(self.trash().put(kind, id)?)
    }
}
