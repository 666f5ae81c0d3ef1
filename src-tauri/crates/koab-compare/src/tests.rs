//! Helpers of the tests of this crate.

pub(crate) mod desk;
