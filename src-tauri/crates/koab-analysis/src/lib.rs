//! What reports and verdicts say beside their scores: tests between reports, the judge lab, the
//! failure atlas. Pure, as the domain is, and heavy, so it hangs off it.
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
