//! Files of a submission by path, in the layout of the published benchmark.

use super::document::FileEntry;
use koab_core::cache_key::sha256_hex;
use koab_core::level::Level;
use std::collections::BTreeMap;

/// Paths of a submission.
pub mod paths {
    use koab_core::level::Level;

    /// Folder that contains the folders of reports.
    pub const REPORTS: &str = "reports/";
    /// Folder that contains a folder for each model, with the folders of its runs.
    pub const LOGS: &str = "logs/benchmark_results/by_model/";
    /// Name of the file with the report for programs.
    pub const REPORT: &str = "evaluation_report.json";
    /// Name of the file with one row per level of the report.
    pub const SUMMARY: &str = "evaluation_summary.csv";
    /// Name of the file with the report for people.
    pub const MARKDOWN: &str = "evaluation_report.md";
    /// Name of the run's file with the journal, which has every step.
    pub const JOURNAL: &str = "journal.jsonl";
    /// Path of the file with the header and row of the combined table.
    pub const ROW: &str = "combined_row.csv";
    /// Path of the file that describes the submission for programs.
    pub const SUBMISSION: &str = "submission.json";
    /// Path of the file that describes the submission for people.
    pub const README: &str = "README.md";
    /// Path of the file with title and text of the pull request.
    pub const PULL_REQUEST: &str = "PULL_REQUEST.md";
    /// Path of the file with results for the model's repository on the hub.
    pub const EVAL_RESULTS: &str = ".eval_results/ko-agentbench.yaml";

    /// Path of the file `name` in the folder of a model's report. `day` has the form `20261120`.
    pub fn of_report(model_folder: &str, day: &str, name: &str) -> String {
        format!("{REPORTS}{model_folder}_{day}/{name}")
    }

    /// Path of the file `name` in the folder of a model's run. `date` is the name of the run's
    /// folder, such as `20261120_093000`.
    pub fn of_run(model_folder: &str, date: &str, name: &str) -> String {
        format!("{LOGS}{model_folder}/{date}/{name}")
    }

    /// Path of a run's log of one level. The arguments are those of [`of_run`].
    pub fn log(model_folder: &str, date: &str, level: &Level) -> String {
        of_run(model_folder, date, &format!("{level}.json"))
    }

    /// Name of the folder that contains a file.
    pub fn parent(path: &str) -> &str {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        folder.rsplit('/').next().unwrap_or(folder)
    }
}

/// Files by path, with `/` between folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// An empty list of files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a file.
    pub fn put(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), content.into());
    }

    /// Removes a file and returns its content.
    pub fn remove(&mut self, path: &str) -> Option<Vec<u8>> {
        self.0.remove(path)
    }

    /// Content of a file; `None` if there is no such file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.0.get(path).map(Vec::as_slice)
    }

    /// Paths and contents of all files, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(path, content)| (path.as_str(), content.as_slice()))
    }

    /// The first file with this name whose path begins with `below`, in the order of paths.
    pub fn find(&self, below: &str, name: &str) -> Option<(String, &[u8])> {
        let mut matches = self.iter().filter(|(path, _)| {
            path.starts_with(below) && path.rsplit('/').next().is_some_and(|last| last == name)
        });
        matches.next().map(|(path, content)| (path.to_owned(), content))
    }

    /// Folders below the folder `below`, at any depth, that contain at least one file.
    pub fn folders(&self, below: &str) -> Vec<String> {
        let mut folders: Vec<String> = self
            .iter()
            .filter(|(path, _)| path.starts_with(below))
            .filter_map(|(path, _)| Some(path.rsplit_once('/')?.0.to_owned()))
            .collect();
        folders.dedup();
        folders
    }

    /// Level logs with their paths.
    pub fn logs(&self) -> Vec<(Level, String, &[u8])> {
        let log_of_level = |level: Level| {
            let (path, content) = self.find(paths::LOGS, &format!("{level}.json"))?;
            Some((level, path, content))
        };
        Level::ALL.into_iter().filter_map(log_of_level).collect()
    }

    /// All files with size and hash, except `submission.json`, which contains this list.
    pub fn entries(&self) -> Vec<FileEntry> {
        let others = self.iter().filter(|(path, _)| *path != paths::SUBMISSION);
        others.map(|(path, content)| entry(path, content)).collect()
    }
}

/// A file with its size and hash.
pub fn entry(path: &str, content: &[u8]) -> FileEntry {
    FileEntry { path: path.to_owned(), bytes: content.len() as u64, sha256: sha256_hex(content) }
}
