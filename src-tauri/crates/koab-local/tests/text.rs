//! From a conversation to a prompt, and from what a model wrote to its calls.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod conversations;
mod fitting;
mod gbnf;
mod grammar;
mod limits;
mod limits_any;
mod reading;
mod reading_any;
mod rendering;
mod renderings;
mod telling;
