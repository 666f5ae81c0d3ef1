//! The tests of the benchmarks, a folder each.

mod bfcl;
mod fourth;
mod functionchat;
mod readers;
