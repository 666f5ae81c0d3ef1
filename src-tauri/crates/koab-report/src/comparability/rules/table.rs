//! All topics, in their order.

use super::rule::Topic;
use super::{coverage, pack, recordings, scoring, settings};

/// How a run was scored, then how it was made.
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
