//! BFCL: parity with the original where `../shared` is beside the checkout, and what holds without it.

#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

mod corrected;
mod multi_turn;
mod parity;
mod small;
mod support;
