//! One trial: its outcome, its log and its files.

use koab_core::say;
use koab_core::sentence::Sentence;

use crate::layout::TrialId;
use crate::lint::{LogFinding, lint};
use crate::outcome::{self, CONSOLE_LOG, Outcome, Trial};
use crate::tabulate::{Scorer, Verdict};
use crate::trial_files;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{number, unreadable};
use crate::Scenarios;
use koab_workspace::{ErrorCode, WireError};

/// Maximum number of listed entries of a trial's folder.
const MAX_ENTRIES: usize = 2_000;
/// Maximum number of bytes that are read of a log, greater than the product's own limit on the size
/// of a log.
const MAX_LOG_BYTES: u64 = 128 << 20;
/// Maximum number of lines in one part of a log.
const PART_LINES: usize = 5_000;
/// Maximum number of bytes in one part of a log.
const PART_BYTES: usize = 2 << 20;
/// Maximum number of bytes displayed of a line.
const MAX_LINE_BYTES: usize = 8 << 10;
/// Maximum number of bytes displayed of a text file.
const MAX_TEXT_BYTES: u64 = 1 << 20;
/// Size in bytes of the largest image that is displayed.
const MAX_IMAGE_BYTES: u64 = 8 << 20;

/// Everything that the page of one trial shows: its state, verdict and files.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioTrialPage {
    /// State of the trial.
    pub state: TrialPageState,
    /// Evidence that the trial was not finished: one sentence without its full stop.
    pub why: Option<Sentence>,
    /// Outcome of a finished trial.
    pub outcome: Option<Outcome>,
    /// Verdict on the trial; none when it was not finished.
    pub verdict: Option<Verdict>,
    /// Path of the trial's folder.
    pub folder: String,
    /// Entries of the trial's folder.
    pub files: Vec<trial_files::Entry>,
    /// Whether the folder has more entries than are listed.
    pub files_cut: bool,
    /// Findings in the log, the most severe first.
    pub findings: Vec<LogFinding>,
}

/// State of a trial on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum TrialPageState {
    /// The trial was finished.
    Finished,
    /// The trial was not finished.
    HalfMade,
}

/// A part of a trial's log.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioLogPart {
    /// 1-based number of the first line.
    pub first_line: u32,
    /// Lines of this part; very long ones are cut.
    pub lines: Vec<String>,
    /// Number of lines of the whole log.
    pub total_lines: u32,
    /// Size of the whole log, bytes.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// Content of a trial's file, in a form that the page can show.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum TrialFileContent {
    /// A text file, or the beginning of a long one.
    Text {
        /// Displayed text.
        text: String,
        /// Whether the file has more text.
        cut: bool,
    },
    /// A raster image.
    Image {
        /// Media type such as `image/png`, determined by the first bytes.
        media: String,
        /// Content of the file as Base64.
        base64: String,
    },
    /// A file that cannot be displayed.
    Binary {
        /// Whether the file is an image that is too large.
        too_large: bool,
    },
}

impl Scenarios {
    /// Outcome of a trial, the files in its folder, and the findings in its log.
    ///
    /// # Errors
    /// When there is no such trial, or a link is on the path to its folder.
    pub fn trial(
        &self,
        folder: Option<&str>,
        trial: &TrialId,
        scorer: Scorer,
    ) -> Result<ScenarioTrialPage, WireError> {
        let results = self.results_folder(folder);
        let path = trial_files::folder(&results, trial)
            .map_err(|error| WireError::not_found(say!("there is no trial {trial}: {error}")))?;
        let listing =
            trial_files::list(&results, trial, MAX_ENTRIES).map_err(|error| unreadable(&path, error))?;
        let log = trial_files::read(&results, trial, CONSOLE_LOG, MAX_LOG_BYTES).map(|(bytes, _)| bytes);
        // `trial_files::outcome` opens the log of a trial without `outcome.json`, so a log that is
        // a link is excluded here.
        let recorded =
            std::fs::symlink_metadata(path.join(outcome::OUTCOME)).is_ok_and(|meta| meta.is_file());
        let trial = (recorded || log.is_ok()).then(|| trial_files::outcome(&path));
        let (state, why, outcome) = match trial {
            Some(Trial::Finished(outcome)) => (TrialPageState::Finished, None, Some(outcome)),
            Some(Trial::HalfMade { why }) => (TrialPageState::HalfMade, Some(why), None),
            Some(Trial::Missing) | None => {
                (TrialPageState::HalfMade, Some(say!("there is no {CONSOLE_LOG} that can be read")), None)
            }
        };
        let verdict = match (&outcome, &log) {
            (Some(_), Ok(_)) => Some(scorer.verdict(&path)),
            _ => None,
        };
        let log = String::from_utf8_lossy(log.as_deref().unwrap_or_default()).into_owned();
        Ok(ScenarioTrialPage {
            state,
            why,
            outcome: outcome.map(|outcome| *outcome),
            verdict,
            folder: path.display().to_string(),
            files: listing.entries,
            files_cut: listing.cut,
            findings: lint(&log),
        })
    }

    /// Part of a trial's log that contains the given 1-based line.
    ///
    /// # Errors
    /// When there is no log that can be read.
    pub fn trial_log(
        &self,
        folder: Option<&str>,
        trial: &TrialId,
        line: u32,
    ) -> Result<ScenarioLogPart, WireError> {
        let results = self.results_folder(folder);
        let (bytes, size) = trial_files::read(&results, trial, CONSOLE_LOG, MAX_LOG_BYTES)
            .map_err(|error| no_file(trial, CONSOLE_LOG, &error))?;
        let text = String::from_utf8_lossy(&bytes);
        let total = text.lines().count();
        let target = usize::try_from(line).unwrap_or(1).clamp(1, total.max(1)) - 1;
        let first = target - target % PART_LINES;
        let mut lines = Vec::new();
        let mut bytes_left = PART_BYTES;
        for (at, line) in text.lines().enumerate().skip(first).take(PART_LINES) {
            let mut line = line[..line.floor_char_boundary(MAX_LINE_BYTES)].to_owned();
            // A part always contains the requested line.
            if bytes_left < line.len() && at > target {
                break;
            }
            bytes_left = bytes_left.saturating_sub(line.len());
            if bytes_left == 0 && at < target {
                line.clear();
            }
            lines.push(line);
        }
        Ok(ScenarioLogPart { first_line: number(first + 1), lines, total_lines: number(total), bytes: size })
    }

    /// Content of one of a trial's files. Links are not followed.
    ///
    /// # Errors
    /// When there is no such file inside the trial's folder.
    pub fn trial_file(
        &self,
        folder: Option<&str>,
        trial: &TrialId,
        path: &str,
    ) -> Result<TrialFileContent, WireError> {
        let results = self.results_folder(folder);
        let (bytes, size) = trial_files::read(&results, trial, path, MAX_IMAGE_BYTES)
            .map_err(|error| no_file(trial, path, &error))?;
        if let Some(media) = image(&bytes) {
            return Ok(if size > MAX_IMAGE_BYTES {
                TrialFileContent::Binary { too_large: true }
            } else {
                TrialFileContent::Image { media: media.to_owned(), base64: STANDARD.encode(&bytes) }
            });
        }
        let length = usize::try_from(MAX_TEXT_BYTES).map_or(bytes.len(), |most| bytes.len().min(most));
        // Binary files contain NUL bytes early; the last character may be cut in two.
        let shown_bytes = &bytes[..length];
        let text = match std::str::from_utf8(shown_bytes) {
            Ok(text) => Some(text),
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&shown_bytes[..error.valid_up_to()]).ok()
            }
            Err(_) => None,
        };
        Ok(match text.filter(|text| !text.contains('\0')) {
            Some(text) => TrialFileContent::Text { text: text.to_owned(), cut: size > text.len() as u64 },
            None => TrialFileContent::Binary { too_large: false },
        })
    }
}

fn no_file(trial: &TrialId, path: &str, error: &std::io::Error) -> WireError {
    let code =
        if error.kind() == std::io::ErrorKind::NotFound { ErrorCode::NotFound } else { ErrorCode::BadFile };
    WireError::new(code, say!("{path} of {trial} cannot be opened: {error}"))
}

/// Media type of an image by its first bytes, since its name may be wrong. SVG is excluded because
/// it can contain scripts.
fn image(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}
