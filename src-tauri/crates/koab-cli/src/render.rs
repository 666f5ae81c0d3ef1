//! Text for the terminal that several commands share. Text of a single command is in the command's
//! module.

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
