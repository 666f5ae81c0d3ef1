//! The tables: each file holds one table's creation, row and queries, and no rule of what they
//! mean.

pub(crate) mod document;
pub(crate) mod draft;
pub(crate) mod judge_queue;
pub(crate) mod overlay;
pub(crate) mod pack;
pub(crate) mod pack_version;
pub(crate) mod packed;
pub(crate) mod record;
pub(crate) mod remark;
pub(crate) mod report;
pub(crate) mod setting;
pub(crate) mod snapshot;
pub(crate) mod snapshot_answer;
pub(crate) mod spending;
pub(crate) mod state;
pub(crate) mod task_flag;
pub(crate) mod verdict;
pub(crate) mod verdict_failure;
pub(crate) mod verdict_override;
