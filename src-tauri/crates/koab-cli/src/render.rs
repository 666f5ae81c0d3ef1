//! Answers of the engine as text for the terminal, where several commands show the same; what one
//! command shows is beside it.

mod agreement;
pub(crate) mod ahead;
pub(crate) mod benchmark;
pub(crate) mod comparability;
pub(crate) mod conduct;
pub(crate) mod findings;
pub(crate) mod headline;
pub(crate) mod judge_plan;
pub(crate) mod pack_problems;
pub(crate) mod report;
