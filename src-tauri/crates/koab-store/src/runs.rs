//! Runs of a workspace: paths, listing, and look-up by the names that users give.
//!
//! The published layout is `by_model/<model>/<YYYYMMDD_HHMMSS>/`. Before that there were flat files
//! (`docs/spec/metrics.md` §1.1).
//!
//! A model's name has several spellings (`a/b:0`, `a_b_0`, `a_b`), since some file systems refuse a
//! colon. A look-up tries the exact spelling first and then looser ones.

use crate::error::{Error, Result};
use crate::folder;
use crate::run_folder::RunFolder;
use koab_core::level::Level;
use koab_core::run_name::{closeness, is_meant};
pub use koab_core::run_name::{is_of_model, model_folder};
use koab_core::say;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Subfolder of the logs folder that contains one folder per model.
pub const BY_MODEL: &str = "by_model";

/// Word that users write for the newest run.
pub const LAST: &str = "last";

/// A run in the list of runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEntry {
    /// Id of the run: `<model folder>/<date>`.
    pub id: String,
    /// Name of the model's folder.
    pub model_folder: String,
    /// Date of the run as `YYYYMMDD_HHMMSS`.
    pub date: String,
    /// Files of the run.
    pub run: RunFolder,
}

/// Path of a new run of `model` under the logs folder (`logs/benchmark_results`).
pub fn new_folder(logs: &Path, model: &str, date: &str) -> PathBuf {
    logs.join(BY_MODEL).join(model_folder(model)).join(date)
}

/// All runs in the `by_model` layout, newest first.
///
/// # Errors
/// When the logs folder exists and cannot be read.
pub fn list(logs: &Path) -> Result<Vec<RunEntry>> {
    let mut entries = Vec::new();
    for (model, path) in folders_in(&logs.join(BY_MODEL))? {
        for (date, path) in folders_in(&path)? {
            if let Ok(run) = RunFolder::open(&path) {
                entries.push(RunEntry {
                    id: format!("{model}/{date}"),
                    model_folder: model.clone(),
                    date,
                    run,
                });
            }
        }
    }
    entries.sort_by(|a, b| {
        b.date
            .cmp(&a.date)
            .then_with(|| made(&b.run.folder).cmp(&made(&a.run.folder)))
            .then_with(|| a.model_folder.cmp(&b.model_folder))
    });
    Ok(entries)
}

/// Creation time of a folder. It orders runs that began in the same second.
fn made(folder: &Path) -> Option<SystemTime> {
    let folder = fs::metadata(folder).ok()?;
    folder.created().or_else(|_| folder.modified()).ok()
}

/// Finds the run that `text` names: an id `<model>/<date>`, the path of a run's folder, or
/// [`LAST`].
///
/// # Errors
/// [`Error::NotFound`] with advice.
pub fn find(logs: &Path, text: &str) -> Result<RunEntry> {
    let text = text.trim_end_matches('/');
    if text == LAST {
        let newest = list(logs)?.into_iter().next();
        return newest.ok_or_else(|| Error::NotFound(say!("there is no run yet; make one with `koab run`")));
    }
    crate::forks::refuse(Path::new(text))?;
    // The whole date must match: `runs delete` uses this look-up, so a prefix is not enough.
    if let Some((model, date)) = text.rsplit_once('/')
        && let Some(entry) = newest(logs, model, date)?.filter(|entry| entry.date == date)
    {
        return Ok(entry);
    }
    let path = Path::new(text);
    if path.is_dir() {
        return Ok(entry_of_folder(RunFolder::open(path)?));
    }
    // A path that is not valid Unicode is displayed with replacement characters. The user may give
    // it in that form.
    if text.contains(char::REPLACEMENT_CHARACTER) {
        let is_shown_so = |entry: &RunEntry| entry.run.folder.display().to_string() == text;
        if let Some(entry) = list(logs)?.into_iter().find(is_shown_so) {
            return Ok(entry);
        }
    }
    Err(Error::NotFound(say!("there is no run `{text}`; `koab runs list` lists the runs")))
}

/// Finds the newest run of `model` whose date begins with `date`, in the `by_model` layout or else
/// in the flat one.
///
/// The published evaluator tries the flat files first, so they hide every newer run, and it mixes
/// levels of different runs (`docs/spec/metrics.md` §11, row 31). This function does neither.
///
/// # Errors
/// [`Error::NotFound`] with the existing dates.
pub fn find_by_date(logs: &Path, model: &str, date: &str) -> Result<RunEntry> {
    if let Some(entry) = newest(logs, model, date)? {
        return Ok(entry);
    }
    if let Some(entry) = flat(logs, model, date)? {
        return Ok(entry);
    }
    let dates: Vec<String> = list(logs)?
        .into_iter()
        .filter(|entry| closeness(&entry.model_folder, model).is_some())
        .map(|entry| entry.date)
        .collect();
    let there = if dates.is_empty() { say!("none of this model") } else { dates.join(", ").into() };
    Err(Error::NotFound(say!("there is no run of {model} of {date}; there are: {there}")))
}

/// Removes a run's folder for good, and the model's folder if it becomes empty.
///
/// # Errors
/// When the run is outside this logs folder, or the disk refuses.
pub fn remove(logs: &Path, entry: &RunEntry) -> Result<()> {
    let folder = own_folder(logs, entry)?;
    fs::remove_dir_all(&folder).map_err(|error| Error::io("delete", &folder, &error))?;
    if let Some(model) = folder.parent() {
        // Fails, as intended, while the folder contains other runs.
        let _ = fs::remove_dir(model);
    }
    Ok(())
}

/// Folder of a run of this workspace.
///
/// # Errors
/// When the run is outside this logs folder.
pub fn own_folder(logs: &Path, entry: &RunEntry) -> Result<PathBuf> {
    let folder = logs.join(BY_MODEL).join(&entry.model_folder).join(&entry.date);
    if entry.run.folder == folder {
        Ok(folder)
    } else {
        Err(Error::BadFile(say!(
            "{folder} is not a run of this workspace; delete it by hand",
            folder = entry.run.folder.display()
        )))
    }
}

/// Entry of a run outside the workspace. The names of its two innermost folders become model and
/// date.
fn entry_of_folder(run: RunFolder) -> RunEntry {
    let name =
        |path: Option<&Path>| path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let absolute = fs::canonicalize(&run.folder).unwrap_or_else(|_| run.folder.clone());
    let date = name(Some(&absolute)).unwrap_or_default();
    let model_folder = name(absolute.parent()).unwrap_or_default();
    RunEntry { id: format!("{model_folder}/{date}"), model_folder, date, run }
}

fn newest(logs: &Path, model: &str, date: &str) -> Result<Option<RunEntry>> {
    let mut matches: Vec<(u8, RunEntry)> = list(logs)?
        .into_iter()
        .filter(|entry| entry.date.starts_with(date))
        .filter_map(|entry| Some((closeness(&entry.model_folder, model)?, entry)))
        .collect();
    // The model in the run's manifest outranks its folder's name.
    let models: Vec<Option<String>> =
        matches.iter().map(|(_, entry)| manifest_model(entry)).collect::<Result<_>>()?;
    let mut models = models.into_iter();
    matches.retain(|_| models.next().flatten().is_none_or(|named| is_meant(&named, model)));
    // The list is newest first, and the sort keeps that order among equally close spellings.
    matches.sort_by_key(|(closeness, _)| *closeness);
    Ok(matches.into_iter().next().map(|(_, entry)| entry))
}

/// Model that a run's manifest names.
fn manifest_model(entry: &RunEntry) -> Result<Option<String>> {
    Ok(entry.run.manifest()?.map(|manifest| manifest.model))
}

/// Finds a run in the old layout: files `L<n>_<model>_<date>….json` in one folder. Of several files
/// of a level the last by name counts.
fn flat(logs: &Path, model: &str, date: &str) -> Result<Option<RunEntry>> {
    let mut levels: BTreeMap<Level, (u8, String)> = BTreeMap::new();
    let mut names = names_in(logs)?;
    names.sort();
    for name in names {
        let Some((level, rest)) = name.strip_suffix(".json").and_then(|name| name.split_once('_')) else {
            continue;
        };
        let level = level.strip_prefix('L').and_then(|digit| digit.parse::<usize>().ok());
        let Some(level) = level.and_then(|n| Level::ALL.get(n.wrapping_sub(1))) else {
            continue;
        };
        // The model may contain the separator, so every position where the date may begin is tried.
        let starts = rest.match_indices('_').filter(|(at, _)| rest[at + 1..].starts_with(date));
        let fit = starts.filter_map(|(at, _)| closeness(&rest[..at], model)).min();
        if let Some(fit) = fit
            && levels.get(level).is_none_or(|(known, _)| fit <= *known)
        {
            levels.insert(level.clone(), (fit, name));
        }
    }
    if levels.is_empty() {
        return Ok(None);
    }
    let levels = levels.into_iter().map(|(level, (_, name))| (level, logs.join(name))).collect();
    let model_folder = model_folder(model);
    let run = RunFolder { folder: logs.to_owned(), levels };
    Ok(Some(RunEntry { id: format!("{model_folder}/{date}"), model_folder, date: date.to_owned(), run }))
}

fn folders_in(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let names = names_in(folder)?;
    let paths = names.into_iter().map(|name| (name.clone(), folder.join(name)));
    Ok(paths.filter(|(_, path)| path.is_dir()).collect())
}

fn names_in(folder: &Path) -> Result<Vec<String>> {
    let entries = folder::entries(folder)?.into_iter();
    Ok(entries.flat_map(|entry| entry.file_name().into_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A logs folder with these files, each an empty log.
    fn logs(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, "{}").expect("written");
        }
        folder
    }

    #[test]
    fn folder_names_suit_every_file_system() {
        for (model, folder) in [
            ("openai/gpt-4.1", "openai_gpt-4.1"),
            ("bedrock/us.amazon.nova-lite-v1:0", "bedrock_us.amazon.nova-lite-v1_0"),
            ("a\\b*c?", "a_b_c_"),
            ("../..", "_.._.._"),
            ("", "_"),
        ] {
            assert_eq!(model_folder(model), folder);
        }
    }

    #[test]
    fn runs_are_listed_newest_first() {
        let logs = logs(&[
            "by_model/b/20251219_114700/L1.json",
            "by_model/a/20251219_114700/run.json",
            "by_model/a/20261120_090000/journal.jsonl",
            "by_model/a/empty/notes.txt",
            "by_model/file.json",
        ]);
        // Of runs of one second the one made last comes first; clocks of file systems have steps.
        std::thread::sleep(std::time::Duration::from_millis(50));
        let made_last = logs.path().join("by_model/c/20251219_114700");
        fs::create_dir_all(&made_last).expect("made");
        fs::write(made_last.join("L1.json"), "{}").expect("written");
        let listed = list(logs.path()).expect("listed");
        let ids: Vec<&str> = listed.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids[..2], ["a/20261120_090000", "c/20251219_114700"]);
        assert!(list(&logs.path().join("none")).expect("a missing folder is empty").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_run_below_a_path_that_is_no_text_is_found_as_it_is_shown() {
        use std::os::unix::ffi::OsStrExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let logs = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff\xfe"));
        let run = logs.join("by_model/a/20251219_1");
        fs::create_dir_all(&run).expect("made");
        fs::write(run.join("L1.json"), "{}").expect("written");
        let found = find(&logs, &run.display().to_string()).expect("found");
        assert_eq!((found.id.as_str(), &found.run.folder), ("a/20251219_1", &run));
        find(&logs, "\u{fffd}").expect_err("there is none of this name");
    }

    #[test]
    fn a_model_is_found_under_every_spelling() {
        let logs = logs(&[
            "by_model/bedrock_us.amazon.nova-lite-v1/20251219_1/L1.json",
            "by_model/azure_gpt-4.1/20251219_1/L1.json",
            "by_model/azure_gpt-4.1/20251219_2/L1.json",
            "by_model/azure_gpt-4.1/20251220_1/L1.json",
            "by_model/Qwen_Qwen3-8B/20251029_1/L1.json",
        ]);
        for (model, date, id) in [
            ("azure/gpt-4.1", "20251219", Some("azure_gpt-4.1/20251219_2")),
            ("azure/gpt-4.1", "2025", Some("azure_gpt-4.1/20251220_1")),
            ("azure_gpt-4.1", "20251219_1", Some("azure_gpt-4.1/20251219_1")),
            (
                "bedrock/us.amazon.nova-lite-v1:0",
                "20251219",
                Some("bedrock_us.amazon.nova-lite-v1/20251219_1"),
            ),
            ("Qwen/qwen3-8B", "20251029", Some("Qwen_Qwen3-8B/20251029_1")),
            ("azure/gpt-4.1", "20260101", None),
            ("azure/gpt-4", "20251219", None),
        ] {
            let found = find_by_date(logs.path(), model, date).ok().map(|entry| entry.id);
            assert_eq!(found.as_deref(), id, "{model} {date}");
        }
        let error = find_by_date(logs.path(), "azure/gpt-4.1", "1999").expect_err("none").to_string();
        insta::assert_snapshot!(error, @"there is no run of azure/gpt-4.1 of 1999; there are: 20251220_1, 20251219_2, 20251219_1");
    }

    #[test]
    fn the_exact_spelling_comes_before_a_newer_looser_one() {
        let logs = logs(&["by_model/a_b/20250101_1/L1.json", "by_model/A_B/20260101_1/L1.json"]);
        let found = find_by_date(logs.path(), "a/b", "20").expect("found");
        assert_eq!(found.id, "a_b/20250101_1");
    }

    #[test]
    fn ids_and_folders_are_found() {
        let logs = logs(&["by_model/azure_gpt/20251219_1/L1.json"]);
        let folder = logs.path().join("by_model/azure_gpt/20251219_1").display().to_string();
        for text in ["azure_gpt/20251219_1", "azure/gpt/20251219_1", &folder, &format!("{folder}/")] {
            assert_eq!(find(logs.path(), text).expect(text).id, "azure_gpt/20251219_1");
        }
        let error = find(logs.path(), "azure/gpt/1999").expect_err("none").to_string();
        assert_eq!(error, "there is no run `azure/gpt/1999`; `koab runs list` lists the runs");
    }

    #[test]
    fn flat_files_are_found_when_there_is_no_folder() {
        let logs = logs(&[
            "L1_azure_gpt-4.1_20251029_1000.json",
            "L1_azure_gpt-4.1_20251029_1200.json",
            "L2_azure_gpt-4.1_20251029_1100.json",
            "L2_azure_gpt-4.1-mini_20251029_1300.json",
            "L9_azure_gpt-4.1_20251029_1000.json",
            "Lx_azure_gpt-4.1_20251029_1000.json",
        ]);
        let found = find_by_date(logs.path(), "azure/gpt-4.1", "20251029").expect("found");
        let files: Vec<_> = found.run.levels.values().map(|path| path.file_name().expect("a name")).collect();
        assert_eq!(files, ["L1_azure_gpt-4.1_20251029_1200.json", "L2_azure_gpt-4.1_20251029_1100.json"]);
        remove(logs.path(), &found).expect_err("files that other runs lie beside are not deleted");
    }

    #[test]
    fn a_removed_run_leaves_the_others() {
        let logs = logs(&["by_model/a/1/L1.json", "by_model/a/2/L1.json"]);
        for (id, left) in [("a/1", vec!["a/2"]), ("a/2", vec![])] {
            remove(logs.path(), &find(logs.path(), id).expect("found")).expect("removed");
            let ids: Vec<String> =
                list(logs.path()).expect("listed").into_iter().map(|entry| entry.id).collect();
            assert_eq!(ids, left);
        }
        assert!(!logs.path().join("by_model/a").exists(), "an empty model folder goes too");
    }
}
