//! The store through its public functions, on real databases and folders.

mod drafts;
mod import;
mod overlay;
mod overrides;
mod packs;
mod published;
mod recordings;
mod repository;
mod runs;
mod snapshots;
mod support;
