//! Tables of a scenario's results.
//!
//! [`table`] is the product's own table, with every instance and repetition with its verdict, cause
//! and duration; missing trials are counted separately. [`original`] writes the tables of the
//! original tool in both of its formats, including their faults, for comparison with published
//! tables. Both read the scenario's folder, created by any of the tools.

mod columns;
mod csv;
mod gaia;
mod math;
pub mod original;
mod scorer;
pub mod table;

pub use scorer::{Scorer, Verdict};
pub use table::{Table, tabulate};
