//! Report folders: `reports/<model>_<date>/` with the three published files.

use crate::error::{Error, Result};
use crate::folder;
use crate::intake::ORIGIN;
use crate::{atomic, json_file};
use koab_engine::files::if_there;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

/// File with the report as JSON.
pub const JSON: &str = "evaluation_report.json";
/// Table with one row per level.
pub const CSV: &str = "evaluation_summary.csv";
/// File with the report in Markdown, for people.
pub const MARKDOWN: &str = "evaluation_report.md";

/// Table with one row per model. A report that was imported from such a table alone consists of the
/// header and its own row.
pub const COMBINED: &str = "combined_evaluation_summary.csv";

/// Complete data of a report that was made here. The published files are rendered from it.
///
/// Earlier versions stored the displayed view in a file of the same name. If such a version scores
/// the run again, it overwrites this file.
pub const KEPT: &str = "report_view.json";

/// Verdicts that the report was scored with, one per line.
pub const VERDICTS: &str = "verdicts.jsonl";

/// Scores of every attempt. The published files contain only the first attempt at each task.
pub const REPETITIONS: &str = "repetitions.json";

/// Contents of a report's files. A file with `None` is not written; if an earlier scoring wrote it,
/// the file is removed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportTexts<'a> {
    /// Content of [`JSON`].
    pub json: Option<&'a str>,
    /// Content of [`CSV`].
    pub csv: Option<&'a str>,
    /// Content of [`MARKDOWN`].
    pub markdown: Option<&'a str>,
    /// Content of [`KEPT`].
    pub kept: Option<&'a str>,
    /// Content of [`REPETITIONS`], which may be large.
    pub repetitions: Option<&'a dyn WriteJson>,
}

/// Value that can be streamed as JSON.
pub trait WriteJson: std::fmt::Debug + Sync {
    /// Writes the whole value.
    ///
    /// # Errors
    /// When the writer refuses.
    fn write_json(&self, to: &mut dyn io::Write) -> io::Result<()>;
}

impl<T: serde::Serialize + std::fmt::Debug + Sync> WriteJson for T {
    fn write_json(&self, to: &mut dyn io::Write) -> io::Result<()> {
        Ok(serde_json::to_writer(to, self)?)
    }
}

/// Folder of a report's files, and its name, which is the id of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFolder {
    /// Name of the folder.
    pub id: String,
    /// Path of the folder.
    pub folder: PathBuf,
}

/// Writes a report's files, each atomically, and returns their paths.
///
/// # Errors
/// When the disk refuses.
pub fn write(folder: &Path, texts: ReportTexts<'_>) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for (name, text) in [
        (JSON, texts.json),
        (CSV, texts.csv),
        (MARKDOWN, texts.markdown),
        (KEPT, texts.kept),
        (REPETITIONS, None),
    ] {
        let path = folder.join(name);
        if let Some(text) = text {
            atomic::write(&path, text.as_bytes())?;
            paths.push(path);
        } else if let Some(content) = texts.repetitions.filter(|_| name == REPETITIONS) {
            atomic::write_by(&path, |file| content.write_json(file))?;
            paths.push(path);
        } else {
            // A file of an earlier scoring next to newer ones would seem to belong to the same
            // report.
            if_there(fs::remove_file(&path)).map_err(|error| Error::io("replace", &path, &error))?;
        }
    }
    Ok(paths)
}

/// All reports that have data or a summary, by name.
///
/// # Errors
/// When the folder exists and cannot be read.
pub fn list(reports: &Path) -> Result<Vec<ReportFolder>> {
    let folders = list_stamped(reports)?.into_iter();
    Ok(folders.map(|(folder, _)| folder).collect())
}

/// All reports as in [`list`], each with its [`stamp`].
pub(crate) fn list_stamped(reports: &Path) -> Result<Vec<(ReportFolder, String)>> {
    let mut folders = Vec::new();
    for entry in folder::entries(reports)? {
        let folder = entry.path();
        if let (Some(stamp), Ok(id)) = (stamp_of(&folder), entry.file_name().into_string()) {
            folders.push((ReportFolder { id, folder }, stamp));
        }
    }
    folders.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
    Ok(folders)
}

/// Sizes and times of the files that determine a report's content, as one text. A changed text
/// means that a file was written.
pub fn stamp(folder: &Path) -> String {
    stamp_of(folder).unwrap_or_default()
}

/// Stamp of a report's folder. `None` when it contains no report.
fn stamp_of(folder: &Path) -> Option<String> {
    let of = |name: &str| {
        let meta = fs::metadata(folder.join(name)).ok().filter(fs::Metadata::is_file)?;
        let since = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(format!("{}:{}", meta.len(), since.as_nanos()))
    };
    let mut files = [of(JSON), of(KEPT), None, None, None];
    // Summaries count only when the report has no data.
    if files[0].is_none() {
        files[2] = of(CSV);
        files[3] = of(COMBINED);
    }
    let has_report = files.iter().any(Option::is_some);
    // The note of an import is part of the stamp too.
    files[4] = of(ORIGIN);
    has_report.then(|| files.map(|file| file.unwrap_or_else(|| "-".to_owned())).join(" "))
}

/// Whether a folder contains a report from outside this workspace: by the published project, or
/// from another computer.
pub fn is_from_elsewhere(folder: &Path) -> bool {
    stamp_of(folder).is_some() && (!folder.join(KEPT).is_file() || folder.join(ORIGIN).is_file())
}

/// Whether a text is a plain folder name, and so not a path to another place.
pub fn is_name(text: &str) -> bool {
    let mut parts = Path::new(text).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(one)), None) if one == text)
}

/// Content of a report's file, byte for byte. `None` when the report has no such file.
///
/// # Errors
/// When the file exists and cannot be read.
pub fn file(folder: &Path, name: &str) -> Result<Option<Vec<u8>>> {
    let path = folder.join(name);
    if_there(fs::read(&path)).map_err(|error| Error::io("read", &path, &error))
}

/// Reads the scores of every attempt of the report's run. `None` when each task has only one
/// attempt, or other software scored them.
///
/// # Errors
/// [`Error::BadFile`] when the file is not JSON.
pub fn read_repetitions<T: DeserializeOwned>(folder: &Path) -> Result<Option<T>> {
    let path = folder.join(REPETITIONS);
    if path.is_file() { json_file::read_json(&path).map(Some) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_written_listed_and_read() {
        let root = tempfile::tempdir().expect("a folder");
        let (b, empty) = (root.path().join("b_20251219"), root.path().join("a"));
        assert!(list(&root.path().join("none")).expect("a missing folder is empty").is_empty());
        let texts = ReportTexts { json: Some("{\"가\": 1}"), csv: Some("x\r\n"), ..ReportTexts::default() };
        assert_eq!(write(&b, texts).expect("written"), [b.join(JSON), b.join(CSV)]);
        write(&empty, ReportTexts { markdown: Some("#"), ..ReportTexts::default() }).expect("written");
        let ids: Vec<String> =
            list(root.path()).expect("listed").into_iter().map(|report| report.id).collect();
        assert_eq!(ids, ["b_20251219"]);
        assert_eq!(file(&b, JSON).expect("read").as_deref(), Some("{\"가\": 1}".as_bytes()));
        assert_eq!(fs::read(b.join(CSV)).expect("read"), b"x\r\n", "line ends are the caller's");
    }
}
