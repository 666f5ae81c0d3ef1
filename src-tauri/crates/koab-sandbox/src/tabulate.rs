//! From a scenario's results to tables.
//!
//! [`table`] is the product's own: every instance and repetition with its verdict, how it ended and
//! how long it took; what is missing is counted apart. [`original`] writes the tables of the
//! original tool in both of their forms, with their rules and their faults, for comparing with what
//! was published. Both take the scenario's folder, whoever made it.

mod columns;
mod csv;
mod gaia;
mod math;
pub mod original;
mod scorer;
pub mod table;

pub use scorer::{Scorer, Verdict};
pub use table::{Table, tabulate};
