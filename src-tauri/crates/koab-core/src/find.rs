//! Filter language of the search through transcripts: `tool:StockPrice_ls -error:timeout 주가`.
//!
//! [`Query`] is parsed from text and printed in one canonical spelling. The grammar and the fields
//! are in `docs/design/find.md`. This module evaluates nothing.

mod error;
mod fields;
mod fold;
mod parse;
mod print;
mod query;
#[cfg(test)]
mod tests;

pub use error::QueryError;
pub use fields::{NameField, NumberField, TextField};
pub use fold::fold;
pub use query::{Filter, Query, Relation, TextRelation};
