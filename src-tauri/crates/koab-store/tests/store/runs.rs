//! The published runs: read as they lie, found under every spelling, and written again byte for byte.

use crate::support::published_runs;
use koab_core::level::Level;
use koab_core::run_record::AttemptRecord;
use koab_engine::ports::RunLog as _;
use koab_store::{FolderLog, RunFolder, runs};
use std::fs;

#[test]
fn published_runs_are_listed_and_found_under_their_ids() {
    let Some(logs) = published_runs() else {
        return;
    };
    let entries = runs::list(&logs).expect("listed");
    assert_eq!(entries.len(), 8);
    for entry in &entries {
        assert_eq!(entry.run.levels.len(), 7, "{}", entry.id);
        // The id in the log may end in `:0`, which the folder's name has lost.
        let model = entry.run.model().expect("read").expect("stated");
        let found = runs::find_by_date(&logs, &model, &entry.date[..8]).expect("found");
        assert_eq!(found.id, entry.id, "{model}");
        assert_eq!(runs::find(&logs, &entry.id).expect("found"), *entry);
        assert_eq!(
            (
                entry.run.manifest().expect("none"),
                entry.run.journal::<AttemptRecord>().expect("none").attempts.len()
            ),
            (None, 0)
        );
    }
}

#[test]
fn a_level_log_is_written_as_it_was_published() {
    let Some(logs) = published_runs() else {
        return;
    };
    let entry = runs::list(&logs).expect("listed").remove(0);
    let folder = tempfile::tempdir().expect("a folder");
    let mut log = FolderLog::start(folder.path()).expect("started");
    for level in Level::ALL {
        log.write_level(&level, &entry.run.level(&level).expect("read")).expect("written");
        let path = |run: &RunFolder| fs::read(&run.levels[&level]).expect("read");
        let written = RunFolder::open(folder.path()).expect("a run");
        assert!(path(&written) == path(&entry.run), "{level} of {} differs", entry.id);
    }
}
