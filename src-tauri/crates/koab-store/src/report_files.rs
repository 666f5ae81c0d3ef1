//! Reports on the disk: `reports/<model>_<date>/` with the three published files.

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

/// The report as data.
pub const JSON: &str = "evaluation_report.json";
/// One row a level.
pub const CSV: &str = "evaluation_summary.csv";
/// The report for people.
pub const MARKDOWN: &str = "evaluation_report.md";

/// One row a model: an imported report that is known from such a table alone has the header and its
/// own row.
pub const COMBINED: &str = "combined_evaluation_summary.csv";

/// What this product keeps of a report that it made: the whole of it, of which the published files
/// are renderings.
///
/// The name is from when it held what was shown, so that a version of then replaces it when it
/// scores the run again.
pub const KEPT: &str = "report_view.json";

/// What judges answered, by which it was scored, a line a verdict.
pub const VERDICTS: &str = "verdicts.jsonl";

/// The scores of every attempt, beside the published files, which know the first one alone.
pub const REPETITIONS: &str = "repetitions.json";

/// A report's texts; what is `None` is not written, and removed when an earlier scoring left it.
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
    /// Content of [`REPETITIONS`], which may be long.
    pub repetitions: Option<&'a dyn WriteJson>,
}

/// What is written as JSON, bit by bit.
pub trait WriteJson: std::fmt::Debug + Sync {
    /// Writes all of it.
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

/// A report's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFolder {
    /// The folder's name.
    pub id: String,
    /// Where it lies.
    pub folder: PathBuf,
}

/// Writes a report's files, each atomically, and returns their paths.
///
/// # Errors
/// When the disk refuses.
pub fn write(folder: &Path, texts: ReportTexts<'_>) -> Result<Vec<PathBuf>> {
    let mut written = Vec::new();
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
            written.push(path);
        } else if let Some(content) = texts.repetitions.filter(|_| name == REPETITIONS) {
            atomic::write_by(&path, |file| content.write_json(file))?;
            written.push(path);
        } else {
            // A file of an earlier scoring beside newer ones would pass for the same report.
            if_there(fs::remove_file(&path)).map_err(|error| Error::io("replace", &path, &error))?;
        }
    }
    Ok(written)
}

/// Every report that has its data or a summary, by name.
///
/// # Errors
/// When the folder is there and cannot be read.
pub fn list(reports: &Path) -> Result<Vec<ReportFolder>> {
    let found = list_stamped(reports)?.into_iter();
    Ok(found.map(|(folder, _)| folder).collect())
}

/// The same, each with its [`stamp`].
pub(crate) fn list_stamped(reports: &Path) -> Result<Vec<(ReportFolder, String)>> {
    let mut found = Vec::new();
    for entry in folder::entries(reports)? {
        let folder = entry.path();
        if let (Some(stamp), Ok(id)) = (stamp_of(&folder), entry.file_name().into_string()) {
            found.push((ReportFolder { id, folder }, stamp));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
    Ok(found)
}

/// Sizes and times of the files that tell what a report says; another text means that one of them
/// was written.
pub fn stamp(folder: &Path) -> String {
    stamp_of(folder).unwrap_or_default()
}

/// `None` where there is no report.
fn stamp_of(folder: &Path) -> Option<String> {
    let of = |name: &str| {
        let meta = fs::metadata(folder.join(name)).ok().filter(fs::Metadata::is_file)?;
        let since = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(format!("{}:{}", meta.len(), since.as_nanos()))
    };
    let mut files = [of(JSON), of(KEPT), None, None, None];
    // Summaries count where there is nothing else.
    if files[0].is_none() {
        files[2] = of(CSV);
        files[3] = of(COMBINED);
    }
    let found = files.iter().any(Option::is_some);
    // Where it came from is told as well.
    files[4] = of(ORIGIN);
    found.then(|| files.map(|file| file.unwrap_or_else(|| "-".to_owned())).join(" "))
}

/// Whether a folder holds a report that was not made in this workspace, by the published project or
/// on another computer.
pub fn is_from_elsewhere(folder: &Path) -> bool {
    stamp_of(folder).is_some() && (!folder.join(KEPT).is_file() || folder.join(ORIGIN).is_file())
}

/// Whether a text can be the name of a report's folder: one that lies right there and nowhere else.
pub fn is_name(text: &str) -> bool {
    let mut parts = Path::new(text).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(one)), None) if one == text)
}

/// A file of a report as it lies there, byte for byte; `None` when the report has none.
///
/// # Errors
/// When it is there and cannot be read.
pub fn file(folder: &Path, name: &str) -> Result<Option<Vec<u8>>> {
    let path = folder.join(name);
    if_there(fs::read(&path)).map_err(|error| Error::io("read", &path, &error))
}

/// The scores of every attempt of the report's run, when there are several attempts and this
/// product scored them.
///
/// # Errors
/// [`Error::BadFile`] when it is not JSON.
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
