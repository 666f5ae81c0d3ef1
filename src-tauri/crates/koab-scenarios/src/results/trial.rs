//! One trial: how it ended, what it printed and what it left.

use koab_core::say;
use koab_core::sentence::Sentence;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use koab_sandbox::layout::TrialId;
use koab_sandbox::lint::{LogFinding, lint};
use koab_sandbox::outcome::{self, CONSOLE_LOG, Outcome, Trial};
use koab_sandbox::tabulate::{Scorer, Verdict};
use koab_sandbox::trial_files;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{number, unreadable};
use crate::Scenarios;
use koab_workspace::{ErrorCode, WireError};

/// Entries of a trial's folder that are listed.
const LISTED: usize = 2_000;
/// Of a log, so much is read; more than any limit of ours lets through.
const LOG: u64 = 128 << 20;
/// Lines of a log in one part, and their bytes.
const PART: (usize, usize) = (5_000, 2 << 20);
/// Of a line, so many bytes are shown.
const LINE: usize = 8 << 10;
/// Of a text file, so much is shown.
const TEXT: u64 = 1 << 20;
/// A larger image is not shown.
const IMAGE: u64 = 8 << 20;

/// What there is of a trial.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioTrialPage {
    /// Whether it was finished.
    pub state: TrialPageState,
    /// How it is known that it was not: one sentence without its full stop.
    pub why: Option<Sentence>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Whether it solved its task; none where it was not finished.
    pub verdict: Option<Verdict>,
    /// Its folder.
    pub folder: String,
    /// What lies there.
    pub files: Vec<trial_files::Entry>,
    /// Whether more lies there than is listed.
    pub files_cut: bool,
    /// What its log shows, the gravest first.
    pub findings: Vec<LogFinding>,
}

/// Whether a trial was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum TrialPageState {
    /// It was.
    Finished,
    /// It was not.
    HalfMade,
}

/// A part of a trial's log.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioLogPart {
    /// Number of the first line, from 1.
    pub first_line: u32,
    /// The lines; very long ones are cut.
    pub lines: Vec<String>,
    /// Lines of the whole log.
    pub total_lines: u32,
    /// Bytes of the whole log.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// What a file holds.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum TrialFileContent {
    /// Text, of a long file its beginning.
    Text {
        /// The text.
        text: String,
        /// Whether there is more.
        cut: bool,
    },
    /// An image of pixels.
    Image {
        /// Its type, as in `image/png`, found in its first bytes.
        media: String,
        /// Its bytes as Base64.
        base64: String,
    },
    /// Nothing that can be shown here.
    Binary {
        /// Whether it is an image that is too large.
        too_large: bool,
    },
}

impl Scenarios {
    /// How a trial ended, what lies in its folder, and what its log shows.
    ///
    /// # Errors
    /// When there is no such trial, or its folder lies behind a link.
    pub fn trial(
        &self,
        folder: Option<&str>,
        trial: &TrialId,
        scorer: Scorer,
    ) -> Result<ScenarioTrialPage, WireError> {
        let results = self.results_folder(folder);
        let path = trial_files::folder(&results, trial)
            .map_err(|error| WireError::not_found(say!("there is no trial {trial}: {error}")))?;
        let listing = trial_files::list(&results, trial, LISTED).map_err(|error| unreadable(&path, error))?;
        let log = trial_files::read(&results, trial, CONSOLE_LOG, LOG).map(|(bytes, _)| bytes);
        // What reads outcomes opens the log of a trial that has none, which must not be a link that
        // leads elsewhere.
        let recorded =
            std::fs::symlink_metadata(path.join(outcome::OUTCOME)).is_ok_and(|meta| meta.is_file());
        let ended = (recorded || log.is_ok()).then(|| trial_files::outcome(&path));
        let (state, why, ended) = match ended {
            Some(Trial::Finished(outcome)) => (TrialPageState::Finished, None, Some(outcome)),
            Some(Trial::HalfMade { why }) => (TrialPageState::HalfMade, Some(why), None),
            Some(Trial::Missing) | None => {
                (TrialPageState::HalfMade, Some(say!("there is no {CONSOLE_LOG} that can be read")), None)
            }
        };
        let verdict = match (&ended, &log) {
            (Some(_), Ok(_)) => Some(scorer.verdict(&path)),
            _ => None,
        };
        let log = String::from_utf8_lossy(log.as_deref().unwrap_or_default()).into_owned();
        Ok(ScenarioTrialPage {
            state,
            why,
            outcome: ended.map(|outcome| *outcome),
            verdict,
            folder: path.display().to_string(),
            files: listing.entries,
            files_cut: listing.cut,
            findings: lint(&log),
        })
    }

    /// A part of a trial's log that holds a line, counted from 1.
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
        let (bytes, size) = trial_files::read(&results, trial, CONSOLE_LOG, LOG)
            .map_err(|error| no_file(trial, CONSOLE_LOG, &error))?;
        let text = String::from_utf8_lossy(&bytes);
        let total = text.lines().count();
        let wanted = usize::try_from(line).unwrap_or(1).clamp(1, total.max(1)) - 1;
        let first = wanted - wanted % PART.0;
        let mut lines = Vec::new();
        let mut left = PART.1;
        for (at, line) in text.lines().enumerate().skip(first).take(PART.0) {
            let mut line = line[..line.floor_char_boundary(LINE)].to_owned();
            // A part is never without the line that was asked for.
            if left < line.len() && at > wanted {
                break;
            }
            left = left.saturating_sub(line.len());
            if left == 0 && at < wanted {
                line.clear();
            }
            lines.push(line);
        }
        Ok(ScenarioLogPart { first_line: number(first + 1), lines, total_lines: number(total), bytes: size })
    }

    /// What one of a trial's files holds. Links are not followed, whatever they lead to.
    ///
    /// # Errors
    /// When there is no such file within the trial's folder.
    pub fn trial_file(
        &self,
        folder: Option<&str>,
        trial: &TrialId,
        path: &str,
    ) -> Result<TrialFileContent, WireError> {
        let results = self.results_folder(folder);
        let (bytes, size) =
            trial_files::read(&results, trial, path, IMAGE).map_err(|error| no_file(trial, path, &error))?;
        if let Some(media) = image(&bytes) {
            return Ok(if size > IMAGE {
                TrialFileContent::Binary { too_large: true }
            } else {
                TrialFileContent::Image { media: media.to_owned(), base64: STANDARD.encode(&bytes) }
            });
        }
        let shown = usize::try_from(TEXT).map_or(bytes.len(), |most| bytes.len().min(most));
        // Binary files hold zeros early; a character may be cut in two at the end.
        let shown = &bytes[..shown];
        let text = match std::str::from_utf8(shown) {
            Ok(text) => Some(text),
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&shown[..error.valid_up_to()]).ok()
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

/// The type of an image by its first bytes; a name may say anything. No SVG, which is a program.
fn image(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}
