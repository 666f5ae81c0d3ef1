//! The store through its public functions, on real databases and folders.

mod drafts;
mod fourth;
mod import;
mod journals;
mod overlay;
mod overrides;
mod packs;
mod published;
mod recordings;
mod records;
mod repository;
mod runs;
mod schedules;
mod shards;
mod snapshots;
mod support;
mod trash;
