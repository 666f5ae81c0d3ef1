//! Tables of the database. Each file has the creation, row type and queries of one table, without
//! business rules.

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
