//! Statistics over reports and verdicts: tests between reports, the judge lab, the failure atlas.
//! The crate has no I/O. It is separate from the domain crate, since its dependencies are slow to
//! compile.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod across;
pub mod adaptive;
pub mod atlas;
pub mod chance;
pub mod gate;
pub mod judge_lab;
pub mod paired;
pub mod ppi;
pub mod sweep;
