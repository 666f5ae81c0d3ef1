//! List of the topics that comparability is judged by, in the order of a report.

use super::rule::Topic;
use super::{coverage, pack, recordings, scoring, settings};

/// Topics of the scoring, then topics of the run.
pub(in crate::comparability) static TOPICS: [Topic; 10] = [
    scoring::SCORER,
    scoring::JUDGES,
    pack::TASKS,
    pack::TOOLS,
    settings::PROTOCOL,
    settings::SETTINGS,
    recordings::RECORDS,
    recordings::CALLS,
    coverage::COVERAGE,
    coverage::ATTEMPTS,
];
