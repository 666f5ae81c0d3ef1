//! The trash of a workspace: deleted runs, reports, forks and packs, each for 30 days.
//!
//! A deleted folder moves by one rename to `trash/<kind>/<id>~<seconds>`, with the time of its
//! deletion. A process that is killed leaves it whole in one of the two places. A folder that is
//! removed for good first moves out of the lists to `trash/.removing`, so that no half of it can be
//! restored. Earlier versions wrote no time after the ids of runs and forks; it is added at the
//! next deletion. Packs stay in the database (`trashed_packs.rs`).

use crate::db::Store;
use crate::error::{Error, Result};
use crate::folder;
use crate::forks::FORK;
use crate::json_file::read_json;
use crate::report_files;
use crate::run_folder::RunFolder;
use crate::trashed::{
    DELETED, Deleted, Emptied, TRASH_DAYS, TRASH_SECONDS, TrashKind, Trashed, absent, name_taken, now, split,
};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence};
use koab_engine::files::if_there;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Folder of what is being removed for good.
const REMOVING: &str = ".removing";

/// Folders of a workspace that things are deleted from, and the trash.
#[derive(Clone, Debug)]
pub struct TrashPlaces {
    /// The trash.
    pub trash: PathBuf,
    /// Folder of the models' folders with runs.
    pub runs: PathBuf,
    /// Folder of the reports.
    pub reports: PathBuf,
    /// Folder of the forks.
    pub forks: PathBuf,
}

/// Trash of a workspace.
#[derive(Debug)]
pub struct Trash<'a> {
    places: TrashPlaces,
    /// Without a database there are no packs.
    store: Option<&'a Store>,
}

impl<'a> Trash<'a> {
    /// Uses the trash of a workspace. Without its database, deleted packs are not seen.
    pub fn new(places: TrashPlaces, store: Option<&'a Store>) -> Self {
        Self { places, store }
    }

    /// Moves a thing to the trash, and removes what has been there for more than 30 days.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such thing; when the disk refuses.
    pub fn put(&self, kind: TrashKind, id: &str) -> Result<Deleted> {
        self.put_at(kind, id, now())
    }

    fn put_at(&self, kind: TrashKind, id: &str, now: u64) -> Result<Deleted> {
        if kind == TrashKind::Pack {
            let key = self.store()?.trash_pack(id, now)?;
            return Ok(Deleted { key, unremoved: self.remove_old(now) });
        }
        let missing = || Error::NotFound(say!("there is nothing named `{id}`"));
        let from = self.live(kind, id).filter(|folder| folder.is_dir()).ok_or_else(missing)?;
        let unremoved = self.remove_old(now);
        let mut key = format!("{id}{DELETED}{now}");
        while self.kept(kind, &key).exists() {
            key.push('+');
        }
        move_and_tidy(kind, &from, &self.kept(kind, &key))?;
        Ok(Deleted { key, unremoved })
    }

    /// Returns all deleted things, the last deleted first.
    ///
    /// # Errors
    /// When the trash exists and cannot be read.
    pub fn list(&self) -> Result<Vec<Trashed>> {
        let mut all = Vec::new();
        for kind in TrashKind::ALL {
            for key in self.keys(kind)? {
                all.push(self.read(kind, key));
            }
        }
        if let Some(store) = self.store {
            all.extend(store.trashed_packs()?);
        }
        all.sort_by(|a, b| b.deleted.cmp(&a.deleted).then_with(|| a.key.cmp(&b.key)));
        Ok(all)
    }

    /// Returns the key of the thing that had this id and was deleted last. A key is found too.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the trash has no such thing; when it cannot be read.
    pub fn last(&self, kind: TrashKind, id: &str) -> Result<String> {
        let keys: Vec<String> = match (kind, self.store) {
            (TrashKind::Pack, Some(store)) => {
                store.trashed_packs()?.into_iter().map(|pack| pack.key).collect()
            }
            _ => self.keys(kind)?,
        };
        let of_id = keys.into_iter().filter(|key| key == id || split(key).0 == id);
        let last = of_id.max_by_key(|key| (key == id, split(key).1, key.len()));
        last.ok_or_else(|| absent(id))
    }

    /// Puts a thing back, and returns its id.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is no longer in the trash, [`Error::BadFile`] when another thing
    /// has its name by now; when the disk refuses.
    pub fn restore(&self, kind: TrashKind, key: &str) -> Result<String> {
        if kind == TrashKind::Pack {
            return self.store()?.restore_pack(key);
        }
        let (id, _) = split(key);
        let from = self.present(kind, key)?;
        let to = self.live(kind, id).ok_or_else(|| absent(key))?;
        if to.exists() {
            return Err(name_taken(id));
        }
        move_and_tidy(kind, &from, &to)?;
        Ok(id.to_owned())
    }

    /// Removes a thing for good.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is no longer in the trash; when the disk refuses.
    pub fn remove(&self, kind: TrashKind, key: &str) -> Result<()> {
        if kind == TrashKind::Pack {
            return self.store()?.remove_trashed_pack(key);
        }
        let from = self.present(kind, key)?;
        let removing = self.places.trash.join(REMOVING);
        let name = format!("{}-{}", kind.folder(), key.replace('/', "_"));
        let mut to = removing.join(&name);
        for n in 2_u32.. {
            if !to.exists() {
                break;
            }
            to = removing.join(format!("{name}-{n}"));
        }
        move_and_tidy(kind, &from, &to)?;
        remove_folder(&to)
    }

    /// Removes everything in the trash for good. Things that cannot be removed are named.
    ///
    /// # Errors
    /// When the trash exists and cannot be read.
    pub fn empty(&self) -> Result<Emptied> {
        let mut emptied = Emptied { removed: 0, unremoved: self.finish_removals() };
        for trashed in self.list()? {
            match self.remove(trashed.kind, &trashed.key) {
                Ok(()) => emptied.removed += 1,
                // Another process was faster.
                Err(Error::NotFound(_)) => {}
                Err(error) => emptied.unremoved.push(error.to_sentence()),
            }
        }
        Ok(emptied)
    }

    /// Removes what was deleted more than 30 days ago. Returns what could not be removed; it is
    /// tried again at the next deletion.
    fn remove_old(&self, now: u64) -> Vec<Sentence> {
        let mut unremoved = self.finish_removals();
        let mut note = |id: &str, error: &Error| {
            unremoved.push(say!(
                "`{id}` has been in the trash for more than {days} days and cannot be removed: {error}",
                days = TRASH_DAYS,
                error = error.to_sentence()
            ));
        };
        let before = now.saturating_sub(TRASH_SECONDS);
        let packs = self.store.map(|store| store.trashed_packs().unwrap_or_default()).unwrap_or_default();
        let packs = packs.into_iter().map(|pack| (TrashKind::Pack, pack.key));
        let folders = TrashKind::ALL.into_iter().flat_map(|kind| {
            let keys = self.keys(kind).unwrap_or_default();
            keys.into_iter().map(move |key| (kind, key))
        });
        for (kind, key) in folders.chain(packs) {
            match split(&key) {
                (id, Some(deleted)) if deleted < before => match self.remove(kind, &key) {
                    Ok(()) | Err(Error::NotFound(_)) => {}
                    Err(error) => note(id, &error),
                },
                // An earlier version deleted it at an unknown time, so its days begin now.
                (id, None) => {
                    let dated = self.kept(kind, &format!("{id}{DELETED}{now}"));
                    if !dated.exists() {
                        let _ = fs::rename(self.kept(kind, &key), dated);
                    }
                }
                _ => {}
            }
        }
        unremoved
    }

    /// Removes what earlier removals left, such as those of a killed process.
    fn finish_removals(&self) -> Vec<Sentence> {
        let removals = folder::entries(&self.places.trash.join(REMOVING)).unwrap_or_default().into_iter();
        let failed = removals.filter_map(|entry| remove_folder(&entry.path()).err());
        failed.map(|error| error.to_sentence()).collect()
    }

    fn store(&self) -> Result<&'a Store> {
        self.store.ok_or_else(|| Error::Disk(say!("the database of the workspace cannot be opened")))
    }

    /// Path of a thing before its deletion. `None` when the id leads elsewhere.
    fn live(&self, kind: TrashKind, id: &str) -> Option<PathBuf> {
        let root = match kind {
            TrashKind::Run => &self.places.runs,
            TrashKind::Report => &self.places.reports,
            TrashKind::Fork => &self.places.forks,
            TrashKind::Pack => return None,
        };
        kind.accepts(id).then(|| root.join(id))
    }

    /// Path of a thing in the trash.
    fn kept(&self, kind: TrashKind, key: &str) -> PathBuf {
        self.places.trash.join(kind.folder()).join(key)
    }

    fn present(&self, kind: TrashKind, key: &str) -> Result<PathBuf> {
        let folder = self.kept(kind, key);
        if kind.accepts(key) && folder.is_dir() { Ok(folder) } else { Err(absent(key)) }
    }

    /// Keys of the folders of a kind.
    fn keys(&self, kind: TrashKind) -> Result<Vec<String>> {
        let root = self.places.trash.join(kind.folder());
        let mut keys = names(&root)?;
        if kind == TrashKind::Run {
            let mut runs = Vec::new();
            for model in keys {
                runs.extend(names(&root.join(&model))?.into_iter().map(|date| format!("{model}/{date}")));
            }
            keys = runs;
        }
        keys.retain(|key| kind.accepts(key));
        keys.sort();
        Ok(keys)
    }

    fn read(&self, kind: TrashKind, key: String) -> Trashed {
        let folder = self.kept(kind, &key);
        let (id, deleted) = split(&key);
        let [name, model, address] = match kind {
            TrashKind::Run => of_run(&folder),
            TrashKind::Report => of_report(&folder),
            TrashKind::Fork => of_fork(&folder),
            TrashKind::Pack => Default::default(),
        };
        Trashed { kind, id: id.to_owned(), name, model, address, deleted, bytes: size(&folder), key }
    }
}

/// Moves a folder, and removes the folder of a run's model if it becomes empty.
fn move_and_tidy(kind: TrashKind, from: &Path, to: &Path) -> Result<()> {
    folder::move_to(from, to)?;
    if let (TrashKind::Run, Some(model)) = (kind, from.parent()) {
        // Fails, as intended, while the folder contains other runs.
        let _ = fs::remove_dir(model);
    }
    Ok(())
}

fn remove_folder(folder: &Path) -> Result<()> {
    if_there(fs::remove_dir_all(folder)).map(drop).map_err(|error| Error::io("delete", folder, &error))
}

/// Names of the folders in a folder.
fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = folder::entries(folder)?.into_iter();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|file| file.is_dir()));
    Ok(folders.flat_map(|entry| entry.file_name().into_string()).collect())
}

/// Number of bytes of the files in a folder. Links are not followed.
fn size(folder: &Path) -> u64 {
    let entries = folder::entries(folder).unwrap_or_default().into_iter();
    let sizes = entries.filter_map(|entry| {
        let meta = entry.metadata().ok()?;
        Some(if meta.is_dir() { size(&entry.path()) } else { meta.len() })
    });
    sizes.sum()
}

/// Name, model and address of a thing.
type Label = [Option<String>; 3];

fn of_run(folder: &Path) -> Label {
    let Ok(run) = RunFolder::open(folder) else { return Default::default() };
    let address = run.manifest().ok().flatten().and_then(|manifest| manifest.spec.base_url);
    [None, run.model().ok().flatten(), address]
}

/// Part of a report's file, without the scores.
#[derive(Deserialize)]
struct ReportHead {
    summary: ReportSummary,
}

#[derive(Deserialize)]
struct ReportSummary {
    model: Option<String>,
}

fn of_report(folder: &Path) -> Label {
    let head = read_json::<ReportHead>(&folder.join(report_files::JSON)).ok();
    [None, head.and_then(|head| head.summary.model), None]
}

/// Part of a fork's file, without the records.
#[derive(Deserialize)]
struct ForkHead {
    #[serde(default)]
    name: String,
    model: Option<String>,
}

fn of_fork(folder: &Path) -> Label {
    let Ok(head) = read_json::<ForkHead>(&folder.join(FORK)) else {
        return Default::default();
    };
    [Some(head.name).filter(|name| !name.is_empty()), head.model, None]
}
