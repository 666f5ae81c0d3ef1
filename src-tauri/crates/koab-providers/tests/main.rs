//! The tests of providers against recorded exchanges.

mod offline;
mod providers;
