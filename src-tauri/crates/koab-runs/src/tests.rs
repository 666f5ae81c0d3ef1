//! What tests of this crate have in common, and tests of the library and of overrides on runs that
//! are made here.

mod comparability;
mod conduct;
pub(crate) mod desk;
mod drift;
mod misses;
mod overrides;
pub(crate) mod pack;
mod references;
mod report_list;
mod report_lookup;
mod review;
mod run_list;
