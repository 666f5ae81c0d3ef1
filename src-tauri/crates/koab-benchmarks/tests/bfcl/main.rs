//! BFCL: parity with the original where `../shared` is beside the checkout, and what holds without it.

mod corrected;
mod parity;
mod small;
mod support;
