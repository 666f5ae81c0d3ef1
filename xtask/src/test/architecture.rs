//! The invariants of `docs/ARCHITECTURE.md` that sources and manifests can show: who may name which library.
//!
//! `sources` reads Rust and TypeScript text, `packages` reads `cargo metadata`. What needs judgement (no secret
//! crosses to the UI, a metric reads nothing else) is left to reviews and to tests of the crates.

mod packages;
mod sources;

use super::Context;
use super::count::Count;

/// Checks all rules; each broken one is a failure of its own.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    let mut failures = sources::check(&context.place.root)?;
    failures.extend(packages::check(&context.place.root)?);
    let passed = usize::from(failures.is_empty());
    Ok(Count {
        passed,
        failures,
        ..Count::nothing()
    })
}
