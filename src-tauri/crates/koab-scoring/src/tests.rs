//! What tests of this crate have in common.

pub(crate) mod desk;
