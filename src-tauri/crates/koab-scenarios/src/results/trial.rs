//! One trial: how it ended, what it printed and what it left.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use koab_sandbox::layout::TrialId;
use koab_sandbox::lint::{Severity, lint};
use koab_sandbox::model_calls::ModelCalls;
use koab_sandbox::outcome::{self, CONSOLE_LOG, Origin, Outcome, Trial};
use koab_sandbox::scenario_file::Network;
use koab_sandbox::tabulate::{Scorer, Verdict};
use koab_sandbox::trial_files::{self, Kind};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::table::{ScenarioScorer, ScenarioVerdict};
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
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioTrialPage {
    /// Whether it was finished.
    pub state: TrialPageState,
    /// How it is known that it was not: one sentence without its full stop.
    pub why: Option<Sentence>,
    /// How it ended.
    pub outcome: Option<ScenarioOutcome>,
    /// Whether it solved its task; none where it was not finished.
    pub verdict: Option<ScenarioVerdict>,
    /// Why there is no verdict.
    pub verdict_why: Option<Sentence>,
    /// Its folder.
    pub folder: String,
    /// What lies there.
    pub files: Vec<ScenarioTrialFile>,
    /// Whether more lies there than is listed.
    pub files_cut: bool,
    /// What its log shows, the gravest first.
    pub findings: Vec<ScenarioFinding>,
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

/// How a trial ended: `outcome.json`, or what the log of another tool says. What is not known is null, and `unknown` says
/// why, by the field's name.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioOutcome {
    /// Whether it was read out of another tool's log afterwards.
    pub legacy: bool,
    /// Why it ended.
    pub cause: String,
    /// One sentence more on the cause.
    pub detail: Option<Sentence>,
    /// Exit code of `scenario.py`.
    pub exit_code: Option<i32>,
    /// Exit code of installing the requirements.
    pub pip_exit_code: Option<i32>,
    /// When it began: ISO 8601.
    pub started: Option<String>,
    /// When it ended.
    pub ended: Option<String>,
    /// Seconds all of it took.
    pub seconds: Option<f64>,
    /// Seconds `scenario.py` took.
    pub scenario_seconds: Option<f64>,
    /// Where it ran: `Docker` or `Native`.
    pub setting: Option<String>,
    /// The image as it was asked for.
    pub image: Option<String>,
    /// The digest of what the engine ran.
    pub image_digest: Option<String>,
    /// Limits by name; null is no limit. None where they are not known.
    #[ts(type = "Record<string, number | string | null> | null")]
    pub limits: Option<BTreeMap<String, serde_json::Value>>,
    /// Versions by name.
    pub versions: BTreeMap<String, String>,
    /// SHA-256 of what the trial was given.
    pub template_sha256: Option<String>,
    /// The command line, without secrets.
    pub command: Vec<String>,
    /// What looked like a mistake while the trial was made.
    pub warnings: Vec<Sentence>,
    /// What calls to the offered model came to; `null` where no model was offered.
    pub model_calls: Option<ScenarioModelCalls>,
    /// Why a field is null, by its name.
    pub unknown: BTreeMap<String, Sentence>,
}

/// What a trial's calls to the offered model came to.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioModelCalls {
    /// The model.
    pub model: String,
    /// Calls.
    pub count: u32,
    /// Calls without an answer of a model.
    pub failed: u32,
    /// Calls that a record answered.
    pub replayed: u32,
    /// Prompt and completion tokens, as the server reported them.
    #[ts(type = "number")]
    pub tokens: u64,
    /// USD; `null` when that cannot be said.
    pub usd: Option<f64>,
    /// Why there is no cost, or why tokens and cost are lower bounds.
    pub note: Option<Sentence>,
}

impl From<ModelCalls> for ScenarioModelCalls {
    fn from(calls: ModelCalls) -> Self {
        Self {
            model: calls.model,
            count: calls.count,
            failed: calls.failed,
            replayed: calls.replayed,
            tokens: calls.input_tokens + calls.output_tokens,
            usd: calls.cost_usd,
            note: calls.note,
        }
    }
}

/// Something in a trial's folder.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioTrialFile {
    /// From the trial's folder on.
    pub path: String,
    /// Its size.
    #[ts(type = "number")]
    pub bytes: u64,
    /// What it is.
    pub kind: TrialFileKind,
}

/// What a file is, as far as it can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum TrialFileKind {
    /// A regular file.
    File,
    /// A link, which is not followed.
    Link,
    /// Something that cannot be opened here.
    Other,
}

/// Something in a trial's log.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioFinding {
    /// Which rule.
    pub code: String,
    /// `note`, `warning` or `error`.
    pub severity: String,
    /// First line, from 1.
    pub line: u32,
    /// Last line.
    pub line_end: u32,
    /// What the rule saw.
    pub what: Sentence,
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
        scorer: ScenarioScorer,
    ) -> Result<ScenarioTrialPage, WireError> {
        let results = self.results_folder(folder);
        let path = trial_files::folder(&results, trial)
            .map_err(|error| WireError::not_found(say!("there is no trial {trial}: {error}")))?;
        let listing = trial_files::list(&results, trial, LISTED).map_err(|error| unreadable(&path, error))?;
        let log = trial_files::read(&results, trial, CONSOLE_LOG, LOG).map(|(bytes, _)| bytes);
        // What reads outcomes opens the log of a trial that has none, which must not be a link that leads elsewhere.
        let recorded =
            std::fs::symlink_metadata(path.join(outcome::OUTCOME)).is_ok_and(|meta| meta.is_file());
        let ended = (recorded || log.is_ok()).then(|| trial_files::outcome(&path));
        let (state, why, ended) = match ended {
            Some(Trial::Finished(outcome)) => (TrialPageState::Finished, None, Some(outcome)),
            Some(Trial::HalfMade { why }) => (TrialPageState::HalfMade, Some(why), None),
            Some(Trial::Missing) | None => (
                TrialPageState::HalfMade,
                Some(say!("there is no {CONSOLE_LOG} that can be read")),
                None,
            ),
        };
        let verdict = match (&ended, &log) {
            (Some(_), Ok(_)) => Some(Scorer::from(scorer).verdict(&path)),
            _ => None,
        };
        let (verdict, verdict_why) = match verdict {
            Some(Verdict::Passed) => (Some(ScenarioVerdict::Passed), None),
            Some(Verdict::Failed) => (Some(ScenarioVerdict::Failed), None),
            Some(Verdict::Missing { why }) => (Some(ScenarioVerdict::Missing), Some(why)),
            None => (None, None),
        };
        let log = String::from_utf8_lossy(log.as_deref().unwrap_or_default()).into_owned();
        Ok(ScenarioTrialPage {
            state,
            why,
            outcome: ended.map(|outcome| outcome_view(*outcome)),
            verdict,
            verdict_why,
            folder: path.display().to_string(),
            files: listing.entries.into_iter().map(file).collect(),
            files_cut: listing.cut,
            findings: findings(&log),
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
        Ok(ScenarioLogPart {
            first_line: number(first + 1),
            lines,
            total_lines: number(total),
            bytes: size,
        })
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
                TrialFileContent::Image {
                    media: media.to_owned(),
                    base64: STANDARD.encode(&bytes),
                }
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
            Some(text) => TrialFileContent::Text {
                text: text.to_owned(),
                cut: size > text.len() as u64,
            },
            None => TrialFileContent::Binary { too_large: false },
        })
    }
}

fn no_file(trial: &TrialId, path: &str, error: &std::io::Error) -> WireError {
    let code = if error.kind() == std::io::ErrorKind::NotFound {
        ErrorCode::NotFound
    } else {
        ErrorCode::BadFile
    };
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

fn file(entry: trial_files::Entry) -> ScenarioTrialFile {
    ScenarioTrialFile {
        path: entry.path,
        bytes: entry.bytes,
        kind: match entry.kind {
            Kind::File => TrialFileKind::File,
            Kind::Link => TrialFileKind::Link,
            Kind::Other => TrialFileKind::Other,
        },
    }
}

fn findings(log: &str) -> Vec<ScenarioFinding> {
    lint(log)
        .into_iter()
        .map(|finding| ScenarioFinding {
            code: finding.code.to_owned(),
            severity: match finding.severity {
                Severity::Note => "note",
                Severity::Warning => "warning",
                Severity::Error => "error",
            }
            .to_owned(),
            line: number(finding.line),
            line_end: number(finding.line_end),
            what: finding.what,
        })
        .collect()
}

fn outcome_view(outcome: Outcome) -> ScenarioOutcome {
    let limits = outcome.limits.map(|limits| {
        BTreeMap::from([
            ("timeout_s".to_owned(), limits.timeout_s.into()),
            ("memory_bytes".to_owned(), limits.memory_bytes.into()),
            ("cpus".to_owned(), limits.cpus.into()),
            ("pids".to_owned(), limits.pids.into()),
            ("output_bytes".to_owned(), limits.output_bytes.into()),
            (
                "network".to_owned(),
                limits
                    .network
                    .map(|network| match network {
                        Network::Bridge => "bridge",
                        Network::None => "none",
                    })
                    .into(),
            ),
        ])
    });
    let (image, image_digest) = outcome
        .image
        .map_or((None, None), |image| (Some(image.name), image.digest));
    ScenarioOutcome {
        legacy: outcome.origin == Origin::Legacy,
        cause: outcome.cause.name().to_owned(),
        detail: outcome.detail,
        exit_code: outcome.exit_code,
        pip_exit_code: outcome.pip_exit_code,
        started: outcome.started,
        ended: outcome.ended,
        seconds: outcome.seconds,
        scenario_seconds: outcome.scenario_seconds,
        setting: outcome.setting.map(|setting| setting.name().to_owned()),
        image,
        image_digest,
        limits,
        versions: outcome.versions,
        template_sha256: outcome.template_sha256,
        command: outcome.command,
        warnings: outcome.warnings,
        model_calls: outcome.model_calls.map(ScenarioModelCalls::from),
        unknown: outcome.unknown,
    }
}
