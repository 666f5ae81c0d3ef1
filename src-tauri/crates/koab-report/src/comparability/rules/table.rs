//! List of the topics that comparability is judged by, in the order of a report.

use super::rule::Topic;
use super::{changes, coverage, pack, recordings, scoring, settings};

/// Topics of the scoring, then topics of the run.
pub(in crate::comparability) static TOPICS: [Topic; 11] = [
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
    // The last one, since conditions that earlier versions stored lack it.
    changes::CHANGES,
];
