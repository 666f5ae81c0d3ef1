//! Changes of a run while it is being made. The journal and `run.json` keep them as a list.

use crate::sentence::{Sentence, ToSentence};
use crate::{say, text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Number of tasks or attempts that the sentence of a change names. The rest is counted.
const MAX_NAMED: usize = 5;

/// A change of a running run. A request leaves out the earlier values (`from`), which the record
/// has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub enum RunChange {
    /// Maximum number of attempts at the same time.
    Concurrency {
        /// New value.
        to: u32,
        /// Earlier value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        from: Option<u32>,
    },
    /// Maximum number of model turns, for attempts that begin later.
    MaxSteps {
        /// New value.
        to: u32,
        /// Earlier value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        from: Option<u32>,
    },
    /// Time limit in seconds, for attempts that begin later.
    Timeout {
        /// New value.
        to: f64,
        /// Earlier value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        from: Option<f64>,
    },
    /// Cap on the cost of the run in USD; null for no cap.
    MaxCost {
        /// New value.
        to: Option<f64>,
        /// Earlier value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        from: Option<f64>,
    },
    /// Cap on the tokens of the run; null for no cap.
    MaxTotalTokens {
        /// New value.
        to: Option<u64>,
        /// Earlier value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        from: Option<u64>,
    },
    /// Address of the model's server, for calls that are sent later.
    BaseUrl {
        /// New value.
        to: String,
        /// Earlier value; absent if it was the provider's own address.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        from: Option<String>,
    },
    /// Judges that the run is scored with after its end. Without any, no judge is called.
    Judges {
        /// New judges.
        to: Vec<String>,
        /// Address of the judges' server; null for judges of a provider.
        base_url: Option<String>,
        /// Earlier judges.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
        from: Vec<String>,
    },
    /// Tasks whose attempts are not begun any more.
    LeaveOut {
        /// Ids of the tasks.
        tasks: Vec<String>,
    },
    /// Attempts that failed for technical reasons and are made again.
    Retry {
        /// The attempts. A request without any means all attempts that have failed.
        attempts: Vec<RetriedAttempt>,
    },
}

/// An attempt that is made again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct RetriedAttempt {
    /// Task id.
    pub task: String,
    /// 1-based number of the repetition. A request without it means all failed repetitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub repetition: Option<u32>,
}

/// A change that was made, with its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ChangeRecord {
    /// Time of the change, milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Number of attempts that had ended.
    pub done: u32,
    /// The change, with the earlier value.
    pub change: RunChange,
}

/// The limits of an attempt that a change may alter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptLimits {
    /// Maximum number of model turns.
    pub max_steps: u32,
    /// Time limit in seconds.
    pub timeout_s: f64,
}

impl RunChange {
    /// Whether the change alters the limits of attempts.
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::MaxSteps { .. } | Self::Timeout { .. })
    }
}

/// Tasks that these changes left out.
pub fn left_out(changes: &[ChangeRecord]) -> BTreeSet<&str> {
    let tasks = changes.iter().filter_map(|record| match &record.change {
        RunChange::LeaveOut { tasks } => Some(tasks),
        _ => None,
    });
    tasks.flatten().map(String::as_str).collect()
}

impl ToSentence for RunChange {
    fn to_sentence(&self) -> Sentence {
        match self {
            Self::Concurrency { to, from } => {
                say!("attempts at the same time: {before} → {after}", before = given(*from), after = *to)
            }
            Self::MaxSteps { to, from } => {
                say!("model turns of an attempt: {before} → {after}", before = given(*from), after = *to)
            }
            Self::Timeout { to, from } => {
                say!(
                    "time limit of an attempt in seconds: {before} → {after}",
                    before = given(*from),
                    after = *to
                )
            }
            Self::MaxCost { to, from } => {
                say!("budget in USD: {before} → {after}", before = cap(*from), after = cap(*to))
            }
            Self::MaxTotalTokens { to, from } => {
                say!("budget in tokens: {before} → {after}", before = cap(*from), after = cap(*to))
            }
            Self::BaseUrl { to, from } => {
                let before = from.as_ref().map_or_else(|| text!("the provider's own").into(), Sentence::from);
                say!("address of the model's server: {before} → {after}", after = to)
            }
            Self::Judges { to, from, .. } => {
                say!("judges: {before} → {after}", before = judges(from), after = judges(to))
            }
            Self::LeaveOut { tasks } => {
                say!("tasks left out: {tasks}", tasks = named(tasks.iter().map(String::as_str)))
            }
            Self::Retry { attempts } => {
                let tasks: BTreeSet<&str> = attempts.iter().map(|attempt| attempt.task.as_str()).collect();
                say!(
                    "failed attempts made again: {count} ({tasks})",
                    count = attempts.len(),
                    tasks = named(tasks.into_iter())
                )
            }
        }
    }
}

impl ToSentence for ChangeRecord {
    fn to_sentence(&self) -> Sentence {
        say!("{change} (after {done} attempts)", change = self.change.to_sentence(), done = self.done)
    }
}

/// An earlier value; a question mark if it is not known.
fn given<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| value.to_string())
}

fn cap<T: ToString>(value: Option<T>) -> Sentence {
    value.map_or_else(|| text!("none").into(), |value| value.to_string().into())
}

fn judges(judges: &[String]) -> Sentence {
    if judges.is_empty() { text!("none").into() } else { judges.join(", ").into() }
}

/// The first names, and the number of further ones.
fn named<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(MAX_NAMED);
    let first: Vec<&str> = names.take(MAX_NAMED).collect();
    let rest = if more > 0 { format!(", … +{more}") } else { String::new() };
    first.join(", ") + &rest
}
